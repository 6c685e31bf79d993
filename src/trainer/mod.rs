//! Training: from games to weights of the evaluation.
//!
//! [`samples`] picks positions, [`fit`] fits a [`model`], with its [`network`], to them, [`export`] turns it into the
//! integers that the engine plays with, [`curve`] draws how it went. The model has the features of [`crate::eval`] and
//! is the same function as the evaluation, in floating point and in units of log odds. Everything follows from the
//! samples, the options and the seed, whatever the number of threads.

pub mod curve;
pub mod export;
pub mod fit;
mod minimum;
pub mod model;
pub mod network;
pub mod samples;
