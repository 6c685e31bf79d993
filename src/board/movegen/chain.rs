//! Captures of any length, piece by piece.

use rustc_hash::FxHashMap;

use super::capture::FIRST_CYCLE;
use super::lines::{opposite, singles, slide, step};
use super::view::square;
use super::{MoveList, Us, View};
use crate::board::{Bitboard, Move, Role};
use crate::variant::rules::{CaptureChoice, CaptureLines};
use crate::variant::{Geometry, Variant};

/// Values of captured pieces where value decides: n kings are worth less than 2n men and more than
/// 2n - 1 (Frisian rules 2011, article 11), up to 100 kings.
const MAN_VALUE: u32 = 100;
const KING_VALUE: u32 = 199;

impl<V: Variant, U: Us> View<V, U> {
    /// Appends the legal captures to an empty list.
    #[inline(never)]
    pub(super) fn search_captures(&self, list: &mut MoveList) {
        let mut search = Search { best: 0, list };
        for from in singles(self.jumping_men(&self.jumps(self.empty()))) {
            Chain::new(self, from, Role::Man).man(from, 0, &mut search);
        }
        for from in singles(self.own_kings()) {
            Chain::new(self, from, Role::King).king(from, 0, &mut search);
        }
    }
}

/// The best captures found so far.
struct Search<'a> {
    best: u32,
    list: &'a mut MoveList,
}

impl Search<'_> {
    /// Keeps a capture if none of greater worth is known; `repeats` if it may have been found before.
    fn record(&mut self, mv: Move, worth: u32, repeats: bool) {
        if worth < self.best {
            return;
        }
        if worth > self.best {
            self.best = worth;
            self.list.clear();
        }
        if !repeats || !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }
}

/// All captures of one piece. Jumped pieces stay and block; the start counts as empty.
struct Chain<'a, V, U> {
    view: &'a View<V, U>,
    from: u64,
    /// What the piece is at the start.
    role: Role,
    empty: u64,
    /// For each landing already searched whether it could go on. A crowded board has far more routes
    /// than landings. The worst position with captures in eight directions that a hill climb found has
    /// some millions of landings and takes 2 to 4 seconds; random crowded ones take at most 2 ms
    /// (`cargo bench --bench captures`). A bound on what is still within reach cost more than it saved.
    seen: FxHashMap<Landing, bool>,
}

/// A square, the captured set and what the piece is by then, in one number: what may follow depends
/// on nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Landing(u64);

impl Landing {
    /// Bits of the layout; the captured set needs no more.
    const SET_BITS: u32 = 54;

    fn new(at: u64, captured: u64, role: Role) -> Self {
        Self(captured | u64::from(at.trailing_zeros()) << Self::SET_BITS | (role as u64) << (Self::SET_BITS + 6))
    }
}

impl<'a, V: Variant, U: Us> Chain<'a, V, U> {
    /// Captured pieces from which on landings and moves can repeat.
    const FIRST_REPEAT: u32 = match V::RULES.capture_lines {
        CaptureLines::Diagonal => FIRST_CYCLE,
        CaptureLines::All => 2,
    };

    fn new(view: &'a View<V, U>, from: u64, role: Role) -> Self {
        Self { view, from, role, empty: view.empty() | from, seen: FxHashMap::default() }
    }

    /// What `search` says of a landing, from memory where the same one may have been reached before.
    fn once(&mut self, at: u64, captured: u64, role: Role, search: impl FnOnce(&mut Self) -> bool) -> bool {
        if captured.count_ones() < Self::FIRST_REPEAT {
            return search(self);
        }
        let landing = Landing::new(at, captured, role);
        if let Some(&goes_on) = self.seen.get(&landing) {
            return goes_on;
        }
        let goes_on = search(self);
        self.seen.insert(landing, goes_on);
        goes_on
    }

    /// Notes a capture that ends on `at` with a piece of this role.
    fn record(&self, at: u64, role: Role, captured: u64, search: &mut Search) {
        let crown_row = V::Board::CROWN_ROW[U::SIDE.index()];
        let crowned_in_passing = V::RULES.crowns_in_passing && self.role != role && at & crown_row == 0;
        let mv = Move { captured: Bitboard(captured), from: square(self.from), to: square(at), crowned_in_passing };
        search.record(mv, self.worth(captured), captured.count_ones() >= Self::FIRST_REPEAT);
    }

    /// What decides between captures.
    fn worth(&self, captured: u64) -> u32 {
        match V::RULES.choice {
            CaptureChoice::Most => captured.count_ones(),
            CaptureChoice::Value => {
                let kings = (captured & self.view.kings).count_ones();
                let value = MAN_VALUE * (captured.count_ones() - kings) + KING_VALUE * kings;
                2 * value + u32::from(self.role == Role::King)
            }
            CaptureChoice::Free => 0,
        }
    }

