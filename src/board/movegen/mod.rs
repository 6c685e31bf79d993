//! Legal moves.
//!
//! One source for every variant and both sides: code is generic over the variant and over `Us`,
//! the side to move as a type, so that shifts and masks are constants.

mod capture;
mod chain;
pub mod lines;
mod list;
mod men;
mod quiet;
mod view;

use super::{Position, Side};
use crate::variant::Variant;
use capture::Captures;

pub use list::MoveList;
pub(super) use view::{Black, Step, Us, View, White};

/// Fills `list` with the legal moves of the side to move.
///
/// The order depends on the position alone, so that an index into the list identifies a move.
pub fn generate<V: Variant>(position: &Position<V>, list: &mut MoveList) {
    match position.side {
        Side::White => View::<V, White>::new(position).generate(list),
        Side::Black => View::<V, Black>::new(position).generate(list),
    }
}

/// The legal moves as a new list.
pub fn legal_moves<V: Variant>(position: &Position<V>) -> MoveList {
    let mut list = MoveList::new();
    generate(position, &mut list);
    list
}

/// Whether `side` could capture if it were to move.
pub fn can_capture<V: Variant>(position: &Position<V>, side: Side) -> bool {
    match side {
        Side::White => View::<V, White>::new(position).can_capture(),
        Side::Black => View::<V, Black>::new(position).can_capture(),
    }
}

/// Whether `side` could crown a man by a quiet move if it were to move and had no capture.
pub fn can_crown<V: Variant>(position: &Position<V>, side: Side) -> bool {
    match side {
        Side::White => View::<V, White>::new(position).can_crown(),
        Side::Black => View::<V, Black>::new(position).can_crown(),
    }
}

/// Number of legal moves of White, to move, if there are any and none captures or crowns.
#[inline(always)]
pub fn staying_moves<V: Variant>(position: &Position<V>) -> Option<u32> {
    let view = View::<V, White>::new(position);
    if view.can_capture() || view.can_crown() {
        return None;
    }
    Some(view.count_quiet_moves()).filter(|moves| *moves > 0)
}

/// Whether the side to move has a legal move.
pub fn has_moves<V: Variant>(position: &Position<V>) -> bool {
    fn has_moves_for<V: Variant, U: Us>(position: &Position<V>) -> bool {
        let view = View::<V, U>::new(position);
        !view.is_over() && (view.has_quiet_move() || view.can_capture())
    }
    match position.side {
        Side::White => has_moves_for::<V, White>(position),
        Side::Black => has_moves_for::<V, Black>(position),
    }
}

impl<V: Variant, U: Us> View<V, U> {
    fn generate(&self, list: &mut MoveList) {
        list.clear();
        match self.captures() {
            Captures::Over => {}
            Captures::None => self.quiet_moves(|step| list.push(step.into())),
            Captures::Single(jumps) => self.single_jumps(&jumps, |step| list.push(step.into())),
            Captures::Men(jumps) => self.men_captures(&jumps, list),
            Captures::Any => self.search_captures(list),
        }
    }

    /// Calls `visit` with the position after each legal move; `scratch` is overwritten.
    #[inline(always)]
    pub(super) fn for_each_child(&self, scratch: &mut MoveList, mut visit: impl FnMut(View<V, U::Them>)) {
        match self.captures() {
            Captures::Over => {}
            Captures::None => self.quiet_moves(|step| visit(self.after(step))),
            Captures::Single(jumps) => self.single_jumps(&jumps, |step| visit(self.after(step))),
            Captures::Men(_) | Captures::Any => {
                self.generate(scratch);
                scratch.iter().for_each(|&mv| visit(self.after(self.step_of(mv))));
            }
        }
    }

    /// Number of legal moves, without listing them where possible; `scratch` is overwritten.
    #[inline(always)]
    pub(super) fn count(&self, scratch: &mut MoveList) -> u64 {
        match self.captures() {
            Captures::Over => 0,
            Captures::None => self.count_quiet_moves().into(),
            Captures::Single(jumps) => jumps.jumpers.iter().map(|set| u64::from(set.count_ones())).sum(),
            Captures::Men(jumps) => self.count_men_captures(&jumps, scratch),
            Captures::Any => {
                scratch.clear();
                self.search_captures(scratch);
                scratch.len() as u64
            }
        }
    }
}
