//! Positions and moves as the Hub protocol writes them.
//!
//! A position is a side letter and one character per square; a move is the field numbers of both ends,
//! then of all captured pieces.

use std::fmt;
use std::str::FromStr;

use crate::board::{KingRuns, Move, Piece, Position, Role, Setup, SetupError, Side};
use crate::variant::{Geometry, Variant};

/// Text that is not a Hub position; the text as a whole is for the caller to name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HubPositionError {
    /// Too few or too many characters.
    #[error("{found} characters, expected {expected}")]
    Length {
        /// Its length.
        found: usize,
        /// The side letter and one character per square.
        expected: usize,
    },
    /// The first character is not a side.
    #[error("`{0}` is not a side to move (`W` or `B`)")]
    Side(char),
    /// A character that stands for no piece.
    #[error("`{letter}` on square {square} is none of `w`, `b`, `W`, `B`, `e`")]
    Letter {
        /// The character.
        letter: char,
        /// Its square.
        square: u32,
    },
    /// Pieces that cannot stand so.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a side letter followed by one character per square.
///
/// # Errors
/// If the length or a character is wrong, or the pieces cannot stand so.
pub fn read_position<V: Variant>(text: &str) -> Result<Position<V>, HubPositionError> {
    let expected = V::Board::SQUARES as usize + 1;
    let found = text.chars().count();
    if found != expected {
        return Err(HubPositionError::Length { found, expected });
    }
    let mut letters = text.chars();
    let side = match letters.next() {
        Some('B') => Side::Black,
        Some('W') => Side::White,
        other => return Err(HubPositionError::Side(other.unwrap_or(' '))),
    };
    let mut setup = Setup::empty(V::Board::SQUARES, side);
    for (index, letter) in letters.enumerate() {
        setup.squares[index] =
            piece_of_letter(letter).ok_or_else(|| HubPositionError::Letter { letter, square: index as u32 + 1 })?;
    }
    Ok(Position::try_from(&setup)?)
}

/// The piece of a character, `Some(None)` for an empty square.
fn piece_of_letter(letter: char) -> Option<Option<Piece>> {
    let piece = |side, role| Some(Some(Piece { side, role }));
    match letter {
        'w' => piece(Side::White, Role::Man),
        'b' => piece(Side::Black, Role::Man),
        'W' => piece(Side::White, Role::King),
        'B' => piece(Side::Black, Role::King),
        'e' => Some(None),
        _ => None,
    }
}

/// Writes a position as a side letter and one character per square.
pub fn write_position<V: Variant>(position: &Position<V>) -> String {
    let letter = |piece: &Option<Piece>| match piece {
        None => 'e',
        Some(Piece { side, role: Role::King }) => side.letter(),
        Some(Piece { side, role: Role::Man }) => side.letter().to_ascii_lowercase(),
    };
    let setup = position.setup();
    std::iter::once(setup.side.letter()).chain(setup.squares.iter().map(letter)).collect()
}

/// King moves that a position does not have behind it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KingRunError {
    /// Not a list of them.
    #[error("`{0}` does not tell the king moves of one side (expected `W32=2`)")]
    Text(String),
    /// Not of this position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads `W32=2 B19=3`: White has made its last 2 moves with the king on 32, Black 3 with that on 19.
fn read_king_runs(text: &str) -> Result<KingRuns, KingRunError> {
    let mut runs = KingRuns::default();
    for word in text.split_whitespace() {
        let bad = || KingRunError::Text(word.into());
        let (side, run) = king_run(word).ok_or_else(bad)?;
        // A count of 0 says nothing, wherever the king stands.
        if run.1 > 0 && runs[side.index()].replace(run).is_some() {
            return Err(bad());
        }
    }
    Ok(runs)
}

fn king_run(word: &str) -> Option<(Side, (u32, u8))> {
    let side = Side::BOTH.into_iter().find(|side| word.starts_with(side.letter()))?;
    let (king, moves) = word[1..].split_once('=')?;
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if digits(king) && digits(moves) { Some((side, (king.parse().ok()?, moves.parse().ok()?))) } else { None }
}

/// The position in which the sides have the king moves of `text` behind them; the same position in a
/// variant that does not count them.
///
/// # Errors
/// If the text cannot be read, there is no such king, or it was moved more often than allowed.
pub fn with_king_runs<V: Variant>(position: Position<V>, text: &str) -> Result<Position<V>, KingRunError> {
    if V::RULES.king_run_limit.is_none() {
        return Ok(position);
    }
    let runs = read_king_runs(text)?;
    let mut setup = position.setup();
    for (old, new) in setup.king_runs.iter_mut().zip(runs) {
        *old = new.or(*old);
    }
    Ok(Position::try_from(&setup)?)
}

