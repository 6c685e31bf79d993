//! A slice while it is being solved: one byte per position.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, Ordering};

use super::index::Index;
use super::slice::Slice;
use super::value::Value;
use crate::variant::Variant;

/// What is known of a position.
///
/// Threads share cells without an order between them: a rayon call ends before another one relies
/// on what it wrote, and within one call the updates of a cell give the same end in any order.
#[derive(Debug, Default)]
pub(super) struct Cell(AtomicU8);

/// Up to here the number of moves that may still save the side to move from a loss.
const MOST_MOVES: u8 = 249;
/// Decided, and the positions before it do not know yet; a [`Value`] is added.
const FRESH: u8 = 250;
/// Decided, and the positions before it know; a [`Value`] is added.
const SETTLED: u8 = 253;

impl Cell {
    /// Notes the value of a position that does not depend on its own slice or the mirrored one.
    pub fn decide(&self, value: Value) {
        // Nothing follows from a draw: the position before just keeps a move that may save it.
        let base = if value == Value::Draw { SETTLED } else { FRESH };
        self.0.store(base + value as u8, Ordering::Relaxed);
    }

    /// Notes that so many moves may still save the side to move.
    pub fn wait_for(&self, moves: usize) {
        debug_assert!((1..=usize::from(MOST_MOVES)).contains(&moves), "{moves} moves");
        self.0.store(moves as u8, Ordering::Relaxed);
    }

    /// The value if it was decided since the last call.
    pub fn take_fresh(&self) -> Option<Value> {
        let state = self.0.load(Ordering::Relaxed);
        if !(FRESH..SETTLED).contains(&state) {
            return None;
        }
        self.0.store(state - FRESH + SETTLED, Ordering::Relaxed);
        Some(Value::ALL[usize::from(state - FRESH)])
    }

    /// Notes that a move leads to a decided position of this value; whether that decides this one.
    pub fn hear(&self, successor: Value) -> bool {
        let next = |state| match (state, successor) {
            (FRESH.., _) | (_, Value::Draw) => None,
            (_, Value::Loss) => Some(FRESH + Value::Win as u8),
            (1, Value::Win) => Some(FRESH + Value::Loss as u8),
            (_, Value::Win) => Some(state - 1),
        };
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        before.ok().and_then(next).is_some_and(|after| after >= FRESH)
    }

    /// The value when nothing is fresh any more: who can neither win nor be beaten draws.
    pub fn value(&self) -> Value {
        let state = self.0.load(Ordering::Relaxed);
        state.checked_sub(SETTLED).map_or(Value::Draw, |value| Value::ALL[usize::from(value)])
    }
}

/// The cells of a slice.
pub(super) struct Work<V: Variant> {
    pub index: Index<V>,
    pub cells: Vec<Cell>,
}

impl<V: Variant> Work<V> {
    /// Cells for a slice, of which nothing is known.
    pub fn new(slice: Slice) -> Result<Self, TryReserveError> {
        let index = Index::new(slice);
        let len = usize::try_from(index.len()).unwrap_or(usize::MAX);
        let mut cells = Vec::new();
        cells.try_reserve_exact(len)?;
        cells.resize_with(len, Cell::default);
        Ok(Self { index, cells })
    }
}
