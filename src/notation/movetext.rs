//! Moves as people write them: `32-28`, `28x17x8`, `c3:e5`, `3228`, `a3b4`.
//!
//! A capture with three or more squares has several readings. In this order: the squares stood on
//! (PDN), all of them or else some, both ends and then the captured squares (Hub), both ends with
//! anything between them. PDN and Hub can clash only where captures of different length are legal.

use crate::board::{Move, Position, Square, legal_moves};
use crate::notation::hub::HubMove;
use crate::notation::route::stops_through;
use crate::notation::squares::{has_letters, number_of_algebraic, write_square};
use crate::variant::{Geometry, Variant};

/// More squares than any capture has; longer text is no move.
const MAX_SQUARES: usize = 64;

/// Text that does not name one legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// Not the form of a move.
    #[error("`{0}` is not a move")]
    NotAMove(String),
    /// Squares that the board does not have.
    #[error("`{text}` is not a move on this board, which has squares 1 to {squares}")]
    OffBoard {
        /// The offending text.
        text: String,
        /// The highest number on this board.
        squares: u32,
    },
    /// No legal move fits.
    #[error("`{0}` is not a legal move")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("`{text}` can be any of {}", candidates.join(", "))]
    Ambiguous {
        /// The offending text.
        text: String,
        /// The moves, written in full.
        candidates: Vec<String>,
    },
}

/// Reads a move that is legal in `position`.
///
/// # Errors
/// If the text is no move, an illegal one, or fits several.
pub fn read<V: Variant>(position: &Position<V>, text: &str) -> Result<Move, MoveTextError> {
    let bare = split_strength(text.trim()).0;
    let numbers = scan::<V>(bare).ok_or_else(|| MoveTextError::NotAMove(text.into()))?;
    let squares: Option<Vec<Square>> = numbers.iter().map(|number| Square::from_number::<V>(*number)).collect();
    let squares = squares.ok_or_else(|| MoveTextError::OffBoard { text: text.into(), squares: V::Board::SQUARES })?;
    let [first, middle @ .., last] = squares.as_slice() else { return Err(MoveTextError::NotAMove(text.into())) };
    let legal = legal_moves(position);
    let between = |from: Square, to: Square| legal.iter().copied().filter(move |mv| mv.from == from && mv.to == to);

    let stopping: Vec<Move> =
        between(*first, *last).filter(|mv| stops_through(position, *mv, middle).is_some()).collect();
    let complete = |mv: &&Move| mv.captured.count() as usize == middle.len() + 1;
    if let Some(mv) = only(stopping.iter().filter(complete)).or(only(&stopping)) {
        return Ok(*mv);
    }
    if let Some(mv) = as_hub::<V>(&numbers, &legal) {
        return Ok(mv);
    }
    let loose: Vec<Move> = between(*first, *last).collect();
    if let ([mv], []) = (loose.as_slice(), stopping.as_slice()) {
        log::warn!("`{text}` does not fit the way of the only such move, {}", write(position, *mv));
        return Ok(*mv);
    }
    let candidates = if stopping.is_empty() { loose } else { stopping };
    if candidates.is_empty() {
        return Err(MoveTextError::Illegal(text.into()));
    }
    let candidates = candidates.into_iter().map(|mv| write(position, mv)).collect();
    Err(MoveTextError::Ambiguous { text: text.into(), candidates })
}

/// Writes a legal move as PDN 3.0 does: its ends if no other move shares them, else every stop.
pub fn write<V: Variant>(position: &Position<V>, mv: Move) -> String {
    let [from, to] = [mv.from, mv.to].map(write_square::<V>);
    if !mv.is_capture() {
        return format!("{from}-{to}");
    }
    let sign = V::NOTATION.capture;
    let alike = legal_moves(position).iter().filter(|other| other.from == mv.from && other.to == mv.to).count();
    if alike <= 1 {
        return format!("{from}{sign}{to}");
    }
    match stops_through(position, mv, &[]) {
        Some(stops) => {
            let stops: String = stops.into_iter().map(|stop| format!("{}{sign}", write_square::<V>(stop))).collect();
            format!("{from}{sign}{stops}{to}")
        }
        // Not met in play; the reader understands the Hub form.
        None => HubMove::of::<V>(mv).to_string(),
    }
}

