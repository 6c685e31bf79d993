//! Steps of a whole set and lines of a single square.

use crate::variant::geometry::direction::{DOWN, DOWN_LEFT, DOWN_RIGHT, LEFT, RIGHT, UP, UP_LEFT, UP_RIGHT};
use crate::variant::{Geometry, Variant};

/// All squares of `set` moved one step in `direction`; may leave the board or hit ghosts.
#[inline(always)]
pub fn step<V: Variant>(set: u64, direction: usize) -> u64 {
    match direction {
        UP_LEFT => set >> V::Board::LONG,
        UP_RIGHT => set >> V::Board::SHORT,
        DOWN_LEFT => set << V::Board::SHORT,
        DOWN_RIGHT => set << V::Board::LONG,
        UP => set >> (V::Board::SHORT + V::Board::LONG),
        LEFT => (set & !V::Board::ROW_ENDS[0]) >> 1,
        RIGHT => (set & !V::Board::ROW_ENDS[1]) << 1,
        DOWN => set << (V::Board::SHORT + V::Board::LONG),
        _ => unreachable!("there are eight directions"),
    }
}

/// All squares of `set` moved two steps in `direction`.
#[inline(always)]
pub fn jump<V: Variant>(set: u64, direction: usize) -> u64 {
    step::<V>(step::<V>(set, direction), direction)
}

/// The value of `of` for each diagonal direction, unrolled so that each is compiled for its shift.
#[inline(always)]
pub fn directions<T>(of: impl Fn(usize) -> T) -> [T; 4] {
    [of(UP_LEFT), of(UP_RIGHT), of(DOWN_LEFT), of(DOWN_RIGHT)]
}

/// The direction back.
pub const fn opposite(direction: usize) -> usize {
    direction ^ 3
}

/// Whether bits grow along `direction`.
const fn is_rising(direction: usize) -> bool {
    direction & 2 != 0
}

/// The squares from `bit` in `direction` before the first one in `blockers`, and that blocker
/// (empty at the edge).
#[inline(always)]
pub fn slide<V: Variant>(bit: u32, direction: usize, blockers: u64) -> (u64, u64) {
    let ray = V::Board::RAYS[direction][(bit & 63) as usize];
    let hits = ray & blockers;
    if hits == 0 {
        return (ray, 0);
    }
    if is_rising(direction) {
        let first = hits & hits.wrapping_neg();
        (ray & (first - 1), first)
    } else {
        let first = 1 << (63 - hits.leading_zeros());
        // All bits above the blocker; the shift of the top bit wraps to zero as wanted.
        (ray & !((first << 1) - 1), first)
    }
}

/// The one-bit sets that make up `set`, lowest first.
#[inline(always)]
pub fn singles(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let one = set & set.wrapping_neg();
        set ^= one;
        (one != 0).then_some(one)
    })
}
