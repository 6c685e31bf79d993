//! A position with its key and the counters of the draw rules: what a search node holds.

use super::{Bitboard, Key, Move, Position, Side};
use crate::variant::{Geometry, Variant};

/// Plies counted by the draw rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clocks {
    /// Since the last man's move or capture; also the number of reversible plies behind this one.
    pub king_plies: u16,
    /// Since the last capture or crowning.
    pub balance_plies: u16,
    /// Of those, plies after which a lone king had the long diagonal to itself.
    pub diagonal_plies: u16,
}

/// A position, its key and its clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<V: Variant> {
    /// The pieces and the side to move.
    pub position: Position<V>,
    /// Hash of the position.
    pub key: Key,
    /// Counters of the draw rules.
    pub clocks: Clocks,
}

impl<V: Variant> State<V> {
    /// The state of a position without a past.
    pub fn new(position: Position<V>) -> Self {
        Self { position, key: Key::of(&position), clocks: Clocks::default() }
    }

    /// The state after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let position = self.position.after(mv);
        Self { position, key: self.key.after(&self.position, mv), clocks: self.clocks_after(mv, &position) }
    }

    fn clocks_after(&self, mv: Move, next: &Position<V>) -> Clocks {
        if mv.is_capture() || self.position.crowns(mv) {
            return Clocks::default();
        }
        let is_king = self.position.all_kings().contains(mv.from);
        let on_diagonal = is_lone_king_on_diagonal(next);
        Clocks {
            king_plies: if is_king { self.clocks.king_plies.saturating_add(1) } else { 0 },
            balance_plies: self.clocks.balance_plies.saturating_add(1),
            diagonal_plies: self.clocks.diagonal_plies.saturating_add(on_diagonal.into()),
        }
    }
}

/// Whether a lone king stands on the long diagonal and no other piece does.
fn is_lone_king_on_diagonal<V: Variant>(position: &Position<V>) -> bool {
    let diagonal = Bitboard(V::Board::LONG_DIAGONAL);
    let holder = position.occupied() & diagonal;
    holder.count() == 1
        && holder & position.all_kings() == holder
        && Side::BOTH.into_iter().any(|side| position.pieces(side) == holder)
}
