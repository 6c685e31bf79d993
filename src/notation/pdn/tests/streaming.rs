//! Files that are large or break off.

use std::io::{BufReader, Read};

use super::{EXAMPLE, Games};
use crate::notation::pdn::Reader;
use crate::variant::International;

/// A file of `left` copies of a game that is never there as a whole.
struct Copies {
    left: usize,
    at: usize,
}

impl Read for Copies {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let rest = &EXAMPLE.as_bytes()[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        if self.at == EXAMPLE.len() {
            (self.left, self.at) = (self.left - 1, 0);
        }
        Ok(count)
    }
}

#[test]
fn a_large_file_is_streamed() {
    let copies = 20_000_000 / EXAMPLE.len() / 4;
    let mut source = BufReader::with_capacity(4096, Copies { left: copies, at: 0 });
    let mut reader = Reader::<International, _>::new(source.by_ref());
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_ok());
    drop(reader);
    // Two games have been asked for: no more than the buffer was read ahead.
    let read = (copies - source.get_ref().left) * EXAMPLE.len();
    assert!(read < 2 * EXAMPLE.len() + 4096, "{read} bytes read");
    let rest = Reader::<International, _>::new(source)
        .filter(|game| game.as_ref().is_ok_and(|game| game.line.moves.len() == 5));
    assert!(rest.count() >= copies - 3);
}

#[test]
fn a_broken_file_ends_with_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let file = BufReader::new("32-28 * 31-".as_bytes().chain(Broken));
    assert!(file.buffer().is_empty());
    let games: Games<International> = Reader::new(file).collect();
    assert_eq!(games.len(), 2);
    assert!(
        games[1].as_ref().unwrap_err().to_string().contains("game 2, line 1, column 12: cannot read: disk on fire")
    );
}
