//! The evaluation in floating point, while it learns.
//!
//! The output is the log odds of the side to move: its points are expected to be the logistic function of it. While
//! learning, a rectangle also has weights for its two farther and for its two nearer pairs. They are seen far more
//! often than whole rectangles, so that what is rare is judged by its parts; in the end they are added to the
//! weights of the whole.
//!
//! Weights move by AdaGrad (Duchi, Hazan and Singer 2011). Its sums of squares start well above zero, so that
//! weights seen only a few times stay near zero.

use rayon::prelude::*;

use super::samples::Sample;
use crate::eval::patterns::{self, MOST_RECTANGLES, PAIR, Patterns, RECTANGLE};
use crate::eval::{FULL_PHASE, drawishness, features, phase, seen_by_mover};
use crate::variant::Variant;

/// Samples that one task looks at.
const TASK: usize = 256;
/// Where sums of squares start.
const FIRST_SQUARES: f32 = 1.0;
/// Ways in which men stand on two pairs.
const TWO_PAIRS: usize = PAIR * PAIR;

/// A weight in the opening and in the ending, and the squares of what has moved it.
#[derive(Clone, Copy, Debug)]
struct Weight {
    value: [f32; 2],
    squares: [f32; 2],
}

impl Default for Weight {
    fn default() -> Self {
        Self { value: [0.0; 2], squares: [FIRST_SQUARES; 2] }
    }
}

impl Weight {
    #[inline]
    fn learn(&mut self, slope: [f32; 2], rate: f32) {
        for ((value, squares), slope) in self.value.iter_mut().zip(&mut self.squares).zip(slope) {
            *squares += slope * slope;
            *value -= rate * slope / squares.sqrt();
        }
    }
}

/// The weights of a rectangle.
#[derive(Clone, Debug)]
struct Rectangle {
    whole: Vec<Weight>,
    far: Vec<Weight>,
    near: Vec<Weight>,
}

impl Rectangle {
    fn new() -> Self {
        let zeros = |length| vec![Weight::default(); length];
        Self { whole: zeros(RECTANGLE), far: zeros(TWO_PAIRS), near: zeros(TWO_PAIRS) }
    }

    /// The weights that an index has a share in.
    #[inline]
    fn parts(&self, index: u32) -> [&Weight; 3] {
        let index = index as usize;
        [&self.whole[index], &self.far[index % TWO_PAIRS], &self.near[index / PAIR]]
    }

    #[inline]
    fn learn(&mut self, index: u32, slope: [f32; 2], rate: f32) {
        let index = index as usize;
        self.whole[index].learn(slope, rate);
        self.far[index % TWO_PAIRS].learn(slope, rate);
        self.near[index / PAIR].learn(slope, rate);
    }
}

/// What the features of a sample are and what the model makes of it.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Rectangles of the side to move, then those of the other side, which count against it.
    indices: [[u32; MOST_RECTANGLES]; 2],
    /// Where its counted features end in those of the task.
    counted_end: usize,
    /// Share of the opening and of the ending in the output, less where the position is drawish.
    shares: [f32; 2],
    /// Slope of the loss by the output.
    slope: f32,
    loss: f64,
}

/// Rows looked at by one task.
struct Looked {
    rows: Vec<Row>,
    /// Numbers and counts of the counted features of all rows.
    counted: Vec<(usize, f32)>,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    counted: Vec<Weight>,
    rectangles: Vec<Rectangle>,
}

impl Model {
    /// A model that knows nothing.
    pub fn new<V: Variant>() -> Self {
        Self {
            counted: vec![Weight::default(); features::count::<V::Board>()],
            rectangles: (0..V::Board::RECTANGLES).map(|_| Rectangle::new()).collect(),
        }
    }

    /// The log odds of the side to move.
    pub fn output<V: Variant>(&self, sample: &Sample) -> f32 {
        let mut counted = Vec::new();
        let (row, output) = self.look::<V>(sample, &mut counted);
        debug_assert_eq!(row.counted_end, counted.len(), "all features are of this sample");
        output
    }

