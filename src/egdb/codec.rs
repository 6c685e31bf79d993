//! Compression of letters in blocks that are read one at a time.
//!
//! Free places are filled ([`fill`](super::fill)), common pairs become symbols
//! ([`pairs`](super::pairs)), and symbols are written as Huffman codes ([`huffman`](super::huffman)).
//! A [`Codec`] is what all blocks of a slice share. Looking a letter up walks over the symbols of a
//! block up to the one that has it, then down into that symbol.

use rayon::prelude::*;

use super::fill::fill;
use super::huffman::{self, Coded, Decoder};
use super::pairs::{MAX_SYMBOLS, PairNumbers, Pairs};

/// Log2 of the positions in a block: the least and the most.
pub(super) const BLOCK_BITS: std::ops::RangeInclusive<u32> = 9..=14;
/// Log2 of the positions in a block while pairs are learned.
const SAMPLE_BITS: u32 = 12;
/// The most blocks that pairs are learned from.
const SAMPLE: u64 = 1 << 10;
/// A pair that occurs this often in a sample of everything is worth a symbol; less often in one of less.
const WORTH: u64 = 12;
/// Bytes that may be read after the last of a block.
pub(super) const SLACK: usize = 8;

/// Data of a slice to be compressed.
pub(super) struct Source<F> {
    /// Number of positions.
    pub len: u64,
    /// Number of letters.
    pub letters: usize,
    /// Positions that differ only in the piece numbered last follow each other in rows of this length.
    pub stride: usize,
    /// About so many symbols are to be in a block.
    pub symbols: usize,
    /// Writes the letters of successive positions, from the one with a number on, or
    /// [`FREE`](super::fill::FREE) for each.
    pub letters_from: F,
}

/// Compressed data of a slice.
pub(super) struct Compressed {
    pub codec: Vec<u8>,
    pub block_bits: u32,
    pub blocks: Vec<Vec<u8>>,
}

/// A block in symbols.
struct Block {
    /// The letter if it has only one.
    only: Option<u8>,
    /// None if all places are free.
    symbols: Vec<u16>,
}

impl<F: Fn(u64, &mut [u8]) + Sync> Source<F> {
    /// The filled letters of a block; `None` if all are free.
    fn block(&self, number: u64, bits: u32) -> Option<Vec<u8>> {
        let first = number << bits;
        let mut block = vec![0; (self.len - first).min(1 << bits) as usize];
        (self.letters_from)(first, &mut block);
        fill(&mut block, self.stride).then_some(block)
    }

    /// Compresses the data.
    pub fn compress(&self) -> Compressed {
        let (pairs, block_bits) = self.learn();
        let numbers = PairNumbers::new(&pairs);
        let blocks: Vec<_> = (0..self.len.div_ceil(1 << block_bits))
            .into_par_iter()
            .map(|number| match self.block(number, block_bits) {
                Some(letters) => Block {
                    only: letters.iter().all(|letter| *letter == letters[0]).then_some(letters[0]),
                    symbols: pairs.apply(&numbers, &letters),
                },
                None => Block { only: None, symbols: Vec::new() },
            })
            .collect();
        let empty = usual(blocks.iter().filter_map(|block| block.only), self.letters);
        let written = |block: &&Block| block.only != Some(empty);
        let mut frequencies = vec![0; pairs.symbols()];
        let symbols = blocks.iter().filter(written).flat_map(|block| &block.symbols);
        symbols.for_each(|&symbol| frequencies[usize::from(symbol)] += 1);
        let lengths = huffman::lengths(&frequencies);
        let codes = huffman::codes(&lengths).expect("the lengths are those of a code");
        let encode = |block: &Block| {
            let symbols = block.symbols.iter().filter(|_| written(&block));
            pack(symbols.map(|&symbol| (codes[usize::from(symbol)], lengths[usize::from(symbol)])))
        };
        let blocks = blocks.par_iter().map(encode).collect();
        Compressed { codec: write(empty, &pairs, &lengths), block_bits, blocks }
    }

    /// The pairs, from blocks spread over the data, and the size of blocks with enough symbols.
    fn learn(&self) -> (Pairs, u32) {
        let blocks = self.len.div_ceil(1 << SAMPLE_BITS);
        let step = blocks.div_ceil(SAMPLE);
        let sample: Vec<_> =
            (0..blocks.div_ceil(step)).into_par_iter().filter_map(|at| self.block(at * step, SAMPLE_BITS)).collect();
        let (pairs, symbols) = Pairs::learn(self.letters, &sample, WORTH.div_ceil(step) as u32);
        let positions = (sample.len() << SAMPLE_BITS) as f64;
        let bits = (positions * self.symbols as f64 / symbols.max(1) as f64).max(1.0).log2() as u32;
        (pairs, bits.clamp(*BLOCK_BITS.start(), *BLOCK_BITS.end()))
    }
}

