//! A game of the engine against itself.

use std::io;

use serde::{Deserialize, Serialize};

use super::record::{MOST_PLIES, Outcome, Ply, Record};
use super::run::Plan;
use crate::board::{Game, Move, Position, Side, legal_moves};
use crate::egdb::{Databases, Value};
use crate::engine::Engine;
use crate::engine::params::Params;
use crate::search::{Limits, Score};
use crate::tournament::openings::{Opening, Source};
use crate::util::rng::Rng;
use crate::variant::{Variant, VariantId};

/// MiB of a table, which is empty at the start of each game.
const HASH: u32 = 1;
/// The version of the format: a change of what legal moves there are, or of how games are packed, is a new one.
pub const FORMAT: u32 = 1;
/// Openings tried before one is taken as it comes.
const TRIES: usize = 100;
/// Lines among which the temperature chooses.
const LINES: usize = 4;

/// How games are played. With the same openings and endgame databases, games follow from the settings and their
/// number alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The version of the format of the games.
    pub format: u32,
    /// The game.
    #[serde(with = "crate::tournament::text")]
    pub variant: VariantId,
    /// The program that plays.
    pub engine: String,
    /// What it evaluates with.
    pub weights: String,
    /// The draw rules, how a king against a king is treated, and the most pieces of databases, as parameters have them.
    pub rules: String,
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
            format: FORMAT,
            variant: VariantId::default(),
            engine: concat!("meerslag ", env!("CARGO_PKG_VERSION")).into(),
            weights: String::new(),
            rules: String::new(),
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

impl Settings {
    /// The settings as text, the same for equal ones.
    pub fn key(&self) -> String {
        serde_json::to_string(self).expect("settings are plain data")
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
    /// A player.
    ///
    /// # Errors
    /// If the system cannot give the memory or the thread.
    pub fn new(plan: &Plan<'a, V>) -> io::Result<Self> {
        let params = Params { variant: V::ID, threads: 1, hash: HASH, weights: String::new(), ..plan.params.clone() };
        // What is wrong with databases has been told when the evaluation was opened.
        let mut engine = Engine::with_params(&params, |_| {})?;
        engine.set_evaluation(plan.evaluation.clone());
        Ok(Self { settings: plan.settings, openings: plan.openings, engine, nodes: 0 })
    }

    /// Plays the game of this number.
    pub fn play(&mut self, number: u64) -> Record<V> {
        let mut rng = Rng::new(Rng::new(self.settings.seed).next_u64() ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.engine.new_game();
        self.begin(&mut rng);
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

    /// Sets up a balanced position after random moves; if none is found, what comes next.
    fn begin(&mut self, rng: &mut Rng) {
        for _ in 0..TRIES {
            self.engine.game = Game::new(self.opening(rng));
            if self.engine.over().is_none() && self.is_balanced() {
                return;
            }
        }
    }

    /// An opening with random moves played from there, as far as there are any.
    fn opening(&self, rng: &mut Rng) -> Position<V> {
        let opening = &self.openings[rng.below(self.openings.len())];
        let (fewest, most) = self.settings.random_plies;
        let mut position = *opening.position();
        for _ in 0..fewest + rng.below(most - fewest + 1) {
            let moves = legal_moves(&position);
            let Some(mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            position = position.after(*mv);
        }
        // Where moves with one king are counted, the count starts here: records do not keep it.
        let pieces = Side::BOTH.map(|side| position.pieces(side));
        Position::from_sets(position.side_to_move(), pieces, position.all_kings())
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
                self.engine.policy().allows_always(game.state(), plies).then_some(Outcome::of(Some(winner)))
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
        // Several lines share the nodes: more of them, so that no score is worth less than others.
        let nodes = self.settings.nodes.saturating_mul(lines as u64);
        let found = self.engine.search(Limits { nodes: Some(nodes), ..Limits::default() });
        self.nodes += self.engine.nodes();
        let mut lines: Vec<_> = found.lines.iter().filter_map(|line| Some((*line.pv.first()?, line.score))).collect();
        let best = found.done.best.expect("the game is not over");
        if lines.first().is_none_or(|(mv, _)| *mv != best) {
            lines = vec![(best, lines.first().map_or(Score::DRAW, |line| line.1))];
        }
        (lines[0].1, lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::notation::read_position;
    use crate::variant::{Frisian, International};

    fn play<V: Variant>(fens: &[&str], settings: &Settings) -> Vec<Record<V>> {
        let openings: Vec<_> = fens.iter().map(|fen| Game::new(read_position(fen).unwrap())).collect();
        let (params, evaluation) = (Params::default(), Evaluation::Terms);
        let plan =
            Plan { settings, openings: &openings, params: &params, evaluation: &evaluation, games: 1, threads: 1 };
        let mut player = Player::<V>::new(&plan).unwrap();
        let games = (0..4).map(|number| player.play(number)).collect();
        assert!(player.nodes > 0 || fens.len() == 1);
        games
    }

    fn settings() -> Settings {
        Settings { nodes: 100, random_plies: (0, 3), ..Settings::default() }
    }

    #[test]
    fn games_go_by_the_rules_and_differ() {
        let games = play::<International>(&["W:W31-50:B1-20", "B:W31-50:B1-20"], &settings());
        assert!(games.iter().all(|game| game.outcome != Outcome::Open && game.plies.len() > 20));
        assert_ne!(games[0].plies, games[1].plies);
        for (position, ply) in games.iter().flat_map(Record::positions) {
            let legal = legal_moves(&position);
            assert!(legal.contains(&ply.mv) && ply.score.is_some() == (legal.len() > 1));
        }
        let cold = Settings { temperature: 0.0, ..settings() };
        assert_eq!(play::<International>(&["W:W31-50:B1-20"; 2], &cold).len(), 4);
    }

    /// Nothing balanced can be found, or nothing can be played at all.
    #[test]
    fn strange_openings_do_no_harm() {
        let harsh = Settings { balance: 0.0, random_plies: (9, 9), ..settings() };
        let lost = play::<International>(&["W:W32,33,34,K1:B7"], &harsh);
        assert!(lost.iter().all(|game| game.outcome == Outcome::White), "{lost:?}");
        let drawn = play::<International>(&["W:WK1:BK50"], &Settings { random_plies: (0, 0), ..settings() });
        assert!(drawn.iter().all(|game| game.outcome == Outcome::Draw));
        // Black, to move, has nothing to move with.
        let over = play::<International>(&["B:W32:B31,36,37"], &Settings { random_plies: (0, 0), ..settings() });
        assert_eq!(over.len(), 4);
        let frisian = play::<Frisian>(&["W:W32,33,34,K1:B7,9:H0:F2"], &settings());
        assert_eq!(frisian.len(), 4);
    }
}
