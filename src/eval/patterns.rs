//! How the men stand on rectangles of twelve squares, which overlap.
//!
//! Two rows of the board are a *pair*. A *tall* rectangle covers four columns of three pairs, a *wide* one six columns
//! of two. A side's view has a tall rectangle for each two neighbouring squares of a row, in the three pairs that are
//! farthest from it; also a wide one for each three neighbouring squares in the second and the third pair, and at 8x8
//! again in the farthest two. Both views together cover the board. The [`Index`] of a rectangle tells, to the base
//! of three, what stands on each of its squares: nothing, an own man, or an opposing one; kings count as nothing. The
//! tall ones are the shape that the strongest program of the game is known to use (`Scan` 3.1).

use crate::variant::Geometry;

/// Number of ways in which men can stand on a rectangle.
pub const RECTANGLE: usize = 3_usize.pow(12);
/// Most rectangles of a view.
pub const MOST_RECTANGLES: usize = 7;

/// Most tall ones.
pub const MOST_TALL: usize = 4;

/// How men stand on a rectangle: the farthest pair counts 1, each nearer one as many times as much as there are
/// ways to stand on a pair; within a pair the squares count 1, 3, 9 and so on, the farther row first, from left to right.
pub type Index = u32;
/// Those of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    /// Of its rectangles.
    pub rectangles: [Index; MOST_RECTANGLES],
    /// Of the farther and the nearer [end](Shape::ends) of each tall one, in turn.
    pub ends: [Index; 2 * MOST_TALL],
}

/// What a rectangle covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Two squares of each of six rows.
    Tall,
    /// Three squares of each of four rows.
    Wide,
}

impl Shape {
    /// Squares of a row.
    const fn width(self) -> u32 {
        match self {
            Self::Tall => 2,
            Self::Wide => 3,
        }
    }

    /// Number of ways in which men can stand on a pair's part of it.
    const fn pair(self) -> usize {
        3_usize.pow(2 * self.width())
    }

    /// Number of ways in which men can stand on an end of it: on all its pairs but the nearest, or but the farthest.
    pub const fn end(self) -> usize {
        RECTANGLE / self.pair()
    }

    /// How men stand on its farther and its nearer end.
    #[inline]
    pub const fn ends(self, index: usize) -> [usize; 2] {
        [index % self.end(), index / self.pair()]
    }
}

/// The rectangles of one board.
pub trait Patterns: Geometry {
    /// Tall rectangles of a view.
    const TALL: usize = Self::ROW as usize - 1;
    /// Wide rectangles in two neighbouring pairs.
    const WIDE: usize = Self::ROW as usize - 2;
    /// The farthest pair that has some. At 10x10 those of the second and third pair cost, with the middle knot, 7.5 % of
    /// the nodes a second and were worth it; those of the first two lower the loss less (`docs/training-log.md`).
    const FIRST_WIDE: usize = if Self::SIDE == 8 { 0 } else { 1 };
    /// Rectangles of a view: the tall ones, then the wide ones, the farther first; each from left to right.
    const RECTANGLES: usize = Self::TALL + (2 - Self::FIRST_WIDE) * Self::WIDE;
    /// For the men on a pair, what their squares count in each tall rectangle: 16 bits each, from the left.
    const TALL_COUNTS: &'static [u64; 1024] = &counts(Self::ROW, Shape::Tall);
    /// The same for wide ones.
    const WIDE_COUNTS: &'static [u64; 1024] = &counts(Self::ROW, Shape::Wide);

    /// The shape of a rectangle.
    fn shape(rectangle: usize) -> Shape {
        if rectangle < Self::TALL { Shape::Tall } else { Shape::Wide }
    }
}

impl<G: Geometry> Patterns for G {}

