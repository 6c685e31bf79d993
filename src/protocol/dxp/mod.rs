//! DXP, the DamExchange protocol, version 01: two programs play each other over TCP.
//!
//! Bytes become messages in [`link`] and [`message`]. Whoever asks for a game is the initiator, the
//! other the follower; which of them listens and which connects is another matter.

pub mod address;
pub mod follower;
mod frames;
pub mod link;
pub mod listener;
pub mod message;
pub mod news;
pub mod session;

use std::time::Duration;

/// The name that this program plays under.
pub const NAME: &str = concat!("Meerslag ", env!("CARGO_PKG_VERSION"));

/// How long a peer has to confirm the end of a game; some never do.
pub const CONFIRMATION: Duration = Duration::from_secs(2);

/// The port that programs use unless told otherwise.
pub const DEFAULT_PORT: u16 = 27531;
