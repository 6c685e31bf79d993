//! The network in floating point, while it learns.
//!
//! Rows move by AdaGrad, as other weights of what is seldom seen; the few weights behind them, which every position has a
//! share in, by Adam (Kingma and Ba 2014).

use crate::eval::network::{Dense, HIDDEN, Layer, Network as Quantised, ONE, Row as QuantisedRow, WIDTH};
use crate::util::rng::Rng;

/// Where the sums of squares of rows start.
const FIRST_SQUARES: f32 = 0.01;
/// How far the weights behind the rows move, for rows.
const DENSE_RATE: f32 = 0.1;
/// Adam's memory of slopes and of their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];
/// What views start from before anything is learned, and how far from zero hidden numbers and their weights may.
const FIRST_BIAS: f32 = 0.4;
const FIRST_HIDDEN: f32 = 0.2;
const FIRST_WEIGHT: f32 = 0.43;

/// Numbers of a view, or slopes by them.
pub type Numbers = [f32; WIDTH];

/// What a part of a view adds to its numbers, and the squares of what has moved it.
#[derive(Clone, Copy, Debug)]
struct Row {
    value: Numbers,
    squares: Numbers,
}

/// What the network makes of a position, before numbers are cut.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// Of the side to move, then of the other.
    views: [Numbers; 2],
    hidden: [f32; HIDDEN],
    layer: usize,
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
    /// A network of so many rows that adds nothing yet. It needs weights that differ to learn different things.
    pub fn new(rows: usize) -> Self {
        let mut rng = Rng::new(1);
        let mut within = |limit: f32| limit * (rng.below(20_001) as f32 / 10_000.0 - 1.0);
        let mut dense = Dense { bias: [FIRST_BIAS; WIDTH], ..Dense::default() };
        for layer in &mut dense.layers {
            layer.hidden.as_flattened_mut().fill_with(|| within(FIRST_WEIGHT));
            layer.bias.fill_with(|| within(FIRST_HIDDEN));
        }
        Self::of(dense, std::iter::repeat_n(Numbers::default(), rows))
    }

    /// The network that plays, whose values count one log odd as `unit`.
    pub fn of_quantised(network: &Quantised, unit: f32) -> Self {
        let one = ONE as f32;
        let dense = scaled(network.dense(), |number, one| f32::from(number) / one, unit);
        Self::of(dense, network.rows().iter().map(|row| row.map(|number| f32::from(number) / one)))
    }

    /// The network in integers: one log odd counts `unit`. What does not fit is cut, which no sensible games lead to.
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
    pub fn pass(&self, parts: impl Iterator<Item = (usize, usize)>, layer: usize) -> Passed {
        let mut views = [self.dense.bias; 2];
        for (view, part) in parts {
            views[view].iter_mut().zip(self.rows[part].value).for_each(|(number, more)| *number += more);
        }
        let Layer { hidden: weights, bias, value } = &self.dense.layers[layer];
        let mut hidden = *bias;
        for (number, weights) in views.as_flattened().iter().zip(weights) {
            hidden.iter_mut().zip(weights).for_each(|(hidden, weight)| *hidden += cut(*number) * weight);
        }
        let value = hidden.iter().zip(value).map(|(hidden, value)| cut(*hidden) * value).sum();
        Passed { views, hidden, layer, value }
    }

    /// Slopes of the loss by the numbers of both views, from that by the value; those by the weights behind them are
    /// added to `slopes`.
    pub fn slopes(&self, passed: &Passed, slope: f32, slopes: &mut Dense<f32>) -> [Numbers; 2] {
        let (layer, slopes_bias) = (&self.dense.layers[passed.layer], &mut slopes.bias);
        let slopes = &mut slopes.layers[passed.layer];
        let mut hidden = [0.0; HIDDEN];
        for number in 0..HIDDEN {
            slopes.value[number] += slope * cut(passed.hidden[number]);
            hidden[number] = if is_cut(passed.hidden[number]) { 0.0 } else { slope * layer.value[number] };
            slopes.bias[number] += hidden[number];
        }
        let mut views = [Numbers::default(); 2];
        for (number, slope) in views.as_flattened_mut().iter_mut().enumerate() {
            let passed = passed.views.as_flattened()[number];
            let weights = &mut slopes.hidden[number];
            weights.iter_mut().zip(hidden).for_each(|(weight, hidden)| *weight += hidden * cut(passed));
            if !is_cut(passed) {
                *slope = layer.hidden[number].iter().zip(hidden).map(|(weight, hidden)| weight * hidden).sum();
            }
        }
        for view in views {
            slopes_bias.iter_mut().zip(view).for_each(|(bias, slope)| *bias += slope);
        }
        views
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
    pub fn learn_dense(&mut self, mut slopes: Dense<f32>, rate: f32) {
        self.batches += 1;
        let [first, second] = &mut self.means;
        let [first_share, second_share] = MEMORY.map(|memory| 1.0 - memory.powi(self.batches));
        let means = first.numbers().zip(second.numbers());
        for ((weight, slope), (mean, square)) in self.dense.numbers().zip(slopes.numbers()).zip(means) {
            *mean += (1.0 - MEMORY[0]) * (*slope - *mean);
            *square += (1.0 - MEMORY[1]) * (*slope * *slope - *square);
            *weight -= rate * DENSE_RATE * (*mean / first_share) / ((*square / second_share).sqrt() + 1e-8);
        }
    }
}

