//! Positions as FEN: `W:W31-50:B1-20`.
//!
//! Every form met in the wild is read: the sections in any order, one or both of them missing or
//! empty, ranges (of kings too), letters on boards that have them, blanks, lower case, a final dot or
//! underscore, quotes, a whole PDN tag, and trailing sections with counters, which are skipped. One
//! pair of counters belongs to the position where the moves of a king are limited: `+246+0`, Black's
//! first, says that Black has made its last 2 moves with the king on 46.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::board::{Piece, Position, Role, Setup, SetupError, Side, Square};
use crate::notation::squares::{has_letters, read_number, write_square_in};
use crate::variant::{Geometry, SquareStyle, Variant};

/// Text that is not a position in FEN.
///
/// Its message quotes the offending part, but not the whole text, which is for the caller to name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FenError {
    /// The offending part, or the whole text.
    pub text: String,
    /// Where it begins, counted in characters from 1.
    pub column: usize,
    /// What is wrong with it.
    pub problem: FenProblem,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { text, column, problem } = self;
        write!(f, "{problem}")?;
        if problem.has_place() { write!(f, ": `{text}` at column {column}") } else { Ok(()) }
    }
}

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenProblem {
    /// It does not begin with a side.
    #[error("expected the side to move, `W` or `B`")]
    Side,
    /// The side to move is given as unknown.
    #[error("the side to move is not given")]
    UnknownSide,
    /// There is no list of pieces at all.
    #[error("no pieces are given")]
    NoSections,
    /// Neither a list of pieces nor a counter.
    #[error("expected a list of pieces that begins with `W` or `B`")]
    Section,
    /// A second list for the same side.
    #[error("the pieces of {0} are given twice")]
    SectionTwice(Side),
    /// Not a square or a range.
    #[error("expected a square of a board with {0}")]
    Square(BoardSquares),
    /// A range that runs backwards.
    #[error("the range runs backwards")]
    Range,
    /// A piece that was jumped and is not yet removed.
    #[error("the position is in the middle of a capture (`G` and `P` are pieces about to be removed)")]
    JumpedPiece,
    /// Not a pair of counts of king moves.
    #[error("expected two counts of king moves, each `+0` or a digit and a square as in `+246`")]
    KingRuns,
    /// Two counts for the same side.
    #[error("the king moves of {0} are given twice")]
    KingRunTwice(Side),
    /// Pieces that cannot stand so.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FenProblem {
    /// Whether it lies in a part of the text.
    fn has_place(&self) -> bool {
        match self {
            Self::NoSections => false,
            Self::Setup(problem) => matches!(
                problem,
                SetupError::Occupied(_)
                    | SetupError::OffBoard { .. }
                    | SetupError::NoSuchKing { .. }
                    | SetupError::KingRun { .. }
            ),
            _ => true,
        }
    }
}

/// The squares of a board, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSquares {
    /// Their number.
    pub squares: u32,
    /// Whether letters are accepted too.
    pub letters: bool,
}

impl fmt::Display for BoardSquares {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = if self.letters { " or letters" } else { "" };
        write!(f, "squares 1 to {}{letters}", self.squares)
    }
}

/// Reads a FEN without judging the pieces.
///
/// # Errors
/// If the text is not a FEN of the variant's board.
pub fn read<V: Variant>(text: &str) -> Result<Setup, FenError> {
    let source = Source(text);
    let mut sections = unwrap(text).split(':').map(str::trim);
    let side_text = sections.next().unwrap_or_default();
    let side = match side_text {
        "W" | "w" => Side::White,
        "B" | "b" => Side::Black,
        "?" => return Err(source.error(side_text, FenProblem::UnknownSide)),
        _ => return Err(source.error(side_text, FenProblem::Side)),
    };
    let mut setup = Setup::empty(V::Board::SQUARES, side);
    let mut seen = [false; 2];
    let mut king_runs = None;
    for section in sections {
        let Some(owner) = section.chars().next().and_then(side_of_letter) else {
            match section.strip_prefix('+') {
                Some(_) if king_runs.is_some() => return Err(source.error(section, FenProblem::KingRuns)),
                Some(counts) => king_runs = Some(counts),
                None if section.is_empty() || is_counter(section) => {}
                None => return Err(source.error(section, FenProblem::Section)),
            }
            continue;
        };
        if std::mem::replace(&mut seen[owner.index()], true) {
            return Err(source.error(section, FenProblem::SectionTwice(owner)));
        }
        read_pieces::<V>(source, &section[1..], owner, &mut setup)?;
    }
    if seen == [false; 2] {
        return Err(source.error(text, FenProblem::NoSections));
    }
    if let (Some(limit), Some(counts)) = (V::RULES.king_run_limit, king_runs) {
        read_king_runs(source, counts, limit, &mut setup)?;
    }
    Ok(setup)
}

/// Reads a FEN as a valid position.
///
/// # Errors
/// If the text is not a FEN or its pieces cannot stand so.
pub fn position<V: Variant>(text: &str) -> Result<Position<V>, FenError> {
    let setup = read::<V>(text)?;
    Position::try_from(&setup).map_err(|problem| Source(text).error(text, problem.into()))
}

/// Writes a position with field numbers: White's pieces first, no ranges, no final dot, the king moves
/// that are counted only if there are some.
pub fn write<V: Variant>(position: &Position<V>) -> String {
    write_in(position, SquareStyle::Numeric)
}

