//! Counting move sequences: the oracle of every move generator.

use multiversion::multiversion;
use rayon::prelude::*;

use super::movegen::{Black, MoveList, Us, View, White};
use super::{Move, Position, Side, legal_moves};
use crate::variant::Variant;

/// Number of sequences of `depth` legal moves; draw rules do not cut them.
pub fn perft<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize + 1];
    match position.side_to_move() {
        Side::White => perft_for(&View::<V, White>::new(position), depth, &mut lists),
        Side::Black => perft_for(&View::<V, Black>::new(position), depth, &mut lists),
    }
}

// Bits are counted by instructions that not every x86-64 has: +22 % leaves/s on 8x8, +25 % on 10x10.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt"))]
fn perft_for<V: Variant, U: Us>(view: &View<V, U>, depth: u32, lists: &mut [MoveList]) -> u64 {
    let [list, deeper @ ..] = lists else { return 1 };
    let mut nodes = 0;
    match (depth, deeper) {
        (0, _) => return 1,
        (1, _) => return view.count(list),
        // The last ply but one has a loop of its own, in which the count of the last is inlined.
        (2, [last, ..]) => view.for_each_child(list, |child| nodes += child.count(last)),
        (_, deeper) => view.for_each_child(list, |child| nodes += perft_for(&child, depth - 1, deeper)),
    }
    nodes
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
