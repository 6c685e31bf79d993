//! Endgame databases: the value of every position with few pieces.
//!
//! Positions with the same material form a [`Slice`], numbered densely by [`Index`].

mod combination;
mod index;
mod placement;
mod slice;

pub use index::Index;
pub use slice::{MAX_PIECES, Material, Slice};
