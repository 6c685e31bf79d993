//! The hand-made evaluation: a file for each aim that a game can have.
//!
//! It serves the variants that have no learned weights, and the games from which the first weights are learned.

pub(super) mod block;
mod crown;
mod lose;
pub(super) mod side;
mod tables;

use std::ops::{Add, AddAssign, Neg, Sub};

use self::side::Sides;
use super::chances::Chances;
use super::{blend, drawishness, phase};
use crate::board::{Position, Side};
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// The value of a position for the side to move, in hundredths of a man.
pub fn evaluate<V: Variant>(position: &Position<V>) -> i32 {
    let mut sum = Tapered::default();
    visit_terms(position, |_, value| sum += value);
    let white = blend(sum, phase(position)) / drawishness(position);
    match position.side_to_move() {
        Side::White => white,
        Side::Black => -white,
    }
}

/// What the values say about results: the maximum likelihood over the positions of games of the engine against
/// itself. Block: 250 games each of International and Brazilian at 3,000 nodes a move; the others: `meerslag match
/// --variant bt --games 200 --nodes 2000` and the same for `losing`. The first king leaves no draws.
pub(super) const fn chances(goal: Goal) -> Chances {
    let (half, scale) = match goal {
        Goal::Block => (140.0, 110.0),
        Goal::BeBlocked => (10.0, 300.0),
        Goal::Crown => (0.0, 90.0),
    };
    Chances { half, scale }
}

/// A value that differs between opening and ending, in hundredths of a man.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// Weight with all pieces on the board or, if learned, at the knot before.
    pub opening: i32,
    /// Weight without pieces or, if learned, at the knot after.
    pub ending: i32,
}

/// What a term measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Men and kings.
    Material,
    /// Where the men stand.
    Placement,
    /// Men with a friend behind them, which cannot be jumped that way.
    Support,
    /// Squares that men and kings can move to.
    Mobility,
    /// Men that no opposing piece can stop.
    Runaway,
    /// The runaway man that crowns first.
    Race,
    /// Men spread evenly over both wings.
    Balance,
    /// Men at home.
    Guard,
    /// The right to move.
    Tempo,
}

impl Term {
    /// A name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Placement => "placement",
            Self::Support => "support",
            Self::Mobility => "mobility",
            Self::Runaway => "runaway men",
            Self::Race => "race",
            Self::Balance => "balance",
            Self::Guard => "guard",
            Self::Tempo => "tempo",
        }
    }
}

impl Tapered {
    /// The same in opening and ending.
    pub(super) const fn same(value: i32) -> Self {
        Self { opening: value, ending: value }
    }

    pub(super) const fn times(self, factor: i32) -> Self {
        Self { opening: self.opening * factor, ending: self.ending * factor }
    }
}

impl Add for Tapered {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { opening: self.opening + other.opening, ending: self.ending + other.ending }
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Tapered {
    type Output = Self;
    fn neg(self) -> Self {
        self.times(-1)
    }
}

/// Calls `visit` with each term that serves the aim of the variant, White minus Black.
#[inline]
pub fn visit_terms<V: Variant>(position: &Position<V>, visit: impl FnMut(Term, Tapered)) {
    let sides = Sides::new(position);
    match V::RULES.goal {
        Goal::Block => block::visit_terms(&sides, visit),
        Goal::BeBlocked => lose::visit_terms(&sides, visit),
        Goal::Crown => crown::visit_terms(&sides, visit),
    }
}
