//! Which moves some thread is searching now, so that another one takes a different move first
//! (ABDADA, Weill 1996, in Kerrigan's simplified form).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::Key;

const SLOTS: usize = 1 << 12;

/// A lossy set of child positions. A wrong answer costs time, never correctness.
#[derive(Debug)]
pub struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// An empty set.
    pub fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, child: Key) -> &AtomicU64 {
        &self.0[child.0 as usize % SLOTS]
    }

    /// Whether a thread is searching this child.
    pub fn contains(&self, child: Key) -> bool {
        self.slot(child).load(Relaxed) == child.0
    }

    /// Marks a child as being searched.
    pub fn enter(&self, child: Key) {
        self.slot(child).store(child.0, Relaxed);
    }

    /// Unmarks it, unless the slot has been taken over.
    pub fn leave(&self, child: Key) {
        if self.contains(child) {
            self.slot(child).store(0, Relaxed);
        }
    }
}
