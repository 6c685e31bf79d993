//! Counting move sequences: the oracle of every move generator.

use rayon::prelude::*;

use super::movegen::{Black, MoveList, Us, White, count_for, generate_for};
use super::{Move, Position, Side, legal_moves};
use crate::variant::Variant;

/// Number of sequences of `depth` legal moves; draw rules do not cut them.
pub fn perft<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize + 1];
    match position.side_to_move() {
        Side::White => perft_for::<V, White>(position, depth, &mut lists),
        Side::Black => perft_for::<V, Black>(position, depth, &mut lists),
    }
}

fn perft_for<V: Variant, U: Us>(position: &Position<V>, depth: u32, lists: &mut [MoveList]) -> u64 {
    let [list, deeper @ ..] = lists else { return 1 };
    match depth {
        0 => 1,
        1 => count_for::<V, U>(position, list),
        _ => {
            generate_for::<V, U>(position, list);
            list.iter().map(|&mv| perft_for::<V, U::Them>(&position.play_for::<U>(mv), depth - 1, deeper)).sum()
        }
    }
}

/// The count behind each legal move, in the order of the generator.
///
/// Work is split over rayon's current thread pool.
pub fn divide<V: Variant>(position: &Position<V>, depth: u32) -> Vec<(Move, u64)> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    legal_moves(position).par_iter().map(|&mv| (mv, perft_parallel(&position.after(mv), depth))).collect()
}

/// [`perft`] over rayon's current thread pool.
pub fn perft_parallel<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    // Below this depth a count takes less time than handing it to another thread.
    const SPLIT: u32 = 5;
    if depth < SPLIT {
        return perft(position, depth);
    }
    legal_moves(position).par_iter().map(|&mv| perft_parallel(&position.after(mv), depth - 1)).sum()
}
