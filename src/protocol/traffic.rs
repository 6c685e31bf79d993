//! The log of a conversation: every line received and sent, with its time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use crate::util::date::DateTime;

/// Logs to the program's log, and to a file if there is one.
#[derive(Debug)]
pub struct TrafficLog {
    /// Name of the protocol.
    target: &'static str,
    /// The file and its path.
    file: Option<(File, PathBuf)>,
}

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the GUI or the peer.
    In,
    /// To it.
    Out,
    /// Neither: a remark.
    Note,
}

impl TrafficLog {
    /// A log without a file.
    pub const fn without_file(target: &'static str) -> Self {
        Self { target, file: None }
    }

    /// Appends to the file `path`, or logs to none if it is empty. `target` is the name of the protocol.
    ///
    /// # Errors
    /// If it is something else than a regular file or cannot be opened for writing.
    pub fn open(target: &'static str, path: &str) -> io::Result<Self> {
        if path.is_empty() {
            return Ok(Self::without_file(target));
        }
        // Opening a pipe waits for its reader; a link counts as what it leads to.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { target, file: Some((file, path.into())) })
    }

    /// Logs a line; a file that cannot be written any more is given up.
    pub fn record(&mut self, direction: Direction, text: &str) {
        let sign = match direction {
            Direction::In => '>',
            Direction::Out => '<',
            Direction::Note => '#',
        };
        log::debug!(target: self.target, "{sign} {text}");
        let Some((file, path)) = &mut self.file else { return };
        if let Err(error) = writeln!(file, "{} {sign} {text}", timestamp(SystemTime::now())) {
            log::warn!("log file `{}` ends here: {error}", path.display());
            self.file = None;
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
        assert!(TrafficLog::open("hub", "/nonexistent-folder/log").is_err());
        assert!(TrafficLog::open("hub", "").is_ok());
    }

    #[test]
    fn only_a_regular_file_is_written() {
        let error = TrafficLog::open("hub", &std::env::temp_dir().display().to_string()).unwrap_err();
        assert_eq!(error.to_string(), "not a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_does_not_block() {
        let path = std::env::temp_dir().join(format!("meerslag-pipe-{}", std::process::id()));
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let opened = TrafficLog::open("hub", &path.display().to_string());
        fs::remove_file(&path).unwrap();
        assert_eq!(opened.unwrap_err().to_string(), "not a regular file");
        assert_eq!(TrafficLog::open("hub", "/dev/null").unwrap_err().to_string(), "not a regular file");
    }
}
