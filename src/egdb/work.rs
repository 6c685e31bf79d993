//! A slice while it is being solved: two bytes per position.

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use super::index::Index;
use super::outcome::{Outcome, parity};
use super::slice::Slice;
use super::value::Value;
use crate::variant::Variant;

/// Positions that a thread handles in one go.
pub(super) const BATCH: usize = 1 << 12;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Drawn, whatever its quiet moves lead to. Or none of them saves it, but nobody said so yet.
    Drawn,
    /// So many moves may still save the side to move; it is not lost in fewer plies than `floor`.
    Open { moves: u16, floor: u16 },
    /// Won in so many plies, unless a quiet move wins sooner.
    WinWithin(u16),
    /// Won or lost in so many plies.
    Decided(Outcome),
}

/// A state in 16 bits: a tag in the two highest; the moves and half of the floor, or the plies.
#[derive(Debug, Default)]
pub(super) struct Cell(AtomicU16);

const TAG: u32 = 14;
const OPEN: u16 = 0;
const WITHIN: u16 = 1 << TAG;
const LOST: u16 = 2 << TAG;
const WON: u16 = 3 << TAG;
const PLIES: u16 = WITHIN - 1;
/// Bits of the moves; eight pieces have fewer than 128 quiet moves.
const MOVES: u32 = 7;

/// The most plies that a table of distances can have: a floor, one above it, still fits.
pub(super) const MOST_PLIES: u16 = 253;

impl State {
    fn bits(self) -> u16 {
        match self {
            Self::Drawn | Self::Decided(Outcome { value: Value::Draw, .. }) => OPEN,
            Self::Open { moves, floor } => {
                debug_assert!((1..1 << MOVES).contains(&moves) && floor <= MOST_PLIES + 1, "{self:?}");
                ((floor / 2) << MOVES) | moves
            }
            Self::WinWithin(plies) => WITHIN | plies,
            Self::Decided(Outcome { value: Value::Loss, plies }) => LOST | plies,
            Self::Decided(Outcome { value: Value::Win, plies }) => WON | plies,
        }
    }

    fn of<V: Variant>(bits: u16) -> Self {
        let plies = bits & PLIES;
        match bits & !PLIES {
            OPEN if bits == OPEN => Self::Drawn,
            OPEN => {
                let floor = (bits >> MOVES) * 2 + parity::<V>(Value::Loss);
                Self::Open { moves: bits & ((1 << MOVES) - 1), floor }
            }
            WITHIN => Self::WinWithin(plies),
            LOST => Self::Decided(Outcome { value: Value::Loss, plies }),
            _ => Self::Decided(Outcome { value: Value::Win, plies }),
        }
    }

    /// When the positions before this one have to be told of it.
    fn due(self) -> Option<u16> {
        match self {
            Self::WinWithin(plies) => Some(plies),
            Self::Decided(outcome) if outcome.value != Value::Draw => Some(outcome.plies),
            _ => None,
        }
    }

    /// What a quiet move with this outcome makes of the state, if anything.
    fn after_hearing(self, successor: Outcome) -> Option<Self> {
        let Outcome { value, plies } = successor.before();
        match (self, value) {
            (Self::Open { .. }, Value::Win) => Some(Self::WinWithin(plies)),
            (Self::WinWithin(later), Value::Win) if plies < later => Some(Self::WinWithin(plies)),
            (Self::Open { moves: 1, floor }, Value::Loss) => {
                Some(Self::Decided(Outcome { value, plies: plies.max(floor) }))
            }
            (Self::Open { moves, floor }, Value::Loss) => Some(Self::Open { moves: moves - 1, floor }),
            _ => None,
        }
    }
}

impl Cell {
    /// The outcome when everything due was told: who can neither win nor be beaten draws.
    pub fn outcome<V: Variant>(&self) -> Outcome {
        match State::of::<V>(self.0.load(Ordering::Relaxed)) {
            State::WinWithin(plies) => Outcome { value: Value::Win, plies },
            State::Decided(outcome) => outcome,
            State::Drawn | State::Open { .. } => Outcome::DRAW,
        }
    }
}

/// The cells of a slice.
///
/// Threads share them: within one pass over a slice all changes are for later passes, and give the
/// same end in any order; a pass ends before the next one begins.
pub(super) struct Work<V: Variant> {
    pub index: Index<V>,
    pub cells: Vec<Cell>,
    /// For each batch of cells, the least plies of those that are due; most batches are passed over.
    soonest: Vec<AtomicU16>,
}

/// Nothing is due.
const NEVER: u16 = u16::MAX;

