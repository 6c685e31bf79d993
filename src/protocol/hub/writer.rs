//! The one place that writes to the GUI.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::traffic::{Direction, TrafficLog};

/// Lines closer than this reach some clients as one packet, of which they read only the first line.
const GAP: Duration = Duration::from_millis(1);

/// Sends lines one by one and logs them.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    last: Option<Instant>,
    /// Where lines are logged.
    pub log: TrafficLog,
}

impl<W: Write> Writer<W> {
    /// A writer that does not log yet.
    pub fn new(output: W) -> Self {
        Self { output, last: None, log: TrafficLog::without_file("hub") }
    }

    /// Sends a line, some time after the one before.
    ///
    /// # Errors
    /// If the GUI no longer reads.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let wait = self.last.and_then(|last| GAP.checked_sub(last.elapsed()));
        if let Some(wait) = wait {
            thread::sleep(wait);
        }
        self.log.record(Direction::Out, line);
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()?;
        self.last = Some(Instant::now());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_paced_and_flushed() {
        let mut writer = Writer::new(Vec::new());
        let start = Instant::now();
        for line in ["a", "b", "c"] {
            writer.send(line).unwrap();
        }
        assert!(start.elapsed() >= 2 * GAP);
        assert_eq!(writer.output, b"a\nb\nc\n");
    }
}
