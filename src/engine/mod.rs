//! The engine without a protocol: positions in, events out.

mod core;
mod databases;
mod erased;
mod evaluation;
mod game;
mod handle;
pub mod params;

pub use core::{Engine, Found};
pub use databases::{DatabaseError, open_databases};
pub use erased::create;
pub use evaluation::open_evaluation;
pub use game::{GameHandle, start_game};
pub use handle::{EngineHandle, Event, GoRequest, PositionError};

use crate::eval::weights::WeightsError;

/// A file that a parameter names and that cannot be used; something else is used in its place.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// An endgame database; without it.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Weights; with those used before.
    #[error("weights {0}")]
    Weights(#[from] WeightsError),
}
