//! What the learned evaluation counts besides patterns, for one side minus the other.

use super::terms::side::SideView;
use crate::variant::{Geometry, Variant};

/// Men.
pub const MEN: usize = 0;
/// Whether there is a king.
pub const FIRST_KING: usize = 1;
/// Kings beyond the first.
pub const MORE_KINGS: usize = 2;
/// Quiet moves of kings.
pub const KING_MOVES: usize = 3;
/// Men that one wing has more than the other.
pub const IMBALANCE: usize = 4;
/// The right to move.
pub const TEMPO: usize = 5;
/// Kings by square: this is the farthest left one, in the view of their side.
pub const KING_SQUARES: usize = 6;

/// A name for people of what a feature belongs to.
pub const fn group(feature: usize) -> &'static str {
    match feature {
        MEN => "men",
        FIRST_KING | MORE_KINGS => "kings",
        KING_MOVES => "moves of kings",
        IMBALANCE => "balance",
        TEMPO => "tempo",
        _ => "squares of kings",
    }
}

/// Number of these features on a board.
pub const fn count<G: Geometry>() -> usize {
    KING_SQUARES + G::SQUARES as usize
}

/// Calls `visit` with the number of each feature and how much more of it the first of two sides has.
#[inline]
pub fn visit<V: Variant>([own, other]: &[SideView<V>; 2], mut visit: impl FnMut(usize, i32)) {
    let difference = |count: fn(&SideView<V>) -> i32| count(own) - count(other);
    visit(MEN, difference(|side| side.men.count() as i32));
    visit(IMBALANCE, difference(SideView::imbalance));
    visit(TEMPO, difference(|side| side.to_move.into()));
    if (own.kings | other.kings).is_empty() {
        return;
    }
    visit(FIRST_KING, difference(|side| i32::from(!side.kings.is_empty())));
    visit(MORE_KINGS, difference(|side| (side.kings.count() as i32 - 1).max(0)));
    visit(KING_MOVES, difference(SideView::king_moves));
    for (side, sign) in [(own, 1), (other, -1)] {
        for king in side.kings {
            visit(KING_SQUARES + king.number::<V>() as usize - 1, sign);
        }
    }
}
