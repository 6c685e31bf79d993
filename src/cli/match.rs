//! `meerslag match`: engine against engine.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::json;

use crate::cli::{UsageError, watch, write_json};
use crate::tournament::Stop;
use crate::tournament::adjudication::{DrawByScore, Resign};
use crate::tournament::config::Config;
use crate::tournament::control::ClockSpec;
use crate::tournament::openings::Source;
use crate::tournament::record::Recorder;
use crate::tournament::report::{Progress, Report};
use crate::tournament::runner::{Finish, Match, MatchError};
use crate::tournament::spec::PlayerSpec;
use crate::tournament::sprt::{Sprt, SprtState};
use crate::tournament::standings::{Outcome, Score, Standings};
use crate::variant::{Task, Variant, VariantId};

/// Options of `match`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Play engines against each other, with statistics",
    long_about = "Plays a match of two players, or of several all against all: this engine in process with any \
                  parameters, any Hub engine, or programs that speak DXP. Every opening is played twice with colors exchanged. Prints a table \
                  with Elo, likelihood of superiority, pairs, speed, overruns and faults. An engine that crashes, \
                  hangs, comes late or plays illegally loses that game, is started again, and the match goes on. \
                  Ctrl-C ends the match with the statistics so far.",
    after_help = "Examples:\n  \
                  meerslag match --games 100 --nodes 1000\n  \
                  meerslag match --player name=big,hash=64 --player name=small,hash=1 --time 0.1\n  \
                  meerslag match --player name=new --player \"name=old,cmd=old/meerslag hub\" --nodes 5000 \
                  --sprt elo0=0,elo1=5 --games 20000 --out new-old\n  \
                  meerslag match --player name=new --player name=moby,dxp=localhost:27531 --clock 75/300\n  \
                  meerslag match --config match.toml --out match --resume\n\n\
                  docs/match.md describes players, openings, files and statistics."
)]
pub struct Args {
    /// Read the match from this file; options given here go before it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A player: name, cmd (a Hub engine; this engine without), protocol (hub, hub1), dxp (HOST:PORT or
    /// listen:PORT: a program that speaks DXP), retry, dir, env.NAME, time, clock, nodes, depth, and any
    /// parameter of the engine; may be repeated
    #[arg(long = "player", value_name = "NAME=VALUE,...")]
    players: Vec<PlayerSpec>,
    /// The game [default: normal]
    #[arg(long, value_name = "NAME")]
    variant: Option<VariantId>,
    /// Games between every two players [default: 100]
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Games at a time; 0 for the number of processors divided by the threads of an engine [default: 0]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Seconds a move [default: 0.1 if nothing else is limited]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// A game clock in seconds, as 60, 60+0.5, 40/60 or 40/60+0.5
    #[arg(long, value_name = "[MOVES/]TIME[+INC]")]
    clock: Option<ClockSpec>,
    /// Nodes a move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Seconds by which a move may be late before the game is lost [default: 0.1]
    #[arg(long, value_name = "SECONDS")]
    margin: Option<f64>,
    /// Seconds without an answer, beyond the time allowed, after which an engine counts as hung [default: 30]
    #[arg(long, value_name = "SECONDS")]
    hang: Option<f64>,
    /// Where games begin: start, ballots:PLIES, random:PLIES, fen:POSITION, or a file of PDN games or FEN lines
    /// [default: random:8]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<Source>,
    /// Plies taken of each game of a PDN file of openings [default: all]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// How uneven, in men, ballots and random openings may be [default: 0.5]
    #[arg(long, value_name = "MEN")]
    balance: Option<f64>,
    /// From what everything random follows [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The draw rules in force [default: default]
    #[arg(long, value_name = "NAME")]
    draw_rules: Option<String>,
    /// How a king against a king is treated [default: exact]
    #[arg(long, value_name = "NAME")]
    kvk: Option<String>,
    /// End a game that both engines see decided [default of the values: score=4,moves=3]
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 0..=1, default_missing_value = "")]
    resign: Option<Resign>,
    /// End a game that both engines see even [default of the values: score=0.1,moves=8,from=40]
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 0..=1, default_missing_value = "")]
    draw: Option<DrawByScore>,
    /// End a game after this many moves each behind the opening
    #[arg(long, value_name = "N")]
    move_limit: Option<usize>,
    /// Who wins at the move limit [default: piece-count]
    #[arg(long, value_name = "HOW", value_enum)]
    at_move_limit: Option<AtMoveLimit>,
    /// End the match when a sequential test decides [default of the values:
    /// elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic]
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 0.., value_delimiter = ',')]
    sprt: Option<Vec<String>>,
    /// Write the games to NAME.pdn and what is needed to resume the match to NAME.jsonl
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// Go on with the match of these files
    #[arg(long)]
    resume: bool,
    /// Print a line of JSON for the match, each game and the result instead of the table
    #[arg(long)]
    json: bool,
}

