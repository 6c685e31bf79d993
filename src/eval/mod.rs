//! The static value of a quiet position, by hand-made terms.
//!
//! The search calls [`evaluate`] and nothing else. [`visit_terms`] gives the same value term by term.
//! What the players are after decides which terms there are: `block`, `lose` and `crown`.

mod block;
mod crown;
mod lose;
mod side;
mod tables;
mod terms;

use crate::board::{Position, Side};
use crate::variant::rules::Goal;
use crate::variant::{Geometry, Variant};

pub use terms::{Tapered, Term, visit_terms};

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
    let mut sum = Tapered::default();
    visit_terms(position, |_, value| sum += value);
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

/// By what the value is divided, since some advantages rarely win.
pub fn drawishness<V: Variant>(position: &Position<V>) -> i32 {
    match V::RULES.goal {
        Goal::Block if !position.all_kings().is_empty() => block::drawishness(position),
        _ => 1,
    }
}
