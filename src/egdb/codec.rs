//! Compression of a block of values: runs of equal ones, a byte for each piece of a run.
//!
//! The two high bits of a byte are the value, the others the length by a table that grows by a
//! fifth at each step. A run is cut into the longest pieces that fit.

use super::value::Value;

/// Positions in a block: the most that looking one up has to walk over.
pub(super) const BLOCK: usize = 4096;

/// Bits of a byte that give the length.
const LENGTH_BITS: u32 = 6;

/// The lengths of a piece of a run, by their code.
static LENGTHS: [u32; 1 << LENGTH_BITS] = lengths();

const fn lengths() -> [u32; 1 << LENGTH_BITS] {
    let mut lengths = [1; 1 << LENGTH_BITS];
    let mut code = 1;
    while code < lengths.len() {
        let last = lengths[code - 1];
        lengths[code] = last + if last < 5 { 1 } else { last / 5 };
        code += 1;
    }
    lengths
}

/// Compresses a block.
pub(super) fn encode(values: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut run: Option<(Value, u32)> = None;
    for value in values {
        match &mut run {
            Some((same, length)) if *same == value => *length += 1,
            _ => {
                push_run(&mut bytes, run);
                run = Some((value, 1));
            }
        }
    }
    push_run(&mut bytes, run);
    bytes
}

fn push_run(bytes: &mut Vec<u8>, run: Option<(Value, u32)>) {
    let Some((value, mut length)) = run else { return };
    while length > 0 {
        let code = LENGTHS.partition_point(|&piece| piece <= length) - 1;
        bytes.push((value as u8) << LENGTH_BITS | code as u8);
        length -= LENGTHS[code];
    }
}

/// The pieces of runs in a block; `None` for a byte that has no value.
pub(super) fn pieces(block: &[u8]) -> impl Iterator<Item = Option<(Value, u32)>> {
    block.iter().map(|byte| {
        let value = Value::ALL.get(usize::from(byte >> LENGTH_BITS))?;
        Some((*value, LENGTHS[usize::from(byte & ((1 << LENGTH_BITS) - 1))]))
    })
}

/// The value at a place of a block; `None` if the block is broken or too short.
pub(super) fn value_at(block: &[u8], mut place: u32) -> Option<Value> {
    for piece in pieces(block) {
        let (value, length) = piece?;
        if place < length {
            return Some(value);
        }
        place -= length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    #[test]
    fn blocks_are_read_as_written() {
        let mut rng = Rng::new(5);
        for longest in [1, 3, 40, 5000] {
            let mut values = Vec::new();
            while values.len() < BLOCK {
                let length = (1 + rng.below(longest)).min(BLOCK - values.len());
                values.extend(std::iter::repeat_n(Value::ALL[rng.below(3)], length));
            }
            let block = encode(values.iter().copied());
            let read: Vec<_> = (0..BLOCK as u32).map(|place| value_at(&block, place)).collect();
            assert!(read.iter().zip(&values).all(|(read, value)| *read == Some(*value)));
            assert_eq!(value_at(&block, BLOCK as u32), None);
        }
    }

    #[test]
    fn a_block_of_one_value_is_small() {
        assert!(encode(std::iter::repeat_n(Value::Draw, BLOCK)).len() <= 4);
    }
}
