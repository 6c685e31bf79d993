//! The score of a match: results, pairs, faults and speed of every player.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::tournament::control::LONGEST;
use crate::tournament::elo::Estimate;
use crate::tournament::fault::FAULT_KINDS;
use crate::tournament::game::{Played, Remark};
use crate::tournament::schedule::Fixture;
use crate::variant::Variant;

/// What a player did in one game, or in many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Seconds spent on them.
    pub seconds: f64,
    /// Nodes visited in them.
    pub nodes: u64,
    /// Moves that were not forced and came with a depth.
    pub depths: u64,
    /// Sum of those depths.
    pub depth_sum: u64,
    /// The longest overrun of the time allowed, in seconds.
    pub overrun: f64,
}

impl Effort {
    fn of<'a>(remarks: impl Iterator<Item = &'a Remark>) -> Self {
        let mut effort = Self::default();
        for remark in remarks {
            let depth = remark.depth.filter(|_| !remark.forced);
            effort.add(&Self {
                moves: 1,
                seconds: remark.elapsed.as_secs_f64(),
                nodes: remark.nodes.unwrap_or(0),
                depths: u64::from(depth.is_some()),
                depth_sum: depth.unwrap_or(0).into(),
                overrun: remark.overrun.as_secs_f64(),
            });
        }
        effort
    }

    /// Whether the times are such; the counts need no check.
    fn is_sound(&self) -> bool {
        [self.seconds, self.overrun].iter().all(|seconds| (0.0..LONGEST).contains(seconds))
    }

    fn add(&mut self, other: &Self) {
        self.moves = self.moves.saturating_add(other.moves);
        self.seconds += other.seconds;
        // Engines may tell any number of nodes.
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depths = self.depths.saturating_add(other.depths);
        self.depth_sum = self.depth_sum.saturating_add(other.depth_sum);
        self.overrun = self.overrun.max(other.overrun);
    }

    /// Nodes per second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }

    /// Mean depth of the moves that had a choice; none if no depth was told.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depths > 0).then(|| self.depth_sum as f64 / self.depths as f64)
    }

    /// The longest overrun.
    pub fn longest_overrun(&self) -> Duration {
        Duration::from_secs_f64(self.overrun)
    }
}

/// What remains of a game when it is over: a line of the match file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Number of the game, from 1.
    pub number: usize,
    /// Index of White.
    pub white: usize,
    /// Index of Black.
    pub black: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Index of the winner; none for a draw.
    pub winner: Option<usize>,
    /// The kind of end in a word.
    pub end: String,
    /// The end in words.
    pub reason: String,
    /// Index of the player at fault.
    pub fault_of: Option<usize>,
    /// Plies played, opening included.
    pub plies: usize,
    /// What White and Black did.
    pub efforts: [Effort; 2],
}

impl Outcome {
    /// The outcome of a game.
    pub fn of<V: Variant>(fixture: &Fixture, played: &Played<V>) -> Self {
        let [white, black] = fixture.players;
        let index = |side: Side| fixture.players[side.index()];
        let effort = |side| Effort::of(played.remarks.iter().filter(|remark| remark.side == side));
        Self {
            number: fixture.number + 1,
            white,
            black,
            opening: fixture.opening,
            winner: played.end.winner().map(index),
            end: played.end.kind().into(),
            reason: played.end.to_string(),
            fault_of: played.end.fault_of().map(index),
            plies: played.game.moves().len(),
            efforts: Side::BOTH.map(effort),
        }
    }

    /// Whether this can be the game of a fixture: anyone may have written to a file.
    pub fn fits(&self, fixture: &Fixture) -> bool {
        let is_player = |index: &Option<usize>| index.is_none_or(|index| fixture.players.contains(&index));
        let planned = [self.number, self.white, self.black, self.opening];
        planned == [fixture.number + 1, fixture.players[0], fixture.players[1], fixture.opening]
            && is_player(&self.winner)
            && is_player(&self.fault_of)
            && self.efforts.iter().all(Effort::is_sound)
    }

    /// Half points of a player: 2 for a win, 1 for a draw.
    fn half_points(&self, player: usize) -> usize {
        self.winner.map_or(1, |winner| if winner == player { 2 } else { 0 })
    }
}

