//! The request for a game.

use std::time::Duration;

use super::fields::{clean, name_field, readable, whole_number};
use super::{LONGEST_NAME, side_letter, side_of};
use crate::board::{Piece, Role, Setup, Side};

/// Boards by their number of squares: 10x10, 8x8, and two that programs ask for and nobody plays here.
const BOARDS: [usize; 4] = [50, 32, 72, 64];
/// Between the name and the position: the follower's side, time, number of moves, kind of start.
const TERMS: usize = 1 + 3 + 3 + 1;

/// A game that the initiator wants to play.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRequest {
    /// Name of the initiator.
    pub name: String,
    /// The side that the receiver shall play.
    pub follower: Side,
    /// Time for each player and the whole game. Zero is sent by programs that count whole minutes of
    /// less than one.
    pub time: Duration,
    /// Moves of each player in the whole game; `None` for no limit.
    pub moves: Option<u32>,
    /// The position to start from; `None` for the start of the game.
    pub start: Option<Setup>,
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    /// Another version of the protocol.
    #[error("version `{0}` is not supported, only 01 is")]
    Version(String),
    /// A field that cannot be read.
    #[error("{field} `{text}` cannot be read")]
    Field {
        /// The field.
        field: &'static str,
        /// Its text.
        text: String,
    },
    /// Not as long as any request.
    #[error("{0} characters are no request")]
    Length(usize),
    /// A position of a board that no game has.
    #[error("no board has {0} squares")]
    Board(usize),
    /// A character that stands for no piece.
    #[error("`{letter}` on square {square} is none of `w`, `z`, `W`, `Z`, `e`")]
    Piece {
        /// The character.
        letter: String,
        /// Its square.
        square: usize,
    },
}

impl GameRequest {
    pub(super) fn encode(&self) -> String {
        let (name, side) = (name_field(&self.name), side_letter(self.follower));
        let (time, moves) = (minutes(self.time), self.moves.unwrap_or(0).min(999));
        let start = self.start.as_ref().map_or_else(|| "A".into(), encode_position);
        format!("R01{name}{side}{time}{moves:03}{start}")
    }

    /// Reads what follows the header.
    pub(super) fn decode(body: &[u8]) -> Result<Self, RequestFault> {
        let (version, rest) = body.split_at_checked(2).ok_or(RequestFault::Length(body.len() + 1))?;
        if whole_number(version).is_none_or(|version| version > 1) {
            return Err(RequestFault::Version(readable(version)));
        }
        let (name, terms, position) = divide(rest).ok_or(RequestFault::Length(body.len() + 1))?;
        let [side, time @ .., kind] = terms else { return Err(RequestFault::Length(body.len() + 1)) };
        let bad = |field, text: &[u8]| RequestFault::Field { field, text: readable(text) };
        let follower = side_of(*side).ok_or_else(|| bad("side", &[*side]))?;
        let (time, moves) = time.split_at(3);
        Ok(Self {
            name: clean(name),
            follower,
            time: read_minutes(time).ok_or_else(|| bad("time", time))?,
            moves: read_count(moves).ok_or_else(|| bad("number of moves", moves))?,
            start: if kind.eq_ignore_ascii_case(&b'A') { None } else { Some(decode_position(position)?) },
        })
    }
}

/// Divides a request into name, terms and position. The name should have 32 characters; a name of
/// another length is found by what must stand at the end.
fn divide(rest: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let at = |length: usize| {
        let (name, rest) = rest.split_at_checked(length)?;
        let (terms, position) = rest.split_at_checked(TERMS)?;
        (side_of(terms[0]).is_some() && matches!(terms[TERMS - 1], b'A' | b'a' | b'B' | b'b'))
            .then_some((name, terms, position))
    };
    let by_end = |end: usize| at(rest.len().checked_sub(TERMS + end)?).filter(|(_, terms, _)| is_position(terms, end));
    at(LONGEST_NAME)
        .or_else(|| std::iter::once(0).chain(BOARDS.map(|squares| squares + 1)).find_map(by_end))
        // Something is wrong with the terms themselves.
        .or_else(|| {
            let (name, rest) = rest.split_at_checked(LONGEST_NAME)?;
            let (terms, position) = rest.split_at_checked(TERMS)?;
            Some((name, terms, position))
        })
}

