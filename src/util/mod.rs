//! Small tools without a subject of their own: checksums, dates, durations and seeded random numbers.

pub mod checksum;
pub mod date;
pub mod rng;
pub mod time;
