//! The terms of the evaluation, each for White minus Black.

use std::ops::{Add, AddAssign, Sub};

use super::tables::Tables;
use crate::board::movegen::lines::slide;
use crate::board::{Bitboard, Position, Side, Square};
use crate::variant::{Geometry, Variant};

/// A value that differs between opening and ending, in hundredths of a man.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// Weight with all pieces on the board.
    pub opening: i32,
    /// Weight without pieces.
    pub ending: i32,
}

/// What a term measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Men and kings.
    Material,
    /// Where the men stand.
    Placement,
    /// Men with a friend behind them, which cannot be jumped that way.
    Support,
    /// Squares that men and kings can move to.
    Mobility,
    /// Men that no opposing piece can stop.
    Runaway,
    /// Men spread evenly over both wings.
    Balance,
    /// The right to move.
    Tempo,
}

impl Term {
    /// A name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Placement => "placement",
            Self::Support => "support",
            Self::Mobility => "mobility",
            Self::Runaway => "runaway men",
            Self::Balance => "balance",
            Self::Tempo => "tempo",
        }
    }
}

const MAN: Tapered = same(100);
const KING: Tapered = Tapered { opening: 260, ending: 300 };
/// A side's first king is worth more than the next ones.
const FIRST_KING: Tapered = Tapered { opening: 60, ending: 40 };
const SUPPORT: Tapered = Tapered { opening: 3, ending: 2 };
const MAN_MOVE: Tapered = Tapered { opening: 2, ending: 3 };
const KING_MOVE: Tapered = same(2);
/// Per row that a runaway man has already covered.
const RUNAWAY: Tapered = Tapered { opening: 10, ending: 14 };
/// For each man that one wing has too many.
const IMBALANCE: Tapered = Tapered { opening: -3, ending: -2 };
const TEMPO: Tapered = same(3);

const fn same(value: i32) -> Tapered {
    Tapered { opening: value, ending: value }
}

impl Tapered {
    const fn times(self, factor: i32) -> Self {
        Self { opening: self.opening * factor, ending: self.ending * factor }
    }
}

impl Add for Tapered {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { opening: self.opening + other.opening, ending: self.ending + other.ending }
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { opening: self.opening - other.opening, ending: self.ending - other.ending }
    }
}

/// Every term, White minus Black.
#[inline]
pub fn terms<V: Variant>(position: &Position<V>) -> [(Term, Tapered); 7] {
    let (white, black) = (SideView::new(position), SideView::new(&position.flipped()));
    let difference = |term: fn(&SideView<V>) -> Tapered| term(&white) - term(&black);
    let tempo = if position.side_to_move() == Side::White { TEMPO } else { TEMPO.times(-1) };
    [
        (Term::Material, difference(SideView::material)),
        (Term::Placement, difference(SideView::placement)),
        (Term::Support, difference(SideView::support)),
        (Term::Mobility, difference(SideView::mobility)),
        (Term::Runaway, difference(SideView::runaway)),
        (Term::Balance, difference(SideView::balance)),
        (Term::Tempo, tempo),
    ]
}

/// One side's pieces on a board turned so that it plays up.
struct SideView<V> {
    men: Bitboard,
    kings: Bitboard,
    opponent: Bitboard,
    empty: Bitboard,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> SideView<V> {
    #[inline]
    fn new(position: &Position<V>) -> Self {
        Self {
            men: position.men(Side::White),
            kings: position.kings(Side::White),
            opponent: position.pieces(Side::Black),
            empty: position.empty(),
            variant: std::marker::PhantomData,
        }
    }

    /// The men's squares, one step forward to the left and to the right.
    fn steps(&self) -> [Bitboard; 2] {
        [Bitboard(self.men.0 >> V::Board::LONG), Bitboard(self.men.0 >> V::Board::SHORT)]
    }

    fn material(&self) -> Tapered {
        let kings = self.kings.count() as i32;
        MAN.times(self.men.count() as i32) + KING.times(kings) + FIRST_KING.times(i32::from(kings > 0))
    }

    fn placement(&self) -> Tapered {
        self.men.fold(Tapered::default(), |sum, square| sum + V::Board::MAN[square.index()])
    }

    fn support(&self) -> Tapered {
        let edge = Bitboard(V::Board::EDGE);
        let [left, right] = self.steps();
        let safe = self.men & (left | right | edge);
        SUPPORT.times(safe.count() as i32)
    }

    fn mobility(&self) -> Tapered {
        let [left, right] = self.steps();
        let men = (left & self.empty).count() + (right & self.empty).count();
        let reach = |direction, king: Square| slide::<V>(king.bit(), direction, !self.empty.0).0.count_ones();
        let kings: u32 = self.kings.map(|king| (0..4).map(|direction| reach(direction, king)).sum::<u32>()).sum();
        MAN_MOVE.times(men as i32) + KING_MOVE.times(kings as i32)
    }

    fn runaway(&self) -> Tapered {
        let mut sum = Tapered::default();
        for man in self.men {
            if !Bitboard(V::Board::CONE[man.index()]).intersects(self.opponent) {
                let row = i32::from(V::Board::ROW_OF[man.index()]);
                sum += RUNAWAY.times(V::Board::SIDE as i32 - 1 - row);
            }
        }
        sum
    }

    fn balance(&self) -> Tapered {
        let left = (self.men & Bitboard(V::Board::LEFT)).count() as i32;
        let right = self.men.count() as i32 - left;
        IMBALANCE.times((left - right).abs())
    }
}
