//! Random openings: positions after random moves from the start, as long as they are balanced.

use std::collections::HashSet;

use super::{Opening, OpeningError, Wanted, balanced, goes_on};
use crate::board::{Game, Position, legal_moves};
use crate::util::rng::Rng;
use crate::variant::Variant;

/// Candidates tried at a time.
const BATCH: usize = 256;
/// Candidates for each opening wanted after which the search ends with fewer.
const MOST_TRIES: usize = 200;

/// As many different balanced openings as are wanted, or fewer if hardly any candidate is balanced.
pub fn sound<V: Variant>(plies: u32, wanted: &Wanted) -> Result<Vec<Opening<V>>, OpeningError> {
    let mut rng = Rng::new(wanted.seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut tries = 0;
    while openings.len() < wanted.count && tries < wanted.count.saturating_mul(MOST_TRIES).max(BATCH) {
        // A batch is always whole: then fewer openings are the first ones of more.
        let batch = (0..BATCH).filter_map(|_| candidate(plies, &mut rng)).collect();
        let fresh = balanced(batch, wanted.balance)?.into_iter().filter(|opening| seen.insert(*opening.position()));
        openings.extend(fresh);
        tries += BATCH;
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
        let found = |seed, count| find::<V>(&wanted(seed, count)).unwrap();
        let (first, same, fewer, other) = (found(1, 30), found(1, 30), found(1, 10), found(2, 30));
        assert_eq!((first.len(), digest(&first)), (30, digest(&same)));
        assert_eq!(digest(&first[..10]), digest(&fewer));
        assert_ne!(digest(&first), digest(&other));
        assert!(first.iter().all(|opening| opening.moves().len() == 8));
        let positions: HashSet<_> = first.iter().map(|opening| *opening.position()).collect();
        assert_eq!(positions.len(), 30);
    }

    #[test]
    fn openings_follow_from_the_seed() {
        check::<International>();
        check::<Brazilian>();
    }
}
