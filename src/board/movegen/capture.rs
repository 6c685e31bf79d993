//! Captures: compulsory, as many pieces as possible, removed after the move.

use std::collections::HashSet;

use super::lines::{directions, jump, opposite, singles, slide, step};
use super::view::square;
use super::{MoveList, Step, Us, View};
use crate::board::{Bitboard, Move, Role};
use crate::variant::Variant;
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT};

/// Captured pieces from which on two routes can lead to the same square with the same set.
const FIRST_DUPLICATE: u32 = 4;

/// What kind of captures a position has.
pub(super) enum Captures {
    /// None.
    None,
    /// Single jumps by men alone.
    Single(Jumps),
    /// Captures by men alone, of more than one piece.
    Men(Jumps),
    /// Kings capture, perhaps men as well.
    Kings,
}

/// The jumps of all men, by direction.
pub(super) struct Jumps {
    /// The squares from which a man could jump.
    starts: [u64; 4],
    /// The men that can.
    pub jumpers: [u64; 4],
}

impl Jumps {
    /// The squares from which a man that has just jumped in `direction` could jump on; not back,
    /// over the piece just captured.
    #[inline(always)]
    fn next_starts(&self, direction: usize) -> u64 {
        let [a, b, c, d] = directions(|next| if next == opposite(direction) { 0 } else { self.starts[next] });
        a | b | c | d
    }
}

impl<V: Variant, U: Us> View<V, U> {
    #[inline(always)]
    fn jumps(&self, empty: u64) -> Jumps {
        let starts = directions(|direction| {
            let back = opposite(direction);
            step::<V>(self.opponent & step::<V>(empty, back), back)
        });
        let men = self.men();
        Jumps { starts, jumpers: directions(|direction| starts[direction] & men) }
    }

    #[inline(always)]
    pub(super) fn captures(&self) -> Captures {
        let jumps = self.jumps(self.empty());
        if self.own_kings() != 0 && self.king_can_capture() {
            return Captures::Kings;
        }
        let [a, b, c, d] = jumps.jumpers;
        if a | b | c | d == 0 {
            return Captures::None;
        }
        // No second jump ends on the square left or meets the piece just captured: either would
        // be the way back. So the sets of the position before the first one serve.
        let [a, b, c, d] =
            directions(|direction| jump::<V>(jumps.jumpers[direction], direction) & jumps.next_starts(direction));
        if a | b | c | d == 0 { Captures::Single(jumps) } else { Captures::Men(jumps) }
    }

    #[inline(always)]
    pub(super) fn can_capture(&self) -> bool {
        let [a, b, c, d] = self.jumps(self.empty()).jumpers;
        a | b | c | d != 0 || self.king_can_capture()
    }

    fn king_can_capture(&self) -> bool {
        singles(self.own_kings()).any(|king| {
            (0..4).any(|direction| {
                let (_, blocker) = slide::<V>(king.trailing_zeros(), direction, !self.empty());
                step::<V>(blocker & self.opponent, direction) & self.empty() != 0
            })
        })
    }

    #[inline(always)]
    pub(super) fn single_jumps(&self, jumps: &Jumps, mut visit: impl FnMut(Step)) {
        let [a, b, c, d] = jumps.jumpers;
        for (direction, jumpers) in [(UP_LEFT, a), (UP_RIGHT, b), (DOWN_LEFT, c), (DOWN_RIGHT, d)] {
            for from in singles(jumpers) {
                let captured = step::<V>(from, direction);
                visit(Step { role: Role::Man, from, to: step::<V>(captured, direction), captured });
            }
        }
    }

    /// Appends the longest captures by men, of more than one piece, to an empty list.
    #[inline(never)]
    pub(super) fn men_captures(&self, jumps: &Jumps, list: &mut MoveList) {
        let mut best = 0;
        let short = self.multi_jumps(jumps, |ends, path| {
            if path.length > best {
                best = path.length;
                list.clear();
            }
            if path.length == best {
                singles(ends).for_each(|end| list.push(path.captures::<V>(end)));
            }
        });
        if !short {
            list.clear();
            self.search_captures(list);
        }
    }

    /// Number of the longest captures by men, of more than one piece; `scratch` is overwritten.
    #[inline(never)]
    pub(super) fn count_men_captures(&self, jumps: &Jumps, scratch: &mut MoveList) -> u64 {
        let (mut best, mut count) = (0, 0);
        let short = self.multi_jumps(jumps, |ends, path| {
            if path.length > best {
                best = path.length;
                count = 0;
            }
            if path.length == best {
                count += u64::from(ends.count_ones());
            }
        });
        if short {
            return count;
        }
        scratch.clear();
        self.search_captures(scratch);
        scratch.len() as u64
    }

    /// Calls `found` with the ends of the paths of two and three jumps, all men at once, and the
    /// path; gives up with `false` if there is a longer one.
    #[inline(always)]
    fn multi_jumps(&self, jumps: &Jumps, mut found: impl FnMut(u64, Path)) -> bool {
        for direction in 0..4 {
            let lands = jump::<V>(jumps.jumpers[direction], direction) & jumps.next_starts(direction);
            if lands != 0 && !self.jump_on(jumps, lands, Path::default().and(direction), &mut found) {
                return false;
            }
        }
        true
    }

    fn jump_on(&self, jumps: &Jumps, at: u64, path: Path, found: &mut impl FnMut(u64, Path)) -> bool {
        let mut ends = true;
        for direction in 0..4 {
            let jumpers = at & jumps.starts[direction];
            if jumpers != 0 && direction != opposite(path.last()) {
                ends = false;
                if path.length == Path::LONGEST
                    || !self.jump_on(jumps, jump::<V>(jumpers, direction), path.and(direction), found)
                {
                    return false;
                }
            }
        }
        if !ends {
            return true;
        }
        // The fourth jump is the first that can end where the capture started.
        let freed = self.jumps(self.empty() | path.start::<V>(at));
        if path.length == Path::LONGEST && at & freed.next_starts(path.last()) != 0 {
            return false;
        }
        found(at, path);
        true
    }

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

/// The directions of up to three jumps.
#[derive(Clone, Copy, Default)]
struct Path {
    length: u32,
    /// Two bits each, the last one lowest.
    directions: u32,
}

impl Path {
    /// With more jumps a piece can return to its start, and meet captured pieces.
    const LONGEST: u32 = FIRST_DUPLICATE - 1;

    fn and(self, direction: usize) -> Self {
        Self { length: self.length + 1, directions: self.directions << 2 | direction as u32 }
    }

    fn last(self) -> usize {
        (self.directions & 3) as usize
    }

    /// The directions from the last jump to the first.
    fn backwards(self) -> impl Iterator<Item = usize> {
        (0..self.length).map(move |i| (self.directions >> (2 * i) & 3) as usize)
    }

    /// Where pieces that followed the path to `ends` came from.
    fn start<V: Variant>(self, ends: u64) -> u64 {
        self.backwards().fold(ends, |at, direction| jump::<V>(at, opposite(direction)))
    }

    /// The capture along the path to `end`.
    fn captures<V: Variant>(self, end: u64) -> Move {
        let mut captured = 0;
        let from = self.backwards().fold(end, |at, direction| {
            let victim = step::<V>(at, opposite(direction));
            captured |= victim;
            step::<V>(victim, opposite(direction))
        });
        Step { role: Role::Man, from, to: end, captured }.into()
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
