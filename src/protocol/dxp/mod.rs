//! DXP, the DamExchange protocol, version 01: two programs play each other over TCP.
//!
//! Bytes become messages in [`link`] and [`message`]. Whoever asks for a game is the initiator, the
//! other the follower; which of them listens and which connects is another matter.

pub mod follower;
mod frames;
pub mod link;
pub mod listener;
pub mod message;
pub mod news;
pub mod session;

/// The port that programs use unless told otherwise.
pub const DEFAULT_PORT: u16 = 27531;
