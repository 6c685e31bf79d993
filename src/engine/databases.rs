//! Which endgame databases an engine uses.

use std::path::PathBuf;

use super::params::Params;
use crate::egdb::{Databases, FileError};
use crate::variant::Variant;

/// Something wrong with the databases asked for; the others are used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// A file that cannot be used.
    #[error("endgame database {0}")]
    File(#[from] FileError),
    /// The parameter names no folder.
    #[error("parameter egdb-dir: `{}` is not a folder", .0.display())]
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

    /// Opens the databases: those of the program and those in the folder.
    pub fn open<V: Variant>(&self) -> (Databases<V>, Vec<DatabaseError>) {
        let mut databases = Databases::embedded();
        let mut errors = Vec::new();
        let given = Some(&self.folder).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        if let Some(folder) = given.as_deref().filter(|folder| !folder.is_dir()) {
            errors.push(DatabaseError::NoFolder(folder.into()));
        }
        if let Some(folder) = given.or_else(Databases::<V>::user_folder).filter(|folder| folder.is_dir()) {
            errors.extend(databases.add_folder(&folder).into_iter().map(DatabaseError::from));
        }
        databases.limit(self.pieces);
        (databases, errors)
    }
}
