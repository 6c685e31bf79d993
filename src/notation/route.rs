//! The squares a capturing piece stands on between its jumps.
//!
//! A move is its ends and the set of captured pieces; one such move can have many routes. Text needs
//! one of them, possibly through given squares.

use std::collections::HashSet;

use crate::board::{Bitboard, Move, Position, Square};
use crate::variant::geometry::direction::{DOWN_LEFT, DOWN_RIGHT};
use crate::variant::{Geometry, Variant};

/// States visited before a search gives up. Boards with a tenth of this many are already freaks.
const MAX_STATES: usize = 1 << 17;

/// The stops of a route of `mv` that stands, in this order, on all squares of `through` (and maybe on
/// others between them); one stop fewer than captured pieces, ends excluded.
///
/// Where the piece goes straight on after a jump, the stop is the first square behind the jumped piece
/// unless `through` names a further one. `None` if there is no such route, or if it is not found within
/// a bound that no position from play comes near.
pub fn stops_through<V: Variant>(position: &Position<V>, mv: Move, through: &[Square]) -> Option<Vec<Square>> {
    if !mv.is_capture() || through.len() >= mv.captured.count() as usize {
        return (!mv.is_capture() && through.is_empty()).then(Vec::new);
    }
    let blockers = position.occupied().without(mv.from.into());
    let king = position.all_kings().contains(mv.from);
    let mut search = Search::<V> {
        mv,
        through,
        blockers: blockers.0,
        king,
        stops: Vec::new(),
        seen: HashSet::new(),
        board: std::marker::PhantomData,
    };
    search.jump_from(mv.from, Bitboard::EMPTY, 0).then_some(search.stops)
}

struct Search<'a, V> {
    mv: Move,
    through: &'a [Square],
    /// All pieces but the moving one; jumped pieces stay until the end.
    blockers: u64,
    king: bool,
    stops: Vec<Square>,
    /// Stops with the captured set and the number of squares of `through` passed: what follows does
    /// not depend on how they were reached.
    seen: HashSet<(Square, Bitboard, usize)>,
    board: std::marker::PhantomData<V>,
}

impl<V: Variant> Search<'_, V> {
    /// Tries all jumps from `at`; on success the stops of the rest of the route are on the stack.
    fn jump_from(&mut self, at: Square, captured: Bitboard, passed: usize) -> bool {
        (0..4).any(|direction| {
            let Some((victim, landings)) = self.jump(at, direction) else { return false };
            let wanted = self.mv.captured.contains(victim) && !captured.contains(victim);
            wanted && self.land(direction, landings, captured | victim.into(), passed)
        })
    }

    /// The piece that a jump from `at` meets first and the free squares behind it.
    fn jump(&self, at: Square, direction: usize) -> Option<(Square, Bitboard)> {
        let (free, victim) = run::<V>(at, direction, self.blockers);
        let victim = victim?;
        if !self.king && !free.is_empty() {
            return None;
        }
        let (landings, _) = run::<V>(victim, direction, self.blockers);
        let near = nearest(landings, direction)?;
        Some((victim, if self.king { landings } else { near.into() }))
    }

    fn land(&mut self, direction: usize, landings: Bitboard, captured: Bitboard, passed: usize) -> bool {
        if captured == self.mv.captured {
            return landings.contains(self.mv.to) && passed == self.through.len();
        }
        let mut rest = landings;
        while let Some(stop) = nearest(rest, direction) {
            rest = rest.without(stop.into());
            let passed = passed + usize::from(self.through.get(passed) == Some(&stop));
            if self.seen.len() >= MAX_STATES || !self.seen.insert((stop, captured, passed)) {
                continue;
            }
            self.stops.push(stop);
            if self.jump_from(stop, captured, passed) {
                return true;
            }
            self.stops.pop();
        }
        false
    }
}

/// The free squares from `at` in `direction` and the blocker behind them.
fn run<V: Variant>(at: Square, direction: usize, blockers: u64) -> (Bitboard, Option<Square>) {
    let ray = Bitboard(V::Board::RAYS[direction][at.index()]);
    let Some(blocker) = nearest(ray & Bitboard(blockers), direction) else { return (ray, None) };
    let behind = Bitboard(V::Board::RAYS[direction][blocker.index()]) | blocker.into();
    (ray.without(behind), Some(blocker))
}

/// The first of some squares of a ray in `direction`.
fn nearest(squares: Bitboard, direction: usize) -> Option<Square> {
    if squares.is_empty() {
        return None;
    }
    let downwards = matches!(direction, DOWN_LEFT | DOWN_RIGHT);
    let bit = if downwards { squares.0.trailing_zeros() } else { 63 - squares.0.leading_zeros() };
    Some(Square::from_bit(bit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::legal_moves;
    use crate::notation::{fen, hub::HubMove};
    use crate::variant::{Brazilian, International};

    fn stops<V: Variant>(fen: &str, mv: &str, through: &[u32]) -> Option<Vec<u32>> {
        let position = fen::position::<V>(fen).unwrap();
        let mv = mv.parse::<HubMove>().unwrap().resolve::<V>(&legal_moves(&position)).unwrap();
        let through: Vec<_> = through.iter().map(|number| Square::from_number::<V>(*number).unwrap()).collect();
        let stops = stops_through(&position, mv, &through)?;
        Some(stops.into_iter().map(|square| square.number::<V>()).collect())
    }

    #[test]
    fn routes_of_the_ambiguous_king() {
        let fen = "W:WK43:B11,K28,34,38";
        assert_eq!(stops::<International>(fen, "43x40x11x34x38", &[]), Some(vec![16, 7]));
        assert_eq!(stops::<International>(fen, "43x40x28x34x38", &[]), Some(vec![32, 23]));
        assert_eq!(stops::<International>(fen, "43x40x28x34x38", &[23]), Some(vec![32, 23]));
        assert_eq!(stops::<International>(fen, "43x40x28x34x38", &[16]), None);
        assert_eq!(stops::<International>(fen, "43x40x28x34x38", &[23, 32]), None);
        assert_eq!(stops::<International>(fen, "43x40x28x34x38", &[32, 23, 40]), None);
    }

    #[test]
    fn straight_on_stops_near_unless_asked() {
        let fen = "W:WK46:B37,23";
        assert_eq!(stops::<International>(fen, "46x5", &[]), Some(vec![32]));
        assert_eq!(stops::<International>(fen, "46x5", &[28]), Some(vec![28]));
        assert_eq!(stops::<International>(fen, "46x5", &[19]), None);
        assert_eq!(stops::<International>(fen, "46x5", &[46]), None);
    }

    #[test]
    fn circular_and_quiet() {
        assert_eq!(stops::<Brazilian>("W:W10:B7,8,15,16", "10x10x7x8x15x16", &[]), Some(vec![3, 12, 19]));
        assert_eq!(stops::<Brazilian>("W:W10:B7,8,15,16", "10x10x7x8x15x16", &[19, 12, 3]), Some(vec![19, 12, 3]));
        assert_eq!(stops::<Brazilian>("W:W22:B1", "22-18", &[]), Some(vec![]));
        assert_eq!(stops::<Brazilian>("W:W22:B1", "22-18", &[17]), None);
    }
}
