//! The log file: every line received and sent, with its time.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::time::SystemTime;

use crate::util::date::DateTime;

/// A log file, or none.
#[derive(Debug, Default)]
pub struct TrafficLog(Option<File>);

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the GUI.
    In,
    /// To the GUI.
    Out,
    /// Neither: a remark.
    Note,
}

impl TrafficLog {
    /// Appends to the file `path`, or logs to none if it is empty.
    ///
    /// # Errors
    /// If the file cannot be opened for writing.
    pub fn open(path: &str) -> io::Result<Self> {
        if path.is_empty() {
            return Ok(Self(None));
        }
        OpenOptions::new().create(true).append(true).open(path).map(|file| Self(Some(file)))
    }

    /// Logs a line; a file that cannot be written any more is given up.
    pub fn record(&mut self, direction: Direction, text: &str) {
        let sign = match direction {
            Direction::In => '>',
            Direction::Out => '<',
            Direction::Note => '#',
        };
        log::debug!(target: "hub", "{sign} {text}");
        let Some(file) = &mut self.0 else { return };
        if let Err(error) = writeln!(file, "{} {sign} {text}", timestamp(SystemTime::now())) {
            log::warn!("log file: {error}");
            self.0 = None;
        }
    }
}

/// UTC to the millisecond, `2024-02-29T12:00:00.000Z`.
fn timestamp(time: SystemTime) -> String {
    let DateTime { year, month, day, hour, minute, second, millisecond } = time.into();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn timestamps() {
        let time = UNIX_EPOCH + Duration::from_millis(951_782_400_007);
        assert_eq!(timestamp(time), "2000-02-29T00:00:00.007Z");
    }

    #[test]
    fn an_unwritable_path_is_an_error() {
        assert!(TrafficLog::open("/nonexistent-folder/log").is_err());
        assert!(TrafficLog::open("").is_ok());
    }
}
