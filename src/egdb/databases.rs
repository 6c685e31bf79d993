//! The databases at hand: values of positions looked up.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::file::{FileError, SliceFile};
use super::slice::{MAX_PIECES, Slice};
use super::value::Value;
use crate::board::{MoveList, Position, movegen};
use crate::variant::Variant;

/// Solved slices of one variant, each from a file.
#[derive(Clone, Debug)]
pub struct Databases<V: Variant> {
    slices: FxHashMap<Slice, SliceFile<V>>,
    /// Most pieces to look up.
    limit: u32,
}

impl<V: Variant> Default for Databases<V> {
    fn default() -> Self {
        Self { slices: FxHashMap::default(), limit: MAX_PIECES }
    }
}

impl<V: Variant> Databases<V> {
    /// Those that are part of the program.
    pub fn embedded() -> Self {
        Self::default()
    }

    /// Where the user's own are.
    pub fn user_folder() -> Option<PathBuf> {
        None
    }

    /// Adds the files of a folder; those that cannot be used are left out and named.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<FileError> {
        let mut errors = Vec::new();
        for slice in (2..=MAX_PIECES).flat_map(Slice::all::<V>) {
            match SliceFile::open(folder, slice) {
                Ok(file) => _ = self.slices.insert(slice, file),
                Err(FileError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => errors.push(error),
            }
        }
        errors
    }

    /// Looks up no position with more pieces.
    pub fn limit(&mut self, pieces: u32) {
        self.limit = pieces;
    }

    /// Most pieces of a position that may be found; 0 if there are no databases.
    pub fn pieces(&self) -> u32 {
        self.slices.keys().map(|slice| slice.pieces()).max().unwrap_or(0).min(self.limit)
    }

    /// The value of a position, if it is known; captures are played out.
    pub fn value(&self, position: &Position<V>) -> Option<Value> {
        let side = position.side_to_move();
        if let Some(value) = Value::without_moves(position) {
            return Some(value);
        }
        if !movegen::can_capture(position, side) {
            let file = self.slices.get(&Slice::of(position)?)?;
            return file.get(file.index().of(position)?);
        }
        let mut moves = MoveList::new();
        movegen::generate(position, &mut moves);
        let values = moves.iter().map(|&mv| self.value(&position.after(mv)).map(|value| -value));
        values.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// Plies to the end of a won or lost position, if they are known.
    pub fn distance(&self, _position: &Position<V>) -> Option<u32> {
        None
    }
}
