//! The sequential probability ratio test: a match that ends as soon as it has decided between two
//! differences in strength.
//!
//! The log-likelihood ratio (LLR) of the two hypotheses is compared with two bounds after every pair of games.
//! Nothing is assumed of the distribution of results but its mean, so each hypothesis is
//! represented by the most likely distribution that has this mean (a generalized SPRT): M. Van den Bergh,
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1; for normalized Elo,
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section 4.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::tournament::elo::{NORMALIZED, expected_score};
use crate::tournament::likelihood::{llr_of, with_mean, with_ratio};
use crate::tournament::text::{ListError, pairs, value};

/// The scale on which the hypotheses are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// The usual Elo.
    #[default]
    Logistic,
    /// Normalized Elo, which makes the length of a match independent of the draw rate.
    Normalized,
}

impl EloModel {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        }
    }
}

impl EloModel {
    /// The largest difference in a hypothesis. A large ratio of mean and deviation leaves no distribution to compare.
    const fn most_elo(self) -> f64 {
        match self {
            Self::Logistic => 2000.0,
            Self::Normalized => 200.0,
        }
    }
}

impl FromStr for EloModel {
    type Err = ListError;
    fn from_str(text: &str) -> Result<Self, ListError> {
        let models = [Self::Logistic, Self::Normalized];
        models.into_iter().find(|model| model.name() == text).ok_or_else(|| ListError::bad_value("model", text))
    }
}

/// A test of the hypothesis "the difference is `elo1`" against "it is `elo0`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sprt {
    /// The difference in strength under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
    /// Probability of accepting the alternative when the null hypothesis holds.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis when the alternative holds.
    pub beta: f64,
    /// The scale of the two differences.
    pub model: EloModel,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic }
    }
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The null hypothesis is accepted.
    H0,
    /// The alternative is accepted.
    H1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Below this the null hypothesis is accepted.
    pub lower: f64,
    /// Above this the alternative is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

