//! The evaluation in floating point, while it learns.
//!
//! The output is the log odds of the side to move: its points are expected to be the logistic function of it. While
//! learning, a rectangle also has weights for its farther and for its nearer end. They are seen far more often than
//! whole rectangles, so that what is rare is judged by its parts; in the end they are added to the weights of the
//! whole.
//!
//! What is no such sum of weights is left to a [network](super::network), which learns with them.
//!
//! Weights move by AdaGrad (Duchi, Hazan and Singer 2011). Its sums of squares start well above zero, so that
//! weights seen only a few times stay near zero.

use rayon::prelude::*;

use super::network::{Activations, Network, Numbers};
use super::samples::Sample;
use crate::eval::network::{self, Dense};
use crate::eval::patterns::{Indices, Patterns, RECTANGLE, Shape};
use crate::eval::stage::{KNOTS, Stage};
use crate::eval::weights::{UNIT, Weights};
use crate::eval::{FULL_PHASE, drawishness, features, indices, phase, views};
use crate::variant::Variant;

/// Samples that one task looks at.
const TASK: usize = 256;
/// Where sums of squares start.
const FIRST_SQUARES: f32 = 1.0;

/// A weight at each knot, and the squares of what has moved it.
#[derive(Clone, Copy, Debug)]
struct Weight {
    value: [f32; KNOTS.len()],
    squares: [f32; KNOTS.len()],
}

impl Default for Weight {
    fn default() -> Self {
        Self { value: [0.0; KNOTS.len()], squares: [FIRST_SQUARES; KNOTS.len()] }
    }
}

impl Weight {
    #[inline]
    fn learn(&mut self, slope: &Slope, rate: f32) {
        let knots = slope.stage..slope.stage + 2;
        let weights = self.value[knots.clone()].iter_mut().zip(&mut self.squares[knots]);
        for ((value, squares), slope) in weights.zip(slope.slopes) {
            *squares += slope * slope;
            *value -= rate * slope / squares.sqrt();
        }
    }
}

/// Slopes of the loss by the weights at the knots before and after a stage.
#[derive(Clone, Copy, Debug)]
struct Slope {
    stage: usize,
    slopes: [f32; 2],
}

impl Slope {
    fn times(&self, factor: f32) -> Self {
        Self { slopes: self.slopes.map(|slope| slope * factor), ..*self }
    }
}

/// The weights of a rectangle.
#[derive(Clone, Debug)]
struct Rectangle {
    shape: Shape,
    whole: Vec<Weight>,
    far: Vec<Weight>,
    near: Vec<Weight>,
}

impl Rectangle {
    fn new(shape: Shape) -> Self {
        let zeros = |length| vec![Weight::default(); length];
        Self { shape, whole: zeros(RECTANGLE), far: zeros(shape.end()), near: zeros(shape.end()) }
    }

    /// The weights that an index has a share in.
    #[inline]
    fn parts(&self, index: u32) -> [&Weight; 3] {
        let [far, near] = self.shape.ends(index as usize);
        [&self.whole[index as usize], &self.far[far], &self.near[near]]
    }

    /// Learns from the indices of the side to move and of the other one. Where both share a weight it counts for
    /// nothing.
    #[inline]
    fn learn(&mut self, indices: [u32; 2], slope: &Slope, rate: f32) {
        let opposite = slope.times(-1.0);
        let indices = indices.map(|index| index as usize);
        let ends = indices.map(|index| self.shape.ends(index));
        let learn = |weights: &mut Vec<Weight>, [own, other]: [usize; 2]| {
            if own != other {
                weights[own].learn(slope, rate);
                weights[other].learn(&opposite, rate);
            }
        };
        learn(&mut self.whole, indices);
        learn(&mut self.far, ends.map(|[far, _]| far));
        learn(&mut self.near, ends.map(|[_, near]| near));
    }
}

