//! The static value of a quiet position.
//!
//! The search asks an [`Evaluation`] and nothing else. It is a learned one ([`weights`] over [`patterns`] and
//! [`features`], with a [`network`]) where there are weights for the variant, and a hand-made one ([`terms`]) otherwise. Training
//! uses the same features.

pub mod chances;
pub mod features;
pub mod network;
pub mod patterns;
pub mod stage;
pub mod terms;
pub mod weights;

use std::sync::Arc;

use self::chances::Chances;
use self::patterns::Indices;
use self::stage::Stage;
use self::terms::side::{SideView, Sides};
use self::weights::Weights;
use crate::board::{Position, Side};
use crate::variant::rules::Goal;
use crate::variant::{Geometry, Variant};

pub use terms::{Tapered, Term, visit_terms};

/// Weight of the opening in the phase, which runs from here down to 0 with the pieces.
pub const FULL_PHASE: i32 = 256;

/// The name of the hand-made evaluation.
pub const TERMS: &str = "hand-made";

/// What gives positions their value.
#[derive(Clone, Debug, Default)]
pub enum Evaluation {
    /// Hand-made terms.
    #[default]
    Terms,
    /// Learned weights.
    Learned(Arc<Weights>),
}

impl Evaluation {
    /// What is part of the program.
    pub fn embedded<V: Variant>() -> Self {
        weights::embedded::<V>().map_or(Self::Terms, Self::Learned)
    }

    /// A name, to tell what games were played with.
    pub fn name(&self) -> String {
        match self {
            Self::Terms => TERMS.into(),
            Self::Learned(weights) => weights.name(),
        }
    }

    /// What its values say about results.
    pub fn chances<V: Variant>(&self) -> Chances {
        match self {
            Self::Terms => terms::chances(V::RULES.goal),
            Self::Learned(weights) => weights.manifest.chances,
        }
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[inline]
    pub fn evaluate<V: Variant>(&self, position: &Position<V>) -> i32 {
        match self {
            Self::Terms => terms::evaluate(position),
            Self::Learned(weights) => weights.evaluate(position),
        }
    }

    /// What the early values of the [parts](Self::parts) of a position count, of [`FULL_PHASE`]; the late ones count
    /// the rest.
    pub fn early_share<V: Variant>(&self, position: &Position<V>) -> i32 {
        match self {
            Self::Terms => phase(position),
            Self::Learned(_) => Stage::of(phase(position)).share,
        }
    }

    /// What the value of a position consists of, White minus Black, in hundredths of a man: early and late in the
    /// game or, if learned, in its stage. Each part of a learned evaluation is rounded, so that the whole may be some
    /// hundredths off.
    pub fn parts<V: Variant>(&self, position: &Position<V>) -> Vec<(&'static str, Tapered)> {
        let mut parts = Vec::new();
        match self {
            Self::Terms => visit_terms(position, |term, value| parts.push((term.name(), value))),
            Self::Learned(weights) => {
                let sign = if position.side_to_move() == Side::White { 1 } else { -1 };
                let rounded = |value: i32| sign * (f64::from(value) / f64::from(weights::UNIT)).round() as i32;
                parts.extend(weights.groups(position).into_iter().map(|(name, [before, after])| {
                    (name, Tapered { opening: rounded(before), ending: rounded(after) })
                }));
            }
        }
        parts
    }
}

/// A position as both sides see it, the side to move first: what is learned is the same for either.
#[inline]
pub fn views<V: Variant>(position: &Position<V>) -> [SideView<V>; 2] {
    let Sides { white, black } = Sides::new(position);
    match position.side_to_move() {
        Side::White => [white, black],
        Side::Black => [black, white],
    }
}

/// How men stand on the rectangles of both views.
#[inline]
pub fn indices<V: Variant>(views: &[SideView<V>; 2]) -> [Indices; 2] {
    views.each_ref().map(|view| patterns::indices::<V::Board>(view.men.0, view.opposing_men.0))
}

/// How much of the opening is left: 256 at the start of the game, 0 without pieces.
pub fn phase<V: Variant>(position: &Position<V>) -> i32 {
    let start = (V::Board::ROW * (V::Board::SIDE - 2)) as i32;
    (position.occupied().count() as i32 * FULL_PHASE / start).min(FULL_PHASE)
}

/// A value of which the early part counts `early_share` of [`FULL_PHASE`].
pub const fn blend(value: Tapered, early_share: i32) -> i32 {
    (value.opening * early_share + value.ending * (FULL_PHASE - early_share)) / FULL_PHASE
}

/// By what the value is divided, since some advantages rarely win.
pub fn drawishness<V: Variant>(position: &Position<V>) -> i32 {
    match V::RULES.goal {
        Goal::Block if !position.all_kings().is_empty() => terms::block::drawishness(position),
        _ => 1,
    }
}
