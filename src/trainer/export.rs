//! From a model to the integers that the engine plays with.

use super::minimum::minimum;
use super::model::Model;
use super::samples::{Sample, Samples};
use crate::board::Bitboard;
use crate::eval::chances::Chances;
use crate::eval::stage::KNOTS;
use crate::eval::weights::{Knots, Manifest, UNIT, Weights};
use crate::eval::{FULL_PHASE, phase};
use crate::variant::Variant;

/// Positions in which men are taken off to tell what one is worth.
const MAN_SAMPLE: usize = 20_000;
/// Positions from which chances are told.
const CHANCES_SAMPLE: usize = 50_000;
/// Phases of a middlegame: between about an eighth and half of the men are gone.
const MIDDLEGAME: std::ops::Range<i32> = FULL_PHASE / 2..FULL_PHASE * 7 / 8;

/// The weights of a model, scaled so that a man in a balanced middlegame is worth 100; `manifest` gets the chances
/// of results.
pub fn weights<V: Variant>(model: &Model, samples: &Samples, manifest: Manifest) -> Weights {
    let scale = 100.0 * UNIT as f32 / man::<V>(model, &samples.held_out);
    // A weight beyond 20 men, which no sensible games lead to, is cut to that.
    let rounded = |value: [f32; KNOTS.len()]| value.map(|value| (value * scale).round() as i16);
    let counted: Vec<Knots> = model.counted().map(rounded).collect();
    let rectangles: Vec<Knots> = model.rectangles().map(rounded).collect();
    let mut weights = Weights::new::<V>(&counted, &rectangles, model.network().quantised(scale), manifest);
    weights.manifest.chances = chances::<V>(&weights, samples);
    weights
}

/// What a man is worth in log odds: the mean over balanced middlegames, and over the men in them, of what the side
/// to move loses with one. A model that has seen no such position takes one log odd for it.
fn man<V: Variant>(model: &Model, samples: &[Sample]) -> f32 {
    let is_even = |sample: &&Sample| {
        let [own, other] = sample.pieces.map(Bitboard::count);
        own == other && sample.kings.is_empty() && MIDDLEGAME.contains(&phase(&sample.position::<V>()))
    };
    let (mut sum, mut men) = (0.0, 0);
    for sample in samples.iter().filter(is_even).take(MAN_SAMPLE) {
        let before = model.output::<V>(sample);
        for man in sample.pieces[0] {
            let pieces = [sample.pieces[0].without(man.into()), sample.pieces[1]];
            sum += f64::from(before - model.output::<V>(&Sample { pieces, ..*sample }));
            men += 1;
        }
    }
    let mean = sum / f64::from(men);
    if mean > 0.0 { mean as f32 } else { 1.0 }
}

/// The chances that make the results held out most likely.
fn chances<V: Variant>(weights: &Weights, samples: &Samples) -> Chances {
    let step = (samples.held_out.len() / CHANCES_SAMPLE).max(1);
    let pairs = samples.held_out.iter().zip(&samples.held_out_points).step_by(step);
    let seen: Vec<_> =
        pairs.map(|(sample, points)| (f64::from(weights.evaluate(&sample.position::<V>())), *points)).collect();
    let surprise = |half: f64, scale: f64| {
        let chances = Chances { half, scale };
        let each = seen.iter().map(|(score, points)| {
            let [win, loss] = chances.shares(*score);
            let chance = if *points == 1.0 {
                win
            } else if *points == 0.0 {
                loss
            } else {
                1.0 - win - loss
            };
            -chance.max(1e-9).ln()
        });
        each.sum::<f64>()
    };
    let best_half = |scale: f64| minimum(0.0, 1000.0, |half| surprise(half, scale));
    let scale = minimum(10.0, 1000.0, |scale| surprise(best_half(scale), scale));
    Chances { half: best_half(scale), scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Side};
    use crate::eval::stage::{STAGES, Stage};
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, International};

    /// Random positions of all phases in which a man more decides two games of three.
    fn samples<V: Variant>() -> Samples {
        let mut rng = Rng::new(9);
        let mut sample = || {
            let start = Position::<V>::start();
            let eighths = 2 + rng.below(6);
            let mut side = |side: Side| {
                let men = start.pieces(side);
                men.filter(|_| rng.below(8) < eighths).collect::<Bitboard>()
            };
            let pieces = [side(Side::White), side(Side::Black)];
            let kings = (rng.below(3) == 0).then(|| (pieces[0] | pieces[1]).filter(|_| rng.below(6) == 0).collect());
            let ahead = pieces[0].count() as f32 - pieces[1].count() as f32;
            Sample { pieces, kings: kings.unwrap_or(Bitboard::EMPTY), target: (0.5 + ahead / 6.0).clamp(0.0, 1.0) }
        };
        let fit = (0..4000).map(|_| sample()).collect();
        let held_out: Vec<_> = (0..1000).map(|_| sample()).collect();
        let held_out_points = held_out.iter().map(|sample| (2.0 * sample.target).round() / 2.0).collect();
        Samples { fit, held_out, held_out_points, score_scale: 100.0 }
    }

    fn check<V: Variant>() {
        let samples = samples::<V>();
        let mut model = Model::new::<V>(1);
        let order: Vec<_> = samples.fit.iter().collect();
        let first = model.loss::<V>(&samples.held_out);
        for _ in 0..3 {
            order.chunks(100).for_each(|batch| _ = model.learn::<V>(batch, 0.05));
        }
        assert!(model.loss::<V>(&samples.held_out) < first - 0.02);
        let weights = weights::<V>(&model, &samples, Manifest { seed: 7, ..Manifest::default() });
        let unit = 100.0 / man::<V>(&model, &samples.held_out);
        let again = Model::of_weights::<V>(&weights, f64::from(unit));
        let (mut worth, mut stages, mut by_network) = (Vec::new(), [false; STAGES], 0);
        for sample in &samples.held_out {
            let position = sample.position::<V>();
            let (found, expected) = (weights.evaluate(&position), model.output::<V>(sample) * unit);
            // Each of some dozen weights is rounded to a sixteenth, the value to a whole; the network adds hundredths.
            assert!((found as f32 - expected).abs() < 2.0, "{found} {expected}");
            let started = again.output::<V>(sample) * unit;
            assert!((found as f32 - started).abs() < 2.0, "{found} {started}");
            stages[Stage::of(phase(&position)).number] = true;
            let groups = weights.groups(&position);
            by_network += usize::from(groups.iter().any(|(name, value)| *name == "network" && value[0] != 0));
            let is_even = sample.pieces[0].count() == sample.pieces[1].count() && sample.kings.is_empty();
            if is_even && MIDDLEGAME.contains(&phase(&position)) {
                for man in sample.pieces[0] {
                    let fewer = Sample { pieces: [sample.pieces[0].without(man.into()), sample.pieces[1]], ..*sample };
                    worth.push(f64::from(found - weights.evaluate(&fewer.position::<V>())));
                }
            }
        }
        assert_eq!(stages, [true; STAGES]);
        assert!(by_network * 2 > samples.held_out.len(), "the network adds to the value of {by_network}");
        let mean = worth.iter().sum::<f64>() / worth.len() as f64;
        assert!((mean - 100.0).abs() < 10.0, "a man is worth {mean}");
        assert_eq!(weights.manifest.seed, 7);
        let [win, loss] = weights.manifest.chances.shares(100.0);
        assert!(win > loss, "{:?}", weights.manifest.chances);
    }

    #[test]
    fn the_engine_plays_with_what_was_learned() {
        check::<International>();
        check::<Brazilian>();
    }
}
