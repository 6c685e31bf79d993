//! `meerslag sprt`: what counted results say, without a match.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;

use crate::cli::{UsageError, write_json};
use crate::tournament::elo::Estimate;
use crate::tournament::report::{describe_estimate, describe_sprt};
use crate::tournament::sprt::{EloModel, Sprt};

/// Options of `sprt`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Calculate Elo and a sequential test from results",
    long_about = "Calculates Elo with its 95 % interval, normalized Elo, the likelihood of superiority and a sequential \
                  probability ratio test from counted results: three numbers are wins, draws and losses; five are \
                  pairs of games by their points, 0, 1/2, 1, 3/2 and 2.",
    after_help = "Examples:\n  \
                  meerslag sprt 136 96 111\n  \
                  meerslag sprt 34 54 63 64 75 --elo1 10\n  \
                  meerslag sprt 1284 17437 55536 18085 1292 --elo0 0 --elo1 2 --json"
)]
pub struct Args {
    /// WINS DRAWS LOSSES, or pairs with 0, 1/2, 1, 3/2 and 2 points
    #[arg(value_name = "COUNT", required = true, num_args = 3..=5)]
    counts: Vec<u64>,
    /// Difference under the null hypothesis
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Difference under the alternative
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting the alternative wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting the null hypothesis wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// Scale of the hypotheses: logistic or normalized
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    model: EloModel,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Prints the statistics.
    ///
    /// # Errors
    /// If the numbers make no sense.
    pub fn run(self) -> Result<()> {
        let Self { elo0, elo1, alpha, beta, model, .. } = self;
        let sprt = Sprt { elo0, elo1, alpha, beta, model };
        sprt.check().map_err(|error| UsageError(error.to_string()))?;
        let counts = match self.counts[..] {
            // The statistics count from the lowest score up.
            [wins, draws, losses] => vec![losses, draws, wins],
            [_, _, _, _, _] => self.counts,
            _ => return Err(UsageError("give three or five numbers".into()).into()),
        };
        let state = sprt.state(&counts);
        let estimate = Estimate::of(&counts).ok_or_else(|| UsageError("there are no results".into()))?;
        let mut out = io::stdout();
        if self.json {
            write_json(&mut out, &json!({ "estimate": estimate, "sprt": state }))?;
        } else {
            writeln!(out, "{}", describe_estimate(&estimate))?;
            writeln!(out, "{}", describe_sprt(&sprt, &state))?;
        }
        Ok(())
    }
}