/// Whether terms announce a position exactly if there is one.
fn is_position(terms: &[u8], length: usize) -> bool {
    terms[TERMS - 1].eq_ignore_ascii_case(&b'B') == (length > 0)
}

fn encode_position(setup: &Setup) -> String {
    let letter = |piece: &Option<Piece>| match piece {
        None => 'e',
        Some(Piece { side, role: Role::King }) => side_letter(*side),
        Some(Piece { side, role: Role::Man }) => side_letter(*side).to_ascii_lowercase(),
    };
    let squares: String = setup.squares.iter().map(letter).collect();
    format!("B{}{squares}", side_letter(setup.side))
}

fn decode_position(text: &[u8]) -> Result<Setup, RequestFault> {
    let Some((side, squares)) = text.split_first() else { return Err(RequestFault::Board(0)) };
    if !BOARDS.contains(&squares.len()) {
        return Err(RequestFault::Board(squares.len()));
    }
    let bad_side = || RequestFault::Field { field: "side to move", text: readable(&[*side]) };
    let mut setup = Setup::empty(squares.len() as u32, side_of(*side).ok_or_else(bad_side)?);
    for (index, letter) in squares.iter().enumerate() {
        let bad_piece = || RequestFault::Piece { letter: readable(&[*letter]), square: index + 1 };
        setup.squares[index] = piece(*letter).ok_or_else(bad_piece)?;
    }
    Ok(setup)
}

/// The piece of a letter, `Some(None)` for an empty square.
fn piece(letter: u8) -> Option<Option<Piece>> {
    if letter.eq_ignore_ascii_case(&b'e') {
        return Some(None);
    }
    let role = if letter.is_ascii_uppercase() { Role::King } else { Role::Man };
    side_of(letter).map(|side| Some(Piece { side, role }))
}

/// Time in minutes as three characters: whole, or with decimals as most programs read them.
fn minutes(time: Duration) -> String {
    let minutes = (time.as_secs_f64() / 60.0).min(999.0);
    let hundredths = (minutes * 100.0).round() as u32;
    match (hundredths / 100, hundredths % 100) {
        (0, part @ 1..) => format!(".{part:02}"),
        (whole @ 0..=9, part @ 10..) => format!("{whole}.{}", part / 10),
        (whole, _) => format!("{whole:03}"),
    }
}

/// Digits with at most one decimal point; blanks are zero.
fn read_minutes(field: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(field.trim_ascii()).ok()?.replace(',', ".");
    if !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    if text.is_empty() {
        return Some(Duration::ZERO);
    }
    // In milliseconds, so that decimals give round times.
    let milliseconds = (text.parse::<f64>().ok()? * 60_000.0).round();
    Some(Duration::from_millis(milliseconds as u64))
}

/// A number of moves; zero and blanks are no limit.
fn read_count(field: &[u8]) -> Option<Option<u32>> {
    if field.trim_ascii().is_empty() {
        return Some(None);
    }
    whole_number(field).map(|count| Some(count).filter(|count| *count > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_minutes() {
        let seconds = |text: &str| read_minutes(text.as_bytes()).map(|time| time.as_secs_f64());
        for (text, expected) in
            [("005", 300.0), (".05", 3.0), ("0.5", 30.0), ("1.5", 90.0), ("000", 0.0), ("   ", 0.0), ("5  ", 300.0)]
        {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        assert_eq!(seconds("0,5"), Some(30.0));
        for text in ["-01", "1e3", "abc", "...", "inf"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn minutes_are_written_in_three_characters() {
        let written = |seconds: f64| minutes(Duration::from_secs_f64(seconds));
        for (seconds, expected) in [
            (300.0, "005"),
            (3.0, ".05"),
            (30.0, ".50"),
            (90.0, "1.5"),
            (0.0, "000"),
            (0.1, "000"),
            (59.9, "001"),
            (630.0, "010"),
            (1e9, "999"),
        ] {
            assert_eq!(written(seconds), expected, "{seconds}");
        }
    }
}
