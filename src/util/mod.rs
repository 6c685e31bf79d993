//! Small tools without a subject of their own: the seeded random numbers.

pub mod rng;
