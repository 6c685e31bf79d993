//! A position with its key and the counters of the draw rules: what a search node holds.

use super::movegen::{Black, Us, White};
use super::{Bitboard, Key, Move, Position, Side};
use crate::variant::rules::LoneKing;
use crate::variant::{Geometry, Variant};

/// Plies counted by the draw rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clocks {
    /// Since the last man's move or capture; also the number of reversible plies behind this one.
    pub king_plies: u16,
    /// Since the last capture or crowning.
    pub balance_plies: u16,
    /// Since a lone king faced this [`LoneKing`] class; 0 in all other positions.
    pub lone_king_plies: u16,
    /// Of those against three pieces, plies after which the lone king had the long diagonal to
    /// itself.
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
        // For each side to the end: where the ways join early, the position is copied once more, while it is written.
        match self.position.side {
            Side::White => self.after_for::<White>(mv),
            Side::Black => self.after_for::<Black>(mv),
        }
    }

    #[inline(always)]
    fn after_for<U: Us>(&self, mv: Move) -> Self {
        let position = self.position.after_for::<U>(mv);
        let key = self.key.after(&self.position, mv, &position);
        Self { position, key, clocks: self.clocks_after(mv, &position) }
    }

    #[inline(always)]
    fn clocks_after(&self, mv: Move, next: &Position<V>) -> Clocks {
        let keeps_balance = !mv.is_capture() && !self.position.crowns(mv);
        let is_king_move = !mv.is_capture() && self.position.all_kings().contains(mv.from);
        let clocks = Clocks {
            king_plies: if is_king_move { self.clocks.king_plies.saturating_add(1) } else { 0 },
            balance_plies: if keeps_balance { self.clocks.balance_plies.saturating_add(1) } else { 0 },
            ..Clocks::default()
        };
        // Counting pieces is for the few positions that have a king at all.
        if next.all_kings().is_empty() { clocks } else { self.with_lone_king_clocks(clocks, *next) }
    }

    /// Takes a copy, so that without kings the position need not be in memory before it is where it belongs.
    #[inline(never)]
    fn with_lone_king_clocks(&self, clocks: Clocks, next: Position<V>) -> Clocks {
        let class = lone_king(&next);
        if class.is_none() || class != lone_king(&self.position) {
            return clocks;
        }
        let holds_diagonal = class == Some(LoneKing::Three) && lone_king_holds_diagonal(&next);
        Clocks {
            lone_king_plies: self.clocks.lone_king_plies.saturating_add(1),
            diagonal_plies: self.clocks.diagonal_plies.saturating_add(holds_diagonal.into()),
            ..clocks
        }
    }
}

/// The class of a lone king's ending, whichever side has the lone king.
pub(super) fn lone_king<V: Variant>(position: &Position<V>) -> Option<LoneKing> {
    if position.occupied().count() > 4 || Side::BOTH.into_iter().any(|side| position.kings(side).is_empty()) {
        return None;
    }
    // Both sides have a king, so a single piece is a lone king.
    let [one, other] = Side::BOTH.map(|side| position.pieces(side).count());
    match (one.min(other), one.max(other)) {
        (1, 3) => Some(LoneKing::Three),
        (1, _) => Some(LoneKing::Few),
        _ => None,
    }
}

/// Whether a lone king stands on the long diagonal and no other piece does.
fn lone_king_holds_diagonal<V: Variant>(position: &Position<V>) -> bool {
    let holder = position.occupied() & Bitboard(V::Board::LONG_DIAGONAL);
    Side::BOTH.into_iter().any(|side| position.pieces(side) == holder && holder.count() == 1)
}
