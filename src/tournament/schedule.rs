//! Who plays whom, with which color, from which opening.

/// All games of a match, numbered from 0: for each opening, every two players play two games with
/// colors exchanged. The two games of a pair follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    players: usize,
    openings: usize,
    games_each: usize,
}

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: usize,
    /// The players, White first.
    pub players: [usize; 2],
    /// The opening.
    pub opening: usize,
}

impl Schedule {
    /// A schedule of `games_each` games, an even number, between every two of at least two players.
    pub const fn new(players: usize, openings: usize, games_each: usize) -> Self {
        Self { players, openings, games_each }
    }

    /// Number of different pairings.
    const fn pairings(&self) -> usize {
        self.players * (self.players - 1) / 2
    }

    /// Number of games.
    pub const fn games(&self) -> usize {
        self.games_each * self.pairings()
    }

    /// A game by its number; none beyond the last.
    pub fn fixture(&self, number: usize) -> Option<Fixture> {
        if number >= self.games() {
            return None;
        }
        let pair = number / 2;
        let (first, second) = self.pairing(pair % self.pairings());
        let players = if number.is_multiple_of(2) { [first, second] } else { [second, first] };
        Some(Fixture { number, players, opening: pair / self.pairings() % self.openings })
    }

    /// The players of a pairing: (0, 1), (0, 2), ..., (1, 2), ...
    fn pairing(&self, index: usize) -> (usize, usize) {
        let mut pairings =
            (0..self.players).flat_map(|first| (first + 1..self.players).map(move |second| (first, second)));
        pairings.nth(index).expect("the index is below the number of pairings")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_opening_with_both_colors() {
        let schedule = Schedule::new(2, 3, 8);
        let games: Vec<_> = (0..).map_while(|number| schedule.fixture(number)).collect();
        assert_eq!(games.len(), 8);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].players, pair[1].players), ([0, 1], [1, 0]));
            assert_eq!(pair[0].opening, pair[1].opening);
        }
        assert_eq!(games.iter().map(|game| game.opening).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 0, 0]);
    }

    #[test]
    fn round_robin() {
        let schedule = Schedule::new(4, 10, 4);
        let mut met: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        let games = (0..).map_while(|number| schedule.fixture(number));
        games.for_each(|game| met.entry(game.players).or_default().push(game.opening));
        // Twelve ordered pairs, each with the same two openings.
        assert_eq!((met.len(), schedule.games()), (12, 24));
        assert!(met.values().all(|openings| openings == &[0, 1]));
    }
}
