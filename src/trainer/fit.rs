//! Fitting a model to samples.

use super::model::Model;
use super::samples::Samples;
use crate::util::rng::Rng;
use crate::variant::Variant;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most passes over the samples.
    pub epochs: usize,
    /// Samples that are learned from together.
    pub batch: usize,
    /// How far weights move at first.
    pub rate: f32,
    /// From what the order of the samples follows.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { epochs: 30, batch: 1024, rate: 0.02, seed: 1 }
    }
}

/// Halvings of the rate after which fitting ends: each comes after a pass without progress.
const MOST_HALVINGS: usize = 3;

/// One pass over the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: usize,
    /// How far weights moved.
    pub rate: f32,
    /// Mean loss while learning.
    pub fit: f64,
    /// Mean loss on the samples held out, afterwards.
    pub held_out: f64,
}

/// The best model by the samples held out, if one is better than the one to start from, and how it came about. `tell`
/// hears of every pass and says whether to go on.
pub fn fit<V: Variant>(
    start: &Model,
    samples: &Samples,
    options: &Options,
    mut tell: impl FnMut(Epoch) -> bool,
) -> (Option<Model>, Vec<Epoch>) {
    let mut model = start.clone();
    let (mut best, mut best_loss) = (None, model.loss::<V>(&samples.held_out));
    let mut order: Vec<_> = samples.fit.iter().collect();
    let mut rng = Rng::new(options.seed);
    let (mut rate, mut halvings) = (options.rate, 0);
    let mut epochs = Vec::new();
    for number in 1..=options.epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, rng.below(index + 1));
        }
        let loss: f64 = order.chunks(options.batch).map(|batch| model.learn::<V>(batch, rate)).sum();
        let held_out = model.loss::<V>(&samples.held_out);
        let epoch = Epoch { number, rate, fit: loss / order.len().max(1) as f64, held_out };
        epochs.push(epoch);
        if held_out < best_loss {
            (best, best_loss) = (Some(model.clone()), held_out);
        } else {
            rate /= 2.0;
            halvings += 1;
            model = best.as_ref().unwrap_or(start).clone();
        }
        if !tell(epoch) || halvings > MOST_HALVINGS {
            break;
        }
    }
    (best, epochs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Position, Side};
    use crate::trainer::samples::Sample;
    use crate::variant::Brazilian;

    /// Positions with some men gone, and targets that have nothing to do with them.
    fn noise(count: usize, rng: &mut Rng) -> Vec<Sample> {
        let start = Position::<Brazilian>::start();
        let side = |side: Side, rng: &mut Rng| start.pieces(side).filter(|_| rng.below(3) > 0).collect::<Bitboard>();
        (0..count)
            .map(|_| {
                let pieces = [side(Side::White, rng), side(Side::Black, rng)];
                Sample { pieces, kings: Bitboard::EMPTY, target: rng.below(2) as f32 }
            })
            .collect()
    }

    #[test]
    fn fitting_ends_when_others_are_not_told_better() {
        let mut rng = Rng::new(2);
        let nothing = Model::new::<Brazilian>(1);
        let samples = Samples { fit: noise(500, &mut rng), held_out: noise(500, &mut rng), ..Samples::default() };
        let options = Options { epochs: 100, rate: 0.5, ..Options::default() };
        let (_, epochs) = fit::<Brazilian>(&nothing, &samples, &options, |_| true);
        assert!(epochs.len() < 100, "noise is not learned for long");
        assert!(epochs.last().unwrap().rate < options.rate / 4.0);
        let (_, stopped) = fit::<Brazilian>(&nothing, &samples, &options, |epoch| epoch.number < 2);
        assert_eq!(stopped[..], epochs[..2], "the same each time, until told to stop");
    }

    #[test]
    fn what_made_it_worse_is_forgotten() {
        let start = Model::new::<Brazilian>(1);
        let sample = noise(1, &mut Rng::new(4)).remove(0);
        let contrary = Sample { target: 1.0 - sample.target, ..sample };
        let samples = Samples { fit: vec![sample], held_out: vec![contrary], ..Samples::default() };
        let options = Options { rate: 0.1, ..Options::default() };
        let (model, epochs) = fit::<Brazilian>(&start, &samples, &options, |_| true);
        assert!(model.is_none(), "the samples held out tell the contrary");
        for epoch in epochs {
            let options = Options { rate: epoch.rate, ..options };
            let (_, alone) = fit::<Brazilian>(&start, &samples, &options, |_| false);
            assert_eq!(alone, [Epoch { number: 1, ..epoch }]);
        }
    }

    #[test]
    fn a_fit_that_diverges_has_no_model() {
        let mut rng = Rng::new(3);
        let nothing = Model::new::<Brazilian>(1);
        let samples = Samples { fit: noise(100, &mut rng), held_out: noise(100, &mut rng), ..Samples::default() };
        let (model, epochs) =
            fit::<Brazilian>(&nothing, &samples, &Options { rate: 1e30, ..Options::default() }, |_| true);
        assert!(epochs.len() > MOST_HALVINGS);
        assert!(model.is_none());
    }
}
