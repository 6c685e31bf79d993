//! Move ordering by experience: how often a move has been good.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use crate::board::{Move, Side};

/// Learning rate, a shift: each result counts for 1/32.
const SHIFT: u32 = 5;
/// Certainty; values run from 0 to this.
const ONE: i16 = 1 << 12;

/// For each side and both ends of a move, the share of nodes in which it failed high.
///
/// The threads share it: ordering moves alike, they reduce the same ones and find each other's
/// results in the table. Lost updates do no harm.
#[derive(Debug)]
pub struct History(Box<[AtomicI16]>);

impl History {
    /// Every move starts with an even chance.
    pub fn new() -> Self {
        Self((0..2 * 64 * 64).map(|_| AtomicI16::new(ONE / 2)).collect())
    }

    fn slot(&self, side: Side, mv: Move) -> &AtomicI16 {
        &self.0[(side.index() * 64 + mv.from.index()) * 64 + mv.to.index()]
    }

    /// The share for a move, 0 to 4096.
    pub fn get(&self, side: Side, mv: Move) -> i32 {
        self.slot(side, mv).load(Relaxed).into()
    }

    /// Notes that a move was best.
    pub fn good(&self, side: Side, mv: Move) {
        self.update(side, mv, ONE);
    }

    /// Notes that another move was better.
    pub fn bad(&self, side: Side, mv: Move) {
        self.update(side, mv, 0);
    }

    fn update(&self, side: Side, mv: Move, target: i16) {
        let slot = self.slot(side, mv);
        let old = slot.load(Relaxed);
        slot.store(old + ((target - old) >> SHIFT), Relaxed);
    }
}
