//! The network in floating point, while it learns.
//!
//! Rows move by AdaGrad, as other weights of what is seldom seen; the few weights behind them, which every position has a
//! share in, by Adam (Kingma and Ba 2014).

use crate::eval::network::{Bucket, Dense, FINE, HIDDEN, Network as Quantised, ONE, Row as QuantisedRow, WIDTH};
use crate::util::rng::Rng;

/// Where the sums of squares of rows start: 0.01 was better than 0.001 (loss held out, `docs/training-log.md`).
const FIRST_SQUARES: f32 = 0.01;
/// How far the weights behind the rows move, for rows.
const DENSE_RATE: f32 = 0.1;
/// Adam's memory of slopes and of their squares, as in the paper.
const MEMORY: [f32; 2] = [0.9, 0.999];
/// What accumulators start from before anything is learned.
const FIRST_BIAS: f32 = 0.4;
/// How far from zero weights of hidden numbers may start: numbers of a mean square of 1 would lead to such.
const FIRST_WEIGHT: f32 = 0.43;

/// Numbers of an accumulator, or slopes by them.
pub type Numbers = [f32; WIDTH];

/// What a part of a view adds to its accumulator, and the squares of what has moved it.
#[derive(Clone, Copy, Debug)]
struct Row {
    value: Numbers,
    squares: Numbers,
}

/// What the network makes of a position, before numbers are clipped.
#[derive(Clone, Copy, Debug)]
pub struct Activations {
    /// Of the side to move, then of the other.
    accumulators: [Numbers; 2],
    hidden: [f32; HIDDEN],
    bucket: usize,
    /// In log odds.
    pub value: f32,
}

/// The network.
#[derive(Clone, Debug)]
pub struct Network {
    rows: Vec<Row>,
    dense: Dense<f32>,
    /// Adam's means of the slopes and of their squares.
    means: [Dense<f32>; 2],
    /// Of how many batches.
    batches: i32,
}

impl Network {
    /// A network of so many rows that adds nothing yet. Its weights differ, by the seed, since they would all learn the same
    /// otherwise; every hidden number starts between its clips, since it would never learn otherwise.
    pub fn new(rows: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut dense = Dense { bias: [FIRST_BIAS; WIDTH], ..Dense::default() };
        for bucket in &mut dense.buckets {
            let weights = bucket.hidden.as_flattened_mut();
            weights.fill_with(|| FIRST_WEIGHT * (rng.below(20_001) as f32 / 10_000.0 - 1.0));
            for (hidden, bias) in bucket.bias.iter_mut().enumerate() {
                *bias = 0.5 - bucket.hidden.iter().map(|weights| weights[hidden] * FIRST_BIAS).sum::<f32>();
            }
        }
        Self::of(dense, std::iter::repeat_n(Numbers::default(), rows))
    }

    /// The network that plays, whose values count one log odd as `unit`.
    pub fn of_quantised(network: &Quantised, unit: f32) -> Self {
        let dense = scaled(network.dense(), |number, one| f32::from(number) / one, unit);
        Self::of(dense, network.rows().iter().map(|row| row.map(|number| f32::from(number) / ONE as f32)))
    }

    /// The network in integers: one log odd counts `unit`. What does not fit is cut to the largest that does.
    pub fn quantised(&self, unit: f32) -> Quantised {
        let round = |number: f32, one: f32| (number * one).round() as i16;
        let rows: Vec<QuantisedRow> =
            self.rows.iter().map(|row| row.value.map(|number| round(number, ONE as f32))).collect();
        Quantised::new(rows.into(), scaled(&self.dense, round, unit))
    }

    fn of(dense: Dense<f32>, rows: impl Iterator<Item = Numbers>) -> Self {
        let rows = rows.map(|value| Row { value, squares: [FIRST_SQUARES; WIDTH] }).collect();
        Self { rows, dense, means: [Dense::default(); 2], batches: 0 }
    }

    /// What it makes of a position whose views have these parts.
    pub fn pass(&self, parts: impl Iterator<Item = (usize, usize)>, bucket: usize) -> Activations {
        let mut accumulators = [self.dense.bias; 2];
        for (view, part) in parts {
            accumulators[view].iter_mut().zip(self.rows[part].value).for_each(|(number, more)| *number += more);
        }
        let Bucket { hidden: weights, bias, value } = &self.dense.buckets[bucket];
        let mut hidden = *bias;
        for (number, weights) in accumulators.as_flattened().iter().zip(weights) {
            hidden.iter_mut().zip(weights).for_each(|(hidden, weight)| *hidden += clip(*number) * weight);
        }
        let value = hidden.iter().zip(value).map(|(hidden, value)| clip(*hidden) * value).sum();
        Activations { accumulators, hidden, bucket, value }
    }

    /// Slopes of the loss by the numbers of both accumulators, from that by the value; those by the weights behind them are
    /// added to `slopes`.
    pub fn slopes(&self, passed: &Activations, slope: f32, slopes: &mut Dense<f32>) -> [Numbers; 2] {
        let bucket = &self.dense.buckets[passed.bucket];
        let Dense { bias: slopes_bias, buckets: slopes } = slopes;
        let slopes = &mut slopes[passed.bucket];
        let hidden: [f32; HIDDEN] = std::array::from_fn(|hidden| {
            let number = passed.hidden[hidden];
            slopes.value[hidden] += slope * clip(number);
            let slope = if is_clipped(number) { 0.0 } else { slope * bucket.value[hidden] };
            slopes.bias[hidden] += slope;
            slope
        });
        let mut accumulators = [Numbers::default(); 2];
        for (number, slope) in accumulators.as_flattened_mut().iter_mut().enumerate() {
            let passed = passed.accumulators.as_flattened()[number];
            let weights = &mut slopes.hidden[number];
            weights.iter_mut().zip(hidden).for_each(|(weight, hidden)| *weight += hidden * clip(passed));
            if !is_clipped(passed) {
                *slope = bucket.hidden[number].iter().zip(hidden).map(|(weight, hidden)| weight * hidden).sum();
            }
        }
        for accumulator in accumulators {
            slopes_bias.iter_mut().zip(accumulator).for_each(|(bias, slope)| *bias += slope);
        }
        accumulators
    }

