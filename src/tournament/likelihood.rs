//! The most likely distribution of results under a hypothesis.
//!
//! Results are counted by their score, as [`elo`](super::elo) has them; the counts are weights above 0.

/// The scores that weights belong to, 0 to 1.
fn scores(weights: &[f64]) -> impl Iterator<Item = f64> {
    let top = (weights.len() - 1) as f64;
    (0..weights.len()).map(move |index| index as f64 / top)
}

/// The ratio of two distributions.
pub fn llr_of(weights: &[f64], chances0: &[f64], chances1: &[f64]) -> f64 {
    let chances = chances0.iter().zip(chances1);
    weights.iter().zip(chances).map(|(weight, (chance0, chance1))| weight * (chance1 / chance0).ln()).sum()
}

/// The most likely distribution for which the mean of `values` is 0: it divides the weight of a
/// value by `1 + multiplier * value`. There must be values on both sides of 0.
fn most_likely(weights: &[f64], values: &[f64]) -> Vec<f64> {
    let pairs = || weights.iter().zip(values);
    let excess = |multiplier: f64| -> f64 { pairs().map(|(w, value)| w * value / (1.0 + multiplier * value)).sum() };
    // The multiplier is the root of a function that falls between its poles.
    let (least, most) = values.iter().fold((0f64, 0f64), |(least, most), value| (least.min(*value), most.max(*value)));
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    // Sixty halvings exhaust the precision of the numbers.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let (multiplier, sum) = (f64::midpoint(low, high), weights.iter().sum::<f64>());
    pairs().map(|(weight, value)| weight / sum / (1.0 + multiplier * value)).collect()
}

/// The most likely distribution with this mean.
pub fn with_mean(weights: &[f64], mean: f64) -> Vec<f64> {
    let distances: Vec<f64> = scores(weights).map(|score| score - mean).collect();
    most_likely(weights, &distances)
}

/// Mean and standard deviation of a distribution.
pub fn moments(chances: &[f64]) -> (f64, f64) {
    let sum =
        |f: &dyn Fn(f64) -> f64| scores(chances).zip(chances).map(|(score, chance)| chance * f(score)).sum::<f64>();
    let mean = sum(&|score| score);
    (mean, sum(&|score| (score - mean).powi(2)).sqrt())
}

/// The most likely distribution with a normalized score: (mean - 1/2) over the standard deviation of a
/// game. Near a distribution, that is nearly a condition on a mean, which leads to a better distribution.
pub fn with_ratio(weights: &[f64], ratio: f64) -> Vec<f64> {
    /// Far more than it takes.
    const MOST_STEPS: usize = 100;
    const PRECISION: f64 = 1e-9;
    // A result of more than one game varies less.
    let ratio = ratio * ((weights.len() - 1) as f64 / 2.0).sqrt();
    let mut chances = vec![1.0 / weights.len() as f64; weights.len()];
    for _ in 0..MOST_STEPS {
        let (mean, deviation) = moments(&chances);
        let value = |score: f64| score - 0.5 - ratio * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0;
        let values: Vec<f64> = scores(weights).map(value).collect();
        let better = most_likely(weights, &values);
        let is_same = chances.iter().zip(&better).all(|(old, new)| (old - new).abs() < PRECISION);
        chances = better;
        if is_same {
            break;
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_have_their_normalized_score() {
        for counts in [[1.0, 1.0, 1.0, 1.0, 1.0], [1e-3, 3.0, 1000.0, 1.0, 1e-3], [1e-3, 1e-3, 1e-3, 1e-3, 50.0]] {
            for ratio in [-0.5, 0.0, 0.02, 0.5] {
                let (mean, deviation) = moments(&with_ratio(&counts, ratio));
                assert!((mean - 0.5 - ratio * 2f64.sqrt() * deviation).abs() < 1e-6, "{counts:?} {ratio}");
            }
        }
    }
}