fn cut(number: f32) -> f32 {
    number.clamp(0.0, 1.0)
}

fn is_cut(number: f32) -> bool {
    !(0.0..=1.0).contains(&number)
}

/// Weights as other numbers, by a function of each and of what stands for 1: `unit` for values.
fn scaled<S: Copy, T: Copy + Default>(dense: &Dense<S>, scale: impl Fn(S, f32) -> T, unit: f32) -> Dense<T> {
    let one = |number: S| scale(number, ONE as f32);
    let layer = |layer: &Layer<S>| Layer {
        hidden: layer.hidden.map(|weights| weights.map(one)),
        bias: layer.bias.map(one),
        value: layer.value.map(|value| scale(value, unit)),
    };
    Dense { bias: dense.bias.map(one), layers: dense.layers.each_ref().map(layer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that adds something, and parts of both views.
    fn example() -> (Network, [(usize, usize); 5]) {
        let mut rng = Rng::new(5);
        let mut network = Network::new(4);
        let mut within = |limit: f32| limit * (rng.below(2001) as f32 / 1000.0 - 1.0);
        network.rows.iter_mut().for_each(|row| row.value.fill_with(|| within(0.4)));
        network.dense.layers.iter_mut().for_each(|layer| layer.value.fill_with(|| within(1.0)));
        (network, [(0, 1), (0, 2), (1, 0), (1, 3), (1, 3)])
    }

    /// Each slope is how the value changes with its weight.
    #[test]
    fn slopes_are_those_of_the_value() {
        let (network, parts) = example();
        for layer in [0, 3] {
            let value = |network: &Network| network.pass(parts.into_iter(), layer).value;
            let mut slopes = Dense::default();
            let passed = network.pass(parts.into_iter(), layer);
            let views = network.slopes(&passed, 1.0, &mut slopes);
            let step = 1e-2;
            let check = |found: f32, change: &dyn Fn(&mut Network, f32)| {
                let [mut up, mut down] = [network.clone(), network.clone()];
                change(&mut up, step);
                change(&mut down, -step);
                let expected = (value(&up) - value(&down)) / (2.0 * step);
                // Half a step from where numbers are cut, the slope is that of one side.
                (found - expected).abs() < 1e-3
            };
            let found: Vec<f32> = slopes.numbers().map(|slope| *slope).collect();
            let right = (0..found.len()).filter(|number| {
                check(found[*number], &|network, step| *network.dense.numbers().nth(*number).unwrap() += step)
            });
            assert!(right.count() * 100 >= found.len() * 98, "layer {layer}");
            assert!(found.iter().filter(|slope| **slope != 0.0).count() > 60);
            for number in 0..WIDTH {
                let twice = 2.0 * views[1][number];
                assert!(check(twice, &|network, step| network.rows[3].value[number] += step), "{number}");
                assert!(check(views[0][number], &|network, step| network.rows[2].value[number] += step), "{number}");
            }
        }
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
