//! Captures: compulsory, removed after the move.

use super::lines::{directions, jump, opposite, singles, slide, step};
use super::{Step, Us, View};
use crate::board::Role;
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT};
use crate::variant::rules::{CaptureChoice, CaptureLines};
use crate::variant::{Geometry, Variant};

/// Captured pieces from which on a piece can be back on its start, meet a piece already captured,
/// or reach the same square with the same set by two routes; diagonal captures only.
pub(super) const FIRST_CYCLE: u32 = 4;

/// What kind of captures a position has.
pub(super) enum Captures {
    /// The game is over: there is no move at all.
    Over,
    /// None.
    None,
    /// Single jumps by men alone.
    Single(Jumps),
    /// Captures by men alone, of more than one piece, of which those of most pieces are legal.
    Men(Jumps),
    /// Captures that have to be found piece by piece.
    Any,
}

/// The jumps of all men, by direction.
pub(super) struct Jumps {
    /// The squares from which a man could jump.
    pub starts: [u64; 4],
    /// The men that can.
    pub jumpers: [u64; 4],
}

impl Jumps {
    /// The squares from which a man that has just jumped in `direction` could jump on; not back,
    /// over the piece just captured.
    #[inline(always)]
    pub fn next_starts(&self, direction: usize) -> u64 {
        let [a, b, c, d] = directions(|next| if next == opposite(direction) { 0 } else { self.starts[next] });
        a | b | c | d
    }
}

impl<V: Variant, U: Us> View<V, U> {
    /// Whether all jumps by men follow diagonals and are worth the same, so that they can be found
    /// for all men at once.
    const MEN_JUMP_ALIKE: bool =
        matches!(V::RULES.capture_lines, CaptureLines::Diagonal) && !matches!(V::RULES.choice, CaptureChoice::Value);

    /// The jumps if the squares of `empty` were empty.
    #[inline(always)]
    pub(super) fn jumps(&self, empty: u64) -> Jumps {
        let starts = directions(|direction| {
            let back = opposite(direction);
            step::<V>(self.opponent & step::<V>(empty, back), back)
        });
        let men = self.men();
        Jumps { starts, jumpers: directions(|direction| starts[direction] & men) }
    }

    /// What has to be done to list the captures.
    #[inline(always)]
    pub(super) fn captures(&self) -> Captures {
        if self.is_over() {
            return Captures::Over;
        }
        let jumps = self.jumps(self.empty());
        if self.own_kings() != 0 && self.king_can_capture() {
            return Captures::Any;
        }
        let [a, b, c, d] = jumps.jumpers;
        if !Self::MEN_JUMP_ALIKE {
            return if self.jumping_men(&jumps) == 0 { Captures::None } else { Captures::Any };
        }
        if a | b | c | d == 0 {
            return Captures::None;
        }
        // No second jump ends on the square left or meets the piece just captured: either would
        // be the way back. So the sets of the position before the first one serve.
        let [a, b, c, d] =
            directions(|direction| jump::<V>(jumps.jumpers[direction], direction) & jumps.next_starts(direction));
        if a | b | c | d == 0 && !self.crowns_and_goes_on(&jumps) {
            Captures::Single(jumps)
        } else if matches!(V::RULES.choice, CaptureChoice::Most) {
            Captures::Men(jumps)
        } else {
            Captures::Any
        }
    }

    /// Whether a man that is crowned by its first jump may go on as a king.
    #[inline(always)]
    fn crowns_and_goes_on(&self, jumps: &Jumps) -> bool {
        let lands = |direction| jump::<V>(jumps.jumpers[direction], direction);
        V::RULES.crowns_in_passing
            && directions(lands).into_iter().any(|set| set & V::Board::CROWN_ROW[U::SIDE.index()] != 0)
    }

    /// The men that can capture.
    #[inline(always)]
    pub(super) fn jumping_men(&self, jumps: &Jumps) -> u64 {
        let straight = (4..Self::LINES).map(|direction| {
            let back = opposite(direction);
            step::<V>(self.opponent & step::<V>(self.empty(), back), back)
        });
        let [a, b, c, d] = jumps.jumpers;
        a | b | c | d | self.men() & straight.fold(0, |all, starts| all | starts)
    }

    /// Whether there is a capture.
    #[inline(always)]
    pub(super) fn can_capture(&self) -> bool {
        !self.is_over() && (self.jumping_men(&self.jumps(self.empty())) != 0 || self.king_can_capture())
    }

    fn king_can_capture(&self) -> bool {
        singles(self.own_kings()).any(|king| {
            (0..Self::LINES).any(|direction| {
                let (_, blocker) = slide::<V>(king.trailing_zeros(), direction, !self.empty());
                step::<V>(blocker & self.opponent, direction) & self.empty() != 0
            })
        })
    }

    /// Calls `visit` with each jump.
    #[inline(always)]
    pub(super) fn single_jumps(&self, jumps: &Jumps, mut visit: impl FnMut(Step)) {
        let [a, b, c, d] = jumps.jumpers;
        for (direction, jumpers) in [(UP_LEFT, a), (UP_RIGHT, b), (DOWN_LEFT, c), (DOWN_RIGHT, d)] {
            for from in singles(jumpers) {
                let captured = step::<V>(from, direction);
                visit(Step { captured, ..Step::quiet(Role::Man, from, step::<V>(captured, direction)) });
            }
        }
    }
}