    /// Continues a man's capture from `at`; whether it can.
    fn man(&mut self, at: u64, captured: u64, search: &mut Search) -> bool {
        let mut goes_on = false;
        for direction in 0..View::<V, U>::LINES {
            let victim = step::<V>(at, direction) & self.view.opponent & !captured;
            let landing = step::<V>(victim, direction) & self.empty;
            if landing == 0 {
                continue;
            }
            goes_on = true;
            let captured = captured | victim;
            if V::RULES.crowns_in_passing && landing & V::Board::CROWN_ROW[U::SIDE.index()] != 0 {
                if !self.king(landing, captured, search) {
                    self.record(landing, Role::King, captured, search);
                }
            } else {
                self.once(landing, captured, Role::Man, |chain| {
                    let goes_on = chain.man(landing, captured, search);
                    if !goes_on {
                        chain.record(landing, Role::Man, captured, search);
                    }
                    goes_on
                });
            }
        }
        goes_on
    }

    /// Lets a king on `at` jump in every direction; whether it can.
    fn king(&mut self, at: u64, captured: u64, search: &mut Search) -> bool {
        (0..View::<V, U>::LINES).fold(false, |jumps, direction| self.king_jump(at, direction, captured, search) | jumps)
    }

    /// Lets a king on `at` jump in `direction` if it can, and go on from every landing square.
    fn king_jump(&mut self, at: u64, direction: usize, captured: u64, search: &mut Search) -> bool {
        let (_, blocker) = slide::<V>(at.trailing_zeros(), direction, !self.empty);
        let victim = blocker & self.view.opponent & !captured;
        let first = step::<V>(victim, direction) & self.empty;
        if first == 0 {
            return false;
        }
        let captured = captured | victim;
        // Straight on is the same jump from every landing square, so it is tried once.
        let straight = self.king_jump(first, direction, captured, search);
        let (landings, _) = slide::<V>(victim.trailing_zeros(), direction, !self.empty);
        let mut goes_on = straight;
        for landing in singles(landings) {
            // Back, it meets the piece just captured: so this covers all directions, and does not
            // depend on the one it came from.
            goes_on |= self.once(landing, captured, Role::King, |chain| {
                turns::<V, U>(direction)
                    .fold(straight, |jumps, turn| chain.king_jump(landing, turn, captured, search) | jumps)
            });
        }
        if !goes_on {
            let halts = V::RULES.halts_behind_king && victim & self.view.kings != 0;
            singles(if halts { first } else { landings })
                .for_each(|end| self.record(end, Role::King, captured, search));
        }
        true
    }
}

/// The directions that a piece moving in `direction` can turn to.
fn turns<V: Variant, U: Us>(direction: usize) -> impl Iterator<Item = usize> {
    (0..View::<V, U>::LINES).filter(move |turn| *turn != direction && *turn != opposite(direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::movegen::White;
    use crate::board::{Piece, Position, Role, Setup, Side};
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, Frisian, Geometry, International, Killer, Losing, Russian};

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
            let role = if from & view.kings == 0 { Role::Man } else { Role::King };
            let mut chain = Chain::new(&view, from, role);
            match role {
                Role::Man => chain.man(from, 0, &mut search),
                Role::King => chain.king(from, 0, &mut search),
            };
            chain.seen.len()
        });
        chains.sum()
    }

    fn most_landings<V: Variant>() -> usize {
        let mut rng = Rng::new(33);
        let positions = std::iter::from_fn(|| Some(crowded::<V>(&mut rng))).flatten().take(2000);
        positions.map(|position| landings(&position)).max().unwrap()
    }

    /// A hard position, from a hill climb over positions with kings alone.
    fn worst() -> Position<International> {
        let mut setup = Setup::empty(50, Side::White);
        let kings: [(Side, &[u32]); 2] = [
            (Side::White, &[5, 7, 13, 16, 22, 36, 44, 45, 47, 49]),
            (Side::Black, &[2, 4, 6, 8, 9, 10, 17, 18, 19, 20, 24, 26, 27, 28, 30, 37, 38, 39, 40, 48]),
        ];
        for (side, numbers) in kings {
            numbers.iter().for_each(|&number| setup.put(number, Piece { side, role: Role::King }).unwrap());
        }
        Position::try_from(&setup).unwrap()
    }

    #[test]
    fn crowded_boards_keep_the_search_small() {
        let found = [
            most_landings::<International>(),
            most_landings::<Brazilian>(),
            most_landings::<Russian>(),
            most_landings::<Killer>(),
            most_landings::<Losing>(),
        ];
        assert!(found.iter().all(|landings| *landings < 1_000), "{found:?}");
        let eight_directions = most_landings::<Frisian>();
        assert!((200..100_000).contains(&eight_directions), "{eight_directions}");
        // The lower bound proves that the memory is in use.
        let worst = landings(&worst());
        assert!((200..10_000).contains(&worst), "{worst}");
    }
}
