//! The transposition table: shared by all threads without locks.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::Score;
use crate::board::Key;
use crate::util::pages::AtomicWords;

/// Bytes of an entry, as in Scan's `tt-size` parameter.
pub const ENTRY_BYTES: usize = 16;
/// Entries that one key may go to: a cache line.
const BUCKET_ENTRIES: usize = 4;
const BUCKET_WORDS: usize = 2 * BUCKET_ENTRIES;

/// What a stored score says about the value of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most the score.
    Upper,
    /// At least the score.
    Lower,
    /// The score.
    Exact,
}

/// A stored node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Index of the best move in the generator's list.
    pub best: Option<usize>,
    /// Value; distances count from the node.
    pub score: Score,
    /// What the value says.
    pub bound: Bound,
    /// Depth it was searched to.
    pub depth: i32,
}

/// The table. An entry is two words, key xor data and data, so that a torn write does not match
/// (Hyatt and Mann 2002); relaxed atomics suffice because nothing else depends on their order.
#[derive(Debug)]
pub struct Table {
    words: AtomicWords,
    buckets: usize,
    /// Number of the search; older entries are replaced first.
    age: AtomicU8,
}

const AGES: u8 = 64;
const NO_MOVE: u64 = 1023;

/// Layout of a data word, from the low end: move 10, depth 8, bound 2, age 6, score 16 bits.
fn pack(entry: &Entry, age: u8) -> u64 {
    let best = entry.best.map_or(NO_MOVE, |index| (index as u64).min(NO_MOVE));
    let depth = entry.depth.clamp(0, 255) as u64;
    let score = u64::from(entry.score.raw() as i16 as u16);
    // The lowest bit of the bound field is never zero, so a stored word is not the empty word.
    best | depth << 10 | (entry.bound as u64 + 1) << 18 | u64::from(age) << 20 | score << 26
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 18 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let best = data & NO_MOVE;
    Some(Entry {
        best: (best != NO_MOVE).then_some(best as usize),
        score: Score::from_raw(((data >> 26) as u16 as i16).into()),
        bound,
        depth: depth_of(data),
    })
}

fn depth_of(data: u64) -> i32 {
    (data >> 10 & 255) as i32
}

fn age_of(data: u64) -> u8 {
    (data >> 20) as u8 % AGES
}

impl Table {
    /// A table of about `megabytes` MiB, rounded down to whole buckets but never empty.
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn new(megabytes: usize) -> io::Result<Self> {
        let out_of_memory = |_| {
            let text = format!("no memory for a transposition table of {megabytes} MiB");
            io::Error::new(io::ErrorKind::OutOfMemory, text)
        };
        let buckets = (megabytes * (1 << 20) / (BUCKET_ENTRIES * ENTRY_BYTES)).max(1);
        // Zeroed pages come from the system untouched, so even a large table is there at once.
        let words = AtomicWords::new(buckets * BUCKET_WORDS).map_err(out_of_memory)?;
        Ok(Self { words, buckets, age: AtomicU8::new(0) })
    }

    /// Marks the beginning of a search.
    pub fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Forgets everything. No search may run.
    pub fn clear(&self) {
        self.age.store(0, Relaxed);
        self.words.iter().for_each(|word| word.store(0, Relaxed));
    }

    fn bucket(&self, key: Key) -> &[AtomicU64] {
        let bucket = ((u128::from(key.0) * self.buckets as u128) >> 64) as usize;
        &self.words[bucket * BUCKET_WORDS..][..BUCKET_WORDS]
    }

    /// What is known about a position `ply` plies below the root.
    pub fn probe(&self, key: Key, ply: u32) -> Option<Entry> {
        let found = self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Relaxed);
            (slot[0].load(Relaxed) ^ data == key.0).then_some(data)
        })?;
        unpack(found).map(|entry| Entry { score: entry.score.from_node(ply), ..entry })
    }

    /// Stores a node `ply` plies below the root.
    pub fn store(&self, key: Key, ply: u32, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        entry.score = entry.score.to_node(ply);
        let bucket = self.bucket(key);
        let mut victim = &bucket[..2];
        let mut worst = i32::MAX;
        for slot in bucket.chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key.0 {
                if let (None, Some(old)) = (entry.best, unpack(data)) {
                    entry.best = old.best;
                }
                victim = slot;
                break;
            }
            let value = depth_of(data) - if age_of(data) == age { 0 } else { 256 };
            if value < worst {
                (victim, worst) = (slot, value);
            }
        }
        let data = pack(&entry, age);
        victim[0].store(key.0 ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, bound: Bound) -> Entry {
        Entry { best: Some(17), score, bound, depth: 12 }
    }

    #[test]
    fn stores_and_finds() {
        let table = Table::new(1).unwrap();
        for (n, bound) in [Bound::Upper, Bound::Lower, Bound::Exact].into_iter().enumerate() {
            let key = Key(0x1234_5678_9ABC_DEF0 + n as u64);
            assert_eq!(table.probe(key, 0), None);
            table.store(key, 0, entry(Score::eval(-345), bound));
            assert_eq!(table.probe(key, 0), Some(entry(Score::eval(-345), bound)));
        }
        table.clear();
        assert_eq!(table.probe(Key(0x1234_5678_9ABC_DEF0), 0), None);
    }

    #[test]
    fn distances_count_from_the_node() {
        let table = Table::new(1).unwrap();
        table.store(Key(1), 3, entry(Score::win_in(10), Bound::Exact));
        let found = table.probe(Key(1), 5).expect("just stored");
        assert_eq!(found.score, Score::win_in(12));
        table.store(Key(2), 3, entry(Score::loss_in(10), Bound::Exact));
        assert_eq!(table.probe(Key(2), 1).map(|e| e.score), Some(Score::loss_in(8)));
    }

    #[test]
    fn a_node_without_best_move_keeps_the_old_one() {
        let table = Table::new(1).unwrap();
        table.store(Key(9), 0, entry(Score::DRAW, Bound::Lower));
        table.store(Key(9), 0, Entry { best: None, ..entry(Score::DRAW, Bound::Upper) });
        assert_eq!(table.probe(Key(9), 0).and_then(|e| e.best), Some(17));
    }
}
