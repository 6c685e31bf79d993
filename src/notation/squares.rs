//! Squares as text: field numbers and, on boards with ranks of one digit, files and ranks.

use crate::board::Square;
use crate::variant::geometry::column_of_index;
use crate::variant::{Geometry, SquareStyle, Variant};

/// Longest field number that is read, leading zeros included.
const MAX_DIGITS: usize = 3;

/// Whether squares of the board may be given by letters: its ranks must be single digits.
pub const fn has_letters<V: Variant>() -> bool {
    V::Board::SIDE < 10
}

/// The field number as file and rank, `c3`; `None` if the board has no such square or no letters.
pub fn algebraic_of_number<V: Variant>(number: u32) -> Option<String> {
    if !has_letters::<V>() || !(1..=V::Board::SQUARES).contains(&number) {
        return None;
    }
    let index = number - 1;
    let file = b'a' + column_of_index(V::Board::SIDE, index) as u8;
    Some(format!("{}{}", char::from(file), V::Board::SIDE - index / V::Board::ROW))
}

/// The field number of a square given as file and rank, in lower or upper case.
pub fn number_of_algebraic<V: Variant>(text: &str) -> Option<u32> {
    let [file, rank] = *text.as_bytes() else { return None };
    let column = u32::from(file.to_ascii_lowercase().checked_sub(b'a')?);
    let rank = u32::from(rank.checked_sub(b'0')?);
    let on_board = has_letters::<V>() && column < V::Board::SIDE && (1..=V::Board::SIDE).contains(&rank);
    if !on_board {
        return None;
    }
    let index = (V::Board::SIDE - rank) * V::Board::ROW + column / 2;
    (column_of_index(V::Board::SIDE, index) == column).then_some(index + 1)
}

/// The field number of a square given by number (leading zeros allowed) or by letters.
pub fn read_number<V: Variant>(text: &str) -> Option<u32> {
    let digits = (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if digits {
        return text.parse().ok().filter(|number| (1..=V::Board::SQUARES).contains(number));
    }
    number_of_algebraic::<V>(text)
}

/// Reads a square given by number (leading zeros allowed) or by letters.
pub fn read_square<V: Variant>(text: &str) -> Option<Square> {
    Square::from_number::<V>(read_number::<V>(text)?)
}

/// The square in the variant's own style.
pub fn write_square<V: Variant>(square: Square) -> String {
    write_square_in::<V>(square, V::NOTATION.squares)
}

/// The square in a given style; always a number on boards without letters.
pub fn write_square_in<V: Variant>(square: Square, style: SquareStyle) -> String {
    let number = square.number::<V>();
    let letters = match style {
        SquareStyle::Algebraic => algebraic_of_number::<V>(number),
        SquareStyle::Numeric => None,
    };
    letters.unwrap_or_else(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Brazilian, International};

    #[test]
    fn table_of_the_8x8_board() {
        for (number, text) in
            [(1, "b8"), (4, "h8"), (5, "a7"), (8, "g7"), (12, "h6"), (22, "c3"), (29, "a1"), (32, "g1")]
        {
            assert_eq!(algebraic_of_number::<Brazilian>(number).as_deref(), Some(text));
            assert_eq!(number_of_algebraic::<Brazilian>(text), Some(number));
            assert_eq!(number_of_algebraic::<Brazilian>(&text.to_uppercase()), Some(number));
        }
    }

    #[test]
    fn every_square_reads_back() {
        for square in Square::all::<Brazilian>() {
            for style in [SquareStyle::Numeric, SquareStyle::Algebraic] {
                assert_eq!(read_square::<Brazilian>(&write_square_in::<Brazilian>(square, style)), Some(square));
            }
        }
        for square in Square::all::<International>() {
            assert_eq!(read_square::<International>(&write_square::<International>(square)), Some(square));
        }
    }

    #[test]
    fn no_square() {
        for text in ["", "0", "33", "b1", "a8", "i1", "a0", "a9", "a", "`1", "a/", "-1", "+1", "0001", "1 ", "é", "aé"]
        {
            assert_eq!(read_square::<Brazilian>(text), None, "{text}");
        }
        assert_eq!(read_square::<Brazilian>("007"), Square::from_number::<Brazilian>(7));
        assert_eq!(read_square::<International>("a1"), None);
        assert_eq!(read_square::<International>("51"), None);
    }
}
