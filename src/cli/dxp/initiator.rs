//! `meerslag dxp --games N`: a match of this engine against a program that follows, by the match runner.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use crate::cli::{UsageError, matches};
use crate::engine::params::{PARAMS, Params};
use crate::protocol::dxp::NAME;
use crate::tournament::adjudication::AtMoveLimit;
use crate::tournament::config::Config;
use crate::tournament::control::ClockSpec;
use crate::tournament::openings::Source;
use crate::tournament::spec::{Meeting, PlayerSpec, Scalar};

/// Parameters that belong to the match or the dialogue, and `tt-size`, which is the same as `hash`.
const NOT_OF_THE_ENGINE: [&str; 6] = ["variant", "draw-rules", "kvk", "square-numbering", "log-file", "tt-size"];

/// Options of the side that asks for games.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Asking for games")]
pub struct Asking {
    /// Be the initiator: ask for so many games, then print the result; Ctrl-C ends the match before
    #[arg(long, value_name = "N")]
    pub games: Option<usize>,
    /// Minutes for each player and game; programs that read whole ones only do not know decimals
    #[arg(long, value_name = "MINUTES", default_value_t = 5.0, requires = "games")]
    minutes: f64,
    /// Moves of each player in a game, 0 for any number; what is not over after them is a draw
    #[arg(long, value_name = "N", default_value_t = 75, value_parser = clap::value_parser!(u32).range(..1000), requires = "games")]
    moves: u32,
    /// Most pieces, then most kings, win a game that is not over after these moves
    #[arg(long, requires = "games")]
    count_at_limit: bool,
    /// Where games begin, each place twice with colors exchanged: start, ballots:PLIES, random:PLIES,
    /// fen:POSITION, or a file of PDN games or FEN lines
    #[arg(long, value_name = "SOURCE", default_value = "ballots:2", requires = "games")]
    openings: Source,
    /// Seconds by which a clock may be overdrawn before the game is lost
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "games")]
    margin: f64,
    /// Name of the other program in the table and the files
    #[arg(long, value_name = "NAME", default_value = "opponent", requires = "games")]
    opponent: String,
    /// Write the games to NAME.pdn and what is needed to resume the match to NAME.jsonl
    #[arg(long, value_name = "NAME", requires = "games")]
    out: Option<PathBuf>,
    /// Go on with the match of these files
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print a line of JSON for the match, each game and the result instead of the table
    #[arg(long, requires = "games")]
    json: bool,
}

/// How long to wait for the other program.
pub struct Waits {
    /// While nobody listens.
    pub retry: Duration,
    /// While it says nothing, or does not connect.
    pub silence: Duration,
}

impl Asking {
    /// Plays the match.
    ///
    /// # Errors
    /// If it is described wrongly, the other program is not there, or a file cannot be written.
    pub fn play(self, games: usize, meeting: Meeting, waits: Waits, params: &Params, log: &str) -> Result<()> {
        let (resume, json) = (self.resume, self.json);
        let config = self.config(games, meeting, waits, params, log)?;
        let config = config.completed().map_err(|error| UsageError(error.to_string()))?;
        matches::play(config, resume, json)
    }

    fn config(self, games: usize, meeting: Meeting, waits: Waits, params: &Params, log: &str) -> Result<Config> {
        let value = |name: &str| {
            let info = PARAMS.iter().find(|info| info.name == name);
            info.map(|info| info.value(params)).unwrap_or_default()
        };
        let seconds = self.minutes * 60.0;
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| (1.0..=60_000.0).contains(&seconds));
        let time = time.ok_or_else(|| UsageError(format!("--minutes {}: not within 1/60 to 999", self.minutes)))?;
        let moves = Some(self.moves).filter(|moves| *moves > 0);
        let own = PARAMS.iter().filter(|info| !NOT_OF_THE_ENGINE.contains(&info.name));
        let own = own.map(|info| (info.name.into(), Scalar::Text(info.value(params))));
        let of_dialogue = [("square-numbering", value("square-numbering")), ("log-file", log.into())];
        let of_dialogue = of_dialogue.map(|(name, value)| (name.into(), Scalar::Text(value)));
        let wait = if matches!(meeting, Meeting::Connect(_)) { waits.retry } else { waits.silence };
        let opponent = PlayerSpec {
            name: self.opponent,
            dxp: Some(meeting),
            retry: Some(wait.as_secs_f64()),
            params: BTreeMap::from(of_dialogue),
            ..PlayerSpec::default()
        };
        Ok(Config {
            variant: params.variant,
            games,
            openings: self.openings,
            clock: Some(ClockSpec { moves, time, increment: Duration::ZERO }),
            margin: self.margin,
            draw_rules: value("draw-rules"),
            kvk: value("kvk"),
            at_move_limit: if self.count_at_limit { AtMoveLimit::PieceCount } else { AtMoveLimit::Draw },
            out: self.out,
            players: vec![PlayerSpec { name: NAME.into(), params: own.collect(), ..PlayerSpec::default() }, opponent],
            ..Config::default()
        })
    }
}
