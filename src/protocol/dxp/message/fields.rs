//! Pieces of messages.

use super::LONGEST_NAME;

/// What is left to read of a message.
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next `length` bytes.
    pub fn take(&mut self, what: &str, length: usize) -> Result<&'a [u8], String> {
        let (field, rest) = self.0.split_at_checked(length).ok_or_else(|| format!("no room for the {what}"))?;
        self.0 = rest;
        Ok(field)
    }

    /// The next `length` bytes as a whole number; they are taken even if they are none.
    pub fn number(&mut self, what: &str, length: usize) -> Result<u32, String> {
        let field = self.take(what, length)?;
        whole_number(field).ok_or_else(|| format!("the {what} `{}` is no number", readable(field)))
    }
}

/// Digits as a number; blanks around them do not count.
pub(super) fn whole_number(field: &[u8]) -> Option<u32> {
    let digits = field.trim_ascii();
    let all_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    all_digits.then(|| std::str::from_utf8(digits).ok()?.parse().ok()).flatten()
}

/// A name padded with blanks to its length.
pub(super) fn name_field(name: &str) -> String {
    let name = ascii(name.trim_start(), LONGEST_NAME);
    format!("{name:<LONGEST_NAME$}")
}

/// The text as printable ASCII of at most `longest` characters.
pub(super) fn ascii(text: &str, longest: usize) -> String {
    let letter = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    text.chars().take(longest).map(letter).collect()
}

/// Text of a peer for people: no control characters, no blanks at either end.
pub(super) fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The beginning of a message for people, with everything unusual escaped.
pub(super) fn readable(bytes: &[u8]) -> String {
    const MOST: usize = 100;
    let shown = bytes[..bytes.len().min(MOST)].escape_ascii().to_string();
    if bytes.len() > MOST { shown + "..." } else { shown }
}
