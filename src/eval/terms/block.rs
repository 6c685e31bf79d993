//! Terms for games in which a side that cannot move has lost: pieces win.

use super::side::{SideView, Sides};
use super::{Tapered, Term};
use crate::board::{Position, Side};
use crate::variant::Variant;
use crate::variant::rules::CaptureLines;

const MAN: Tapered = Tapered::same(100);
const KING: Tapered = Tapered { opening: 260, ending: 300 };
/// A king that captures in eight directions; an estimate, not tested against other values.
const STRONG_KING: Tapered = Tapered { opening: 360, ending: 420 };
/// A side's first king is worth more than the next ones.
const FIRST_KING: Tapered = Tapered { opening: 60, ending: 40 };
const SUPPORT: Tapered = Tapered { opening: 3, ending: 2 };
const MAN_MOVE: Tapered = Tapered { opening: 2, ending: 3 };
const KING_MOVE: Tapered = Tapered::same(2);
/// Per row that a runaway man has already covered.
const RUNAWAY: Tapered = Tapered { opening: 10, ending: 14 };
/// For each man that one wing has too many.
const IMBALANCE: Tapered = Tapered { opening: -3, ending: -2 };
const TEMPO: Tapered = Tapered::same(3);

#[inline]
pub(super) fn visit_terms<V: Variant>(sides: &Sides<V>, mut visit: impl FnMut(Term, Tapered)) {
    visit(Term::Material, sides.difference(material));
    visit(Term::Placement, sides.difference(SideView::placement));
    visit(Term::Support, sides.difference(|side| SUPPORT.times(side.supported())));
    visit(Term::Mobility, sides.difference(mobility));
    visit(Term::Runaway, sides.difference(runaway));
    visit(Term::Balance, sides.difference(|side| IMBALANCE.times(side.imbalance())));
    visit(Term::Tempo, sides.difference(|side| side.tempo(TEMPO)));
}

fn material<V: Variant>(side: &SideView<V>) -> Tapered {
    let king = match V::RULES.capture_lines {
        CaptureLines::Diagonal => KING,
        CaptureLines::All => STRONG_KING,
    };
    let kings = side.kings.count() as i32;
    MAN.times(side.men.count() as i32) + king.times(kings) + FIRST_KING.times(i32::from(kings > 0))
}

fn mobility<V: Variant>(side: &SideView<V>) -> Tapered {
    MAN_MOVE.times(side.man_moves()) + KING_MOVE.times(side.king_moves())
}

fn runaway<V: Variant>(side: &SideView<V>) -> Tapered {
    RUNAWAY.times(side.runaways().map(SideView::<V>::covered).sum())
}

/// By what the value is divided, since some advantages rarely win: a few pieces against a king,
/// and a single man more when both sides have kings.
pub(in crate::eval) fn drawishness<V: Variant>(position: &Position<V>) -> i32 {
    // Where two kings catch one, two pieces are enough.
    let catches = V::RULES.halts_behind_king || V::RULES.capture_lines == CaptureLines::All;
    let too_few = if catches { 1 } else { 3 };
    let pieces = Side::BOTH.map(|side| position.pieces(side).count() as i32);
    let kings = Side::BOTH.map(|side| position.kings(side).count() as i32);
    // With as many pieces and kings on both sides either answer is the same.
    let ahead = usize::from((pieces[1], kings[1]) > (pieces[0], kings[0]));
    if pieces[ahead] <= too_few && kings[1 - ahead] > 0 {
        8
    } else if kings[0] == kings[1] && (pieces[0] - pieces[1]).abs() <= 1 {
        2
    } else {
        1
    }
}
