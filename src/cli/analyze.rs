//! `meerslag analyze`: what the engine thinks of a position.

mod report;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, Sender, unbounded};

use self::report::{Json, Output, Table};
use crate::board::Move;
use crate::cli::UsageError;
use crate::cli::options::{GameArgs, SearchArgs, legal_list, seconds, split_moves};
use crate::engine::Engine;
use crate::notation::movetext;
use crate::search::{Info, Limits, Mode, Report};
use crate::variant::{Task, Variant};

/// Time for an analysis without any limit given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Options of `analyze`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Search a position and show scores and lines",
    long_about = "Searches a position and shows depth, score, nodes, time and the best line after each iteration, \
                  then the best move. Without a limit it searches for 5 seconds; of several limits the first one \
                  reached holds. Ctrl-C ends the search and still shows the best move.\n\n\
                  Scores are in men, once for the side to move and once for White; a decided game is shown as \
                  `win in N` or `loss in N`, in plies.",
    after_help = "Examples:\n  \
                  meerslag analyze --time 10\n  \
                  meerslag analyze --moves \"1. 32-28 19-23 2. 28x19 14x23\" --depth 18\n  \
                  meerslag analyze --fen W:WK43,48:B2,11,K29 --multi-pv 3\n  \
                  meerslag analyze --variant brazilian --moves \"c3-d4 f6-e5\" --nodes 1000000 --json\n  \
                  meerslag analyze --search-moves \"32-28 34-30\" --infinite --threads 2 --hash 512"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
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
    engine: SearchArgs<true>,
    /// Print one JSON object per line: `info` for each line found, `result` at the end
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Analyzes a position.
    ///
    /// # Errors
    /// If the position or a move cannot be read, or the engine cannot be made.
    pub fn run(self) -> Result<()> {
        let variant = self.game.variant;
        variant.dispatch(Analyze(self))
    }

    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let default = (unlimited && !self.infinite).then_some(DEFAULT_TIME);
        Limits { depth: self.depth, nodes: self.nodes, move_time: self.time.or(default), clock: None }
    }
}

/// What reaches the command while it waits.
enum Message {
    Report(Report),
    Interrupt,
}

struct Analyze(Args);

impl Task for Analyze {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self(args) = self;
        let params = &args.engine.params;
        let mut engine = Engine::<V>::new(params.threads as usize, params.hash as usize)
            .context("cannot start the search threads")?;
        engine.game = args.game.game()?;
        engine.set_policy(params.draw_policy::<V>());
        engine.lines = params.multi_pv as usize;
        let only = search_moves(&engine, args.search_moves.as_deref().unwrap_or_default())?;

        let (sender, messages) = unbounded();
        stop_on_interrupt(sender.clone())?;
        let out = io::stdout();
        if args.json {
            watch(&mut engine, &args, &only, (sender, messages), Json(out))
        } else {
            watch(&mut engine, &args, &only, (sender, messages), Table(out))
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

fn stop_on_interrupt(sender: Sender<Message>) -> Result<()> {
    // Once the analysis is over, nobody needs to be told.
    ctrlc::set_handler(move || drop(sender.send(Message::Interrupt))).context("cannot watch for Ctrl-C")
}

/// Searches and shows what is reported until the end.
fn watch<V: Variant>(
    engine: &mut Engine<V>,
    args: &Args,
    only: &[Move],
    (sender, messages): (Sender<Message>, Receiver<Message>),
    mut output: impl Output<V>,
) -> Result<()> {
    output.begin(&engine.game)?;
    let report = move |report| drop(sender.send(Message::Report(report)));
    engine.start(Mode::Analyze, args.limits(), Instant::now(), only, Arc::new(report));
    let mut last: Option<Info<Move>> = None;
    for message in messages {
        match message {
            Message::Interrupt => engine.stop(),
            Message::Report(Report::Info(info)) => {
                output.info(&engine.game, &info)?;
                match &mut last {
                    // Only the effort is news about the best line.
                    Some(best) if info.line > 1 => (best.nodes, best.time) = (info.nodes, info.time),
                    best => *best = Some(info),
                }
            }
            Message::Report(Report::Done(done)) => {
                output.end(&engine.game, &done, last.as_ref(), engine.over())?;
                break;
            }
        }
    }
    io::stdout().flush()?;
    Ok(())
}
