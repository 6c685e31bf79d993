//! What ends a search.

use std::time::Duration;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Find a move to play.
    Think,
    /// Think on the opponent's time: no limit holds until the ponder hit.
    Ponder,
    /// Explain a position: search on, also with a single legal move.
    Analyze,
}

/// The limits of a search; the first one reached ends it. Nothing set means until stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// Nodes over all threads.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A game clock.
    pub clock: Option<Clock>,
}

/// A game clock, as the GUI states it before the move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time left; none once the clock has run out.
    pub time: Duration,
    /// Added before every move, this one included: `time + increment` is available now.
    pub increment: Duration,
    /// Moves for which the time must last; `None` is the rest of the game.
    pub moves: Option<u32>,
}
