//! The databases at hand: values and distances of positions looked up.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::file::{FileError, SliceFile};
use super::layout::Kind;
use super::lookup::Stored;
use super::pack;
use super::slice::{MAX_PIECES, Slice};
use super::table::Table;
use super::value::Value;
use crate::board::Position;
use crate::variant::Variant;

/// Solved slices of one variant.
#[derive(Clone, Debug)]
pub struct Databases<V: Variant> {
    values: FxHashMap<Slice, SliceFile<V>>,
    distances: FxHashMap<Slice, SliceFile<V>>,
    /// Most pieces to look up.
    limit: u32,
}

impl<V: Variant> Default for Databases<V> {
    fn default() -> Self {
        Self { values: FxHashMap::default(), distances: FxHashMap::default(), limit: MAX_PIECES }
    }
}

impl<V: Variant> Databases<V> {
    /// Those that are part of the program.
    pub fn embedded() -> Self {
        let mut databases = Self::default();
        databases.add_embedded();
        databases
    }

    /// Adds those that are part of the program, but for slices that are there already.
    pub fn add_embedded(&mut self) {
        // A test reads them all; a broken one would be no reason to refuse the rest.
        pack::embedded(V::ID).flat_map(SliceFile::embedded).for_each(|file| self.add(file));
    }

    /// The folder for databases of the user, if the system has a place for such.
    pub fn user_folder() -> Option<PathBuf> {
        let folders = directories::ProjectDirs::from("", "", "meerslag")?;
        Some(folders.data_dir().join("egdb"))
    }

    /// Adds the files of a folder, but for slices that are there already; those that cannot be used are left
    /// out and named.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<FileError> {
        let mut errors = Vec::new();
        for slice in (2..=MAX_PIECES).flat_map(Slice::all::<V>) {
            for kind in Kind::ALL {
                match SliceFile::open(folder, slice, kind) {
                    Ok(file) => self.add(file),
                    Err(FileError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
                    Err(error) => errors.push(error),
                }
            }
        }
        errors
    }

    /// The files, those of values first, by their slices.
    pub fn files(&self) -> Vec<&SliceFile<V>> {
        let mut files: Vec<_> = self.values.values().chain(self.distances.values()).collect();
        let order = |file: &&SliceFile<V>| {
            let slice = file.index().slice();
            (file.kind() as u8, slice.pieces(), slice)
        };
        files.sort_by_key(order);
        files
    }

    fn add(&mut self, file: SliceFile<V>) {
        let files = match file.kind() {
            Kind::Values => &mut self.values,
            Kind::Distances => &mut self.distances,
        };
        files.entry(file.index().slice()).or_insert(file);
    }

    /// Looks up no position with more pieces.
    pub fn limit(&mut self, pieces: u32) {
        self.limit = pieces;
    }

    /// Most pieces of a position that may be found; 0 if there are no databases.
    pub fn pieces(&self) -> u32 {
        self.values.keys().map(|slice| slice.pieces()).max().unwrap_or(0).min(self.limit)
    }

    /// The value of a position, if it is known; captures are played out.
    pub fn value(&self, position: &Position<V>) -> Option<Value> {
        self.value_of(position)
    }

    /// The whole table of values of a slice, if there is a file.
    ///
    /// # Errors
    /// If the file is damaged, or no file tells what captures lead to.
    pub fn table(&self, slice: Slice) -> Option<Result<Table<V>, FileError>> {
        self.values.get(&slice).map(|file| file.table(self))
    }

    /// Plies to the end of a won or lost position with best play, if they are known: the winner hurries,
    /// the loser delays.
    pub fn distance(&self, position: &Position<V>) -> Option<u32> {
        self.distance_of(position)
    }

    /// Whether distances of a slice are known.
    pub fn has_distances(&self, slice: Slice) -> bool {
        self.distances.contains_key(&slice)
    }
}

impl<V: Variant> Stored<V> for Databases<V> {
    #[inline]
    fn stored_value(&self, slice: Slice, position: &Position<V>) -> Option<Value> {
        if slice.pieces() > self.limit {
            return None;
        }
        let file = self.values.get(&slice)?;
        file.value(file.index().of(position)?)
    }

    fn stored_half_distance(&self, slice: Slice, position: &Position<V>) -> Option<u32> {
        let file = self.distances.get(&slice)?;
        file.half_distance(file.index().of(position)?)
    }
}
