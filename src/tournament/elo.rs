//! Ratings from results.
//!
//! Results are counted by their score, lowest first: `[losses, draws, wins]` (trinomial), or pairs of
//! games with the same opening and colors exchanged by their points, `[0, 1/2, 1, 3/2, 2]`
//! (pentanomial). Pairs are what the statistics are made of: the two games of a pair depend on each
//! other through their opening, and the variance of pairs knows that.

use std::f64::consts::PI;

use serde::Serialize;

/// What turns a normalized score into normalized Elo: 800 / ln 10.
pub const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;
/// Standard deviations on each side of a 95 % interval.
const Z95: f64 = 1.959_963_985;

/// The share of points expected from a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The largest difference in Elo that is told: none and all of the points are no more than this.
pub const MOST_ELO: f64 = 4000.0;

/// The difference in Elo that explains a share of points.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    (400.0 * (score / (1.0 - score)).log10()).clamp(-MOST_ELO, MOST_ELO)
}

/// The distribution function of the normal distribution.
///
/// Abramowitz and Stegun, formula 26.2.17; the error is below 1e-7.
pub fn normal_cdf(x: f64) -> f64 {
    const B: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = B.iter().rev().fold(0.0, |sum, b| (sum + b) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * PI).sqrt() * series;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

/// Mean and variance of counted results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Number of results.
    pub trials: f64,
    /// Mean share of points.
    pub mean: f64,
    /// Variance of one result.
    pub variance: f64,
    /// Games that one result stands for.
    pub games: f64,
}

impl Moments {
    /// The moments of results counted by score, as weights that need not be whole; none if there are none.
    fn of_weights(counts: &[f64]) -> Option<Self> {
        let trials: f64 = counts.iter().sum();
        let top = (counts.len() - 1) as f64;
        let sum = |f: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(index, count)| count * f(index as f64 / top)).sum::<f64>() / trials
        };
        if trials <= 0.0 {
            return None;
        }
        let mean = sum(&|score| score);
        let variance = sum(&|score| (score - mean).powi(2));
        Some(Self { trials, mean, variance, games: top / 2.0 })
    }

    /// Standard deviation of one game.
    pub fn deviation_per_game(&self) -> f64 {
        (self.variance * self.games).sqrt()
    }
}

/// The weights of counted results. Results that are all alike have no variance, as if their mean were certain; so half
/// a result of every other kind is added to them.
fn with_spread(counts: &[u64]) -> Vec<f64> {
    const UNSEEN: f64 = 0.5;
    let kinds = counts.iter().filter(|count| **count > 0).count();
    let least = if kinds == 1 { UNSEEN } else { 0.0 };
    counts.iter().map(|count| (*count as f64).max(least)).collect()
}

/// A difference in strength with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Logistic Elo.
    pub elo: f64,
    /// Ends of the 95 % interval of the Elo.
    pub interval: (f64, f64),
    /// Normalized Elo: the share of points in standard deviations of one game, on the scale of Elo.
    pub normalized: f64,
    /// Half of its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority: how probable it is that the difference is above zero.
    pub los: f64,
}

impl Estimate {
    /// The estimate from results counted by score; none if there are none. All numbers are finite.
    pub fn of(counts: &[u64]) -> Option<Self> {
        let moments = Moments::of_weights(&with_spread(counts))?;
        let error = (moments.variance / moments.trials).sqrt();
        let at = |deviations: f64| elo_of_score(moments.mean + deviations * error);
        let ratio = |deviation: f64| (moments.mean - 0.5) / deviation;
        Some(Self {
            elo: at(0.0),
            interval: (at(-Z95), at(Z95)),
            normalized: ratio(moments.deviation_per_game()) * NORMALIZED,
            normalized_error: Z95 * NORMALIZED / (moments.trials * moments.games).sqrt(),
            los: normal_cdf(ratio(error)),
        })
    }

