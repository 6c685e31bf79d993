//! A small network, which adds to the weighted sum what one part of the board makes of another.
//!
//! Each end of a tall [rectangle](super::patterns) and each king on its square has a [`Row`] of numbers. The accumulator
//! of a view is the sum of its rows and a bias, each number clipped to between 0 and 1. Both accumulators lead to hidden
//! numbers, clipped in the same way, and these to one value. The pieces on the board choose one of [`BUCKETS`] sets of
//! weights for what comes after the accumulators.
//!
//! Tables of patterns whose entries are vectors for a small network are an idea of `Rapfi`, a program for Gomoku. Here
//! the sum stays beside it, so that it has only the rest to tell.

use wide::{i16x8, i32x4, i32x8};

use super::FULL_PHASE;
use super::patterns::{Indices, Patterns, Shape};
use super::terms::side::SideView;
use crate::util::pages::Frozen;
use crate::variant::{Geometry, Variant};

/// Numbers of an accumulator.
pub const WIDTH: usize = 8;
/// Hidden numbers.
pub const HIDDEN: usize = 16;
/// Sets of weights after the accumulators, from many pieces to few.
pub const BUCKETS: usize = 4;
/// What stands for 1 in rows, accumulators and hidden numbers.
pub const ONE: i32 = 256;
/// What stands for 1 in weights of hidden numbers.
pub const FINE: i32 = 4096;

/// What a part of a view adds to its accumulator.
pub type Row = [i16; WIDTH];

/// Weights of what comes after the accumulators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bucket<T> {
    /// Of the accumulator of the side to move, then of the other one, for each hidden number.
    pub hidden: [[T; HIDDEN]; 2 * WIDTH],
    /// What hidden numbers start from.
    pub bias: [T; HIDDEN],
    /// What a whole hidden number is worth to the side to move: in play in `1 / UNIT` hundredths of a man (see
    /// [`UNIT`](super::weights::UNIT)).
    pub value: [T; HIDDEN],
}

/// All weights but the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dense<T> {
    /// What accumulators start from.
    pub bias: [T; WIDTH],
    /// By the pieces on the board.
    pub buckets: [Bucket<T>; BUCKETS],
}

impl<T> Bucket<T> {
    fn numbers(&self) -> impl Iterator<Item = &T> {
        self.hidden.as_flattened().iter().chain(&self.bias).chain(&self.value)
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.hidden.as_flattened_mut().iter_mut().chain(&mut self.bias).chain(&mut self.value)
    }
}

impl<T> Dense<T> {
    /// Its numbers, in the order in which they are kept.
    pub fn numbers(&self) -> impl Iterator<Item = &T> {
        self.bias.iter().chain(self.buckets.iter().flat_map(Bucket::numbers))
    }

    /// The same, to be changed.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.bias.iter_mut().chain(self.buckets.iter_mut().flat_map(Bucket::numbers_mut))
    }
}

/// A [`Bucket`] as it is computed with: eight numbers at once. Written as a loop over single ones, the search was slower
/// by a quarter (`bench --depth 12`, three runs of each in turn).
#[derive(Debug, PartialEq)]
struct Lanes {
    /// For each two numbers of the accumulators: what both count in the first four hidden numbers, the next four and so on.
    hidden: [[i16x8; HIDDEN / 4]; WIDTH],
    bias: [i32x4; HIDDEN / 4],
    value: [i16x8; HIDDEN / 8],
}

impl Lanes {
    fn new(bucket: &Bucket<i16>) -> Self {
        let pair = |number: usize, four: usize| {
            i16x8::new(std::array::from_fn(|lane| bucket.hidden[2 * number + lane % 2][4 * four + lane / 2]))
        };
        let bias = |four: usize| i32x4::new(std::array::from_fn(|lane| first(bucket.bias[4 * four + lane])));
        Self {
            hidden: std::array::from_fn(|number| std::array::from_fn(|four| pair(number, four))),
            bias: std::array::from_fn(bias),
            value: std::array::from_fn(|eight| i16x8::new(std::array::from_fn(|lane| bucket.value[8 * eight + lane]))),
        }
    }

