//! `meerslag train`: weights from games.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::cli::{UsageError, watch};
use crate::datagen::{Reader, RecordError};
use crate::eval::weights::{Manifest, Weights};
use crate::trainer::curve;
use crate::trainer::export;
use crate::trainer::fit::{Epoch, Options, fit};
use crate::trainer::model::Model;
use crate::trainer::samples::{Collector, Samples};
use crate::util::checksum::checksum;
use crate::variant::{Task, Variant, VariantId};

/// Options of `train`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Fit the weights of the evaluation to games",
    long_about = "Fits the weights of the evaluation to games of `meerslag datagen`: quiet positions with their \
                  results and scores. One game of each chunk of 32 is held out; fitting ends when the positions of those are no \
                  longer told better. Prints a table of the loss pass by pass. The weights follow from the games, \
                  the options and the seed alone. Ctrl-C ends fitting after the running pass; the best weights so \
                  far are written.",
    after_help = "Examples:\n  \
                  meerslag train games.mdg --out first.weights\n  \
                  meerslag train games.mdg more.mdg --out second.weights --curve loss.svg\n  \
                  meerslag train new.mdg --start second.weights --out third.weights\n  \
                  meerslag match --player name=new,weights=first.weights --player name=old\n  \
                  meerslag train --variant brazilian small.mdg --out small.weights --result 1"
)]
pub struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights to start from, in place of nothing
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// The game [default: normal]
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
    /// Share of the result of the game in what is learned; the rest is the score of the search
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    result: f32,
    /// Most passes over the positions
    #[arg(long, value_name = "N", default_value_t = Options::default().epochs, value_parser = above_zero)]
    epochs: usize,
    /// Positions that are learned from together
    #[arg(long, value_name = "N", default_value_t = Options::default().batch, value_parser = above_zero)]
    batch: usize,
    /// How far weights move at first
    #[arg(long, value_name = "RATE", default_value_t = Options::default().rate)]
    rate: f32,
    /// From what the games held out, the order of positions and the first weights of the network follow
    #[arg(long, value_name = "N", default_value_t = Options::default().seed)]
    seed: u64,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write a picture of the loss, as SVG
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Number of the generation, to be kept with the weights
    #[arg(long, value_name = "N", default_value_t = 0)]
    generation: u32,
}

fn above_zero(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "not a number above 0".into())
}

impl Args {
    /// Trains.
    ///
    /// # Errors
    /// If a file cannot be read or written, or holds no positions.
    pub fn run(self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.result) {
            return Err(UsageError(format!("--result: `{}` is no share between 0 and 1", self.result)).into());
        }
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(UsageError(format!("--rate: `{}` is not above 0", self.rate)).into());
        }
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        self.variant.unwrap_or_default().dispatch(Train { args: self, pool })
    }
}

struct Train {
    args: Args,
    pool: rayon::ThreadPool,
}

