//! Reads the GUI's lines on a thread of their own, so that none waits for the engine.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::command::HubError;

/// A line and when it came.
#[derive(Debug)]
pub struct Received {
    /// When the line had been read.
    pub at: Instant,
    /// Its text without the line end; bytes that are no UTF-8 are replaced.
    pub text: Result<String, HubError>,
}

/// Longest line read; a game of several hundred moves has a few thousand bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// Sends every line of `input` to `lines`, which is dropped at the end of input.
///
/// # Errors
/// If no thread can be started.
pub fn spawn<R: Read + Send + 'static>(input: R, lines: Sender<Received>) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let read_all = move || {
        while let Ok(Some(text)) = read_line(&mut input) {
            if lines.send(Received { at: Instant::now(), text }).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("hub-reader".into()).spawn(read_all).map(drop)
}

/// The next line; `None` at the end of input. A line without an end counts.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, HubError>>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() == LONGEST_LINE && line.last() != Some(&b'\n') {
        skip_line(input)?;
        return Ok(Some(Err(HubError::TooLong(LONGEST_LINE))));
    }
    let text = String::from_utf8_lossy(&line);
    Ok(Some(Ok(text.trim_end_matches(['\r', '\n']).into())))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (length, ended) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<Result<String, HubError>> {
        let mut input = BufReader::new(bytes);
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn all_line_ends() {
        let lines: Vec<_> = read(b"hub\r\n\n\xff\x00\nquit").into_iter().map(Result::unwrap).collect();
        assert_eq!(lines, ["hub", "", "\u{fffd}\0", "quit"]);
    }

    #[test]
    fn an_endless_line_is_skipped() {
        let mut bytes = vec![b'x'; 3 * LONGEST_LINE];
        bytes.extend(b"\nping\n");
        assert_eq!(read(&bytes), [Err(HubError::TooLong(LONGEST_LINE)), Ok("ping".into())]);
    }
}
