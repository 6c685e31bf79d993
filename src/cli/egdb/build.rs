//! `egdb build`: generating databases.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::Context;

use super::progress::{report, shown};
use super::resources::{Resources, mebibytes};
use super::{Extent, open};
use crate::cli::watch;
use crate::egdb::{Counts, Databases, FileError, GenerateError, Job, Kind, Monitor, Slice, Table, Tables, file};
use crate::variant::{Task, Variant};

/// Most pieces if nothing is said.
const PIECES: u32 = 4;

/// `build` for one variant.
pub struct Build {
    /// Where the files go.
    pub folder: PathBuf,
    /// Which slices.
    pub extent: Extent,
    /// Threads; one for each core if `None`.
    pub threads: Option<u16>,
    /// Most memory in MiB.
    pub memory: Option<u64>,
}

/// Why `build` ended early.
#[derive(Debug, thiserror::Error)]
enum BuildError {
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl Task for Build {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let whole = self.extent.job::<V>(PIECES)?;
        let done = self.done(&whole);
        let job = remaining(&whole, &done)?;
        let resources = Resources::of(&job, |slice| done.contains(&slice));
        resources.check(&self.folder, self.memory)?;
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        if job.positions() == 0 {
            return Ok(());
        }
        let Resources { memory, disk } = resources;
        let (slices, positions) = (job.slices().count(), job.positions());
        let (memory, disk) = (mebibytes(memory), mebibytes(disk));
        eprintln!("{slices} slices, {positions} positions: {memory} MiB of memory, up to {disk} MiB on disk");
        let monitor = stopped_by_interrupt()?;
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        let built = shown(&monitor, positions, || pool.install(|| self.build(&job, &done, &monitor)));
        match built {
            Err(BuildError::Generate(GenerateError::Stopped)) => {
                report("stopped: finished slices are kept, and the same command goes on from there");
                Ok(())
            }
            built => Ok(built?),
        }
    }
}

/// A monitor that Ctrl-C tells to stop.
fn stopped_by_interrupt() -> anyhow::Result<Arc<Monitor>> {
    let interrupts = watch::interrupts()?;
    let monitor = Arc::new(Monitor::default());
    let stopped = Arc::clone(&monitor);
    // The thread outlives the build: nobody can wait for a key that is not pressed.
    thread::spawn(move || interrupts.recv().is_ok().then(|| stopped.stop()));
    Ok(monitor)
}

/// What is left of a job. A slice whose file is whole is solved again if another one needs its table and that
/// cannot be read, since its captures lead to a slice without a file.
fn remaining<V: Variant>(whole: &Job<V>, done: &BTreeSet<Slice>) -> Result<Job<V>, GenerateError> {
    let mut readable = done.clone();
    loop {
        let job = whole.clone().without(|slice| readable.contains(&slice));
        let mut unreadable = Vec::new();
        for slice in job.needs() {
            if !Job::<V>::of_slice(slice)?.slices().all(|other| done.contains(&other)) {
                unreadable.push(slice);
            }
        }
        if unreadable.is_empty() {
            return Ok(job);
        }
        unreadable.iter().for_each(|slice| _ = readable.remove(slice));
    }
}

impl Build {
    /// The slices of a job whose files are whole.
    fn done<V: Variant>(&self, job: &Job<V>) -> BTreeSet<Slice> {
        let is_whole = |slice: Slice, kind: Kind| match open::<V>(&self.folder, slice, kind) {
            Ok(None) => Ok(false),
            Ok(Some(file)) => file.check_sum().map(|()| true),
            Err(error) => Err(error),
        };
        let is_done = |slice: &Slice| {
            let kinds = Kind::ALL.into_iter().filter(|kind| *kind == Kind::Values || job.has_distances(*slice));
            kinds.map(|kind| is_whole(*slice, kind)).collect::<Result<Vec<_>, _>>().map_or_else(
                // It is made again.
                |error| {
                    eprintln!("{error}");
                    false
                },
                |kinds| kinds.iter().all(|whole| *whole),
            )
        };
        job.slices().filter(is_done).collect()
    }

    fn build<V: Variant>(&self, job: &Job<V>, done: &BTreeSet<Slice>, monitor: &Monitor) -> Result<(), BuildError> {
        let mut files = Databases::<V>::default();
        // What is damaged has been reported.
        files.add_folder(&self.folder);
        let mut known = Tables::default();
        for slice in job.needs() {
            known.insert(files.table(slice).expect("only slices with files are left out of the job")?);
        }
        let mut started = Instant::now();
        job.run(known, monitor, |table: &Table<V>| {
            let slice = table.index().slice();
            if !done.contains(&slice) {
                file::write(&self.folder, table)?;
                let Counts { win, draw, loss } = table.counts();
                let seconds = started.elapsed().as_secs_f64();
                report(&format!("{slice}: {win} won, {draw} drawn, {loss} lost, {seconds:.1} s"));
            }
            started = Instant::now();
            Ok::<(), BuildError>(())
        })?;
        Ok(())
    }
}
