//! `meerslag analyze`: what the engine thinks of a position.

mod recorded;
mod report;
mod review;

use std::io;
use std::time::Duration;

use anyhow::{Context, Result};
use crossbeam_channel::Receiver;

use self::recorded::RecordedArgs;
use self::report::{End, Json, Output, Table};
use self::review::review;
use crate::board::Move;
use crate::cli::UsageError;
use crate::cli::engine_args::{EngineArgs, ForAnalysis};
use crate::cli::options::{GameArgs, legal_list, seconds, split_moves};
use crate::cli::watch;
use crate::engine::Engine;
use crate::notation::movetext;
use crate::notation::pdn::{RawGame, interpret, variant_of};
use crate::search::{Info, Limits, Mode};
use crate::variant::{Task, Variant};

/// Time for an analysis without any limit given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Time for each position of a game without any limit given.
const DEFAULT_TIME_OF_MANY: Duration = Duration::from_secs(1);

/// Options of `analyze`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Search a position and show scores and lines",
    long_about = "Searches a position and shows depth, score, nodes, time and the best line after each iteration, \
                  then the best move. Without a limit it searches for 5 seconds; of several limits the first one \
                  reached holds. Ctrl-C ends the search and still shows the best move.\n\n\
                  With --pdn the position comes from a recorded game; --all-moves shows for each of its moves the \
                  score before and after it, and the best move if that is another one.\n\n\
                  Scores are in men, once for the side to move and once for White; a decided game is shown as \
                  `win in N` or `loss in N`, in plies.",
    after_help = "Examples:\n  \
                  meerslag analyze --time 10\n  \
                  meerslag analyze --moves \"1. 32-28 19-23 2. 28x19 14x23\" --depth 18\n  \
                  meerslag analyze --fen W:WK43,48:B2,11,K29 --multi-pv 3\n  \
                  meerslag analyze --variant brazilian --moves \"c3-d4 f6-e5\" --nodes 1000000 --json\n  \
                  meerslag analyze --search-moves \"32-28 34-30\" --infinite --threads 2 --hash 512\n  \
                  meerslag analyze --pdn games.pdn --game 3 --ply 40 --time 10\n  \
                  meerslag analyze --pdn games.pdn --all-moves --depth 15"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    recorded: RecordedArgs,
    /// Search to this depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search for this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Search this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes"])]
    infinite: bool,
    /// Consider only these moves at the root
    #[arg(long, value_name = "MOVES")]
    search_moves: Option<String>,
    #[command(flatten)]
    engine: EngineArgs<ForAnalysis>,
    /// Print one JSON object per line: `info` for each line found, `result` at the end; `move` for each move of a game
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Analyzes a position.
    ///
    /// # Errors
    /// If the position, a move or the recorded game cannot be read, or the engine cannot be made.
    pub fn run(self) -> Result<()> {
        let recorded = self.recorded.read()?;
        let declared = || variant_of(&recorded.as_ref()?.tags);
        let variant = self.game.variant.or_else(declared).unwrap_or_default();
        variant.dispatch(Analyze(self, recorded))
    }

    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let default = if self.recorded.all_moves { DEFAULT_TIME_OF_MANY } else { DEFAULT_TIME };
        let default = (unlimited && !self.infinite).then_some(default);
        Limits { depth: self.depth, nodes: self.nodes, move_time: self.time.or(default), clock: None }
    }
}

/// The command for one variant, with the recorded game if there is one.
struct Analyze(Args, Option<RawGame>);

impl Task for Analyze {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self(args, recorded) = self;
        let params = &args.engine.params;
        let mut engine =
            Engine::<V>::with_params(params, |error| log::warn!("{error}")).context("cannot make the engine")?;
        let recorded = recorded.map(interpret).transpose().with_context(|| args.recorded.in_file())?;
        let interrupts = watch::interrupts()?;
        let out = io::stdout();
        let limits = args.limits();
        if let Some(recorded) = recorded.as_ref().filter(|_| args.recorded.all_moves) {
            return review(&mut engine, recorded, limits, &interrupts, out, args.json);
        }
        engine.game = match &recorded {
            Some(recorded) => args.recorded.up_to_ply(recorded)?,
            None => args.game.game()?,
        };
        let only = search_moves(&engine, args.search_moves.as_deref().unwrap_or_default())?;
        if args.json {
            analyze(&mut engine, limits, &only, &interrupts, Json(out))
        } else {
            analyze(&mut engine, limits, &only, &interrupts, Table(out))
        }
    }
}

fn search_moves<V: Variant>(engine: &Engine<V>, text: &str) -> Result<Vec<Move>> {
    let read = |text| {
        let mv = movetext::read(engine.game.position(), text);
        mv.map_err(|error| UsageError(format!("--search-moves: {error}; {}", legal_list(&engine.game))).into())
    };
    split_moves(text).map(read).collect()
}

/// Searches and shows what is found until the end.
fn analyze<V: Variant>(
    engine: &mut Engine<V>,
    limits: Limits,
    only: &[Move],
    interrupts: &Receiver<()>,
    mut output: impl Output<V>,
) -> Result<()> {
    output.begin(&engine.game)?;
    let mut last: Option<Info<Move>> = None;
    let ended = watch::watch(engine, (Mode::Analyze, limits), only, interrupts, |game, info| {
        output.info(game, &info)?;
        match &mut last {
            // Only the effort is news about the best line.
            Some(best) if info.line > 1 => (best.nodes, best.time) = (info.nodes, info.time),
            best => *best = Some(info),
        }
        Ok(())
    })?;
    output.end(&engine.game, &End::new(engine, &ended.done, last.as_ref()))?;
    Ok(())
}
