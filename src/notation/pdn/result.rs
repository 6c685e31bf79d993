//! Results of games.

use crate::board::GameOver;
use crate::board::Side;
use crate::variant::Variant;

/// The result of a recorded game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// A side won.
    Win(Side),
    /// Nobody won.
    Draw,
    /// Both sides were given a loss.
    BothLose,
    /// Not finished or not known.
    #[default]
    Open,
    /// Anything else, such as the score of a match.
    Other(String),
}

impl GameResult {
    /// The result that some text stands for in any variant's form, `*` included.
    pub fn of_text(text: &str) -> Option<Self> {
        Some(match text {
            "2-0" | "1-0" => Self::Win(Side::White),
            "0-2" | "0-1" => Self::Win(Side::Black),
            "1-1" | "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" | "\u{bd}" | "0.5-0.5" | "0,5-0,5" => Self::Draw,
            "0-0" => Self::BothLose,
            "*" => Self::Open,
            _ => return None,
        })
    }

    /// The result in the variant's form.
    pub fn text<V: Variant>(&self) -> &str {
        match self {
            Self::Win(Side::White) => V::NOTATION.results[0],
            Self::Draw => V::NOTATION.results[1],
            Self::Win(Side::Black) => V::NOTATION.results[2],
            Self::BothLose => "0-0",
            Self::Open => "*",
            Self::Other(text) => text,
        }
    }

    /// Whether a word might be part of a score: digits and signs only.
    pub(super) fn is_score_like(word: &str) -> bool {
        word.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '=' | '/' | '.' | ',' | ':' | '\u{bd}'))
    }
}

impl From<GameOver> for GameResult {
    fn from(over: GameOver) -> Self {
        over.winner().map_or(Self::Draw, Self::Win)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Brazilian, International};

    #[test]
    fn own_forms_read_back() {
        for result in [
            GameResult::Win(Side::White),
            GameResult::Win(Side::Black),
            GameResult::Draw,
            GameResult::BothLose,
            GameResult::Open,
        ] {
            for text in [result.text::<International>(), result.text::<Brazilian>()] {
                assert_eq!(GameResult::of_text(text), Some(result.clone()));
            }
        }
        assert_eq!(GameResult::of_text("12-8"), None);
    }
}
