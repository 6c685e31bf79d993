//! `egdb pack`: the files of a folder in one.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::egdb::{Databases, SliceFile, pack};
use crate::variant::{Task, Variant};

/// `pack` for one variant.
pub struct Pack {
    /// Where the files are.
    pub folder: PathBuf,
    /// The file to write.
    pub out: PathBuf,
}

impl Task for Pack {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let mut databases = Databases::<V>::default();
        if let Some(error) = databases.add_folder(&self.folder).into_iter().next() {
            return Err(error.into());
        }
        let files = databases.files();
        if files.is_empty() {
            bail!("no endgame databases of {} in {}", V::ID, self.folder.display());
        }
        files.iter().try_for_each(|file| file.check())?;
        let bytes: Vec<_> = files.into_iter().map(SliceFile::bytes).collect();
        fs::write(&self.out, pack::pack(&bytes)).with_context(|| format!("cannot write {}", self.out.display()))
    }
}
