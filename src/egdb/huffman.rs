//! Huffman codes: short ones for common symbols.
//!
//! Codes are canonical, so their lengths are all that is stored: sorted by length and then by symbol,
//! each is the one before plus one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The longest code, in bits.
pub(super) const LONGEST: u32 = 14;

/// The length of a code for each symbol, 0 for those that do not occur.
pub(super) fn lengths(frequencies: &[u64]) -> Vec<u32> {
    let mut frequencies = frequencies.to_vec();
    loop {
        let lengths = unlimited_lengths(&frequencies);
        if lengths.iter().all(|length| *length <= LONGEST) {
            return lengths;
        }
        // Flatter frequencies have shorter longest codes.
        frequencies.iter_mut().for_each(|frequency| *frequency = frequency.div_ceil(2));
    }
}

fn unlimited_lengths(frequencies: &[u64]) -> Vec<u32> {
    let occurring = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0);
    let mut trees: BinaryHeap<_> = occurring.map(|symbol| Reverse((frequencies[symbol], symbol))).collect();
    if trees.len() == 1 {
        return frequencies.iter().map(|frequency| u32::from(*frequency > 0)).collect();
    }
    // Symbols first, then the trees that they are joined to.
    let mut parents: Vec<Option<usize>> = vec![None; frequencies.len()];
    while let (Some(Reverse((one, left))), Some(Reverse((other, right)))) = (trees.pop(), trees.pop()) {
        let tree = parents.len();
        parents.push(None);
        (parents[left], parents[right]) = (Some(tree), Some(tree));
        trees.push(Reverse((one + other, tree)));
        if trees.len() == 1 {
            break;
        }
    }
    let depth = |symbol: usize| std::iter::successors(parents[symbol], |&tree| parents[tree]).count() as u32;
    (0..frequencies.len()).map(depth).collect()
}

/// The symbols that occur, in the order of their codes.
fn ordered(lengths: &[u32]) -> impl Iterator<Item = usize> {
    (1..=LONGEST).flat_map(move |length| (0..lengths.len()).filter(move |&symbol| lengths[symbol] == length))
}

/// The code of each symbol, in the low bits; `None` if no such code exists.
pub(super) fn codes(lengths: &[u32]) -> Option<Vec<u32>> {
    if lengths.iter().any(|&length| length > LONGEST) {
        return None;
    }
    let mut codes = vec![0; lengths.len()];
    // The next code, as a fraction of all that start with any bits.
    let mut next = 0_u32;
    for symbol in ordered(lengths) {
        let length = lengths[symbol];
        if next >= 1 << LONGEST {
            return None;
        }
        codes[symbol] = next >> (LONGEST - length);
        next += 1 << (LONGEST - length);
    }
    (next <= 1 << LONGEST).then_some(codes)
}

/// Codes that are at most so long are read at one look.
const DIRECT: u32 = 10;

/// A symbol and the length of its code; of no length if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Coded {
    pub symbol: u16,
    pub bits: u16,
}

/// Reads codes. Tables are small, since those of many slices share the processor's cache.
#[derive(Clone, Debug)]
pub(super) struct Decoder {
    /// The symbol by the next [`DIRECT`] bits, if its code is no longer.
    direct: Vec<Coded>,
    /// Symbols in the order of their codes.
    order: Vec<u16>,
    /// By length, how many codes are shorter.
    shorter: [u32; LONGEST as usize + 1],
    /// By length, where the codes up to it end, as a fraction of all that [`LONGEST`] bits can be.
    ends: [u32; LONGEST as usize + 1],
}

impl Decoder {
    /// A decoder of codes of these lengths; `None` if there are no such codes.
    pub fn new(lengths: &[u32]) -> Option<Self> {
        let codes = codes(lengths)?;
        let order: Vec<_> = ordered(lengths).map(|symbol| symbol as u16).collect();
        let mut direct = vec![Coded::default(); 1 << DIRECT];
        let (mut shorter, mut ends) = ([0; LONGEST as usize + 1], [0; LONGEST as usize + 1]);
        for &symbol in &order {
            let (code, length) = (codes[usize::from(symbol)] as usize, lengths[usize::from(symbol)]);
            shorter.iter_mut().skip(length as usize + 1).for_each(|count| *count += 1);
            ends.iter_mut().skip(length as usize).for_each(|end| *end += 1 << (LONGEST - length));
            if length <= DIRECT {
                let same = code << (DIRECT - length)..(code + 1) << (DIRECT - length);
                direct[same].fill(Coded { symbol, bits: length as u16 });
            }
        }
        Some(Self { direct, order, shorter, ends })
    }

    /// The code at the high end of a word.
    #[inline]
    pub fn next(&self, word: u64) -> Coded {
        let coded = self.direct[(word >> (u64::BITS - DIRECT)) as usize];
        if coded.bits > 0 { coded } else { self.next_long((word >> (u64::BITS - LONGEST)) as u32) }
    }

    /// The long code that some bits start with.
    fn next_long(&self, bits: u32) -> Coded {
        let found = (DIRECT + 1..=LONGEST).find(|&length| bits < self.ends[length as usize]);
        let symbol = found.and_then(|length| {
            let nth = (bits - self.ends[length as usize - 1]) >> (LONGEST - length);
            self.order.get((self.shorter[length as usize] + nth) as usize)
        });
        symbol.zip(found).map_or(Coded::default(), |(&symbol, length)| Coded { symbol, bits: length as u16 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_symbols_get_short_codes() {
        assert_eq!(lengths(&[5, 0, 1, 1, 9]), [2, 0, 3, 3, 1]);
        assert_eq!(lengths(&[0, 7]), [0, 1]);
        assert_eq!(lengths(&[0, 0]), [0, 0]);
        assert_eq!(codes(&[2, 0, 3, 3, 1]), Some(vec![0b10, 0, 0b110, 0b111, 0]));
    }

    #[test]
    fn codes_are_not_too_long() {
        let fibonacci: Vec<_> =
            std::iter::successors(Some((1_u64, 1)), |&(a, b)| Some((b, a + b))).map(|pair| pair.0).take(40).collect();
        let lengths = lengths(&fibonacci);
        assert_eq!(lengths.iter().max(), Some(&LONGEST));
        assert!(codes(&lengths).is_some());
    }

    #[test]
    fn codes_are_read_as_given() {
        let fibonacci: Vec<_> =
            std::iter::successors(Some((1_u64, 1)), |&(a, b)| Some((b, a + b))).map(|pair| pair.0).take(40).collect();
        for lengths in [lengths(&fibonacci), lengths(&[1; 1000]), vec![0, 1, 0], vec![2, 14, 11]] {
            let decoder = Decoder::new(&lengths).unwrap();
            let codes = codes(&lengths).unwrap();
            for (symbol, &bits) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
                let high = u64::from(codes[symbol]) << (u64::BITS - bits);
                let expected = Coded { symbol: symbol as u16, bits: bits as u16 };
                assert_eq!([decoder.next(high), decoder.next(high | u64::MAX >> bits)], [expected; 2]);
            }
        }
        assert_eq!(Decoder::new(&[2, 14, 11]).unwrap().next(u64::MAX), Coded::default());
    }

    #[test]
    fn impossible_lengths_are_refused() {
        assert_eq!(codes(&[1, 1, 1]), None);
        assert_eq!(codes(&[LONGEST + 1]), None);
    }
}