/// Splits the marks of strength off a move; the second part is the NAG they stand for, if there is one.
///
/// `28*19` keeps its star, which separates squares there.
pub fn split_strength(text: &str) -> (&str, Option<u8>) {
    let bare = text.trim_end_matches(['!', '?', '*', '(', ')']);
    let marks: String = text[bare.len()..].chars().filter(|c| !matches!(c, '(' | ')')).collect();
    let nag = match marks.as_str() {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        "*" => Some(7),
        _ => None,
    };
    (bare.trim_end(), nag)
}

/// The mark for a NAG that has one.
pub fn strength_mark(nag: u8) -> Option<&'static str> {
    ["!", "?", "!!", "??", "!?", "?!"].get(usize::from(nag).checked_sub(1)?).copied()
}

/// The item, if there is just one.
fn only<T>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    items.next().filter(|_| items.next().is_none())
}

fn as_hub<V: Variant>(numbers: &[u32], legal: &[Move]) -> Option<Move> {
    let [from, to, captured @ ..] = numbers else { return None };
    let mut captured = captured.to_vec();
    captured.sort_unstable();
    legal.iter().copied().find(|mv| {
        let full = HubMove::of::<V>(*mv);
        mv.is_capture() && (full.from, full.to) == (*from, *to) && full.captured == captured
    })
}

fn is_separator(c: char) -> bool {
    // The hyphen and its typographic relatives, then the signs of a capture.
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | 'x' | 'X' | ':' | '*' | '\u{d7}')
}

/// The field numbers in a move's text, on the board or not; `None` if it has not the form of a move.
fn scan<V: Variant>(text: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    let mut rest = text.trim_start();
    // `3228` is the only form without letters and separators.
    if rest.len() == 4 && rest.bytes().all(|b| b.is_ascii_digit()) {
        return Some(vec![rest[..2].parse().ok()?, rest[2..].parse().ok()?]);
    }
    loop {
        let (number, tail) = scan_square::<V>(rest)?;
        numbers.push(number);
        rest = tail.trim_start();
        if rest.is_empty() {
            return (numbers.len() >= 2).then_some(numbers);
        }
        if numbers.len() >= MAX_SQUARES {
            return None;
        }
        let separated = rest.strip_prefix(is_separator).map(str::trim_start);
        let glued_letters = tail.starts_with(|c: char| c.is_ascii_alphabetic());
        match separated {
            Some(next) => rest = next,
            None if tail.len() > rest.len() || glued_letters => {}
            None => return None,
        }
    }
}

