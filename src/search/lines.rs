//! The best line from each ply of the line being searched.

use super::params::MAX_PLY;
use crate::board::Move;

/// By ply, the best line from there; complete in PV nodes.
#[derive(Debug)]
pub struct Lines(Vec<Vec<Move>>);

impl Lines {
    /// No line anywhere.
    pub fn new() -> Self {
        Self(vec![Vec::new(); MAX_PLY as usize + 1])
    }

    /// The line from `ply`.
    pub fn from(&self, ply: u32) -> &[Move] {
        &self.0[ply as usize]
    }

    /// Forgets the line from `ply`.
    #[inline]
    pub fn clear(&mut self, ply: u32) {
        self.0[ply as usize].clear();
    }

    /// Makes `mv` and the line behind it the line from `ply`.
    pub fn set(&mut self, ply: u32, mv: Move) {
        let [line, behind] = &mut self.0[ply as usize..][..2] else { unreachable!("a slice of two") };
        line.clear();
        line.push(mv);
        line.extend_from_slice(behind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn a_move_goes_before_the_line_behind_it() {
        let mv = |from| Move::quiet(Square::from_bit(from), Square::from_bit(from + 1));
        let mut lines = Lines::new();
        lines.set(2, mv(2));
        lines.set(1, mv(1));
        assert_eq!(lines.from(1), [mv(1), mv(2)]);
        lines.clear(2);
        lines.set(1, mv(3));
        assert_eq!((lines.from(1), lines.from(2)), (&[mv(3)][..], &[][..]));
    }
}