/// What the features of a sample are and what the model makes of it.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Rectangles of the side to move, then those of the other side, which count against it.
    indices: [Indices; 2],
    /// Where its features end in those of the task.
    end: End,
    passed: Activations,
    slope: Slope,
    /// Slope by the value of the network.
    network_slope: f32,
    loss: f64,
}

/// Features of the samples of a task that not each sample has as many of.
#[derive(Clone, Debug, Default)]
struct Features {
    /// Numbers and counts of the counted ones.
    counted: Vec<(usize, f32)>,
    /// Views and parts of the network.
    parts: Vec<(usize, usize)>,
}

/// How many there are up to a sample.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    counted: usize,
    parts: usize,
}

impl Features {
    fn end(&self) -> End {
        End { counted: self.counted.len(), parts: self.parts.len() }
    }
}

/// Rows looked at by one task.
struct Looked {
    rows: Vec<Row>,
    features: Features,
    /// Slopes by the accumulators of each row.
    accumulators: Vec<[Numbers; 2]>,
    /// Sums of the slopes by weights of the network.
    dense: Dense<f32>,
}

impl Looked {
    /// Calls `visit` with each row's number and where its features begin.
    fn each(&self, mut visit: impl FnMut(usize, &Row, End)) {
        let mut start = End::default();
        for (number, row) in self.rows.iter().enumerate() {
            visit(number, row, start);
            start = row.end;
        }
    }
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    counted: Vec<Weight>,
    rectangles: Vec<Rectangle>,
    network: Network,
}

impl Model {
    /// A model that knows nothing; how its network starts follows from the seed.
    pub fn new<V: Variant>(seed: u64) -> Self {
        Self {
            counted: vec![Weight::default(); features::count::<V::Board>()],
            rectangles: (0..V::Board::RECTANGLES).map(|number| Rectangle::new(V::Board::shape(number))).collect(),
            network: Network::new(network::row_count::<V::Board>(), seed),
        }
    }

    /// A model that starts as weights which count one log odd as `score_scale` hundredths of a man.
    pub fn of_weights<V: Variant>(weights: &Weights, score_scale: f64) -> Self {
        let unit = (f64::from(UNIT) * score_scale) as f32;
        let mut model = Self::new::<V>(0);
        let (rectangles, counted) = (model.rectangles.iter_mut(), model.counted.iter_mut());
        let all = counted.chain(rectangles.flat_map(|rectangle| &mut rectangle.whole));
        for (weight, knots) in all.zip(weights.counted().into_iter().chain(weights.rectangles())) {
            weight.value = knots.map(|value| f32::from(value) / unit);
        }
        model.network = Network::of_quantised(weights.network(), unit);
        model
    }

    /// The log odds of the side to move.
    pub fn output<V: Variant>(&self, sample: &Sample) -> f32 {
        self.look::<V>(sample, &mut Features::default()).1
    }

