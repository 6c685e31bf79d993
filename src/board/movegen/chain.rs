//! Captures of any length, piece by piece.

use std::collections::HashSet;
use std::marker::PhantomData;

use super::capture::FIRST_CYCLE;
use super::lines::{opposite, singles, slide, step};
use super::view::square;
use super::{MoveList, Us, View};
use crate::board::{Bitboard, Move};
use crate::variant::Variant;

impl<V: Variant, U: Us> View<V, U> {
    /// Appends the longest captures to an empty list.
    #[inline(never)]
    pub(super) fn search_captures(&self, list: &mut MoveList) {
        let mut search = Search { best: 0, list };
        let [a, b, c, d] = self.jumps(self.empty()).jumpers;
        for from in singles(a | b | c | d) {
            Chain::<V>::new(from, self.opponent, self.empty()).man(from, 0, &mut search);
        }
        for from in singles(self.own_kings()) {
            let mut chain = Chain::<V>::new(from, self.opponent, self.empty());
            for direction in 0..4 {
                chain.king_jump(from, direction, 0, &mut search);
            }
        }
    }
}

/// The longest captures found so far.
struct Search<'a> {
    best: u32,
    list: &'a mut MoveList,
}

impl Search<'_> {
    fn record(&mut self, mv: Move) {
        let length = mv.captured.count();
        if length < self.best {
            return;
        }
        if length > self.best {
            self.best = length;
            self.list.clear();
        }
        if length < FIRST_CYCLE || !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }
}

/// All captures of one piece. Jumped pieces stay and block; the start counts as empty.
struct Chain<V> {
    from: u64,
    opponent: u64,
    empty: u64,
    /// Landings already searched, with their captured set and last direction: a dense board has
    /// far more routes than these, so that no input can keep the search busy.
    seen: HashSet<(u64, u64, usize)>,
    variant: PhantomData<V>,
}

impl<V: Variant> Chain<V> {
    fn new(from: u64, opponent: u64, empty: u64) -> Self {
        Self { from, opponent, empty: empty | from, seen: HashSet::new(), variant: PhantomData }
    }

    fn is_new(&mut self, landing: u64, captured: u64, direction: usize) -> bool {
        captured.count_ones() < FIRST_CYCLE || self.seen.insert((landing, captured, direction))
    }

    fn record(&self, at: u64, captured: u64, search: &mut Search) {
        search.record(Move { captured: Bitboard(captured), from: square(self.from), to: square(at) });
    }

    /// Continues a man's capture from `at`.
    fn man(&mut self, at: u64, captured: u64, search: &mut Search) {
        let mut ends = true;
        for direction in 0..4 {
            let victim = step::<V>(at, direction) & self.opponent & !captured;
            let landing = step::<V>(victim, direction) & self.empty;
            if landing != 0 {
                ends = false;
                // What may follow does not depend on the direction of the last jump.
                if self.is_new(landing, captured | victim, 0) {
                    self.man(landing, captured | victim, search);
                }
            }
        }
        if ends {
            self.record(at, captured, search);
        }
    }

    /// Lets a king on `at` jump in `direction` if it can, and go on from every landing square.
    fn king_jump(&mut self, at: u64, direction: usize, captured: u64, search: &mut Search) -> bool {
        let (_, blocker) = slide::<V>(at.trailing_zeros(), direction, !self.empty);
        let victim = blocker & self.opponent & !captured;
        let first = step::<V>(victim, direction) & self.empty;
        if first == 0 {
            return false;
        }
        let captured = captured | victim;
        if !self.is_new(first, captured, direction) {
            return true;
        }
        // Straight on is the same jump from every landing square, so it is tried once.
        let mut goes_on = self.king_jump(first, direction, captured, search);
        let (landings, _) = slide::<V>(victim.trailing_zeros(), direction, !self.empty);
        let sideways = [direction ^ 1, opposite(direction ^ 1)];
        for landing in singles(landings) {
            for turn in sideways {
                goes_on |= self.king_jump(landing, turn, captured, search);
            }
        }
        if !goes_on {
            singles(landings).for_each(|end| self.record(end, captured, search));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::movegen::White;
    use crate::board::{Piece, Position, Role, Setup, Side};
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, Geometry, International};

    /// A position full of kings with some men, two fifths to four fifths of the board occupied.
    fn crowded<V: Variant>(rng: &mut Rng) -> Option<Position<V>> {
        let squares = V::Board::SQUARES as usize;
        let mut setup = Setup::empty(V::Board::SQUARES, Side::White);
        for _ in 0..squares * 2 / 5 + rng.below(squares * 2 / 5) {
            let side = if rng.below(4) == 0 { Side::White } else { Side::Black };
            let role = if rng.below(4) == 0 { Role::Man } else { Role::King };
            setup.squares[rng.below(squares)] = Some(Piece { side, role });
        }
        Position::try_from(&setup).ok()
    }

    /// Landings remembered by the search for all pieces of White.
    fn landings<V: Variant>(position: &Position<V>) -> usize {
        let view = View::<V, White>::new(position);
        let mut list = MoveList::new();
        let mut search = Search { best: 0, list: &mut list };
        let chains = singles(view.own).map(|from| {
            let mut chain = Chain::<V>::new(from, view.opponent, view.empty());
            if from & view.kings == 0 {
                chain.man(from, 0, &mut search);
            } else {
                (0..4).for_each(|direction| _ = chain.king_jump(from, direction, 0, &mut search));
            }
            chain.seen.len()
        });
        chains.sum()
    }

    fn most_landings<V: Variant>() -> usize {
        let mut rng = Rng::new(33);
        let positions = std::iter::from_fn(|| Some(crowded::<V>(&mut rng))).flatten().take(2000);
        positions.map(|position| landings(&position)).max().unwrap()
    }

    #[test]
    fn crowded_boards_keep_the_search_small() {
        let (ten, eight) = (most_landings::<International>(), most_landings::<Brazilian>());
        // The lower bounds prove that the memory is in use.
        assert!((100..20_000).contains(&ten), "{ten}");
        assert!((5..2_000).contains(&eight), "{eight}");
    }
}