/// The score of one player against all others.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Losses, draws, wins.
    pub games: [u64; 3],
    /// Pairs of games by their half points, 0 to 4.
    pub pairs: [u64; 5],
    /// Faults by kind, as in [`FAULT_KINDS`].
    pub faults: [u64; FAULT_KINDS.len()],
    /// What it did.
    pub effort: Effort,
    /// Half points in the first game of a pair whose second game is not yet over.
    #[serde(skip)]
    open: Option<usize>,
}

impl Score {
    fn add(&mut self, half_points: usize, effort: &Effort) {
        self.games[half_points] += 1;
        self.effort.add(effort);
        match self.open.take() {
            None => self.open = Some(half_points),
            Some(first) => self.pairs[first + half_points] += 1,
        }
    }

    /// Games played.
    pub fn played(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Share of the points.
    pub fn share(&self) -> f64 {
        (self.games[2] as f64 + self.games[1] as f64 / 2.0) / (self.played() as f64).max(1.0)
    }

    /// The difference to its opponents, from pairs; before the first pair there is none.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.pairs)
    }
}

/// The scores of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// By the index of the player.
    pub scores: Vec<Score>,
    /// Losses, draws and wins of a player against another.
    pub cross: Vec<Vec<[u64; 3]>>,
    /// Games counted.
    pub games: usize,
    /// How many games ended in each way, most frequent first.
    pub ends: Vec<(String, u64)>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(players: usize) -> Self {
        Self {
            scores: vec![Score::default(); players],
            cross: vec![vec![[0; 3]; players]; players],
            games: 0,
            ends: Vec::new(),
        }
    }

    /// Counts a game. Games have to come in their order.
    pub fn add(&mut self, outcome: &Outcome) {
        self.games += 1;
        for (player, effort) in [outcome.white, outcome.black].into_iter().zip(&outcome.efforts) {
            let half_points = outcome.half_points(player);
            self.scores[player].add(half_points, effort);
            self.cross[player][outcome.white + outcome.black - player][half_points] += 1;
        }
        let kind = FAULT_KINDS.iter().position(|kind| *kind == outcome.end);
        if let (Some(player), Some(kind)) = (outcome.fault_of, kind) {
            self.scores[player].faults[kind] += 1;
        }
        match self.ends.iter_mut().find(|(end, _)| *end == outcome.end) {
            Some((_, count)) => *count += 1,
            None => self.ends.push((outcome.end.clone(), 1)),
        }
        self.ends.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    }

    /// Whether the last pair is complete.
    pub fn is_even(&self) -> bool {
        self.games.is_multiple_of(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(number: usize, winner: Option<usize>, fault: Option<&str>) -> Outcome {
        let [white, black] = if number % 2 == 1 { [0, 1] } else { [1, 0] };
        Outcome {
            number,
            white,
            black,
            opening: 0,
            winner,
            end: fault.unwrap_or("rule").into(),
            reason: String::new(),
            fault_of: fault.and(winner.map(|winner| 1 - winner)),
            plies: 50,
            efforts: [Effort { moves: 25, seconds: 0.5, nodes: 1000, depths: 10, depth_sum: 85, overrun: 0.001 }; 2],
        }
    }

    #[test]
    fn games_and_pairs_of_both_views() {
        let mut standings = Standings::new(2);
        for (number, winner, fault) in
            [(1, Some(0), None), (2, Some(0), Some("hang")), (3, None, None), (4, Some(1), None), (5, None, None)]
        {
            standings.add(&outcome(number, winner, fault));
        }
        let [first, second] = &standings.scores[..] else { panic!("two players") };
        assert_eq!((first.games, second.games), ([1, 2, 2], [2, 2, 1]));
        assert_eq!((first.pairs, second.pairs), ([0, 1, 0, 0, 1], [1, 0, 0, 1, 0]));
        assert_eq!((first.faults, second.faults), ([0; 6], [0, 0, 0, 1, 0, 0]));
        assert_eq!((first.share(), first.played(), standings.is_even()), (0.6, 5, false));
        assert_eq!(standings.ends, [("rule".to_string(), 4), ("hang".to_string(), 1)]);
        assert_eq!(standings.cross, [[[0; 3], [1, 2, 2]], [[2, 2, 1], [0; 3]]]);
        assert_eq!(first.effort.mean_depth(), Some(8.5));
        assert_eq!(first.effort.speed(), 2000.0);
        assert_eq!(first.effort.longest_overrun(), Duration::from_millis(1));
    }
}
