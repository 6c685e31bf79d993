//! How a game ends: by what the players are after, by a draw rule, or by their will.

use std::fmt;

use super::{DrawReason, Position, Side, movegen};
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    /// A side won.
    Win(Side, WinReason),
    /// Nobody won.
    Draw(Verdict),
    /// The referee counted pieces at a move limit; see [`Game::count_pieces`](super::Game::count_pieces).
    PieceCount(Option<Side>),
}

/// Why a side won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinReason {
    /// This side has no pieces.
    NoPieces(Side),
    /// This side cannot move.
    NoMoves(Side),
    /// The loser gave up.
    Resigned,
    /// The winner made the first king.
    Crowned,
}

/// Why nobody won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A draw rule.
    Rule(DrawReason),
    /// Both players agreed.
    Agreed,
}

/// How the game ended for a side to move without a legal move; `None` if it has one.
pub fn without_moves<V: Variant>(position: &Position<V>) -> Option<GameOver> {
    if movegen::has_moves(position) {
        return None;
    }
    let side = position.side_to_move();
    let reason = if position.is_over() {
        WinReason::Crowned
    } else if position.pieces(side).is_empty() {
        WinReason::NoPieces(side)
    } else {
        WinReason::NoMoves(side)
    };
    Some(GameOver::Win(if V::RULES.goal == Goal::BeBlocked { side } else { side.opponent() }, reason))
}

impl GameOver {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Win(side, _) => Some(side),
            Self::Draw(_) => None,
            Self::PieceCount(winner) => winner,
        }
    }

    /// The result in the variant's notation.
    pub fn result<V: Variant>(self) -> &'static str {
        match self.winner() {
            Some(Side::White) => V::NOTATION.results[0],
            None => V::NOTATION.results[1],
            Some(Side::Black) => V::NOTATION.results[2],
        }
    }
}

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Win(winner, WinReason::NoPieces(side)) => write!(f, "{side} has no pieces: {winner} wins"),
            Self::Win(winner, WinReason::NoMoves(side)) => write!(f, "{side} has no moves: {winner} wins"),
            Self::Win(winner, WinReason::Resigned) => write!(f, "{} resigned: {winner} wins", winner.opponent()),
            Self::Win(winner, WinReason::Crowned) => write!(f, "{winner} made a king: {winner} wins"),
            Self::Draw(Verdict::Rule(reason)) => write!(f, "draw by {reason}"),
            Self::Draw(Verdict::Agreed) => write!(f, "draw by agreement"),
            Self::PieceCount(Some(side)) => write!(f, "{side} wins on pieces at the move limit"),
            Self::PieceCount(None) => write!(f, "equal pieces at the move limit: draw"),
        }
    }
}
