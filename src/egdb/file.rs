//! Slices on disk: one file each.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic, `MEERegdb` |
//! | 4 | version, 1 |
//! | 4 | positions in a block |
//! | 16 | Hub name of the variant, filled up with zeros |
//! | 4 | own men, own kings, opponent's men, opponent's kings |
//! | 24 | positions won, drawn and lost for the side to move |
//! | 4 each | end of each block, counted from the first |
//! | | the blocks: positions in the order of [`Index`], as runs of equal values |
//! | 8 | checksum of all bytes before (FNV-1a) |

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::codec::{BLOCK, encode, pieces, value_at};
use super::index::Index;
use super::slice::{Material, Slice};
use super::table::Table;
use super::value::{Counts, Value};
use crate::variant::Variant;

const MAGIC: &[u8; 8] = b"MEERegdb";
const VERSION: u32 = 1;
const NAME: usize = 16;
/// Bytes before the ends of the blocks.
const HEADER: usize = 8 + 4 + 4 + NAME + 4 + 24;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;

/// Why a file cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else than an endgame database.
    #[error("{}: no endgame database", .0.display())]
    Foreign(PathBuf),
    /// Another version of the format.
    #[error("{path}: version {found} of the format, {VERSION} is expected", path = .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A database of another slice or variant than asked for.
    #[error("{path}: this is {found}, not {expected}", path = .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Variant and slice in the file.
        found: String,
        /// Those asked for.
        expected: String,
    },
    /// The content does not agree with its checksum or with itself.
    #[error("{}: the file is damaged", .0.display())]
    Damaged(PathBuf),
    /// More bytes than the ends of blocks can tell.
    #[error("{0} takes more than 4 GiB")]
    TooLarge(Slice),
}

/// A slice read from a file, still compressed.
#[derive(Clone, Debug)]
pub struct SliceFile<V: Variant> {
    index: Index<V>,
    counts: Counts,
    bytes: Vec<u8>,
    blocks: usize,
}

/// The file of a slice in a folder.
pub fn path<V: Variant>(folder: &Path, slice: Slice) -> PathBuf {
    folder.join(format!("{}-{slice}.egdb", V::ID))
}

/// Writes a table to its file in a folder: completely or not at all.
///
/// # Errors
/// If the system refuses or the table is too large for the format.
pub fn write<V: Variant>(folder: &Path, table: &Table<V>) -> Result<(), FileError> {
    let slice = table.index().slice();
    let bytes = to_bytes(table).ok_or(FileError::TooLarge(slice))?;
    let path = path::<V>(folder, slice);
    let unfinished = path.with_extension("part");
    let written = fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&unfinished, &path));
    written.map_err(|source| FileError::Io { path, source })
}

/// The content of a table's file; `None` if it is too large for the format.
fn to_bytes<V: Variant>(table: &Table<V>) -> Option<Vec<u8>> {
    let len = table.index().len();
    let blocks: Vec<_> = (0..len.div_ceil(BLOCK as u64))
        .into_par_iter()
        .map(|block| {
            let first = block * BLOCK as u64;
            encode((first..len.min(first + BLOCK as u64)).map(|index| table.get(index)))
        })
        .collect();
    let mut bytes = Vec::new();
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((BLOCK as u32).to_le_bytes());
    bytes.extend(name::<V>());
    bytes.extend(material(table.index().slice()));
    let Counts { win, draw, loss } = table.counts();
    [win, draw, loss].iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    let mut end = 0;
    for block in &blocks {
        end += block.len();
        bytes.extend(u32::try_from(end).ok()?.to_le_bytes());
    }
    blocks.iter().for_each(|block| bytes.extend(block));
    bytes.extend(checksum(&bytes).to_le_bytes());
    Some(bytes)
}

fn name<V: Variant>() -> [u8; NAME] {
    let mut name = [0; NAME];
    let text = V::ID.hub_name().as_bytes();
    name[..text.len()].copy_from_slice(text);
    name
}

fn material(slice: Slice) -> [u8; 4] {
    let [own, opponent] = [slice.own(), slice.opponent()];
    [own.men, own.kings, opponent.men, opponent.kings].map(|count| count as u8)
}

/// FNV-1a with 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes were cut out"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes were cut out"))
}

