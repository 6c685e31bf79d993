//! Any arrangement of pieces, valid or not.

use super::{Piece, Side};

/// For each side, the field number of a king and how many quiet moves in a row were made with it last.
pub type KingRuns = [Option<(u32, u8)>; 2];

/// Pieces on numbered squares and a side to move, as read from text; the board of any variant.
///
/// `Position::try_from(&setup)` accepts the valid ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub side: Side,
    /// The piece on each square; index 0 is field number 1.
    pub squares: Vec<Option<Piece>>,
    /// Read only where such moves are limited.
    pub king_runs: KingRuns,
}

/// Why a setup is not a position, or a piece could not be put on it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A number that the board does not have.
    #[error("square {number} is not on the board (1 to {squares})")]
    OffBoard {
        /// The number.
        number: u32,
        /// The highest number on this board.
        squares: u32,
    },
    /// A square named twice.
    #[error("square {0} holds two pieces")]
    Occupied(u32),
    /// A man that should have been crowned.
    #[error("the {side} man on {number} stands on its crowning row")]
    ManOnCrownRow {
        /// Owner of the man.
        side: Side,
        /// Its square.
        number: u32,
    },
    /// No pieces at all.
    #[error("the board is empty")]
    Empty,
    /// The first king wins, and the side to move has one.
    #[error("{0} is to move but has made a king: the game is over")]
    AlreadyWon(Side),
    /// A counted king that is not there.
    #[error("{side} has no king on {number}, whose moves are counted")]
    NoSuchKing {
        /// The side whose moves are counted.
        side: Side,
        /// The square named.
        number: u32,
    },
    /// A king that was moved more often than allowed.
    #[error("{moves} moves in a row with one king, at most {limit} are allowed")]
    KingRun {
        /// The number given.
        moves: u8,
        /// The most that the rules allow.
        limit: u8,
    },
    /// A setup of another board.
    #[error("{found} squares given, the board has {expected}")]
    WrongSize {
        /// Squares of the setup.
        found: usize,
        /// Squares of the variant's board.
        expected: u32,
    },
}

impl Setup {
    /// An empty board with `squares` squares.
    pub fn empty(squares: u32, side: Side) -> Self {
        Self { side, squares: vec![None; squares as usize], king_runs: [None; 2] }
    }

    /// Puts a piece on the square with field number `number`.
    ///
    /// # Errors
    /// If there is no such square or it is taken.
    pub fn put(&mut self, number: u32, piece: Piece) -> Result<(), SetupError> {
        let squares = self.squares.len() as u32;
        let index = (number as usize).checked_sub(1);
        let slot = index.and_then(|index| self.squares.get_mut(index));
        let slot = slot.ok_or(SetupError::OffBoard { number, squares })?;
        if slot.replace(piece).is_some() {
            return Err(SetupError::Occupied(number));
        }
        Ok(())
    }
}
