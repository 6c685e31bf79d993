//! Bytes to characters: UTF-8 where it is valid, else byte for byte.

/// What the bytes 0x80 to 0x9F stand for in Windows code page 1252.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

/// Decodes text of unknown encoding; never fails. Old files in other one-byte encodings keep their
/// length, if not their letters.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(decode_byte).collect(),
    }
}

fn decode_byte(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The words of a text with single blanks between them.
pub fn collapse_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(decode("Jöran – ×".as_bytes()), "Jöran – ×");
        assert_eq!(decode(b"J\xf6ran \x96 \xd7 \x80 \xbd"), "Jöran – × € ½");
        assert_eq!(decode(b"\xc3"), "Ã");
        assert_eq!(collapse_blanks("  a\n\tb  c "), "a b c");
    }
}
