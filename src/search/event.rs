//! What a search reports.

use std::time::Duration;

use super::Score;
use crate::board::Move;
use crate::eval::chances::Chances;

/// A principal variation with the state of the search; `M` is the type of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Info<M> {
    /// Rank of this line, 1 for the best, up to the number of lines asked for.
    pub line: usize,
    /// Nominal depth in plies.
    pub depth: u32,
    /// Mean depth of the leaves in plies.
    pub mean_depth: f64,
    /// Value for the side to move at the root.
    pub score: Score,
    /// What such values say about results.
    pub chances: Chances,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Positions that all threads found in the endgame databases.
    pub hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The line, best move first.
    pub pv: Vec<M>,
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Done<M> {
    /// The move to play; none if there is no legal move.
    pub best: Option<M>,
    /// The reply to expect.
    pub ponder: Option<M>,
}

/// A message of a search to whoever started it.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A line.
    Info(Info<Move>),
    /// The end, exactly once.
    Done(Done<Move>),
}
