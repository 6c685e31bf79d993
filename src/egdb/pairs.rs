//! Pairs of symbols that occur often, each replaced by a symbol of its own (Re-Pair).
//!
//! The first symbols are the letters of the data; each further one stands for two before it. So a
//! symbol stands for a string of letters, and long runs and whole rows that recur become one symbol.

use rustc_hash::FxHashSet;

/// The most symbols, letters included.
pub(super) const MAX_SYMBOLS: usize = 2048;

/// Ends a block while pairs are being counted: no pair goes across.
const END: u16 = u16::MAX;
/// Pairs that become symbols in one pass over the data, once the most common ones are settled.
const BATCH: usize = 32;
/// Symbols that are chosen one at a time.
const CAREFUL: usize = 8;

/// The symbols and what they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// Number of letters.
    pub letters: usize,
    /// What each symbol after the letters stands for.
    pub rules: Vec<[u16; 2]>,
}

impl Pairs {
    /// Finds pairs that occur at least `worth` times in blocks of letters; also the number of symbols
    /// that the blocks come down to.
    pub fn learn(letters: usize, blocks: &[Vec<u8>], worth: u32) -> (Self, usize) {
        let mut pairs = Self { letters, rules: Vec::new() };
        let mut data = Vec::with_capacity(blocks.iter().map(|block| block.len() + 1).sum());
        for block in blocks {
            data.extend(block.iter().map(|&letter| u16::from(letter)));
            data.push(END);
        }
        let mut counts = Vec::new();
        while pairs.symbols() < MAX_SYMBOLS {
            let chosen = pairs.choose(&data, worth, &mut counts);
            if chosen.is_empty() {
                break;
            }
            let first = pairs.symbols();
            pairs.rules.extend(&chosen);
            replace(&mut data, first, &chosen);
        }
        (pairs, data.len() - blocks.len())
    }

    /// Number of symbols.
    pub fn symbols(&self) -> usize {
        self.letters + self.rules.len()
    }

    /// The most common pairs, with no symbol at the end of one and the start of another.
    fn choose(&self, data: &[u16], worth: u32, counts: &mut Vec<u32>) -> Vec<[u16; 2]> {
        let symbols = self.symbols();
        count(data, symbols, counts);
        let most = counts.iter().copied().max().unwrap_or(0);
        let careful = self.rules.len() < CAREFUL;
        let least = if careful { most } else { most - most / 5 }.max(worth);
        let mut common: Vec<_> = (0..counts.len()).filter(|&pair| counts[pair] >= least).collect();
        common.sort_by_key(|&pair| (std::cmp::Reverse(counts[pair]), pair));
        common.truncate(if careful { 1 } else { BATCH.min(MAX_SYMBOLS - symbols) });
        let (mut firsts, mut seconds) = (FxHashSet::default(), FxHashSet::default());
        let mut chosen = Vec::new();
        for [first, second] in common.into_iter().map(|pair| [(pair / symbols) as u16, (pair % symbols) as u16]) {
            let meets = seconds.contains(&first) || firsts.contains(&second);
            let doubles = first == second && (firsts.contains(&first) || seconds.contains(&first));
            if !meets && !doubles {
                firsts.insert(first);
                seconds.insert(second);
                chosen.push([first, second]);
            }
        }
        chosen
    }

    /// Turns the letters of a block into symbols: pairs are replaced in the order of their symbols.
    pub fn apply(&self, numbers: &PairNumbers, block: &[u8]) -> Vec<u16> {
        let mut data: Vec<u16> = block.iter().map(|&letter| u16::from(letter)).collect();
        // The symbol for each place and the next.
        let mut joint: Vec<u16> = data.windows(2).map(|pair| numbers.get(pair[0], pair[1])).collect();
        loop {
            let Some(&symbol) = joint.iter().min().filter(|&&symbol| symbol != END) else { return data };
            let mut write = joint.iter().position(|&other| other == symbol).expect("the least is one of them");
            let mut read = write;
            while read < data.len() {
                let replaced = joint.get(read) == Some(&symbol);
                data[write] = if replaced { symbol } else { data[read] };
                if write > 0 {
                    joint[write - 1] = numbers.get(data[write - 1], data[write]);
                }
                read += if replaced { 2 } else { 1 };
                write += 1;
            }
            data.truncate(write);
            joint.truncate(write - 1);
        }
    }
}

/// Counts the pairs of neighbors; of three equal symbols in a row, one pair.
fn count(data: &[u16], symbols: usize, counts: &mut Vec<u32>) {
    counts.clear();
    counts.resize(symbols * symbols, 0);
    let mut at = 0;
    while at + 1 < data.len() {
        let [first, second] = [data[at], data[at + 1]];
        if first != END && second != END {
            counts[usize::from(first) * symbols + usize::from(second)] += 1;
            at += usize::from(first == second && data.get(at + 2) == Some(&first));
        }
        at += 1;
    }
}

/// Replaces pairs by symbols numbered from `first`.
fn replace(data: &mut Vec<u16>, first: usize, pairs: &[[u16; 2]]) {
    let mut starts = vec![false; first];
    pairs.iter().for_each(|pair| starts[usize::from(pair[0])] = true);
    let (mut read, mut write) = (0, 0);
    while read < data.len() {
        let symbol = data[read];
        let starting = symbol != END && starts[usize::from(symbol)];
        let found = data.get(read + 1).filter(|_| starting);
        let found = found.and_then(|next| pairs.iter().position(|pair| *pair == [symbol, *next]));
        data[write] = found.map_or(symbol, |number| (first + number) as u16);
        read += if found.is_some() { 2 } else { 1 };
        write += 1;
    }
    data.truncate(write);
}

/// The symbol of every pair.
pub(super) struct PairNumbers {
    symbols: usize,
    numbers: Vec<u16>,
}

impl PairNumbers {
    /// A table of those in `pairs`.
    pub fn new(pairs: &Pairs) -> Self {
        let symbols = pairs.symbols();
        let mut numbers = vec![END; symbols * symbols];
        for (rule, [first, second]) in pairs.rules.iter().enumerate() {
            numbers[usize::from(*first) * symbols + usize::from(*second)] = (pairs.letters + rule) as u16;
        }
        Self { symbols, numbers }
    }

    fn get(&self, first: u16, second: u16) -> u16 {
        self.numbers[usize::from(first) * self.symbols + usize::from(second)]
    }
}
