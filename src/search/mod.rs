//! Finding the best move: iterative deepening principal variation search on several threads.
//!
//! A `Pool` owns the threads. Each has a `Worker` with everything that is its own; `Shared` is
//! what they share: the transposition table, the moves being searched, the stop flag, the start of
//! the clock and the node counts.

mod alphabeta;
mod busy;
mod divided;
mod event;
mod frames;
mod history;
mod known;
mod limits;
mod lines;
mod order;
mod params;
mod pool;
mod qsearch;
mod root;
mod score;
mod time;
mod tt;
mod turns;
mod worker;

pub use event::{Done, Info, Report};
pub(crate) use known::merits;
pub use limits::{Clock, Limits, Mode};
pub(crate) use pool::Pool;
pub use score::Score;
pub(crate) use worker::Job;