    /// The mean loss: the cross entropy of target and expectation.
    pub fn loss<V: Variant>(&self, samples: &[Sample]) -> f64 {
        // Tasks are added up in order, so that the sum does not depend on the threads.
        let tasks: Vec<f64> = samples
            .par_chunks(TASK)
            .map(|task| {
                let mut counted = Vec::new();
                task.iter().map(|sample| self.look::<V>(sample, &mut counted).0.loss).sum()
            })
            .collect();
        tasks.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// Learns from some samples together; gives the sum of their losses before.
    pub fn learn<V: Variant>(&mut self, samples: &[&Sample], rate: f32) -> f64 {
        let look = |task: &[&Sample]| {
            let mut counted = Vec::new();
            let rows = task.iter().map(|sample| self.look::<V>(sample, &mut counted).0).collect();
            Looked { rows, counted }
        };
        let tasks: Vec<Looked> = samples.par_chunks(TASK).map(look).collect();
        let rows = || tasks.iter().flat_map(|task| &task.rows);
        // Each rectangle is moved by one thread, which goes through the samples in order.
        self.rectangles.par_iter_mut().enumerate().for_each(|(number, rectangle)| {
            for row in rows() {
                let slope = row.shares.map(|share| share * row.slope);
                rectangle.learn(row.indices[0][number], slope, rate);
                rectangle.learn(row.indices[1][number], slope.map(|slope| -slope), rate);
            }
        });
        for task in &tasks {
            let mut start = 0;
            for row in &task.rows {
                for (feature, times) in &task.counted[start..row.counted_end] {
                    self.counted[*feature].learn(row.shares.map(|share| share * row.slope * times), rate);
                }
                start = row.counted_end;
            }
        }
        rows().map(|row| row.loss).sum()
    }

    #[inline]
    fn look<V: Variant>(&self, sample: &Sample, counted: &mut Vec<(usize, f32)>) -> (Row, f32) {
        let position = sample.position::<V>();
        let sides = seen_by_mover(&position);
        let views = [&sides.white, &sides.black];
        let indices = views.map(|view| patterns::indices::<V::Board>(view.men.0, view.opposing_men.0));
        let mut sum = [0.0; 2];
        let mut add = |weight: &Weight, times: f32| {
            sum[0] += weight.value[0] * times;
            sum[1] += weight.value[1] * times;
        };
        for (view, sign) in indices.iter().zip([1.0, -1.0]) {
            for (rectangle, index) in self.rectangles.iter().zip(view) {
                rectangle.parts(*index).into_iter().for_each(|weight| add(weight, sign));
            }
        }
        features::visit(&sides, |feature, times| {
            if times != 0 {
                add(&self.counted[feature], times as f32);
                counted.push((feature, times as f32));
            }
        });
        let opening = phase(&position) as f32 / FULL_PHASE as f32;
        let share = 1.0 / drawishness(&position) as f32;
        let shares = [opening * share, (1.0 - opening) * share];
        let output = sum[0] * shares[0] + sum[1] * shares[1];
        let expected = 1.0 / (1.0 + (-output).exp());
        let slope = expected - sample.target;
        let loss = f64::from(output.max(0.0) - output * sample.target + (-output.abs()).exp().ln_1p());
        (Row { indices, counted_end: counted.len(), shares, slope, loss }, output)
    }

    /// The weights of the counted features, opening and ending.
    pub fn counted(&self) -> impl Iterator<Item = [f32; 2]> {
        self.counted.iter().map(|weight| weight.value)
    }

    /// The weights of all rectangles, opening and ending.
    pub fn rectangles(&self) -> impl Iterator<Item = [f32; 2]> {
        self.rectangles.iter().flat_map(|rectangle| {
            (0..RECTANGLE as u32).map(|index| {
                let parts = rectangle.parts(index).map(|weight| weight.value);
                [0, 1].map(|phase| parts.iter().map(|value| value[phase]).sum())
            })
        })
    }
}
