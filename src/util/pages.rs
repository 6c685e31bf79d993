//! Memory for large tables that are read at random: on huge pages, where the system has them.
//!
//! On pages of 4 KiB nearly each such read misses the processor's table of pages too. With huge ones, four million
//! nodes of a middlegame position (`analyze --nodes 4000000`) took 0.76 s for 0.82 s: the least of fifteen runs of
//! both, in turn; medians 0.97 s and 1.09 s.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use bytemuck::Pod;
use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

/// So many zeros, which take no memory before they are written to.
fn zeros(bytes: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    // Only a hint: without huge pages all works as well, if slower.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

type Slice<'a> = &'a [AtomicU64];

self_cell!(
    struct Words {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Slice,
    }
);

/// Words that threads share.
pub struct AtomicWords(Words);

impl AtomicWords {
    /// So many words, all zero; the first one begins a page.
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn new(count: usize) -> io::Result<Self> {
        let bytes = count.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MutBorrow::new(zeros(bytes)?);
        Ok(Self(Words::new(map, |map| {
            <[AtomicU64]>::mut_from_bytes(map.borrow_mut()).expect("pages are aligned, and the words fill them")
        })))
    }
}

impl Deref for AtomicWords {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        self.0.borrow_dependent()
    }
}

impl fmt::Debug for AtomicWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words", self.len())
    }
}

/// Numbers that no longer change.
#[derive(Debug)]
pub struct Frozen<T>(MmapMut, PhantomData<T>);

impl<T: Pod> Frozen<T> {
    /// So many numbers as `fill` sets them, which finds zeros.
    ///
    /// # Errors
    /// Those of `fill`.
    ///
    /// # Panics
    /// If there is not that much memory, as for a vector.
    pub fn filled<E>(count: usize, fill: impl FnOnce(&mut [T]) -> Result<(), E>) -> Result<Self, E> {
        let bytes = count.checked_mul(size_of::<T>()).expect("a size that memory can have");
        let mut map = zeros(bytes).expect("enough memory");
        fill(bytemuck::cast_slice_mut(&mut map))?;
        Ok(Self(map, PhantomData))
    }
}

impl<T: Pod> From<Vec<T>> for Frozen<T> {
    fn from(vector: Vec<T>) -> Self {
        let Ok(frozen) = Self::filled(vector.len(), |numbers| {
            numbers.copy_from_slice(&vector);
            Ok::<_, Infallible>(())
        });
        frozen
    }
}

impl<T: Pod> Deref for Frozen<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.0)
    }
}

impl<T: Pod + PartialEq> PartialEq for Frozen<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn words_are_zero_and_keep_what_is_stored() {
        let words = AtomicWords::new(1000).unwrap();
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        (0..).zip(words.iter()).for_each(|(number, word)| word.store(number, Relaxed));
        assert!((0..).zip(words.iter()).all(|(number, word)| word.load(Relaxed) == number));
        assert_eq!((words.len(), words.as_ptr().addr() % 4096), (1000, 0));
    }

    #[test]
    fn too_many_words_are_an_error() {
        assert!(AtomicWords::new(usize::MAX / 4).is_err());
        assert!(AtomicWords::new(usize::MAX / 16).is_err());
    }

    #[test]
    fn frozen_numbers_are_those_of_the_vector() {
        let numbers: Vec<[i16; 2]> = (0..5000).map(|number| [number, -number]).collect();
        assert_eq!(*Frozen::from(numbers.clone()), *numbers);
    }
}
