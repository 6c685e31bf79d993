//! The command line.
pub mod bench;
