//! A game of the engine against itself.

use std::io;

use serde::{Deserialize, Serialize};

use super::record::{Outcome, Ply, Record};
use crate::board::{Game, Move, Position, legal_moves};
use crate::egdb::{Databases, Value};
use crate::engine::Engine;
use crate::engine::params::Params;
use crate::search::{Limits, Score};
use crate::tournament::openings::{Opening, Source};
use crate::util::rng::Rng;
use crate::variant::{Variant, VariantId};

/// MiB of a table, which is empty at the start of each game.
const HASH: u32 = 1;
/// Openings tried before one is taken whatever its balance.
const TRIES: usize = 100;
/// Lines among which the temperature chooses.
const LINES: usize = 4;
/// Plies after which a game is broken off.
const MOST_PLIES: usize = 1000;

/// How games are played. Games follow from the settings and their number alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The game.
    #[serde(with = "crate::tournament::text")]
    pub variant: VariantId,
    /// The program that plays.
    pub engine: String,
    /// What it evaluates with.
    pub weights: String,
    /// Nodes a move.
    pub nodes: u64,
    /// From what all that is random follows.
    pub seed: u64,
    /// Where games begin.
    #[serde(with = "crate::tournament::text")]
    pub openings: Source,
    /// Fewest and most random plies played from there.
    pub random_plies: (usize, usize),
    /// How far from even a game may begin, in men.
    pub balance: f64,
    /// Plies after those, in which a worse move may be played.
    pub temperature_plies: usize,
    /// How much worse: a move that much worse, in men, is played 1/e times as often.
    pub temperature: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            variant: VariantId::default(),
            engine: concat!("meerslag ", env!("CARGO_PKG_VERSION")).into(),
            weights: String::new(),
            nodes: 2000,
            seed: 1,
            openings: Source::Start,
            random_plies: (2, 10),
            balance: 2.0,
            temperature_plies: 8,
            temperature: 0.1,
        }
    }
}

/// Plays games one after another.
pub struct Player<'a, V: Variant> {
    settings: &'a Settings,
    openings: &'a [Opening<V>],
    engine: Engine<V>,
    /// Nodes searched so far.
    pub nodes: u64,
}

impl<'a, V: Variant> Player<'a, V> {
    /// A player; `openings` are those that the settings name.
    ///
    /// # Errors
    /// If the system cannot give the memory or the thread, or the weights cannot be used.
    pub fn new(settings: &'a Settings, openings: &'a [Opening<V>], params: &Params) -> io::Result<Self> {
        let params = Params { variant: settings.variant, threads: 1, hash: HASH, ..params.clone() };
        // What is wrong with databases has been told when the first engine was made.
        Ok(Self { settings, openings, engine: Engine::strict(&params, |_| {})?, nodes: 0 })
    }

    /// Plays the game of this number.
    pub fn play(&mut self, number: u64) -> Record<V> {
        let mut rng = Rng::new(Rng::new(self.settings.seed).next_u64() ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.engine.new_game();
        let mut tries = 0;
        loop {
            tries += 1;
            let Some(start) = self.opening(&mut rng) else { continue };
            self.engine.game = Game::new(start);
            if tries >= TRIES || self.is_balanced() {
                break;
            }
        }
        let mut plies = Vec::new();
        let outcome = loop {
            if let Some(outcome) = self.outcome() {
                break outcome;
            }
            if plies.len() == MOST_PLIES {
                break Outcome::Open;
            }
            let ply = self.next_ply(plies.len(), &mut rng);
            self.engine.game.play(ply.mv).expect("the engine plays legal moves");
            plies.push(ply);
        };
        Record { start: *self.engine.game.start(), plies, outcome }
    }

    /// A position from which the game goes on after random moves.
    fn opening(&self, rng: &mut Rng) -> Option<Position<V>> {
        let mut game = self.openings[rng.below(self.openings.len())].clone();
        let (fewest, most) = self.settings.random_plies;
        for _ in 0..fewest + rng.below(most - fewest + 1) {
            let moves = legal_moves(game.position());
            game.play(*moves.get(rng.below(moves.len().max(1)))?).expect("the move is from the list");
        }
        let setup = game.position().setup();
        // Counted moves of a king are not kept.
        let is_plain = setup.king_runs.iter().all(Option::is_none);
        (is_plain && !legal_moves(game.position()).is_empty()).then_some(*game.position())
    }

    fn is_balanced(&mut self) -> bool {
        let (score, _) = self.search(1);
        f64::from(score.raw().abs()) <= 100.0 * self.settings.balance
    }

    /// How the game ended: by the rules, or because databases know how it will.
    fn outcome(&self) -> Option<Outcome> {
        let game = &self.engine.game;
        if let Some(over) = self.engine.over() {
            return Some(Outcome::of(over.winner()));
        }
        let databases: &Databases<V> = self.engine.databases();
        let side = game.position().side_to_move();
        match databases.value(game.position())? {
            Value::Draw => Some(Outcome::Draw),
            // A win that a rule could cut off is played out.
            value => {
                let plies = databases.distance(game.position())?;
                let winner = if value == Value::Win { side } else { side.opponent() };
                self.engine.policy().allows(game.state(), plies).then_some(Outcome::of(Some(winner)))
            }
        }
    }

    fn next_ply(&mut self, played: usize, rng: &mut Rng) -> Ply {
        if let [mv] = *legal_moves(self.engine.game.position()) {
            return Ply { mv, score: None };
        }
        let is_warm = played < self.settings.temperature_plies && self.settings.temperature > 0.0;
        let (score, lines) = self.search(if is_warm { LINES } else { 1 });
        let scale = 100.0 * self.settings.temperature.max(f64::MIN_POSITIVE);
        let weights: Vec<_> =
            lines.iter().map(|(_, other)| (f64::from(other.raw() - score.raw()) / scale).exp()).collect();
        let mut point = rng.next_u64() as f64 / u64::MAX as f64 * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|weight| {
            point -= weight;
            point <= 0.0
        });
        Ply { mv: lines[chosen.unwrap_or_default()].0, score: Some(score) }
    }

    /// The best moves and their scores, best first, and the best score.
    fn search(&mut self, lines: usize) -> (Score, Vec<(Move, Score)>) {
        self.engine.lines = lines;
        let found = self.engine.search(Limits { nodes: Some(self.settings.nodes), ..Limits::default() });
        self.nodes += found.lines.iter().map(|line| line.nodes).max().unwrap_or_default();
        let mut lines: Vec<_> = found.lines.iter().filter_map(|line| Some((*line.pv.first()?, line.score))).collect();
        let best = found.done.best.expect("the game is not over");
        if lines.first().is_none_or(|(mv, _)| *mv != best) {
            lines = vec![(best, lines.first().map_or(Score::DRAW, |line| line.1))];
        }
        (lines[0].1, lines)
    }
}