    /// Moves the row of a part of a view with these slopes.
    #[inline]
    pub fn learn_row(&mut self, part: usize, slopes: &Numbers, rate: f32) {
        let Row { value, squares } = &mut self.rows[part];
        for ((value, squares), slope) in value.iter_mut().zip(squares).zip(slopes) {
            *squares += slope * slope;
            *value -= rate * slope / squares.sqrt();
        }
    }

    /// Moves the weights behind the rows, by the mean slopes of a batch.
    pub fn learn_dense(&mut self, slopes: &Dense<f32>, rate: f32) {
        self.batches += 1;
        let [first, second] = &mut self.means;
        let [first_share, second_share] = MEMORY.map(|memory| 1.0 - memory.powi(self.batches));
        let means = first.numbers_mut().zip(second.numbers_mut());
        for ((weight, slope), (mean, square)) in self.dense.numbers_mut().zip(slopes.numbers()).zip(means) {
            *mean += (1.0 - MEMORY[0]) * (slope - *mean);
            *square += (1.0 - MEMORY[1]) * (slope * slope - *square);
            *weight -= rate * DENSE_RATE * (*mean / first_share) / ((*square / second_share).sqrt() + 1e-8);
        }
    }
}

fn clip(number: f32) -> f32 {
    number.clamp(0.0, 1.0)
}

fn is_clipped(number: f32) -> bool {
    !(0.0..=1.0).contains(&number)
}

/// Weights as other numbers, by a function of each and of what stands for 1: `unit` for values.
fn scaled<S: Copy, T: Copy + Default>(dense: &Dense<S>, scale: impl Fn(S, f32) -> T, unit: f32) -> Dense<T> {
    let fine = |number: S| scale(number, FINE as f32);
    let bucket = |bucket: &Bucket<S>| Bucket {
        hidden: bucket.hidden.map(|weights| weights.map(fine)),
        bias: bucket.bias.map(fine),
        value: bucket.value.map(|value| scale(value, unit)),
    };
    Dense { bias: dense.bias.map(|number| scale(number, ONE as f32)), buckets: dense.buckets.each_ref().map(bucket) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that adds something, and parts of both views.
    fn example() -> (Network, [(usize, usize); 5]) {
        let mut rng = Rng::new(5);
        let mut network = Network::new(4, 1);
        let mut within = |limit: f32| limit * (rng.below(2001) as f32 / 1000.0 - 1.0);
        network.rows.iter_mut().for_each(|row| row.value.fill_with(|| within(0.4)));
        network.dense.buckets.iter_mut().for_each(|bucket| bucket.value.fill_with(|| within(1.0)));
        (network, [(0, 1), (0, 2), (1, 0), (1, 3), (1, 3)])
    }

    /// Each slope is how the value changes with its weight.
    #[test]
    fn slopes_are_those_of_the_value() {
        let (network, parts) = example();
        for bucket in [0, 3] {
            let value = |network: &Network| network.pass(parts.into_iter(), bucket).value;
            let mut slopes = Dense::default();
            let passed = network.pass(parts.into_iter(), bucket);
            let views = network.slopes(&passed, 1.0, &mut slopes);
            let step = 1e-2;
            let check = |found: f32, change: &dyn Fn(&mut Network, f32)| {
                let [mut up, mut down] = [network.clone(), network.clone()];
                change(&mut up, step);
                change(&mut down, -step);
                let expected = (value(&up) - value(&down)) / (2.0 * step);
                // Half a step from where numbers are clipped, the slope is that of one side.
                (found - expected).abs() < 1e-3
            };
            let found: Vec<f32> = slopes.numbers().copied().collect();
            let right = (0..found.len()).filter(|number| {
                check(found[*number], &|network, step| *network.dense.numbers_mut().nth(*number).unwrap() += step)
            });
            assert!(right.count() * 100 >= found.len() * 98, "bucket {bucket}");
            assert!(found.iter().filter(|slope| **slope != 0.0).count() > 60);
            for (number, [first, second]) in std::iter::zip(views[0], views[1]).map(<[f32; 2]>::from).enumerate() {
                assert!(check(2.0 * second, &|network, step| network.rows[3].value[number] += step), "{number}");
                assert!(check(first, &|network, step| network.rows[2].value[number] += step), "{number}");
            }
        }
    }

    #[test]
    fn every_hidden_number_can_learn() {
        for seed in 0..20 {
            let network = Network::new(4, seed);
            for bucket in 0..network.dense.buckets.len() {
                let passed = network.pass([].into_iter(), bucket);
                assert!(passed.value == 0.0 && !passed.hidden.into_iter().any(is_clipped), "seed {seed}");
            }
        }
        assert_ne!(Network::new(4, 1).dense, Network::new(4, 2).dense);
    }

    #[test]
    fn it_comes_back_from_integers() {
        let (network, parts) = example();
        let again = Network::of_quantised(&network.quantised(1500.0), 1500.0);
        let [before, after] = [&network, &again].map(|network| network.pass(parts.into_iter(), 1).value);
        assert!(before != 0.0 && (before - after).abs() < 0.02, "{before} {after}");
        assert!(again.quantised(1500.0) == network.quantised(1500.0));
    }
}
