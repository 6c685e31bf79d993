//! The pieces of a position as sets, from the point of view of the side to move.

use crate::board::{Bitboard, Position, Side};
use crate::variant::{Geometry, Variant};

/// Men and kings of the side to move, which plays up the board, and of its opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub men: u64,
    pub kings: u64,
    pub opponent_men: u64,
    pub opponent_kings: u64,
}

impl Placement {
    /// The pieces seen by the side to move.
    pub fn of<V: Variant>(position: &Position<V>) -> Self {
        match position.side_to_move() {
            Side::White => Self::seen_by_white(position),
            Side::Black => Self::seen_by_white(position).of_other_side::<V>(),
        }
    }

    /// The pieces seen by White, whoever is to move.
    fn seen_by_white<V: Variant>(position: &Position<V>) -> Self {
        Self {
            men: position.men(Side::White).0,
            kings: position.kings(Side::White).0,
            opponent_men: position.men(Side::Black).0,
            opponent_kings: position.kings(Side::Black).0,
        }
    }

    /// The same pieces seen by the other side.
    #[inline(always)]
    pub fn of_other_side<V: Variant>(self) -> Self {
        // The layout is symmetric: its bits run from 0 to the bit of the last square.
        let turned = |set: u64| set.reverse_bits() >> V::Board::BOARD.leading_zeros();
        Self {
            men: turned(self.opponent_men),
            kings: turned(self.opponent_kings),
            opponent_men: turned(self.men),
            opponent_kings: turned(self.kings),
        }
    }

    /// The position with White to move.
    #[inline(always)]
    pub fn position<V: Variant>(self) -> Position<V> {
        let pieces = [self.men | self.kings, self.opponent_men | self.opponent_kings].map(Bitboard);
        Position::from_sets(Side::White, pieces, Bitboard(self.kings | self.opponent_kings))
    }
}
