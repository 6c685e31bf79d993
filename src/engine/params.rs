//! The parameters of the engine, declared once.

/// Values of all parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params {}
