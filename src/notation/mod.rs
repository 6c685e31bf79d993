//! Positions, moves and games as text.

pub mod hub;
