//! Hash keys of positions (Zobrist 1970).

use super::{Move, Position, Role, Side, Square};
use crate::util::rng::Rng;
use crate::variant::Variant;

/// A 64-bit hash of a position, side to move included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

/// One random number for each side, role and square.
static PIECES: [[[u64; 64]; 2]; 2] = numbers().0;
/// Added when Black is to move.
const BLACK_TO_MOVE: u64 = numbers().1;

const fn numbers() -> ([[[u64; 64]; 2]; 2], u64) {
    let mut rng = Rng::new(0x6D65_6572_736C_6167);
    let mut table = [[[0; 64]; 2]; 2];
    let mut i = 0;
    while i < 256 {
        table[i / 128][i / 64 % 2][i % 64] = rng.next_u64();
        i += 1;
    }
    (table, rng.next_u64())
}

/// One random number for each side, run length and square of the king, of which the first length
/// stands for no run and is not used.
static KING_RUNS: [[[u64; 64]; 4]; 2] = king_run_numbers();

const fn king_run_numbers() -> [[[u64; 64]; 4]; 2] {
    let mut rng = Rng::new(0x6B69_6E67_7275_6E73);
    let mut table = [[[0; 64]; 4]; 2];
    let mut i = 0;
    while i < 512 {
        table[i / 256][i / 64 % 4][i % 64] = rng.next_u64();
        i += 1;
    }
    table
}

/// The part of the key that tells how often kings have just been moved.
fn king_runs<V: Variant>(position: &Position<V>) -> u64 {
    if V::RULES.king_run_limit.is_none() {
        return 0;
    }
    const { assert!(matches!(V::RULES.king_run_limit, None | Some(0..=3)), "the table has so many lengths") };
    let number = |side: Side| {
        let run = position.king_run(side);
        run.king().map_or(0, |king| KING_RUNS[side.index()][usize::from(run.moves() & 3)][king.index()])
    };
    number(Side::White) ^ number(Side::Black)
}

fn piece(side: Side, role: Role, square: Square) -> u64 {
    PIECES[side.index()][role as usize][square.index()]
}

impl Key {
    /// The key of a position, computed from nothing.
    pub fn of<V: Variant>(position: &Position<V>) -> Self {
        let mut key = if position.side_to_move() == Side::Black { BLACK_TO_MOVE } else { 0 };
        for side in Side::BOTH {
            position.men(side).for_each(|square| key ^= piece(side, Role::Man, square));
            position.kings(side).for_each(|square| key ^= piece(side, Role::King, square));
        }
        Self(key ^ king_runs(position))
    }

    /// The key of `next`, the position after `mv`, given that this is the key of `position`.
    #[must_use]
    pub fn after<V: Variant>(self, position: &Position<V>, mv: Move, next: &Position<V>) -> Self {
        let side = position.side_to_move();
        let kings = position.all_kings();
        let role = if kings.contains(mv.from) { Role::King } else { Role::Man };
        let end = if next.all_kings().contains(mv.to) { Role::King } else { role };
        let mut key = self.0 ^ BLACK_TO_MOVE ^ piece(side, role, mv.from) ^ piece(side, end, mv.to);
        for square in mv.captured {
            let victim = if kings.contains(square) { Role::King } else { Role::Man };
            key ^= piece(side.opponent(), victim, square);
        }
        Self(key ^ king_runs(position) ^ king_runs(next))
    }
}