    /// What follows from both accumulators, already clipped.
    #[inline]
    fn value(&self, accumulators: [i16x8; 2]) -> i32 {
        let mut hidden = self.bias;
        let pairs: [i32; WIDTH] = bytemuck::cast(accumulators);
        for (pair, weights) in pairs.into_iter().zip(&self.hidden) {
            let pair: i16x8 = bytemuck::cast(i32x4::splat(pair));
            hidden.iter_mut().zip(weights).for_each(|(hidden, weights)| *hidden += weights.dot(pair));
        }
        let eights: [i32x8; HIDDEN / 8] = bytemuck::cast(hidden);
        let hidden = eights.map(|eight| clip(i16x8::from_i32x8_saturate(eight >> FINE.ilog2())));
        let values = hidden.into_iter().zip(self.value).map(|(hidden, value)| hidden.dot(value));
        values.fold(i32x4::ZERO, |sum, values| sum + values).reduce_add() / ONE
    }
}

/// What a hidden number starts from, and half a unit so that it is rounded in the end.
fn first(bias: i16) -> i32 {
    i32::from(bias) * ONE + FINE / 2
}

/// Numbers clipped to between 0 and 1.
#[inline]
fn clip(numbers: i16x8) -> i16x8 {
    numbers.max(i16x8::ZERO).min(i16x8::splat(ONE as i16))
}

/// The network as the engine plays with it.
#[derive(PartialEq)]
pub struct Network {
    /// A row for each [part](parts).
    rows: Frozen<Row>,
    /// The rest.
    dense: Dense<i16>,
    lanes: [Lanes; BUCKETS],
}

/// Number of rows on a board.
pub const fn row_count<G: Patterns>() -> usize {
    2 * G::TALL * Shape::Tall.end() + 2 * G::SQUARES as usize
}

/// Which of the [`BUCKETS`] counts in a phase.
pub const fn bucket(phase: i32) -> usize {
    ((FULL_PHASE - phase) as usize * BUCKETS) / (FULL_PHASE as usize + 1)
}

/// Calls `visit` with the row of each part of a view: the ends of its tall rectangles, own kings, opposing ones.
#[inline(always)]
pub fn parts<V: Variant>(view: &SideView<V>, indices: &Indices, mut visit: impl FnMut(usize)) {
    let ends = 2 * V::Board::TALL;
    for (number, end) in indices.ends[..ends].iter().enumerate() {
        visit(number * Shape::Tall.end() + *end as usize);
    }
    let opposing_kings = view.opponent.without(view.opposing_men);
    for (kings, first) in [(view.kings, 0), (opposing_kings, V::Board::SQUARES as usize)] {
        for king in kings {
            visit(ends * Shape::Tall.end() + first + king.number::<V>() as usize - 1);
        }
    }
}

impl Network {
    /// A network of these rows and this rest.
    pub fn new(rows: Frozen<Row>, dense: Dense<i16>) -> Self {
        Self { rows, dense, lanes: dense.buckets.each_ref().map(Lanes::new) }
    }

    /// A row for each [part](parts).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// All but the rows.
    pub const fn dense(&self) -> &Dense<i16> {
        &self.dense
    }

    /// A network of so many numbers on a board.
    pub const fn count<G: Patterns>() -> usize {
        WIDTH * (row_count::<G>() + 1) + BUCKETS * (2 * WIDTH + 2) * HIDDEN
    }

    /// The network of these numbers.
    ///
    /// # Panics
    /// If there are not [as many](Self::count) as the board asks for.
    pub fn of_numbers<G: Patterns>(numbers: &[i16]) -> Self {
        assert_eq!(numbers.len(), Self::count::<G>(), "as many as the board asks for");
        let (rows, rest) = numbers.split_at(WIDTH * row_count::<G>());
        let length = rows.len() / WIDTH;
        let row = |row: usize| std::array::from_fn(|number| rows[number * length + row]);
        let mut dense = Dense::default();
        dense.numbers_mut().zip(rest).for_each(|(number, kept)| *number = *kept);
        Self::new((0..length).map(row).collect::<Vec<Row>>().into(), dense)
    }

    /// Its numbers, in the order in which they are kept: each number of all rows, then the rest.
    pub fn numbers(&self) -> Vec<i16> {
        let rows = (0..WIDTH).flat_map(|number| self.rows.iter().map(move |row| row[number]));
        rows.chain(self.dense.numbers().copied()).collect()
    }

