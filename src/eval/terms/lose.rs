//! Terms for games in which a side that cannot move has won.
//!
//! Early on a man more is a move more to wait with; in the end each is one more to get rid of. Men
//! that nothing can jump are the hardest to give away. A king must capture whatever it is offered, but
//! with room to move it finds its own end.
//!
//! The weights were found by trial in games of the engine against itself. They scored 99 of 100 games at
//! 2,000 nodes a move against the terms of `block`, which want to win pieces.

use super::side::{SideView, Sides};
use super::{Tapered, Term};
use crate::variant::Variant;

const MAN: Tapered = Tapered { opening: 10, ending: -15 };
const KING: Tapered = Tapered { opening: -30, ending: -45 };
const KING_MOVE: Tapered = Tapered { opening: 0, ending: 10 };
const MAN_MOVE: Tapered = Tapered { opening: -5, ending: 8 };
/// For each row that a man has covered.
const ADVANCE: Tapered = Tapered { opening: -4, ending: -3 };
const EDGE: Tapered = Tapered { opening: -9, ending: -17 };
const SUPPORT: Tapered = Tapered { opening: -11, ending: -10 };
/// A man at home.
const GUARD: Tapered = Tapered { opening: -12, ending: -6 };
const TEMPO: Tapered = Tapered { opening: 0, ending: 20 };

#[inline]
pub(super) fn visit_terms<V: Variant>(sides: &Sides<V>, mut visit: impl FnMut(Term, Tapered)) {
    visit(Term::Material, sides.difference(material));
    visit(Term::Placement, sides.difference(placement));
    visit(Term::Support, sides.difference(|side| SUPPORT.times(side.supported())));
    visit(Term::Mobility, sides.difference(mobility));
    visit(Term::Guard, sides.difference(|side| GUARD.times(side.at_home())));
    visit(Term::Tempo, sides.difference(|side| side.tempo(TEMPO)));
}

fn material<V: Variant>(side: &SideView<V>) -> Tapered {
    MAN.times(side.men.count() as i32) + KING.times(side.kings.count() as i32)
}

fn placement<V: Variant>(side: &SideView<V>) -> Tapered {
    ADVANCE.times(side.rows_covered()) + EDGE.times(side.on_edge())
}

fn mobility<V: Variant>(side: &SideView<V>) -> Tapered {
    MAN_MOVE.times(side.man_moves()) + KING_MOVE.times(side.king_moves())
}
