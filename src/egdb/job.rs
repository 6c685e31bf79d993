//! What is to be generated, in which order, and what that takes.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use super::generate::{GenerateError, solve};
use super::index::Index;
use super::monitor::Monitor;
use super::slice::{MAX_PIECES, Material, Slice};
use super::table::{PER_BYTE, Table, Tables};
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// Slices to solve, each with its mirror.
#[derive(Clone, Debug)]
pub struct Job<V: Variant> {
    /// Those that lead their mirror, in the order in which they can be solved.
    slices: Vec<Slice>,
    /// Slices of up to so many pieces get distances.
    distances: u32,
    keeps_all: bool,
    variant: PhantomData<V>,
}

impl<V: Variant> Job<V> {
    /// Every slice of 2 to `pieces` pieces, without distances.
    ///
    /// # Errors
    /// If there can be no such database.
    pub fn up_to(pieces: u32) -> Result<Self, GenerateError> {
        if !(2..=MAX_PIECES).contains(&pieces) {
            return Err(GenerateError::Pieces(pieces));
        }
        if V::RULES.king_run_limit.is_some() {
            return Err(GenerateError::KingRuns(V::ID));
        }
        let slices = (2..=pieces).flat_map(Slice::all::<V>).filter(|slice| slice.leads()).collect();
        Ok(Self { slices, distances: 0, keeps_all: false, variant: PhantomData })
    }

    /// A slice and all those that moves can lead to from it, without distances.
    ///
    /// # Errors
    /// If there can be no such database.
    pub fn of_slice(slice: Slice) -> Result<Self, GenerateError> {
        let mut job = Self::up_to(slice.pieces())?;
        let mut needed = BTreeSet::from([leader(slice)]);
        if !job.slices.contains(&leader(slice)) {
            return Err(GenerateError::NoSuchSlice(slice, V::ID));
        }
        for slice in job.slices.iter().rev() {
            if needed.contains(slice) {
                needed.extend(exits::<V>(*slice));
            }
        }
        job.slices.retain(|slice| needed.contains(slice));
        Ok(job)
    }

    /// The same with distances for slices of up to so many pieces.
    #[must_use]
    pub fn with_distances(self, pieces: u32) -> Self {
        Self { distances: pieces, ..self }
    }

    /// What is left to do when some slices are `done`. Those whose distances are needed are solved again.
    #[must_use]
    pub fn without(mut self, done: impl Fn(Slice) -> bool) -> Self {
        let mut needed = BTreeSet::new();
        for slice in self.slices.iter().rev() {
            if !(done(*slice) && done(slice.mirrored())) || needed.contains(slice) {
                needed.insert(*slice);
                if slice.pieces() <= self.distances {
                    needed.extend(exits::<V>(*slice));
                }
            }
        }
        self.slices.retain(|slice| needed.contains(slice));
        self
    }

    /// The same, but every table stays in memory.
    #[must_use]
    pub(super) fn keeping_all(self) -> Self {
        Self { keeps_all: true, ..self }
    }

    /// Most pieces of a slice.
    pub fn pieces(&self) -> u32 {
        self.slices.iter().map(|slice| slice.pieces()).max().unwrap_or(0)
    }

    /// The slices to solve, in their order.
    pub fn slices(&self) -> impl Iterator<Item = Slice> {
        self.slices.iter().flat_map(|slice| pair(*slice))
    }

    /// Whether a slice gets distances.
    pub const fn has_distances(&self, slice: Slice) -> bool {
        slice.pieces() <= self.distances
    }

    /// Slices that have to be known before.
    pub fn needs(&self) -> BTreeSet<Slice> {
        let exits = self.slices.iter().flat_map(|slice| exits::<V>(*slice));
        exits.filter(|exit| !self.slices.contains(exit)).flat_map(pair).collect()
    }

    /// Positions to solve.
    pub fn positions(&self) -> u64 {
        self.slices().map(positions::<V>).sum()
    }

    /// Bytes that positions take at most at a time.
    pub fn memory(&self) -> u64 {
        let table = |slice| {
            let len = positions::<V>(slice);
            len.div_ceil(PER_BYTE as u64) + if self.has_distances(slice) { len } else { 0 }
        };
        let mut held = self.needs();
        let mut most = 0;
        for (at, slice) in self.slices.iter().enumerate() {
            let tables: u64 = held.iter().map(|slice| table(*slice)).sum();
            // The first table of the pair is packed while both are still there.
            let cells: u64 = pair(*slice).map(|slice| 2 * positions::<V>(slice)).sum();
            most = most.max(tables + cells + table(*slice));
            held.extend(pair(*slice));
            if !self.keeps_all {
                let later = self.exits_behind(at);
                held.retain(|slice| later.contains(&leader(*slice)));
            }
        }
        most
    }

    /// The slices that those behind a place in the order lead to.
    fn exits_behind(&self, at: usize) -> BTreeSet<Slice> {
        self.slices[at + 1..].iter().flat_map(|slice| exits::<V>(*slice)).collect()
    }

    /// Solves the slices on rayon's current thread pool, given the tables that the job
    /// [`needs`](Self::needs), and calls `solved` with each in turn; it ends with the first error of
    /// that. Slices that are known are left out, and tables that are not needed any more dropped.
    ///
    /// # Errors
    /// If no memory is left, the monitor says to stop, or `solved` fails.
    pub fn run<E: From<GenerateError>>(
        &self,
        known: Tables<V>,
        monitor: &Monitor,
        mut solved: impl FnMut(&Table<V>) -> Result<(), E>,
    ) -> Result<Tables<V>, E> {
        let mut tables = known;
        for (at, slice) in self.slices.iter().enumerate() {
            let is_known =
                |slice| tables.get(slice).is_some_and(|table| table.has_distances() >= self.has_distances(slice));
            if pair(*slice).all(is_known) {
                continue;
            }
            for table in solve(*slice, &tables, self.has_distances(*slice), monitor)? {
                solved(&table)?;
                tables.insert(table);
            }
            if !self.keeps_all {
                let later = self.exits_behind(at);
                tables.retain(|slice| later.contains(&leader(slice)));
            }
        }
        Ok(tables)
    }
}

/// Number of positions of a slice.
fn positions<V: Variant>(slice: Slice) -> u64 {
    Index::<V>::new(slice).len()
}

/// The one of a slice and its mirror that stands for both.
fn leader(slice: Slice) -> Slice {
    slice.max(slice.mirrored())
}

/// A slice and its mirror, if that is another one.
fn pair(slice: Slice) -> impl Iterator<Item = Slice> {
    let mirrored = slice.mirrored();
    std::iter::once(slice).chain((mirrored != slice).then_some(mirrored))
}

/// The slices, by their leaders, that captures and crownings lead to from a slice or its mirror;
/// some that only impossible captures would reach may be among them.
fn exits<V: Variant>(slice: Slice) -> BTreeSet<Slice> {
    let mut exits = BTreeSet::new();
    for slice in pair(slice) {
        let (own, opponent) = (slice.own(), slice.opponent());
        let crowned = (own.men > 0 && V::RULES.goal != Goal::Crown)
            .then(|| Material { men: own.men.saturating_sub(1), kings: own.kings + 1 });
        for men in 0..=opponent.men {
            for kings in 0..=opponent.kings {
                let left = Material { men, kings };
                let captures = left != opponent;
                let after = crowned.into_iter().chain(captures.then_some(own));
                exits.extend(after.filter_map(|own| Slice::new(left, own)).map(leader));
            }
        }
    }
    exits
}