/// A move in field numbers, not bound to a variant. Captured squares are ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HubMove {
    /// Start.
    pub from: u32,
    /// End.
    pub to: u32,
    /// Captured squares, ascending.
    pub captured: Vec<u32>,
}

/// Text that is not a Hub move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a move (expected `32-28` or `28x19x23`)")]
pub struct BadHubMove(pub String);

impl HubMove {
    /// The Hub form of a move.
    pub fn of<V: Variant>(mv: Move) -> Self {
        let captured = mv.captured.map(|square| square.number::<V>()).collect();
        Self { from: mv.from.number::<V>(), to: mv.to.number::<V>(), captured }
    }

    /// The one legal move that this text can mean.
    ///
    /// Both ends must agree. A move that captures exactly the squares named, in any order, is taken
    /// first; else squares may be missing if that leaves no choice.
    pub fn resolve<V: Variant>(&self, legal: &[Move]) -> Option<Move> {
        let has = |full: &Self| self.captured.iter().all(|square| full.captured.contains(square));
        let mut partial = None;
        let mut choices = 0;
        for &mv in legal.iter().filter(|mv| mv.from.number::<V>() == self.from && mv.to.number::<V>() == self.to) {
            let full = Self::of::<V>(mv);
            if has(&full) {
                if full.captured.iter().all(|square| self.captured.contains(square)) {
                    return Some(mv);
                }
                partial = Some(mv);
                choices += 1;
            }
        }
        partial.filter(|_| choices == 1)
    }

    /// The move in the numbering that counts rows from White's side, or back: rows change places
    /// top to bottom, the order within a row stays. Numbers off the board stay as they are.
    pub fn mirrored<V: Variant>(&self) -> Self {
        let mirror = |number: u32| match number.checked_sub(1) {
            Some(index) if index < V::Board::SQUARES => {
                let (row, place) = (index / V::Board::ROW, index % V::Board::ROW);
                V::Board::ROW * (V::Board::SIDE - 1 - row) + place + 1
            }
            _ => number,
        };
        let mut captured: Vec<_> = self.captured.iter().copied().map(mirror).collect();
        captured.sort_unstable();
        Self { from: mirror(self.from), to: mirror(self.to), captured }
    }
}

impl fmt::Display for HubMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let separator = if self.captured.is_empty() { '-' } else { 'x' };
        write!(f, "{}{separator}{}", self.from, self.to)?;
        self.captured.iter().try_for_each(|square| write!(f, "x{square}"))
    }
}

