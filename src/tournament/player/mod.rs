//! Those who make the moves: this engine in process, or programs that are spoken to.
//!
//! A player gets the whole game and answers with the text of a move; whether it is legal is not
//! its business. Another protocol is another implementation of [`Player`] and a line in [`start`].

mod declared;
mod dxp;
mod hub;
mod hub1;
mod inside;
mod process;

use std::io;
use std::time::Duration;

use crate::board::{Game, Side};
use crate::engine::params::ParamError;
use crate::search::{Limits, Score};
use crate::tournament::Stop;
use crate::tournament::config::Config;
use crate::tournament::control::{Control, Patience};
use crate::tournament::fault::{Failure, Fault, Termination};
use crate::tournament::spec::{PlayerSpec, Protocol};
use crate::variant::Variant;

/// A move with what the engine told about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move in Hub notation.
    pub best: String,
    /// Its value for the mover.
    pub score: Option<Score>,
    /// Nominal depth.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Time from the request to the answer, measured here.
    pub elapsed: Duration,
}

/// What a player is told of a game before it begins.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a, V: Variant> {
    /// The side that it plays.
    pub side: Side,
    /// The game so far.
    pub opening: &'a Game<V>,
    /// What limits its moves.
    pub control: Control,
}

/// One that plays a game.
pub trait Player<V: Variant>: Send {
    /// Another game begins.
    ///
    /// # Errors
    /// If the engine is at fault or the match is to end.
    fn new_game(&mut self, terms: &NewGame<V>) -> Result<(), Failure>;

    /// Finds a move in the current position of `game`, which is not over. When `patience` is at an end
    /// the player counts as hung.
    ///
    /// # Errors
    /// If the engine is at fault or the match is to end.
    fn find_move(&mut self, game: &Game<V>, limits: Limits, patience: Patience) -> Result<Answer, Failure>;

    /// The opponent is about to look for its move in `game`, which is not over; for one that thinks on its time.
    /// `limits` are those of its own next move.
    fn ponder(&mut self, _game: &Game<V>, _limits: Limits) {}

    /// The game is over, for one that has to be told.
    fn end_game(&mut self, _game: &Game<V>, _end: &Termination) {}

    /// Whether [`renew`](Self::renew) will do after a fault, where others have to be started from scratch.
    fn is_renewable(&self) -> bool {
        false
    }

    /// Gets ready for the next game after a fault.
    ///
    /// # Errors
    /// If it cannot.
    fn renew(&mut self) -> Result<(), StartError> {
        Ok(())
    }
}

/// A player that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program or a thread.
    #[error("cannot start: {0}")]
    Io(#[from] io::Error),
    /// A parameter of this engine.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A program that does not play this game.
    #[error("it does not play `{0}`")]
    Variant(String),
    /// A program that has no such parameter.
    #[error("it declares no parameter `{0}`")]
    UnknownParam(String),
    /// A parameter that cannot have this value.
    #[error("its parameter `{name}` cannot be `{value}`")]
    BadParam {
        /// The parameter.
        name: String,
        /// The value.
        value: String,
    },
    /// No proper greeting.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// Gets what a player that is being started has to tell at once, as the address at which it waits for its program.
pub type Tell<'a> = &'a mut dyn FnMut(&str);

/// Starts a player of a match.
///
/// # Errors
/// If it cannot be started.
pub fn start<V: Variant>(
    spec: &PlayerSpec,
    config: &Config,
    stop: &Stop,
    tell: Tell,
) -> Result<Box<dyn Player<V>>, StartError> {
    if spec.is_inside() {
        return Ok(Box::new(inside::Inside::new(&config.engine_params(spec)?, stop.clone())?));
    }
    if let Some(meeting) = &spec.dxp {
        return Ok(Box::new(dxp::DxpPlayer::start(meeting, spec, config, stop, tell)?));
    }
    let process = process::Process::start(spec, stop.clone())?;
    Ok(match spec.protocol {
        Protocol::Hub => Box::new(hub::HubPlayer::greet::<V>(process, spec, config)?),
        Protocol::Hub1 => Box::new(hub1::Hub1Player::greet(process, spec, config.hang())?),
    })
}

/// The moves of a game in Hub notation.
fn hub_moves<V: Variant>(game: &Game<V>) -> impl Iterator<Item = String> {
    game.moves().iter().map(|mv| crate::notation::hub::HubMove::of::<V>(*mv).to_string())
}

/// In the seat of a player that could not be started again: it loses.
pub fn absent<V: Variant>(error: &StartError) -> Box<dyn Player<V>> {
    Box::new(Absent(match error {
        StartError::Failure(failure) => failure.clone(),
        _ => Fault::Crash(error.to_string()).into(),
    }))
}

/// A player that is not there.
struct Absent(Failure);

impl<V: Variant> Player<V> for Absent {
    fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn find_move(&mut self, _: &Game<V>, _: Limits, _: Patience) -> Result<Answer, Failure> {
        Err(self.0.clone())
    }
}
