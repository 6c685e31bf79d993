//! Progress of a build on standard error.

use std::fmt;
use std::io::{self, IsTerminal};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, unbounded};

use crate::egdb::Monitor;
use crate::util::time::clock;

/// Where a build stands and when it may end.
struct Status<'a> {
    monitor: &'a Monitor,
    positions: u64,
    elapsed: Duration,
}

impl fmt::Display for Status<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(progress) = self.monitor.progress() else { return write!(f, "starting") };
        write!(f, "{}: ", progress.slice)?;
        match progress.plies {
            0 => write!(f, "first look")?,
            plies => write!(f, "{plies} plies")?,
        }
        let rate = progress.positions as f64 / self.elapsed.as_secs_f64();
        let percent = 100.0 * progress.positions as f64 / self.positions as f64;
        write!(f, ", {percent:.1} % of all, {:.2} million positions/s", rate / 1e6)?;
        if rate > 0.0 {
            let left = self.positions.saturating_sub(progress.positions) as f64 / rate;
            write!(f, ", {} left", clock(left))?;
        }
        Ok(())
    }
}

/// Shows progress while `work` runs, which solves so many positions: in place on a terminal, otherwise
/// as a line from time to time.
pub fn shown<T>(monitor: &Monitor, positions: u64, work: impl FnOnce() -> T) -> T {
    let terminal = io::stderr().is_terminal();
    let pause = if terminal { Duration::from_millis(500) } else { Duration::from_secs(10) };
    let started = Instant::now();
    // Nothing is ever sent: the channel is closed when the work is done.
    let (running, ended) = unbounded::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let status = Status { monitor, positions, elapsed: started.elapsed() }.to_string();
                if terminal { eprint!("\r{status:<79}") } else { eprintln!("{status}") }
            }
        });
        let done = work();
        drop(running);
        done
    })
}

/// A line of its own, over the progress that may stand on a terminal.
pub fn report(line: &str) {
    if io::stderr().is_terminal() { eprintln!("\r{line:<79}") } else { eprintln!("{line}") }
}
