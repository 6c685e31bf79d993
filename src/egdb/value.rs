//! Values of positions and how often they occur.

use std::ops::{AddAssign, Neg};

use crate::board::{Position, outcome};
use crate::variant::Variant;

/// The value of a position for the side to move, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The opponent wins.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// Every value, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Loss, Self::Draw, Self::Win];

    /// The value of a position without a legal move; `None` if it has one.
    pub fn without_moves<V: Variant>(position: &Position<V>) -> Option<Self> {
        outcome::without_moves(position).map(|over| match over.winner() {
            Some(winner) if winner == position.side_to_move() => Self::Win,
            Some(_) => Self::Loss,
            None => Self::Draw,
        })
    }
}

/// The same value for the other side.
impl Neg for Value {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Numbers of positions by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won for the side to move.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost for the side to move.
    pub loss: u64,
}

impl Counts {
    /// All positions counted.
    pub const fn total(self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Counts one more position.
    pub const fn add(&mut self, value: Value) {
        match value {
            Value::Loss => self.loss += 1,
            Value::Draw => self.draw += 1,
            Value::Win => self.win += 1,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
    }
}
