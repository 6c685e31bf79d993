//! Layout of a file of a slice; all numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `MEERegdb` |
//! | 4 | version, 2 |
//! | 1 | kind: 0 values, 1 distances |
//! | 1 | log2 of the positions in a block |
//! | 2 | distances: plies of the longest win, 0 if there is none |
//! | 16 | Hub name of the variant, filled up with zeros |
//! | 4 | own men, own kings, opponent's men, opponent's kings |
//! | 4 | length of the codec |
//! | 24 | positions won, drawn and lost for the side to move |
//! | 8 | length of the blocks |
//! | 8 | distances: number of a position with the longest win |
//! | | the codec |
//! | | for every 32 blocks: 8 bytes where the first starts, and 2 bytes each how far from there each starts; the end of the last block counts as one more |
//! | 8 | checksum of all bytes before |
//! | | the blocks |
//! | 8 | checksum of the blocks |

use std::fmt;

use super::codec::{BLOCK_BITS, Compressed, SLACK};
use super::slice::{Material, Slice};
use super::value::Counts;
use crate::util::checksum::checksum;
use crate::variant::Variant;

const MAGIC: &[u8; 8] = b"MEERegdb";
/// The version of the format.
pub(super) const VERSION: u32 = 2;
const NAME: usize = 16;
/// Bytes before the codec.
const HEADER: usize = 80;
/// Bytes of a checksum.
pub(super) const CHECKSUM: usize = 8;
const _: () = assert!(CHECKSUM >= SLACK, "the checksum lets words be read beyond the last block");
/// Blocks whose starts are told from the same place.
const GROUP: usize = 32;
const GROUP_BYTES: usize = 8 + 2 * GROUP;

/// What a file tells about its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won, drawn or lost.
    Values,
    /// Plies to the end of the game from lost positions.
    Distances,
}

impl Kind {
    /// Every kind, by its number in a file.
    pub const ALL: [Self; 2] = [Self::Values, Self::Distances];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Values => "values",
            Self::Distances => "distances",
        })
    }
}

/// What is wrong with the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Foreign,
    Version(u32),
    Damaged,
}

/// What a file tells about its slice as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// How many positions have each value.
    pub counts: Counts,
    /// Plies of the longest win and the number of a position with it, if there are distances.
    pub longest: Option<(u16, u64)>,
}

/// What the first bytes tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub kind: Kind,
    pub name: [u8; NAME],
    pub slice: Slice,
    pub facts: Facts,
    pub block_bits: u32,
    /// Length of the codec.
    pub codec: usize,
    /// Length of the blocks.
    pub data: usize,
}

impl Header {
    /// The header of a slice.
    pub fn new<V: Variant>(kind: Kind, slice: Slice, facts: Facts, compressed: &Compressed) -> Self {
        let codec = compressed.codec.len();
        let data = compressed.blocks.iter().map(Vec::len).sum();
        Self { kind, name: name::<V>(), slice, facts, block_bits: compressed.block_bits, codec, data }
    }

    fn write(&self) -> Vec<u8> {
        let [own, opponent] = [self.slice.own(), self.slice.opponent()];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let (plies, at) = self.facts.longest.unwrap_or_default();
        bytes.extend([self.kind as u8, self.block_bits as u8]);
        bytes.extend(plies.to_le_bytes());
        bytes.extend(self.name);
        bytes.extend([own.men, own.kings, opponent.men, opponent.kings].map(|count| count as u8));
        bytes.extend((self.codec as u32).to_le_bytes());
        let Counts { win, draw, loss } = self.facts.counts;
        [win, draw, loss, self.data as u64, at].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    /// Reads and checks the start of a file, and that the file has the right length.
    pub fn read(bytes: &[u8], positions: impl Fn(Slice) -> u64) -> Result<Self, Fault> {
        if !bytes.starts_with(MAGIC) {
            return Err(Fault::Foreign);
        }
        let version = bytes.get(8..12).ok_or(Fault::Damaged)?;
        let version = u32_at(version, 0);
        if version != VERSION {
            return Err(Fault::Version(version));
        }
        Self::fields(bytes).filter(|header| header.fits(bytes, positions(header.slice))).ok_or(Fault::Damaged)
    }

    fn fields(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; HEADER] = bytes.first_chunk()?;
        let side = |at: usize| Material { men: bytes[at].into(), kings: bytes[at + 1].into() };
        Some(Self {
            kind: *Kind::ALL.get(usize::from(bytes[12]))?,
            block_bits: Some(u32::from(bytes[13])).filter(|bits| BLOCK_BITS.contains(bits))?,
            name: bytes[16..32].try_into().expect("sixteen bytes were cut out"),
            slice: Slice::new(side(32), side(34))?,
            codec: usize::try_from(u32_at(bytes, 36)).ok()?,
            facts: Facts {
                counts: Counts { win: u64_at(bytes, 40), draw: u64_at(bytes, 48), loss: u64_at(bytes, 56) },
                longest: Some((u16::from_le_bytes([bytes[14], bytes[15]]), u64_at(bytes, 72)))
                    .filter(|(plies, _)| *plies > 0),
            },
            data: usize::try_from(u64_at(bytes, 64)).ok()?,
        })
    }