    /// The mean loss: the cross entropy of target and expectation.
    pub fn loss<V: Variant>(&self, samples: &[Sample]) -> f64 {
        // Tasks are added up in order, so that the sum does not depend on the threads.
        let tasks: Vec<f64> = samples
            .par_chunks(TASK)
            .map(|task| {
                let mut features = Features::default();
                task.iter().map(|sample| self.look::<V>(sample, &mut features).0.loss).sum()
            })
            .collect();
        tasks.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// Learns from some samples together; gives the sum of their losses before.
    pub fn learn<V: Variant>(&mut self, samples: &[&Sample], rate: f32) -> f64 {
        let look = |task: &[&Sample]| {
            let mut features = Features::default();
            let rows: Vec<_> = task.iter().map(|sample| self.look::<V>(sample, &mut features).0).collect();
            let mut dense = Dense::default();
            let slopes = |row: &Row| self.network.slopes(&row.passed, row.network_slope, &mut dense);
            let accumulators = rows.iter().map(slopes).collect();
            Looked { rows, features, accumulators, dense }
        };
        let tasks: Vec<Looked> = samples.par_chunks(TASK).map(look).collect();
        let rows = || tasks.iter().flat_map(|task| &task.rows);
        let Self { counted, rectangles, network } = self;
        // Each rectangle is moved by one thread, which goes through the samples in order; so is the network.
        let learn_rectangles = || {
            rectangles.par_iter_mut().enumerate().for_each(|(number, rectangle)| {
                for row in rows() {
                    rectangle.learn(row.indices.map(|view| view.rectangles[number]), &row.slope, rate);
                }
            });
        };
        rayon::join(learn_rectangles, || learn_network(network, &tasks, rate));
        for task in &tasks {
            task.each(|_, row, start| {
                for (feature, times) in &task.features.counted[start.counted..row.end.counted] {
                    counted[*feature].learn(&row.slope.times(*times), rate);
                }
            });
        }
        rows().map(|row| row.loss).sum()
    }

    #[inline]
    fn look<V: Variant>(&self, sample: &Sample, features: &mut Features) -> (Row, f32) {
        let position = sample.position::<V>();
        let views = views(&position);
        let indices = indices(&views);
        let phase = phase(&position);
        let Stage { number: stage, share } = Stage::of(phase);
        let mut sum = [0.0; 2];
        let mut add = |weight: &Weight, times: f32| {
            sum[0] += weight.value[stage] * times;
            sum[1] += weight.value[stage + 1] * times;
        };
        for (view, sign) in indices.iter().zip([1.0, -1.0]) {
            for (rectangle, index) in self.rectangles.iter().zip(&view.rectangles) {
                rectangle.parts(*index).into_iter().for_each(|weight| add(weight, sign));
            }
        }
        features::visit(&views, |feature, times| {
            if times != 0 {
                add(&self.counted[feature], times as f32);
                features.counted.push((feature, times as f32));
            }
        });
        let start = features.parts.len();
        for (number, (view, indices)) in views.iter().zip(&indices).enumerate() {
            network::parts(view, indices, |part| features.parts.push((number, part)));
        }
        let passed = self.network.pass(features.parts[start..].iter().copied(), network::bucket(phase));
        let before = share as f32 / FULL_PHASE as f32;
        let certainty = 1.0 / drawishness(&position) as f32;
        let shares = [before, 1.0 - before].map(|share| share * certainty);
        let output = sum[0] * shares[0] + sum[1] * shares[1] + passed.value * certainty;
        let expected = 1.0 / (1.0 + (-output).exp());
        let error = expected - sample.target;
        let slope = Slope { stage, slopes: shares.map(|share| share * error) };
        let loss = f64::from(output.max(0.0) - output * sample.target + (-output.abs()).exp().ln_1p());
        let end = features.end();
        (Row { indices, end, passed, slope, network_slope: error * certainty, loss }, output)
    }

    /// The network.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The weights of the counted features at each knot.
    pub fn counted(&self) -> impl Iterator<Item = [f32; KNOTS.len()]> {
        self.counted.iter().map(|weight| weight.value)
    }

    /// The weights of all rectangles at each knot.
    pub fn rectangles(&self) -> impl Iterator<Item = [f32; KNOTS.len()]> {
        self.rectangles.iter().flat_map(|rectangle| {
            (0..RECTANGLE as u32).map(|index| {
                let parts = rectangle.parts(index).map(|weight| weight.value);
                std::array::from_fn(|knot| parts.iter().map(|value| value[knot]).sum())
            })
        })
    }
}

/// Moves the network by what was looked at.
fn learn_network(network: &mut Network, tasks: &[Looked], rate: f32) {
    let mut dense = Dense::default();
    for task in tasks {
        task.each(|number, row, start| {
            for (view, part) in &task.features.parts[start.parts..row.end.parts] {
                network.learn_row(*part, &task.accumulators[number][*view], rate);
            }
        });
        dense.numbers_mut().zip(task.dense.numbers()).for_each(|(sum, slope): (&mut f32, _)| *sum += slope);
    }
    let samples: usize = tasks.iter().map(|task| task.rows.len()).sum();
    dense.numbers_mut().for_each(|sum| *sum /= samples as f32);
    network.learn_dense(&dense, rate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Position, Side};
    use crate::notation::read_position;
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, International};