/// The most common of some letters.
fn usual(found: impl Iterator<Item = u8>, letters: usize) -> u8 {
    let mut counts = vec![0; letters];
    found.for_each(|letter| counts[usize::from(letter)] += 1);
    (0..letters).max_by_key(|&letter| counts[letter]).unwrap_or(0) as u8
}

/// Codes as bytes, the first bit highest.
fn pack(codes: impl Iterator<Item = (u32, u32)>) -> Vec<u8> {
    let (mut bytes, mut pending, mut count) = (Vec::new(), 0_u64, 0);
    for (code, length) in codes {
        pending = pending << length | u64::from(code);
        count += length;
        while count >= 8 {
            count -= 8;
            bytes.push((pending >> count) as u8);
        }
    }
    if count > 0 {
        bytes.push((pending << (8 - count)) as u8);
    }
    bytes
}

/// What [`Codec::read`] reads.
fn write(empty: u8, pairs: &Pairs, lengths: &[u32]) -> Vec<u8> {
    let mut bytes = vec![pairs.letters as u8, empty];
    bytes.extend((pairs.rules.len() as u16).to_le_bytes());
    for [first, second] in &pairs.rules {
        let rule = u32::from(*first) | u32::from(*second) << 12;
        bytes.extend(&rule.to_le_bytes()[..3]);
    }
    bytes.extend(lengths.chunks(2).map(|pair| (pair[0] | pair.get(1).unwrap_or(&0) << 4) as u8));
    bytes
}

/// What is needed to read the blocks of a slice.
#[derive(Clone, Debug)]
pub(super) struct Codec {
    letters: u16,
    /// The letter of all places of a block without bytes.
    empty: u8,
    rules: Vec<[u16; 2]>,
    /// Number of letters in each symbol.
    spans: Vec<u16>,
    decoder: Decoder,
}

impl Codec {
    /// Reads the codec at the start of some bytes, for letters below `letters`.
    pub fn read(bytes: &[u8], letters: usize) -> Option<Self> {
        let ([count, empty, rules @ ..], rest) = bytes.split_first_chunk::<4>()?;
        let count = usize::from(*count);
        let symbols = count + usize::from(u16::from_le_bytes(*rules));
        if count > letters || usize::from(*empty) >= count || symbols > MAX_SYMBOLS {
            return None;
        }
        let (rules, lengths) = rest.split_at_checked(3 * (symbols - count))?;
        let rule = |rule: &[u8]| {
            let packed = u32::from_le_bytes([rule[0], rule[1], rule[2], 0]);
            [(packed & 0xFFF) as u16, (packed >> 12) as u16]
        };
        let rules: Vec<_> = rules.chunks_exact(3).map(rule).collect();
        let mut spans = vec![1_u16; count];
        for [first, second] in &rules {
            let span = |symbol: u16| spans.get(usize::from(symbol)).copied();
            spans.push(span(*first)?.checked_add(span(*second)?)?);
        }
        let lengths = lengths.get(..symbols.div_ceil(2))?;
        let lengths: Vec<_> = lengths.iter().flat_map(|pair| [u32::from(pair & 15), u32::from(pair >> 4)]).collect();
        let decoder = Decoder::new(&lengths[..symbols])?;
        Some(Self { letters: count as u16, empty: *empty, rules, spans, decoder })
    }

    /// The letter at a place of the block that `data` holds from `start` to `end`, where at least
    /// [`SLACK`] bytes follow; `None` if the block is broken.
    #[inline]
    pub fn letter(&self, data: &[u8], start: usize, end: usize, mut place: u32) -> Option<u8> {
        if start >= end {
            return (start == end).then_some(self.empty);
        }
        let mut bit = 8 * start;
        loop {
            let coded = self.next(data, bit);
            bit += usize::from(coded.bits);
            if coded.bits == 0 || bit > 8 * end {
                return None;
            }
            let span = u32::from(self.spans[usize::from(coded.symbol)]);
            if place < span {
                return Some(self.descend(coded.symbol, place));
            }
            place -= span;
        }
    }

