//! Values together with distances: how soon a game ends with best play.

use super::value::Value;
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// A value and the plies until the game ends: the winner hurries, the loser delays. A draw has 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub value: Value,
    pub plies: u16,
}

impl Outcome {
    /// Neither side can win.
    pub const DRAW: Self = Self { value: Value::Draw, plies: 0 };

    /// What a position is worth before the move that leads to this outcome.
    pub fn before(self) -> Self {
        match self.value {
            Value::Draw => Self::DRAW,
            value => Self { value: -value, plies: self.plies + 1 },
        }
    }

    /// Orders outcomes for the side to move, the best last.
    pub fn merit(self) -> (Value, i32) {
        let plies = i32::from(self.plies);
        (self.value, if self.value == Value::Win { -plies } else { plies })
    }

    /// The shortest distance of a value: what stands for a distance that nobody knows.
    pub fn shortest<V: Variant>(value: Value) -> Self {
        Self { value, plies: parity::<V>(value) }
    }
}

/// The remainder of every distance of a won or lost position divided by 2: all games that do not end
/// in a draw are lost by the side to move, or all are won by it.
pub(super) fn parity<V: Variant>(value: Value) -> u16 {
    match value {
        Value::Loss => u16::from(V::RULES.goal == Goal::BeBlocked),
        Value::Draw => 0,
        Value::Win => u16::from(V::RULES.goal != Goal::BeBlocked),
    }
}
