//! Files of training games.
//!
//! A file is a sequence of parts: settings, then chunks of games played with them, and so on. So files are merged
//! by appending one to another, and a file that was cut off loses its last part only. A part that does not agree with
//! its checksum is passed over. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `MEERsets` before settings, `MEERgame` before games |
//! | 4 | length of the content |
//! | 8 | checksum of the content |
//! | | settings: JSON; games: the number of the chunk (8 bytes), games and positions (4 bytes each), then the packed games |

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::codec;
use super::record::Record;
use super::selfplay::{FORMAT, Settings};
use crate::util::checksum::checksum;
use crate::variant::{Variant, VariantId};

const SETTINGS: &[u8; 8] = b"MEERsets";
const GAMES: &[u8; 8] = b"MEERgame";
/// Bytes before the content of a part.
const HEAD: usize = 20;
/// Bytes before the packed games of a chunk.
const CHUNK_HEAD: usize = 16;
/// Longest content of a part.
const MOST_BYTES: u32 = 1 << 28;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refused.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else than games.
    #[error("{}: this is no file of training games", .0.display())]
    Foreign(PathBuf),
    /// Games of another variant.
    #[error("{path}: these are games of {found}, not of {expected}", path = .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Their variant.
        found: VariantId,
        /// The variant expected.
        expected: VariantId,
    },
    /// Games in another version of the format.
    #[error("{path}: version {found} of the format, {FORMAT} is expected", path = .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A damaged part.
    #[error("{path}: damaged at byte {offset}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged part begins.
        offset: u64,
    },
    /// Another process is writing to it.
    #[error("{}: another process is writing to this file", .0.display())]
    Busy(PathBuf),
}

impl RecordError {
    fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }
}

/// A chunk of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk<V: Variant> {
    /// Its number under its settings.
    pub number: u64,
    /// Its games.
    pub games: Vec<Record<V>>,
}

/// A chunk as it is in a file.
struct PackedChunk {
    number: u64,
    games: u32,
    positions: u32,
    bytes: Vec<u8>,
}

/// A part of a file.
enum Part {
    Settings(Settings),
    Chunk(PackedChunk),
}

/// Reads the parts of a file in order.
#[derive(Debug)]
pub struct Reader<V: Variant> {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next part begins.
    offset: u64,
    length: u64,
    /// Whether nothing tells where the next part begins.
    is_lost: bool,
    settings: Settings,
    variant: PhantomData<V>,
}

