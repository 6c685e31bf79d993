//! Where games begin: ballots, random positions, or a file.
//!
//! All of them follow from the variant, the settings and the seed. Balance is judged by the engine's own
//! search to a fixed depth, so the same openings come out everywhere.

mod ballots;
mod file;
mod random;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use rayon::prelude::*;

use crate::board::{DrawPolicy, Game, Move, Position, State};
use crate::engine::Engine;
use crate::notation::read_position;
use crate::search::Limits;
use crate::tournament::Stop;
use crate::util::rng::Rng;
use crate::variant::Variant;

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The start of the game.
    Start,
    /// Every sound line of this many plies.
    Ballots(u32),
    /// Balanced positions after this many random plies.
    Random(u32),
    /// This position, as FEN or as a Hub position.
    Position(String),
    /// The games of a PDN file, or the positions of any other file, one a line.
    File(PathBuf),
}

impl Default for Source {
    fn default() -> Self {
        Self::Random(8)
    }
}

/// Longest ballots; there are too many longer ones to search them all.
const MOST_BALLOT_PLIES: u32 = 5;
/// Longest random openings.
const MOST_RANDOM_PLIES: u32 = 60;

/// Text that names no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no openings (start, ballots:1 to ballots:5, random:1 to random:60, fen:POSITION, or a file with a point in its name)"
)]
pub struct BadSource(String);

impl FromStr for Source {
    type Err = BadSource;

