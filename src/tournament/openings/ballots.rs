//! Ballots: all lines of some plies from the start, without those that lose something at once.

use std::collections::HashSet;

use super::{Opening, OpeningError, balanced, extended, goes_on};
use crate::board::{Game, Position, legal_moves};
use crate::tournament::Stop;
use crate::variant::Variant;

/// The sound ballots, in the order of their moves. Of lines that lead to the same position, the
/// first one stands for all.
pub fn sound<V: Variant>(plies: u32, balance: i32, stop: &Stop) -> Result<Vec<Opening<V>>, OpeningError> {
    balanced(&all(plies), balance, stop)
}

/// All lines of so many plies to different positions.
fn all<V: Variant>(plies: u32) -> Vec<Opening<V>> {
    let mut lines = vec![Game::new(Position::<V>::start())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let longer = lines
            .iter()
            .flat_map(|line| legal_moves(line.position()).iter().map(|mv| extended(line, *mv)).collect::<Vec<_>>());
        lines = longer.filter(|line| goes_on(line) && seen.insert(*line.position())).collect();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::movetext;
    use crate::variant::{Brazilian, International};

    fn text<V: Variant>(line: &Opening<V>) -> String {
        let moves = line.states().iter().zip(line.moves());
        moves.map(|(state, mv)| movetext::write(&state.position, *mv)).collect::<Vec<_>>().join(" ")
    }

    fn texts<V: Variant>(lines: &[Opening<V>]) -> HashSet<String> {
        lines.iter().map(text).collect()
    }

    /// The 158-game match of 10x10: 79 ballots, each played with both colors.
    #[test]
    fn two_plies_of_the_large_board() {
        let (all, sound) = (all::<International>(2), sound::<International>(2, 50, &Stop::default()).unwrap());
        assert_eq!((all.len(), sound.len()), (81, 79));
        let lost: HashSet<_> = &texts(&all) - &texts(&sound);
        assert_eq!(lost, ["31-27 16-21", "32-27 16-21"].map(String::from).into());
    }

    #[test]
    fn two_plies_of_the_small_board() {
        let (all, sound) = (all::<Brazilian>(2), sound::<Brazilian>(2, 50, &Stop::default()).unwrap());
        assert_eq!(all.len(), 49);
        assert!(sound.len() > 40 && sound.len() < 49, "{}", sound.len());
    }

    #[test]
    fn transpositions_count_once() {
        let lines = all::<Brazilian>(3);
        let positions: HashSet<_> = lines.iter().map(|line| *line.position()).collect();
        // 302 lines by perft.
        assert!(positions.len() == lines.len() && lines.len() < 302, "{}", lines.len());
    }
}
