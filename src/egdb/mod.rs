//! Endgame databases: the value of every position with few pieces.
//!
//! Positions with the same material form a [`Slice`], numbered densely by [`Index`]. [`generate()`]
//! solves slice after slice; a [`Table`] holds the values of one, [`Tables`] those of many. On disk
//! a slice is a compressed [`file`](mod@file).

mod codec;
mod combination;
mod databases;
pub mod file;
mod generate;
mod index;
mod placement;
mod retract;
mod slice;
mod table;
mod value;
mod work;

pub use databases::Databases;
pub use file::{FileError, SliceFile};
pub use generate::{GenerateError, generate, memory_needed};
pub use index::Index;
pub use slice::{MAX_PIECES, Material, Slice};
pub use table::{Table, Tables};
pub use value::{Counts, Value};
