//! Positions to learn from.

use rayon::prelude::*;

use super::minimum::minimum;
use crate::board::{Bitboard, Key, Position, Side, movegen};
use crate::datagen::{Chunk, Outcome, Record};
use crate::util::rng::Rng;
use crate::variant::Variant;

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
#[derive(Clone, Debug, Default, PartialEq)]
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

/// Collects positions. What comes out does not depend on the order in which chunks come, which is that in which they
/// were finished.
#[derive(Debug)]
pub struct Collector {
    fit: Vec<Seen>,
    held_out: Vec<Seen>,
    games: usize,
    seed: u64,
}

impl Collector {
    /// A collector whose choice of held out games follows from the seed.
    pub fn new(seed: u64) -> Self {
        Self { fit: Vec::new(), held_out: Vec::new(), games: 0, seed }
    }

    /// Games seen so far.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Takes the games of a chunk, one of which is held out.
    pub fn add<V: Variant>(&mut self, chunk: &Chunk<V>) {
        let mut rng = Rng::new(Rng::new(self.seed).next_u64() ^ chunk.number);
        let chosen = rng.below(chunk.games.len().max(1));
        self.games += chunk.games.len();
        for (number, game) in chunk.games.iter().enumerate() {
            collect(game, if number == chosen { &mut self.held_out } else { &mut self.fit });
        }
    }

    /// The samples. A target is the mean over the games that had the position, a share `result` of it from the
    /// results and the rest from the scores.
    pub fn finish(mut self, result: f32) -> Samples {
        // Not a stable sort: what is equal in all that counts may come in any order.
        for seen in [&mut self.fit, &mut self.held_out] {
            seen.par_sort_unstable_by_key(|seen| (seen.key.0, seen.score, seen.points.to_bits()));
        }
        let score_scale = score_scale(&self.fit);
        let expected = |seen: &Seen| {
            let by_score = 1.0 / (1.0 + (f64::from(-seen.score) / score_scale).exp());
            result * seen.points + (1.0 - result) * by_score as f32
        };
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

/// Adds the quiet positions of a game: nobody can capture, and there was a choice of moves. A game that nobody
/// finished tells nothing.
fn collect<V: Variant>(game: &Record<V>, seen: &mut Vec<Seen>) {
    if game.outcome == Outcome::Open {
        return;
    }
    for (position, ply) in game.positions() {
        let side = position.side_to_move();
        let (Some(score), Some(points)) = (ply.score, game.outcome.points(side)) else { continue };
        if !is_quiet(&position) {
            continue;
        }
        let view = if side == Side::White { position } else { position.flipped() };
        let sample = Sample { pieces: Side::BOTH.map(|side| view.pieces(side)), kings: view.all_kings(), target: 0.0 };
        seen.push(Seen { key: Key::of(&view), sample, points, score: score.raw() });
    }
}

/// Whether neither side can capture: only such positions are evaluated, and learned from.
pub fn is_quiet<V: Variant>(position: &Position<V>) -> bool {
    !Side::BOTH.into_iter().any(|side| movegen::can_capture(position, side))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::legal_moves;
    use crate::datagen::Ply;
    use crate::notation::read_position;
    use crate::variant::International;

    /// One move from a position, with what came of the game.
    fn game(fen: &str, score: i32, outcome: Outcome) -> Record<International> {
        let start = read_position(fen).unwrap();
        let ply = Ply::new(legal_moves(&start)[0], Some(score));
        Record { start, plies: vec![ply], outcome }
    }

    fn collect(games: &[Record<International>], result: f32) -> Samples {
        let chunks: Vec<_> =
            (0..).zip(games.chunks(32)).map(|(number, games)| Chunk { number, games: games.into() }).collect();
        let mut collector = Collector::new(1);
        chunks.iter().for_each(|chunk| collector.add(chunk));
        let samples = collector.finish(result);
        let mut backwards = Collector::new(1);
        chunks.iter().rev().for_each(|chunk| backwards.add(chunk));
        assert_eq!(backwards.finish(result), samples, "the order of the chunks does not matter");
        samples
    }

    /// What is learned from one game, whether it is held out or not.
    fn only(game: &Record<International>, result: f32) -> Sample {
        let samples = collect(std::slice::from_ref(game), result);
        *samples.fit.iter().chain(&samples.held_out).next().unwrap()
    }

    #[test]
    fn targets_are_those_of_the_side_to_move() {
        let white = only(&game("W:W32,38:B8", 100, Outcome::White), 1.0);
        // The same position turned around; Black, to move, has the two men.
        let black = only(&game("B:W43:B13,19", 100, Outcome::Black), 1.0);
        assert_eq!((white, white.target), (black, 1.0));
        assert_eq!(white.position::<International>(), read_position("W:W32,38:B8").unwrap());
        assert_eq!(only(&game("B:W43:B13,19", 100, Outcome::White), 1.0).target, 0.0);
        assert_eq!(only(&game("W:W32,38:B8", -100, Outcome::Draw), 1.0).target, 0.5);
        let by_score = only(&game("B:W43:B13,19", 100, Outcome::White), 0.0).target;
        assert!(by_score > 0.5, "the score is that of the side to move: {by_score}");
    }

    #[test]
    fn what_tells_nothing_is_left_out() {
        let capture = game("W:W32,38:B27", 100, Outcome::White);
        let threat = game("B:W32,38:B27,12", 100, Outcome::White);
        let open = game("W:W32,38:B8", 100, Outcome::Open);
        let samples = collect(&[capture, threat, open], 0.5);
        assert!(samples.fit.is_empty() && samples.held_out.is_empty());
    }

    #[test]
    fn equal_positions_are_one_sample_and_some_games_are_held_out() {
        let outcomes = [Outcome::White, Outcome::Draw, Outcome::Black, Outcome::White];
        let games: Vec<_> = (0..320).map(|number| game("W:W32,38:B8", 0, outcomes[number % 4])).collect();
        let samples = collect(&games, 1.0);
        assert_eq!((samples.fit.len(), samples.held_out.len(), samples.held_out_points.len()), (1, 10, 10));
        assert!((samples.fit[0].target - 0.625).abs() < 0.01, "{:?}", samples.fit);
    }

    #[test]
    fn the_scale_of_scores_is_found() {
        // At 150 hundredths 73 of 100 points, at 300 88.
        let seen = |score: i32, won: usize| {
            (0..100)
                .map(move |number| if number < won { Outcome::White } else { Outcome::Black })
                .map(move |outcome| game("W:W32,38:B8", score, outcome))
        };
        let games: Vec<_> = seen(150, 73).chain(seen(300, 88)).collect();
        let scale = collect(&games, 1.0).score_scale;
        assert!((scale - 150.0).abs() < 12.0, "{scale}");
    }
}