impl FromStr for HubMove {
    type Err = BadHubMove;
    /// Reads captured squares in any order, leading zeros, and `-` for a capture.
    fn from_str(text: &str) -> Result<Self, BadHubMove> {
        let bad = || BadHubMove(text.into());
        let number = |part: &str| {
            let digits = (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            if digits { part.parse().map_err(|_| bad()) } else { Err(bad()) }
        };
        let numbers: Vec<u32> = text.split(['-', 'x']).map(number).collect::<Result<_, _>>()?;
        let [from, to, captured @ ..] = numbers.as_slice() else { return Err(bad()) };
        let mut captured = captured.to_vec();
        captured.sort_unstable();
        captured.dedup();
        Ok(Self { from: *from, to: *to, captured })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::legal_moves;
    use crate::notation::fen;
    use crate::variant::{Brazilian, Frisian, International};
    use proptest::prelude::*;

    #[test]
    fn positions() {
        let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        assert_eq!(read_position::<International>(&start), Ok(Position::start()));
        assert_eq!(write_position(&Position::<International>::start()), start);
        let small = format!("W{}b{}W{}", "e".repeat(21), "e".repeat(6), "e".repeat(3));
        assert_eq!(fen::write(&read_position::<Brazilian>(&small).unwrap()), "W:WK29:B22");
    }

    #[test]
    fn bad_positions_name_the_offence() {
        let start = write_position(&Position::<Brazilian>::start());
        for (text, message) in [
            (String::new(), "0 characters, expected 33"),
            (format!("{start}e"), "34 characters"),
            (start.replacen('W', "w", 1), "`w` is not a side"),
            (start.replacen('e', "x", 1), "`x` on square 13"),
            (start.replacen('e', "é", 1), "`é` on square 13"),
            (start.replacen('b', "w", 1), "the White man on 1 stands"),
            (format!("B{}", "e".repeat(32)), "board is empty"),
        ] {
            let error = read_position::<Brazilian>(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn moves_resolve_as_sets() {
        let position = fen::position::<International>("W:WK43:B11,K28,34,38").unwrap();
        let legal = legal_moves(&position);
        let resolve = |text: &str| text.parse::<HubMove>().unwrap().resolve::<International>(&legal);
        let written = |text: &str| resolve(text).map(|mv| HubMove::of::<International>(mv).to_string());
        assert_eq!(written("43x40x38x34x11").as_deref(), Some("43x40x11x34x38"));
        assert_eq!(written("043-40x28").as_deref(), Some("43x40x28x34x38"));
        assert_eq!(written("43x40x11x11").as_deref(), Some("43x40x11x34x38"));
        assert_eq!(resolve("43x40"), None);
        assert_eq!(resolve("43x40x34"), None);
        assert_eq!(resolve("43x40x11x28"), None);
        assert_eq!(resolve("43x48"), None);
        for text in ["", "43", "43x", "x40", "43--40", "43x40 ", "a-b", "1000-2", "٣-4"] {
            assert_eq!(text.parse::<HubMove>(), Err(BadHubMove(text.into())));
        }
    }

    #[test]
    fn the_full_set_wins_over_a_larger_one() {
        // No legal list of one position holds both, yet the text must not depend on that.
        let square = |number| crate::board::Square::from_number::<International>(number).unwrap();
        let capture = |numbers: &[u32]| Move {
            captured: numbers.iter().map(|number| square(*number)).collect(),
            ..Move::quiet(square(43), square(40))
        };
        let legal = [capture(&[34, 38, 11]), capture(&[34, 38])];
        let text: HubMove = "43x40x38x34".parse().unwrap();
        assert_eq!(text.resolve::<International>(&legal), Some(legal[1]));
    }

    #[test]
    fn king_runs() {
        assert_eq!(read_king_runs("W32=2 B19=3"), Ok([Some((32, 2)), Some((19, 3))]));
        assert_eq!(read_king_runs(" B07=0 "), Ok([None, None]));
        assert_eq!(read_king_runs(""), Ok([None, None]));
        for (text, word) in [
            ("W32=2 X1=1", "X1=1"),
            ("32=2", "32=2"),
            ("W32", "W32"),
            ("W=2", "W=2"),
            ("W32=", "W32="),
            ("W32=+2", "W32=+2"),
            ("W32=2,B19=3", "W32=2,B19=3"),
            ("W32=256", "W32=256"),
            ("W32=2 W33=1", "W33=1"),
            ("é", "é"),
        ] {
            assert_eq!(read_king_runs(text), Err(KingRunError::Text(word.into())), "{text}");
        }
    }

    #[test]
    fn king_runs_join_a_position() {
        let text = "W:W31,K5:BK46,7";
        let with = |fen: &str, runs: &str| {
            let position = with_king_runs(fen::position::<Frisian>(fen).unwrap(), runs)?;
            Ok::<_, KingRunError>(fen::write(&position))
        };
        assert_eq!(with(text, "W5=2").as_deref(), Ok("W:WK5,31:B7,K46:+0+205"));
        assert_eq!(with("W:W31,K5:BK46,7:+146+105", "W5=2 B7=0").as_deref(), Ok("W:WK5,31:B7,K46:+146+205"));
        let missing = SetupError::NoSuchKing { side: Side::White, number: 31 };
        assert_eq!(with(text, "W31=2"), Err(missing.into()));
        assert_eq!(with(text, "B46=4"), Err(SetupError::KingRun { moves: 4, limit: 3 }.into()));
        let uncounted = fen::position::<International>(text).unwrap();
        assert_eq!(with_king_runs(uncounted, "W31=9 x"), Ok(uncounted));
    }

    #[test]
    fn mirrored_numbers() {
        let mirrored = |text: &str| text.parse::<HubMove>().unwrap().mirrored::<Brazilian>().to_string();
        assert_eq!(mirrored("9-13"), "21-17");
        assert_eq!(mirrored("1x32x4x29"), "29x4x1x32");
        assert_eq!(mirrored("0-33"), "0-33");
        let big: HubMove = "1-50".parse().unwrap();
        assert_eq!(big.mirrored::<International>().to_string(), "46-5");
    }

    proptest! {
        #![proptest_config(crate::notation::repeatable())]

        #[test]
        fn mirroring_is_an_involution(from in 0u32..60, to in 0u32..60, set in proptest::collection::btree_set(0u32..60, 0..8)) {
            let mv = HubMove { from, to, captured: set.into_iter().collect() };
            prop_assert_eq!(mv.mirrored::<Brazilian>().mirrored::<Brazilian>(), mv.clone());
            prop_assert_eq!(mv.mirrored::<International>().mirrored::<International>(), mv);
        }

        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = text.parse::<HubMove>();
            let _ = read_king_runs(&text);
            let _ = read_position::<Brazilian>(&text);
        }

        #[test]
        fn likely_positions(text in "[WB][ewbWBx]{32}") {
            if let Ok(position) = read_position::<Brazilian>(&text) {
                prop_assert_eq!(write_position(&position), text);
            }
        }
    }
}
