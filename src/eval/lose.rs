//! Terms for games in which a side that cannot move has won: pieces are a burden, above all kings,
//! which have to capture whatever they are offered.

use super::side::{SideView, Sides};
use super::tables::Tables;
use super::{Tapered, Term};
use crate::board::{Bitboard, Position, Side};
use crate::variant::{Geometry, Variant};

const MAN: Tapered = Tapered { opening: 10, ending: -15 };
const KING: Tapered = Tapered { opening: -30, ending: -45 };
const MAN_MOVE: Tapered = Tapered { opening: -5, ending: 8 };
const KING_MOVE: Tapered = Tapered { opening: 0, ending: 10 };
const SUPPORT: Tapered = Tapered { opening: -11, ending: -10 };
/// Per row that a man has covered.
const ADVANCE: Tapered = Tapered { opening: -4, ending: -3 };
const GUARD: Tapered = Tapered { opening: -12, ending: -6 };
const EDGE: Tapered = Tapered { opening: -9, ending: -17 };
const LAST: Tapered = Tapered { opening: 26, ending: 0 };
const TEMPO: Tapered = Tapered { opening: 0, ending: 20 };

#[inline]
pub(super) fn visit_terms<V: Variant>(sides: &Sides<V>, mut visit: impl FnMut(Term, Tapered)) {
    visit(Term::Material, sides.difference(material));
    visit(Term::Mobility, sides.difference(mobility));
    visit(Term::Support, sides.difference(|side| SUPPORT.times(side.supported())));
    visit(Term::Placement, sides.difference(placement));
    visit(Term::Tempo, sides.difference(|side| side.tempo(TEMPO)));
}

fn material<V: Variant>(side: &SideView<V>) -> Tapered {
    MAN.times(side.men.count() as i32) + KING.times(side.kings.count() as i32)
}

fn mobility<V: Variant>(side: &SideView<V>) -> Tapered {
    MAN_MOVE.times(side.man_moves()) + KING_MOVE.times(side.king_moves())
}

fn placement<V: Variant>(side: &SideView<V>) -> Tapered {
    let covered: i32 = side.men.map(|man| V::Board::SIDE as i32 - 1 - SideView::<V>::distance(man)).sum();
    let home = Position::<V>::crown_row(Side::Black);
    ADVANCE.times(covered)
        + GUARD.times((side.men & home).count() as i32)
        + EDGE.times((side.men & Bitboard(V::Board::EDGE)).count() as i32)
        + LAST.times(i32::from(side.men.count() + side.kings.count() <= 2))
}
