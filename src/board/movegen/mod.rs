//! Legal moves.
//!
//! One source for every variant and both sides: code is generic over the variant and over [`Us`],
//! the side to move as a type, so that shifts and masks are constants.

mod capture;
pub mod lines;
mod list;
mod quiet;

use std::marker::PhantomData;

use super::{Position, Side};
use crate::variant::{Geometry, Variant};

pub use list::MoveList;

/// The side to move, as a type.
pub(super) trait Us {
    /// The opponent.
    type Them: Us;
    /// Which side this is.
    const SIDE: Side;
}

/// White as a type.
pub(super) struct White;
/// Black as a type.
pub(super) struct Black;

impl Us for White {
    type Them = Black;
    const SIDE: Side = Side::White;
}

impl Us for Black {
    type Them = White;
    const SIDE: Side = Side::Black;
}

/// The pieces as the generator needs them.
struct View<V, U> {
    men: u64,
    kings: u64,
    opponent: u64,
    empty: u64,
    types: PhantomData<(V, U)>,
}

impl<V: Variant, U: Us> View<V, U> {
    #[inline(always)]
    fn new(position: &Position<V>) -> Self {
        let own = position.pieces[U::SIDE.index()].0;
        let opponent = position.pieces[U::SIDE.opponent().index()].0;
        let kings = position.kings.0;
        Self {
            men: own & !kings,
            kings: own & kings,
            opponent,
            empty: V::Board::BOARD & !(own | opponent),
            types: PhantomData,
        }
    }
}

/// Fills `list` with the legal moves of the side to move.
///
/// The order depends on the position alone, so that an index into the list identifies a move.
pub fn generate<V: Variant>(position: &Position<V>, list: &mut MoveList) {
    match position.side {
        Side::White => generate_for::<V, White>(position, list),
        Side::Black => generate_for::<V, Black>(position, list),
    }
}

/// [`generate`] with the side known.
#[inline]
pub(super) fn generate_for<V: Variant, U: Us>(position: &Position<V>, list: &mut MoveList) {
    let view = View::<V, U>::new(position);
    list.clear();
    if !view.captures(list) {
        view.quiet_moves(list);
    }
}

/// The legal moves as a new list.
pub fn legal_moves<V: Variant>(position: &Position<V>) -> MoveList {
    let mut list = MoveList::new();
    generate(position, &mut list);
    list
}

/// Number of legal moves, without listing them where possible.
#[inline]
pub(super) fn count_for<V: Variant, U: Us>(position: &Position<V>, scratch: &mut MoveList) -> u64 {
    let view = View::<V, U>::new(position);
    match view.count_captures(scratch) {
        0 => view.count_quiet_moves(),
        captures => captures,
    }
}

/// Whether `side` could capture if it were to move.
pub fn can_capture<V: Variant>(position: &Position<V>, side: Side) -> bool {
    match side {
        Side::White => View::<V, White>::new(position).can_capture(),
        Side::Black => View::<V, Black>::new(position).can_capture(),
    }
}

/// Whether the side to move has a legal move.
pub fn has_moves<V: Variant>(position: &Position<V>) -> bool {
    fn has_moves_for<V: Variant, U: Us>(position: &Position<V>) -> bool {
        let view = View::<V, U>::new(position);
        view.count_quiet_moves() > 0 || view.can_capture()
    }
    match position.side {
        Side::White => has_moves_for::<V, White>(position),
        Side::Black => has_moves_for::<V, Black>(position),
    }
}
