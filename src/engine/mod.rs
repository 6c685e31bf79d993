//! The engine without a protocol: positions in, events out.

mod handle;
pub mod params;

pub use handle::{EngineHandle, Event, GoRequest, PositionError};
