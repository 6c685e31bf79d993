//! Slices on disk: one file for the values of each and one for its distances.
//!
//! The layout is that of `docs/egdb.md`. A file is mapped into memory; opening it
//! reads the header, the codec and the starts of the blocks, which have a checksum of their own.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::bytes::Bytes;
use super::codec::{Codec, Source};
use super::databases::Databases;
use super::fill::FREE;
use super::index::Index;
use super::layout::{self, CHECKSUM, Facts, Fault, Header, Kind, VERSION};
use super::slice::Slice;
use super::table::Table;
use super::value::{Counts, Value};
use super::walk::Walk;
use crate::board::{Position, movegen};
use crate::util::checksum::checksum;
use crate::variant::Variant;

/// The most symbols that looking a value up should walk over, on average twice what it does.
const VALUE_SYMBOLS: usize = 64;
/// The same for distances, which are looked up less often.
const DISTANCE_SYMBOLS: usize = 256;
/// Letters for distances: half the plies from a lost position.
const DISTANCES: usize = FREE as usize;

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
    /// A database of another slice or variant than its name says.
    #[error("{path}: this is {found}, not {expected}", path = .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Variant, slice and kind in the file.
        found: String,
        /// Those expected.
        expected: String,
    },
    /// The content does not agree with a checksum or with itself.
    #[error("{}: the file is damaged", .0.display())]
    Damaged(PathBuf),
}

/// A slice in a file, still compressed.
#[derive(Clone, Debug)]
pub struct SliceFile<V: Variant> {
    index: Index<V>,
    header: Header,
    codec: Codec,
    bytes: Bytes,
    path: PathBuf,
}

/// The file of a slice in a folder.
pub fn path<V: Variant>(folder: &Path, slice: Slice, kind: Kind) -> PathBuf {
    let ending = match kind {
        Kind::Values => "egdb",
        Kind::Distances => "distances.egdb",
    };
    folder.join(format!("{}-{slice}.{ending}", V::ID))
}

/// Writes the values of a table, and the distances if it has them, to their files in a folder: each
/// completely or not at all.
///
/// # Errors
/// If the system refuses.
pub fn write<V: Variant>(folder: &Path, table: &Table<V>) -> Result<(), FileError> {
    let index = table.index();
    let (len, stride) = (index.len(), index.row());
    let facts = Facts { counts: table.counts(), longest: None };
    if table.has_distances() {
        let half = |at: u64, position: &Position<V>| match table.get(at) {
            Value::Loss if !has_capture(position) => table.distance(at).map_or(FREE, |plies| (plies / 2) as u8),
            _ => FREE,
        };
        let letters = 1 + (0..len).into_par_iter().filter_map(|at| table.distance(at)).max().unwrap_or(0) as usize / 2;
        let facts = Facts { longest: table.longest_win(), ..facts };
        let source = Source { len, letters, stride, symbols: DISTANCE_SYMBOLS, letters_from: each(index, half) };
        save(&path::<V>(folder, index.slice(), Kind::Distances), &content(index, Kind::Distances, facts, source))?;
    }
    let value = |at: u64, position: &Position<V>| if has_capture(position) { FREE } else { table.get(at) as u8 };
    let letters = Value::ALL.len();
    let source = Source { len, letters, stride, symbols: VALUE_SYMBOLS, letters_from: each(index, value) };
    save(&path::<V>(folder, index.slice(), Kind::Values), &content(index, Kind::Values, facts, source))
}

/// Letters of successive positions from that of each.
fn each<V: Variant>(
    index: &Index<V>,
    letter: impl Fn(u64, &Position<V>) -> u8 + Sync,
) -> impl Fn(u64, &mut [u8]) + Sync {
    move |first, letters| {
        let mut walk = Walk::new(index, first);
        for (at, place) in (first..).zip(letters) {
            *place = letter(at, &walk.placement().position());
            walk.advance();
        }
    }
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let unfinished = path.with_extension("part");
    let written = fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|source| FileError::Io { path: path.into(), source })
}

/// The content of a file.
fn content<V: Variant>(
    index: &Index<V>,
    kind: Kind,
    facts: Facts,
    mut source: Source<impl Fn(u64, &mut [u8]) + Sync>,
) -> Vec<u8> {
    loop {
        let compressed = source.compress();
        let header = Header::new::<V>(kind, index.slice(), facts, &compressed);
        match layout::content(&header, &compressed) {
            Some(bytes) => return bytes,
            // The smallest blocks always fit.
            None => source.symbols /= 2,
        }
    }
}

/// Whether the value follows from captures, so that none is stored.
pub(super) fn has_capture<V: Variant>(position: &Position<V>) -> bool {
    movegen::can_capture(position, position.side_to_move())
}

impl<V: Variant> SliceFile<V> {
    /// Opens the file of a slice in a folder; only its blocks are not checked.
    ///
    /// # Errors
    /// If it cannot be read or is not the file of this slice.
    pub fn open(folder: &Path, slice: Slice, kind: Kind) -> Result<Self, FileError> {
        let path = path::<V>(folder, slice, kind);
        let bytes = Bytes::map(&path).map_err(|source| FileError::Io { path: path.clone(), source })?;
        let file = Self::parse(bytes, path)?;
        if (file.index.slice(), file.header.kind) != (slice, kind) {
            let expected = format!("{} {slice} {kind}", V::ID);
            return Err(FileError::Other { path: file.path, found: file.header.describe(), expected });
        }
        Ok(file)
    }

