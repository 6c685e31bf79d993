//! `meerslag egdb`: endgame databases.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::egdb::{
    Counts, FileError, GenerateError, Index, MAX_PIECES, Slice, SliceFile, Table, Tables, file, generate, memory_needed,
};
use crate::variant::{Task, Variant, VariantId};

const EXAMPLES: &str = "\
Examples:
  meerslag egdb plan
  meerslag egdb build --pieces 4 --dir databases
  meerslag egdb stats --dir databases
  meerslag egdb build --variant brazilian --pieces 5 --dir databases --threads 2";

/// Endgame databases: the value of every position with few pieces.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Generate databases; slices that are in the folder already are kept
    ///
    /// Values are those of the rules of movement: no rule that counts moves or repetitions is
    /// applied. There are none for Frisian, which limits moves with one king.
    Build {
        #[command(flatten)]
        place: Place,
        /// The most pieces on the board
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
        pieces: u32,
        /// Threads [default: one for each core]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Refuse a job that needs more memory than this, in MiB
        #[arg(long, value_name = "MIB")]
        memory: Option<u64>,
    },
    /// Print how many positions there are, by number of pieces, and the memory that `build` needs
    Plan {
        /// The game, as for `build` [default: normal]
        #[arg(long, value_name = "NAME")]
        variant: Option<VariantId>,
        /// The most pieces on the board
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
        pieces: u32,
    },
    /// Print how many positions of each slice are won, drawn and lost for the side to move
    Stats {
        #[command(flatten)]
        place: Place,
    },
}

/// Which databases, and where.
#[derive(Debug, clap::Args)]
struct Place {
    /// The game: normal (International), killer, bt (Breakthrough), losing; on 8x8 brazilian,
    /// russian [default: normal]
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
    /// Folder of the files
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
}

impl Args {
    /// Runs the command.
    ///
    /// # Errors
    /// If there is no such database, a file cannot be read or written, or the output fails.
    pub fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build { place, pieces, threads, memory } => {
                place.variant.unwrap_or_default().dispatch(Build { folder: place.dir, pieces, threads, memory })
            }
            Action::Plan { variant, pieces } => variant.unwrap_or_default().dispatch(Plan { pieces }),
            Action::Stats { place } => place.variant.unwrap_or_default().dispatch(Stats { folder: place.dir }),
        }
    }
}

/// Opens the file of a slice; `None` if there is none.
fn open<V: Variant>(folder: &Path, slice: Slice) -> Result<Option<SliceFile<V>>, FileError> {
    match SliceFile::open(folder, slice) {
        Ok(file) => Ok(Some(file)),
        Err(FileError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// `build` for one variant.
struct Build {
    folder: PathBuf,
    pieces: u32,
    threads: Option<u16>,
    memory: Option<u64>,
}

/// Why `build` stopped.
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
        let needed = mebibytes(memory_needed::<V>(self.pieces)?);
        if let Some(allowed) = self.memory.filter(|allowed| *allowed < needed) {
            bail!("{} pieces need {needed} MiB of memory, {allowed} MiB are allowed", self.pieces);
        }
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        pool.install(|| self.build::<V>())?;
        Ok(())
    }
}

impl Build {
    fn build<V: Variant>(&self) -> Result<(), BuildError> {
        let mut known = Tables::<V>::default();
        for slice in (2..=self.pieces).flat_map(Slice::all::<V>) {
            match open::<V>(&self.folder, slice) {
                Ok(Some(file)) => known.insert(file.table()),
                Ok(None) => {}
                // It is made again.
                Err(error) => eprintln!("{error}"),
            }
        }
        let mut started = Instant::now();
        generate(self.pieces, known, |table: &Table<V>| {
            file::write(&self.folder, table)?;
            let Counts { win, draw, loss } = table.counts();
            let (slice, seconds) = (table.index().slice(), started.elapsed().as_secs_f64());
            eprintln!("{slice}: {win} won, {draw} drawn, {loss} lost, {seconds:.1} s");
            started = Instant::now();
            Ok::<(), BuildError>(())
        })?;
        Ok(())
    }
}

/// Rounded up.
const fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// `plan` for one variant.
struct Plan {
    pieces: u32,
}

impl Task for Plan {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        let mut write = |row: [String; 4]| {
            let [pieces, slices, positions, memory] = row;
            writeln!(out, "{pieces:<6} {slices:>6} {positions:>17} {memory:>11}")
        };
        let memory = (2..=self.pieces).map(memory_needed::<V>).collect::<Result<Vec<_>, _>>()?;
        write(["pieces", "slices", "positions", "memory, MiB"].map(String::from))?;
        for (pieces, bytes) in (2..).zip(memory) {
            let slices = Slice::all::<V>(pieces);
            let positions: u64 = slices.iter().map(|slice| Index::<V>::new(*slice).len()).sum();
            write([pieces.to_string(), slices.len().to_string(), positions.to_string(), mebibytes(bytes).to_string()])?;
        }
        Ok(())
    }
}

/// `stats` for one variant.
struct Stats {
    folder: PathBuf,
}

impl Task for Stats {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let files =
            (2..=MAX_PIECES).flat_map(Slice::all::<V>).filter_map(|slice| open::<V>(&self.folder, slice).transpose());
        let rows = files.map(|file| file.map(|file| (file.index().slice(), file.counts(), file.size())));
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        let mut out = io::stdout().lock();
        let (mut sum, mut size) = (Counts::default(), 0);
        write_row(&mut out, "slice", ["positions", "won", "drawn", "lost", "bytes"])?;
        for (slice, counts, bytes) in rows {
            write_counts(&mut out, &slice.to_string(), counts, bytes)?;
            sum += counts;
            size += bytes;
        }
        write_counts(&mut out, "total", sum, size)?;
        Ok(())
    }
}

fn write_counts(out: &mut impl Write, name: &str, counts: Counts, bytes: usize) -> io::Result<()> {
    let Counts { win, draw, loss } = counts;
    write_row(out, name, [counts.total(), win, draw, loss, bytes as u64])
}

fn write_row<T: ToString>(out: &mut impl Write, name: &str, columns: [T; 5]) -> io::Result<()> {
    write!(out, "{name:<9}")?;
    for column in columns {
        write!(out, " {:>13}", column.to_string())?;
    }
    writeln!(out)
}