impl<V: Variant> SliceFile<V> {
    /// Reads the file of a slice in a folder and checks all of it.
    ///
    /// # Errors
    /// If it cannot be read or is not the undamaged file of this slice.
    pub fn open(folder: &Path, slice: Slice) -> Result<Self, FileError> {
        let path = path::<V>(folder, slice);
        match fs::read(&path) {
            Ok(bytes) => Self::parse(bytes, slice, path),
            Err(source) => Err(FileError::Io { path, source }),
        }
    }

    /// Checks the content of a file; `path` is for messages.
    fn parse(bytes: Vec<u8>, slice: Slice, path: PathBuf) -> Result<Self, FileError> {
        if !bytes.starts_with(MAGIC) {
            return Err(FileError::Foreign(path));
        }
        if bytes.len() < HEADER + CHECKSUM {
            return Err(FileError::Damaged(path));
        }
        let found = u32_at(&bytes, 8);
        if found != VERSION {
            return Err(FileError::Version { path, found });
        }
        let body = bytes.len() - CHECKSUM;
        if u64_at(&bytes, body) != checksum(&bytes[..body]) || u32_at(&bytes, 12) != BLOCK as u32 {
            return Err(FileError::Damaged(path));
        }
        let (variant, pieces) = (&bytes[16..16 + NAME], &bytes[16 + NAME..20 + NAME]);
        if variant != name::<V>() || pieces != material(slice) {
            let found = describe(variant, pieces);
            return Err(FileError::Other { path, found, expected: format!("{} {slice}", V::ID) });
        }
        let [win, draw, loss] = [0, 8, 16].map(|at| u64_at(&bytes, 20 + NAME + at));
        let index = Index::new(slice);
        let blocks = index.len().div_ceil(BLOCK as u64) as usize;
        let file = Self { index, counts: Counts { win, draw, loss }, bytes, blocks };
        if file.is_consistent() { Ok(file) } else { Err(FileError::Damaged(path)) }
    }

    /// Whether every block is where it should be and has the right number of positions.
    fn is_consistent(&self) -> bool {
        let ends = HEADER + 4 * self.blocks;
        let data = self.bytes.len() - CHECKSUM;
        let last = (self.blocks - 1) * 4 + HEADER;
        if data < ends || u32_at(&self.bytes, last) as usize != data - ends {
            return false;
        }
        let mut positions = 0;
        (0..self.blocks).all(|block| {
            let length = self.block(block).and_then(|bytes| {
                pieces(bytes).try_fold(0, |sum, piece| piece.map(|(_, length)| sum + u64::from(length)))
            });
            let rest = self.index.len() - positions;
            positions += length.unwrap_or(0);
            length == Some(rest.min(BLOCK as u64))
        }) && positions == self.index.len()
    }

    /// The bytes of a block, if its ends are in order.
    fn block(&self, block: usize) -> Option<&[u8]> {
        let end = |block: usize| u32_at(&self.bytes, HEADER + 4 * block) as usize;
        let start = if block == 0 { 0 } else { end(block - 1) };
        let data = &self.bytes[HEADER + 4 * self.blocks..self.bytes.len() - CHECKSUM];
        data.get(start..end(block))
    }

    /// The numbering of the positions.
    pub const fn index(&self) -> &Index<V> {
        &self.index
    }

    /// How many positions have each value.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Size of the file in bytes.
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The value of the position with this number; `None` beyond the last.
    pub fn get(&self, index: u64) -> Option<Value> {
        let block = usize::try_from(index / BLOCK as u64).ok().filter(|block| *block < self.blocks)?;
        value_at(self.block(block)?, (index % BLOCK as u64) as u32)
    }

    /// The whole table.
    pub fn table(&self) -> Table<V> {
        let values: Vec<Value> = (0..self.blocks)
            .filter_map(|block| self.block(block))
            .flat_map(|block| pieces(block).flatten())
            .flat_map(|(value, length)| std::iter::repeat_n(value, length as usize))
            .collect();
        Table::pack(self.index.clone(), &values, |value| *value)
    }
}

/// Variant and slice as a header tells them.
fn describe(variant: &[u8], pieces: &[u8]) -> String {
    let variant = String::from_utf8_lossy(variant);
    let side = |at: usize| Material { men: pieces[at].into(), kings: pieces[at + 1].into() };
    format!("{} {}-{}", variant.trim_end_matches('\0'), side(0), side(2))
}
