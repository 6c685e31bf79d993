//! Consecutive quiet moves with one king, which some variants limit.

use super::Square;
use crate::variant::Variant;

/// A side's last moves, if they were quiet moves with the same king.
///
/// Kept only for a side with men as well, in variants with
/// [`king_run_limit`](crate::variant::Rules::king_run_limit); part of the position elsewhere too, but
/// always [`NONE`](Self::NONE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KingRun {
    /// How many.
    moves: u8,
    /// Bit of the king's square.
    bit: u8,
}

impl KingRun {
    /// No such move.
    pub const NONE: Self = Self { moves: 0, bit: 0 };

    /// A run of so many moves with the king that is now on `square`.
    pub const fn new(square: Square, moves: u8) -> Self {
        if moves == 0 { Self::NONE } else { Self { moves, bit: square.bit() as u8 } }
    }

    /// Length of the run.
    pub const fn moves(self) -> u8 {
        self.moves
    }

    /// Where its king stands.
    pub const fn king(self) -> Option<Square> {
        if self.moves == 0 { None } else { Some(Square::from_bit(self.bit as u32)) }
    }

    /// The king, if it may not make another quiet move.
    pub fn barred<V: Variant>(self) -> Option<Square> {
        let limit = V::RULES.king_run_limit?;
        self.king().filter(|_| self.moves >= limit)
    }

    /// The run after a quiet king move.
    pub(super) fn and_then(self, from: Square, to: Square) -> Self {
        let moves = if self.king() == Some(from) { self.moves.saturating_add(1) } else { 1 };
        Self::new(to, moves)
    }
}
