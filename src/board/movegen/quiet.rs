//! Moves without a capture.

use super::lines::{opposite, slide, step};
use super::{MoveList, Us, View};
use crate::board::{Move, Side, Square};
use crate::variant::Variant;
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT};

impl<V: Variant, U: Us> View<V, U> {
    /// The two directions of a man's move.
    const FORWARD: [usize; 2] = match U::SIDE {
        Side::White => [UP_LEFT, UP_RIGHT],
        Side::Black => [DOWN_LEFT, DOWN_RIGHT],
    };

    #[inline(always)]
    pub(super) fn quiet_moves(&self, list: &mut MoveList) {
        for direction in Self::FORWARD {
            let mut from = self.men & step::<V>(self.empty, opposite(direction));
            while from != 0 {
                let one = from & from.wrapping_neg();
                list.push(Move::quiet(square(one), square(step::<V>(one, direction))));
                from ^= one;
            }
        }
        let mut kings = self.kings;
        while kings != 0 {
            let from = kings.trailing_zeros();
            let mut to = self.king_reach(from);
            while to != 0 {
                list.push(Move::quiet(Square::from_bit(from), Square::from_bit(to.trailing_zeros())));
                to &= to - 1;
            }
            kings &= kings - 1;
        }
    }

    #[inline(always)]
    pub(super) fn count_quiet_moves(&self) -> u64 {
        let [left, right] = Self::FORWARD.map(|direction| step::<V>(self.men, direction) & self.empty);
        let mut count = left.count_ones() + right.count_ones();
        let mut kings = self.kings;
        while kings != 0 {
            count += self.king_reach(kings.trailing_zeros()).count_ones();
            kings &= kings - 1;
        }
        count.into()
    }

    /// Squares a king on `bit` reaches without a capture.
    #[inline(always)]
    fn king_reach(&self, bit: u32) -> u64 {
        (0..4).fold(0, |reach, direction| reach | slide::<V>(bit, direction, !self.empty).0)
    }
}

/// The square of a one-bit mask.
pub(super) fn square(one: u64) -> Square {
    Square::from_bit(one.trailing_zeros())
}
