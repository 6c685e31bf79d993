//! The static value of a quiet position, by hand-made terms.
//!
//! The search calls [`evaluate`] and nothing else. [`terms`] gives the same value term by term.

mod tables;
mod terms;

use crate::board::{Position, Side};
use crate::variant::{Geometry, Variant};

pub use terms::{Tapered, Term, terms};

/// Weight of the opening in the phase, which runs from here down to 0 with the pieces.
const FULL_PHASE: i32 = 256;

/// The value of a position for the side to move, in hundredths of a man.
pub fn evaluate<V: Variant>(position: &Position<V>) -> i32 {
    let white = white_value(position);
    match position.side_to_move() {
        Side::White => white,
        Side::Black => -white,
    }
}

/// The value for White: the sum of the terms, blended by phase and scaled by [`drawishness`].
pub fn white_value<V: Variant>(position: &Position<V>) -> i32 {
    let sum = terms(position).iter().fold(Tapered::default(), |sum, (_, value)| sum + *value);
    blend(sum, phase(position)) / drawishness(position)
}

/// How much of the opening is left: 256 at the start of the game, 0 without pieces.
pub fn phase<V: Variant>(position: &Position<V>) -> i32 {
    let start = (V::Board::ROW * (V::Board::SIDE - 2)) as i32;
    (position.occupied().count() as i32 * FULL_PHASE / start).min(FULL_PHASE)
}

/// The value of a term in a phase.
pub const fn blend(value: Tapered, phase: i32) -> i32 {
    (value.opening * phase + value.ending * (FULL_PHASE - phase)) / FULL_PHASE
}

/// By what the value is divided, since some advantages rarely win: a few pieces against a king,
/// and a single man more when both sides have kings.
pub fn drawishness<V: Variant>(position: &Position<V>) -> i32 {
    if position.all_kings().is_empty() {
        return 1;
    }
    let pieces = Side::BOTH.map(|side| position.pieces(side).count() as i32);
    let kings = Side::BOTH.map(|side| position.kings(side).count() as i32);
    let ahead = usize::from(pieces[1] > pieces[0]);
    if pieces[ahead] <= 3 && kings[1 - ahead] > 0 {
        8
    } else if kings[0] == kings[1] && (pieces[0] - pieces[1]).abs() <= 1 {
        2
    } else {
        1
    }
}
