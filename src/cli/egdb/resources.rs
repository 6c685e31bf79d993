//! What a build takes, and whether the machine has it.

use std::io;
use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::egdb::{Index, Job, Slice};
use crate::variant::Variant;

/// Memory and disk space in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// What the build takes at most.
    pub memory: u64,
    /// An upper estimate of the files.
    pub disk: u64,
}

/// Why a build is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// More memory than allowed.
    #[error("the build needs {needed} MiB of memory, {allowed} MiB are allowed")]
    Allowed {
        /// What it takes.
        needed: u64,
        /// What `--memory` says.
        allowed: u64,
    },
    /// More memory than there is.
    #[error("the build needs {needed} MiB of memory, {available} MiB are available")]
    Memory {
        /// What it takes.
        needed: u64,
        /// What the system can give.
        available: u64,
    },
    /// More disk space than there is.
    #[error("the files need up to {needed} MiB on disk, {available} MiB are free")]
    Disk {
        /// What they take at most.
        needed: u64,
        /// What is free.
        available: u64,
    },
    /// The system does not say how much is free.
    #[error("cannot tell the free disk space: {0}")]
    Unknown(#[from] io::Error),
}

/// The program besides its tables, with buffers of its threads: 9 MiB measured.
const PROGRAM: u64 = 16 << 20;

/// Bytes of values in a file per 1000 positions. Measured with four pieces: 95 for values and distances together on
/// 8x8, 50 on 10x10; more pieces take less.
const VALUES: u64 = 60;
/// The same for distances.
const DISTANCES: u64 = 60;
/// What the files of a slice take besides.
const HEADERS: u64 = 2048;

impl Resources {
    /// What `job` takes, if the slices that are `kept` are not written again.
    pub fn of<V: Variant>(job: &Job<V>, kept: impl Fn(Slice) -> bool) -> Self {
        let file = |slice| {
            let rate = VALUES + if job.has_distances(slice) { DISTANCES } else { 0 };
            HEADERS + Index::<V>::new(slice).len() * rate / 1000
        };
        let disk = job.slices().filter(|slice| !kept(*slice)).map(file).sum();
        Self { memory: PROGRAM + job.memory(), disk }
    }

    /// Refuses a job that does not fit; `allowed` is the memory it may take, in MiB.
    ///
    /// # Errors
    /// If it does not fit, or nobody knows.
    pub fn check(self, folder: &Path, allowed: Option<u64>) -> Result<(), Refusal> {
        let needed = mebibytes(self.memory);
        if let Some(allowed) = allowed.filter(|allowed| *allowed < needed) {
            return Err(Refusal::Allowed { needed, allowed });
        }
        let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        // Where the system does not tell, the build is tried.
        let available = System::new_with_specifics(memory).map_or(0, |system| system.available_memory());
        if available > 0 && available < self.memory {
            return Err(Refusal::Memory { needed, available: available >> 20 });
        }
        // The folder need not be there yet.
        let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or_else(|| Path::new("."));
        let available = fs4::available_space(there)?;
        if available < self.disk {
            return Err(Refusal::Disk { needed: mebibytes(self.disk), available: available >> 20 });
        }
        Ok(())
    }
}

/// Rounded up.
pub const fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}
