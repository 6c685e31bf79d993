//! Small tools without a subject of their own: dates and seeded random numbers.

pub mod date;
pub mod rng;
