//! Meerslag: an engine for International and Brazilian draughts.

pub mod board;
pub mod cli;
pub mod datagen;
pub mod egdb;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod protocol;
pub mod search;
pub mod tournament;
pub mod trainer;
pub mod util;
pub mod variant;
