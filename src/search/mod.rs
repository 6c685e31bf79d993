//! Finding the best move.

mod event;
mod limits;
mod score;

pub use event::{Done, Info};
pub use limits::{Clock, Limits, Mode};
pub use score::Score;
