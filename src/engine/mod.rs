//! The engine without a protocol: positions in, events out.

mod core;
mod databases;
mod erased;
mod handle;
pub mod params;

pub use core::{Engine, Found};
pub use databases::{DatabaseError, open_databases};
pub use erased::create;
pub use handle::{EngineHandle, Event, GoRequest, PositionError};