fn scan_square<V: Variant>(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) {
        return Some((text[..digits].parse().ok()?, &text[digits..]));
    }
    let letters = text.get(..2).filter(|_| has_letters::<V>())?;
    Some((number_of_algebraic::<V>(letters)?, &text[2..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::variant::{Brazilian, International, Russian};
    use proptest::prelude::*;

    fn hub<V: Variant>(fen: &str, text: &str) -> Result<String, MoveTextError> {
        let position = fen::position::<V>(fen).unwrap();
        read(&position, text).map(|mv| HubMove::of::<V>(mv).to_string())
    }

    #[test]
    fn common_forms_of_a_quiet_move() {
        for text in [
            "32-28",
            "3228",
            "32 28",
            " 32 - 28 ",
            "032-028",
            "32-28!",
            "32-28?!",
            "32-28(?)",
            "32-28 (!)",
            "32-28*",
            "32\u{2013}28",
            "32\u{2212}28",
            "32-28!!",
        ] {
            assert_eq!(hub::<International>("W:W31-50:B1-20", text).as_deref(), Ok("32-28"), "{text}");
        }
        for text in ["a3-b4", "a3b4", "A3-B4", "a3 b4", "21-17", "2117", "a3-b4*"] {
            assert_eq!(hub::<Brazilian>("W:W21-32:B1-12", text).as_deref(), Ok("21-17"), "{text}");
        }
    }

    #[test]
    fn common_forms_of_a_capture() {
        for text in ["28x19", "28:19", "28*19", "28-19", "28X19!", "2819", "28\u{d7}19", "28*19*", "28x19x23"] {
            assert_eq!(hub::<International>("W:W28:B23,7", text).as_deref(), Ok("28x19x23"), "{text}");
        }
        for text in ["c3xg7", "c3:g7", "c3xe5xg7", "c3e5g7", "22x8", "22x15x8", "22x8x11x18", "22x8x18x11"] {
            assert_eq!(hub::<Brazilian>("W:Wc3,e3:Bd4,f6", text).as_deref(), Ok("22x8x11x18"), "{text}");
        }
        assert_eq!(
            hub::<Brazilian>("W:Wc3,e3:Bd4,f6", "e3xc5"),
            Err(MoveTextError::Illegal("e3xc5".into())),
            "the majority rule"
        );
    }

    #[test]
    fn readings_of_an_ambiguous_capture() {
        let fen = "W:WK43:B11,K28,34,38";
        for (text, expected) in [
            ("43x16x7x40", "43x40x11x34x38"),
            ("43x32x23x40", "43x40x28x34x38"),
            ("43x16x40", "43x40x11x34x38"),
            ("43x40x11x34x38", "43x40x11x34x38"),
            ("43x40x38x28x34", "43x40x28x34x38"),
        ] {
            assert_eq!(hub::<International>(fen, text).as_deref(), Ok(expected), "{text}");
        }
        let candidates = vec!["43x32x23x40".to_owned(), "43x16x7x40".to_owned()];
        for text in ["43x40", "43x9x40"] {
            let Err(MoveTextError::Ambiguous { candidates: mut found, .. }) = hub::<International>(fen, text) else {
                panic!("{text} is ambiguous");
            };
            found.sort_by_key(|text| std::cmp::Reverse(text.clone()));
            assert_eq!(found, candidates, "{text}");
        }
        // Captured squares in the middle fit no reading, but the ends leave no choice.
        assert_eq!(hub::<International>("W:W28:B23,13", "28x23x13x8").as_deref(), Ok("28x8x13x23"));
    }

    #[test]
    fn captures_of_different_length() {
        // Any capture may be played: the squares stood on are read first, then the captured ones.
        let fen = "W:Wc3,e3:Bd4,f6";
        for (text, expected) in [("c3:g7", "22x8x11x18"), ("c3:e5:g7", "22x8x11x18"), ("e3:c5", "23x14x18")] {
            assert_eq!(hub::<Russian>(fen, text).as_deref(), Ok(expected), "{text}");
        }
        let position = fen::position::<Russian>(fen).unwrap();
        let written: Vec<_> = legal_moves(&position).iter().map(|&mv| write(&position, mv)).collect();
        assert_eq!(written, ["c3:g7", "e3:c5"]);
        assert_eq!(hub::<Russian>("W:W11:B7,6,15", "11:2:13").as_deref(), Ok("11x13x6x7"));
    }

    #[test]
    fn errors_keep_the_text() {
        let start = "W:W31-50:B1-20";
        for text in [
            "", "32", "32-", "-28", "32--28", "hello", "a3-b4", "32-28-", "32-28x", "32.28", "1000-2", "é", "!",
            "32228",
        ] {
            assert_eq!(hub::<International>(start, text), Err(MoveTextError::NotAMove(text.into())), "{text}");
        }
        assert_eq!(hub::<International>(start, "1-1"), Err(MoveTextError::Illegal("1-1".into())));
        assert_eq!(hub::<International>(start, "32-29?"), Err(MoveTextError::Illegal("32-29?".into())));
        let off = MoveTextError::OffBoard { text: "2-0".into(), squares: 50 };
        assert_eq!(hub::<International>(start, "2-0"), Err(off));
        assert_eq!(hub::<Brazilian>("W:W21-32:B1-12", "a2-b3"), Err(MoveTextError::NotAMove("a2-b3".into())));
    }

    #[test]
    fn strength_marks() {
        for (text, bare, nag) in [
            ("32-28!?", "32-28", Some(5)),
            ("32-28*", "32-28", Some(7)),
            ("28*19", "28*19", None),
            ("32-28(?)", "32-28", Some(2)),
            ("32-28!!!", "32-28", None),
            ("32-28", "32-28", None),
        ] {
            assert_eq!(split_strength(text), (bare, nag));
        }
        assert!((1..=6).all(|nag| split_strength(strength_mark(nag).unwrap()).1 == Some(nag)));
        assert_eq!((strength_mark(0), strength_mark(7)), (None, None));
    }

    proptest! {
        #![proptest_config(crate::notation::repeatable())]

        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = read(&Position::<International>::start(), &text);
            let _ = read(&Position::<Brazilian>::start(), &text);
        }

        #[test]
        fn never_panics_on_likely_text(text in "[0-9a-h]{1,3}([-x:* ]?[0-9a-h]{1,2}){0,5}[!?*()]{0,2}") {
            if let Ok(mv) = read(&Position::<Brazilian>::start(), &text) {
                prop_assert!(legal_moves(&Position::<Brazilian>::start()).contains(&mv));
            }
        }
    }
}