/// A test that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The text cannot be read.
    #[error(transparent)]
    List(#[from] ListError),
    /// The hypotheses are the same or exchanged.
    #[error("elo0 ({0}) must be below elo1 ({1})")]
    Hypotheses(f64, f64),
    /// An error rate that is none.
    #[error("{0} must be above 0 and below 0.5, it is {1}")]
    Rate(&'static str, f64),
    /// A difference that is none.
    #[error("{0} must be a number between -{2} and {2}, it is {1}")]
    Elo(&'static str, f64, f64),
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; what is missing has its default.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut sprt = Self::default();
        for (name, text) in pairs(text)? {
            match name.as_str() {
                "elo0" => sprt.elo0 = value(&name, &text)?,
                "elo1" => sprt.elo1 = value(&name, &text)?,
                "alpha" => sprt.alpha = value(&name, &text)?,
                "beta" => sprt.beta = value(&name, &text)?,
                "model" => sprt.model = text.parse()?,
                _ => return Err(ListError::UnknownName(name).into()),
            }
        }
        sprt.check()?;
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={}", model.name())
    }
}

/// The weight given to a score that has not occurred: the likelihood needs every score to be possible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// Whether this is a test.
    ///
    /// # Errors
    /// If the hypotheses or the error rates make no sense.
    pub fn check(&self) -> Result<(), SprtError> {
        for (name, rate) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate(name, rate));
            }
        }
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            let most = self.model.most_elo();
            if !(-most..=most).contains(&elo) {
                return Err(SprtError::Elo(name, elo, most));
            }
        }
        if self.elo0 < self.elo1 { Ok(()) } else { Err(SprtError::Hypotheses(self.elo0, self.elo1)) }
    }

    /// Wald's bounds of the log-likelihood ratio.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What results counted by score (see [`elo`](crate::tournament::elo)) say.
    pub fn state(&self, counts: &[u64]) -> SprtState {
        let llr = self.llr(counts);
        let (lower, upper) = self.bounds();
        let decision = match llr {
            _ if llr <= lower => Decision::H0,
            _ if llr >= upper => Decision::H1,
            _ => Decision::Continue,
        };
        SprtState { llr, lower, upper, decision }
    }

    /// The log-likelihood ratio of the alternative to the null hypothesis.
    pub fn llr(&self, counts: &[u64]) -> f64 {
        if counts.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let weights: Vec<f64> = counts.iter().map(|count| (*count as f64).max(UNSEEN)).collect();
        match self.model {
            EloModel::Logistic => {
                let chances = |elo| with_mean(&weights, expected_score(elo));
                llr_of(&weights, &chances(self.elo0), &chances(self.elo1))
            }
            EloModel::Normalized => {
                let chances = |elo| with_ratio(&weights, elo / NORMALIZED);
                llr_of(&weights, &chances(self.elo0), &chances(self.elo1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::likelihood::moments;
    use crate::util::rng::Rng;

    fn llr(elo0: f64, elo1: f64, model: EloModel, counts: &[u64]) -> f64 {
        Sprt { elo0, elo1, model, ..Sprt::default() }.llr(counts)
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.01 * expected.abs().max(1.0), "{found} instead of {expected}");
    }

    /// Disservin/fastchess, app/tests/sprt_test.cpp.
    #[test]
    fn values_of_fastchess() {
        let logistic = |elo0, elo1, counts: &[u64]| llr(elo0, elo1, EloModel::Logistic, counts);
        close(logistic(0.5, 2.5, &[21184, 40708, 21404]), -1.57);
        close(logistic(0.0, 2.0, &[57030, 106_593, 57433]), -2.59);
        close(logistic(0.5, 2.5, &[223, 9863, 20279 + 1000, 10037, 246]), -3.07);
        close(logistic(0.0, 2.0, &[871, 26175, 55003 + 980, 26678, 821]), -4.98);
        let normalized = |elo0, elo1, counts: &[u64]| llr(elo0, elo1, EloModel::Normalized, counts);
        close(normalized(0.0, 2.0, &[36027, 68692, 36433]), 0.92);
        close(normalized(-1.75, 0.25, &[10650, 20431, 10871]), 2.30);
        close(normalized(0.0, 2.0, &[365, 16618, 36029 + 200, 16974, 390]), 2.25);
        close(normalized(-1.75, 0.25, &[127, 4883, 10311 + 401, 5150, 104]), 3.01);
    }

    /// Tests that decided about changes of Stockfish, as its pull requests quote them: 2493 (both time
    /// controls) and 3098 with logistic bounds, 4493 with normalized ones; and of stash-bot, 179.
    #[test]
    fn values_of_known_tests() {
        close(llr(-1.0, 3.0, EloModel::Logistic, &[424, 2948, 5832, 3045, 460]), 2.94);
        close(llr(0.0, 2.0, EloModel::Logistic, &[1284, 17437, 55536, 18085, 1292]), 2.94);
        close(llr(-0.25, 1.25, EloModel::Logistic, &[491, 7345, 29693, 7670, 465]), 2.96);
        close(llr(0.0, 2.0, EloModel::Normalized, &[2002, 72968, 180_891, 74129, 2034]), 3.22);
        close(llr(0.5, 2.5, EloModel::Normalized, &[24, 7350, 23669, 7717, 28]), 2.94);
        close(llr(0.0, 5.0, EloModel::Normalized, &[56, 388, 875, 492, 75]), 2.95);
        close(llr(0.0, 5.0, EloModel::Normalized, &[11, 207, 716, 284, 30]), 2.99);
    }

    #[test]
    fn bounds_are_those_everyone_prints() {
        let (lower, upper) = Sprt::default().bounds();
        close(lower, -2.94);
        close(upper, 2.94);
        assert_eq!(Sprt::default().state(&[0; 5]).decision, Decision::Continue);
        assert_eq!(Sprt::default().llr(&[0; 5]), 0.0);
    }

    #[test]
    fn text_and_mistakes() {
        let sprt: Sprt = "elo0=-1,elo1=3,alpha=0.1,model=normalized".parse().unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-1.0, 3.0, 0.1, 0.05));
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
        assert_eq!("".parse(), Ok(Sprt::default()));
        assert_eq!("elo0=5".parse::<Sprt>(), Err(SprtError::Hypotheses(5.0, 5.0)));
        assert_eq!("alpha=0".parse::<Sprt>(), Err(SprtError::Rate("alpha", 0.0)));
        assert!("elo=5".parse::<Sprt>().is_err() && "elo0=x".parse::<Sprt>().is_err());
        assert_eq!("elo1=3000".parse::<Sprt>(), Err(SprtError::Elo("elo1", 3000.0, 2000.0)));
        assert!("elo1=300,model=normalized".parse::<Sprt>().is_err() && "elo0=-inf".parse::<Sprt>().is_err());
        assert!("model=bayes".parse::<Sprt>().is_err() && "elo0=nan".parse::<Sprt>().is_err());
    }

    /// Chances of the points of a pair with this mean: a distribution with many draws, tilted.
    fn chances(mean: f64) -> [f64; 5] {
        const EVEN: [f64; 5] = [0.03, 0.20, 0.54, 0.20, 0.03];
        let tilted = |tilt: f64| {
            let weights: Vec<f64> = EVEN.iter().enumerate().map(|(i, w)| w * (tilt * i as f64).exp()).collect();
            let sum: f64 = weights.iter().sum();
            std::array::from_fn(|i| weights[i] / sum)
        };
        let (mut low, mut high) = (-5.0, 5.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let found: f64 = tilted(middle).iter().enumerate().map(|(i, p): (usize, &f64)| p * i as f64 / 4.0).sum();
            if found < mean { low = middle } else { high = middle }
        }
        tilted(low)
    }

    /// How many of `matches` with this true mean accept the alternative, and their mean length in pairs.
    fn simulate(sprt: &Sprt, mean: f64, matches: u32, rng: &mut Rng) -> (u32, u64) {
        let chances = chances(mean);
        let (mut accepted, mut total) = (0, 0);
        for _ in 0..matches {
            let mut counts = [0; 5];
            let decision = loop {
                let mut draw = rng.next_u64() as f64 / u64::MAX as f64;
                let index = chances.iter().position(|chance| {
                    draw -= chance;
                    draw < 0.0
                });
                counts[index.unwrap_or(2)] += 1;
                total += 1;
                match sprt.state(&counts).decision {
                    Decision::Continue => {}
                    decision => break decision,
                }
            };
            accepted += u32::from(decision == Decision::H1);
        }
        (accepted, total / u64::from(matches))
    }

    /// A match that is won throughout tells more with every pair.
    #[test]
    fn lopsided_results_count_in_proportion() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let won = |pairs| llr(0.0, 5.0, model, &[0, 0, 0, 0, pairs]);
            assert!(won(1) > 0.005, "{}", won(1));
            close(won(1000) / won(100), 10.0);
            close(llr(-5.0, 0.0, model, &[100, 0, 0, 0, 0]) / won(100), -1.0);
        }
    }

    #[test]
    fn error_rates_hold_for_normalized_elo() {
        const EACH: u32 = 400;
        let sprt = Sprt { elo0: 0.0, elo1: 30.0, model: EloModel::Normalized, ..Sprt::default() };
        // The mean at which the distribution of the simulation has the normalized score of `elo1`.
        let ratio = |mean: f64| {
            let (mean, deviation) = moments(&chances(mean));
            (mean - 0.5) / deviation / 2f64.sqrt() * NORMALIZED
        };
        let (mut low, mut high) = (0.5, 0.7);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if ratio(middle) < sprt.elo1 { low = middle } else { high = middle }
        }
        let mut rng = Rng::new(2025);
        let (wrong, _) = simulate(&sprt, 0.5, EACH, &mut rng);
        let (right, _) = simulate(&sprt, low, EACH, &mut rng);
        // 5 % of 400 with a standard deviation of 4.4.
        assert!((5..=33).contains(&wrong), "{wrong} of {EACH} equal matches accepted");
        assert!((367..=395).contains(&right), "{right} of {EACH} won matches accepted");
    }

    #[test]
    fn error_rates_hold_in_two_thousand_matches() {
        const EACH: u32 = 1000;
        let sprt = Sprt { elo0: 0.0, elo1: 20.0, ..Sprt::default() };
        let mut rng = Rng::new(2024);
        let (wrong, pairs0) = simulate(&sprt, expected_score(0.0), EACH, &mut rng);
        let (right, pairs1) = simulate(&sprt, expected_score(20.0), EACH, &mut rng);
        // 5 % of 1,000 with a standard deviation of 6.9: three of them above, and not far too few.
        assert!((20..=70).contains(&wrong), "{wrong} of {EACH} equal matches accepted");
        assert!((930..=980).contains(&right), "{right} of {EACH} won matches accepted");
        assert!((100..1000).contains(&pairs0) && (100..1000).contains(&pairs1), "{pairs0} and {pairs1} pairs");
    }
}