impl<V: Variant> Work<V> {
    /// Cells for a slice, of which nothing is known.
    pub fn new(slice: Slice) -> Result<Self, TryReserveError> {
        let index = Index::new(slice);
        let len = usize::try_from(index.len()).unwrap_or(usize::MAX);
        let mut cells = Vec::new();
        cells.try_reserve_exact(len)?;
        cells.resize_with(len, Cell::default);
        let soonest = (0..len.div_ceil(BATCH)).map(|_| AtomicU16::new(NEVER)).collect();
        Ok(Self { index, cells, soonest })
    }

    /// Number of batches.
    pub const fn batches(&self) -> usize {
        self.soonest.len()
    }

    /// The positions of a batch.
    pub fn batch(&self, batch: usize) -> Range<usize> {
        batch * BATCH..self.cells.len().min((batch + 1) * BATCH)
    }

    /// Sets what is known of a position.
    #[inline(always)]
    pub fn set(&self, at: usize, state: State) {
        self.cells[at].0.store(state.bits(), Ordering::Relaxed);
        self.note(at, state);
    }

    /// Notes that a quiet move of the position leads to one that is won or lost.
    #[inline(always)]
    pub fn hear(&self, at: usize, successor: Outcome) {
        let next = |bits| State::of::<V>(bits).after_hearing(successor).map(State::bits);
        let before = self.cells[at].0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        if let Some(after) = before.ok().and_then(next) {
            self.note(at, State::of::<V>(after));
        }
    }

    #[inline(always)]
    fn note(&self, at: usize, state: State) {
        if let Some(due) = state.due() {
            // Whoever takes this out sees the cell as it was just set.
            self.soonest[at / BATCH].fetch_min(due, Ordering::Release);
        }
    }

    /// The least plies of all positions that are due.
    pub fn soonest(&self) -> Option<u16> {
        self.soonest.iter().map(|soonest| soonest.load(Ordering::Relaxed)).min().filter(|plies| *plies != NEVER)
    }

    /// Calls `visit` with the positions of a batch that are won or lost in so many plies.
    #[inline(always)]
    pub fn take_due(&self, batch: usize, plies: u16, mut visit: impl FnMut(usize, Outcome)) {
        if self.soonest[batch].load(Ordering::Relaxed) > plies {
            return;
        }
        // Emptied before the cells are read: what others note meanwhile is for later and stays.
        self.soonest[batch].swap(NEVER, Ordering::Acquire);
        let mut later = NEVER;
        for at in self.batch(batch) {
            let bits = self.cells[at].0.load(Ordering::Relaxed);
            let due = bits & PLIES;
            if bits <= PLIES || due < plies {
                continue;
            }
            if due > plies {
                later = later.min(due);
            } else {
                let value = if bits & !PLIES == LOST { Value::Loss } else { Value::Win };
                visit(at, Outcome { value, plies });
            }
        }
        self.soonest[batch].fetch_min(later, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{International, Losing};

    fn states_fit_in_cells<V: Variant>() {
        let [won, lost] = [Value::Win, Value::Loss].map(|value| {
            let plies = 200 + parity::<V>(value);
            State::Decided(Outcome { value, plies })
        });
        let floor = MOST_PLIES - 1 + parity::<V>(Value::Loss);
        for state in [State::Drawn, State::Open { moves: 127, floor }, State::WinWithin(251), won, lost] {
            assert_eq!(State::of::<V>(state.bits()), state);
        }
    }

    #[test]
    fn states_are_kept() {
        states_fit_in_cells::<International>();
        states_fit_in_cells::<Losing>();
    }

    #[test]
    fn the_last_move_that_may_save_decides() {
        let won = |plies| Outcome { value: Value::Win, plies };
        let lost = |plies| Outcome { value: Value::Loss, plies };
        let open = |moves| State::Open { moves, floor: 6 };
        assert_eq!(open(2).after_hearing(won(3)), Some(open(1)));
        assert_eq!(open(1).after_hearing(won(3)), Some(State::Decided(lost(6))));
        assert_eq!(open(1).after_hearing(won(9)), Some(State::Decided(lost(10))));
        assert_eq!(open(3).after_hearing(lost(2)), Some(State::WinWithin(3)));
        assert_eq!(State::WinWithin(5).after_hearing(lost(2)), Some(State::WinWithin(3)));
        assert_eq!(State::WinWithin(3).after_hearing(lost(2)), None);
        assert_eq!(State::Drawn.after_hearing(lost(2)), None);
        assert_eq!(State::Decided(won(7)).after_hearing(lost(2)), None);
    }
}
