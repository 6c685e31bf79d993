//! `meerslag perft`: counts move sequences.

use std::time::Instant;

use anyhow::Context;

use super::UsageError;
use crate::board::perft::{divide, perft, perft_parallel};
use crate::board::{Move, Position};
use crate::notation::fen;
use crate::notation::hub::HubMove;
use crate::variant::{Task, Variant, VariantId};

const EXAMPLES: &str = "\
Examples:
  meerslag perft --depth 9
  meerslag perft --variant brazilian --depth 11 --threads 2
  meerslag perft --fen W:WK46:B23,24 --depth 5 --divide";

/// Count the sequences of legal moves of a given length.
///
/// A capture counts once for its start, end and set of captured pieces, whatever its route. Draw
/// rules do not cut the count, and there is no hash table: the speed is that of the move generator,
/// which counts the moves of the last ply without playing them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Variant: normal (10x10) or brazilian (8x8).
    #[arg(long, value_name = "NAME", default_value_t)]
    variant: VariantId,
    /// Position in FEN [default: the start of the game].
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves in a sequence.
    #[arg(long, short, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Print the count behind each move as well.
    #[arg(long)]
    divide: bool,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

impl Args {
    /// Runs the command.
    ///
    /// # Errors
    /// If the FEN is not a position of the variant or no threads can be started.
    pub fn run(self) -> anyhow::Result<()> {
        self.variant.dispatch(Perft(self))
    }
}

/// The command for one variant.
struct Perft(Args);

impl Task for Perft {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let Self(args) = self;
        let position = match &args.fen {
            Some(text) => fen::position::<V>(text).map_err(|error| UsageError(error.to_string()))?,
            None => Position::start(),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build();
        let pool = pool.with_context(|| format!("cannot start {} threads", args.threads))?;
        let started = Instant::now();
        let nodes = if args.divide && args.depth > 0 {
            let counts = pool.install(|| divide(&position, args.depth));
            counts.iter().for_each(|&(mv, nodes)| print_count::<V>(mv, nodes));
            counts.iter().map(|(_, nodes)| nodes).sum()
        } else if args.threads > 1 {
            pool.install(|| perft_parallel(&position, args.depth))
        } else {
            perft(&position, args.depth)
        };
        let seconds = started.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        println!("nodes {nodes} time {seconds:.3} s nps {speed:.1} M");
        Ok(())
    }
}

fn print_count<V: Variant>(mv: Move, nodes: u64) {
    println!("{}: {nodes}", HubMove::of::<V>(mv));
}
