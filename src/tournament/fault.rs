//! What engines do wrong, and how games end.

use std::fmt;
use std::time::Duration;

use crate::board::{GameOver, Side};

/// What makes an engine lose a game on the spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its move came, but this much too late.
    Time(Duration),
    /// The rules do not allow its move.
    IllegalMove(String),
    /// Its process ended, closed its output, or could not be started again.
    Crash(String),
    /// No answer came within this time.
    Hang(Duration),
    /// What it wrote is no answer.
    Garbage(String),
    /// It did not want to play the game.
    Refused(String),
}

/// The names of all kinds of faults, in the order of [`Fault::kind`].
pub const FAULT_KINDS: [&str; 6] = ["time", "illegal-move", "crash", "hang", "garbage", "refused"];

impl Fault {
    /// Which kind of fault it is, by its index in [`FAULT_KINDS`].
    pub const fn kind(&self) -> usize {
        match self {
            Self::Time(_) => 0,
            Self::IllegalMove(_) => 1,
            Self::Crash(_) => 2,
            Self::Hang(_) => 3,
            Self::Garbage(_) => 4,
            Self::Refused(_) => 5,
        }
    }

    /// Whether the engine can play on after it: it has answered, if badly.
    pub const fn is_survivable(&self) -> bool {
        matches!(self, Self::Time(_) | Self::Refused(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Time(overrun) => write!(f, "lost on time by {:.3} s", overrun.as_secs_f64()),
            Self::IllegalMove(text) => write!(f, "played the illegal move `{text}`"),
            Self::Crash(text) => write!(f, "crashed: {text}"),
            Self::Hang(time) => write!(f, "gave no answer for {:.1} s", time.as_secs_f64()),
            Self::Garbage(text) => write!(f, "answered with garbage: `{text}`"),
            Self::Refused(reason) => write!(f, "refused the game: {reason}"),
        }
    }
}

/// How a player ends a game in place of a move, where its protocol lets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It has lost.
    Loss,
    /// Nobody wins.
    Draw,
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Through its own fault.
    #[error("{0}")]
    Fault(Fault),
    /// It has ended the game.
    #[error("the player ended the game")]
    Ended(Claim),
    /// The match is to end.
    #[error("the match was stopped")]
    Stopped,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules of the game.
    Rule(GameOver),
    /// Both engines had long agreed on the winner.
    Resignation(Side),
    /// Both engines had long seen no winner.
    DrawAgreed,
    /// This side gave up.
    Conceded(Side),
    /// This side ended the game as a draw, which its protocol does not let the other one refuse.
    DrawClaimed(Side),
    /// At the move limit, with this winner.
    MoveLimit(Option<Side>),
    /// Without an end in sight, after as many moves as any game may have.
    TooLong,
    /// This side was at fault.
    Fault(Side, Fault),
}

impl Termination {
    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Self::Rule(over) => over.winner(),
            Self::MoveLimit(winner) => *winner,
            Self::Resignation(loser) | Self::Conceded(loser) | Self::Fault(loser, _) => Some(loser.opponent()),
            Self::DrawAgreed | Self::DrawClaimed(_) | Self::TooLong => None,
        }
    }

    /// The kind of end in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::Resignation(_) => "resignation",
            Self::DrawAgreed => "draw-by-score",
            Self::Conceded(_) => "conceded",
            Self::DrawClaimed(_) => "draw-claim",
            Self::MoveLimit(_) => "move-limit",
            Self::TooLong => "too-long",
            Self::Fault(_, fault) => FAULT_KINDS[fault.kind()],
        }
    }

    /// Whether the engine of this side cannot be expected to play on.
    pub fn disables(&self, side: Side) -> bool {
        matches!(self, Self::Fault(other, fault) if *other == side && !fault.is_survivable())
    }

    /// The side at fault.
    pub fn fault_of(&self) -> Option<Side> {
        match self {
            Self::Fault(side, _) => Some(*side),
            _ => None,
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rule(over) => write!(f, "{over}"),
            Self::MoveLimit(Some(side)) => write!(f, "{side} wins on pieces at the move limit"),
            Self::MoveLimit(None) => write!(f, "draw at the move limit"),
            Self::Resignation(loser) => write!(f, "{loser} is lost by the scores of both engines"),
            Self::Conceded(loser) => write!(f, "{loser} gives up"),
            Self::DrawClaimed(side) => write!(f, "draw, claimed by {side}"),
            Self::TooLong => write!(f, "draw: the game found no end"),
            Self::DrawAgreed => write!(f, "draw by the scores of both engines"),
            Self::Fault(side, fault) => write!(f, "{side} {fault}"),
        }
    }
}
