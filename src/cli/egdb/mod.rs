//! `meerslag egdb`: endgame databases.

mod build;
mod pack;
mod plan;
mod probe;
mod progress;
mod resources;
mod stats;
mod verify;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::UsageError;
use crate::egdb::{Databases, FileError, GenerateError, Job, Kind, MAX_PIECES, Slice, SliceFile};
use crate::engine::open_databases;
use crate::variant::{International, Variant, VariantId};

const EXAMPLES: &str = "\
Examples:
  meerslag egdb plan
  meerslag egdb build --pieces 5
  meerslag egdb stats --dir databases
  meerslag egdb probe W:WK7,K30:B45
  meerslag egdb verify --variant brazilian
  meerslag egdb build --variant brazilian --pieces 5 --dir databases --threads 2
  meerslag egdb build --slice KKKKK-K --dir databases";

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
    /// Values and distances are those of the rules of movement: no rule that counts moves or repetitions is
    /// applied. There are none for Frisian, which limits moves with one king. Ctrl-C ends the build; the
    /// same command goes on with it later.
    Build {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        extent: Extent,
        /// Threads [default: one for each core]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Refuse a job that needs more memory than this, in MiB [default: what is available]
        #[arg(long, value_name = "MIB")]
        memory: Option<u64>,
    },
    /// Print what `build` would make, and the memory, disk space and time that it would need
    ///
    /// The time is estimated from a few seconds of generating on this machine.
    Plan {
        /// The game, as for `build` [default: normal]
        #[arg(long, value_name = "NAME")]
        variant: Option<VariantId>,
        #[command(flatten)]
        extent: Extent,
        /// Threads, as for `build`
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
    },
    /// Write all files of a variant in a folder into one, as they are part of the program
    Pack {
        #[command(flatten)]
        place: Place,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Print how many positions of each slice are won, drawn and lost for the side to move, and a
    /// position with the longest win
    Stats {
        #[command(flatten)]
        source: Source,
        /// Print a JSON object for each slice
        #[arg(long)]
        json: bool,
    },
    /// Print the value of a position and of every move in it
    Probe {
        #[command(flatten)]
        source: Source,
        /// The position, as a FEN or as in Hub
        #[arg(value_name = "FEN")]
        position: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check that every value follows from the rules and from the values that the moves lead to
    ///
    /// Ends with an error if a position is wrong or a file is damaged.
    Verify {
        #[command(flatten)]
        source: Source,
        /// Check all positions of up to so many pieces, which takes up to two bytes of memory for each
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PIECES)))]
        whole: u32,
        /// Check so many random positions of each larger slice
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        sample: u64,
        /// Print a JSON object for each slice
        #[arg(long)]
        json: bool,
    },
}

/// Which databases, and where.
#[derive(Debug, clap::Args)]
struct Place {
    /// The game: normal (International), killer, bt (Breakthrough), losing; on 8x8 brazilian,
    /// russian [default: normal]
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
    /// Folder of the files [default: where the engine looks for the user's own]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Place {
    /// The folder, and the game.
    fn settle(self) -> anyhow::Result<(PathBuf, VariantId)> {
        let folder = self.dir.or_else(Databases::<International>::user_folder);
        Ok((
            folder.context("this system has no folder for files of a user: say which with --dir")?,
            self.variant.unwrap_or_default(),
        ))
    }
}

/// Which databases to read.
#[derive(Debug, clap::Args)]
struct Source {
    /// The game: normal (International), killer, bt (Breakthrough), losing; on 8x8 brazilian,
    /// russian [default: normal]
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
    /// Folder with databases besides those that are part of the program [default: the user's own]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Source {
    /// The databases; files that cannot be used are named on standard error. Those of a folder that was
    /// named go before those of the program.
    fn open<V: Variant>(&self) -> anyhow::Result<Databases<V>> {
        let Some(folder) = &self.dir else {
            let (databases, errors) = open_databases(None);
            errors.iter().for_each(|error| eprintln!("{error}"));
            return Ok(databases);
        };
        if !folder.is_dir() {
            return Err(UsageError(format!("`{}` is not a folder", folder.display())).into());
        }
        let mut databases = Databases::default();
        databases.add_folder(folder).iter().for_each(|error| eprintln!("{error}"));
        databases.add_embedded();
        Ok(databases)
    }
}

/// Which slices.
#[derive(Clone, Debug, clap::Args)]
struct Extent {
    /// The most pieces on the board [default: 4; 6 for `plan`]
    #[arg(long, value_name = "N", conflicts_with = "slice", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
    pieces: Option<u32>,
    /// Only the positions with this material, such as MMK-MK, its mirror, and all that they lead to
    #[arg(long, value_name = "SLICE")]
    slice: Option<Slice>,
    /// Distances to the end of the game for up to so many pieces; beyond, values only
    #[arg(long, value_name = "N", default_value_t = 4)]
    distances: u32,
}

impl Extent {
    /// The job for these slices.
    fn job<V: Variant>(&self, pieces: u32) -> Result<Job<V>, GenerateError> {
        let job = match self.slice {
            Some(slice) => Job::of_slice(slice),
            None => Job::up_to(self.pieces.unwrap_or(pieces)),
        };
        Ok(job?.with_distances(self.distances))
    }
}

impl Args {
    /// Runs the command.
    ///
    /// # Errors
    /// If there is no such database, a file cannot be read or written, or the output fails.
    pub fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build { place, extent, threads, memory } => {
                let (folder, variant) = place.settle()?;
                variant.dispatch(build::Build { folder, extent, threads, memory })
            }
            Action::Plan { variant, extent, threads } => {
                variant.unwrap_or_default().dispatch(plan::Plan { extent, threads })
            }
            Action::Pack { place, out } => {
                let (folder, variant) = place.settle()?;
                variant.dispatch(pack::Pack { folder, out })
            }
            Action::Stats { source, json } => {
                source.variant.unwrap_or_default().dispatch(stats::Stats { source, json })
            }
            Action::Probe { source, position, json } => {
                source.variant.unwrap_or_default().dispatch(probe::Probe { source, position, json })
            }
            Action::Verify { source, whole, sample, json } => {
                source.variant.unwrap_or_default().dispatch(verify::Verify { source, whole, sample, json })
            }
        }
    }
}

/// Opens the file of a slice; `None` if there is none.
fn open<V: Variant>(folder: &Path, slice: Slice, kind: Kind) -> Result<Option<SliceFile<V>>, FileError> {
    match SliceFile::open(folder, slice, kind) {
        Ok(file) => Ok(Some(file)),
        Err(FileError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
