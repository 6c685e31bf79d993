//! Files of slices in one, and the packs that are part of the program.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `MEERpack` |
//! | 4 | version, 1 |
//! | 4 | number of files |
//! | 8 each | end of each file, counted from the first |
//! | | the files of slices |
//!
//! All numbers are little-endian.

use crate::variant::VariantId;

const MAGIC: &[u8; 8] = b"MEERpack";
const VERSION: u32 = 1;
/// Bytes before the ends of the files.
const HEADER: usize = 16;

/// The packs that are part of the program, at most one for a variant; `docs/egdb.md` tells how they are made.
static EMBEDDED: &[(VariantId, &[u8])] = &[
    (VariantId::International, include_bytes!("embedded/normal.egdb")),
    (VariantId::Brazilian, include_bytes!("embedded/brazilian.egdb")),
    (VariantId::Russian, include_bytes!("embedded/russian.egdb")),
    (VariantId::Killer, include_bytes!("embedded/killer.egdb")),
    (VariantId::Breakthrough, include_bytes!("embedded/bt.egdb")),
    (VariantId::Losing, include_bytes!("embedded/losing.egdb")),
];

/// The files of a variant that are part of the program.
pub(super) fn embedded(variant: VariantId) -> impl Iterator<Item = &'static [u8]> {
    let packs = EMBEDDED.iter().filter(move |(packed, _)| *packed == variant);
    packs.filter_map(|(_, pack)| unpack(pack)).flatten()
}

/// The content of a pack of files.
pub fn pack(files: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((files.len() as u32).to_le_bytes());
    let mut end = 0;
    for file in files {
        end += file.as_ref().len() as u64;
        bytes.extend(end.to_le_bytes());
    }
    files.iter().for_each(|file| bytes.extend(file.as_ref()));
    bytes
}

/// The files in a pack; `None` if it is none or damaged.
pub fn unpack(pack: &[u8]) -> Option<Vec<&[u8]>> {
    let (header, rest) = pack.split_first_chunk::<HEADER>()?;
    let (magic, numbers) = header.split_first_chunk::<8>()?;
    let ([version, count], _) = numbers.as_chunks::<4>() else { return None };
    if magic != MAGIC || u32::from_le_bytes(*version) != VERSION {
        return None;
    }
    let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
    let (ends, files) = rest.split_at_checked(count.checked_mul(8)?)?;
    let mut start = 0;
    let mut next = |end: &[u8; 8]| {
        let end = usize::try_from(u64::from_le_bytes(*end)).ok()?;
        let file = files.get(start..end)?;
        start = end;
        Some(file)
    };
    ends.as_chunks::<8>().0.iter().map(&mut next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_unpacked_as_packed() {
        let files: [&[u8]; 3] = [b"one", b"", b"three"];
        let packed = pack(&files);
        assert_eq!(unpack(&packed).unwrap(), files);
        assert_eq!(packed.len(), 16 + 3 * 8 + 8);
        assert!((0..packed.len()).all(|len| unpack(&packed[..len]).is_none()));
        for at in 0..16 + 3 * 8 {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x80;
            assert_eq!(unpack(&damaged), None, "{at}");
        }
        assert_eq!(unpack(&pack(&[] as &[&[u8]])), Some(Vec::new()));
    }
}
