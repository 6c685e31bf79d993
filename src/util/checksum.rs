//! A checksum against damage, not against malice.

/// Words of eight bytes, each mixed in by FNV-1a's step and a shift; the last is filled up with zeros.
pub fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        hash ^ hash >> 32
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xCBF2_9CE4_8422_2325, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    step(step(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}
