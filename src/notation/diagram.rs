//! The board as text for terminals.

use crate::board::{Piece, Position, Role, Side, Square};
use crate::notation::squares::has_letters;
use crate::variant::geometry::column_of_index;
use crate::variant::{Geometry, SquareStyle, Variant};

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PieceStyle {
    /// Draughts symbols; some terminals draw them wider than a letter.
    #[default]
    Unicode,
    /// `w` and `b` for men, `W` and `B` for kings.
    Ascii,
}

impl PieceStyle {
    fn symbol(self, piece: Piece) -> char {
        match (self, piece.side, piece.role) {
            (Self::Unicode, Side::White, Role::Man) => '\u{26c0}',
            (Self::Unicode, Side::White, Role::King) => '\u{26c1}',
            (Self::Unicode, Side::Black, Role::Man) => '\u{26c2}',
            (Self::Unicode, Side::Black, Role::King) => '\u{26c3}',
            (Self::Ascii, side, Role::Man) => side.letter().to_ascii_lowercase(),
            (Self::Ascii, side, Role::King) => side.letter(),
        }
    }
}

/// Draws a position with Unicode pieces, `bottom`'s side of the board below.
pub fn board<V: Variant>(position: &Position<V>, bottom: Side) -> String {
    board_in(position, bottom, PieceStyle::Unicode)
}

/// [`board`] with a choice of pieces. Every piece is followed by a blank, so that wide symbols fit.
///
/// Playable squares without a piece are dots. The edges show ranks and files where the variant
/// uses them, else the first and last field number of each row.
pub fn board_in<V: Variant>(position: &Position<V>, bottom: Side, style: PieceStyle) -> String {
    let side = V::Board::SIDE;
    let letters = has_letters::<V>() && V::NOTATION.squares == SquareStyle::Algebraic;
    let order = |place: u32| if bottom == Side::White { place } else { side - 1 - place };
    let frame = format!("    +{}+\n", "-".repeat(2 * side as usize + 1));
    let mut text = frame.clone();
    for row in (0..side).map(order) {
        let cells: String = (0..side).map(order).map(|column| cell(position, row, column, style)).collect();
        let first = row * V::Board::ROW + 1;
        let last = first + V::Board::ROW - 1;
        let (left, right) = match (letters, bottom) {
            (true, _) => (side - row, side - row),
            (false, Side::White) => (first, last),
            (false, Side::Black) => (last, first),
        };
        text.push_str(&format!("{left:>3} | {cells}| {right}\n"));
    }
    text.push_str(&frame);
    if letters {
        let files: String =
            (0..side).map(order).map(|column| format!("{} ", char::from(b'a' + column as u8))).collect();
        text.push_str(&format!("      {}\n", files.trim_end()));
    }
    text.push_str(&format!("{} to move\n", position.side_to_move()));
    text
}

fn cell<V: Variant>(position: &Position<V>, row: u32, column: u32, style: PieceStyle) -> String {
    let index = row * V::Board::ROW + column / 2;
    if column_of_index(V::Board::SIDE, index) != column {
        return "  ".into();
    }
    let square = Square::from_number::<V>(index + 1).expect("rows and columns stay within the board");
    let symbol = position.piece_at(square).map_or('.', |piece| style.symbol(piece));
    format!("{symbol} ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::variant::{Brazilian, International};

    const SMALL: &str = "    +-----------------+
  8 |   b   .   .   . | 8
  7 | .   .   .   .   | 7
  6 |   .   .   .   . | 6
  5 | .   .   B   .   | 5
  4 |   .   .   .   . | 4
  3 | .   w   .   .   | 3
  2 |   .   .   .   . | 2
  1 | W   .   .   .   | 1
    +-----------------+
      a b c d e f g h
Black to move
";

    #[test]
    fn small_board_with_coordinates() {
        let position = fen::position::<Brazilian>("B:WKa1,c3:Bb8,Ke5").unwrap();
        assert_eq!(board_in(&position, Side::White, PieceStyle::Ascii), SMALL);
        let unicode = board(&position, Side::White);
        let plain = unicode.replace('\u{26c0}', "w").replace('\u{26c1}', "W");
        assert_eq!(plain.replace('\u{26c2}', "b").replace('\u{26c3}', "B"), SMALL);
    }

    #[test]
    fn turned_board_reads_backwards() {
        let position = fen::position::<Brazilian>("B:WKa1,c3:Bb8,Ke5").unwrap();
        let turned = board_in(&position, Side::Black, PieceStyle::Ascii);
        assert_eq!(turned.lines().nth(1), Some("  1 |   .   .   .   W | 1"));
        assert_eq!(turned.lines().nth(8), Some("  8 | .   .   .   b   | 8"));
        assert_eq!(turned.lines().nth(10), Some("      h g f e d c b a"));
    }

    #[test]
    fn large_board_with_numbers() {
        let start = Position::<International>::start();
        let drawn = board_in(&start, Side::White, PieceStyle::Ascii);
        assert_eq!(drawn.lines().nth(1), Some("  1 |   b   b   b   b   b | 5"));
        assert_eq!(drawn.lines().nth(10), Some(" 46 | w   w   w   w   w   | 50"));
        assert_eq!(drawn.matches('b').count(), 20);
        let turned = board_in(&start, Side::Black, PieceStyle::Ascii);
        assert_eq!(turned.lines().nth(1), Some(" 50 |   w   w   w   w   w | 46"));
    }
}