impl<V: Variant> Reader<V> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or does not begin with settings for this variant.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(RecordError::io(path))?;
        Self::new(path, file)
    }

    fn new(path: &Path, file: File) -> Result<Self, RecordError> {
        let length = file.metadata().map_err(RecordError::io(path))?.len();
        let mut reader = Self {
            path: path.into(),
            file: BufReader::new(file),
            offset: 0,
            length,
            is_lost: false,
            settings: Settings::default(),
            variant: PhantomData,
        };
        match reader.next_part()? {
            Some(Part::Settings(settings)) => reader.settings = settings,
            _ => return Err(RecordError::Foreign(path.into())),
        }
        Ok(reader)
    }

    /// The settings of the chunk read last.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The next chunk; none at the end. After a damaged part the next call goes on behind it; where nothing tells
    /// where that is, it ends.
    ///
    /// # Errors
    /// If the file cannot be read or a part is damaged.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<V>>, RecordError> {
        let offset = self.offset;
        let Some(packed) = self.next_packed()? else { return Ok(None) };
        let games = codec::unpack(&packed.bytes).filter(|games: &Vec<Record<V>>| {
            let plies: usize = games.iter().map(|game| game.plies.len()).sum();
            (games.len(), plies) == (packed.games as usize, packed.positions as usize)
        });
        let chunk = games.map(|games| Chunk { number: packed.number, games });
        chunk.map(Some).ok_or_else(|| self.damaged(offset))
    }

    /// The next chunk as it is in the file.
    fn next_packed(&mut self) -> Result<Option<PackedChunk>, RecordError> {
        loop {
            match self.next_part()? {
                None => return Ok(None),
                Some(Part::Settings(settings)) => self.settings = settings,
                Some(Part::Chunk(chunk)) => return Ok(Some(chunk)),
            }
        }
    }

    fn damaged(&self, offset: u64) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), offset }
    }

    fn next_part(&mut self) -> Result<Option<Part>, RecordError> {
        if self.offset == self.length || self.is_lost {
            return Ok(None);
        }
        let offset = self.offset;
        self.is_lost = true;
        let mut head = [0; HEAD];
        let read = |file: &mut BufReader<File>, bytes: &mut [u8]| match file.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        };
        if !read(&mut self.file, &mut head).map_err(RecordError::io(&self.path))? {
            return Err(if offset == 0 { RecordError::Foreign(self.path.clone()) } else { self.damaged(offset) });
        }
        let (magic, rest) = head.split_first_chunk::<8>().expect("the head is longer");
        let (length, sum) = rest.split_first_chunk::<4>().expect("the head is longer");
        let length = u32::from_le_bytes(*length);
        if magic != SETTINGS && magic != GAMES {
            return Err(if offset == 0 { RecordError::Foreign(self.path.clone()) } else { self.damaged(offset) });
        }
        if length > MOST_BYTES {
            return Err(self.damaged(offset));
        }
        let mut content = vec![0; length as usize];
        if !read(&mut self.file, &mut content).map_err(RecordError::io(&self.path))? {
            return Err(self.damaged(offset));
        }
        // Settings that cannot be read leave open what the games behind them are.
        self.is_lost = magic == SETTINGS;
        if sum == checksum(&content).to_le_bytes() {
            let part = self.part(magic == SETTINGS, &content, offset)?;
            (self.is_lost, self.offset) = (false, offset + HEAD as u64 + u64::from(length));
            return Ok(Some(part));
        }
        if !self.is_lost {
            self.offset += HEAD as u64 + u64::from(length);
        }
        Err(self.damaged(offset))
    }

    fn part(&self, is_settings: bool, content: &[u8], offset: u64) -> Result<Part, RecordError> {
        if is_settings {
            let settings: Settings = serde_json::from_slice(content).map_err(|_| self.damaged(offset))?;
            if settings.format != FORMAT {
                return Err(RecordError::Version { path: self.path.clone(), found: settings.format });
            }
            if settings.variant != V::ID {
                let (path, found) = (self.path.clone(), settings.variant);
                return Err(RecordError::Other { path, found, expected: V::ID });
            }
            return Ok(Part::Settings(settings));
        }
        let (head, packed) = content.split_first_chunk::<CHUNK_HEAD>().ok_or_else(|| self.damaged(offset))?;
        let field = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let number = u64::from(field(0)) | u64::from(field(4)) << 32;
        let (games, positions, bytes) = (field(8), field(12), packed.to_vec());
        Ok(Part::Chunk(PackedChunk { number, games, positions, bytes }))
    }
}

/// Appends chunks to a file.
#[derive(Debug)]
pub struct Writer<V: Variant> {
    path: PathBuf,
    file: File,
    /// Chunks that are there already under these settings.
    done: HashSet<u64>,
    /// Games and positions in the file under these settings.
    games: u64,
    positions: u64,
    variant: PhantomData<V>,
}

