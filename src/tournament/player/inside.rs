//! This engine, in this process.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, unbounded};

use super::{Answer, NewGame, Player};
use crate::board::Game;
use crate::engine::Engine;
use crate::engine::params::Params;
use crate::notation::hub::HubMove;
use crate::search::{Limits, Mode, Report};
use crate::tournament::Stop;
use crate::tournament::control::Patience;
use crate::tournament::fault::{Failure, Fault};
use crate::variant::Variant;

/// How often a waiting player looks whether the match is to end.
const POLL: Duration = Duration::from_millis(50);

/// An engine of its own.
pub struct Inside<V: Variant> {
    engine: Engine<V>,
    stop: Stop,
}

impl<V: Variant> Inside<V> {
    /// An engine with exactly the evaluation that these parameters name.
    pub fn new(params: &Params, stop: Stop) -> io::Result<Self> {
        Ok(Self { engine: Engine::strict(params, |error| log::warn!("{error}"))?, stop })
    }
}

impl<V: Variant> Player<V> for Inside<V> {
    fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
        self.engine.new_game();
        Ok(())
    }

    fn find_move(&mut self, game: &Game<V>, limits: Limits, patience: Patience) -> Result<Answer, Failure> {
        if self.stop.is_set() {
            return Err(Failure::Stopped);
        }
        self.engine.game = game.clone();
        let (sender, reports) = unbounded();
        let started = Instant::now();
        self.engine.start(Mode::Think, limits, started, &[], Arc::new(move |report| drop(sender.send(report))));
        let mut answer = Answer::default();
        let mut last_sign = started;
        loop {
            match reports.recv_timeout(POLL) {
                Ok(Report::Info(info)) if info.line == 1 => {
                    last_sign = Instant::now();
                    answer.score = Some(info.score);
                    answer.depth = Some(info.depth);
                    answer.nodes = Some(info.nodes);
                }
                Ok(Report::Info(_)) => {}
                Ok(Report::Done(done)) => {
                    answer.elapsed = started.elapsed();
                    answer.best = done.best.map_or_else(String::new, |mv| HubMove::of::<V>(mv).to_string());
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Timeout) if self.stop.is_set() => {
                    self.engine.stop();
                    return Err(Failure::Stopped);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    if patience.left(started, last_sign, now).is_zero() {
                        return Err(Fault::Hang(patience.exceeded(started, now)).into());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crash("a search thread ended".into()).into()),
            }
        }
    }
}
