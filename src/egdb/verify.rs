//! Checking databases against the rules, one position after another.
//!
//! Nothing here comes from the generator: a position is set up from its number, the rules give its
//! moves, and what is stored must follow from what is stored for the positions after them. With
//! distances this is a proof: a loss in no plies is a position without moves, a loss in `n` has only
//! moves to wins in less than `n`, and a draw has no move to a loss.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::databases::Databases;
use super::file::{FileError, has_capture};
use super::index::Index;
use super::layout::Kind;
use super::lookup::Stored;
use super::slice::Slice;
use super::value::{Counts, Value};
use crate::board::{Position, legal_moves};
use crate::util::rng::Rng;
use crate::variant::Variant;

/// Positions that a thread checks in one go.
const BATCH: u64 = 1 << 12;

/// A position about which a database is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake<V: Variant> {
    /// The position.
    pub position: Position<V>,
    /// What is stored; `None` if nothing can be read.
    pub stored: Option<Claim>,
    /// What follows from the positions after its moves; `None` if one of those is not known.
    pub found: Option<Claim>,
}

/// A value and, for a won or lost position with distances, the plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The value.
    pub value: Value,
    /// The distance.
    pub distance: Option<u32>,
}

/// What came of checking a slice.
#[derive(Clone, Debug)]
pub struct Verified<V: Variant> {
    /// Positions checked.
    pub positions: u64,
    /// How many of them are wrong.
    pub mistakes: u64,
    /// One of those.
    pub example: Option<Mistake<V>>,
    /// What the positions checked are worth.
    pub counts: Counts,
}

impl<V: Variant> Default for Verified<V> {
    fn default() -> Self {
        Self { positions: 0, mistakes: 0, example: None, counts: Counts::default() }
    }
}

/// Slices unpacked, so that looking a position up takes no time.
struct Unpacked<V: Variant> {
    slices: FxHashMap<Slice, Letters<V>>,
}

struct Letters<V: Variant> {
    index: Index<V>,
    values: Vec<u8>,
    /// Empty without distances.
    distances: Vec<u8>,
}

impl<V: Variant> Stored<V> for Unpacked<V> {
    fn stored_value(&self, slice: Slice, position: &Position<V>) -> Option<Value> {
        let letters = self.slices.get(&slice)?;
        let letter = letters.values.get(letters.index.of(position)? as usize)?;
        Value::ALL.get(usize::from(*letter)).copied()
    }

    fn stored_half_distance(&self, slice: Slice, position: &Position<V>) -> Option<u32> {
        let letters = self.slices.get(&slice)?;
        letters.distances.get(letters.index.of(position)? as usize).map(|&half| half.into())
    }
}

impl<V: Variant> Unpacked<V> {
    /// Unpacks all slices of up to so many pieces.
    fn new(databases: &Databases<V>, pieces: u32) -> Result<Self, FileError> {
        let mut slices = FxHashMap::default();
        for file in databases.files().into_iter().filter(|file| file.index().slice().pieces() <= pieces) {
            let unpacked = slices.entry(file.index().slice()).or_insert_with(|| Letters {
                index: file.index().clone(),
                values: Vec::new(),
                distances: Vec::new(),
            });
            *match file.kind() {
                Kind::Values => &mut unpacked.values,
                Kind::Distances => &mut unpacked.distances,
            } = file.checked_letters()?;
        }
        Ok(Self { slices })
    }
}

/// Checks the slices of some databases.
pub struct Verifier<'a, V: Variant> {
    databases: &'a Databases<V>,
    /// Slices of up to so many pieces are checked as a whole.
    whole: u32,
    /// Positions of each larger slice that are checked.
    sample: u64,
    unpacked: Unpacked<V>,
}

impl<'a, V: Variant> Verifier<'a, V> {
    /// Checks slices of up to `whole` pieces completely, which takes a byte of memory for each position
    /// and one more for its distance, and so many random positions of larger ones.
    ///
    /// # Errors
    /// If a file that has to be read as a whole is damaged.
    pub fn new(databases: &'a Databases<V>, whole: u32, sample: u64) -> Result<Self, FileError> {
        Ok(Self { databases, whole, sample, unpacked: Unpacked::new(databases, whole)? })
    }

    /// Checks a slice that the databases have, on rayon's current thread pool.
    ///
    /// # Errors
    /// If its file is damaged.
    pub fn check(&self, slice: Slice) -> Result<Verified<V>, FileError> {
        let index = Index::<V>::new(slice);
        let has_distances = self.databases.has_distances(slice);
        if slice.pieces() <= self.whole {
            return Ok(all(0..index.len().div_ceil(BATCH), |batch| {
                let end = index.len().min((batch + 1) * BATCH);
                check_each(&self.unpacked, &index, batch * BATCH..end, has_distances)
            }));
        }
        let mut files = self.databases.files().into_iter().filter(|file| file.index().slice() == slice);
        files.try_for_each(|file| file.check())?;
        let batches = self.sample.div_ceil(BATCH);
        Ok(all(0..batches, |batch| {
            let mut rng = Rng::new(batch);
            let count = BATCH.min(self.sample - batch * BATCH);
            let numbers = (0..count).map(|_| rng.next_u64() % index.len());
            check_each(self.databases, &index, numbers, has_distances)
        }))
    }
}

/// Puts together what was found in batches.
fn all<V: Variant>(batches: Range<u64>, check: impl Fn(u64) -> Verified<V> + Sync + Send) -> Verified<V> {
    batches.into_par_iter().map(check).reduce(Verified::default, |mut sum, batch| {
        sum.positions += batch.positions;
        sum.mistakes += batch.mistakes;
        sum.counts += batch.counts;
        sum.example = sum.example.or(batch.example);
        sum
    })
}

fn check_each<V: Variant>(
    stored: &impl Stored<V>,
    index: &Index<V>,
    numbers: impl Iterator<Item = u64>,
    has_distances: bool,
) -> Verified<V> {
    let mut verified = Verified::default();
    for position in numbers.map(|number| index.position(number)) {
        let value = stored.value_of(&position);
        verified.positions += 1;
        if let Some(value) = value {
            verified.counts.add(value);
        }
        let with_distance = has_distances && value == Some(Value::Loss) && !has_capture(&position);
        let claim = |value, distance: &dyn Fn() -> Option<u32>| {
            Some(Claim { value, distance: if with_distance { Some(distance()?) } else { None } })
        };
        let stored_claim = value.and_then(|value| claim(value, &|| stored.distance_of(&position)));
        let found = best(stored, &position).and_then(|value| claim(value, &|| longest(stored, &position)));
        if stored_claim.is_none() || stored_claim != found {
            verified.mistakes += 1;
            verified.example = verified.example.or(Some(Mistake { position, stored: stored_claim, found }));
        }
    }
    verified
}

/// The best value that a move gives, or that of the end of the game.
fn best<V: Variant>(stored: &impl Stored<V>, position: &Position<V>) -> Option<Value> {
    if let Some(over) = Value::without_moves(position) {
        return Some(over);
    }
    let moves = legal_moves(position);
    let mut values = moves.iter().map(|&mv| stored.value_of(&position.after(mv)));
    values.try_fold(Value::Loss, |best, value| Some(best.max(-value?)))
}

/// Plies to the end by the move that delays it longest; 0 without a move.
fn longest<V: Variant>(stored: &impl Stored<V>, position: &Position<V>) -> Option<u32> {
    let moves = legal_moves(position);
    let mut distances = moves.iter().map(|&mv| stored.distance_of(&position.after(mv)));
    distances.try_fold(0, |longest: u32, plies| Some(longest.max(1 + plies?)))
}
