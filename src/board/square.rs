//! A playable square.

use crate::variant::geometry::{bit_of_index, index_of_bit};
use crate::variant::{Geometry, Variant};

/// A playable square, held as its bit in the layout of [`crate::variant::geometry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square at a bit below 64; the caller knows that it is one.
    pub const fn from_bit(bit: u32) -> Self {
        debug_assert!(bit < 64);
        Self(bit as u8)
    }

    /// The square with an official field number (1 = top left), if the board has it.
    pub fn from_number<V: Variant>(number: u32) -> Option<Self> {
        let on_board = (1..=V::Board::SQUARES).contains(&number);
        on_board.then(|| Self::from_bit(bit_of_index(V::Board::SIDE, number - 1)))
    }

    /// The official field number.
    pub fn number<V: Variant>(self) -> u32 {
        index_of_bit(V::Board::SIDE, self.bit()) + 1
    }

    /// The bit, below 64.
    pub const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// Index into a table of 64; the mask lets the compiler drop the bounds check.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// All squares in the order of their numbers.
    pub fn all<V: Variant>() -> impl Iterator<Item = Self> {
        (0..V::Board::SQUARES).map(|index| Self::from_bit(bit_of_index(V::Board::SIDE, index)))
    }
}
