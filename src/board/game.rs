//! A played game: its positions, its moves and how it ends.

use std::cmp::Ordering;

use super::{DrawPolicy, DrawReason, GameOver, Key, Move, Position, Side, State, Verdict, legal_moves, outcome};
use crate::variant::Variant;
use crate::variant::rules::{Goal, Repetition};

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub struct Game<V: Variant> {
    /// The start and the state after each move.
    states: Vec<State<V>>,
    moves: Vec<Move>,
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move")]
pub struct IllegalMove(pub Move);

impl<V: Variant> Game<V> {
    /// A game that starts from `position`.
    pub fn new(position: Position<V>) -> Self {
        Self { states: vec![State::new(position)], moves: Vec::new() }
    }

    /// The current state.
    pub fn state(&self) -> &State<V> {
        self.states.last().expect("a game has a start")
    }

    /// The current position.
    pub fn position(&self) -> &Position<V> {
        &self.state().position
    }

    /// The position the game started from.
    pub fn start(&self) -> &Position<V> {
        &self.states[0].position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The states so far, start included, the current one last.
    pub fn states(&self) -> &[State<V>] {
        &self.states
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the rules do not allow it; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !legal_moves(self.position()).contains(&mv) {
            return Err(IllegalMove(mv));
        }
        self.states.push(self.state().after(mv));
        self.moves.push(mv);
        Ok(())
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(mv)
    }

    /// The states since the last man's move or capture: only these positions can recur.
    fn reversible(&self) -> &[State<V>] {
        let reversible = usize::from(self.state().clocks.king_plies) + 1;
        &self.states[self.states.len().saturating_sub(reversible)..]
    }

    /// Keys of the positions that can still recur, oldest first, the current one last.
    pub fn reversible_keys(&self) -> Vec<Key> {
        self.reversible().iter().map(|state| state.key).collect()
    }

    /// How often the current position has occurred with this side to move, now included.
    pub fn repetitions(&self) -> usize {
        self.reversible().iter().filter(|state| state.position == *self.position()).count()
    }

    /// Whether and how the game is over.
    pub fn over(&self, policy: &DrawPolicy) -> Option<GameOver> {
        if let Some(over) = outcome::without_moves(self.position()) {
            return Some(over);
        }
        let repeated = policy.rules.repetition == Repetition::Third && self.repetitions() >= 3;
        let reason = if repeated { Some(DrawReason::Repetition) } else { policy.reason(self.state()) };
        reason.map(|reason| GameOver::Draw(Verdict::Rule(reason)))
    }

    /// The verdict on a game stopped at a move limit: most pieces win, then most kings; the fewest
    /// where the players want to be rid of them.
    pub fn count_pieces(&self) -> GameOver {
        let count = |side| (self.position().pieces(side).count(), self.position().kings(side).count());
        let ahead = match count(Side::White).cmp(&count(Side::Black)) {
            Ordering::Greater => Some(Side::White),
            Ordering::Equal => None,
            Ordering::Less => Some(Side::Black),
        };
        let wins = |side: Side| if V::RULES.goal == Goal::BeBlocked { side.opponent() } else { side };
        GameOver::PieceCount(ahead.map(wins))
    }

    /// Whether each player has made `moves` moves, the earliest point for a draw offer in events
    /// that set one.
    pub fn has_moves_each(&self, moves: usize) -> bool {
        self.moves.len() >= 2 * moves
    }
}