    /// The symbol at a bit of the data; one of no bits if there is none.
    #[inline]
    fn next(&self, data: &[u8], bit: usize) -> Coded {
        let Some(word) = data.get(bit / 8..).and_then(|rest| rest.first_chunk()) else { return Coded::default() };
        self.decoder.next(u64::from_be_bytes(*word) << (bit % 8))
    }

    /// The letter at a place of a symbol.
    #[inline]
    fn descend(&self, mut symbol: u16, mut place: u32) -> u8 {
        while symbol >= self.letters {
            let [first, second] = self.rules[usize::from(symbol - self.letters)];
            let span = u32::from(self.spans[usize::from(first)]);
            symbol = if place < span { first } else { second };
            place = if place < span { place } else { place - span };
        }
        symbol as u8
    }

    /// Appends the letters of a block to `letters`, so that there are `len` more; `false` if the block
    /// is broken.
    pub fn letters(&self, data: &[u8], start: usize, end: usize, len: usize, letters: &mut Vec<u8>) -> bool {
        let wanted = letters.len() + len;
        if start == end {
            letters.resize(wanted, self.empty);
        }
        let (mut bit, mut open) = (8 * start, Vec::new());
        while letters.len() < wanted {
            let coded = self.next(data, bit);
            bit += usize::from(coded.bits);
            if coded.bits == 0
                || bit > 8 * end
                || usize::from(self.spans[usize::from(coded.symbol)]) > wanted - letters.len()
            {
                return false;
            }
            open.push(coded.symbol);
            while let Some(symbol) = open.pop() {
                match usize::from(symbol).checked_sub(self.letters.into()) {
                    Some(rule) => open.extend(self.rules[rule].iter().rev()),
                    None => letters.push(symbol as u8),
                }
            }
        }
        bit.div_ceil(8) == end
    }
}

#[cfg(test)]
mod tests {
    use super::super::fill::FREE;
    use super::*;
    use crate::util::rng::Rng;

    /// Letters in runs of random lengths, some of them free.
    fn data(letters: usize, longest: usize, len: usize) -> Vec<u8> {
        let mut rng = Rng::new(5);
        let mut data = Vec::new();
        while data.len() < len {
            let letter = if rng.below(5) == 0 { FREE } else { rng.below(letters) as u8 };
            data.extend(std::iter::repeat_n(letter, 1 + rng.below(longest)));
        }
        data.truncate(len);
        data
    }

    fn compress(data: &[u8], letters: usize) -> Compressed {
        let letters_from = |first: u64, block: &mut [u8]| block.copy_from_slice(&data[first as usize..][..block.len()]);
        Source { len: data.len() as u64, letters, stride: 7, symbols: 64, letters_from }.compress()
    }

    #[test]
    fn letters_are_read_as_written() {
        for (letters, longest, len) in
            [(3, 1, 5000), (3, 40, 60_000), (3, 5000, 100_000), (1, 9, 700), (200, 3, 20_000)]
        {
            let data = data(letters, longest, len);
            let compressed = compress(&data, letters);
            let codec = Codec::read(&compressed.codec, letters).unwrap();
            let size = 1 << compressed.block_bits;
            for (bytes, expected) in compressed.blocks.iter().zip(data.chunks(size)) {
                let end = bytes.len();
                let bytes = [&bytes[..], &[0; SLACK]].concat();
                let mut all = Vec::new();
                assert!(codec.letters(&bytes, 0, end, expected.len(), &mut all));
                for (place, &letter) in expected.iter().enumerate() {
                    let read = codec.letter(&bytes, 0, end, place as u32);
                    assert_eq!(read, Some(all[place]));
                    assert!(letter == FREE || read == Some(letter), "{letter} {read:?} at {place}");
                }
            }
        }
    }

    #[test]
    fn data_of_one_letter_takes_no_bytes() {
        let compressed = compress(&[2; 100_000], 3);
        assert!(compressed.blocks.iter().all(Vec::is_empty));
        assert!(compressed.codec.len() < 100);
    }

    #[test]
    fn broken_codecs_are_refused() {
        let good = compress(&data(3, 40, 60_000), 3).codec;
        assert!(Codec::read(&good, 3).is_some() && Codec::read(&good, 2).is_none());
        assert!((0..good.len()).all(|len| Codec::read(&good[..len], 3).is_none()));
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let mut bytes = good.clone();
            bytes[rng.below(good.len())] ^= 1 << rng.below(8);
            let Some(codec) = Codec::read(&bytes, 3) else { continue };
            let noise: Vec<u8> = (0..64).map(|_| rng.below(256) as u8).collect();
            (0..1000).for_each(|place| _ = codec.letter(&noise, 0, 56, place));
        }
    }
}