    fn sample<V: Variant>(fen: &str, target: f32) -> Sample {
        let position: Position<V> = read_position(fen).unwrap();
        assert_eq!(position.side_to_move(), Side::White);
        Sample { pieces: Side::BOTH.map(|side| position.pieces(side)), kings: position.all_kings(), target }
    }

    fn approaches<V: Variant>(fen: &str) {
        for target in [0.1, 0.8] {
            let sample = sample::<V>(fen, target);
            let mut model = Model::new::<V>(1);
            (0..2000).for_each(|_| _ = model.learn::<V>(&[&sample], 0.05));
            let expected = 1.0 / (1.0 + (-model.output::<V>(&sample)).exp());
            assert!((expected - target).abs() < 0.02, "{fen}: {expected}, {target}");
        }
    }

    #[test]
    fn expectations_approach_their_targets() {
        approaches::<International>("W:W31-50:B1-20");
        approaches::<International>("W:W12,33,40,K7:B20,25,K48");
        approaches::<Brazilian>("W:W21-31:B1-12");
    }

    /// The slope that a sample gives is how its loss changes with the output.
    #[test]
    fn the_slope_is_that_of_the_loss() {
        let loss = |output: f32, target: f32| output.max(0.0) - output * target + (-output.abs()).exp().ln_1p();
        let sample = sample::<International>("W:W32,38,43:B8,12", 0.3);
        let mut model = Model::new::<International>(1);
        (0..5).for_each(|_| _ = model.learn::<International>(&[&sample], 0.1));
        let (row, output) = model.look::<International>(&sample, &mut Features::default());
        let slope = (loss(output + 1e-2, 0.3) - loss(output - 1e-2, 0.3)) / 2e-2;
        // The shares of the two knots add up to one.
        let found: f32 = row.slope.slopes.iter().sum();
        assert!((found - slope).abs() < 1e-3, "{found} {slope}");
        assert!((row.loss - f64::from(loss(output, 0.3))).abs() < 1e-6);
    }

    /// Only the knots around a position have a share in its loss, and only their weights learn.
    #[test]
    fn slopes_are_those_of_the_knots() {
        for (fen, stage) in [("W:W32,38,43:B8,12", 1), ("W:W31-50:B1-15", 0)] {
            let sample = sample::<International>(fen, 0.3);
            let mut model = Model::new::<International>(1);
            model.counted[features::MEN].value = [0.1, 0.2, 0.3];
            let (row, _) = model.look::<International>(&sample, &mut Features::default());
            assert_eq!(row.slope.stage, stage);
            let men = sample.pieces[0].count() as f64 - sample.pieces[1].count() as f64;
            let mut learned = model.clone();
            learned.learn::<International>(&[&sample], 0.1);
            for knot in 0..KNOTS.len() {
                let loss = |change: f32| {
                    let mut changed = model.clone();
                    changed.counted[features::MEN].value[knot] += change;
                    changed.loss::<International>(&[sample])
                };
                let slope = (loss(1e-2) - loss(-1e-2)) / 2e-2;
                let found = knot.checked_sub(stage).and_then(|place| row.slope.slopes.get(place)).copied();
                let found = f64::from(found.unwrap_or(0.0)) * men;
                assert!((found - slope).abs() < 1e-3 * (1.0 + slope.abs()), "{fen} {knot}: {found} {slope}");
                let [before, after] = [&model, &learned].map(|model| model.counted[features::MEN].value[knot]);
                let moved = f64::from(after - before);
                assert!(if slope == 0.0 { moved == 0.0 } else { moved * slope < 0.0 }, "{fen} {knot}: {moved}");
            }
        }
    }

