//! Random openings: positions after random moves from the start, as long as they are balanced.

use std::collections::HashSet;

use super::{Opening, OpeningError, Wanted, balanced, goes_on};
use crate::board::{Game, Position, legal_moves};
use crate::tournament::Stop;
use crate::util::rng::Rng;
use crate::variant::Variant;

/// Candidates tried at a time.
const BATCH: usize = 256;
/// Batches without a new opening after which the search ends.
const MOST_FRUITLESS: usize = 16;

/// As many different balanced openings as are wanted, or fewer if there are hardly any more; none is an error.
pub fn sound<V: Variant>(plies: u32, wanted: &Wanted, stop: &Stop) -> Result<Vec<Opening<V>>, OpeningError> {
    let mut rng = Rng::new(wanted.seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut fruitless = 0;
    while openings.len() < wanted.count && fruitless < MOST_FRUITLESS {
        // A batch is always whole: then fewer openings are the first ones of more.
        let batch = (0..BATCH).filter_map(|_| candidate(plies, &mut rng));
        let fresh: Vec<Opening<V>> = batch.filter(|opening| seen.insert(*opening.position())).collect();
        let found = balanced(&fresh, wanted.balance, stop)?;
        fruitless = if found.is_empty() { fruitless + 1 } else { 0 };
        openings.extend(found);
    }
    if openings.is_empty() {
        let Wanted { source, balance, .. } = wanted;
        return Err(OpeningError::Unbalanced { wanted: source.clone(), tried: seen.len(), balance: *balance });
    }
    openings.truncate(wanted.count);
    Ok(openings)
}

/// A game of random moves; none if it ended on the way.
fn candidate<V: Variant>(plies: u32, rng: &mut Rng) -> Option<Opening<V>> {
    let mut game = Game::new(Position::start());
    for _ in 0..plies {
        let moves = legal_moves(game.position());
        let mv = *moves.get(rng.below(moves.len().max(1)))?;
        game.play(mv).expect("the move is from the list");
    }
    goes_on(&game).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::openings::{Source, digest, find};
    use crate::variant::{Brazilian, International};

    fn wanted(seed: u64, count: usize) -> Wanted {
        Wanted { source: Source::Random(8), plies: None, balance: 50, seed, count }
    }

    fn check<V: Variant>() {
        let found = |seed, count| find::<V>(&wanted(seed, count), &Stop::default()).unwrap();
        let (first, same, fewer, other) = (found(1, 30), found(1, 30), found(1, 10), found(2, 30));
        let digests =
            |openings: &[Opening<V>]| -> Vec<u64> { openings.iter().map(|opening| digest(opening.states())).collect() };
        assert_eq!((first.len(), digests(&first)), (30, digests(&same)));
        assert_eq!(digests(&first[..10]), digests(&fewer));
        assert_ne!(digests(&first), digests(&other));
        assert!(first.iter().all(|opening| opening.moves().len() == 8));
        let positions: HashSet<_> = first.iter().map(|opening| *opening.position()).collect();
        assert_eq!(positions.len(), 30);
    }

    #[test]
    fn openings_follow_from_the_seed() {
        check::<International>();
        check::<Brazilian>();
    }

    #[test]
    fn the_search_for_openings_ends() {
        let stop = Stop::default();
        let wanted = |plies, balance| Wanted { source: Source::Random(plies), balance, ..wanted(1, 100) };
        // There are nine first moves.
        assert_eq!(find::<International>(&wanted(1, 100), &stop).unwrap().len(), 9);
        let error = find::<International>(&wanted(1, -1), &stop).unwrap_err();
        assert_eq!(error.to_string(), "openings `random:1`: none of 9 candidates is even within -0.01 men");
        stop.set();
        assert_eq!(find::<International>(&wanted(8, 50), &stop).unwrap_err(), OpeningError::Stopped);
    }
}
