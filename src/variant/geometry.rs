//! Board shape and bit layout.
//!
//! Playable squares are numbered row by row from Black's side of the board, as in the official
//! notation. Every second row is followed by one *ghost* bit that is never a square, so that all
//! four diagonal steps are constant shifts: `-LONG` up-left, `-SHORT` up-right, `+SHORT` down-left
//! and `+LONG` down-right ("up" is White's direction of play).
//!
//! ```text
//! 10x10:      0   1   2   3   4          8x8:     0   1   2   3
//!           5   6   7   8   9                   4   5   6   7
//!            11  12  13  14  15  (10)             9  10  11  12   (8)
//!          16  17  18  19  20                 13  14  15  16
//!            22 ...              (21)            18 ...           (17)
//! ```
//!
//! The nearest squares in the same column, two rows away, are `SHORT + LONG` bits off. Those in the
//! same row are one bit off, but there is no ghost between the rows of a pair: such steps are masked.

use std::fmt::Debug;
use std::hash::Hash;

/// The four diagonal directions, then the four orthogonal ones, in the order of [`Geometry::RAYS`].
pub mod direction {
    /// Towards White's left, Black's side.
    pub const UP_LEFT: usize = 0;
    /// Towards White's right, Black's side.
    pub const UP_RIGHT: usize = 1;
    /// Towards White's left, White's side.
    pub const DOWN_LEFT: usize = 2;
    /// Towards White's right, White's side.
    pub const DOWN_RIGHT: usize = 3;
    /// Towards Black's side, in the same column.
    pub const UP: usize = 4;
    /// Towards White's left, in the same row.
    pub const LEFT: usize = 5;
    /// Towards White's right, in the same row.
    pub const RIGHT: usize = 6;
    /// Towards White's side, in the same column.
    pub const DOWN: usize = 7;
}

/// A square board with alternating playable squares, lower-left corner playable.
///
/// Only [`SIDE`](Self::SIDE) is given; everything else follows from it.
pub trait Geometry: Copy + Default + Debug + Eq + Hash + Send + Sync + 'static {
    /// Squares along one edge of the board.
    const SIDE: u32;

    /// Playable squares per row.
    const ROW: u32 = Self::SIDE / 2;
    /// Number of playable squares.
    const SQUARES: u32 = Self::SIDE * Self::ROW;
    /// Bits between two diagonal neighbours on the up-right to down-left diagonals.
    const SHORT: u32 = Self::ROW;
    /// Bits between two diagonal neighbours on the up-left to down-right diagonals.
    const LONG: u32 = Self::ROW + 1;
    /// All playable squares.
    const BOARD: u64 = board_mask(Self::SIDE);
    /// The crowning row of White (top) and of Black (bottom).
    const CROWN_ROW: [u64; 2] = [row_mask(Self::SIDE, 0), row_mask(Self::SIDE, Self::SIDE - 1)];
    /// The long diagonal through the lower-left corner.
    const LONG_DIAGONAL: u64 = long_diagonal(Self::SIDE);
    /// The leftmost and the rightmost square of each row.
    const ROW_ENDS: [u64; 2] = [row_ends(Self::SIDE, 0), row_ends(Self::SIDE, Self::SIDE / 2 - 1)];
    /// For each direction and bit, all squares from there to the edge of the board.
    const RAYS: &'static [[u64; 64]; 8] = &rays(Self::SIDE);
    /// Row (0 = top) of each bit.
    const ROW_OF: &'static [u8; 64] = &rows(Self::SIDE);
}

/// The 10x10 board with 50 playable squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board10;
impl Geometry for Board10 {
    const SIDE: u32 = 10;
}

/// The 8x8 board with 32 playable squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board8;
impl Geometry for Board8 {
    const SIDE: u32 = 8;
}

/// Bit of the playable square with the zero-based number `index`.
pub const fn bit_of_index(side: u32, index: u32) -> u32 {
    index + index / side
}

/// Zero-based number of the playable square at `bit`, which must not be a ghost.
pub const fn index_of_bit(side: u32, bit: u32) -> u32 {
    bit - bit / (side + 1)
}

/// Column (0 = White's left) of the playable square with the zero-based number `index`.
pub const fn column_of_index(side: u32, index: u32) -> u32 {
    let row = index / (side / 2);
    2 * (index % (side / 2)) + (row + 1) % 2
}

const fn row_mask(side: u32, row: u32) -> u64 {
    let mut mask = 0;
    let mut k = 0;
    while k < side / 2 {
        mask |= 1 << bit_of_index(side, row * (side / 2) + k);
        k += 1;
    }
    mask
}

