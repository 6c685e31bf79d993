//! `meerslag dxp`.

mod initiator;

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Context, Result};

use self::initiator::Waits;
use crate::cli::engine_args::{EngineArgs, ForSession};
use crate::cli::options::seconds;
use crate::cli::watch;
use crate::engine;
use crate::protocol::dxp::address::{Address, Endpoint};
use crate::protocol::dxp::follower::Follower;
use crate::protocol::dxp::link::Log;
use crate::protocol::dxp::listener::Listener;
use crate::protocol::dxp::news::News;
use crate::protocol::dxp::session::{Session, Source};
use crate::tournament::spec::Meeting;

/// Options of `dxp`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Play other programs over TCP with the DamExchange protocol",
    long_about = "Plays other draughts programs over TCP with DXP, the DamExchange protocol. The other program asks for \
                  the games: it is the initiator, Meerslag the follower. With --games it is the other way round: \
                  Meerslag asks for a match of so many games, each opening with both colors, and prints its result. \
                  In either case each of the two may be the one that listens. A follower plays any number of games \
                  until Ctrl-C; a second Ctrl-C ends it at once. docs/dxp.md tells how to set up a match with other \
                  programs.",
    after_help = "Examples:\n  \
                  meerslag dxp\n  \
                  meerslag dxp --threads 4 --hash 1024 --ponder\n  \
                  meerslag dxp --listen 0.0.0.0:27531 --dxp-log dxp.log\n  \
                  meerslag dxp --connect 192.168.0.7:27531\n  \
                  meerslag dxp --variant brazilian --square-numbering bottom-up --board\n  \
                  meerslag dxp --games 20 --connect localhost:27531 --minutes 5 --moves 75 --out cup\n  \
                  meerslag dxp --games 2 --listen 27531 --minutes 0.5 --openings \"fen:W:W31-50:B1-20\"\n\n\
                  DXP has no authentication: whoever can reach the address can play. By default that is this machine only."
)]
pub struct Args {
    /// Wait for a program to connect: PORT for this machine only, HOST:PORT for one of its addresses,
    /// *:PORT for all of them; port 0 is any free one [default: 27531]
    #[arg(long, value_name = "[HOST:]PORT", conflicts_with = "connect")]
    listen: Option<Endpoint>,
    /// Connect to a program that waits there
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<Address>,
    /// Seconds to go on trying while nobody waits there
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30", requires = "connect")]
    retry: Duration,
    /// Seconds after which a program that says nothing is hung up on; during a game, in addition to the
    /// time for the whole game
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "3600")]
    silence: Duration,
    /// Leave when the first connection ends
    #[arg(long, conflicts_with = "games")]
    once: bool,
    /// Append every message to this file, with its time
    #[arg(long, value_name = "FILE")]
    dxp_log: Option<String>,
    /// Show the board after every move
    #[arg(long, conflicts_with = "games")]
    board: bool,
    #[command(flatten)]
    asking: initiator::Asking,
    #[command(flatten)]
    engine: EngineArgs<ForSession>,
}

impl Args {
    /// Plays the match asked for, or until the user or, if only one conversation is wanted, the peer has had
    /// enough.
    ///
    /// # Errors
    /// If there is no connection to be had, no engine, or the log cannot be written.
    pub fn run(self) -> Result<()> {
        let params = self.engine.params;
        let path = self.dxp_log.unwrap_or_else(|| params.log_file.clone());
        if let Some(games) = self.asking.games {
            let meeting = match self.connect {
                Some(address) => Meeting::Connect(address),
                None => Meeting::Listen(self.listen.unwrap_or_default()),
            };
            let waits = Waits { retry: self.retry, silence: self.silence };
            return self.asking.play(games, meeting, waits, &params, &path);
        }
        let log = Log::open(&path).with_context(|| format!("log file `{path}`"))?;
        let interrupts = watch::interrupts()?;
        // First of all: the other program may be started at the same time.
        let source = match self.connect {
            Some(address) => Source::Connect { address, patience: self.retry },
            None => {
                let endpoint = self.listen.unwrap_or_default();
                Source::Listen(Listener::open(&endpoint).context("cannot listen")?)
            }
        };
        let mut follower = Follower::new(params, self.silence, engine::create);
        follower.prepare().context("cannot make the engine")?;
        let tell = |news: &News| print(news, self.board);
        let session = Session { source, once: self.once, follower, log, interrupts: &interrupts, tell };
        session.run().context("DXP session")
    }
}

fn print(news: &News, board: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{news}")?;
    if let Some(board) = news.board().filter(|_| board) {
        writeln!(out, "{board}")?;
    }
    out.flush()
}
