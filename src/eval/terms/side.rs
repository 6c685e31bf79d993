//! What the terms count, seen by one side.

use std::marker::PhantomData;

use super::Tapered;
use super::tables::Tables;
use crate::board::movegen::lines::slide;
use crate::board::{Bitboard, Position, Side, Square};
use crate::variant::{Geometry, Variant};

/// One side's pieces on a board turned so that it plays up.
pub struct SideView<V> {
    pub men: Bitboard,
    pub kings: Bitboard,
    pub opponent: Bitboard,
    pub opposing_men: Bitboard,
    pub empty: Bitboard,
    pub to_move: bool,
    variant: PhantomData<V>,
}

/// Both sides' views.
pub struct Sides<V> {
    pub white: SideView<V>,
    pub black: SideView<V>,
}

impl<V: Variant> Sides<V> {
    #[inline]
    pub fn new(position: &Position<V>) -> Self {
        Self { white: SideView::new(position), black: SideView::new(&position.flipped()) }
    }

    /// A term for White minus the same for Black.
    #[inline]
    pub fn difference(&self, term: impl Fn(&SideView<V>) -> Tapered) -> Tapered {
        term(&self.white) - term(&self.black)
    }
}

impl<V: Variant> SideView<V> {
    #[inline]
    fn new(position: &Position<V>) -> Self {
        Self {
            men: position.men(Side::White),
            kings: position.kings(Side::White),
            opponent: position.pieces(Side::Black),
            opposing_men: position.men(Side::Black),
            empty: position.empty(),
            to_move: position.side_to_move() == Side::White,
            variant: PhantomData,
        }
    }

    /// The men's squares, one step forward to the left and to the right.
    fn steps(&self) -> [Bitboard; 2] {
        [Bitboard(self.men.0 >> V::Board::LONG), Bitboard(self.men.0 >> V::Board::SHORT)]
    }

    /// Where the men stand.
    pub fn placement(&self) -> Tapered {
        self.men.fold(Tapered::default(), |sum, square| sum + V::Board::MAN[square.index()])
    }

    /// Rows that the men have covered together.
    pub fn rows_covered(&self) -> i32 {
        self.men.map(Self::covered).sum()
    }

    /// Men on the left and right edge.
    pub fn on_edge(&self) -> i32 {
        (self.men & Bitboard(V::Board::EDGE)).count() as i32
    }

    /// Men on the row where the opponent crowns.
    pub fn at_home(&self) -> i32 {
        (self.men & Position::<V>::crown_row(Side::Black)).count() as i32
    }

    /// Men on the edge or with a friend behind them.
    pub fn supported(&self) -> i32 {
        let [left, right] = self.steps();
        (self.men & (left | right | Bitboard(V::Board::EDGE))).count() as i32
    }

    /// Quiet moves of men.
    pub fn man_moves(&self) -> i32 {
        let [left, right] = self.steps();
        ((left & self.empty).count() + (right & self.empty).count()) as i32
    }

    /// Quiet moves of men to squares where no neighbour can capture the man.
    pub fn safe_moves(&self) -> i32 {
        let [left, right] = self.steps();
        let safe = |targets: Bitboard, along: u32, across: u32| {
            let (opponent, empty) = (self.opponent.0, self.empty.0);
            // From the front, over the square just left; and to either side along the other diagonal.
            let attacked =
                opponent << along | opponent << across & empty >> across | opponent >> across & empty << across;
            (targets & self.empty).without(Bitboard(attacked)).count() as i32
        };
        safe(left, V::Board::LONG, V::Board::SHORT) + safe(right, V::Board::SHORT, V::Board::LONG)
    }

    /// Quiet moves of kings.
    pub fn king_moves(&self) -> i32 {
        let reach = |direction, king: Square| slide::<V>(king.bit(), direction, !self.empty.0).0.count_ones();
        let kings: u32 = self.kings.map(|king| (0..4).map(|direction| reach(direction, king)).sum::<u32>()).sum();
        kings as i32
    }

    /// Men that no opposing piece can stop, since none is in front of them.
    pub fn runaways(&self) -> impl Iterator<Item = Square> {
        self.men.filter(|man| !Bitboard(V::Board::CONE[man.index()]).intersects(self.opponent))
    }

    /// Men that one wing has more than the other.
    pub fn imbalance(&self) -> i32 {
        let left = (self.men & Bitboard(V::Board::LEFT)).count() as i32;
        let right = self.men.count() as i32 - left;
        (left - right).abs()
    }

    /// Rows between home and `square`.
    pub fn covered(square: Square) -> i32 {
        V::Board::SIDE as i32 - 1 - i32::from(V::Board::ROW_OF[square.index()])
    }

    /// What the right to move is worth to the side that has it.
    pub fn tempo(&self, value: Tapered) -> Tapered {
        value.times(self.to_move.into())
    }
}
