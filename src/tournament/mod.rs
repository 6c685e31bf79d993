//! Matches of engine against engine, with statistics that can be trusted.
//!
//! A [`config::Config`] describes a match. [`runner::Match::run`] plays its games on several threads: the
//! [`schedule`] says who plays which of the [`openings`], [`player`] asks an engine for its moves, and
//! [`game`] is the referee. Results are taken in the order of the games, whichever ends first, so
//! that a match stopped by its [`sprt`] is the same one on every machine. [`standings`] counts,
//! [`elo`] rates, [`report`] prints, [`record`] writes the games and resumes a match from its files.

pub mod adjudication;
mod check;
pub mod config;
pub mod control;
pub mod elo;
pub mod fault;
pub mod game;
mod likelihood;
pub mod openings;
pub mod player;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod text;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Tells everyone in a match to leave off.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the match soon.
    pub fn set(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether the match is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}
