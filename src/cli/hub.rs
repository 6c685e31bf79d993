//! `meerslag hub`.

use std::io;

use anyhow::Context;

use crate::cli::UsageError;
use crate::cli::engine_args::{EngineArgs, ForSession};
use crate::engine;
use crate::protocol::hub::session;

/// Speak the Hub protocol on standard input and output, for GUIs and bots.
///
/// Flags set the parameters that the GUI finds declared; it may change them. Arguments that are no
/// parameters are ignored.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs<ForSession>,
    /// Anything else.
    #[arg(hide = true, allow_hyphen_values = true)]
    ignored: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  meerslag hub
  meerslag hub --variant brazilian --threads 2 --hash 512
  meerslag hub --log-file meerslag.log";

impl Args {
    /// Converses until the GUI says `quit` or closes the input.
    pub fn run(mut self) -> anyhow::Result<()> {
        self.engine.set_known(&self.ignored).map_err(|error| UsageError(error.to_string()))?;
        session::run(io::stdin(), io::stdout(), self.engine.params, engine::create).context("Hub session")
    }
}
