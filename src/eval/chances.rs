//! What values say about results.

use serde::{Deserialize, Serialize};

/// How often the side to move wins and loses from a position of some value: a logistic model for each. What is
/// neither is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chances {
    /// Value, in hundredths of a man, at which half the games are won.
    pub half: f64,
    /// How fast that changes.
    pub scale: f64,
}

impl Chances {
    /// The shares of games that are won and lost.
    pub fn shares(self, value: f64) -> [f64; 2] {
        [value, -value].map(|value| 1.0 / (1.0 + ((self.half - value) / self.scale).exp()))
    }
}

impl Default for Chances {
    fn default() -> Self {
        Self { half: 0.0, scale: 100.0 }
    }
}
