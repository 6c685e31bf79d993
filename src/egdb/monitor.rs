//! What others see of a build that runs, and how they end it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::slice::Slice;

/// Shared by a build and those who watch it.
#[derive(Debug, Default)]
pub struct Monitor {
    stopped: AtomicBool,
    slice: Mutex<Option<Slice>>,
    /// Half of the positions of finished slices, and one for each first look at a position.
    halves: AtomicU64,
    plies: AtomicU64,
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The slice that is solved together with its mirror.
    pub slice: Slice,
    /// Positions done; those of the slice count half while their moves are taken back.
    pub positions: u64,
    /// The distance reached in the slice; 0 while its positions are looked at first.
    pub plies: u64,
}

impl Monitor {
    /// Asks the build to end as soon as possible.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the build was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// How far the build has come; `None` before it begins.
    pub fn progress(&self) -> Option<Progress> {
        let slice = (*self.slice.lock().expect("no thread panics while it holds the slice"))?;
        let [halves, plies] = [&self.halves, &self.plies].map(|count| count.load(Ordering::Relaxed));
        Some(Progress { slice, positions: halves / 2, plies })
    }

    pub(super) fn begin(&self, slice: Slice) {
        *self.slice.lock().expect("no thread panics while it holds the slice") = Some(slice);
        self.plies.store(0, Ordering::Relaxed);
    }

    pub(super) fn half_done(&self, positions: u64) {
        self.halves.fetch_add(positions, Ordering::Relaxed);
    }

    pub(super) fn reached(&self, plies: u16) {
        self.plies.store(plies.into(), Ordering::Relaxed);
    }
}