    fn from_str(text: &str) -> Result<Self, BadSource> {
        let bad = || BadSource(text.into());
        let plies = |text: &str, most| text.parse().ok().filter(|plies| (1..=most).contains(plies)).ok_or_else(bad);
        match text.split_once(':') {
            Some(("ballots", rest)) => Ok(Self::Ballots(plies(rest, MOST_BALLOT_PLIES)?)),
            Some(("random", rest)) => Ok(Self::Random(plies(rest, MOST_RANDOM_PLIES)?)),
            Some(("fen", rest)) => Ok(Self::Position(rest.trim().into())),
            _ if text == "start" => Ok(Self::Start),
            _ if text.contains('.') => Ok(Self::File(text.into())),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Start => write!(f, "start"),
            Self::Ballots(plies) => write!(f, "ballots:{plies}"),
            Self::Random(plies) => write!(f, "random:{plies}"),
            Self::Position(text) => write!(f, "fen:{text}"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Openings that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("openings `{path}`: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the place.
        reason: String,
    },
    /// The position is none of the game, or the game is over there.
    #[error("openings `fen:{text}`: {reason}")]
    Position {
        /// The position.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing to begin with.
    #[error("openings `{0}`: there are none")]
    None(Source),
    /// No candidate is balanced.
    #[error("openings `{wanted}`: none of {tried} candidates is even within {} men", f64::from(*.balance) / 100.0)]
    Unbalanced {
        /// Where they should come from.
        wanted: Source,
        /// How many were judged.
        tried: usize,
        /// How uneven they may be, in hundredths of a man.
        balance: i32,
    },
    /// The match is to end.
    #[error("the match was stopped")]
    Stopped,
    /// The search cannot be started.
    #[error("openings: {0}")]
    Engine(String),
}

/// What openings are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Where they come from.
    pub source: Source,
    /// Plies taken of each game of a file.
    pub plies: Option<usize>,
    /// How far from even they may be, in hundredths of a man.
    pub balance: i32,
    /// From what the random ones and the order of the ballots follow.
    pub seed: u64,
    /// How many random ones.
    pub count: usize,
}

/// A line from a position; the engines take over behind it.
pub type Opening<V> = Game<V>;

/// The openings, at least one.
///
/// # Errors
/// If a file cannot be read, nothing fits, or the match is to end.
pub fn find<V: Variant>(wanted: &Wanted, stop: &Stop) -> Result<Vec<Opening<V>>, OpeningError> {
    let openings = match &wanted.source {
        Source::Start => vec![Game::new(Position::start())],
        Source::Ballots(plies) => {
            let mut ballots = ballots::sound(*plies, wanted.balance, stop)?;
            shuffle(&mut ballots, wanted.seed);
            ballots
        }
        Source::Random(plies) => random::sound(*plies, wanted, stop)?,
        Source::Position(text) => vec![from_position(text)?],
        Source::File(path) => file::read(path, wanted.plies)?,
    };
    if openings.is_empty() { Err(OpeningError::None(wanted.source.clone())) } else { Ok(openings) }
}

fn from_position<V: Variant>(text: &str) -> Result<Opening<V>, OpeningError> {
    let bad = |reason| OpeningError::Position { text: text.into(), reason };
    let opening = Game::new(read_position(text).map_err(|error| bad(error.to_string()))?);
    if goes_on(&opening) { Ok(opening) } else { Err(bad("the game is over there".into())) }
}

/// A digest of the positions of an opening, to tell whether a match goes on with the same ones.
pub fn digest<V: Variant>(opening: &[State<V>]) -> u64 {
    opening.iter().fold(0, |digest, state| Rng::new(digest ^ state.key.0).next_u64())
}

/// Whether nobody has won or drawn yet.
fn goes_on<V: Variant>(game: &Game<V>) -> bool {
    game.over(&DrawPolicy::of::<V>()).is_none()
}

/// Depth of the search that judges the balance.
const DEPTH: u32 = 8;
/// Its table in MiB; it starts empty for every opening, so that each is judged by itself.
const TABLE: usize = 1;
/// Openings that one engine judges; more engines than processors do no harm.
const CHUNK: usize = 32;

/// Those of the candidates, in their order, whose score is within `balance` for either side.
fn balanced<V: Variant>(candidates: &[Opening<V>], balance: i32, stop: &Stop) -> Result<Vec<Opening<V>>, OpeningError> {
    let judge = |chunk: &[Opening<V>]| {
        let mut engine = Engine::<V>::new(1, TABLE).map_err(|error| OpeningError::Engine(error.to_string()))?;
        let mut is_balanced = |opening: &Opening<V>| {
            engine.new_game();
            engine.game = opening.clone();
            let found = engine.search(Limits { depth: Some(DEPTH), ..Limits::default() });
            found.lines.first().is_some_and(|line| line.score.raw().abs() <= balance)
        };
        let mut kept = Vec::new();
        for opening in chunk {
            if stop.is_set() {
                return Err(OpeningError::Stopped);
            }
            if is_balanced(opening) {
                kept.push(opening.clone());
            }
        }
        Ok(kept)
    };
    let chunks: Vec<Vec<Opening<V>>> = candidates.par_chunks(CHUNK).map(judge).collect::<Result<_, _>>()?;
    Ok(chunks.into_iter().flatten().collect())
}

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = Rng::new(seed);
    for index in (1..items.len()).rev() {
        items.swap(index, rng.below(index + 1));
    }
}

/// The game after one more move.
fn extended<V: Variant>(game: &Game<V>, mv: Move) -> Game<V> {
    let mut longer = game.clone();
    longer.play(mv).expect("only legal moves are tried");
    longer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;
    use crate::variant::International;

    #[test]
    fn sources_as_text() {
        for text in ["start", "ballots:3", "random:12", "fen:W:W31:B1", "lines/a.pdn"] {
            assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
        }
        for text in ["", "ballots", "ballots:0", "ballots:6", "random:61", "random:x", "file"] {
            assert!(text.parse::<Source>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_position() {
        let find = |text: &str| {
            let source = format!("fen:{text}").parse().unwrap();
            let wanted = Wanted { source, plies: None, balance: 50, seed: 1, count: 1 };
            find::<International>(&wanted, &Stop::default()).map_err(|error| error.to_string())
        };
        assert_eq!(find("B:W31,32:B19,20").unwrap()[0].position().side_to_move(), Side::Black);
        for (text, named) in [("W:W77:B1", "`77`"), ("B:W31:B", "the game is over")] {
            let error = find(text).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn shuffling_follows_from_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<_> = (0..50).collect();
            shuffle(&mut items, seed);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