/// The indices of the rectangles in the view of the side that plays up and has the men `own`; those that the board
/// does not have are 0.
#[inline]
pub fn indices<G: Patterns>(own: u64, opponent: u64) -> Indices {
    const {
        assert!(G::RECTANGLES <= MOST_RECTANGLES, "there is room for all");
        assert!(G::TALL <= MOST_TALL && G::WIDE <= 4, "each has 16 bits of a word");
    }
    // The bits of a pair are followed by a ghost.
    let bits = |men: u64, pair: u32| (men >> (pair * (G::SIDE + 1)) & ((1 << G::SIDE) - 1)) as usize & 1023;
    let counts = |table: &[u64; 1024], pair| table[bits(own, pair)] + 2 * table[bits(opponent, pair)];
    let field = |fields: u64, number: usize| (fields >> (16 * number) & 0xFFFF) as u32;
    // No field of 16 bits overflows: a pair of a wide rectangle is below 729, two of a tall one below 81 * 81.
    let tall = |pair| counts(G::TALL_COUNTS, pair);
    let pair = Shape::Tall.pair() as u64;
    let [first, middle, last] = [0, 1, 2].map(tall);
    let ends = [first + pair * middle, middle + pair * last];
    let wide: [u64; 3] = [0, 1, 2].map(|pair| counts(G::WIDE_COUNTS, pair));
    let rectangles = std::array::from_fn(|number| {
        if number < G::TALL {
            field(ends[0], number) + Shape::Tall.end() as u32 * field(last, number)
        } else if number < G::RECTANGLES {
            let number = number - G::TALL;
            let (pair, left) = (G::FIRST_WIDE + number / G::WIDE, number % G::WIDE);
            field(wide[pair], left) + Shape::Wide.end() as u32 * field(wide[pair + 1], left)
        } else {
            0
        }
    });
    Indices { rectangles, ends: std::array::from_fn(|number| field(ends[number % 2], number / 2)) }
}

const fn counts(row: u32, shape: Shape) -> [u64; 1024] {
    let width = shape.width();
    let mut table = [0; 1024];
    let mut men = 0;
    while men < 1 << (2 * row) {
        let mut left = 0;
        while left + width <= row {
            let mut number = 0;
            while number < 2 * width {
                let square = number / width * row + left + number % width;
                if men >> square & 1 != 0 {
                    table[men] += 3_u64.pow(number) << (16 * left);
                }
                number += 1;
            }
            left += 1;
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

    /// The digits of the rectangle whose farthest left square has this row and column, read square by square.
    fn slowly<V: Variant>(position: &Position<V>, shape: Shape, row: u32, column: u32) -> u32 {
        let mut weight = 1;
        let mut index = 0;
        for row in row..row + 12 / shape.width() {
            for column in column..column + shape.width() {
                let square = Square::from_number::<V>(row * V::Board::ROW + column + 1).unwrap();
                let man = |side, digit| u32::from(position.men(side).contains(square)) * digit;
                index += weight * (man(Side::White, 1) + man(Side::Black, 2));
                weight *= 3;
            }
        }
        index
    }

    fn check<V: Variant>(fen: &str, wide: &[u32]) {
        let position = read_position::<V>(fen).unwrap();
        let men = |side| position.men(side).0;
        let found = indices::<V::Board>(men(Side::White), men(Side::Black));
        let mut expected = Vec::new();
        for (shape, rows) in [(Shape::Tall, &[0][..]), (Shape::Wide, wide)] {
            for &row in rows {
                for column in 0..=V::Board::ROW - shape.width() {
                    assert_eq!(V::Board::shape(expected.len()), shape);
                    expected.push(slowly(&position, shape, row, column));
                }
            }
        }
        assert_eq!(expected.len(), V::Board::RECTANGLES);
        expected.resize(MOST_RECTANGLES, 0);
        assert_eq!(found.rectangles, *expected, "{fen}");
        let ends = found.rectangles[..V::Board::TALL].iter().flat_map(|index| Shape::Tall.ends(*index as usize));
        assert!(ends.eq(found.ends[..2 * V::Board::TALL].iter().map(|end| *end as usize)), "{fen}");
    }

    /// An end tells what stands on its squares, whatever stands on the others.
    #[test]
    fn ends_are_parts_of_the_index() {
        let [far, middle, near] = [5, 70, 11];
        let index = far + 81 * middle + 6561 * near;
        assert_eq!(Shape::Tall.ends(index), [far + 81 * middle, middle + 81 * near]);
        assert_eq!(Shape::Wide.ends(600 + 729 * 7), [600, 7]);
    }

    #[test]
    fn indices_have_the_digits_of_the_squares() {
        for fen in ["W:W31-50:B1-20", "W:W6,12,22,24,28,33,K40:B1,7,14,K18,29,30,45", "B:WK1:BK50", "W:W6-30:B31-45"] {
            check::<International>(fen, &[2]);
        }
        for fen in ["W:W21-32:B1-12", "W:W5,13,19,20,K30:B2,7,11,K18,25", "W:W5-16:B17-28"] {
            check::<Brazilian>(fen, &[0, 2]);
        }
    }
}
