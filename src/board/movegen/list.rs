//! A list of moves, reused between nodes.

use std::ops::Deref;

use crate::board::Move;

/// Moves in the order of the generator. Compositions can have hundreds, so the capacity grows;
/// a list that is reused allocates only for a new record.
#[derive(Clone, Debug, Default)]
pub struct MoveList(Vec<Move>);

impl MoveList {
    /// An empty list with room for any usual position.
    pub fn new() -> Self {
        Self(Vec::with_capacity(64))
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a move.
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Keeps the moves for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&Move) -> bool) {
        self.0.retain(keep);
    }
}

impl Deref for MoveList {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
