//! A slow move generator on a board of rows and columns, written from the rules text alone.
//!
//! It shares nothing with the engine's: no bitboards, no tables, every route of a capture walked.

use std::collections::BTreeSet;

use meerslag::board::{Position, Role, Side};
use meerslag::variant::{Geometry, Variant};

/// A square as (row from the top, column from the left).
type Cell = (i32, i32);

/// The four diagonal steps.
const DIAGONALS: [Cell; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Start, end and captured squares as field numbers.
pub type PlainMove = (u32, u32, BTreeSet<u32>);

/// A board that can be read off the printed rules.
#[derive(Clone)]
pub struct Board {
    side: i32,
    white_to_move: bool,
    /// (is white, is king) for each square in the order of field numbers.
    squares: Vec<Option<(bool, bool)>>,
    /// Routes that may still be walked.
    budget: u32,
}

impl Board {
    /// The board of a position.
    pub fn of<V: Variant>(position: &Position<V>) -> Self {
        let piece = |piece: meerslag::board::Piece| (piece.side == Side::White, piece.role == Role::King);
        Self {
            side: V::Board::SIDE as i32,
            white_to_move: position.side_to_move() == Side::White,
            squares: position.setup().squares.into_iter().map(|square| square.map(piece)).collect(),
            budget: 300_000,
        }
    }

    fn number(&self, (row, column): Cell) -> u32 {
        (row * self.side / 2 + column / 2 + 1) as u32
    }

    fn cell(&self, number: u32) -> Cell {
        let (row, k) = ((number as i32 - 1) / (self.side / 2), (number as i32 - 1) % (self.side / 2));
        // The corner at the lower left is playable, so the top row starts one to the right.
        (row, 2 * k + 1 - row % 2)
    }

    fn on_board(&self, (row, column): Cell) -> bool {
        (0..self.side).contains(&row) && (0..self.side).contains(&column)
    }

    fn at(&self, cell: Cell) -> Option<(bool, bool)> {
        self.squares[self.number(cell) as usize - 1]
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.on_board(cell) && self.at(cell).is_none()
    }

    fn is_enemy(&self, cell: Cell) -> bool {
        self.on_board(cell) && self.at(cell).is_some_and(|(white, _)| white != self.white_to_move)
    }

    /// The legal moves, or `None` if the position has too many routes for this method.
    pub fn legal_moves(&self) -> Option<BTreeSet<PlainMove>> {
        let mut captures = BTreeSet::new();
        let mut quiet = BTreeSet::new();
        let mut board = self.clone();
        for number in 1..=self.squares.len() as u32 {
            let Some((white, king)) = self.at(self.cell(number)) else { continue };
            if white != self.white_to_move {
                continue;
            }
            // The moving piece is lifted: its start counts as empty.
            board.squares[number as usize - 1] = None;
            board.capture(number, self.cell(number), king, &BTreeSet::new(), &mut captures)?;
            board.squares[number as usize - 1] = Some((white, king));
            self.quiet(number, king, &mut quiet);
        }
        let most = captures.iter().map(|(_, _, captured)| captured.len()).max().unwrap_or(0);
        captures.retain(|(_, _, captured)| captured.len() == most);
        Some(if captures.is_empty() { quiet } else { captures })
    }

    fn quiet(&self, from: u32, king: bool, moves: &mut BTreeSet<PlainMove>) {
        let forward = if self.white_to_move { -1 } else { 1 };
        for (down, right) in DIAGONALS {
            let (mut row, mut column) = self.cell(from);
            loop {
                (row, column) = (row + down, column + right);
                if !self.is_free((row, column)) || !king && down != forward {
                    break;
                }
                moves.insert((from, self.number((row, column)), BTreeSet::new()));
                if !king {
                    break;
                }
            }
        }
    }

    /// Adds every way to go on capturing from `at`, and `at` itself as an end.
    fn capture(
        &mut self,
        from: u32,
        at: Cell,
        king: bool,
        captured: &BTreeSet<u32>,
        moves: &mut BTreeSet<PlainMove>,
    ) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        if !captured.is_empty() {
            moves.insert((from, self.number(at), captured.clone()));
        }
        for (down, right) in DIAGONALS {
            let ahead = |steps: i32| (at.0 + steps * down, at.1 + steps * right);
            let mut steps = 1;
            while king && self.is_free(ahead(steps)) {
                steps += 1;
            }
            let victim = ahead(steps);
            // A piece already jumped stays and blocks.
            if !self.is_enemy(victim) || captured.contains(&self.number(victim)) {
                continue;
            }
            let mut longer = captured.clone();
            longer.insert(self.number(victim));
            steps += 1;
            while self.is_free(ahead(steps)) {
                self.capture(from, ahead(steps), king, &longer, moves)?;
                steps += 1;
                if !king {
                    break;
                }
            }
        }
        Some(())
    }
}

/// The moves of the generator under test in the same form.
pub fn plain<V: Variant>(moves: &[meerslag::board::Move]) -> BTreeSet<PlainMove> {
    let number = |square: meerslag::board::Square| square.number::<V>();
    moves.iter().map(|mv| (number(mv.from), number(mv.to), mv.captured.map(number).collect())).collect()
}
