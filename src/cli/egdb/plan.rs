//! `egdb plan`: what a build would take.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::Extent;
use super::resources::{Resources, mebibytes};
use crate::egdb::{GenerateError, Job, Monitor, Tables};
use crate::util::time::clock;
use crate::variant::{Task, Variant};

/// Most pieces if nothing is said.
const PIECES: u32 = 6;

/// How long the speed of this machine is measured.
const TRIAL: Duration = Duration::from_secs(2);
/// The most pieces that the trial can get to.
const TRIAL_PIECES: u32 = 5;

/// `plan` for one variant.
pub struct Plan {
    /// Which slices.
    pub extent: Extent,
    /// Threads; one for each core if `None`.
    pub threads: Option<u16>,
}

impl Task for Plan {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let Extent { pieces, slice, distances } = self.extent;
        let most = slice.map_or(pieces.unwrap_or(PIECES), |slice| slice.pieces());
        let up_to = |pieces| Extent { pieces: Some(pieces), slice: None, distances }.job::<V>(pieces);
        let jobs: Vec<Job<V>> = match slice {
            Some(_) => vec![self.extent.job(most)?],
            None => (2..=most).map(up_to).collect::<Result<_, _>>()?,
        };
        let rate = self.measure::<V>()?;
        let mut out = io::stdout().lock();
        let mut write = |row: [String; 6]| {
            let [pieces, slices, positions, memory, disk, time] = row;
            writeln!(out, "{pieces:<9} {slices:>6} {positions:>17} {memory:>11} {disk:>10} {time:>12}")
        };
        write(["up to", "slices", "positions", "memory, MiB", "disk, MiB", "time"].map(String::from))?;
        for job in jobs {
            let name = slice.map_or_else(|| job.pieces().to_string(), |slice| slice.to_string());
            let positions = job.positions();
            let Resources { memory, disk } = Resources::of(&job, |_| false);
            let numbers = [job.slices().count() as u64, positions, mebibytes(memory), mebibytes(disk)];
            let [slices, positions_text, memory, disk] = numbers.map(|number| number.to_string());
            write([name, slices, positions_text, memory, disk, clock(positions as f64 / rate)])?;
        }
        Ok(())
    }
}

impl Plan {
    /// Positions that this machine solves in a second.
    fn measure<V: Variant>(&self) -> anyhow::Result<f64> {
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        let job = Job::<V>::up_to(TRIAL_PIECES)?.with_distances(self.extent.distances);
        let monitor = Monitor::default();
        let started = Instant::now();
        let (trial, time) = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(TRIAL);
                monitor.stop();
            });
            let trial = pool.install(|| job.run::<GenerateError>(Tables::default(), &monitor, |_| Ok(())));
            // The other thread may still sleep.
            (trial, started.elapsed())
        });
        match trial {
            Ok(_) | Err(GenerateError::Stopped) => {}
            Err(error) => return Err(error.into()),
        }
        let positions = monitor.progress().map_or(0, |progress| progress.positions);
        Ok(positions.max(1) as f64 / time.as_secs_f64())
    }
}
