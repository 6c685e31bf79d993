//! Whole games: Portable Draughts Notation.
//!
//! [`Reader`] streams the games of one variant out of a file of any size and encoding; [`RawGames`]
//! does so for files that mix variants. A game that cannot be read is an error that names its place, and
//! the next one follows. [`write_game`] writes a game.
//!
//! ```
//! use meerslag::notation::pdn::Reader;
//! use meerslag::variant::International;
//!
//! let file = "[White \"A\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n";
//! let games: Vec<_> = Reader::<International, _>::new(file.as_bytes()).collect();
//! assert_eq!(games[0].as_ref().unwrap().line.moves.len(), 4);
//! ```

mod error;
mod interpret;
mod lexer;
mod raw;
mod result;
mod source;
mod tags;
mod text;
mod writer;

#[cfg(test)]
mod tests;

use std::io::BufRead;
use std::marker::PhantomData;
use std::time::Duration;

use crate::board::{Game, Move, Position, Side};
use crate::variant::Variant;

pub use error::{PdnError, PdnProblem};
pub use interpret::interpret;
pub use raw::{RawGame, RawGames, SquaresHint};
pub use result::GameResult;
pub use source::Place;
pub use tags::{Declared, Tags, declared, variant_of};
pub use writer::write_game;

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnGame<V: Variant> {
    /// Tags in the order of the file.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Position<V>,
    /// The moves.
    pub line: Line<V>,
    /// The result: what stands behind the moves, else what the tag says.
    pub result: GameResult,
}

/// A sequence of moves: the game or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<V: Variant> {
    /// Comments before the first move.
    pub comments: Vec<Comment>,
    /// The moves.
    pub moves: Vec<Entry<V>>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<V: Variant> {
    /// The move.
    pub action: Action<V>,
    /// Annotation codes; marks such as `!?` are among them.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<Comment>,
    /// Lines that replace this move.
    pub variations: Vec<Line<V>>,
}

/// One step of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<V: Variant> {
    /// A legal move.
    Move(Move),
    /// A move that is not given: the other side is on move.
    Skip,
    /// A position set up in the middle of the line.
    Setup(Position<V>),
}

impl<V: Variant> Action<V> {
    /// The position after this step.
    #[must_use]
    pub fn apply(&self, position: &Position<V>) -> Position<V> {
        match self {
            Self::Move(mv) => position.after(*mv),
            Self::Skip => position.with_side_to_move(position.side_to_move().opponent()),
            Self::Setup(next) => *next,
        }
    }
}

impl<V: Variant> From<Action<V>> for Entry<V> {
    fn from(action: Action<V>) -> Self {
        Self { action, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl<V: Variant> Default for Line<V> {
    fn default() -> Self {
        Self { comments: Vec::new(), moves: Vec::new() }
    }
}

impl<V: Variant> PdnGame<V> {
    /// The record of a played game.
    pub fn of(game: &Game<V>, tags: Tags, result: GameResult) -> Self {
        let moves = game.moves().iter().map(|mv| Action::Move(*mv).into()).collect();
        Self { tags, start: *game.start(), line: Line { comments: Vec::new(), moves }, result }
    }

    /// The moves as a played game; `None` if some are not given or a position is set up on the way.
    pub fn played(&self) -> Option<Game<V>> {
        let mut game = Game::new(self.start);
        for entry in &self.line.moves {
            let Action::Move(mv) = entry.action else { return None };
            game.play(mv).ok()?;
        }
        Some(game)
    }
}

/// A comment, with single blanks between its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(pub String);

impl Comment {
    /// The text of a command such as `[%clk 0:04:31]`: here, of `clk`.
    pub fn command(&self, name: &str) -> Option<&str> {
        self.0.split("[%").skip(1).find_map(|part| {
            let value = part.split(']').next()?.strip_prefix(name)?;
            value.starts_with(' ').then(|| value.trim())
        })
    }

    /// Remaining time of the player who moved (`clk`, or his part of `clock`).
    pub fn remaining(&self, mover: Side) -> Option<Duration> {
        let own_clock = || {
            let mut clocks = self.command("clock")?.split(' ');
            clocks.find_map(|clock| clock.strip_prefix([mover.letter(), mover.letter().to_ascii_lowercase()]))
        };
        parse_clock(self.command("clk").or_else(own_clock)?)
    }

    /// Time spent on the move (`emt`).
    pub fn spent(&self) -> Option<Duration> {
        parse_clock(self.command("emt")?)
    }
}

/// Reads `0:04:31`, `4:31` or `31.5`.
fn parse_clock(text: &str) -> Option<Duration> {
    let parts: Vec<&str> = text.split(':').collect();
    let [whole @ .., last] = parts.as_slice() else { return None };
    if whole.len() > 2 {
        return None;
    }
    let mut minutes = 0u64;
    for part in whole {
        minutes = minutes.checked_mul(60)?.checked_add(part.parse::<u32>().ok()?.into())?;
    }
    let seconds = Duration::try_from_secs_f64(last.parse().ok()?).ok()?;
    seconds.checked_add(Duration::from_secs(minutes.checked_mul(60)?))
}

/// The games of one variant in a file, one by one; only the current one is in memory.
///
/// An error concerns one game, unless it is [`PdnProblem::Io`], which is the last item.
pub struct Reader<V, R> {
    games: RawGames<R>,
    variant: PhantomData<V>,
}

impl<V: Variant, R: BufRead> Reader<V, R> {
    /// The games in `reader`; those whose tags declare no variant are read as `V`.
    pub fn new(reader: R) -> Self {
        Self { games: RawGames::new(reader), variant: PhantomData }
    }
}

impl<V: Variant, R: BufRead> Iterator for Reader<V, R> {
    type Item = Result<PdnGame<V>, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.games.next()?.and_then(interpret))
    }
}
