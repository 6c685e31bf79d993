//! A valid arrangement of pieces with a side to move.

use std::marker::PhantomData;

use super::movegen::{Black, Us, View, White};
use super::{Bitboard, Move, Piece, Role, Setup, SetupError, Side, Square};
use crate::variant::{Geometry, Variant};

/// A position: copied and changed rather than undone.
///
/// Invariants: all pieces stand on the board, the sides are disjoint, no man stands on its own
/// crowning row, the board is not empty. A side may be without pieces: that game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<V: Variant> {
    pub(super) pieces: [Bitboard; 2],
    pub(super) kings: Bitboard,
    pub(super) side: Side,
    variant: PhantomData<V>,
}

impl<V: Variant> Position<V> {
    /// The start of the game: all but the two middle rows filled with men, White to move.
    pub fn start() -> Self {
        let men = V::Board::ROW * (V::Board::SIDE - 2) / 2;
        let black = Square::all::<V>().take(men as usize).collect();
        let white = Square::all::<V>().skip((V::Board::SQUARES - men) as usize).collect();
        Self { pieces: [white, black], kings: Bitboard::EMPTY, side: Side::White, variant: PhantomData }
    }

    /// The side to move.
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// Men and kings of a side.
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.pieces[side.index()]
    }

    /// Men of a side.
    pub const fn men(&self, side: Side) -> Bitboard {
        self.pieces[side.index()].without(self.kings)
    }

    /// Kings of a side.
    pub fn kings(&self, side: Side) -> Bitboard {
        self.pieces[side.index()] & self.kings
    }

    /// All kings.
    pub const fn all_kings(&self) -> Bitboard {
        self.kings
    }

    /// All pieces.
    pub fn occupied(&self) -> Bitboard {
        self.pieces[0] | self.pieces[1]
    }

    /// Squares without a piece.
    pub fn empty(&self) -> Bitboard {
        Bitboard(V::Board::BOARD).without(self.occupied())
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = if self.kings.contains(square) { Role::King } else { Role::Man };
        let owner = Side::BOTH.into_iter().find(|side| self.pieces(*side).contains(square));
        owner.map(|side| Piece { side, role })
    }

    /// The crowning row of a side.
    pub const fn crown_row(side: Side) -> Bitboard {
        Bitboard(V::Board::CROWN_ROW[side.index()])
    }

    /// Whether a legal move crowns a man.
    pub fn crowns(&self, mv: Move) -> bool {
        !self.kings.contains(mv.from) && Self::crown_row(self.side).contains(mv.to)
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        match self.side {
            Side::White => self.play_for::<White>(mv),
            Side::Black => self.play_for::<Black>(mv),
        }
    }

    /// [`after`](Self::after) with the side to move known at compile time.
    #[inline(always)]
    fn play_for<U: Us>(&self, mv: Move) -> Self {
        let view = View::<V, U>::new(self);
        let next = view.after(view.step_of(mv));
        let mut pieces = self.pieces;
        pieces[U::SIDE.index()] = Bitboard(next.opponent);
        pieces[U::Them::SIDE.index()] = Bitboard(next.own);
        Self { pieces, kings: Bitboard(next.kings), side: U::Them::SIDE, variant: PhantomData }
    }

    /// The same position with the other side to move.
    #[must_use]
    pub fn with_side_to_move(&self, side: Side) -> Self {
        Self { side, ..*self }
    }

    /// The board turned by 180 degrees with the colors exchanged: the same game for the other side.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self {
            pieces: [flip::<V>(self.pieces[1]), flip::<V>(self.pieces[0])],
            kings: flip::<V>(self.kings),
            side: self.side.opponent(),
            variant: PhantomData,
        }
    }

    /// The pieces by field number.
    pub fn setup(&self) -> Setup {
        let squares = Square::all::<V>().map(|square| self.piece_at(square)).collect();
        Setup { side: self.side, squares }
    }
}

/// A set of squares seen from the other side of the board.
pub(super) fn flip<V: Variant>(set: Bitboard) -> Bitboard {
    // The layout is symmetric: its bits run from 0 to the bit of the last square.
    let width = 64 - V::Board::BOARD.leading_zeros();
    Bitboard(set.0.reverse_bits() >> (64 - width))
}

impl<V: Variant> Default for Position<V> {
    fn default() -> Self {
        Self::start()
    }
}

impl<V: Variant> TryFrom<&Setup> for Position<V> {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Self, SetupError> {
        let expected = V::Board::SQUARES;
        if setup.squares.len() != expected as usize {
            return Err(SetupError::WrongSize { found: setup.squares.len(), expected });
        }
        let mut position =
            Self { pieces: [Bitboard::EMPTY; 2], kings: Bitboard::EMPTY, side: setup.side, variant: PhantomData };
        for (square, piece) in Square::all::<V>().zip(&setup.squares) {
            let Some(Piece { side, role }) = *piece else { continue };
            position.pieces[side.index()] |= square.into();
            match role {
                Role::King => position.kings |= square.into(),
                Role::Man if Self::crown_row(side).contains(square) => {
                    return Err(SetupError::ManOnCrownRow { side, number: square.number::<V>() });
                }
                Role::Man => {}
            }
        }
        if position.occupied().is_empty() { Err(SetupError::Empty) } else { Ok(position) }
    }
}
