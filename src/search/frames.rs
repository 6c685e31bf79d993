//! What nodes need beside their value, kept by ply and reused.

use super::order::Order;
use super::params::MAX_PLY;
use crate::board::{Move, MoveList};

/// Buffers of one ply.
#[derive(Default)]
pub struct Frame {
    pub moves: MoveList,
    /// The order of `moves`.
    pub order: Order,
    /// The last quiet moves that failed high here.
    pub killers: [Option<Move>; 2],
}

/// The frame of each ply that no node has taken. A pointer is moved rather than the frame, of which the parts have
/// just been written one by one.
pub struct Frames(Vec<Option<Box<Frame>>>);

impl Frames {
    /// New ones.
    pub fn new() -> Self {
        Self((0..=MAX_PLY).map(|_| Some(Box::default())).collect())
    }

    /// Takes the frame of a ply; only one node of a ply is searched at once.
    #[inline]
    pub fn take(&mut self, ply: u32) -> Box<Frame> {
        self.0[ply as usize].take().unwrap_or_default()
    }

    /// Puts it back.
    #[inline]
    pub fn put(&mut self, ply: u32, frame: Box<Frame>) {
        self.0[ply as usize] = Some(frame);
    }

    /// Forgets which moves failed high.
    pub fn forget_killers(&mut self) {
        self.0.iter_mut().flatten().for_each(|frame| frame.killers = [None; 2]);
    }
}
