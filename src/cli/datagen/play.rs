//! `datagen`: playing games.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::cli::{UsageError, watch};
use crate::datagen::{Plan, Progress, Settings, Writer, run};
use crate::engine::Engine;
use crate::engine::params::{ParamInfo, Params};
use crate::tournament::Stop;
use crate::tournament::openings::{OpeningError, Wanted, find};
use crate::util::time::clock;
use crate::variant::{Task, Variant};

/// Random openings that games choose from.
const OPENINGS: usize = 10_000;
/// Parameters that decide how games end.
const RULES: [&str; 3] = ["draw-rules", "kvk", "bb-size"];
/// MiB of the table of the engine that only tells what is wrong with its parameters.
const HASH: u32 = 1;

/// `datagen` for one variant.
pub struct Play {
    /// The file.
    pub out: PathBuf,
    /// Games wanted in it.
    pub games: u64,
    /// Threads; one for each core if `None`.
    pub threads: Option<u16>,
    /// Parameters that the settings do not fix.
    pub params: Params,
    /// How games are played.
    pub settings: Settings,
}

impl Task for Play {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self { out, games, threads, params, mut settings } = self;
        let interrupts = watch::interrupts()?;
        let stop = Stop::default();
        let stopped = stop.clone();
        // The thread outlives the games: nobody can wait for a key that is not pressed.
        thread::spawn(move || interrupts.recv().is_ok().then(|| stopped.set()));
        let engine = Engine::<V>::strict(&Params { variant: V::ID, hash: HASH, ..params.clone() }, |error| {
            eprintln!("warning: {error}");
        })?;
        settings.weights = engine.evaluation().name();
        let value = |name| ParamInfo::find(name).map(|info| info.value(&params)).unwrap_or_default();
        settings.rules = RULES.map(value).join(", ");
        let wanted = Wanted {
            source: settings.openings.clone(),
            plies: None,
            balance: (100.0 * settings.balance) as i32,
            seed: settings.seed,
            count: OPENINGS,
        };
        let openings = match find::<V>(&wanted, &stop) {
            Err(OpeningError::Stopped) => return Ok(()),
            found => found.map_err(|error| UsageError(error.to_string()))?,
        };
        let mut writer = Writer::open(&out, &settings, |note| eprintln!("warning: {note}"))?;
        let threads = threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let evaluation = engine.evaluation();
        let plan = Plan { settings: &settings, openings: &openings, params: &params, evaluation, games, threads };
        let mut shown = Shown { terminal: io::stderr().is_terminal(), last: None };
        run::run(plan, &mut writer, &stop, |progress| shown.show(&progress))?;
        let (games, positions) = writer.totals();
        if shown.terminal {
            eprintln!();
        }
        let more = if stop.is_set() { "; the same command goes on from there" } else { "" };
        eprintln!("{}: {games} games, {positions} positions with these settings{more}", out.display());
        Ok(())
    }
}

/// Progress on standard error: in place on a terminal, otherwise as a line from time to time.
struct Shown {
    terminal: bool,
    last: Option<Instant>,
}

impl Shown {
    fn show(&mut self, progress: &Progress) {
        let pause = if self.terminal { Duration::from_millis(500) } else { Duration::from_secs(10) };
        if self.last.is_some_and(|last| last.elapsed() < pause) && progress.games < progress.wanted {
            return;
        }
        self.last = Some(Instant::now());
        let seconds = progress.elapsed.as_secs_f64();
        let rate = progress.played as f64 / seconds;
        let left = progress.wanted.saturating_sub(progress.games) as f64 / rate;
        let line = format!(
            "{} of {} games, {} positions, {rate:.1} games/s, {:.2} million nodes/s, {} left",
            progress.games,
            progress.wanted,
            progress.positions,
            progress.nodes as f64 / seconds / 1e6,
            clock(left)
        );
        if self.terminal { eprint!("\r{line:<99}") } else { eprintln!("{line}") }
    }
}