/// Who wins at the move limit.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AtMoveLimit {
    /// Most pieces, then most kings
    PieceCount,
    /// Nobody
    Draw,
}

impl Args {
    /// Plays the match.
    ///
    /// # Errors
    /// If it is described wrongly, a player does not start, or a file cannot be written.
    pub fn run(self) -> Result<()> {
        let config = self.config()?;
        let usage = |error: &dyn std::fmt::Display| UsageError(error.to_string());
        let config = config.completed().map_err(|error| usage(&error))?;
        if self.resume && config.out.is_none() {
            return Err(usage(&"--resume needs --out").into());
        }
        play(config, self.resume, self.json)
    }

    /// The file with the options over it.
    fn config(&self) -> Result<Config> {
        let mut config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
                Config::from_toml(&text).map_err(|error| UsageError(format!("`{}`: {error}", path.display())))?
            }
        };
        if !self.players.is_empty() {
            config.players.clone_from(&self.players);
        }
        if self.time.is_some() || self.clock.is_some() || self.nodes.is_some() || self.depth.is_some() {
            (config.time, config.clock) = (self.time, self.clock);
            (config.nodes, config.depth) = (self.nodes, self.depth);
        }
        set(&mut config.variant, &self.variant);
        set(&mut config.games, &self.games);
        set(&mut config.concurrency, &self.concurrency);
        set(&mut config.margin, &self.margin);
        set(&mut config.hang, &self.hang);
        set(&mut config.openings, &self.openings);
        set(&mut config.balance, &self.balance);
        set(&mut config.seed, &self.seed);
        set(&mut config.draw_rules, &self.draw_rules);
        set(&mut config.kvk, &self.kvk);
        set(&mut config.at_move_limit, &self.at_move_limit.map(Into::into));
        config.opening_plies = self.opening_plies.or(config.opening_plies);
        config.resign = self.resign.or(config.resign);
        config.draw = self.draw.or(config.draw);
        config.move_limit = self.move_limit.or(config.move_limit);
        config.out = self.out.clone().or(config.out);
        if let Some(values) = &self.sprt {
            let sprt = values.join(",").parse::<Sprt>();
            config.sprt = Some(sprt.map_err(|error| UsageError(format!("--sprt: {error}")))?);
        }
        Ok(config)
    }
}

/// Replaces a setting by an option, if that was given.
fn set<T: Clone>(setting: &mut T, option: &Option<T>) {
    if let Some(value) = option {
        setting.clone_from(value);
    }
}

impl From<AtMoveLimit> for crate::tournament::adjudication::AtMoveLimit {
    fn from(how: AtMoveLimit) -> Self {
        match how {
            AtMoveLimit::PieceCount => Self::PieceCount,
            AtMoveLimit::Draw => Self::Draw,
        }
    }
}

/// Plays a match, completed and checked, and shows its results.
///
/// # Errors
/// If a player does not start, or a file cannot be written.
pub(super) fn play(config: Config, resume: bool, json: bool) -> Result<()> {
    config.variant.dispatch(Play { config, resume, json })
}

struct Play {
    config: Config,
    resume: bool,
    json: bool,
}

