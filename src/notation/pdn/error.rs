//! What can be wrong with a game in a file.

use crate::notation::fen::FenError;
use crate::notation::movetext::MoveTextError;
use crate::notation::pdn::source::Place;
use crate::variant::VariantId;

/// A game that could not be read. The reader goes on with the next one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, line {}, column {}: {problem}{}", place.line, place.column, quoted(text, problem))]
pub struct PdnError {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Where the offending text begins.
    pub place: Place,
    /// The offending text; empty if the file itself could not be read.
    pub text: String,
    /// What is wrong with it.
    pub problem: PdnProblem,
}

/// The offending text, unless the problem quotes it already.
fn quoted(text: &str, problem: &PdnProblem) -> String {
    match problem {
        PdnProblem::Move(_) | PdnProblem::Fen(_) => String::new(),
        _ if text.is_empty() => String::new(),
        _ => format!(" (at `{text}`)"),
    }
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdnProblem {
    /// The file could not be read on; this is the last item.
    #[error("cannot read: {0}")]
    Io(String),
    /// Not `[Name "value"]`.
    #[error("bad tag, expected `[Name \"value\"]`")]
    Tag,
    /// A comment that the next game or the end of the file cuts off.
    #[error("a comment is not closed")]
    OpenComment,
    /// `}` without `{`.
    #[error("no comment is open here")]
    StrayBrace,
    /// `$` without a number up to 255.
    #[error("bad annotation, expected `$0` to `$255`")]
    Nag,
    /// A setup that is not `/FEN "..."/`.
    #[error("bad setup, expected `/FEN \"...\"/`")]
    SetupForm,
    /// A character that begins nothing.
    #[error("unexpected character")]
    Character,
    /// A word, comment or tag of absurd length.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// A game of absurd length.
    #[error("the game takes more than {0} bytes of memory")]
    TooLarge(usize),
    /// `)` without `(`.
    #[error("no variation is open here")]
    StrayParenthesis,
    /// `(` without `)`.
    #[error("the variation is not closed")]
    OpenVariation,
    /// `(` before any move.
    #[error("there is no move to which this could be a variation")]
    VariationOfNothing,
    /// Variations within variations without end.
    #[error("variations are nested deeper than {0}")]
    TooDeep(usize),
    /// A game of another variant than the one asked for.
    #[error("a game of another variant, expected `{0}`")]
    OtherVariant(VariantId),
    /// Not a legal move.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// Not a position.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
}
