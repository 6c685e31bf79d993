//! DXP: the live process against scripted peers and itself on this machine, matches against peers of every
//! kind, and the follower against garbage.
//!
//! `DXP_MUTATIONS=100000 cargo test --test dxp mangled` tries more garbage than the 20,000 messages of every run.

#[path = "dxp/clock.rs"]
mod clock;
#[path = "dxp/connections.rs"]
mod connections;
#[path = "dxp/drops.rs"]
mod drops;
#[path = "dxp/games.rs"]
mod games;
#[path = "dxp/initiator.rs"]
mod initiator;
#[path = "dxp/logs.rs"]
mod logs;
#[path = "dxp/matches.rs"]
mod matches;
#[path = "dxp/mutate.rs"]
mod mutate;
#[path = "dxp/peer.rs"]
mod peer;
#[path = "dxp/process.rs"]
mod process;
#[path = "dxp/trouble.rs"]
mod trouble;
