//! A slow move generator on a board of rows and columns, written from the rules text alone.
//!
//! It shares nothing with the engine's but the names of the rules: no bitboards, no tables, every
//! route of a capture walked.

use std::collections::BTreeSet;

use meerslag::board::{Position, Role, Side};
use meerslag::variant::rules::{CaptureChoice, CaptureLines, Goal};
use meerslag::variant::{Geometry, Rules, Variant};

/// A square as (row from the top, column from the left).
type Cell = (i32, i32);

/// The four diagonal steps.
const DIAGONALS: [Cell; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
/// The four steps to the next playable square of a row or column.
const STRAIGHTS: [Cell; 4] = [(-2, 0), (2, 0), (0, -2), (0, 2)];

/// Start, end, captured squares as field numbers, and whether a king stands there afterwards.
pub type PlainMove = (u32, u32, BTreeSet<u32>, bool);

/// A piece in the middle of a capture.
#[derive(Clone)]
struct Jumper {
    from: u32,
    at: Cell,
    king: bool,
    captured: BTreeSet<u32>,
}

/// A board that can be read off the printed rules.
#[derive(Clone)]
pub struct Board {
    side: i32,
    white_to_move: bool,
    /// (is white, is king) for each square in the order of field numbers.
    squares: Vec<Option<(bool, bool)>>,
    /// A king of the side to move that may not make a quiet move.
    barred: Option<u32>,
    rules: &'static Rules,
    /// Routes that may still be walked.
    budget: u32,
}

impl Board {
    /// The board of a position.
    pub fn of<V: Variant>(position: &Position<V>) -> Self {
        let piece = |piece: meerslag::board::Piece| (piece.side == Side::White, piece.role == Role::King);
        let setup = position.setup();
        let limit = V::RULES.king_run_limit;
        let run = setup.king_runs[setup.side.index()].filter(|(_, moves)| limit.is_some_and(|limit| *moves >= limit));
        Self {
            side: V::Board::SIDE as i32,
            white_to_move: setup.side == Side::White,
            squares: setup.squares.into_iter().map(|square| square.map(piece)).collect(),
            barred: run.map(|(number, _)| number),
            rules: const { &V::RULES },
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

    /// Whether a man of the side to move is crowned on this square.
    fn crowns(&self, (row, _): Cell) -> bool {
        row == if self.white_to_move { 0 } else { self.side - 1 }
    }

    /// The legal moves, or `None` if the position has too many routes for this method.
    pub fn legal_moves(&self) -> Option<BTreeSet<PlainMove>> {
        let is_king = |piece: &Option<(bool, bool)>| piece.is_some_and(|(_, king)| king);
        if self.rules.goal == Goal::Crown && self.squares.iter().any(is_king) {
            return Some(BTreeSet::new());
        }
        let mut captures = Vec::new();
        let mut quiet = BTreeSet::new();
        let mut board = self.clone();
        for number in 1..=self.squares.len() as u32 {
            let Some((white, king)) = self.at(self.cell(number)) else { continue };
            if white != self.white_to_move {
                continue;
            }
            // The moving piece is lifted: its start counts as empty.
            board.squares[number as usize - 1] = None;
            let mut found = BTreeSet::new();
            let jumper = Jumper { from: number, at: self.cell(number), king, captured: BTreeSet::new() };
            board.capture(jumper, &mut found)?;
            board.squares[number as usize - 1] = Some((white, king));
            captures.extend(found.into_iter().map(|mv| (self.worth(&mv.2, king), mv)));
            if self.barred != Some(number) {
                self.quiet(number, king, &mut quiet);
            }
        }
        let most = captures.iter().map(|(worth, _)| *worth).max();
        let best: BTreeSet<_> =
            captures.into_iter().filter(|(worth, _)| Some(*worth) == most).map(|(_, mv)| mv).collect();
        Some(if best.is_empty() { quiet } else { best })
    }

    /// What makes one capture compulsory before another: first its value, then who makes it.
    fn worth(&self, captured: &BTreeSet<u32>, king: bool) -> (usize, bool) {
        let is_king = |number: &&u32| self.squares[**number as usize - 1].is_some_and(|(_, king)| king);
        let kings = captured.iter().filter(is_king).count();
        let pieces = captured.len();
        match self.rules.choice {
            CaptureChoice::Most => (pieces, false),
            // A king is worth two men less a trifle.
            CaptureChoice::Value => (1000 * (pieces + kings) - kings, king),
            CaptureChoice::Free => (0, false),
        }
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
                let crowned = king || self.crowns((row, column));
                moves.insert((from, self.number((row, column)), BTreeSet::new(), crowned));
                if !king {
                    break;
                }
            }
        }
    }

    /// Adds every way to complete the capture; whether there is one more jump.
    fn capture(&mut self, jumper: Jumper, moves: &mut BTreeSet<PlainMove>) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        let straights = STRAIGHTS.iter().filter(|_| self.rules.capture_lines == CaptureLines::All);
        let directions: Vec<Cell> = DIAGONALS.iter().chain(straights).copied().collect();
        let mut jumps = false;
        for direction in directions {
            jumps |= self.jump(&jumper, direction, moves)?;
        }
        Some(jumps)
    }

    /// Jumps in one direction if that is possible and completes the capture from there.
    fn jump(&mut self, jumper: &Jumper, (down, right): Cell, moves: &mut BTreeSet<PlainMove>) -> Option<bool> {
        let ahead = |steps: i32| (jumper.at.0 + steps * down, jumper.at.1 + steps * right);
        let mut steps = 1;
        while jumper.king && self.is_free(ahead(steps)) {
            steps += 1;
        }
        let victim = ahead(steps);
        // A piece already jumped stays and blocks.
        if !self.is_enemy(victim) || jumper.captured.contains(&self.number(victim)) || !self.is_free(ahead(steps + 1)) {
            return Some(false);
        }
        let mut captured = jumper.captured.clone();
        captured.insert(self.number(victim));
        let halts = self.rules.halts_behind_king && jumper.king && self.at(victim).is_some_and(|(_, king)| king);
        let mut ends = Vec::new();
        let mut goes_on = false;
        while self.is_free(ahead(steps + 1)) {
            steps += 1;
            let at = ahead(steps);
            let king = jumper.king || self.rules.crowns_in_passing && self.crowns(at);
            ends.push((at, king || self.crowns(at)));
            goes_on |= self.capture(Jumper { from: jumper.from, at, king, captured: captured.clone() }, moves)?;
            if !jumper.king {
                break;
            }
        }
        if !goes_on {
            let ends = ends.into_iter().take(if halts { 1 } else { usize::MAX });
            moves.extend(ends.map(|(at, crowned)| (jumper.from, self.number(at), captured.clone(), crowned)));
        }
        Some(true)
    }
}

/// The moves of the generator under test in the same form.
pub fn plain<V: Variant>(position: &Position<V>, moves: &[meerslag::board::Move]) -> BTreeSet<PlainMove> {
    let number = |square: meerslag::board::Square| square.number::<V>();
    let crowned = |mv| position.after(mv).all_kings().contains(mv.to);
    let plain =
        |&mv: &meerslag::board::Move| (number(mv.from), number(mv.to), mv.captured.map(number).collect(), crowned(mv));
    moves.iter().map(plain).collect()
}
