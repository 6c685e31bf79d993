//! Moves without a capture.

use super::lines::{opposite, singles, slide, step};
use super::{Step, Us, View};
use crate::board::{Role, Side};
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT};
use crate::variant::{Geometry, Variant};

impl<V: Variant, U: Us> View<V, U> {
    /// The two directions of a man's move.
    const FORWARD: [usize; 2] = match U::SIDE {
        Side::White => [UP_LEFT, UP_RIGHT],
        Side::Black => [DOWN_LEFT, DOWN_RIGHT],
    };

    #[inline(always)]
    pub(super) fn quiet_moves(&self, mut visit: impl FnMut(Step)) {
        for direction in Self::FORWARD {
            for from in singles(self.men() & step::<V>(self.empty(), opposite(direction))) {
                visit(Step::quiet(Role::Man, from, step::<V>(from, direction)));
            }
        }
        for from in singles(self.mobile_kings()) {
            for to in singles(self.king_reach(from)) {
                visit(Step::quiet(Role::King, from, to));
            }
        }
    }

    #[inline(always)]
    pub(super) fn count_quiet_moves(&self) -> u32 {
        let [left, right] = Self::FORWARD;
        let targets = |direction| step::<V>(self.men(), direction) & self.empty();
        let kings = singles(self.mobile_kings()).map(|king| self.king_reach(king).count_ones());
        targets(left).count_ones() + targets(right).count_ones() + kings.sum::<u32>()
    }

    /// Whether there is a move without a capture.
    #[inline(always)]
    pub(super) fn has_quiet_move(&self) -> bool {
        Self::FORWARD.into_iter().any(|direction| step::<V>(self.men(), direction) & self.empty() != 0)
            || singles(self.mobile_kings()).any(|king| self.king_reach(king) != 0)
    }

    /// Whether a man could step onto its crowning row.
    #[inline(always)]
    pub(super) fn can_crown(&self) -> bool {
        let targets = self.empty() & V::Board::CROWN_ROW[U::SIDE.index()];
        Self::FORWARD.into_iter().any(|direction| step::<V>(self.men(), direction) & targets != 0)
    }

    /// Squares a king reaches without a capture.
    #[inline(always)]
    fn king_reach(&self, king: u64) -> u64 {
        let bit = king.trailing_zeros();
        (0..4).fold(0, |reach, direction| reach | slide::<V>(bit, direction, !self.empty()).0)
    }
}
