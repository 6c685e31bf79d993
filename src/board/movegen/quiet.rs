//! Moves without a capture.

use super::lines::{opposite, singles, slide, step};
use super::{Step, Us, View};
use crate::board::{Role, Side};
use crate::variant::Variant;
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT};

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
                visit(Step { role: Role::Man, from, to: step::<V>(from, direction), captured: 0 });
            }
        }
        for from in singles(self.own_kings()) {
            for to in singles(self.king_reach(from)) {
                visit(Step { role: Role::King, from, to, captured: 0 });
            }
        }
    }

    #[inline(always)]
    pub(super) fn count_quiet_moves(&self) -> u32 {
        let [left, right] = Self::FORWARD;
        let targets = |direction| step::<V>(self.men(), direction) & self.empty();
        let kings = singles(self.own_kings()).map(|king| self.king_reach(king).count_ones());
        targets(left).count_ones() + targets(right).count_ones() + kings.sum::<u32>()
    }

    /// Squares a king reaches without a capture.
    #[inline(always)]
    fn king_reach(&self, king: u64) -> u64 {
        let bit = king.trailing_zeros();
        (0..4).fold(0, |reach, direction| reach | slide::<V>(bit, direction, !self.empty()).0)
    }
}
