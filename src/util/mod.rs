//! Small tools without a subject of their own: checksums, dates, durations, memory for large tables and
//! seeded random numbers.

pub mod checksum;
pub mod date;
pub mod pages;
pub mod rng;
pub mod time;
