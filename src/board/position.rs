//! A valid arrangement of pieces with a side to move.

use std::marker::PhantomData;

use super::movegen::{Black, Us, View, White};
use super::{Bitboard, KingRun, Move, Piece, Role, Setup, SetupError, Side, Square};
use crate::variant::rules::Goal;
use crate::variant::{Geometry, Variant};

/// A position: copied and changed rather than undone.
///
/// Invariants: all pieces stand on the board, the sides are disjoint, no man stands on its own
/// crowning row, the board is not empty, and where the first king wins the side to move has none.
/// A side may be without pieces: that game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<V: Variant> {
    pub(super) pieces: [Bitboard; 2],
    pub(super) kings: Bitboard,
    pub(super) side: Side,
    /// By side.
    pub(super) king_runs: [KingRun; 2],
    variant: PhantomData<V>,
}

impl<V: Variant> Position<V> {
    /// The start of the game: all but the two middle rows filled with men, White to move.
    pub fn start() -> Self {
        let men = V::Board::ROW * (V::Board::SIDE - 2) / 2;
        let black = Square::all::<V>().take(men as usize).collect();
        let white = Square::all::<V>().skip((V::Board::SQUARES - men) as usize).collect();
        Self { pieces: [white, black], ..Self::without_pieces(Side::White) }
    }

    const fn without_pieces(side: Side) -> Self {
        Self {
            pieces: [Bitboard::EMPTY; 2],
            kings: Bitboard::EMPTY,
            side,
            king_runs: [KingRun::NONE; 2],
            variant: PhantomData,
        }
    }

    /// The position with these pieces by side, some of them kings; the caller knows it to be valid.
    pub(crate) const fn from_sets(side: Side, pieces: [Bitboard; 2], kings: Bitboard) -> Self {
        Self { pieces, kings, ..Self::without_pieces(side) }
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

    /// The last moves of a side, if they were quiet moves with one king and such are limited.
    pub const fn king_run(&self, side: Side) -> KingRun {
        self.king_runs[side.index()]
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

    /// Whether a king has ended the game.
    pub fn is_over(&self) -> bool {
        V::RULES.goal == Goal::Crown && !self.kings.is_empty()
    }

    /// The crowning row of a side.
    pub const fn crown_row(side: Side) -> Bitboard {
        Bitboard(V::Board::CROWN_ROW[side.index()])
    }

    /// Whether a legal move crowns a man.
    pub fn crowns(&self, mv: Move) -> bool {
        !self.kings.contains(mv.from) && (mv.crowned_in_passing || Self::crown_row(self.side).contains(mv.to))
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        match self.side {
            Side::White => self.after_for::<White>(mv),
            Side::Black => self.after_for::<Black>(mv),
        }
    }

    /// [`after`](Self::after) with the side to move known at compile time.
    #[inline(always)]
    pub(super) fn after_for<U: Us>(&self, mv: Move) -> Self {
        let view = View::<V, U>::new(self);
        let next = view.after(view.step_of(mv));
        let mut pieces = self.pieces;
        pieces[U::SIDE.index()] = Bitboard(next.opponent);
        pieces[U::Them::SIDE.index()] = Bitboard(next.own);
        Self {
            pieces,
            kings: Bitboard(next.kings),
            side: U::Them::SIDE,
            king_runs: next.king_runs,
            variant: PhantomData,
        }
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
            king_runs: [flip_run::<V>(self.king_runs[1]), flip_run::<V>(self.king_runs[0])],
            variant: PhantomData,
        }
    }

    /// The pieces by field number.
    pub fn setup(&self) -> Setup {
        let squares = Square::all::<V>().map(|square| self.piece_at(square)).collect();
        let run = |side| self.king_run(side).king().map(|king| (king.number::<V>(), self.king_run(side).moves()));
        Setup { side: self.side, squares, king_runs: Side::BOTH.map(run) }
    }
}

/// A set of squares seen from the other side of the board.
pub(super) fn flip<V: Variant>(set: Bitboard) -> Bitboard {
    // The layout is symmetric: its bits run from 0 to the bit of the last square.
    let width = 64 - V::Board::BOARD.leading_zeros();
    Bitboard(set.0.reverse_bits() >> (64 - width))
}

fn flip_run<V: Variant>(run: KingRun) -> KingRun {
    run.king().map_or(KingRun::NONE, |king| {
        let flipped = flip::<V>(king.into());
        KingRun::new(Square::from_bit(flipped.0.trailing_zeros()), run.moves())
    })
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
        let mut position = Self::without_pieces(setup.side);
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
        if position.occupied().is_empty() {
            return Err(SetupError::Empty);
        }
        if V::RULES.goal == Goal::Crown && !position.kings(setup.side).is_empty() {
            return Err(SetupError::AlreadyWon(setup.side));
        }
        for side in Side::BOTH {
            position.king_runs[side.index()] = position.counted_run(setup, side)?;
        }
        Ok(position)
    }
}

impl<V: Variant> Position<V> {
    /// The run that a setup gives for a side, as far as this variant counts it.
    fn counted_run(&self, setup: &Setup, side: Side) -> Result<KingRun, SetupError> {
        let (Some(limit), Some((number, moves))) = (V::RULES.king_run_limit, setup.king_runs[side.index()]) else {
            return Ok(KingRun::NONE);
        };
        let king = Square::from_number::<V>(number).filter(|king| self.kings(side).contains(*king));
        let king = king.ok_or(SetupError::NoSuchKing { side, number })?;
        if moves > limit {
            return Err(SetupError::KingRun { moves, limit });
        }
        Ok(if self.men(side).is_empty() { KingRun::NONE } else { KingRun::new(king, moves) })
    }
}
