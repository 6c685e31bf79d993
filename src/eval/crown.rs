//! Terms for games that the first king wins: all is about who gets through.

use std::cmp::Ordering;

use super::side::{SideView, Sides};
use super::tables::Tables;
use super::{Tapered, Term};
use crate::board::{Position, Side};
use crate::variant::{Geometry, Variant};

const MAN: Tapered = Tapered { opening: 100, ending: 180 };
const SUPPORT: Tapered = Tapered { opening: 7, ending: 2 };
const MAN_MOVE: Tapered = Tapered { opening: -3, ending: 20 };
/// Per row that a man has covered.
const ADVANCE: Tapered = Tapered { opening: -7, ending: -2 };
const CENTER: Tapered = Tapered { opening: 8, ending: 4 };
/// A man at home.
const GUARD: Tapered = Tapered { opening: 5, ending: 6 };
const IMBALANCE: Tapered = Tapered { opening: -7, ending: 0 };
/// Per row that the foremost runaway man has already covered.
const RUNAWAY: Tapered = Tapered { opening: 20, ending: 28 };
/// To crown first, unless captures forced upon the runner or its friends stop it.
const RACE: Tapered = Tapered { opening: 125, ending: 185 };
const TEMPO: Tapered = Tapered { opening: -5, ending: 0 };

#[inline]
pub(super) fn visit_terms<V: Variant>(sides: &Sides<V>, mut visit: impl FnMut(Term, Tapered)) {
    visit(Term::Material, sides.difference(|side| MAN.times(side.men.count() as i32)));
    visit(Term::Placement, sides.difference(placement));
    visit(Term::Support, sides.difference(|side| SUPPORT.times(side.supported())));
    visit(Term::Mobility, sides.difference(|side| MAN_MOVE.times(side.man_moves())));
    visit(Term::Runaway, sides.difference(runaway));
    visit(Term::Race, race(sides));
    visit(Term::Balance, sides.difference(|side| IMBALANCE.times(side.imbalance())));
    visit(Term::Guard, sides.difference(guard));
    visit(Term::Tempo, sides.difference(|side| side.tempo(TEMPO)));
}

/// Moves that the foremost runaway man needs, if there is one.
fn moves_to_crown<V: Variant>(side: &SideView<V>) -> Option<i32> {
    side.runaways().map(SideView::<V>::distance).min()
}

fn runaway<V: Variant>(side: &SideView<V>) -> Tapered {
    let covered = |moves| V::Board::SIDE as i32 - 1 - moves;
    moves_to_crown(side).map_or(Tapered::default(), |moves| RUNAWAY.times(covered(moves)))
}

fn race<V: Variant>(sides: &Sides<V>) -> Tapered {
    let plies = |side: &SideView<V>| moves_to_crown(side).map_or(i32::MAX, |moves| 2 * moves - i32::from(side.to_move));
    match plies(&sides.white).cmp(&plies(&sides.black)) {
        Ordering::Less => RACE,
        Ordering::Equal => Tapered::default(),
        Ordering::Greater => -RACE,
    }
}

fn guard<V: Variant>(side: &SideView<V>) -> Tapered {
    let home = Position::<V>::crown_row(Side::Black);
    GUARD.times((side.men & home).count() as i32)
}

fn placement<V: Variant>(side: &SideView<V>) -> Tapered {
    let covered: i32 = side.men.map(|man| V::Board::SIDE as i32 - 1 - SideView::<V>::distance(man)).sum();
    let edge = side.men.map(|man| V::Board::MAN[man.index()].ending).sum::<i32>() - 4 * covered;
    ADVANCE.times(covered) + CENTER.times(edge)
}
