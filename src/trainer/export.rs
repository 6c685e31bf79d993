//! From a model to the integers that the engine plays with.

use super::minimum::minimum;
use super::model::Model;
use super::samples::{Sample, Samples};
use crate::board::Bitboard;
use crate::eval::patterns::Patterns;
use crate::eval::weights::{Chances, Manifest, Pair, UNIT, Weights};
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
    let pair = |value: [f32; 2]| value.map(|value| (value * scale).round() as i16);
    let counted: Vec<Pair> = model.counted().map(pair).collect();
    let rectangles: Vec<Pair> = model.rectangles().map(pair).collect();
    debug_assert_eq!(rectangles.len() % V::Board::RECTANGLES, 0, "all rectangles have as many indices");
    let weights = Weights::new::<V>(counted.clone(), rectangles.clone(), Manifest::default());
    let chances = chances::<V>(&weights, samples);
    Weights::new::<V>(counted, rectangles, Manifest { chances, ..manifest })
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
        let share = |score: f64| 1.0 / (1.0 + ((half - score) / scale).exp());
        let each = seen.iter().map(|(score, points)| {
            let (win, loss) = (share(*score), share(-score));
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
