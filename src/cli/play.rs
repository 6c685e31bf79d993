//! `meerslag play`: a person against the engine in a terminal.
//!
//! Input is read line by line, so a script can play as well.

mod command;
mod explain;
mod input;
mod record;
mod session;

use std::fs::OpenOptions;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

use self::session::Session;
use crate::board::Side;
use crate::cli::engine_args::{EngineArgs, ForMove};
use crate::cli::options::{GameArgs, seconds};
use crate::cli::watch;
use crate::engine::Engine;
use crate::search::Limits;
use crate::variant::{Task, Variant};

/// Time per move of the engine without any limit given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Options of `play`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Play against the engine in a terminal",
    long_about = "Plays a game against the engine in a terminal. Type moves in any common notation (32-28, 28x19, \
                  3228, c3-d4, c3:e5) or `help` for the commands. Input may also come from a script. Ctrl-C leaves \
                  like `quit`; a second one leaves at once.",
    after_help = "Examples:\n  \
                  meerslag play\n  \
                  meerslag play --variant brazilian --color black --time 3\n  \
                  meerslag play --depth 4 --pdn games.pdn\n  \
                  meerslag play --fen W:W33,38,K42:B8,13,K24 --draw-rules none\n  \
                  meerslag play --move-limit 60 --adjudicate piece-count --draw-offer-min-move 0\n  \
                  printf '32-28\\nboard\\nquit\\n' | meerslag play --depth 6"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The side you play
    #[arg(long, value_name = "SIDE", value_enum, default_value = "white")]
    color: Color,
    /// Seconds the engine thinks on a move [default: 1, unless --depth or --nodes is given]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Depth in plies to which the engine thinks
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Nodes the engine may visit on a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    engine: EngineArgs<ForMove>,
    /// Moves each side must have made before a draw can be offered
    #[arg(long, value_name = "N", default_value_t = 40)]
    draw_offer_min_move: usize,
    /// End the game after this many moves each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_limit: Option<u32>,
    /// Who wins at the move limit
    #[arg(long, value_name = "HOW", value_enum, default_value = "piece-count", requires = "move_limit")]
    adjudicate: Adjudication,
    /// Append every game to this PDN file when it is left, finished or not
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Draw pieces as letters: w and b for men, W and B for kings
    #[arg(long)]
    ascii: bool,
}

/// The person's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    White,
    Black,
}

/// How a game that reaches the move limit is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Adjudication {
    /// Most pieces win, then most kings; otherwise a draw
    PieceCount,
}

impl Args {
    /// Plays.
    ///
    /// # Errors
    /// If the position cannot be read, the engine cannot be made, or a file or the terminal fails.
    pub fn run(self) -> Result<()> {
        let variant = self.game.variant();
        variant.dispatch(Play(self))
    }

    fn person(&self) -> Side {
        match self.color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }

    fn limits(&self) -> Limits {
        let default = (self.depth.is_none() && self.nodes.is_none()).then_some(DEFAULT_TIME);
        Limits { depth: self.depth, nodes: self.nodes, move_time: self.time.or(default), clock: None }
    }
}

struct Play(Args);

impl Task for Play {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self(args) = self;
        if let Some(path) = &args.pdn {
            // Better to hear of a bad path before the game than after it.
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.with_context(|| format!("cannot write to `{}`", path.display()))?;
        }
        let params = &args.engine.params;
        let mut engine =
            Engine::<V>::with_params(params, |error| log::warn!("{error}")).context("cannot make the engine")?;
        engine.game = args.game.game()?;
        let prompt = io::stdin().is_terminal();
        let interrupts = watch::interrupts()?;
        Session::new(engine, args, (input::lines(), interrupts), io::stdout(), prompt).run()
    }
}
