//! Bytes of a stream to the bytes of messages, whatever the packets in which they come.

use super::message::MessageError;

/// More than any message has, and than any program was seen to send: the protocol allows 127.
pub const LONGEST: usize = 256;

/// Collects bytes until the zero that ends a message. Holds no more than [`LONGEST`] of them.
#[derive(Debug, Default)]
pub struct Frames {
    begun: Vec<u8>,
    /// Whether the message is too long, so that the rest of it is skipped.
    skips: bool,
}

impl Frames {
    /// Whether a message has begun that has not ended.
    pub fn is_within_message(&self) -> bool {
        self.skips || !self.begun.is_empty()
    }

    /// Takes bytes as they came; `each` gets every message that they end, and one error for each
    /// message that is too long. It tells whether to go on.
    pub fn take(&mut self, bytes: &[u8], mut each: impl FnMut(Result<&[u8], MessageError>) -> bool) -> bool {
        for &byte in bytes {
            let goes_on = match byte {
                0 => {
                    let ended = std::mem::take(&mut self.skips) || each(Ok(&self.begun));
                    self.begun.clear();
                    ended
                }
                _ if self.skips => true,
                _ if self.begun.len() == LONGEST => {
                    self.skips = true;
                    let begin = self.begun[..self.begun.len().min(40)].escape_ascii().to_string();
                    self.begun.clear();
                    each(Err(MessageError::TooLong(begin)))
                }
                _ => {
                    self.begun.push(byte);
                    true
                }
            };
            if !goes_on {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames<'a>(packets: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut frames = Frames::default();
        let mut found = Vec::new();
        for packet in packets {
            frames.take(packet, |frame| {
                found.push(frame.map_or_else(|error| error.to_string(), |frame| frame.escape_ascii().to_string()));
                true
            });
        }
        found
    }

    #[test]
    fn packets_do_not_matter() {
        let stream = b"E00\0\0CHello\0M00";
        let expected = ["E00", "", "CHello"];
        assert_eq!(frames([&stream[..]]), expected);
        assert_eq!(frames(stream.chunks(1)), expected);
        assert_eq!(frames(stream.chunks(5)), expected);
    }

    #[test]
    fn an_endless_message_is_told_once_and_skipped() {
        let stream = [&b"x".repeat(100 * LONGEST)[..], b"\0E00\0"].concat();
        let found = frames(stream.chunks(7));
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("message without an end: `xxx"), "{}", found[0]);
        assert_eq!(found[1], "E00");
        let longest = [&b"x".repeat(LONGEST)[..], b"\0"].concat();
        assert_eq!(frames([&longest[..]]), ["x".repeat(LONGEST)]);
    }

    #[test]
    fn memory_is_bounded() {
        let mut frames = Frames::default();
        assert!(!frames.is_within_message());
        for _ in 0..1000 {
            frames.take(&[b'x'; 1000], |_| true);
        }
        assert!(frames.is_within_message() && frames.begun.capacity() <= 2 * LONGEST);
        frames.take(b"\0", |_| true);
        assert!(!frames.is_within_message());
    }

    #[test]
    fn whoever_has_enough_gets_no_more() {
        let mut count = 0;
        let goes_on = Frames::default().take(b"E00\0E00\0E00\0", |_| {
            count += 1;
            count < 2
        });
        assert_eq!((goes_on, count), (false, 2));
    }
}