impl<V: Variant> Writer<V> {
    /// Opens or makes a file for games with these settings. A part that was cut off at the end is removed, damaged
    /// chunks are passed over; `note` is told of both.
    ///
    /// # Errors
    /// If the file cannot be written, holds something else, is damaged so that what is behind cannot be found, or is
    /// being written to.
    pub fn open(path: &Path, settings: &Settings, mut note: impl FnMut(String)) -> Result<Self, RecordError> {
        let error = RecordError::io(path);
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let file = options.open(path).map_err(&error)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy(path.into())),
            Err(TryLockError::Error(source)) => return Err(error(source)),
        }
        let mut writer =
            Self { path: path.into(), file, done: HashSet::new(), games: 0, positions: 0, variant: PhantomData };
        if writer.scan(settings, &mut note)?.as_ref() != Some(settings) {
            let content = serde_json::to_vec(settings).expect("settings are plain data");
            writer.append(SETTINGS, &content)?;
        }
        Ok(writer)
    }

    /// Looks what is there, and removes what was cut off; gives the settings of the last part.
    fn scan(&mut self, settings: &Settings, note: &mut impl FnMut(String)) -> Result<Option<Settings>, RecordError> {
        let error = RecordError::io(&self.path);
        let length = self.file.metadata().map_err(&error)?.len();
        if length == 0 {
            return Ok(None);
        }
        let mut copy = self.file.try_clone().map_err(&error)?;
        copy.seek(SeekFrom::Start(0)).map_err(&error)?;
        let mut reader = Reader::<V>::new(&self.path, copy)?;
        loop {
            match reader.next_packed() {
                Ok(None) => break,
                Ok(Some(chunk)) => {
                    if reader.settings() == settings && self.done.insert(chunk.number) {
                        self.games += u64::from(chunk.games);
                        self.positions += u64::from(chunk.positions);
                    }
                }
                Err(damaged @ RecordError::Damaged { .. }) if !reader.is_lost => note(damaged.to_string()),
                Err(RecordError::Damaged { .. }) if reader.is_cut_off().map_err(&error)? => {
                    let (path, bytes) = (self.path.display(), length - reader.offset);
                    note(format!("{path}: the last part was cut off; its {bytes} bytes are removed"));
                    self.file.set_len(reader.offset).map_err(&error)?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Some(reader.settings))
    }

    /// The numbers of the chunks with these settings.
    pub const fn chunks(&self) -> &HashSet<u64> {
        &self.done
    }

    /// Games and positions with these settings.
    pub const fn totals(&self) -> (u64, u64) {
        (self.games, self.positions)
    }

    /// Appends a chunk; once this returns it is in the file.
    ///
    /// # Errors
    /// If the file cannot be written; what was there before stays readable.
    pub fn write(&mut self, chunk: &Chunk<V>) -> Result<(), RecordError> {
        let positions: usize = chunk.games.iter().map(|game| game.plies.len()).sum();
        let mut content = chunk.number.to_le_bytes().to_vec();
        content.extend((chunk.games.len() as u32).to_le_bytes());
        content.extend((positions as u32).to_le_bytes());
        content.extend(codec::pack(&chunk.games));
        self.append(GAMES, &content)?;
        self.done.insert(chunk.number);
        self.games += chunk.games.len() as u64;
        self.positions += positions as u64;
        Ok(())
    }

    fn append(&mut self, magic: &[u8; 8], content: &[u8]) -> Result<(), RecordError> {
        let mut part = magic.to_vec();
        part.extend((content.len() as u32).to_le_bytes());
        part.extend(checksum(content).to_le_bytes());
        part.extend(content);
        self.file.write_all(&part).and_then(|()| self.file.flush()).map_err(RecordError::io(&self.path))
    }
}

impl<V: Variant> Reader<V> {
    /// Whether what begins at the offset is a part that the file ends in the middle of, and nothing else.
    fn is_cut_off(&mut self) -> io::Result<bool> {
        self.file.seek(SeekFrom::Start(self.offset))?;
        let mut rest = Vec::new();
        (&mut self.file).take(HEAD as u64 + u64::from(MOST_BYTES)).read_to_end(&mut rest)?;
        let is_start = |magic: &[u8; 8]| rest.starts_with(magic) || magic.starts_with(&rest);
        let length = rest.get(8..12).map_or(0, |field| u32::from_le_bytes([field[0], field[1], field[2], field[3]]));
        let is_short = rest.len() < HEAD || length <= MOST_BYTES && rest.len() < HEAD + length as usize;
        let others = rest.get(1..).unwrap_or_default().windows(8);
        let has_others = others.into_iter().any(|bytes| bytes == SETTINGS || bytes == GAMES);
        Ok((is_start(SETTINGS) || is_start(GAMES)) && is_short && !has_others)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::datagen::codec::tests::random_game;
    use crate::variant::{Brazilian, International};

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("meerslag-games-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    fn settings(seed: u64) -> Settings {
        Settings { seed, ..Settings::default() }
    }

    fn open(path: &Path, seed: u64) -> Result<Writer<International>, RecordError> {
        Writer::open(path, &settings(seed), |_| {})
    }

    fn chunk(number: u64) -> Chunk<International> {
        Chunk { number, games: vec![random_game(number), random_game(number + 100)] }
    }

    fn read(path: &Path) -> Result<Vec<(u64, Chunk<International>)>, RecordError> {
        let mut reader = Reader::open(path)?;
        let mut chunks = Vec::new();
        while let Some(chunk) = reader.next_chunk()? {
            chunks.push((reader.settings().seed, chunk));
        }
        Ok(chunks)
    }

    #[test]
    fn chunks_are_appended_and_files_merged() {
        let (one, two) = (scratch("one"), scratch("two"));
        let mut writer = open(&one, 1).unwrap();
        writer.write(&chunk(3)).unwrap();
        let positions: usize = chunk(3).games.iter().map(|game| game.plies.len()).sum();
        assert_eq!(
            (writer.totals(), writer.chunks().contains(&3), writer.chunks().contains(&0)),
            ((2, positions as u64), true, false)
        );
        assert!(matches!(open(&one, 1), Err(RecordError::Busy(_))));
        drop(writer);
        let mut writer = open(&one, 1).unwrap();
        assert!(writer.chunks().contains(&3) && writer.totals().0 == 2);
        writer.write(&chunk(0)).unwrap();
        drop(writer);
        // Under other settings the same numbers are other games.
        let mut writer = open(&one, 2).unwrap();
        assert!(!writer.chunks().contains(&3));
        writer.write(&chunk(3)).unwrap();
        drop(writer);
        open(&two, 7).unwrap().write(&chunk(5)).unwrap();
        let merged = [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat();
        fs::write(&one, merged).unwrap();
        let expected = [(1, 3), (1, 0), (2, 3), (7, 5)].map(|(seed, number)| (seed, chunk(number)));
        assert_eq!(read(&one).unwrap(), expected);
        [one, two].iter().for_each(|path| fs::remove_file(path).unwrap());
    }

    #[test]
    fn what_is_cut_off_is_removed_and_what_is_damaged_is_told() {
        let path = scratch("damage");
        let mut writer = open(&path, 1).unwrap();
        writer.write(&chunk(0)).unwrap();
        let whole = fs::metadata(&path).unwrap().len();
        writer.write(&chunk(1)).unwrap();
        drop(writer);
        let bytes = fs::read(&path).unwrap();
        for length in [whole + 1, whole + HEAD as u64, bytes.len() as u64 - 1] {
            fs::write(&path, &bytes[..length as usize]).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.ends_with(&format!("damaged at byte {whole}")), "{error}");
            let writer = open(&path, 1).unwrap();
            assert!(writer.chunks().len() == 1 && writer.chunks().contains(&0));
            drop(writer);
            assert_eq!(fs::read(&path).unwrap(), bytes[..whole as usize]);
        }
        // A damaged chunk is passed over and played again; nothing is thrown away.
        let mut bad = bytes.clone();
        bad[whole as usize - 3] ^= 4;
        fs::write(&path, &bad).unwrap();
        let mut reader = Reader::<International>::open(&path).unwrap();
        assert!(matches!(reader.next_chunk(), Err(RecordError::Damaged { .. })));
        assert_eq!(reader.next_chunk().unwrap(), Some(chunk(1)));
        assert_eq!(reader.next_chunk().unwrap(), None);
        let mut notes = Vec::new();
        let mut writer = Writer::open(&path, &settings(1), |note| notes.push(note)).unwrap();
        assert_eq!((writer.chunks().len(), notes.len()), (1, 1), "{notes:?}");
        writer.write(&chunk(0)).unwrap();
        drop(writer);
        assert_eq!(fs::read(&path).unwrap()[..bad.len()], bad);
        // Where the next part begins is not known: a length that leads beyond the end, and other text.
        for at in [whole as usize + 2, whole as usize + 11] {
            let mut bad = [bytes.clone(), bytes.clone()].concat();
            bad[at] ^= 4;
            fs::write(&path, &bad).unwrap();
            assert!(matches!(read(&path), Err(RecordError::Damaged { .. })), "{at}");
            assert!(matches!(open(&path, 1), Err(RecordError::Damaged { .. })), "{at}");
            assert_eq!(fs::read(&path).unwrap(), bad);
        }
        let noted = [&bytes[..whole as usize], b"and a note of somebody's"].concat();
        fs::write(&path, &noted).unwrap();
        assert!(matches!(open(&path, 1), Err(RecordError::Damaged { .. })));
        assert_eq!(fs::read(&path).unwrap(), noted);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_versions_are_refused() {
        let path = scratch("version");
        drop(Writer::<International>::open(&path, &Settings { format: 7, ..settings(1) }, |_| {}));
        let error = read(&path).unwrap_err().to_string();
        assert!(error.ends_with("version 7 of the format, 1 is expected"), "{error}");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_refused() {
        let path = scratch("foreign");
        for content in [&b"[Event \"x\"]\n\n1. 32-28 *\n"[..], b"x"] {
            fs::write(&path, content).unwrap();
            assert!(matches!(read(&path), Err(RecordError::Foreign(_))));
            assert!(open(&path, 1).is_err());
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        fs::remove_file(&path).unwrap();
        drop(open(&path, 1).unwrap());
        let error = Reader::<Brazilian>::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("these are games of normal, not of brazilian"), "{error}");
        fs::remove_file(&path).unwrap();
        assert!(matches!(read(&path), Err(RecordError::Io { .. })));
    }
}
