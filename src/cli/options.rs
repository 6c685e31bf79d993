//! Options that several commands share.

use std::time::Duration;

use anyhow::Result;

use crate::board::{Game, Position, legal_moves};
use crate::cli::UsageError;
use crate::notation::{movetext, read_position};
use crate::variant::{Variant, VariantId};

/// A game up to some position.
#[derive(Clone, Debug, clap::Args)]
pub struct GameArgs {
    /// The game: normal (International), frisian, killer, bt (Breakthrough), losing; on 8x8
    /// brazilian, russian [default: normal]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<VariantId>,
    /// The position at the start, as FEN or as a Hub position [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    pub fen: Option<String>,
    /// Moves played from there, in any notation, with or without move numbers
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
}

impl GameArgs {
    /// The variant to play.
    pub fn variant(&self) -> VariantId {
        self.variant.unwrap_or_default()
    }

    /// The game that the options describe.
    ///
    /// # Errors
    /// If the position cannot be read or a move is not legal; the text is named.
    pub fn game<V: Variant>(&self) -> Result<Game<V>> {
        let start = match &self.fen {
            Some(text) => read_position::<V>(text).map_err(|error| UsageError(format!("--fen `{text}`: {error}")))?,
            None => Position::start(),
        };
        let mut game = Game::new(start);
        for (index, text) in split_moves(self.moves.as_deref().unwrap_or_default()).enumerate() {
            let mv = movetext::read(game.position(), text);
            let mv =
                mv.map_err(|error| UsageError(format!("--moves, ply {}: {error}; {}", index + 1, legal_list(&game))))?;
            game.play(mv).expect("only legal moves are read");
        }
        Ok(game)
    }
}

/// The moves of a text, without move numbers such as `12.`, `12...` and `12.32-28`.
pub fn split_moves(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    words.map(without_number).filter(|word| !word.is_empty())
}

fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// The legal moves of a position, for messages.
pub fn legal_list<V: Variant>(game: &Game<V>) -> String {
    let position = game.position();
    let moves: Vec<_> = legal_moves(position).iter().map(|&mv| movetext::write(position, mv)).collect();
    if moves.is_empty() { "there are no legal moves".into() } else { format!("legal moves: {}", moves.join(" ")) }
}

/// A time in seconds, such as `2` or `0.25`.
///
/// # Errors
/// If the text is no number or out of range.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    let time = Duration::try_from_secs_f64(number).map_err(|_| format!("`{text}` seconds cannot be waited for"))?;
    // A year: sums of such times stay far from overflow.
    if number > 31_536_000.0 { Err(format!("`{text}` seconds are too long")) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Brazilian, International};

    fn game(fen: Option<&str>, moves: &str) -> GameArgs {
        GameArgs { variant: None, fen: fen.map(String::from), moves: Some(moves.into()) }
    }

    #[test]
    fn moves_with_and_without_numbers() {
        let plain = game(None, "32-28 19-23 28x19").game::<International>().unwrap();
        let numbered = game(None, "1. 32-28 19-23 2.28x19").game::<International>().unwrap();
        assert_eq!((plain.moves().len(), plain.moves()), (3, numbered.moves()));
        let letters = game(None, "1. c3-d4, 1... f6-e5").game::<Brazilian>().unwrap();
        assert_eq!(letters.moves().len(), 2);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = game(None, "32-28 32-28").game::<International>().unwrap_err().to_string();
        assert!(error.contains("ply 2") && error.contains("`32-28`") && error.contains("20-24"), "{error}");
        let error = format!("{:#}", game(Some("W:W77:B1"), "").game::<International>().unwrap_err());
        assert!(error.contains("`77`"), "{error}");
    }

    #[test]
    fn seconds_are_positive_numbers() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for bad in ["", "x", "-1", "1e30", "nan", "inf"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
