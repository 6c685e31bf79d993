//! Positions to learn from.

use rayon::prelude::*;

use super::minimum::minimum;
use crate::board::{Bitboard, Key, Position, Side, movegen};
use crate::datagen::{Outcome, Record};
use crate::util::rng::Rng;
use crate::variant::Variant;

/// One game in so many is held out.
const HELD_OUT: usize = 32;
/// Positions from which the meaning of scores is told.
const SCALE_SAMPLE: usize = 200_000;

/// A position, turned so that the side to move plays up, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Pieces of the side to move and of the other one.
    pub pieces: [Bitboard; 2],
    /// Kings of both.
    pub kings: Bitboard,
    /// Expected points of the side to move.
    pub target: f32,
}

impl Sample {
    /// The position, White to move.
    pub fn position<V: Variant>(&self) -> Position<V> {
        Position::from_sets(Side::White, self.pieces, self.kings)
    }
}

/// A position of a game as it was played.
#[derive(Clone, Copy, Debug)]
struct Seen {
    key: Key,
    sample: Sample,
    /// Points of the side to move.
    points: f32,
    /// The score for the side to move, in hundredths of a man.
    score: i32,
}

/// What was picked from games.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Different positions to fit to.
    pub fit: Vec<Sample>,
    /// Positions of other games.
    pub held_out: Vec<Sample>,
    /// The results of their games, in points of the side to move.
    pub held_out_points: Vec<f32>,
    /// The score at which a side can expect 73 % of the points, in hundredths of a man.
    pub score_scale: f64,
}

/// Collects positions game by game.
#[derive(Debug, Default)]
pub struct Collector {
    fit: Vec<Seen>,
    held_out: Vec<Seen>,
    games: usize,
    rng: Option<Rng>,
}

impl Collector {
    /// A collector whose choice of held out games follows from the seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Some(Rng::new(seed)), ..Self::default() }
    }

    /// Games seen so far.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Takes the quiet positions of a game: nobody can capture, and there was a choice of moves. A game that nobody
    /// finished tells nothing.
    pub fn add<V: Variant>(&mut self, game: &Record<V>) {
        let held_out = self.rng.as_mut().is_some_and(|rng| rng.below(HELD_OUT) == 0);
        self.games += 1;
        if game.outcome == Outcome::Open {
            return;
        }
        let seen = if held_out { &mut self.held_out } else { &mut self.fit };
        for (position, ply) in game.positions() {
            let side = position.side_to_move();
            let (Some(score), Some(points)) = (ply.score, game.outcome.points(side)) else { continue };
            if Side::BOTH.into_iter().any(|side| movegen::can_capture(&position, side)) {
                continue;
            }
            let view = if side == Side::White { position } else { position.flipped() };
            let sample =
                Sample { pieces: Side::BOTH.map(|side| view.pieces(side)), kings: view.all_kings(), target: 0.0 };
            seen.push(Seen { key: Key::of(&view), sample, points, score: score.raw() });
        }
    }

    /// The samples. A target is the mean over the games that had the position, a share `result` of it from the
    /// results and the rest from the scores.
    pub fn finish(mut self, result: f32) -> Samples {
        let score_scale = score_scale(&self.fit);
        let expected = |seen: &Seen| {
            let by_score = 1.0 / (1.0 + (f64::from(-seen.score) / score_scale).exp());
            result * seen.points + (1.0 - result) * by_score as f32
        };
        // Not a stable sort: what is equal is added up in the order of its points, whatever the threads did.
        self.fit.par_sort_unstable_by_key(|seen| (seen.key.0, seen.score, seen.points.to_bits()));
        let groups = self.fit.chunk_by(|one, other| one.key == other.key);
        let fit = groups.map(|group| {
            let sum: f32 = group.iter().map(expected).sum();
            Sample { target: sum / group.len() as f32, ..group[0].sample }
        });
        let fit = fit.collect();
        let held_out = self.held_out.iter().map(|seen| Sample { target: expected(seen), ..seen.sample }).collect();
        let held_out_points = self.held_out.iter().map(|seen| seen.points).collect();
        Samples { fit, held_out, held_out_points, score_scale }
    }
}

/// The scale that makes the scores tell the results best.
fn score_scale(seen: &[Seen]) -> f64 {
    let step = (seen.len() / SCALE_SAMPLE).max(1);
    let loss = |scale: f64| {
        let surprise = |seen: &Seen| {
            let odds = f64::from(seen.score) / scale;
            (1.0 + odds.exp()).ln() - f64::from(seen.points) * odds
        };
        seen.iter().step_by(step).filter(|seen| seen.score.abs() < 1000).map(surprise).sum::<f64>()
    };
    minimum(20.0, 1000.0, loss)
}