impl Task for Play {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self { config, resume, json } = self;
        let interrupts = watch::interrupts()?;
        let stop = Stop::default();
        let interrupted = stop.clone();
        // The thread outlives the match: nobody can wait for a key that is not pressed.
        thread::spawn(move || interrupts.recv().is_ok().then(|| interrupted.set()));
        let prepared = Match::<V>::new(config, &stop).and_then(|the_match| {
            // Other programs may be waiting for this line.
            let players = the_match.start(&stop, &mut |text| eprintln!("{text}"))?;
            Ok((the_match, players))
        });
        let (the_match, players) = match prepared {
            Err(_) if stop.is_set() => bail!("the match was stopped before it began"),
            prepared => prepared?,
        };
        let config = &the_match.config;
        the_match.notes().iter().for_each(|note| eprintln!("note: {note}"));
        let mut standings = Standings::new(config.players.len());
        let mut recorder = match &config.out {
            None => None,
            Some(out) if !resume => Some(Recorder::create(out, config)?),
            Some(out) => {
                let (recorder, outcomes) = Recorder::resume(out, config, |number| the_match.planned(number))?;
                outcomes.iter().for_each(|outcome| standings.add(outcome));
                Some(recorder)
            }
        };
        let screen = Screen::new(json);
        let (games, openings) = (the_match.games(), the_match.openings.len());
        screen.begin(&Report { config, standings: &standings, games, openings })?;
        let finish = the_match.run(players, &mut standings, &stop, &mut |played, outcome, standings| {
            if let Some(recorder) = &mut recorder {
                recorder.write(config, played, outcome)?;
            }
            let report = Report { config, standings, games, openings };
            Ok(screen.game(outcome, &report, the_match.sprt(standings))?)
        });
        screen.end(&Report { config, standings: &standings, games, openings }, finish, the_match.sprt(&standings))
    }
}

/// Where results go: JSON or a table to standard output, progress to a terminal on standard error.
struct Screen {
    json: bool,
    progress: bool,
}

/// One player in the JSON of the result.
#[derive(Serialize)]
struct PlayerResult<'a> {
    name: &'a str,
    #[serde(flatten)]
    score: &'a Score,
    estimate: Option<crate::tournament::elo::Estimate>,
}

fn player_results<'a>(report: &'a Report) -> Vec<PlayerResult<'a>> {
    let players = report.config.players.iter().zip(&report.standings.scores);
    players.map(|(player, score)| PlayerResult { name: &player.name, score, estimate: score.estimate() }).collect()
}

impl Screen {
    fn new(json: bool) -> Self {
        Self { json, progress: io::stderr().is_terminal() }
    }

    fn begin(&self, report: &Report) -> io::Result<()> {
        let Report { config, standings, games, openings } = report;
        if self.json {
            let line = json!({
                "type": "match", "games": games, "resumed": standings.games, "openings": openings, "settings": config
            });
            write_json(&mut io::stdout(), &line)?;
        }
        Ok(())
    }

    fn game(&self, outcome: &Outcome, report: &Report, sprt: Option<SprtState>) -> io::Result<()> {
        if self.json {
            let estimate = report.standings.scores[0].estimate();
            let line = json!({ "type": "game", "game": outcome, "estimate": estimate, "sprt": sprt });
            write_json(&mut io::stdout(), &line)?;
        }
        if self.progress {
            // The line before it may be longer.
            eprint!("\r{:<100}", Progress(report).to_string());
        }
        Ok(())
    }

    fn end(&self, report: &Report, finish: Result<Finish, MatchError>, sprt: Option<SprtState>) -> Result<()> {
        if self.progress {
            eprintln!();
        }
        let word = match &finish {
            Ok(Finish::Complete) => "complete",
            Ok(Finish::Decided) => "decided",
            Ok(Finish::Stopped) => "stopped",
            Err(_) => "failed",
        };
        let mut out = io::stdout();
        if self.json {
            let players = player_results(report);
            let games = report.standings.games;
            let line = json!({ "type": "result", "finish": word, "games": games, "players": players, "sprt": sprt });
            write_json(&mut out, &line)?;
        } else if finish.is_ok() || report.standings.games > 0 {
            write!(out, "{report}")?;
            if matches!(finish, Ok(Finish::Stopped)) {
                writeln!(out, "the match was stopped")?;
            }
        }
        finish?;
        Ok(())
    }
}
