//! The content of a database: part of the program, or a file mapped into memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

/// Bytes that are read in place.
#[derive(Clone, Debug)]
pub(super) enum Bytes {
    /// Part of the program.
    Embedded(&'static [u8]),
    /// A file.
    Mapped(Arc<Mmap>),
}

impl Bytes {
    /// Maps a file.
    #[expect(unsafe_code, reason = "no map of a file is safe by its type alone")]
    pub fn map(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: A map must not change while it is borrowed. Database files are written under another
        // name and renamed when they are whole, never changed. Should another program change one all
        // the same, every number read from it is checked where it is used: values may then be wrong,
        // but no memory outside the map is read.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self::Mapped(Arc::new(map)))
    }
}

impl Deref for Bytes {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Embedded(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}
