//! The lines that a person types.

use std::io::{self, BufRead};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// The lines of standard input, whatever their encoding, until its end or an error. They are read
/// elsewhere, so that one can wait for something else as well.
pub fn lines() -> Receiver<io::Result<String>> {
    let (sender, lines) = bounded(1);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = match input.read_until(b'\n', &mut line) {
                Ok(0) => return,
                read => read.map(|_| String::from_utf8_lossy(&line).into_owned()),
            };
            let failed = read.is_err();
            if sender.send(read).is_err() || failed {
                return;
            }
        }
    });
    lines
}
