use super::*;
use crate::variant::{Brazilian, Breakthrough, Frisian, International};
use proptest::prelude::*;

fn written(text: &str) -> String {
    write(&position::<International>(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[test]
fn every_form_is_read() {
    let same = "B:W28,32,K40:B7,K9";
    for text in [
        same,
        "B:B7,K9:W28,32,K40",
        " b : w 28, 032 ,k 40 : b 07 , K9 ",
        "B:W28,32,K40:B7,K9.",
        "\"B:W28,32,K40:B7,K9\"",
        "[FEN \"B:W28,32,K40:B7,K9.\"]",
        "[fen \"B:W28,32,K40:B7,K9\" ]",
        "B:W28,32,K40:B7,K9_",
        "B:W28,32,K40:B7,K9:H12:F40",
        "B:W28,32,K40:B7,K9:F40:H12:X",
        "B:W28,32,K40:B7,K9:H0:F9:+0+246",
        "B:W28-28,32,K40-K40:B7,K9-9:",
    ] {
        assert_eq!(written(text), same, "{text}");
    }
    assert_eq!(position::<International>("W:W31-50:B1-20"), Ok(Position::start()));
    assert_eq!(written("W:WK1-3,31:B20"), "W:WK1,K2,K3,31:B20");
    assert_eq!(written("W:W31"), "W:W31:B");
    assert_eq!(written("W:W31:B"), "W:W31:B");
    assert_eq!(written("W:B12:W"), "W:W:B12");
}

#[test]
fn counted_king_moves_belong_to_the_position() {
    let written = |text: &str| write(&position::<Frisian>(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    for (text, expected) in [
        ("W:W31,K5:BK46,7:H0:F9:+246+305", "W:WK5,31:B7,K46:+246+305"),
        ("W:W31,K5:BK46,7:+35+246", "W:WK5,31:B7,K46:+246+305"),
        ("W:W31,K5:BK46,7:+0+246.", "W:WK5,31:B7,K46:+246+0"),
        ("W:+105+0:W31,K5:BK46,7", "W:WK5,31:B7,K46:+0+105"),
        ("W:W31,K5:BK46,7:+0+0", "W:WK5,31:B7,K46"),
        // Kings alone are not limited.
        ("W:WK5:BK46,7:+246+305", "W:WK5:B7,K46:+246+0"),
    ] {
        assert_eq!(written(text), expected, "{text}");
    }
    for (text, part, column, message) in [
        ("W:W31,K5:BK46,7:+0", "0", 18, "two counts"),
        ("W:W31,K5:BK46,7:+0+246+0", "246+0", 20, "two counts"),
        ("W:W31,K5:BK46,7:+0+2", "2", 20, "two counts"),
        ("W:W31,K5:BK46,7:+0+é", "é", 20, "two counts"),
        ("W:W31,K5:BK46,7:+247+0", "247", 18, "Black has no king on 47"),
        ("W:W31,K5:BK46,7:+0+131", "131", 20, "White has no king on 31"),
        ("W:W31,K5:BK46,7:+100+0", "100", 18, "no king on 0"),
        ("W:W31,K5:BK46,7:+446+0", "446", 18, "4 moves in a row with one king, at most 3"),
        ("W:W31,K5:BK46,7:+246+146", "146", 22, "king moves of Black are given twice"),
    ] {
        let error = position::<Frisian>(text).unwrap_err();
        assert_eq!((error.text.as_str(), error.column), (part, column), "{text}");
        let shown = error.to_string();
        assert!(shown.contains(message) && shown.contains(&format!("`{part}` at column {column}")), "{shown}");
        // Not counted, hence not looked at.
        assert_eq!(self::written(text), "W:WK5,31:B7,K46", "{text}");
    }
}

#[test]
fn a_king_of_the_side_to_move_has_won() {
    let error = position::<Breakthrough>("W:WK1:B20").unwrap_err();
    assert_eq!(error.problem, SetupError::AlreadyWon(Side::White).into());
    assert!(position::<Breakthrough>("B:WK1:B20").is_ok());
}

#[test]
fn letters_on_the_small_board() {
    let position = position::<Brazilian>("w:wa1,c3,Kg5,kE7:bb8,B6").unwrap();
    assert_eq!(write(&position), "W:WK7,K16,22,29:B1,9");
    assert_eq!(write_in(&position, SquareStyle::Algebraic), "W:WKe7,Kg5,c3,a1:Bb8,b6");
    assert_eq!(self::position::<Brazilian>("W:Wg3:B1").map(|p| write(&p)).unwrap(), "W:W24:B1");
}

#[test]
fn errors_name_text_and_column() {
    for (text, part, column, message) in [
        ("?:W31:B5", "?", 1, "not given"),
        ("X:W31:B5", "X", 1, "side to move"),
        ("", "", 1, "side to move"),
        ("W", "W", 1, "no pieces"),
        ("W:31:B5", "31", 3, "begins with"),
        ("W:W31:B5:W32", "W32", 10, "twice"),
        ("W:W31,51:B5", "51", 7, "1 to 50"),
        ("W:W31,é:B5", "é", 7, "1 to 50"),
        ("W:W31:B é, 5x", "é", 9, "1 to 50"),
        ("W:W31,,32:B5", "", 7, "1 to 50"),
        ("W:W31:B5-3", "5-3", 8, "backwards"),
        ("W:W31,31:B5", "31", 7, "two pieces"),
        ("W:W31-33:B32", "32", 11, "two pieces"),
        ("W:W19:B8,G13,P23", "G13", 10, "middle of a capture"),
        ("W:W19:B8,P23", "P23", 10, "middle of a capture"),
        ("W:W1-999999999:B5", "1-999999999", 4, "1 to 50"),
        ("W:Wa1:B5", "a1", 4, "1 to 50"),
        ("W:W3:B5", "W:W3:B5", 1, "crowning row"),
        ("W:W31:B46", "W:W31:B46", 1, "crowning row"),
        ("W:W:B", "W:W:B", 1, "empty"),
    ] {
        let error = position::<International>(text).unwrap_err();
        assert_eq!((error.text.as_str(), error.column), (part, column), "{text}");
        let shown = error.to_string();
        assert!(shown.contains(message), "{text}: {shown}");
        let whole = ["no pieces", "crowning row", "empty"].contains(&message);
        assert_eq!(shown.contains(&format!("`{part}` at column {column}")), !whole, "{text}: {shown}");
    }
}

proptest! {
    #![proptest_config(crate::notation::repeatable())]

    #[test]
    fn never_panics(text in "\\PC*") {
        let _ = position::<International>(&text);
    }

    #[test]
    fn never_panics_on_likely_text(text in "[WBwbKkGH?:,.0-9a-h \\-+_\\[\\]\"é]{0,30}") {
        if let Ok(position) = position::<Brazilian>(&text) {
            prop_assert_eq!(self::position::<Brazilian>(&write(&position)), Ok(position));
        }
    }

    #[test]
    fn likely_counts_read_back(counts in "[+0-9é ]{0,9}") {
        if let Ok(position) = position::<Frisian>(&format!("W:W31,K5:BK46,7:+{counts}")) {
            prop_assert_eq!(self::position::<Frisian>(&write(&position)), Ok(position));
        }
    }
}
