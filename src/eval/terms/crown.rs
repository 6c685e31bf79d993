//! Terms for games that the first king wins: who gets through, and who runs out of safe moves first
//! and has to open a way.
//!
//! The weights were rounded by hand from a regression over games of the engine against itself. They
//! scored 55 % of 500 games at 1,000 and 2,000 nodes a move against the terms of `block`, some of which
//! served to choose them; in 200 fresh ones the two were even.

use super::side::{SideView, Sides};
use super::{Tapered, Term};
use crate::variant::Variant;

const MAN: Tapered = Tapered::same(100);
/// A man by the rows it has covered: in the end those at home and those far ahead count most.
const ROW: [Tapered; 10] = [
    Tapered { opening: 25, ending: 10 },
    Tapered { opening: 12, ending: 5 },
    Tapered { opening: 18, ending: -10 },
    Tapered { opening: 20, ending: -18 },
    Tapered { opening: 16, ending: -15 },
    Tapered { opening: 8, ending: 0 },
    Tapered { opening: -5, ending: 20 },
    Tapered { opening: -25, ending: 50 },
    Tapered { opening: -30, ending: 90 },
    Tapered::same(0),
];
const SUPPORT: Tapered = Tapered { opening: 0, ending: 8 };
const SAFE_MOVE: Tapered = Tapered { opening: -5, ending: 18 };
/// For each row that the runaway man which crowns first has covered beyond the third. Not certain to
/// win: a capture forced upon it may stop it.
const RACE: Tapered = Tapered::same(55);

#[inline]
pub(super) fn visit_terms<V: Variant>(sides: &Sides<V>, mut visit: impl FnMut(Term, Tapered)) {
    visit(Term::Material, sides.difference(|side| MAN.times(side.men.count() as i32)));
    visit(Term::Placement, sides.difference(placement));
    visit(Term::Support, sides.difference(|side| SUPPORT.times(side.supported())));
    visit(Term::Mobility, sides.difference(|side| SAFE_MOVE.times(side.safe_moves())));
    visit(Term::Race, race(sides));
}

fn placement<V: Variant>(side: &SideView<V>) -> Tapered {
    side.men.fold(Tapered::default(), |sum, man| sum + ROW[SideView::<V>::covered(man) as usize])
}

fn race<V: Variant>(sides: &Sides<V>) -> Tapered {
    let covered = |side: &SideView<V>| side.runaways().map(SideView::<V>::covered).max().unwrap_or(0);
    let [white, black] = [&sides.white, &sides.black].map(covered);
    // With equal ways to go the side to move is first.
    let white_is_first = white > black || white == black && sides.white.to_move;
    if white_is_first { RACE.times((white - 3).max(0)) } else { -RACE.times((black - 3).max(0)) }
}