/// [`write()`] with squares in the given style.
pub fn write_in<V: Variant>(position: &Position<V>, style: SquareStyle) -> String {
    let list = |side: Side| {
        let piece = |square: Square| {
            let king = if position.all_kings().contains(square) { "K" } else { "" };
            format!("{king}{}", write_square_in::<V>(square, style))
        };
        position.pieces(side).map(piece).collect::<Vec<_>>().join(",")
    };
    let (side, white, black) = (position.side_to_move().letter(), list(Side::White), list(Side::Black));
    format!("{side}:W{white}:B{black}{}", king_runs(position))
}

/// The section with the counted king moves, Black's first; empty if there are none.
fn king_runs<V: Variant>(position: &Position<V>) -> String {
    let count = |side| {
        let run = position.king_run(side);
        run.king().map_or("+0".into(), |king| format!("+{}{:02}", run.moves(), king.number::<V>()))
    };
    match [Side::Black, Side::White].map(count) {
        [black, white] if (black.as_str(), white.as_str()) == ("+0", "+0") => String::new(),
        [black, white] => format!(":{black}{white}"),
    }
}

/// The whole text, to find the columns of its parts.
#[derive(Clone, Copy)]
struct Source<'a>(&'a str);

impl Source<'_> {
    /// An error about `part`, which is a slice of the whole text.
    fn error(self, part: &str, problem: FenProblem) -> FenError {
        let offset = (part.as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize);
        let column = self.0.char_indices().take_while(|(at, _)| *at < offset).count() + 1;
        FenError { text: part.into(), column, problem }
    }
}

/// The text without a surrounding tag, quotes, blanks, final dots and underscores.
fn unwrap(text: &str) -> &str {
    let text = text.trim();
    let tag = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::trim);
    let value = tag.and_then(|tag| tag.get(..3).filter(|name| name.eq_ignore_ascii_case("fen")).map(|_| &tag[3..]));
    let trimmed = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '_');
    let text = value.unwrap_or(text).trim_matches(trimmed);
    text.trim_end_matches(|c| c == '.' || trimmed(c))
}

fn side_of_letter(letter: char) -> Option<Side> {
    match letter {
        'W' | 'w' => Some(Side::White),
        'B' | 'b' => Some(Side::Black),
        _ => None,
    }
}

/// Whether a section is a letter with a number: `H12`, `F40`.
fn is_counter(section: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    section.chars().next().is_some_and(|c| c.is_ascii_alphabetic()) && digits(&section[1..])
}

fn read_pieces<V: Variant>(source: Source, list: &str, side: Side, setup: &mut Setup) -> Result<(), FenError> {
    if list.trim().is_empty() {
        return Ok(());
    }
    for item in list.split(',').map(str::trim) {
        if item.starts_with(['G', 'P', 'p']) {
            return Err(source.error(item, FenProblem::JumpedPiece));
        }
        let king = item.strip_prefix(['K', 'k']);
        let role = if king.is_some() { Role::King } else { Role::Man };
        let (first, last) = read_range::<V>(king.unwrap_or(item)).map_err(|problem| source.error(item, problem))?;
        for number in first..=last {
            let put = setup.put(number, Piece { side, role });
            put.map_err(|problem| source.error(item, problem.into()))?;
        }
    }
    Ok(())
}

/// Reads `0+246`. Which side a count belongs to is told by the owner of the king, since programs do
/// not agree on the order.
fn read_king_runs(source: Source, counts: &str, limit: u8, setup: &mut Setup) -> Result<(), FenError> {
    let Some((first, second)) = counts.split_once('+') else { return Err(source.error(counts, FenProblem::KingRuns)) };
    for (text, side) in [(first.trim(), Side::Black), (second.trim(), Side::White)] {
        let count = read_king_run(text).ok_or_else(|| source.error(text, FenProblem::KingRuns))?;
        let Some((moves, number)) = count else { continue };
        let piece = (number as usize).checked_sub(1).and_then(|index| *setup.squares.get(index)?);
        let owner = match piece {
            Some(Piece { side, role: Role::King }) => side,
            _ => return Err(source.error(text, SetupError::NoSuchKing { side, number }.into())),
        };
        if moves > limit {
            return Err(source.error(text, SetupError::KingRun { moves, limit }.into()));
        }
        if setup.king_runs[owner.index()].replace((number, moves)).is_some() {
            return Err(source.error(text, FenProblem::KingRunTwice(owner)));
        }
    }
    Ok(())
}

/// Reads `246` as 2 moves and square 46, `0` as none.
fn read_king_run(text: &str) -> Option<Option<(u8, u32)>> {
    if text == "0" {
        return Some(None);
    }
    if !(2..=3).contains(&text.len()) || !text.bytes().all(|b| b.is_ascii_digit()) || text.starts_with('0') {
        return None;
    }
    let (moves, number) = text.split_at(1);
    Some(Some((moves.parse().ok()?, number.parse().ok()?)))
}

fn read_range<V: Variant>(text: &str) -> Result<(u32, u32), FenProblem> {
    let number = |part: &str| {
        let squares = BoardSquares { squares: V::Board::SQUARES, letters: has_letters::<V>() };
        read_number::<V>(part.trim()).ok_or(FenProblem::Square(squares))
    };
    let Some((first, last)) = text.split_once('-') else {
        let square = number(text)?;
        return Ok((square, square));
    };
    let last = last.trim();
    let (first, last) = (number(first)?, number(last.strip_prefix(['K', 'k']).unwrap_or(last))?);
    if first > last { Err(FenProblem::Range) } else { Ok((first, last)) }
}