    /// Half of the 95 % interval of the Elo.
    pub fn error(&self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.006 + 1e-3 * expected.abs(), "{found} instead of {expected}");
    }

    // Published values: the test suite of fastchess, a match runner for chess (Disservin/fastchess,
    // app/tests/elo_test.cpp), which gives wins, losses, draws, or its pairs from LL to WW.

    #[test]
    fn trinomial_as_published() {
        for (counts, normalized, error, los) in [
            ([89, 123, 76], -20.76, 40.13, 0.1553),
            ([96, 111, 136], 49.77, 36.77, 0.9960),
            ([356, 0, 34], -508.44, 34.48, 0.0),
        ] {
            let estimate = Estimate::of(&counts).unwrap();
            close(estimate.normalized, normalized);
            close(estimate.normalized_error, error);
            assert!((estimate.los - los).abs() < 1e-4, "{}", estimate.los);
        }
        let estimate = Estimate::of(&[96, 111, 136]).unwrap();
        close(estimate.elo, 40.70);
        close(estimate.error(), 30.43);
    }

    #[test]
    fn pentanomial_as_published() {
        for (counts, elo, error, normalized, normalized_error) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ] {
            let estimate = Estimate::of(&counts).unwrap();
            close(estimate.elo, elo);
            close(estimate.error(), error);
            close(estimate.normalized, normalized);
            close(estimate.normalized_error, normalized_error);
        }
        assert!((Estimate::of(&[332, 433, 498, 333, 334]).unwrap().los - 0.0505).abs() < 1e-4);
    }

    /// mhouppin/stash-bot, pull request 179: 13.09 +- 6.75 and 16.02 +- 6.95 Elo, as OpenBench reports them.
    #[test]
    fn elo_of_openbench() {
        for (counts, elo, error) in [([56, 388, 875, 492, 75], 13.09, 6.75), ([11, 207, 716, 284, 30], 16.02, 6.95)] {
            let estimate = Estimate::of(&counts).unwrap();
            close(estimate.elo, elo);
            close(estimate.error(), error);
        }
    }

    #[test]
    fn extreme_results() {
        assert_eq!(Estimate::of(&[0, 0, 0]), None);
        for counts in [&[0, 0, 0, 0, 1][..], &[0, 0, 0, 0, 7], &[0, 0, 1, 0, 7], &[0, 0, 0, 0, 1_000_000], &[0, 0, 5]] {
            let Estimate { elo, interval: (low, high), normalized, normalized_error, los } =
                Estimate::of(counts).unwrap();
            assert!([low, high, normalized, normalized_error].iter().all(|number| number.is_finite()), "{counts:?}");
            assert!(low < elo && elo <= high && high <= MOST_ELO && los > 0.5, "{counts:?}");
        }
        // One pair tells little, more of them tell more.
        let los = |pairs| Estimate::of(&[0, 0, 0, 0, pairs]).unwrap().los;
        assert!(los(1) < 0.8 && los(2) < los(7) && los(7) < 1.0);
        let draws = Estimate::of(&[0, 0, 9, 0, 0]).unwrap();
        assert_eq!((draws.elo, draws.normalized, draws.los), (0.0, 0.0, normal_cdf(0.0)));
        assert!((10.0..100.0).contains(&draws.error()), "{draws:?}");
        let (won, lost) = (Estimate::of(&[0, 0, 5]).unwrap(), Estimate::of(&[5, 0, 0]).unwrap());
        assert!((won.elo + lost.elo).abs() < 1e-9);
        assert_eq!((elo_of_score(1.0), elo_of_score(0.0)), (MOST_ELO, -MOST_ELO));
    }

    #[test]
    fn the_normal_distribution() {
        // Tabulated values.
        for (x, p) in
            [(0.0, 0.5), (1.0, 0.841_344_75), (1.959_963_985, 0.975), (-2.326_347_87, 0.01), (4.0, 0.999_968_33)]
        {
            assert!((normal_cdf(x) - p).abs() < 1e-7, "{x}");
        }
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -3.0, 0.0, 55.5] {
            assert!((elo_of_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }
}
