//! Speed of looking positions up in the endgame databases of the program, one thread, from memory:
//! `cargo bench --bench egdb [-- POSITIONS]` (300,000).
//!
//! Positions are drawn evenly from all of the most pieces.

use std::hint::black_box;
use std::time::{Duration, Instant};

use meerslag::board::{Position, movegen};
use meerslag::egdb::{Databases, Index, Kind, Slice};
use meerslag::util::rng::Rng;
use meerslag::variant::{Task, Variant, VariantId};

/// Runs of each job; the best counts, since other work on the machine can only slow one down.
const RUNS: usize = 5;

fn main() {
    // Cargo adds flags of its own.
    let positions = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(300_000);
    println!("{:<10} {:>6} {:>10} {:>12} {:>12} {:>12}", "variant", "pieces", "opened in", "quiet", "any", "distance");
    for &variant in VariantId::ALL {
        variant.dispatch(Lookups { positions });
    }
}

struct Lookups {
    positions: usize,
}

impl Task for Lookups {
    type Output = ();

    fn run<V: Variant>(self) {
        let started = Instant::now();
        let databases = Databases::<V>::embedded();
        let opened = started.elapsed();
        let pieces = databases.pieces();
        let any = sample::<V>(&databases, Kind::Values, self.positions);
        if any.is_empty() {
            return;
        }
        let quiet: Vec<_> = any.iter().filter(|position| !has_capture(position)).copied().collect();
        let decided = sample(&databases, Kind::Distances, self.positions / 20);
        let value = |position: &Position<V>| _ = black_box(databases.value(black_box(position)));
        let distance = |position: &Position<V>| _ = black_box(databases.distance(black_box(position)));
        let [quiet, any, decided] = [rate(&quiet, value), rate(&any, value), rate(&decided, distance)];
        println!("{:<10} {pieces:>6} {opened:>10.1?} {quiet:>10}/s {any:>10}/s {decided:>10}/s", V::ID.hub_name());
    }
}

fn has_capture<V: Variant>(position: &Position<V>) -> bool {
    movegen::can_capture(position, position.side_to_move())
}

/// Positions of the most pieces with a file of this kind, all equally likely.
fn sample<V: Variant>(databases: &Databases<V>, kind: Kind, count: usize) -> Vec<Position<V>> {
    let files: Vec<_> = databases.files().into_iter().filter(|file| file.kind() == kind).collect();
    let pieces = files.iter().map(|file| file.index().slice().pieces()).max().unwrap_or(0);
    let slices = if pieces > 0 { Slice::all::<V>(pieces) } else { Vec::new() };
    let indices: Vec<_> = slices.into_iter().map(Index::<V>::new).collect();
    let all: u64 = indices.iter().map(Index::len).sum();
    let mut rng = Rng::new(4);
    let mut draw = || {
        let mut at = rng.below(all as usize) as u64;
        let index = indices.iter().find(|index| {
            let inside = at < index.len();
            at -= if inside { 0 } else { index.len() };
            inside
        });
        index.expect("the number is below the sum").position(at)
    };
    if all == 0 { Vec::new() } else { (0..count).map(|_| draw()).collect() }
}

/// Positions that are looked up in a second.
fn rate<V: Variant>(positions: &[Position<V>], look_up: impl Fn(&Position<V>)) -> u64 {
    let run = || {
        let started = Instant::now();
        positions.iter().for_each(&look_up);
        started.elapsed()
    };
    let best = (0..RUNS).map(|_| run()).min().unwrap_or(Duration::MAX);
    (positions.len() as f64 / best.as_secs_f64()) as u64
}
