//! Endgame databases: numbering of positions, values against published totals.

mod support;

use meerslag::board::{Position, Side};
use meerslag::egdb::{Index, Slice};
use meerslag::variant::{Geometry, Variant};
use support::{fen, for_every_variant};

fn numbering_is_a_bijection<V: Variant>() {
    for slice in (2..=3).flat_map(Slice::all::<V>) {
        let index = Index::<V>::new(slice);
        for at in 0..index.len() {
            let position = index.position(at);
            assert_eq!(index.of(&position), Some(at), "{slice} {}", fen(&position));
            assert_eq!(index.of(&position.flipped()), Some(at), "{slice} {}", fen(&position));
            let setup = position.setup();
            assert_eq!(Position::try_from(&setup), Ok(position), "{slice} {}", fen(&position));
        }
    }
}

/// `n` choose `k`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

fn sizes_equal_the_formula<V: Variant>() {
    let (squares, row) = (u64::from(V::Board::SQUARES), u64::from(V::Board::ROW));
    for slice in (2..=6).flat_map(Slice::all::<V>) {
        let material = [slice.own(), slice.opponent()];
        let [own, opponent] = material.map(|side| (u64::from(side.men), u64::from(side.kings)));
        // Counted from the other side than the index does: opponent's men at their home row.
        let men: u64 = (0..=opponent.0.min(row))
            .map(|home| {
                let middle = opponent.0 - home;
                choose(row, home) * choose(squares - 2 * row, middle) * choose(squares - row - middle, own.0)
            })
            .sum();
        let kings = own.1 + opponent.1;
        let expected = men * choose(squares - own.0 - opponent.0, kings) * choose(kings, own.1);
        assert_eq!(Index::<V>::new(slice).len(), expected, "{slice}");
    }
}

fn positions_of_other_slices_have_no_number<V: Variant>() {
    let index = Index::<V>::new(Slice::all::<V>(2)[0]);
    let start = Position::<V>::start();
    assert_eq!(index.of(&start), None);
    assert_eq!(Slice::of(&start), None);
    let other = Slice::all::<V>(3)[0];
    let position = Index::<V>::new(other).position(0);
    assert_eq!(position.side_to_move(), Side::White);
    assert_eq!(Slice::of(&position), Some(other));
    assert_eq!(index.of(&position), None);
}

for_every_variant!(numbering_is_a_bijection, sizes_equal_the_formula, positions_of_other_slices_have_no_number);
