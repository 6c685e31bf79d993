//! Training games: self-play, and the files that keep them.
//!
//! [`selfplay`] plays a game, [`run`] plays many on all cores, in chunks whose games follow from the seed and
//! the number of the chunk alone. [`record`] is a game as it is kept, `codec` packs the games of a chunk,
//! [`mod@file`] appends chunks to a file and reads them back.

mod codec;
pub mod file;
pub mod record;
pub mod run;
pub mod selfplay;

pub use file::{Chunk, Reader, RecordError, Writer};
pub use record::{Outcome, Ply, Record};
pub use run::{Plan, Progress};
pub use selfplay::Settings;
