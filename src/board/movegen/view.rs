//! The position as the generator needs it: bare sets, the side to move known as a type.

use std::marker::PhantomData;

use crate::board::{Bitboard, Move, Position, Role, Side, Square};
use crate::variant::{Geometry, Variant};

/// The side to move, as a type.
pub(in crate::board) trait Us {
    /// The opponent.
    type Them: Us<Them = Self>;
    /// Which side this is.
    const SIDE: Side;
}

/// White as a type.
pub(in crate::board) struct White;
/// Black as a type.
pub(in crate::board) struct Black;

impl Us for White {
    type Them = Black;
    const SIDE: Side = Side::White;
}

impl Us for Black {
    type Them = White;
    const SIDE: Side = Side::Black;
}

/// The pieces from the point of view of the side to move.
pub(in crate::board) struct View<V, U> {
    pub own: u64,
    pub opponent: u64,
    /// Kings of both sides.
    pub kings: u64,
    types: PhantomData<(V, U)>,
}

/// A move as sets: one bit at each end.
#[derive(Clone, Copy)]
pub(in crate::board) struct Step {
    pub role: Role,
    pub from: u64,
    pub to: u64,
    pub captured: u64,
}

impl From<Step> for Move {
    #[inline(always)]
    fn from(step: Step) -> Self {
        Self { captured: Bitboard(step.captured), from: square(step.from), to: square(step.to) }
    }
}

/// The square of a one-bit set.
#[inline(always)]
pub(super) fn square(one: u64) -> Square {
    Square::from_bit(one.trailing_zeros())
}

impl<V: Variant, U: Us> View<V, U> {
    #[inline(always)]
    pub fn new(position: &Position<V>) -> Self {
        let pieces = |side: Side| position.pieces[side.index()].0;
        Self { own: pieces(U::SIDE), opponent: pieces(U::Them::SIDE), kings: position.kings.0, types: PhantomData }
    }

    #[inline(always)]
    pub(super) fn men(&self) -> u64 {
        self.own & !self.kings
    }

    #[inline(always)]
    pub(super) fn own_kings(&self) -> u64 {
        self.own & self.kings
    }

    #[inline(always)]
    pub(super) fn empty(&self) -> u64 {
        V::Board::BOARD & !(self.own | self.opponent)
    }

    /// A move of this position as sets.
    #[inline(always)]
    pub fn step_of(&self, mv: Move) -> Step {
        let (from, to) = (Bitboard::from(mv.from).0, Bitboard::from(mv.to).0);
        let role = if self.kings & from != 0 { Role::King } else { Role::Man };
        Step { role, from, to, captured: mv.captured.0 }
    }

    /// What the opponent sees after the move.
    #[inline(always)]
    pub fn after(&self, Step { role, from, to, captured }: Step) -> View<V, U::Them> {
        // Removed first: a capture may end where it started.
        let kings = match role {
            Role::King => self.kings & !from & !captured | to,
            Role::Man => self.kings & !captured | to & V::Board::CROWN_ROW[U::SIDE.index()],
        };
        View { own: self.opponent & !captured, opponent: self.own & !from | to, kings, types: PhantomData }
    }
}
