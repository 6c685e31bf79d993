//! Meerslag: an engine for International and Brazilian draughts.

pub mod board;
pub mod util;
pub mod variant;
