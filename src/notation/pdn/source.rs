//! Bytes one by one, with their place.

use std::io::{self, BufRead, ErrorKind};

/// A place in a file, both counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column, in characters where the text is UTF-8.
    pub column: usize,
}

/// Bytes of a file: line ends are always `\n`, a byte-order mark is dropped.
pub struct Source<R> {
    reader: R,
    /// Bytes read ahead, the next one at the end.
    ahead: Vec<u8>,
    place: Place,
    started: bool,
    /// Whether the last byte read was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
}

impl<R: BufRead> Source<R> {
    /// The bytes of `reader` from here on.
    pub fn new(reader: R) -> Self {
        Self { reader, ahead: Vec::new(), place: Place { line: 1, column: 1 }, started: false, after_return: false }
    }

    /// Where the next byte stands.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next byte, which stays.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.ahead.is_empty() {
            let Some(byte) = self.read()? else { return Ok(None) };
            self.ahead.push(byte);
        }
        Ok(self.ahead.last().copied())
    }

    /// Takes the next byte.
    pub fn take(&mut self) -> io::Result<Option<u8>> {
        let byte = match self.ahead.pop() {
            Some(byte) => Some(byte),
            None => self.read()?,
        };
        match byte {
            Some(b'\n') => self.place = Place { line: self.place.line + 1, column: 1 },
            // Further bytes of a UTF-8 character do not count.
            Some(0x80..=0xbf) | None => {}
            Some(_) => self.place.column += 1,
        }
        Ok(byte)
    }

    /// Puts back a byte just taken that is neither a line end nor a part of a longer character.
    pub fn put_back(&mut self, byte: u8) {
        self.ahead.push(byte);
        self.place.column -= 1;
    }

    fn read(&mut self) -> io::Result<Option<u8>> {
        if !self.started {
            self.started = true;
            self.skip_byte_order_mark()?;
            if let Some(byte) = self.ahead.pop() {
                return Ok(Some(byte));
            }
        }
        let after_return = std::mem::take(&mut self.after_return);
        let mut byte = self.raw()?;
        if after_return && byte == Some(b'\n') {
            byte = self.raw()?;
        }
        self.after_return = byte == Some(b'\r');
        Ok(byte.map(|byte| if byte == b'\r' { b'\n' } else { byte }))
    }

    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        const MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
        let mut head = Vec::new();
        while head.len() < MARK.len() && MARK.starts_with(&head) {
            let Some(byte) = self.raw()? else { break };
            head.push(byte);
        }
        if head == MARK {
            return Ok(());
        }
        self.after_return = head.last() == Some(&b'\r');
        self.ahead.extend(head.into_iter().rev().map(|byte| if byte == b'\r' { b'\n' } else { byte }));
        Ok(())
    }

    fn raw(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.reader.fill_buf() {
                Ok(buffer) => {
                    let byte = buffer.first().copied();
                    self.reader.consume(byte.is_some().into());
                    return Ok(byte);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> (String, Place) {
        let mut source = Source::new(bytes);
        let mut text = Vec::new();
        while let Some(byte) = source.peek().unwrap() {
            assert_eq!(source.take().unwrap(), Some(byte));
            text.push(byte);
        }
        assert_eq!(source.take().unwrap(), None);
        (String::from_utf8(text).unwrap(), source.place())
    }

    #[test]
    fn line_ends_and_marks() {
        let at = |line, column| Place { line, column };
        assert_eq!(all(b"a\r\nb\rc\nd"), ("a\nb\nc\nd".into(), at(4, 2)));
        assert_eq!(all(b"\r\r\n\rx\r"), ("\n\n\nx\n".into(), at(5, 1)));
        assert_eq!(all("\u{feff}é1".as_bytes()), ("é1".into(), at(1, 3)));
        assert_eq!(all(b""), (String::new(), at(1, 1)));
        assert_eq!(Source::new(&b"\xef\xbb"[..]).peek().unwrap(), Some(0xef));
        assert_eq!(Source::new(&b"\xefa"[..]).peek().unwrap(), Some(0xef));
    }
}