    /// Whether a file of a slice of so many positions has the right length and checksum.
    fn fits(&self, bytes: &[u8], positions: u64) -> bool {
        let sized = || {
            let Facts { counts: Counts { win, draw, loss }, longest } = self.facts;
            (win.checked_add(draw)?.checked_add(loss)? == positions).then_some(())?;
            longest.is_none_or(|(_, at)| at < positions).then_some(())?;
            let blocks = usize::try_from(positions.div_ceil(1 << self.block_bits)).ok()?;
            let starts = 8 * (blocks + 1).div_ceil(GROUP) + 2 * (blocks + 1);
            let head = HEADER.checked_add(self.codec)?.checked_add(starts)?;
            let length = head.checked_add(2 * CHECKSUM)?.checked_add(self.data)?;
            (length == bytes.len()).then_some(head)
        };
        sized().is_some_and(|head| u64_at(bytes, head) == checksum(&bytes[..head]))
    }

    /// Variant, slice and kind.
    pub fn describe(&self) -> String {
        let name = String::from_utf8_lossy(&self.name);
        format!("{} {} {}", name.trim_end_matches('\0'), self.slice, self.kind)
    }

    /// Where the codec starts.
    pub const fn codec_at(&self) -> usize {
        HEADER
    }

    /// Where the starts of the blocks are told.
    pub const fn starts_at(&self) -> usize {
        HEADER + self.codec
    }
}

/// Where a block starts among the blocks, by the bytes that tell the starts.
#[inline]
pub(super) fn start(starts: &[u8], block: usize) -> Option<usize> {
    let group = starts.get(block / GROUP * GROUP_BYTES..)?;
    let base = u64::from_le_bytes(*group.first_chunk()?);
    let offset = group.get(8 + 2 * (block % GROUP)..)?.first_chunk()?;
    usize::try_from(base).ok()?.checked_add(u16::from_le_bytes(*offset).into())
}

/// The bytes that tell the starts of blocks of these lengths; `None` if a group is too long.
fn starts(lengths: impl Iterator<Item = usize>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut base, mut at) = (0, 0);
    // The end of the last one is needed too.
    for (block, length) in lengths.chain([0]).enumerate() {
        if block % GROUP == 0 {
            base = at;
            bytes.extend((at as u64).to_le_bytes());
        }
        bytes.extend(u16::try_from(at - base).ok()?.to_le_bytes());
        at += length;
    }
    Some(bytes)
}

/// The content of a file; `None` if blocks are too long to tell where each starts.
pub(super) fn content(header: &Header, compressed: &Compressed) -> Option<Vec<u8>> {
    let mut bytes = header.write();
    bytes.extend(&compressed.codec);
    bytes.extend(starts(compressed.blocks.iter().map(Vec::len))?);
    bytes.extend(checksum(&bytes).to_le_bytes());
    let data = compressed.blocks.concat();
    bytes.extend(&data);
    bytes.extend(checksum(&data).to_le_bytes());
    Some(bytes)
}

/// The name of a variant in a header.
pub(super) fn name<V: Variant>() -> [u8; NAME] {
    let mut name = [0; NAME];
    let text = V::ID.hub_name().as_bytes();
    name[..text.len()].copy_from_slice(text);
    name
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes were cut out"))
}

/// The number of eight bytes at a place.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes were cut out"))
}
