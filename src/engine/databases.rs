//! Which endgame databases an engine uses.

use std::path::{Path, PathBuf};

use super::params::Params;
use crate::egdb::{Databases, FileError};
use crate::variant::Variant;

/// Something wrong with the databases asked for; the others are used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// A file that cannot be used.
    #[error("endgame database {0}")]
    File(#[from] FileError),
    /// Not a folder.
    #[error("endgame databases: `{}` is not a folder", .0.display())]
    NoFolder(PathBuf),
}

/// What parameters say about databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DatabaseSource {
    folder: String,
    pieces: u32,
}

impl DatabaseSource {
    pub fn of(params: &Params) -> Self {
        Self { folder: params.egdb_dir.clone(), pieces: params.bb_size }
    }

    /// Opens the databases.
    pub fn open<V: Variant>(&self) -> (Databases<V>, Vec<DatabaseError>) {
        let given = Some(&self.folder).filter(|folder| !folder.is_empty()).map(Path::new);
        let (mut databases, errors) = open_databases(given);
        databases.limit(self.pieces);
        (databases, errors)
    }
}

/// Opens the databases that are part of the program and those in a folder, the user's own if none is
/// given; tells what cannot be used.
pub fn open_databases<V: Variant>(given: Option<&Path>) -> (Databases<V>, Vec<DatabaseError>) {
    let mut databases = Databases::embedded();
    let mut errors = Vec::new();
    if let Some(folder) = given.filter(|folder| !folder.is_dir()) {
        errors.push(DatabaseError::NoFolder(folder.into()));
    }
    let folder = given.map(PathBuf::from).or_else(Databases::<V>::user_folder);
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        errors.extend(databases.add_folder(&folder).into_iter().map(DatabaseError::from));
    }
    (databases, errors)
}
