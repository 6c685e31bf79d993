//! Time to depth with one thread and with more, over middlegame positions of each variant.
//!
//! `cargo bench --bench search -- [VARIANT]... [THREADS] [SECONDS] [POSITIONS]` (all variants, 2 threads, 2
//! seconds, 10 positions); prints a row per position, the median speedup, and that of all positions together,
//! which single ones disturb less. The depth is the one that a thread reaches in that time. The runs with one
//! and with more threads alternate, since other work on the machine would otherwise favor one of them.

use std::time::{Duration, Instant};

use meerslag::board::{Game, Position, legal_moves};
use meerslag::engine::Engine;
use meerslag::search::Limits;
use meerslag::util::rng::Rng;
use meerslag::variant::{Task, Variant, VariantId};

const RANDOM_PLIES: usize = 6;
const PLAYED_PLIES: usize = 14;
const TABLE_MIB: usize = 64;

fn main() {
    // Cargo adds flags of its own.
    let arguments = || std::env::args().skip(1);
    let mut numbers = arguments().filter_map(|text| text.parse().ok());
    let threads: u64 = numbers.next().unwrap_or(2);
    let time = Duration::from_secs(numbers.next().unwrap_or(2));
    let positions = numbers.next().unwrap_or(10);
    let chosen: Vec<VariantId> = arguments().filter_map(|text| text.parse().ok()).collect();
    for &variant in if chosen.is_empty() { VariantId::ALL } else { &chosen } {
        variant.dispatch(TimeToDepth { threads: threads as usize, time, positions });
    }
}

struct TimeToDepth {
    threads: usize,
    time: Duration,
    positions: u64,
}

impl Task for TimeToDepth {
    type Output = ();

    fn run<V: Variant>(self) {
        let mut single = Engine::<V>::new(1, TABLE_MIB).expect("a thread");
        let mut several = Engine::<V>::new(self.threads, TABLE_MIB).expect("some threads");
        let mut ratios = Vec::new();
        let mut total = [0.0, 0.0];
        println!("{}: depth, seconds to it with 1 and with {} threads", V::ID, self.threads);
        for seed in 0..self.positions {
            let game = middlegame(&mut single, seed);
            let depth = depth_in_time(&mut single, &game, self.time);
            let (alone, nodes) = time_to_depth(&mut single, &game, depth);
            let (together, more_nodes) = time_to_depth(&mut several, &game, depth);
            let ratio = alone / together;
            let speed = [nodes as f64 / alone, more_nodes as f64 / together].map(|nps| nps / 1e6);
            println!(
                "{depth:>2}  {alone:8.3}  {together:8.3}  x {ratio:.2}   {:.2} and {:.2} M nodes/s, {:.2} x the nodes",
                speed[0],
                speed[1],
                more_nodes as f64 / nodes as f64
            );
            ratios.push(ratio);
            total = [total[0] + alone, total[1] + together];
        }
        ratios.sort_by(f64::total_cmp);
        let median = (ratios[ratios.len() / 2] + ratios[(ratios.len() - 1) / 2]) / 2.0;
        println!("median speedup {median:.2}, of all together {:.2}\n", total[0] / total[1]);
    }
}

/// A game some moves after a random opening, in which nobody is much better.
fn middlegame<V: Variant>(engine: &mut Engine<V>, seed: u64) -> Game<V> {
    let mut rng = Rng::new(seed);
    loop {
        engine.game = Game::new(Position::start());
        engine.new_game();
        for _ in 0..RANDOM_PLIES {
            let moves = legal_moves(engine.game.position());
            engine.game.play(moves[rng.below(moves.len())]).expect("a legal move");
        }
        for _ in 0..PLAYED_PLIES {
            let found = engine.search(Limits { nodes: Some(20_000), ..Limits::default() });
            let Some(mv) = found.done.best else { break };
            engine.game.play(mv).expect("a legal move");
        }
        let balanced = engine.search(Limits { nodes: Some(50_000), ..Limits::default() });
        if balanced.lines.first().is_some_and(|line| line.score.raw().abs() < 60) {
            return engine.game.clone();
        }
    }
}

/// The last depth finished within `time`.
fn depth_in_time<V: Variant>(engine: &mut Engine<V>, game: &Game<V>, time: Duration) -> u32 {
    engine.game = game.clone();
    engine.new_game();
    let started = Instant::now();
    (1..)
        .take_while(|&depth| {
            engine.search(Limits { depth: Some(depth), ..Limits::default() });
            started.elapsed() < time
        })
        .last()
        .unwrap_or(1)
}

fn time_to_depth<V: Variant>(engine: &mut Engine<V>, game: &Game<V>, depth: u32) -> (f64, u64) {
    engine.game = game.clone();
    engine.new_game();
    let started = Instant::now();
    let found = engine.search(Limits { depth: Some(depth), ..Limits::default() });
    (started.elapsed().as_secs_f64(), found.lines[0].nodes)
}
