//! Legal play: positions, moves, hashing, draw rules and the played game.
//!
//! [`Setup`] is any arrangement of pieces; a [`Position`] is a valid one. [`State`] adds the hash
//! key and the counters of the draw rules, and is what a search node holds; [`Game`] adds the
//! history. [`movegen`] yields the legal moves.

mod bitboard;
pub mod draws;
mod game;
mod king_run;
pub mod movegen;
mod moves;
pub mod outcome;
pub mod perft;
mod piece;
mod position;
mod setup;
mod square;
mod state;
mod zobrist;

pub use bitboard::Bitboard;
pub use draws::{DrawPolicy, DrawReason};
pub use game::{Game, IllegalMove};
pub use king_run::KingRun;
pub use movegen::{MoveList, legal_moves};
pub use moves::Move;
pub use outcome::{GameOver, Verdict, WinReason};
pub use piece::{Piece, Role, Side};
pub use position::Position;
pub use setup::{KingRuns, Setup, SetupError};
pub use square::Square;
pub use state::{Clocks, State};
pub use zobrist::Key;
