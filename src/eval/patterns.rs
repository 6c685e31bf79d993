//! How the men stand on rectangles of four columns by six rows, which overlap.
//!
//! Two rows of the board are a *pair*, of which a rectangle covers four squares. A side's view has a rectangle for
//! each two neighbouring squares of a row, all of them in the three pairs that are farthest from it. Both views
//! together cover the board. The [`Index`] of a rectangle tells, to the base of three, what stands on each of its
//! twelve squares: nothing, an own man, or an opposing one; kings count as nothing. This is the shape that the
//! strongest program of the game is known to use (`Scan` 3.1).

use crate::variant::Geometry;

/// Number of ways in which men can stand on a pair's part of a rectangle.
pub const PAIR: usize = 81;
/// The same for a rectangle.
pub const RECTANGLE: usize = PAIR * PAIR * PAIR;
/// Most rectangles of a view.
pub const MOST_RECTANGLES: usize = 4;

/// How men stand on a rectangle: the farthest pair counts 1, the next one 81, the nearest one 6561; within a pair
/// the squares count 1, 3, 9 and 27, the farther row first, from left to right.
pub type Index = u32;

/// Tables of one board.
pub trait Patterns: Geometry {
    /// Rectangles of a view.
    const RECTANGLES: usize = Self::ROW as usize - 1;
    /// For the men on a pair, what their squares count in each rectangle: 16 bits each, from the left.
    const COUNTS: &'static [u64; 1024] = &counts(Self::ROW);
}

impl<G: Geometry> Patterns for G {}

/// The indices of the rectangles in the view of the side that plays up and has the men `own`, from left to right;
/// those that the board does not have are 0.
#[inline]
pub fn indices<G: Patterns>(own: u64, opponent: u64) -> [Index; MOST_RECTANGLES] {
    let pair = |men: u64, pair: u32| {
        // The bits of a pair are followed by a ghost.
        let bits = men >> (pair * (G::SIDE + 1)) & ((1 << G::SIDE) - 1);
        G::COUNTS[bits as usize & 1023]
    };
    // No field of 16 bits overflows: each is below 81, or below 81 * 81.
    let counts = |number| pair(own, number) + 2 * pair(opponent, number);
    let far = counts(0) + PAIR as u64 * counts(1);
    let near = counts(2);
    let field = |fields: u64, number: usize| (fields >> (16 * number) & 0xFFFF) as u32;
    std::array::from_fn(|number| field(far, number) + (PAIR * PAIR) as u32 * field(near, number))
}

const fn counts(row: u32) -> [u64; 1024] {
    let mut table = [0; 1024];
    let mut men = 0;
    while men < 1 << (2 * row) {
        let mut rectangle = 0;
        while rectangle + 1 < row {
            let squares = [rectangle, rectangle + 1, row + rectangle, row + rectangle + 1];
            let weights = [1, 3, 9, 27];
            let mut number = 0;
            while number < 4 {
                if men >> squares[number] & 1 != 0 {
                    table[men] += weights[number] << (16 * rectangle);
                }
                number += 1;
            }
            rectangle += 1;
        }
        men += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Side, Square};
    use crate::notation::read_position;
    use crate::variant::{Brazilian, International, Variant};

    /// The digits of a rectangle, read square by square.
    fn slowly<V: Variant>(position: &Position<V>, rectangle: u32) -> u32 {
        let mut weight = 1;
        let mut index = 0;
        for row in 0..6 {
            for column in [rectangle, rectangle + 1] {
                let square = Square::from_number::<V>(row * V::Board::ROW + column + 1).unwrap();
                let man = |side, digit| u32::from(position.men(side).contains(square)) * digit;
                index += weight * (man(Side::White, 1) + man(Side::Black, 2));
                weight *= 3;
            }
        }
        index
    }

    fn check<V: Variant>(fen: &str) {
        let position = read_position::<V>(fen).unwrap();
        let men = |side| position.men(side).0;
        let found = indices::<V::Board>(men(Side::White), men(Side::Black));
        for (rectangle, index) in found.into_iter().enumerate() {
            let there = rectangle < V::Board::RECTANGLES;
            let expected = if there { slowly(&position, rectangle as u32) } else { 0 };
            assert_eq!(index, expected, "{fen}, {rectangle}");
        }
    }

    #[test]
    fn indices_have_the_digits_of_the_squares() {
        for fen in ["W:W31-50:B1-20", "W:W6,12,22,24,28,33,K40:B1,7,14,K18,29,30,45", "B:WK1:BK50", "W:W6-30:B31-45"] {
            check::<International>(fen);
        }
        for fen in ["W:W21-32:B1-12", "W:W5,13,19,20,K30:B2,7,11,K18,25", "W:W5-16:B17-28"] {
            check::<Brazilian>(fen);
        }
    }
}
