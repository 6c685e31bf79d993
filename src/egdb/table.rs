//! Solved slices in memory.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::index::Index;
use super::slice::Slice;
use super::value::{Counts, Value};
use crate::board::Position;
use crate::variant::Variant;

/// Values in one byte, two bits each.
pub(super) const PER_BYTE: usize = 4;

/// The value of every position of a slice.
#[derive(Clone, Debug)]
pub struct Table<V: Variant> {
    index: Index<V>,
    packed: Vec<u8>,
    counts: Counts,
}

impl<V: Variant> Table<V> {
    /// Packs the values of all positions of a slice, in the order of their numbers.
    pub(super) fn pack<T: Sync>(index: Index<V>, cells: &[T], value: impl Fn(&T) -> Value + Sync) -> Self {
        debug_assert_eq!(index.len(), cells.len() as u64);
        let byte = |cells: &[T]| cells.iter().rev().fold(0, |byte, cell| byte << 2 | value(cell) as u8);
        let packed = cells.par_chunks(PER_BYTE).map(byte).collect();
        let mut table = Self { index, packed, counts: Counts::default() };
        table.counts = table.count();
        table
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

    /// The value of a position, if it is known: that of its slice, or the result if the game is over.
    pub fn value(&self, position: &Position<V>) -> Option<Value> {
        if position.is_over() || position.pieces(position.side_to_move()).is_empty() {
            return Value::without_moves(position);
        }
        let table = self.get(Slice::of(position)?)?;
        table.index().of(position).map(|index| table.get(index))
    }
}