    /// What it adds to the value of a position for the side to move, in `1 / UNIT` hundredths of a man.
    #[inline]
    pub fn value<V: Variant>(&self, views: &[SideView<V>; 2], indices: &[Indices; 2], phase: i32) -> i32 {
        let rows: &[Row] = &self.rows;
        let accumulator = |view: usize| {
            let mut sum = i16x8::new(self.dense.bias);
            // Saturating costs no more than a plain sum, and a position may have any number of kings.
            parts(&views[view], &indices[view], |row| sum = sum.saturating_add(i16x8::new(rows[row])));
            clip(sum)
        };
        self.lanes[bucket(phase)].value([0, 1].map(accumulator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{indices, phase, views};
    use crate::notation::read_position;
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, International};

    /// The value, number by number.
    fn slowly<V: Variant>(network: &Network, fen: &str) -> i32 {
        let position = read_position::<V>(fen).unwrap();
        let views = views(&position);
        let bucket = &network.dense.buckets[bucket(phase(&position))];
        let mut hidden = bucket.bias.map(first);
        for (number, (view, indices)) in views.iter().zip(indices(&views)).enumerate() {
            let mut sum = network.dense.bias.map(i32::from);
            parts(view, &indices, |row| {
                for (sum, number) in sum.iter_mut().zip(network.rows[row]) {
                    *sum = (*sum + i32::from(number)).clamp(i16::MIN.into(), i16::MAX.into());
                }
            });
            for (sum, weights) in sum.iter().zip(&bucket.hidden[number * WIDTH..]) {
                let clipped = *sum.clamp(&0, &ONE);
                hidden.iter_mut().zip(weights).for_each(|(hidden, weight)| *hidden += clipped * i32::from(*weight));
            }
        }
        let values = hidden.iter().zip(bucket.value);
        values.map(|(hidden, value)| hidden.clamp(&0, &(ONE * FINE)) / FINE * i32::from(value)).sum::<i32>() / ONE
    }

    fn check<V: Variant>(fens: &[&str]) {
        let mut rng = Rng::new(3);
        // Ordinary numbers, and such that every sum is clipped somewhere.
        for (row, dense) in [(20, 4000), (200, 8000), (32_767, 32_767)] {
            let mut within = |limit: usize| (rng.below(2 * limit + 1) as i32 - limit as i32) as i16;
            let mut numbers: Vec<i16> = (0..Network::count::<V::Board>()).map(|_| within(row)).collect();
            numbers[WIDTH * row_count::<V::Board>()..].fill_with(|| within(dense));
            let network = Network::of_numbers::<V::Board>(&numbers);
            assert_eq!(network.numbers(), numbers);
            let mut others = std::collections::HashSet::new();
            for fen in fens {
                let position = read_position::<V>(fen).unwrap();
                let views = views(&position);
                let value = network.value(&views, &indices(&views), phase(&position));
                assert_eq!(value, slowly::<V>(&network, fen), "{fen}");
                others.insert(value);
            }
            assert!(others.len() > fens.len() / 2, "{others:?}");
        }
    }

    #[test]
    fn lanes_have_the_value_of_single_numbers() {
        check::<International>(&[
            "W:W31-50:B1-20",
            "B:W31-50:B1-20",
            "W:W6,12,22,24,28,33,K40:B1,7,14,K18,29,30,45",
            "B:W6,12,22,24,28,33,K40:B1,7,14,K18,29,30,45",
            "W:WK1,K2,20:BK50,13",
            "B:WK1-25:BK26-50",
            "W:W21-27,32,38,39,43,48:B3,4,8,9,13,14,15,18,20",
        ]);
        check::<Brazilian>(&["W:W21-32:B1-12", "B:W5,13,19,20,K30:B2,7,11,K18,25", "W:WK1-16:BK17-32"]);
    }

    #[test]
    fn all_buckets_are_used_from_many_pieces_to_few() {
        let buckets: Vec<usize> = (0..=FULL_PHASE).rev().map(bucket).collect();
        assert!(buckets.is_sorted());
        assert_eq!((buckets[0], buckets[FULL_PHASE as usize]), (0, BUCKETS - 1));
    }
}
