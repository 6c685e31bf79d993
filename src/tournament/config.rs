//! The description of a match, as a configuration file holds it.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::DrawPolicy;
use crate::engine::params::{Clamped, ParamError, Params};
use crate::tournament::adjudication::{Adjudication, AtMoveLimit, DrawByScore, Resign};
pub use crate::tournament::check::ConfigError;
use crate::tournament::check::MOST_GAMES;
use crate::tournament::control::{ClockSpec, Control};
use crate::tournament::openings::Source;
use crate::tournament::spec::{Limiting, PlayerSpec};
use crate::tournament::sprt::Sprt;
use crate::tournament::text::{self, ListError};
use crate::variant::{Variant, VariantId};

/// MiB of a table. It is cleared before each game, so a large one costs more than it gives at short limits.
const HASH: u32 = 16;
/// Time per move if nothing is limited, in seconds.
const DEFAULT_TIME: f64 = 0.1;
/// The clock if nothing is limited and a player speaks DXP, which knows nothing but a clock.
const DXP_CLOCK: ClockSpec = ClockSpec { moves: Some(75), time: Duration::from_secs(300), increment: Duration::ZERO };

/// A match. Every field has a default, so that a file names only what differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// The game.
    #[serde(with = "text")]
    pub variant: VariantId,
    /// Games of each two players with each other; an odd number is rounded up.
    pub games: usize,
    /// Games played at a time; 0 for as many as there are processors for.
    pub concurrency: usize,
    /// From what all that is random follows.
    pub seed: u64,
    /// Where the games begin.
    #[serde(with = "text")]
    pub openings: Source,
    /// Plies taken of each game of an opening file.
    pub opening_plies: Option<usize>,
    /// How far from even, in men, ballots and random openings may be.
    pub balance: f64,
    /// Seconds a move.
    pub time: Option<f64>,
    /// A game clock, `MOVES/SECONDS+INCREMENT`.
    #[serde(with = "text::optional")]
    pub clock: Option<ClockSpec>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Seconds by which a move may be late before the game is lost.
    pub margin: f64,
    /// Seconds without an answer, beyond the time allowed, after which an engine counts as hung.
    pub hang: f64,
    /// The draw rules in force, by the names of the engine parameter.
    pub draw_rules: String,
    /// How a king against a king is treated, by the names of the engine parameter.
    pub kvk: String,
    /// Ends decided games.
    pub resign: Option<Resign>,
    /// Ends even games.
    pub draw: Option<DrawByScore>,
    /// Moves each behind the opening after which a game ends.
    pub move_limit: Option<usize>,
    /// Who wins then.
    pub at_move_limit: AtMoveLimit,
    /// A test that ends the match.
    pub sprt: Option<Sprt>,
    /// The files of the match, without their extension.
    pub out: Option<PathBuf>,
    /// The players.
    #[serde(rename = "player")]
    pub players: Vec<PlayerSpec>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            variant: VariantId::default(),
            games: 100,
            concurrency: 0,
            seed: 1,
            openings: Source::default(),
            opening_plies: None,
            balance: 0.5,
            time: None,
            clock: None,
            nodes: None,
            depth: None,
            margin: 0.1,
            hang: 30.0,
            draw_rules: "default".into(),
            kvk: "exact".into(),
            resign: None,
            draw: None,
            move_limit: None,
            at_move_limit: AtMoveLimit::default(),
            sprt: None,
            out: None,
            players: Vec::new(),
        }
    }
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::Toml(error.to_string()))
    }

    /// The match with all that was left out filled in: players, their names and time controls.
    ///
    /// # Errors
    /// If it cannot be played.
    pub fn completed(mut self) -> Result<Self, ConfigError> {
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(ConfigError::Games(self.games));
        }
        self.games = self.games.next_multiple_of(2);
        if self.limiting().control()?.is_none() {
            let is_dxp = |player: &PlayerSpec| player.dxp.is_some() && player.limits == Limiting::default();
            if self.players.iter().any(is_dxp) {
                self.clock = Some(DXP_CLOCK);
            } else {
                self.time = Some(DEFAULT_TIME);
            }
        }
        // A DXP game has no moves beyond those that it was asked for with.
        let with_dxp = self.players.iter().filter(|player| player.dxp.is_some());
        let clocks = with_dxp.filter_map(|player| player.limits.clock.or(self.clock));
        let moves = clocks.filter_map(|clock| clock.moves).map(|moves| moves as usize);
        self.move_limit = moves.chain(self.move_limit).min();
        while self.players.len() < 2 {
            self.players.push(PlayerSpec::default());
        }
        for index in 0..self.players.len() {
            if self.players[index].name.is_empty() {
                self.players[index].name = format!("player-{}", index + 1);
            }
        }
        self.check()?;
        Ok(self)
    }

    /// The limits that hold for players without their own.
    fn limiting(&self) -> Limiting {
        Limiting { time: self.time, clock: self.clock, nodes: self.nodes, depth: self.depth }
    }

    /// The time control of a player.
    ///
    /// # Errors
    /// If a number in it makes no sense.
    pub fn control(&self, player: &PlayerSpec) -> Result<Control, ListError> {
        let own = player.limits.control()?;
        Ok(own.map_or_else(|| self.limiting().control(), |own| Ok(Some(own)))?.unwrap_or_default())
    }

    /// The parameters of this engine with the game and its rules set.
    pub(super) fn rule_params(&self) -> Result<Params, ParamError> {
        let mut params = Params { variant: self.variant, ..Params::default() };
        params.set("draw-rules", &self.draw_rules)?;
        params.set("kvk", &self.kvk)?;
        Ok(params)
    }

    /// The parameters of a player that is this engine.
    ///
    /// # Errors
    /// If there is no such parameter or it cannot have that value.
    pub fn engine_params(&self, player: &PlayerSpec) -> Result<Params, ParamError> {
        Ok(self.params_and_notes(player)?.0)
    }

    /// The parameters, and which of them were out of range.
    fn params_and_notes(&self, player: &PlayerSpec) -> Result<(Params, Vec<Clamped>), ParamError> {
        let mut params = Params { hash: HASH, ..self.rule_params()? };
        let mut notes = Vec::new();
        for (name, value) in &player.params {
            notes.extend(params.set(name, &value.to_string())?);
        }
        let ponder = params.ponder && self.lets_ponder(player);
        Ok((Params { variant: self.variant, ponder, ..params }, notes))
    }

    /// Whether the player may think on its opponent's time: only if that does not think on the same processors. Programs
    /// met by DXP that the match does not start itself may be anywhere.
    fn lets_ponder(&self, player: &PlayerSpec) -> bool {
        self.players.iter().all(|other| other.dxp.is_some() && other.command.is_empty() || other.name == player.name)
    }

    /// What whoever starts the match should know about its settings: parameters of this engine that were out of range.
    pub fn notes(&self) -> Vec<String> {
        let inside = self.players.iter().filter(|player| player.is_inside());
        inside.flat_map(|player| self.notes_on(player)).collect()
    }

    fn notes_on(&self, player: &PlayerSpec) -> Vec<String> {
        let Ok((params, clamped)) = self.params_and_notes(player) else { return Vec::new() };
        let wants_to = player.params.get("ponder").is_some_and(|value| value.to_string() == "true");
        let idle = (wants_to && !params.ponder).then(|| {
            "does not ponder: only against programs over DXP that run by themselves is the opponent's time its own"
                .to_owned()
        });
        let notes = clamped.iter().map(ToString::to_string).chain(idle);
        notes.map(|note| format!("player `{}`: {note}", player.name)).collect()
    }

    /// What an engine in a process of its own gets as well, if it has such parameters and its
    /// description leaves them open: players that differ by chance cannot be compared.
    pub fn shared_params(&self, player: &PlayerSpec) -> Vec<(&'static str, String)> {
        let shared = [("hash", HASH.to_string()), ("draw-rules", self.draw_rules.clone()), ("kvk", self.kvk.clone())];
        // The size of the table may have been given in its other unit.
        let is_open = |name: &str| {
            !player.params.contains_key(name) && (name != "hash" || !player.params.contains_key("tt-size"))
        };
        shared.into_iter().filter(|(name, _)| is_open(name)).collect()
    }

    /// Whether a game between two players is the same each time it is played from one position.
    pub fn repeats(&self) -> bool {
        let repeats = |player: &PlayerSpec| {
            player.threads() == 1 && self.control(player).is_ok_and(|control| !control.is_timed())
        };
        self.players.iter().all(repeats)
    }

    /// The draw rules by which games are judged.
    ///
    /// # Errors
    /// If there are no rules of that name.
    pub fn policy<V: Variant>(&self) -> Result<DrawPolicy, ParamError> {
        Ok(self.rule_params()?.draw_policy::<V>())
    }

    /// What else may end a game.
    pub fn adjudication(&self) -> Adjudication {
        let Self { resign, draw, move_limit, at_move_limit, .. } = *self;
        Adjudication { resign, draw, move_limit, at_move_limit }
    }

    /// By how much a move may be late.
    pub fn margin(&self) -> Duration {
        Duration::from_secs_f64(self.margin)
    }

    /// How long an engine may be silent beyond its time.
    pub fn hang(&self) -> Duration {
        Duration::from_secs_f64(self.hang)
    }

    /// Games played at a time. A program that is met by DXP plays one.
    pub fn workers(&self) -> usize {
        if self.players.iter().any(|player| player.dxp.is_some()) {
            return 1;
        }
        if self.concurrency > 0 {
            return self.concurrency;
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.players.iter().map(PlayerSpec::threads).max().unwrap_or(1);
        (processors / threads).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(text: &str) -> Result<Config, ConfigError> {
        Config::from_toml(text)?.completed()
    }

    #[test]
    fn nothing_is_needed() {
        let config = complete("").unwrap();
        let names: Vec<_> = config.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["player-1", "player-2"]);
        assert_eq!(config.control(&config.players[0]).unwrap().to_string(), "0.1 s a move");
        assert_eq!(complete("games = 3").unwrap().games, 4);
        assert!(config.workers() >= 1);
    }

    #[test]
    fn own_limits_replace_those_of_the_match() {
        let config = complete("nodes = 1000\n[[player]]\nname = 'a'\ndepth = 5\n[[player]]\nname = 'b'").unwrap();
        let control = |index: usize| config.control(&config.players[index]).unwrap().to_string();
        assert_eq!((control(0), control(1)), ("depth 5".into(), "1000 nodes a move".into()));
    }

    #[test]
    fn dxp_needs_a_clock_and_has_no_moves_beyond_it() {
        let config = complete("[[player]]\ndxp = 'localhost:27531'").unwrap();
        let shown = config.control(&config.players[1]).unwrap().to_string();
        assert_eq!((shown.as_str(), config.move_limit, config.workers()), ("clock 75/300+0", Some(75), 1));
        let limit = |text: &str| complete(&format!("{text}\n[[player]]\ndxp = 'listen:1'")).unwrap().move_limit;
        assert_eq!(limit("clock = '40/60'\nmove-limit = 30"), Some(30));
        assert_eq!(limit("clock = '40/60'\nmove-limit = 50"), Some(40));
        assert_eq!(limit("clock = '60'"), None);
        let config = complete("nodes = 9\n[[player]]\ndxp = 'listen:1'\nclock = '50/1'").unwrap();
        assert_eq!((config.move_limit, config.time), (Some(50), None));
    }

    #[test]
    fn what_repeats_and_what_is_told() {
        let repeats = |text: &str| complete(text).unwrap().repeats();
        assert!(repeats("nodes = 9") && repeats("depth = 3\n[[player]]\nparams = { threads = 1 }"));
        assert!(!repeats("") && !repeats("nodes = 9\ntime = 1") && !repeats("clock = '9'"));
        assert!(!repeats("nodes = 9\n[[player]]\nparams = { threads = 2 }"));
        let config = complete("[[player]]\nname = 'a'\nparams = { hash = 0 }").unwrap();
        assert_eq!(config.notes(), ["player `a`: parameter hash: `0` is out of range, 1 is used"]);
        let shared = |index: usize| config.shared_params(&config.players[index]).into_iter().map(|(name, _)| name);
        assert!(shared(0).eq(["draw-rules", "kvk"]) && shared(1).eq(["hash", "draw-rules", "kvk"]));
    }

    #[test]
    fn who_ponders() {
        let ponders = |others: &str| {
            let own = "[[player]]\nname = 'a'\nparams = { ponder = true }";
            let config = complete(&format!("clock = '60'\n{own}\n{others}")).unwrap();
            (config.engine_params(&config.players[0]).unwrap().ponder, config.notes().len())
        };
        let dxp = "[[player]]\nname = 'b'\ndxp = 'listen:1'\n";
        assert_eq!(ponders(dxp), (true, 0));
        assert_eq!(ponders(&format!("{dxp}command = 'b'")), (false, 1));
        assert_eq!(ponders(""), (false, 1));
        assert_eq!(ponders(&format!("{dxp}[[player]]\nname = 'c'")), (false, 1));
        assert!(!complete("").unwrap().engine_params(&PlayerSpec::default()).unwrap().ponder);
    }

    #[test]
    fn a_whole_file() {
        let text = "variant = 'brazilian'\ngames = 10\nopenings = 'ballots:3'\nclock = '40/60+0.5'\nmove-limit = 100\n\
                    at-move-limit = 'draw'\nresign = { score = 5 }\n[sprt]\nelo1 = 10\n\
                    [[player]]\nname = 'a'\nparams = { hash = 4, threads = 2 }";
        let config = complete(text).unwrap();
        assert_eq!(config.engine_params(&config.players[0]).unwrap().hash, 4);
        assert_eq!((config.resign.unwrap().moves, config.sprt.unwrap().elo1), (3, 10.0));
        let json = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, named) in [
            ("gmes = 3", "gmes"),
            ("games = 0", "games: 0"),
            ("games = 2000000", "games: 2000000"),
            ("resign = { score = 0 }", "resign: score"),
            ("resign = { score = nan }", "resign: score"),
            ("resign = { moves = 0 }", "resign: moves"),
            ("draw = { score = -0.1 }", "draw: score"),
            ("draw = { moves = 0 }", "draw: moves"),
            ("draw = { from = 1000000 }", "draw: from"),
            ("move-limit = 0", "move-limit"),
            ("sprt = { alpha = 0.7 }", "0.7"),
            ("nodes = 0", "nodes"),
            ("depth = 0", "depth"),
            ("[[player]]\nname = 'a\"b'", "a\\\"b"),
            ("[[player]]\ncommand = 'x'\nparams = { 'a b' = 1 }", "a b"),
            ("[[player]]\ncommand = 'x'\nparams = { a = \"b\\nc\" }", "b\\nc"),
            ("variant = 'chess'", "chess"),
            ("openings = 'ballots:x'", "ballots:x"),
            ("time = -1", "time"),
            ("hang = nan", "hang"),
            ("draw-rules = 'nobody'", "nobody"),
            ("sprt = { elo0 = 3, elo1 = 1 }", "elo0"),
            ("[[player]]\nname = 'a'\n[[player]]\nname = 'a'", "two players are named `a`"),
            ("[[player]]\nparams = { hsh = 3 }", "hsh"),
            ("nodes = 5\n[[player]]\ncommand = 'scan hub'\nprotocol = 'hub1'", "limit of nodes"),
            ("variant = 'brazilian'\n[[player]]\ncommand = 'scan hub'\nprotocol = 'hub1'", "International"),
            ("nodes = 5\n[[player]]\ndxp = 'a:1'", "limit of nodes"),
            ("time = 5\n[[player]]\ndxp = 'a:1'", "time for a single move"),
            ("[[player]]\ndxp = 'a:1'\nclock = '5+1'", "increment"),
            ("[[player]]\ndxp = 'a:1'\nparams = { hash = 5 }", "parameter `hash`"),
            ("[[player]]\ndxp = 'a:1'\nretry = -1", "retry"),
            ("sprt = {}\n[[player]]\nname = 'a'\n[[player]]\nname = 'b'\n[[player]]\nname = 'c'", "there are 3"),
        ] {
            let error = complete(text).unwrap_err().to_string();
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
