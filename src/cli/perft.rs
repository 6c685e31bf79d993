//! `meerslag perft`: counts move sequences.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Context;

use crate::board::perft::{divide, perft, perft_parallel};
use crate::cli::options::GameArgs;
use crate::notation::hub::HubMove;
use crate::variant::{Task, Variant};

const EXAMPLES: &str = "\
Examples:
  meerslag perft --depth 9
  meerslag perft --variant brazilian --depth 11 --threads 2
  meerslag perft --fen W:WK46:B23,24 --depth 5 --divide
  meerslag perft --moves \"32-28 19-23\" --depth 6";

/// Count the sequences of legal moves of a given length.
///
/// A capture counts once for its start, end and set of captured pieces, whatever its route. Draw
/// rules do not cut the count, and there is no hash table: the speed is that of the move generator,
/// which counts the moves of the last ply without playing them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Moves in a sequence
    #[arg(long, short, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Print the count behind each move as well
    #[arg(long)]
    divide: bool,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

impl Args {
    /// Runs the command.
    ///
    /// # Errors
    /// If the position or a move cannot be read, no threads can be started or the output fails.
    pub fn run(self) -> anyhow::Result<()> {
        let variant = self.game.variant();
        variant.dispatch(Perft(self))
    }
}

/// The command for one variant.
struct Perft(Args);

impl Task for Perft {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let Self(args) = self;
        let game = args.game.game::<V>()?;
        let position = game.position();
        let mut out = io::stdout().lock();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build();
        let pool = pool.with_context(|| format!("cannot start {} threads", args.threads))?;
        let started = Instant::now();
        let nodes = if args.divide && args.depth > 0 {
            let counts = pool.install(|| divide(position, args.depth));
            for &(mv, nodes) in &counts {
                writeln!(out, "{}: {nodes}", HubMove::of::<V>(mv))?;
            }
            counts.iter().map(|(_, nodes)| nodes).sum()
        } else if args.threads > 1 {
            pool.install(|| perft_parallel(position, args.depth))
        } else {
            perft(position, args.depth)
        };
        let seconds = started.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "nodes {nodes} time {seconds:.3} s nps {speed:.1} M")?;
        Ok(())
    }
}
