//! Solved slices in memory.

use std::cmp::Reverse;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::index::Index;
use super::outcome::{Outcome, parity};
use super::placement::Placement;
use super::slice::Slice;
use super::value::{Counts, Value};
use crate::board::Position;
use crate::variant::Variant;

/// Values in one byte, two bits each.
pub(super) const PER_BYTE: usize = 4;

/// The value of every position of a slice, and the distance if it was solved for.
#[derive(Clone, Debug)]
pub struct Table<V: Variant> {
    index: Index<V>,
    packed: Vec<u8>,
    /// Half of each distance: the rest follows from the value.
    halves: Option<Vec<u8>>,
    counts: Counts,
}

impl<V: Variant> Table<V> {
    /// Packs the values of all positions of a slice, in the order of their numbers.
    pub(super) fn pack<T: Sync>(index: Index<V>, cells: &[T], value: impl Fn(&T) -> Value + Sync) -> Self {
        debug_assert_eq!(index.len(), cells.len() as u64);
        let byte = |cells: &[T]| cells.iter().rev().fold(0, |byte, cell| byte << 2 | value(cell) as u8);
        let packed = cells.par_chunks(PER_BYTE).map(byte).collect();
        let mut table = Self { index, packed, halves: None, counts: Counts::default() };
        table.counts = table.count();
        table
    }

    /// Adds the plies of all positions, in the order of their numbers.
    #[must_use]
    pub(super) fn with_distances<T: Sync>(mut self, cells: &[T], plies: impl Fn(&T) -> u16 + Sync) -> Self {
        debug_assert_eq!(self.index.len(), cells.len() as u64);
        self.halves = Some(cells.par_iter().map(|cell| (plies(cell) / 2) as u8).collect());
        self
    }

    /// The numbering of its positions.
    pub const fn index(&self) -> &Index<V> {
        &self.index
    }

    /// How many positions have each value.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The value of the position with a number below that of the positions.
    pub fn get(&self, index: u64) -> Value {
        let at = index as usize;
        Value::ALL[usize::from(self.packed[at / PER_BYTE] >> (2 * (at % PER_BYTE)) & 3)]
    }

    /// Whether distances are known.
    pub const fn has_distances(&self) -> bool {
        self.halves.is_some()
    }

    /// The plies until the position with this number is won or lost, if both sides play their best;
    /// `None` if it is drawn or distances are not known.
    pub fn distance(&self, index: u64) -> Option<u32> {
        let half = self.halves.as_ref()?[index as usize];
        let value = self.get(index);
        (value != Value::Draw).then(|| u32::from(half) * 2 + u32::from(parity::<V>(value)))
    }

    /// Plies of the longest win and the first position with it.
    pub(super) fn longest_win(&self) -> Option<(u16, u64)> {
        let won = |at| self.distance(at).filter(|_| self.get(at) == Value::Win).map(|plies| (plies as u16, at));
        (0..self.index.len()).into_par_iter().filter_map(won).max_by_key(|&(plies, at)| (plies, Reverse(at)))
    }

    /// The value of a position and its distance, or the shortest one if it is not known.
    fn outcome(&self, index: u64) -> Outcome {
        let value = self.get(index);
        let half = self.halves.as_ref().map_or(0, |halves| halves[index as usize]);
        Outcome { value, plies: u16::from(half) * 2 + parity::<V>(value) }
    }

    fn count(&self) -> Counts {
        let add = |mut counts: Counts, index| {
            counts.add(self.get(index));
            counts
        };
        let sum = |mut sum: Counts, counts| {
            sum += counts;
            sum
        };
        (0..self.index.len()).into_par_iter().fold(Counts::default, add).reduce(Counts::default, sum)
    }
}

/// Solved slices of any material.
#[derive(Clone, Debug, Default)]
pub struct Tables<V: Variant> {
    tables: FxHashMap<Slice, Table<V>>,
}

impl<V: Variant> Tables<V> {
    /// Adds a solved slice.
    pub fn insert(&mut self, table: Table<V>) {
        self.tables.insert(table.index().slice(), table);
    }

    /// The table of a slice, if it is there.
    pub fn get(&self, slice: Slice) -> Option<&Table<V>> {
        self.tables.get(&slice)
    }

    /// Drops the slices that are not needed.
    pub(super) fn retain(&mut self, needed: impl Fn(Slice) -> bool) {
        self.tables.retain(|slice, _| needed(*slice));
    }

    /// The value of a position, if it is known: that of its slice, or the result if the game is over.
    pub fn value(&self, position: &Position<V>) -> Option<Value> {
        self.outcome(position).map(|outcome| outcome.value)
    }

    /// The plies until a won or lost position is decided, if they are known.
    pub fn distance(&self, position: &Position<V>) -> Option<u32> {
        if has_ended(position) {
            return Some(0);
        }
        let table = self.get(Slice::of(position)?)?;
        table.index().of(position).and_then(|index| table.distance(index))
    }

    /// The value of a position and its distance, or the shortest one if it is not known.
    pub(super) fn outcome(&self, position: &Position<V>) -> Option<Outcome> {
        if has_ended(position) {
            return Value::without_moves(position).map(|value| Outcome { value, plies: 0 });
        }
        let table = self.get(Slice::of(position)?)?;
        Some(table.outcome(table.index().of_placement(&Placement::of(position))))
    }
}

/// Whether the game has ended for a reason that leaves no slice to look into.
pub(super) fn has_ended<V: Variant>(position: &Position<V>) -> bool {
    position.is_over() || position.pieces(position.side_to_move()).is_empty()
}
