//! The position as the generator needs it: bare sets, the side to move known as a type.

use std::marker::PhantomData;

use crate::board::king_run::KingRun;
use crate::board::{Bitboard, Move, Position, Role, Side, Square};
use crate::variant::rules::Goal;
use crate::variant::{Geometry, Variant};

/// The side to move, as a type.
pub(in crate::board) trait Us {
    /// The opponent.
    type Them: Us<Them = Self>;
    /// Which side this is.
    const SIDE: Side;
}

/// White as a type.
pub(in crate::board) struct White;
/// Black as a type.
pub(in crate::board) struct Black;

impl Us for White {
    type Them = Black;
    const SIDE: Side = Side::White;
}

impl Us for Black {
    type Them = White;
    const SIDE: Side = Side::Black;
}

/// The pieces from the point of view of the side to move.
pub(in crate::board) struct View<V, U> {
    pub own: u64,
    pub opponent: u64,
    /// Kings of both sides.
    pub kings: u64,
    /// By side.
    pub king_runs: [KingRun; 2],
    types: PhantomData<(V, U)>,
}

/// A move as sets: one bit at each end.
#[derive(Clone, Copy)]
pub(in crate::board) struct Step {
    pub role: Role,
    pub from: u64,
    pub to: u64,
    pub captured: u64,
    pub crowned_in_passing: bool,
}

impl Step {
    /// A move without a capture.
    #[inline(always)]
    pub(super) const fn quiet(role: Role, from: u64, to: u64) -> Self {
        Self { role, from, to, captured: 0, crowned_in_passing: false }
    }
}

impl From<Step> for Move {
    #[inline(always)]
    fn from(step: Step) -> Self {
        Self {
            captured: Bitboard(step.captured),
            from: square(step.from),
            to: square(step.to),
            crowned_in_passing: step.crowned_in_passing,
        }
    }
}

/// The square of a one-bit set.
#[inline(always)]
pub(super) fn square(one: u64) -> Square {
    Square::from_bit(one.trailing_zeros())
}

impl<V: Variant, U: Us> View<V, U> {
    /// Number of lines along which pieces capture: the first so many directions.
    pub(super) const LINES: usize = V::RULES.capture_lines.directions();

    #[inline(always)]
    pub fn new(position: &Position<V>) -> Self {
        let pieces = |side: Side| position.pieces[side.index()].0;
        Self {
            own: pieces(U::SIDE),
            opponent: pieces(U::Them::SIDE),
            kings: position.kings.0,
            king_runs: position.king_runs,
            types: PhantomData,
        }
    }

    /// Whether a king has ended the game.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        matches!(V::RULES.goal, Goal::Crown) && self.kings != 0
    }

    #[inline(always)]
    pub(super) fn men(&self) -> u64 {
        self.own & !self.kings
    }

    #[inline(always)]
    pub(super) fn own_kings(&self) -> u64 {
        self.own & self.kings
    }

    /// The kings that may make a quiet move.
    #[inline(always)]
    pub(super) fn mobile_kings(&self) -> u64 {
        match self.king_runs[U::SIDE.index()].barred::<V>() {
            Some(king) => self.own_kings() & !Bitboard::from(king).0,
            None => self.own_kings(),
        }
    }

    #[inline(always)]
    pub(super) fn empty(&self) -> u64 {
        V::Board::BOARD & !(self.own | self.opponent)
    }

    /// A move of this position as sets.
    #[inline(always)]
    pub fn step_of(&self, mv: Move) -> Step {
        let (from, to) = (Bitboard::from(mv.from).0, Bitboard::from(mv.to).0);
        let role = if self.kings & from != 0 { Role::King } else { Role::Man };
        Step { role, from, to, captured: mv.captured.0, crowned_in_passing: mv.crowned_in_passing }
    }

    /// What the opponent sees after the move.
    #[inline(always)]
    pub fn after(&self, step: Step) -> View<V, U::Them> {
        let Step { role, from, to, captured, .. } = step;
        // Removed first: a capture may end where it started.
        let kings = match role {
            Role::King => self.kings & !from & !captured | to,
            Role::Man if V::RULES.crowns_in_passing && step.crowned_in_passing => self.kings & !captured | to,
            Role::Man => self.kings & !captured | to & V::Board::CROWN_ROW[U::SIDE.index()],
        };
        let (own, opponent) = (self.opponent & !captured, self.own & !from | to);
        let mut next = View { own, opponent, kings, king_runs: [KingRun::NONE; 2], types: PhantomData };
        if V::RULES.king_run_limit.is_some() {
            next.king_runs = self.king_runs_after(step, &next);
        }
        next
    }

    /// The runs after a step to `next`: broken by any other move, dropped with the last man.
    fn king_runs_after(&self, step: Step, next: &View<V, U::Them>) -> [KingRun; 2] {
        let mut runs = [KingRun::NONE; 2];
        let (us, them) = (U::SIDE.index(), U::Them::SIDE.index());
        if step.role == Role::King && step.captured == 0 && next.opponent & !next.kings != 0 {
            runs[us] = self.king_runs[us].and_then(square(step.from), square(step.to));
        }
        let survives = |king| Bitboard::from(king).0 & step.captured == 0;
        if self.king_runs[them].king().is_some_and(survives) && next.men() != 0 {
            runs[them] = self.king_runs[them];
        }
        runs
    }
}
