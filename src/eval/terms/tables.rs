//! Values of squares, computed from the shape of the board.

use super::Tapered;
use crate::variant::Geometry;
use crate::variant::geometry::{bit_of_index, column_of_index};

/// Tables of one board; White's view, index by bit.
pub trait Tables: Geometry {
    /// Placement of a man.
    const MAN: &'static [Tapered; 64] = &men(Self::SIDE);
    /// The squares an opposing piece must come from to stop a man: its forward cone.
    const CONE: &'static [u64; 64] = &cones(Self::SIDE);
    /// Left half of the board.
    const LEFT: u64 = columns(Self::SIDE, 0, Self::SIDE / 2);
    /// Squares on the left and right edge.
    const EDGE: u64 = columns(Self::SIDE, 0, 1) | columns(Self::SIDE, Self::SIDE - 1, Self::SIDE);
}

impl<G: Geometry> Tables for G {}

/// The squares in columns `first..end`.
const fn columns(side: u32, first: u32, end: u32) -> u64 {
    let mut mask = 0;
    let mut index = 0;
    while index < side * side / 2 {
        let column = column_of_index(side, index);
        if column >= first && column < end {
            mask |= 1 << bit_of_index(side, index);
        }
        index += 1;
    }
    mask
}

/// Advancement counts little in the opening and much near the end; the center is worth more than
/// the edge; men at home keep the opponent from crowning.
const fn men(side: u32) -> [Tapered; 64] {
    let mut table = [Tapered { opening: 0, ending: 0 }; 64];
    let mut index = 0;
    while index < side * side / 2 {
        let advanced = (side - 1 - index / (side / 2)) as i32;
        let column = column_of_index(side, index) as i32;
        let edge = if column < side as i32 - 1 - column { column } else { side as i32 - 1 - column };
        let home = if advanced == 0 { 6 } else { 0 };
        table[bit_of_index(side, index) as usize] =
            Tapered { opening: 2 * edge + advanced + home, ending: edge + 4 * advanced + home };
        index += 1;
    }
    table
}

const fn cones(side: u32) -> [u64; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < side * side / 2 {
        let (row, column) = (index / (side / 2), column_of_index(side, index));
        let mut other = 0;
        while other < row * (side / 2) {
            let rows = row - other / (side / 2);
            let columns = column_of_index(side, other).abs_diff(column);
            if columns <= rows {
                table[bit_of_index(side, index) as usize] |= 1 << bit_of_index(side, other);
            }
            other += 1;
        }
        index += 1;
    }
    table
}
