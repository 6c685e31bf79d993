//! Moves as the Hub protocol writes them: field numbers of both ends, then of all captured pieces.

use std::fmt;
use std::str::FromStr;

use crate::board::Move;
use crate::variant::Variant;

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

    /// The one legal move that this text can mean: both ends agree and every captured square
    /// named is captured. Captured squares may be missing if that leaves no choice.
    pub fn resolve<V: Variant>(&self, legal: &[Move]) -> Option<Move> {
        let fits = |mv: &&Move| {
            let full = Self::of::<V>(**mv);
            full.from == self.from && full.to == self.to && self.captured.iter().all(|c| full.captured.contains(c))
        };
        let mut found = legal.iter().filter(fits);
        let first = found.next()?;
        found.next().is_none().then_some(*first)
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
        Ok(Self { from: *from, to: *to, captured })
    }
}
