//! Many games on all cores.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, bounded};

use super::file::{Chunk, RecordError, Writer};
use super::selfplay::{Player, Settings};
use crate::engine::params::Params;
use crate::eval::Evaluation;
use crate::tournament::Stop;
use crate::tournament::openings::Opening;
use crate::variant::Variant;

/// Games of a chunk: what is lost at most for each thread when a run is ended.
const CHUNK_GAMES: u64 = 32;
/// Time between two looks whether to stop.
const PATIENCE: Duration = Duration::from_millis(200);

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a, V: Variant> {
    /// How.
    pub settings: &'a Settings,
    /// Where games begin.
    pub openings: &'a [Opening<V>],
    /// Parameters of the engine that the settings do not fix.
    pub params: &'a Params,
    /// The evaluation that the settings name.
    pub evaluation: &'a Evaluation,
    /// Games wanted in the file, those there before included.
    pub games: u64,
    /// Threads, at least one.
    pub threads: usize,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games in the file.
    pub games: u64,
    /// Games of this run.
    pub played: u64,
    /// Games wanted.
    pub wanted: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Nodes searched in this run.
    pub nodes: u64,
    /// Time since its start.
    pub elapsed: Duration,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The engine.
    #[error("cannot start an engine: {0}")]
    Engine(#[from] io::Error),
}

/// Plays the games that are missing in the file, until done or stopped; `tell` hears of every finished chunk. When
/// stopped, chunks that are not finished are lost.
///
/// # Errors
/// If the file cannot be written or no engine be made.
pub fn run<V: Variant>(
    plan: Plan<V>,
    writer: &mut Writer<V>,
    stop: &Stop,
    mut tell: impl FnMut(Progress),
) -> Result<(), RunError> {
    let (before, _) = writer.totals();
    let chunks = plan.games.div_ceil(CHUNK_GAMES);
    let done = writer.chunks().clone();
    let (next, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
    let started = Instant::now();
    let quit = Stop::default();
    let (sender, finished) = bounded(plan.threads);
    thread::scope(|scope| {
        for _ in 0..plan.threads {
            let (sender, done, next, nodes, quit) = (sender.clone(), &done, &next, &nodes, &quit);
            scope.spawn(move || {
                // Sending fails once the run is over; then nobody wants to know.
                let todo =
                    || std::iter::repeat_with(|| next.fetch_add(1, Relaxed)).take_while(|number| *number < chunks);
                let _ = play(
                    plan,
                    || todo().find(|number| !done.contains(number)),
                    nodes,
                    quit,
                    |chunk| sender.send(chunk).is_ok(),
                );
            });
        }
        drop(sender);
        let result = loop {
            if stop.is_set() {
                // Chunks that are finished still arrive.
                quit.set();
            }
            match finished.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
                Ok(Err(error)) => break Err(RunError::Engine(error)),
                Ok(Ok(chunk)) => {
                    if let Err(error) = writer.write(&chunk) {
                        break Err(error.into());
                    }
                    let (games, positions) = writer.totals();
                    let (nodes, elapsed) = (nodes.load(Relaxed), started.elapsed());
                    tell(Progress {
                        games,
                        played: games - before,
                        wanted: chunks * CHUNK_GAMES,
                        positions,
                        nodes,
                        elapsed,
                    });
                }
            }
        };
        quit.set();
        drop(finished);
        result
    })
}

/// Plays chunk after chunk, until there are no more or nobody takes them.
fn play<V: Variant>(
    plan: Plan<V>,
    next: impl Fn() -> Option<u64>,
    nodes: &AtomicU64,
    quit: &Stop,
    send: impl Fn(io::Result<Chunk<V>>) -> bool,
) -> Option<()> {
    let mut player = match Player::new(&plan) {
        Ok(player) => player,
        Err(error) => return send(Err(error)).then_some(()),
    };
    loop {
        let number = next()?;
        let mut games = Vec::new();
        for game in 0..CHUNK_GAMES {
            if quit.is_set() {
                return None;
            }
            games.push(player.play(number * CHUNK_GAMES + game));
        }
        nodes.fetch_add(std::mem::take(&mut player.nodes), Relaxed);
        if !send(Ok(Chunk { number, games })) {
            return None;
        }
    }
}
