//! `meerslag datagen`: games for training.

mod play;
mod show;
mod stats;

use std::path::PathBuf;

use anyhow::Result;

use self::play::Play;
use self::show::Show;
use self::stats::Stats;
use crate::cli::UsageError;
use crate::cli::engine_args::{EngineArgs, ForSelfPlay};
use crate::datagen::Settings;
use crate::tournament::openings::Source;
use crate::variant::VariantId;

const EXAMPLES: &str = "\
Examples:
  meerslag datagen --out games.mdg --games 100000
  meerslag datagen --out games.mdg --games 200000 --nodes 5000 --seed 7
  meerslag datagen stats games.mdg more.mdg
  meerslag datagen show games.mdg --games 3

The same command goes on where an earlier one was ended. Files of one variant are merged by appending one to the
other: cat more.mdg >> games.mdg";

/// Games of the engine against itself, for training.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Plays games of the engine against itself on all cores and appends them to a file. Games end by the \
                  rules, or as soon as the endgame databases know how they will. With the same openings and \
                  databases, games follow from the settings and the seed, whatever the number of threads. Ctrl-C \
                  ends the run; finished chunks of 32 games are kept.",
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print what files hold: settings, games, results, lengths, scores, bytes a position
    Stats {
        /// Files of one variant
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The game [default: normal]
        #[arg(long, value_name = "NAME")]
        variant: Option<VariantId>,
        /// Print a JSON object for each file
        #[arg(long)]
        json: bool,
    },
    /// Print games as PDN, each move with its score
    Show {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The game [default: normal]
        #[arg(long, value_name = "NAME")]
        variant: Option<VariantId>,
        /// The first game to print, counted from 1
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
        from: u64,
        /// How many
        #[arg(long, value_name = "N", default_value_t = 1)]
        games: u64,
    },
}

#[derive(Debug, clap::Args)]
struct PlayArgs {
    /// The file to write to
    #[arg(long, value_name = "FILE", required = true)]
    out: Option<PathBuf>,
    /// Games wanted in the file, rounded up to a multiple of 32
    #[arg(long, value_name = "N", required = true, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    games: Option<u64>,
    /// The game [default: normal]
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = Settings::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// From what everything random follows
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,
    /// Where games begin: start, ballots:PLIES, random:PLIES, or a file of PDN games or FEN lines
    #[arg(long, value_name = "SOURCE", default_value_t = Settings::default().openings)]
    openings: Source,
    /// Fewest random plies from there
    #[arg(long, value_name = "N", default_value_t = Settings::default().random_plies.0, value_parser = plies)]
    random_min: usize,
    /// Most random plies from there
    #[arg(long, value_name = "N", default_value_t = Settings::default().random_plies.1, value_parser = plies)]
    random_max: usize,
    /// How uneven, in men, games may begin
    #[arg(long, value_name = "MEN", default_value_t = Settings::default().balance)]
    balance: f64,
    /// Plies after the random ones in which one of the four best moves is played by chance
    #[arg(long, value_name = "N", default_value_t = Settings::default().temperature_plies)]
    temperature_plies: usize,
    /// A move that much worse, in men, is played 1/e times as often as the best
    #[arg(long, value_name = "MEN", default_value_t = Settings::default().temperature)]
    temperature: f64,
    #[command(flatten)]
    engine: EngineArgs<ForSelfPlay>,
}

/// Random plies after which a game hardly has anything left.
const MOST_RANDOM_PLIES: usize = 60;

fn plies(text: &str) -> Result<usize, String> {
    let plies = text.parse().ok().filter(|plies| *plies <= MOST_RANDOM_PLIES);
    plies.ok_or_else(|| format!("not within 0 to {MOST_RANDOM_PLIES}"))
}

impl Args {
    /// Plays games, or tells of them.
    ///
    /// # Errors
    /// If an argument makes no sense, or a file cannot be read or written.
    pub fn run(self) -> Result<()> {
        match self.action {
            Some(Action::Stats { files, variant, json }) => variant.unwrap_or_default().dispatch(Stats { files, json }),
            Some(Action::Show { file, variant, from, games }) => {
                variant.unwrap_or_default().dispatch(Show { file, from, games })
            }
            None => {
                let play = self.play.play()?;
                play.settings.variant.dispatch(play)
            }
        }
    }
}

impl PlayArgs {
    fn play(self) -> Result<Play> {
        let missing = |name: &str| UsageError(format!("--{name} is missing"));
        if self.random_min > self.random_max {
            let (min, max) = (self.random_min, self.random_max);
            return Err(UsageError(format!("--random-min {min} is above --random-max {max}")).into());
        }
        for (name, number) in [("balance", self.balance), ("temperature", self.temperature)] {
            if !(number.is_finite() && number >= 0.0) {
                return Err(UsageError(format!("--{name}: `{number}` is no number of men")).into());
            }
        }
        let settings = Settings {
            variant: self.variant.unwrap_or_default(),
            nodes: self.nodes,
            seed: self.seed,
            openings: self.openings,
            random_plies: (self.random_min, self.random_max),
            balance: self.balance,
            temperature_plies: self.temperature_plies,
            temperature: self.temperature,
            ..Settings::default()
        };
        Ok(Play {
            out: self.out.ok_or_else(|| missing("out"))?,
            games: self.games.ok_or_else(|| missing("games"))?,
            threads: self.threads,
            params: self.engine.params,
            settings,
        })
    }
}
