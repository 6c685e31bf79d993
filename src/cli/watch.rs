//! Searches that Ctrl-C can end.

use std::io;
use std::process;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, select, unbounded};

use crate::board::{Game, Move};
use crate::engine::Engine;
use crate::search::{Done, Info, Limits, Mode, Report};
use crate::variant::Variant;

/// What a shell reports of a process that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// How a search ended.
pub struct Ended {
    /// The move found.
    pub done: Done<Move>,
    /// Whether Ctrl-C was pressed.
    pub interrupted: bool,
}

/// Ctrl-C as a message; pressed again, it ends the process at once.
///
/// # Errors
/// If the system cannot watch for it.
pub fn interrupts() -> Result<Receiver<()>> {
    let (sender, interrupts) = unbounded();
    let mut again = false;
    let press = move || {
        // A send fails once the command is over: nobody needs to be told then.
        if std::mem::replace(&mut again, true) || sender.send(()).is_err() {
            process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(press).context("cannot watch for Ctrl-C")?;
    Ok(interrupts)
}

/// Searches the engine's game among `only` (all moves if empty) until a limit or Ctrl-C, and gives
/// `each` what is found.
///
/// # Errors
/// Those of `each`.
pub fn watch<V: Variant>(
    engine: &mut Engine<V>,
    (mode, limits): (Mode, Limits),
    only: &[Move],
    interrupts: &Receiver<()>,
    mut each: impl FnMut(&Game<V>, Info<Move>) -> io::Result<()>,
) -> io::Result<Ended> {
    let (sender, reports) = unbounded();
    engine.start(mode, limits, Instant::now(), only, Arc::new(move |report| drop(sender.send(report))));
    let mut interrupted = false;
    loop {
        select! {
            recv(interrupts) -> _ => {
                engine.stop();
                interrupted = true;
            }
            recv(reports) -> report => match report.expect("the last report is `Done`") {
                Report::Info(info) => each(&engine.game, info)?,
                Report::Done(done) => {
                    engine.wait();
                    return Ok(Ended { done, interrupted });
                }
            }
        }
    }
}