impl Task for Train {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self { args, pool } = self;
        args.check_outputs()?;
        let first = args.start.as_deref().map(Weights::read::<V>).transpose()?;
        let (samples, games) = pool.install(|| args.samples::<V>())?;
        let scale = samples.score_scale;
        let start = first.as_ref();
        let start = start.map_or_else(|| Model::new::<V>(args.seed), |weights| Model::of_weights::<V>(weights, scale));
        let options = Options { epochs: args.epochs, batch: args.batch, rate: args.rate, seed: args.seed };
        let interrupts = watch::interrupts()?;
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = stopped.clone();
        // The thread outlives the fit: nobody can wait for a key that is not pressed.
        thread::spawn(move || interrupts.recv().is_ok().then(|| stop.store(true, Relaxed)));
        let _ = writeln!(io::stdout(), "pass      rate   loss while learning   loss held out   seconds");
        let started = Instant::now();
        let tell = |epoch: Epoch| {
            let Epoch { number, rate, fit, held_out } = epoch;
            let seconds = started.elapsed().as_secs_f64();
            // Whoever read the table has had enough of it; the weights are still wanted.
            let _ = writeln!(io::stdout(), "{number:>4} {rate:>9.5} {fit:>21.6} {held_out:>15.6} {seconds:>9.1}");
            !stopped.load(Relaxed)
        };
        let (model, epochs) = pool.install(|| fit::<V>(&start, &samples, &options, tell));
        let Some(model) = model else {
            bail!(
                "nothing was learned: other games are told no better than {}; is --rate {} too high?",
                if first.is_some() { "before" } else { "by chance" },
                args.rate
            );
        };
        let best = epochs.iter().map(|epoch| epoch.held_out).fold(f64::INFINITY, f64::min);
        let manifest = Manifest {
            engine: concat!("meerslag ", env!("CARGO_PKG_VERSION")).into(),
            generation: args.generation,
            start: first.as_ref().map(Weights::name),
            games,
            positions: samples.fit.len() as u64,
            epochs: epochs.len(),
            loss: best,
            seed: args.seed,
            ..Manifest::default()
        };
        let weights = export::weights::<V>(&model, &samples, manifest);
        weights.write(&args.out)?;
        if let Some(path) = &args.curve {
            let title = format!("{}: loss of {}", V::ID, args.out.display());
            fs::write(path, curve::svg(&title, &epochs)).with_context(|| format!("{}", path.display()))?;
        }
        args.tell(&weights)
    }
}

impl Args {
    /// The positions of all files, and digests of these.
    fn samples<V: Variant>(&self) -> Result<(Samples, Vec<String>)> {
        let mut collector = Collector::new(self.seed);
        let mut digests = Vec::new();
        // The same games twice would count twice, and be held out as well as learned from.
        let (mut seen, mut repeated) = (HashSet::new(), 0);
        for path in &self.files {
            let mut reader = Reader::<V>::open(path)?;
            loop {
                match reader.next_chunk() {
                    Ok(Some(chunk)) if !seen.insert((reader.settings().key(), chunk.number)) => repeated += 1,
                    Ok(Some(chunk)) => collector.add(&chunk),
                    Ok(None) => break,
                    Err(error @ RecordError::Damaged { .. }) => eprintln!("warning: {error}; it is left out"),
                    Err(error) => return Err(error.into()),
                }
            }
            eprintln!("{}: {} games so far", path.display(), collector.games());
            digests.push(digest(path)?);
        }
        if repeated > 0 {
            eprintln!("{repeated} chunks of games were there twice and are left out");
        }
        let samples = collector.finish(self.result);
        if samples.fit.is_empty() || samples.held_out.is_empty() {
            bail!("too few games: {} positions to fit to, {} held out", samples.fit.len(), samples.held_out.len());
        }
        eprintln!(
            "{} different positions to fit to, {} held out; a score of {:.2} men means 73 % of the points",
            samples.fit.len(),
            samples.held_out.len(),
            samples.score_scale / 100.0
        );
        Ok((samples, digests))
    }

    /// Tries the outputs before anything is computed.
    fn check_outputs(&self) -> Result<()> {
        for path in [Some(&self.out), self.curve.as_ref()].into_iter().flatten() {
            let is_new = !path.exists();
            fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .with_context(|| format!("cannot write {}", path.display()))?;
            if is_new {
                fs::remove_file(path).with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }

    fn tell(&self, weights: &Weights) -> Result<()> {
        let bytes = fs::metadata(&self.out)?.len();
        let chances = weights.manifest.chances;
        let mut out = io::stdout();
        writeln!(out, "{}: weights {}, {bytes} bytes", self.out.display(), weights.name())?;
        writeln!(
            out,
            "half of the games are won at {:.2} men (scale {:.2})",
            chances.half / 100.0,
            chances.scale / 100.0
        )?;
        Ok(())
    }
}

/// A digest of a file, as kept with weights.
fn digest(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("{}", path.display()))?;
    Ok(format!("{:016x}", checksum(&bytes)))
}
