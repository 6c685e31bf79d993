//! Which evaluation an engine uses.

use std::path::Path;
use std::sync::Arc;

use super::params::Params;
use crate::eval::weights::{Weights, WeightsError};
use crate::eval::{Evaluation, TERMS};
use crate::variant::Variant;

/// The evaluation that parameters name: hand-made, that of a file, or that of the program.
///
/// # Errors
/// If the file cannot be used.
pub fn open_evaluation<V: Variant>(params: &Params) -> Result<Evaluation, WeightsError> {
    match params.weights.as_str() {
        "" => Ok(Evaluation::embedded::<V>()),
        TERMS => Ok(Evaluation::Terms),
        path => Ok(Evaluation::Learned(Arc::new(Weights::read::<V>(Path::new(path))?))),
    }
}
