//! The engine of any variant behind one object.

use std::time::Instant;

use crate::engine::params::Params;
use crate::notation::hub::HubMove;
use crate::search::{Done, Info, Limits, Mode};

/// One search.
#[derive(Clone, Debug)]
pub struct GoRequest {
    /// What it is for.
    pub mode: Mode,
    /// What ends it.
    pub limits: Limits,
    /// When the request arrived: clocks run from here.
    pub started: Instant,
    /// If not empty, only these moves are considered at the root.
    pub search_moves: Vec<HubMove>,
}

/// What the engine tells, in the square numbering it was told to use.
#[derive(Clone, Debug)]
pub enum Event {
    /// Something that the parameters ask for and cannot be had.
    Note(String),
    /// A new line or iteration.
    Info(Info<HubMove>),
    /// The search ended; exactly one per [`EngineHandle::go`].
    Done(Done<HubMove>),
}

/// A position that could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Not a position of this variant; the previous one stays.
    #[error("bad position: {reason}, in `{text}`")]
    BadPosition {
        /// The offending text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// King moves that the position cannot have behind it; it is set without them.
    #[error("bad king moves: {reason}, in `{text}`")]
    BadKingMoves {
        /// The offending text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A move that is not legal; the moves before it have been played.
    #[error("illegal move `{text}` (move {number} of the list)")]
    IllegalMove {
        /// The offending text.
        text: String,
        /// Its place in the list, from 1.
        number: usize,
    },
}

/// An engine for one variant; made by `engine::create`, one per session.
pub trait EngineHandle: Send {
    /// Takes over the parameters that need no new engine; ignored while searching.
    fn set_params(&mut self, params: &Params);

    /// Forgets everything about earlier games.
    fn new_game(&mut self);

    /// Sets the root: a Hub position, a FEN or `start` (`None`: the start), then `moves` in Hub notation.
    /// Before them the sides had made `king_moves`, as in `W32=2 B19=3`, which are ignored where they are
    /// not counted.
    ///
    /// # Errors
    /// See [`PositionError`] for what remains set.
    fn set_position(&mut self, position: Option<&str>, king_moves: &str, moves: &[&str]) -> Result<(), PositionError>;

    /// Starts a search in the background. A search still running is stopped first and sends its
    /// `Done`.
    ///
    /// # Errors
    /// If a search move is illegal; then no search starts and no `Done` follows.
    fn go(&mut self, request: GoRequest) -> Result<(), PositionError>;

    /// The expected move was played: the clock of the running ponder search starts now. No effect
    /// otherwise.
    fn ponder_hit(&mut self);

    /// Ends the running search soon; its `Done` follows. No effect when idle.
    fn stop(&mut self);
}
