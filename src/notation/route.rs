//! The squares a capturing piece stands on between its jumps.
//!
//! A move is its ends and the set of captured pieces; one such move can have many routes. Text needs
//! one of them, possibly through given squares.

use std::collections::HashSet;
use std::iter::successors;
use std::marker::PhantomData;

use crate::board::movegen::lines::{slide, step};
use crate::board::{Bitboard, Move, Position, Role, Square};
use crate::variant::Variant;

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
    let role = if position.all_kings().contains(mv.from) { Role::King } else { Role::Man };
    let mut search = Search::<V> {
        mv,
        through,
        empty: (position.empty() | mv.from.into()).0,
        opponent: position.pieces(position.side_to_move().opponent()),
        kings: position.all_kings(),
        crown_row: Position::<V>::crown_row(position.side_to_move()),
        starts_as: role,
        stops: Vec::new(),
        seen: HashSet::new(),
        variant: PhantomData,
    };
    search.jump_from(Stand { at: mv.from, role, captured: Bitboard::EMPTY }, 0).then_some(search.stops)
}

/// A piece between two jumps, and what it has captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stand {
    at: Square,
    role: Role,
    captured: Bitboard,
}

struct Search<'a, V> {
    mv: Move,
    through: &'a [Square],
    /// Free squares, the start among them; jumped pieces stay until the end.
    empty: u64,
    opponent: Bitboard,
    kings: Bitboard,
    crown_row: Bitboard,
    starts_as: Role,
    stops: Vec<Square>,
    /// Stands with the number of squares of `through` passed: what follows does not depend on how
    /// they were reached.
    seen: HashSet<(Stand, usize)>,
    variant: PhantomData<V>,
}

impl<V: Variant> Search<'_, V> {
    /// Tries all jumps of the move; on success the stops of the rest of the route are on the stack.
    fn jump_from(&mut self, stand: Stand, passed: usize) -> bool {
        (0..V::RULES.capture_lines.directions()).any(|direction| {
            let Some(victim) = self.victim(stand, direction).filter(|victim| self.mv.captured.contains(*victim)) else {
                return false;
            };
            let landings = self.landings(stand, victim, direction);
            if landings[0].captured == self.mv.captured {
                return passed == self.through.len() && self.ends(&landings, victim);
            }
            landings.into_iter().any(|landing| self.stop(landing, passed))
        })
    }

    fn stop(&mut self, stand: Stand, passed: usize) -> bool {
        let passed = passed + usize::from(self.through.get(passed) == Some(&stand.at));
        if self.seen.len() >= MAX_STATES || !self.seen.insert((stand, passed)) {
            return false;
        }
        self.stops.push(stand.at);
        let found = self.jump_from(stand, passed);
        if !found {
            self.stops.pop();
        }
        found
    }

    /// The piece that can be jumped in `direction`.
    fn victim(&self, stand: Stand, direction: usize) -> Option<Square> {
        let (free, met) = slide::<V>(stand.at.bit(), direction, !self.empty);
        let takes = (stand.role == Role::King || free == 0) && step::<V>(met, direction) & self.empty != 0;
        let victim = Bitboard(met) & self.opponent.without(stand.captured);
        (takes && !victim.is_empty()).then(|| Square::from_bit(met.trailing_zeros()))
    }

    /// The piece behind its victim, on each square where it can land, the nearest first.
    fn landings(&self, stand: Stand, victim: Square, direction: usize) -> Vec<Stand> {
        let next = |from: u64| Some(step::<V>(from, direction) & self.empty).filter(|square| *square != 0);
        let most = if stand.role == Role::King { usize::MAX } else { 1 };
        let squares = successors(next(Bitboard::from(victim).0), |square| next(*square)).take(most);
        let landing = |square: u64| {
            let at = Square::from_bit(square.trailing_zeros());
            let crowned = V::RULES.crowns_in_passing && self.crown_row.contains(at);
            let role = if crowned { Role::King } else { stand.role };
            Stand { at, role, captured: stand.captured | victim.into() }
        };
        squares.map(landing).collect()
    }

    /// Whether the move can end with one of these landings: on its last square, as the piece that it
    /// makes, and only where the capture cannot go on from any of them.
    fn ends(&self, landings: &[Stand], victim: Square) -> bool {
        let halts = V::RULES.halts_behind_king && self.starts_as == Role::King && self.kings.contains(victim);
        let ends = |stand: &Stand| {
            let crowned_in_passing = stand.role != self.starts_as && !self.crown_row.contains(stand.at);
            stand.at == self.mv.to && crowned_in_passing == self.mv.crowned_in_passing
        };
        let goes_on = |stand: &Stand| {
            (0..V::RULES.capture_lines.directions()).any(|direction| self.victim(*stand, direction).is_some())
        };
        landings[..if halts { 1 } else { landings.len() }].iter().any(ends) && !landings.iter().any(goes_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::legal_moves;
    use crate::notation::{fen, hub::HubMove};
    use crate::variant::{Brazilian, Frisian, International, Killer, Russian};

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

    #[test]
    fn rows_and_columns() {
        assert_eq!(stops::<Frisian>("W:W48:B38,27", "48x26x27x38", &[]), Some(vec![28]));
        assert_eq!(stops::<Frisian>("W:W38,K11:B28,22", "38x27x22x28", &[18]), Some(vec![18]));
    }

    #[test]
    fn a_king_halts_behind_a_last_king() {
        assert_eq!(stops::<Killer>("W:WK14:B23,K41", "14x46x23x41", &[]), Some(vec![28]));
        let (fen, far) = ("W:WK5:BK23", "5x32x23".parse::<HubMove>().unwrap());
        let position = fen::position::<International>(fen).unwrap();
        let mv = far.resolve::<International>(&legal_moves(&position)).unwrap();
        assert_eq!(stops_through(&position, mv, &[]), Some(vec![]));
        assert_eq!(stops_through(&fen::position::<Killer>(fen).unwrap(), mv, &[]), None);
    }

    #[test]
    fn a_man_crowned_on_the_way_goes_on_as_a_king() {
        let fen = "W:W11:B7,6,15";
        assert_eq!(stops::<Russian>(fen, "11x13x6x7", &[]), Some(vec![2]));
        let position = fen::position::<Russian>(fen).unwrap();
        let crowned = legal_moves(&position).iter().copied().find(|mv| mv.crowned_in_passing).unwrap();
        assert!(stops_through(&position, crowned, &[]).is_some());
        assert_eq!(stops_through(&position, Move { crowned_in_passing: false, ..crowned }, &[]), None);
    }

    #[test]
    fn a_route_ends_where_nothing_is_left_to_capture() {
        // From 22, also behind 18, the capture goes on.
        let position = fen::position::<Russian>("W:WK4:B18,26").unwrap();
        let legal = legal_moves(&position);
        let square = |number| Square::from_number::<Russian>(number).unwrap();
        let short = Move { captured: square(18).into(), ..Move::quiet(square(4), square(25)) };
        assert!(legal.iter().all(|mv| *mv != short));
        assert_eq!(stops_through(&position, short, &[]), None);
    }
}
