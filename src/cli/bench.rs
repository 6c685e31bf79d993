//! `meerslag bench`: how many nodes fixed searches take, and how fast.
//!
//! One thread at a fixed depth visits the same nodes on every machine and in every build profile, so
//! the total is a signature of the search: it changes if and only if the search does.

mod positions;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::board::Game;
use crate::engine::Engine;
use crate::notation::{fen, movetext};
use crate::search::{Limits, Score};
use crate::variant::{Task, Variant, VariantId};

/// Size of the transposition table in MiB; the number of nodes depends on it.
const HASH: usize = 16;
/// Chosen for a run of some seconds.
const DEFAULT_DEPTH: u32 = 13;

/// Options of `bench`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Search fixed positions and print nodes and speed",
    long_about = "Searches fixed positions of every variant to a fixed depth with one thread and prints the nodes \
                  of each search, of each variant and in total, with the speed. The number of nodes is the same \
                  on every machine: it changes if and only if the search changes.\n\n\
                  The last line is `total N nodes, T s, X nps`.",
    after_help = "Examples:\n  \
                  meerslag bench\n  \
                  meerslag bench --depth 9\n  \
                  meerslag bench --variant brazilian"
)]
pub struct Args {
    /// Depth of every search in plies
    #[arg(long, value_name = "PLIES", default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Search the positions of this variant only
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
}

/// Nodes and time of some searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Measure {
    /// Nodes visited.
    nodes: u64,
    /// Time spent searching.
    time: Duration,
}

/// One search of the bench.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    /// The position.
    fen: &'static str,
    /// The move found, as in PDN.
    best: String,
    /// Its value for the side to move.
    score: Score,
    /// What it took.
    measure: Measure,
}

impl Args {
    /// Prints the bench.
    ///
    /// # Errors
    /// If the engine cannot be made or the output fails.
    pub fn run(self) -> Result<()> {
        let mut total = Measure::default();
        let mut out = io::stdout();
        for &(variant, fens) in positions::POSITIONS {
            if self.variant.is_some_and(|only| only != variant) {
                continue;
            }
            let mut sum = Measure::default();
            let print = |line: &Line| {
                let Line { fen, best, score, measure } = line;
                sum.add(*measure);
                writeln!(out, "{:>10} nodes  {best:>8}  {score:>6}  {fen}", measure.nodes)
            };
            variant.dispatch(Bench { fens, depth: self.depth, print })?;
            writeln!(out, "{variant} {sum}")?;
            total.add(sum);
        }
        writeln!(out, "total {total}")?;
        Ok(())
    }
}

/// The number of nodes of the whole bench at a depth.
///
/// # Errors
/// If the engine cannot be made.
pub fn signature(depth: u32) -> Result<u64> {
    let mut nodes = 0;
    for &(variant, fens) in positions::POSITIONS {
        let print = |line: &Line| {
            nodes += line.measure.nodes;
            Ok(())
        };
        variant.dispatch(Bench { fens, depth, print })?;
    }
    Ok(nodes)
}

/// The searches of one variant.
struct Bench<F> {
    fens: &'static [&'static str],
    depth: u32,
    /// Gets each line as soon as there is one.
    print: F,
}

impl<F: FnMut(&Line) -> io::Result<()>> Task for Bench<F> {
    type Output = Result<()>;

    fn run<V: Variant>(mut self) -> Result<()> {
        let mut engine = Engine::<V>::new(1, HASH).context("cannot start a search thread")?;
        for &fen in self.fens {
            engine.game = Game::new(fen::position(fen)?);
            let started = Instant::now();
            let found = engine.search(Limits { depth: Some(self.depth), ..Limits::default() });
            let time = started.elapsed();
            let (Some(info), Some(best)) = (found.lines.first(), found.done.best) else {
                anyhow::bail!("no move found in {fen}");
            };
            let line = Line {
                fen,
                best: movetext::write(engine.game.position(), best),
                score: info.score,
                measure: Measure { nodes: info.nodes, time },
            };
            (self.print)(&line)?;
        }
        Ok(())
    }
}

impl Measure {
    fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.time += other.time;
    }

    /// Nodes per second.
    fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// `N nodes, T s, X nps`
impl std::fmt::Display for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} nodes, {:.3} s, {} nps", self.nodes, self.time.as_secs_f64(), self.speed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Check(&'static [&'static str]);

    impl Task for Check {
        type Output = ();
        fn run<V: Variant>(self) {
            for text in self.0 {
                let game = Game::<V>::new(fen::position(text).unwrap_or_else(|error| panic!("{text}: {error}")));
                let over = game.over(&crate::board::DrawPolicy::of::<V>());
                assert_eq!(over, None, "{text}");
            }
        }
    }

    #[test]
    fn every_variant_has_positions_to_play() {
        assert!(VariantId::ALL.iter().all(|id| positions::POSITIONS.iter().any(|(other, _)| other == id)));
        for (variant, fens) in positions::POSITIONS {
            assert_eq!(fens.len(), 12);
            variant.dispatch(Check(fens));
        }
    }
}
