//! The command line: one file a command.
//!
//! Exit codes: 0 for success, 1 for a job that failed, 2 for bad usage. Errors go to stderr.

mod analyze;
pub mod bench;
mod datagen;
mod dxp;
mod egdb;
mod engine_args;
mod eval;
mod hub;
#[path = "match.rs"]
mod matches;
mod options;
mod perft;
mod play;
mod score;
mod sprt;
mod train;
mod watch;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use serde::Serialize;

/// Declares the commands: a row is all that a module with `Args` and `Args::run` needs.
macro_rules! commands {
    ($( $name:ident: $module:ident; )+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $( $name($module::Args), )+
        }

        impl Command {
            fn run(self) -> anyhow::Result<()> {
                match self {
                    $( Self::$name(args) => args.run(), )+
                }
            }
        }
    };
}

commands! {
    Hub: hub;
    Dxp: dxp;
    Play: play;
    Analyze: analyze;
    Eval: eval;
    Match: matches;
    Sprt: sprt;
    Bench: bench;
    Perft: perft;
    Egdb: egdb;
    Datagen: datagen;
    Train: train;
}

/// A draughts engine: International, Brazilian, Russian, Frisian, Killer, Breakthrough and Losing.
#[derive(Debug, Parser)]
#[command(name = "meerslag", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Without a command, `hub` is run if standard input is not a terminal.

Examples:
  meerslag hub                          speak the Hub protocol with a GUI
  meerslag hub --threads 4 --hash 256   the same with other parameters
  meerslag help hub                     all parameters
  meerslag dxp                          wait for another program to play against
  meerslag play --color black           play a game in the terminal
  meerslag analyze --time 10            search the start position

The environment variable RUST_LOG=debug writes a log to standard error.";

/// Bad usage found after the arguments were parsed; ends the process with code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Runs the command that the arguments of the process name.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let cli = Cli::parse();
    let done = match cli.command {
        Some(command) => command.run(),
        None if io::stdin().is_terminal() => Cli::command().print_help().map_err(Into::into),
        None => Command::Hub(hub::Args::default()).run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has had enough of it, as `head` has.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes a value as a line of JSON.
fn write_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }
}
