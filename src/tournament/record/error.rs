//! What can be wrong with the files of a match.

use std::io;
use std::path::PathBuf;

/// Files that cannot be written or do not belong to this match.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refuses.
    #[error("`{path}`: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is a match already.
    #[error("`{0}` exists: resume that match, or choose another name")]
    Exists(PathBuf),
    /// Not a match file.
    #[error("`{path}`, line {line}: not a line of a match file: {reason}")]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Number of the line.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The games are gone that the match file tells of.
    #[error("`{path}` has {found} bytes, fewer than the {expected} of the games played")]
    TooShort {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// What it should be at least.
        expected: u64,
    },
    /// The match in the file is another one.
    #[error("the match in `{path}` is another one: {name} was {then}, is {now}")]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        name: String,
        /// Its value in the file.
        then: String,
        /// Its value now.
        now: String,
    },
}
