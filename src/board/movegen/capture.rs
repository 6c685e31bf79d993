//! Captures: compulsory, as many pieces as possible, removed after the move.

use std::collections::HashSet;

use super::lines::{opposite, slide, step};
use super::quiet::square;
use super::{MoveList, Us, View};
use crate::board::{Bitboard, Move};
use crate::variant::Variant;

/// Captured pieces from which on two routes can lead to the same square with the same set.
const FIRST_DUPLICATE: u32 = 4;

impl<V: Variant, U: Us> View<V, U> {
    /// For each direction, the men that can jump in it.
    #[inline(always)]
    fn jumpers(&self) -> [u64; 4] {
        [0, 1, 2, 3].map(|direction| self.men & self.jump_starts(direction, self.empty))
    }

    /// The squares from which a man jumps an opponent in `direction`, landing on `free`.
    #[inline(always)]
    fn jump_starts(&self, direction: usize, free: u64) -> u64 {
        let back = opposite(direction);
        step::<V>(self.opponent & step::<V>(free, back), back)
    }

    /// Whether some man's jump might go on. Counts every jumper's start as free, so it can err
    /// towards yes.
    #[inline(always)]
    fn may_go_on(&self, jumpers: [u64; 4]) -> bool {
        let free = self.empty | jumpers[0] | jumpers[1] | jumpers[2] | jumpers[3];
        let next = [0, 1, 2, 3].map(|direction| self.jump_starts(direction, free));
        let lands = |direction: usize| step::<V>(step::<V>(jumpers[direction], direction), direction);
        let goes_on = lands(0) & (next[0] | next[1] | next[2])
            | lands(1) & (next[0] | next[1] | next[3])
            | lands(2) & (next[0] | next[2] | next[3])
            | lands(3) & (next[1] | next[2] | next[3]);
        goes_on != 0
    }

    #[inline(always)]
    pub(super) fn can_capture(&self) -> bool {
        self.jumpers() != [0; 4] || self.king_can_capture()
    }

    #[inline(always)]
    fn king_can_capture(&self) -> bool {
        let mut kings = self.kings;
        while kings != 0 {
            let bit = kings.trailing_zeros();
            for direction in 0..4 {
                let (_, blocker) = slide::<V>(bit, direction, !self.empty);
                if step::<V>(blocker & self.opponent, direction) & self.empty != 0 {
                    return true;
                }
            }
            kings &= kings - 1;
        }
        false
    }

    /// Appends the legal captures to an empty list; returns whether there are any.
    #[inline(always)]
    pub(super) fn captures(&self, list: &mut MoveList) -> bool {
        let jumpers = self.jumpers();
        let men_jump = jumpers != [0; 4];
        let kings_jump = self.king_can_capture();
        if !men_jump && !kings_jump {
            return false;
        }
        if kings_jump || self.may_go_on(jumpers) {
            self.search_captures(jumpers, list);
        } else {
            self.single_jumps(jumpers, list);
        }
        true
    }

    /// Number of legal captures; `scratch` is overwritten.
    #[inline(always)]
    pub(super) fn count_captures(&self, scratch: &mut MoveList) -> u64 {
        let jumpers = self.jumpers();
        let men_jump = jumpers != [0; 4];
        let kings_jump = self.king_can_capture();
        if !men_jump && !kings_jump {
            return 0;
        }
        if kings_jump || self.may_go_on(jumpers) {
            scratch.clear();
            self.search_captures(jumpers, scratch);
            return scratch.len() as u64;
        }
        jumpers.iter().map(|set| u64::from(set.count_ones())).sum()
    }

    fn single_jumps(&self, jumpers: [u64; 4], list: &mut MoveList) {
        for (direction, mut from) in jumpers.into_iter().enumerate() {
            while from != 0 {
                let one = from & from.wrapping_neg();
                let victim = step::<V>(one, direction);
                let to = square(step::<V>(victim, direction));
                list.push(Move { captured: Bitboard(victim), from: square(one), to });
                from ^= one;
            }
        }
    }

    #[inline(never)]
    fn search_captures(&self, jumpers: [u64; 4], list: &mut MoveList) {
        let mut search = Search { best: 0, list };
        let mut men = jumpers.into_iter().fold(0, |all, set| all | set);
        while men != 0 {
            let from = men & men.wrapping_neg();
            Chain::<V>::new(from, self.opponent, self.empty).man(from, 0, &mut search);
            men ^= from;
        }
        let mut kings = self.kings;
        while kings != 0 {
            let from = kings & kings.wrapping_neg();
            let mut chain = Chain::<V>::new(from, self.opponent, self.empty);
            for direction in 0..4 {
                chain.king_jump(from, direction, 0, &mut search);
            }
            kings ^= from;
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
        if length < FIRST_DUPLICATE || !self.list.contains(&mv) {
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
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> Chain<V> {
    fn new(from: u64, opponent: u64, empty: u64) -> Self {
        Self { from, opponent, empty: empty | from, seen: HashSet::new(), variant: std::marker::PhantomData }
    }

    fn is_new(&mut self, landing: u64, captured: u64, direction: usize) -> bool {
        captured.count_ones() < FIRST_DUPLICATE || self.seen.insert((landing, captured, direction))
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
        let mut rest = landings;
        while rest != 0 {
            let landing = rest & rest.wrapping_neg();
            for turn in sideways {
                goes_on |= self.king_jump(landing, turn, captured, search);
            }
            rest ^= landing;
        }
        if !goes_on {
            let mut ends = landings;
            while ends != 0 {
                let end = ends & ends.wrapping_neg();
                self.record(end, captured, search);
                ends ^= end;
            }
        }
        true
    }
}