const fn board_mask(side: u32) -> u64 {
    assert!(side.is_multiple_of(2) && bit_of_index(side, side * side / 2 - 1) < 64, "the board must fit 64 bits");
    let mut mask = 0;
    let mut row = 0;
    while row < side {
        mask |= row_mask(side, row);
        row += 1;
    }
    mask
}

/// The square with number `place` in each row.
const fn row_ends(side: u32, place: u32) -> u64 {
    let mut mask = 0;
    let mut row = 0;
    while row < side {
        mask |= 1 << bit_of_index(side, row * (side / 2) + place);
        row += 1;
    }
    mask
}

const fn rows(side: u32) -> [u8; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < side * side / 2 {
        table[bit_of_index(side, index) as usize] = (index / (side / 2)) as u8;
        index += 1;
    }
    table
}

/// The square next to `bit` in `direction`, as a mask; empty at the edge.
const fn step(side: u32, bit: u32, direction: usize) -> u64 {
    let (short, long) = (side / 2, side / 2 + 1);
    let from = 1u64 << bit;
    let to = match direction {
        direction::UP_LEFT => from >> long,
        direction::UP_RIGHT => from >> short,
        direction::DOWN_LEFT => from << short,
        direction::DOWN_RIGHT => from << long,
        direction::UP => from >> (short + long),
        direction::LEFT => (from & !row_ends(side, 0)) >> 1,
        direction::RIGHT => (from & !row_ends(side, side / 2 - 1)) << 1,
        _ => from << (short + long),
    };
    to & board_mask(side)
}

const fn ray(side: u32, bit: u32, direction: usize) -> u64 {
    let mut mask = 0;
    let mut next = step(side, bit, direction);
    while next != 0 {
        mask |= next;
        next = step(side, next.trailing_zeros(), direction);
    }
    mask
}

const fn rays(side: u32) -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut index = 0;
        while index < side * side / 2 {
            let bit = bit_of_index(side, index);
            table[direction][bit as usize] = ray(side, bit, direction);
            index += 1;
        }
        direction += 1;
    }
    table
}

const fn long_diagonal(side: u32) -> u64 {
    let corner = bit_of_index(side, side * side / 2 - side / 2);
    1 << corner | ray(side, corner, direction::UP_RIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_matches_the_picture() {
        assert_eq!(Board10::BOARD.count_ones(), 50);
        assert_eq!(Board8::BOARD.count_ones(), 32);
        assert_eq!(bit_of_index(10, 10), 11);
        assert_eq!(bit_of_index(10, 49), 53);
        assert_eq!(bit_of_index(8, 31), 34);
        assert!((0..50).all(|i| index_of_bit(10, bit_of_index(10, i)) == i));
        assert!((0..32).all(|i| index_of_bit(8, bit_of_index(8, i)) == i));
    }

    #[test]
    fn long_diagonals_as_in_the_rules() {
        let numbers = |side, mask: u64| -> Vec<u32> {
            (0..64).filter(|b| mask >> b & 1 == 1).map(|b| index_of_bit(side, b) + 1).collect()
        };
        assert_eq!(numbers(8, Board8::LONG_DIAGONAL), [4, 8, 11, 15, 18, 22, 25, 29]);
        assert_eq!(numbers(10, Board10::LONG_DIAGONAL), [5, 10, 14, 19, 23, 28, 32, 37, 41, 46]);
    }

    #[test]
    fn rays_run_to_the_edge() {
        let ray = |direction: usize, number: u32| -> Vec<u32> {
            let mask = Board10::RAYS[direction][bit_of_index(10, number - 1) as usize];
            (0..64).filter(|b| mask >> b & 1 == 1).map(|b| index_of_bit(10, b) + 1).collect()
        };
        assert_eq!(ray(direction::UP, 28), [8, 18]);
        assert_eq!(ray(direction::DOWN, 28), [38, 48]);
        assert_eq!(ray(direction::LEFT, 28), [26, 27]);
        assert_eq!(ray(direction::RIGHT, 28), [29, 30]);
        assert!(ray(direction::RIGHT, 5).is_empty());
        assert!(ray(direction::LEFT, 6).is_empty());
        assert_eq!(ray(direction::UP_RIGHT, 28), [5, 10, 14, 19, 23]);
    }

    #[test]
    fn columns_alternate() {
        assert_eq!((0..10).map(|i| column_of_index(10, i)).collect::<Vec<_>>(), [1, 3, 5, 7, 9, 0, 2, 4, 6, 8]);
    }
}
