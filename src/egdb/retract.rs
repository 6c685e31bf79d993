//! Quiet moves taken back.

use super::placement::Placement;
use crate::board::Position;
use crate::board::movegen::lines::{singles, slide, step};
use crate::variant::Variant;
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT};

/// Calls `visit` with every placement from which a step by a piece of the side to move leads to
/// `position`, in which White is to move. Captures and crownings are not taken back.
///
/// Whether the side to move there had a capture, so that the step was not legal, is not looked at.
#[inline(always)]
pub(super) fn quiet_predecessors<V: Variant>(position: &Position<V>, mut visit: impl FnMut(&Placement)) {
    // The side that has just moved plays up the board.
    let after = Placement::seen_by_white(&position.flipped());
    let empty = after.empty::<V>();
    for direction in [DOWN_LEFT, DOWN_RIGHT] {
        for to in singles(after.men) {
            let from = step::<V>(to, direction) & empty;
            if from != 0 {
                visit(&Placement { men: after.men ^ to | from, ..after });
            }
        }
    }
    for to in singles(after.kings) {
        let bit = to.trailing_zeros();
        let reach = (0..4).fold(0, |reach, direction| reach | slide::<V>(bit, direction, !empty).0);
        for from in singles(reach) {
            visit(&Placement { kings: after.kings ^ to | from, ..after });
        }
    }
}
