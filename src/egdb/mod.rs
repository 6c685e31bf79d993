//! Endgame databases: the value of every position with few pieces.
//!
//! Positions with the same material form a [`Slice`], numbered densely by [`Index`]. [`generate()`]
//! solves slice after slice; a [`Table`] holds the values of one, [`Tables`] those of many. On disk
//! a slice is a compressed [`file`](mod@file).

mod bytes;
mod codec;
mod combination;
mod databases;
pub mod file;
mod fill;
mod generate;
mod huffman;
mod index;
mod job;
mod layout;
mod lookup;
mod monitor;
mod outcome;
pub mod pack;
mod pairs;
mod placement;
mod retract;
mod slice;
mod table;
mod value;
mod verify;
mod walk;
mod work;

pub use databases::Databases;
pub use file::{FileError, SliceFile};
pub use generate::{GenerateError, generate};
pub use index::Index;
pub use job::Job;
pub use layout::Kind;
pub use monitor::{Monitor, Progress};
pub use slice::{MAX_PIECES, Material, Slice, SliceError};
pub use table::{Table, Tables};
pub use value::{Counts, Value};
pub use verify::{Claim, Mistake, Verified, Verifier};