    /// A file that is part of the program.
    pub(super) fn embedded(bytes: &'static [u8]) -> Result<Self, FileError> {
        Self::parse(Bytes::Embedded(bytes), PathBuf::from("part of the program"))
    }

    /// Checks the start of a file of this variant; `path` is for messages.
    fn parse(bytes: Bytes, path: PathBuf) -> Result<Self, FileError> {
        let header = match Header::read(&bytes, |slice| Index::<V>::new(slice).len()) {
            Ok(header) => header,
            Err(Fault::Foreign) => return Err(FileError::Foreign(path)),
            Err(Fault::Version(found)) => return Err(FileError::Version { path, found }),
            Err(Fault::Damaged) => return Err(FileError::Damaged(path)),
        };
        if header.name != layout::name::<V>() {
            return Err(FileError::Other { path, found: header.describe(), expected: V::ID.to_string() });
        }
        let letters = if header.kind == Kind::Values { Value::ALL.len() } else { DISTANCES };
        let codec = Codec::read(&bytes[header.codec_at()..header.starts_at()], letters);
        let Some(codec) = codec else { return Err(FileError::Damaged(path)) };
        Ok(Self { index: Index::new(header.slice), header, codec, bytes, path })
    }

    /// The numbering of the positions.
    pub const fn index(&self) -> &Index<V> {
        &self.index
    }

    /// What it tells.
    pub const fn kind(&self) -> Kind {
        self.header.kind
    }

    /// How many positions have each value.
    pub const fn counts(&self) -> Counts {
        self.header.facts.counts
    }

    /// The longest win: its plies and the number of a position with it. Only files of distances tell.
    pub fn longest_win(&self) -> Option<(u32, u64)> {
        self.header.facts.longest.map(|(plies, at)| (plies.into(), at))
    }

    /// The file itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value of the position with this number, in which the side to move has no capture; `None`
    /// beyond the last, if the block is damaged, or if the file has no values.
    pub fn value(&self, index: u64) -> Option<Value> {
        let letter = self.letter(index, Kind::Values)?;
        Value::ALL.get(usize::from(letter)).copied()
    }

    /// Half of the plies to the end of the game from the lost position with this number, rounded down,
    /// if its side to move has no capture; `None` as for [`value`](Self::value).
    pub fn half_distance(&self, index: u64) -> Option<u32> {
        self.letter(index, Kind::Distances).map(u32::from)
    }

    #[inline]
    fn letter(&self, index: u64, kind: Kind) -> Option<u8> {
        if index >= self.index.len() || kind != self.header.kind {
            return None;
        }
        let bits = self.header.block_bits;
        let (start, end) = self.block((index >> bits) as usize)?;
        self.codec.letter(self.data(), start, end, index as u32 & ((1 << bits) - 1))
    }

    /// Where a block starts and ends among the blocks, if that is in order.
    #[inline]
    fn block(&self, block: usize) -> Option<(usize, usize)> {
        let starts = &self.bytes[self.header.starts_at()..];
        let (start, end) = (layout::start(starts, block)?, layout::start(starts, block + 1)?);
        (start <= end && end <= self.header.data).then_some((start, end))
    }

    /// The blocks and the checksum after them.
    #[inline]
    fn data(&self) -> &[u8] {
        &self.bytes[self.bytes.len() - CHECKSUM - self.header.data..]
    }

    /// Reads and checks all blocks.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        self.checked_letters().map(drop)
    }

    /// All letters, after a check of the whole file.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn checked_letters(&self) -> Result<Vec<u8>, FileError> {
        self.check_sum()?;
        self.letters().ok_or_else(|| FileError::Damaged(self.path.clone()))
    }

    /// Compares all blocks with their checksum, without reading what they say.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn check_sum(&self) -> Result<(), FileError> {
        let (blocks, sum) = self.data().split_at(self.header.data);
        let is_sound = layout::u64_at(sum, 0) == checksum(blocks);
        if is_sound { Ok(()) } else { Err(FileError::Damaged(self.path.clone())) }
    }

    /// All letters, in the order of the positions.
    fn letters(&self) -> Option<Vec<u8>> {
        let (len, size) = (self.index.len(), 1 << self.header.block_bits);
        let blocks: Vec<_> = (0..len.div_ceil(size))
            .into_par_iter()
            .map(|number| {
                let (start, end) = self.block(number as usize)?;
                let mut letters = Vec::with_capacity(size as usize);
                let len = (len - number * size).min(size) as usize;
                self.codec.letters(self.data(), start, end, len, &mut letters).then_some(letters)
            })
            .collect::<Option<_>>()?;
        Some(blocks.concat())
    }

    /// The whole table of values; those of positions with a capture come from `databases`.
    ///
    /// # Errors
    /// If the file is damaged or has no values, or the databases do not know where captures lead to.
    pub fn table(&self, databases: &Databases<V>) -> Result<Table<V>, FileError> {
        let letters = Some(self.checked_letters()?).filter(|_| self.header.kind == Kind::Values);
        let values = letters.and_then(|letters| {
            let value = |(at, letter): (usize, &u8)| {
                let position = self.index.position(at as u64);
                let stored = || Value::ALL.get(usize::from(*letter)).copied();
                if has_capture(&position) { databases.value(&position) } else { stored() }
            };
            letters.par_iter().enumerate().map(value).collect::<Option<Vec<_>>>()
        });
        let table = values.map(|values| Table::pack(self.index.clone(), &values, |value| *value));
        let table = table.filter(|table| table.counts() == self.header.facts.counts);
        table.ok_or_else(|| FileError::Damaged(self.path.clone()))
    }
}
