//! Speed of the move generator: `cargo bench --bench movegen [-- REPETITIONS]`.
//!
//! The jobs take turns and the best time of each counts, since other work on the machine can only
//! slow one down. Every job checks its result.

use std::hint::black_box;
use std::time::{Duration, Instant};

use meerslag::board::movegen::{generate, has_moves};
use meerslag::board::perft::{perft, perft_parallel};
use meerslag::board::{MoveList, Position, State, legal_moves};
use meerslag::util::rng::Rng;
use meerslag::variant::{Brazilian, International, Variant};

/// Work that is timed: its name, what it counts, and a run that returns the count.
struct Job {
    name: String,
    unit: &'static str,
    run: Box<dyn Fn() -> u64>,
}

impl Job {
    fn new<V: Variant>(name: &str, unit: &'static str, run: impl Fn() -> u64 + 'static) -> Self {
        Self { name: format!("{} {name}", V::ID), unit, run: Box::new(run) }
    }
}

/// Positions from random games, the same on every run.
fn sample<V: Variant>() -> Vec<State<V>> {
    let mut rng = Rng::new(1);
    let mut states = Vec::new();
    while states.len() < 10_000 {
        let mut state = State::<V>::new(Position::start());
        for _ in 0..100 {
            let moves = legal_moves(&state.position);
            if moves.is_empty() {
                break;
            }
            state = state.after(moves[rng.below(moves.len())]);
            states.push(state);
        }
    }
    states
}

fn jobs<V: Variant>(depth: u32, leaves: u64) -> Vec<Job> {
    let checked = move |nodes| {
        assert_eq!(nodes, leaves, "perft of the start to depth {depth}");
        nodes
    };
    let [listed, made, tested] = [(); 3].map(|()| sample::<V>());
    vec![
        Job::new::<V>("perft, 1 thread", "leaves", move || checked(perft(&Position::<V>::start(), depth))),
        Job::new::<V>("perft, all threads", "leaves", move || checked(perft_parallel(&Position::<V>::start(), depth))),
        Job::new::<V>("list the moves", "positions", move || {
            let mut list = MoveList::new();
            for state in &listed {
                generate(&state.position, &mut list);
                black_box(&list);
            }
            listed.len() as u64
        }),
        Job::new::<V>("list and make the moves, with keys", "moves", move || {
            let mut list = MoveList::new();
            let mut moves = 0;
            for state in &made {
                generate(&state.position, &mut list);
                list.iter().for_each(|&mv| _ = black_box(state.after(mv)));
                moves += list.len() as u64;
            }
            moves
        }),
        Job::new::<V>("test for a move", "positions", move || {
            tested.iter().for_each(|state| _ = black_box(has_moves(&state.position)));
            tested.len() as u64
        }),
    ]
}

fn main() {
    // Cargo adds `--bench`.
    let repetitions = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(5);
    let mut jobs = jobs::<International>(9, 41_022_423).into_iter().chain(jobs::<Brazilian>(10, 21_560_022));
    let mut timed: Vec<(Job, Duration, u64)> = jobs.by_ref().map(|job| (job, Duration::MAX, 0)).collect();
    for _ in 0..repetitions {
        for (job, best, count) in &mut timed {
            let started = Instant::now();
            *count = (job.run)();
            *best = started.elapsed().min(*best);
        }
    }
    println!("best of {repetitions}");
    for (job, best, count) in timed {
        let speed = count as f64 / best.as_secs_f64() / 1e6;
        println!("{:<48} {:>10.2} ms {speed:>8.1} M {}/s", job.name, best.as_secs_f64() * 1e3, job.unit);
    }
}
