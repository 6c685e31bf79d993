//! What endgame databases know: at the root about every move, in the tree about a node.

use std::cmp::Reverse;

use super::Score;
use super::worker::Worker;
use crate::board::{DrawPolicy, Key, Move, State, legal_moves, movegen};
use crate::egdb::{Databases, Value};
use crate::variant::Variant;
use crate::variant::rules::Repetition;

/// Most moves of a line that is read from the databases.
const LINE: usize = 10;

/// What is known of a root move, for the side that makes it, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Merit {
    /// Loses after so many plies: the later, the better.
    LosesIn(u32),
    /// Loses.
    Loses,
    /// Loses after so many plies, unless a count of moves that has begun ends the game before.
    LosesLate(u32),
    /// Draws.
    Draws,
    /// Wins after so many plies, unless a count of moves that has begun ends the game before.
    WinsLate(Reverse<u32>),
    /// Wins.
    Wins,
    /// Wins after so many plies: the sooner, the better.
    WinsIn(Reverse<u32>),
}

impl Merit {
    /// The merit of a move that leads to `next`, if it is known; `past` has the keys of the positions before
    /// that may recur.
    fn of<V: Variant>(databases: &Databases<V>, policy: &DrawPolicy, past: &[Key], next: &State<V>) -> Option<Self> {
        let value = -databases.value(&next.position)?;
        // The loser will take any draw that it can reach.
        let is_saved = || legal_moves(&next.position).iter().any(|&reply| is_drawn(policy, past, &next.after(reply)));
        if value == Value::Draw || is_drawn(policy, past, next) || value == Value::Win && is_saved() {
            return Some(Self::Draws);
        }
        let Some(plies) = databases.distance(&next.position) else {
            return Some(if value == Value::Win { Self::Wins } else { Self::Loses });
        };
        Some(match (value, policy.allows(next, plies)) {
            (Value::Win, true) => Self::WinsIn(Reverse(plies + 1)),
            (Value::Win, false) => Self::WinsLate(Reverse(plies + 1)),
            (_, true) => Self::LosesIn(plies + 1),
            (_, false) => Self::LosesLate(plies + 1),
        })
    }

    /// Whether nothing is left to search for.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::LosesIn(_) | Self::LosesLate(_) | Self::WinsLate(_) | Self::WinsIn(_))
    }

    /// The score with so many pieces at the root, given what a search has found.
    pub fn score(self, found: Score, pieces: u32) -> Score {
        let win = Score::known_win(pieces, 0);
        match self {
            Self::LosesIn(plies) => Score::loss_in(plies),
            Self::LosesLate(_) => -win,
            Self::Loses => found.min(-win),
            Self::Draws => Score::DRAW,
            Self::Wins => found.max(win),
            Self::WinsLate(_) => win,
            Self::WinsIn(Reverse(plies)) => Score::win_in(plies),
        }
    }
}

/// Whether a game that has come to `state` is drawn by rule; `past` has the keys of the positions before.
fn is_drawn<V: Variant>(policy: &DrawPolicy, past: &[Key], state: &State<V>) -> bool {
    let is_third = policy.rules.repetition == Repetition::Third
        && past.iter().filter(|earlier| **earlier == state.key).count() >= 2;
    (is_third || policy.reason(state).is_some()) && movegen::has_moves(&state.position)
}

/// The merit of each move at the root, if all are known; `past` has the keys of the positions that may
/// recur, that of the root last.
pub(crate) fn merits<V: Variant>(
    databases: &Databases<V>,
    policy: &DrawPolicy,
    past: &[Key],
    root: &State<V>,
    moves: &[Move],
) -> Option<Vec<Merit>> {
    if root.position.occupied().count() > databases.pieces() {
        return None;
    }
    moves.iter().map(|&mv| Merit::of(databases, policy, past, &root.after(mv))).collect()
}

impl<V: Variant> Worker<V> {
    /// The value of a position, if the databases are asked about it. Positions with as many pieces as
    /// the root are not if it is known itself: there the search is to find how to go on.
    #[inline]
    pub fn look_up(&mut self, state: &State<V>) -> Option<Value> {
        if self.known_pieces == 0 || state.position.occupied().count() > self.known_pieces {
            return None;
        }
        if !movegen::has_moves(&state.position) {
            // The end itself has an exact score.
            return None;
        }
        let value = self.databases.value(&state.position)?;
        self.hits += 1;
        Some(value)
    }

    /// The best moves of both sides after `mv`, as far as they are known exactly.
    pub fn known_line(&self, root: &State<V>, mv: Move) -> Vec<Move> {
        let mut line = vec![mv];
        let mut state = root.after(mv);
        while line.len() < LINE {
            let moves = legal_moves(&state.position);
            let Some(merits) = merits(&self.databases, &self.policy, &[], &state, &moves) else { break };
            let Some((merit, &mv)) = merits.into_iter().zip(&moves).max_by_key(|(merit, _)| *merit) else { break };
            if !merit.is_exact() {
                break;
            }
            line.push(mv);
            state = state.after(mv);
        }
        line
    }
}

/// The value of a leaf that the databases know.
pub(super) fn score<V: Variant>(value: Value, state: &State<V>, ply: u32) -> Score {
    let win = Score::known_win(state.position.occupied().count(), ply);
    match value {
        Value::Loss => -win,
        Value::Draw => Score::DRAW,
        Value::Win => win,
    }
}

/// The range of a node's value when the databases know it.
pub(super) fn range<V: Variant>(value: Value, state: &State<V>, ply: u32) -> (Score, Score) {
    let known = score(value, state, ply);
    let (worst, best) = Score::range::<V>(ply);
    match value {
        Value::Loss => (worst, known),
        Value::Draw => (known, known),
        Value::Win => (known, best),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_moves_are_better_than_those_that_a_count_may_cut_off() {
        let [soon, late] = [3, 90];
        let order = [
            Merit::LosesIn(soon),
            Merit::LosesIn(late),
            Merit::Loses,
            Merit::LosesLate(soon),
            Merit::LosesLate(late),
            Merit::Draws,
            Merit::WinsLate(Reverse(late)),
            Merit::WinsLate(Reverse(soon)),
            Merit::Wins,
            Merit::WinsIn(Reverse(late)),
            Merit::WinsIn(Reverse(soon)),
        ];
        assert!(order.is_sorted());
    }
}
