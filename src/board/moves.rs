//! The identity of a move.

use super::{Bitboard, Square};

/// A move: where it starts, where it ends, what it captures.
///
/// The same capture by different routes is one move. Start and end of a capture may be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Squares of the captured pieces; empty for a quiet move.
    pub captured: Bitboard,
    /// Start.
    pub from: Square,
    /// End.
    pub to: Square,
    /// Whether a man was crowned on the way and ends elsewhere than on its crowning row.
    pub crowned_in_passing: bool,
}

impl Move {
    /// A move without a capture.
    pub const fn quiet(from: Square, to: Square) -> Self {
        Self { captured: Bitboard::EMPTY, from, to, crowned_in_passing: false }
    }

    /// Whether the move captures.
    pub const fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}
