//! The engine behind text protocols.
//!
//! Nothing here is generic over the variant, and no input may end the process: hence the lints.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod dxp;
pub mod hub;
mod made;
pub mod traffic;