    /// Indices that both sides share say nothing about either, however often they are seen.
    #[test]
    fn what_both_sides_share_stays_zero() {
        let sample = sample::<International>("W:W31-50:B1-20", 0.9);
        let mut model = Model::new::<International>(1);
        (0..50).for_each(|_| _ = model.learn::<International>(&[&sample], 0.05));
        assert!(model.rectangles().all(|weight| weight == [0.0; KNOTS.len()]));
        assert_eq!(Bitboard::count(sample.pieces[0]), 20);
    }

    /// A network of random numbers in a model that knows nothing else.
    fn with_network(numbers: &[i16]) -> Model {
        let mut model = Model::new::<International>(1);
        let quantised = network::Network::of_numbers::<<International as Variant>::Board>(numbers);
        model.network = Network::of_quantised(&quantised, 1500.0);
        model
    }

    /// The slopes that the network gets are how the loss changes with its numbers.
    #[test]
    fn slopes_of_the_network_are_those_of_the_loss() {
        type Board = <International as Variant>::Board;
        let (rows, one) = (network::row_count::<Board>(), network::ONE as f32);
        let mut rng = Rng::new(4);
        let count = network::Network::count::<Board>();
        let mut numbers: Vec<i16> = (0..count).map(|_| rng.below(41) as i16 - 20).collect();
        // Accumulators between their clips, and weights that tell much.
        numbers[network::WIDTH * rows..][..network::WIDTH].fill(100);
        numbers[network::WIDTH * (rows + 1)..].fill_with(|| rng.below(2001) as i16 - 1000);
        let model = with_network(&numbers);
        for fen in ["W:W32,38,43,K5:B8,12,K46", "W:W31-50:B1-20", "W:WK5,K7,20:BK46", "W:W27,32,33,38:B12,18,19,23"] {
            let sample = sample::<International>(fen, 0.3);
            let mut features = Features::default();
            let (row, _) = model.look::<International>(&sample, &mut features);
            let mut dense = Dense::default();
            let accumulators = model.network.slopes(&row.passed, row.network_slope, &mut dense);
            let slope = |at: usize| {
                let loss = |step: i16| {
                    let mut changed = numbers.clone();
                    changed[at] += step;
                    with_network(&changed).loss::<International>(&[sample])
                };
                ((loss(4) - loss(-4)) / f64::from(8.0 / one)) as f32
            };
            let near = |found: f32, expected: f32| (found - expected).abs() < 2e-3 + 0.1 * expected.abs();
            for number in [0, 5] {
                let part = features.parts[0];
                let views = features.parts.iter().filter(|other| other.1 == part.1);
                let found: f32 = views.map(|(view, _)| accumulators[*view][number]).sum();
                let expected = slope(number * rows + part.1);
                assert!(near(found, expected), "{fen}: {found} {expected}");
                let (found, expected) = (dense.bias[number], slope(network::WIDTH * rows + number));
                assert!(near(found, expected), "{fen}: {found} {expected}");
            }
        }
    }

    /// Each sample moves its own parts, wherever it is in a batch.
    #[test]
    fn the_order_of_a_batch_hardly_matters() {
        let [first, second] = [("W:W31-50:B1-20", 0.9), ("W:W6,12,22,K40:B14,30,45,K1", 0.2)]
            .map(|(fen, target)| sample::<International>(fen, target));
        let learned = |batch: &[&Sample]| {
            let mut model = Model::new::<International>(1);
            (0..20).for_each(|_| _ = model.learn::<International>(batch, 0.05));
            [first, second].map(|sample| model.output::<International>(&sample))
        };
        let (one, other) = (learned(&[&first, &second]), learned(&[&second, &first]));
        for (one, other) in one.into_iter().zip(other) {
            assert!(one.abs() > 0.3 && (one - other).abs() < 0.02, "{one} {other}");
        }
    }
}
