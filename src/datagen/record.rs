//! A game as training keeps it.

use crate::board::{Move, Position, Side, legal_moves};
use crate::search::Score;
use crate::variant::Variant;

/// Plies after which a game is broken off.
pub const MOST_PLIES: usize = 1000;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nobody knows: it was broken off.
    Open,
    /// White won.
    White,
    /// Nobody won.
    Draw,
    /// Black won.
    Black,
}

impl Outcome {
    /// Every outcome, by its number in a file.
    pub const ALL: [Self; 4] = [Self::Open, Self::White, Self::Draw, Self::Black];

    /// The outcome of a game that this side won, or nobody.
    pub fn of(winner: Option<Side>) -> Self {
        match winner {
            Some(Side::White) => Self::White,
            None => Self::Draw,
            Some(Side::Black) => Self::Black,
        }
    }

    /// Points of a side: 1, 0.5 or 0; none if nobody knows.
    pub fn points(self, side: Side) -> Option<f32> {
        let white = match self {
            Self::Open => return None,
            Self::White => 1.0,
            Self::Draw => 0.5,
            Self::Black => 0.0,
        };
        Some(if side == Side::White { white } else { 1.0 - white })
    }
}

/// A move and what the search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// The score for the side to move; none where only one move is legal.
    pub score: Option<Score>,
}

impl Ply {
    /// A move and, if there was a choice, the score for the side to move as a number.
    pub fn new(mv: Move, score: Option<i32>) -> Self {
        Self { mv, score: score.map(Score::from_raw) }
    }
}

/// A game from the position behind its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<V: Variant> {
    /// Where it begins.
    pub start: Position<V>,
    /// Its moves.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
}

impl<V: Variant> Record<V> {
    /// The positions in which a move was played, each with that move.
    pub fn positions(&self) -> impl Iterator<Item = (Position<V>, Ply)> {
        let mut position = self.start;
        self.plies.iter().map(move |&ply| {
            let before = position;
            position = position.after(ply.mv);
            (before, ply)
        })
    }
}

/// The legal moves in an order that does not depend on how they are found.
pub(super) fn ordered_moves<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let mut moves = legal_moves(position).to_vec();
    moves.sort_unstable_by_key(|mv| (mv.from.bit(), mv.to.bit(), mv.captured.0, mv.crowned_in_passing));
    moves
}
