//! The words of a PDN file.

use std::io::{self, BufRead};

use crate::notation::movetext::split_strength;
use crate::notation::pdn::error::PdnProblem;
use crate::notation::pdn::source::{Place, Source};
use crate::notation::pdn::text::{collapse_blanks, decode};

/// Longest comment or tag that is kept, so that no file fills the memory.
const MAX_BYTES: usize = 1 << 20;
/// Longest word that is kept.
const MAX_WORD: usize = 1 << 10;
/// Characters of an offending text that an error shows.
const SHOWN: usize = 60;

/// One word of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it begins.
    pub place: Place,
    /// Whether an empty line stands before it.
    pub after_blank_line: bool,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `[Name "value"]`.
    Tag(String, String),
    /// `{...}`, `; ...` or `% ...`, with single blanks.
    Comment(String),
    /// `$6`.
    Nag(u8),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// The position in `/FEN "..."/`.
    Setup(String),
    /// `12.` or `12...`.
    Number(String),
    /// A move or a result, marks of strength included.
    Word(String),
    /// `*`.
    Star,
    /// `...` or `- -`: a move that is not given.
    Skip,
    /// Something else, with its text.
    Bad(PdnProblem, String),
}

/// Splits a file into words.
pub struct Lexer<R> {
    source: Source<R>,
    at_line_start: bool,
}

impl<R: BufRead> Lexer<R> {
    /// A lexer over the whole of `reader`.
    pub fn new(reader: R) -> Self {
        Self { source: Source::new(reader), at_line_start: true }
    }

    /// Where the next word begins, blanks apart.
    pub fn place(&self) -> Place {
        self.source.place()
    }

    /// The next word, `None` at the end.
    pub fn next_token(&mut self) -> io::Result<Option<Token>> {
        loop {
            let after_blank_line = self.skip_blanks()?;
            let place = self.source.place();
            let at_line_start = std::mem::take(&mut self.at_line_start);
            let Some(byte) = self.source.take()? else { return Ok(None) };
            let kind = match byte {
                b'[' => self.tag()?,
                b'{' => self.comment()?,
                b';' => self.line_comment()?,
                b'%' if at_line_start => self.line_comment()?,
                b'$' => self.nag()?,
                b'(' => Kind::Open,
                b')' => Kind::Close,
                b'/' => self.setup()?,
                b'}' => Kind::Bad(PdnProblem::StrayBrace, "}".into()),
                b'"' | b']' => Kind::Bad(PdnProblem::Character, char::from(byte).into()),
                b'.' => match self.dots()? {
                    // A lone dot is a remnant of a move number.
                    1 => continue,
                    _ => Kind::Skip,
                },
                _ => self.word(byte)?,
            };
            return Ok(Some(Token { kind, place, after_blank_line }));
        }
    }

    /// Skips blanks and line ends; returns whether they hold an empty line.
    fn skip_blanks(&mut self) -> io::Result<bool> {
        let mut line_ends = 0;
        while let Some(byte) = self.source.peek()?.filter(|byte| byte.is_ascii_whitespace() || *byte == 0) {
            self.source.take()?;
            self.at_line_start = byte == b'\n';
            line_ends += usize::from(byte == b'\n');
        }
        Ok(line_ends > 1)
    }

    /// Takes bytes while `keep` holds, storing at most [`MAX_BYTES`]; `Err` holds what was stored.
    fn take_while(&mut self, mut keep: impl FnMut(u8) -> bool) -> io::Result<Result<Vec<u8>, Vec<u8>>> {
        let mut bytes = Vec::new();
        let mut fits = true;
        while let Some(byte) = self.source.peek()?.filter(|byte| keep(*byte)) {
            self.source.take()?;
            fits = bytes.len() < MAX_BYTES;
            if fits {
                bytes.push(byte);
            }
        }
        Ok(if fits { Ok(bytes) } else { Err(bytes) })
    }

    /// A tag without its bracket; brackets and quotes within the value do no harm, as it ends the line
    /// or is followed by another tag.
    fn tag(&mut self) -> io::Result<Kind> {
        let mut quoted = false;
        let mut escaped = false;
        let inside = self.take_while(|byte| {
            let ends = byte == b'\n' || byte == b']' && !quoted;
            quoted ^= byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            !ends
        })?;
        let text = match inside {
            Ok(bytes) => decode(&bytes),
            Err(bytes) => return Ok(too_long(&bytes)),
        };
        let closed = self.source.peek()? == Some(b']');
        if closed {
            self.source.take()?;
        }
        // With an odd number of quotes the bracket was taken for a part of the value.
        let body = if closed { Some(text.as_str()) } else { text.trim_end().strip_suffix(']') };
        let tag = body.and_then(split_tag).map(|(name, value)| Kind::Tag(name, value));
        Ok(tag.unwrap_or_else(|| Kind::Bad(PdnProblem::Tag, shown(&format!("[{text}")))))
    }

    /// A comment up to its brace, without the first. One that a tag after an empty line cuts off was
    /// never closed: the next game is not swallowed.
    fn comment(&mut self) -> io::Result<Kind> {
        let mut bytes = Vec::new();
        let mut fits = true;
        let mut line_ends = 0;
        loop {
            let Some(byte) = self.source.take()? else {
                return Ok(Kind::Bad(PdnProblem::OpenComment, shown(&decode(&bytes))));
            };
            if byte == b'}' {
                break;
            }
            if byte == b'[' && line_ends > 1 && self.source.peek()?.is_some_and(|next| next.is_ascii_uppercase()) {
                self.source.put_back(byte);
                return Ok(Kind::Bad(PdnProblem::OpenComment, shown(&decode(&bytes))));
            }
            match byte {
                b'\n' => line_ends += 1,
                b' ' | b'\t' => {}
                _ => line_ends = 0,
            }
            fits = bytes.len() < MAX_BYTES;
            if fits {
                bytes.push(byte);
            }
        }
        Ok(if fits { Kind::Comment(collapse_blanks(&decode(&bytes))) } else { too_long(&bytes) })
    }

    /// A comment to the end of the line. A closing brace in it becomes a parenthesis, as when writing:
    /// no comment in braces can hold one.
    fn line_comment(&mut self) -> io::Result<Kind> {
        Ok(match self.take_while(|byte| byte != b'\n')? {
            Ok(bytes) => Kind::Comment(collapse_blanks(&decode(&bytes)).replace('}', ")")),
            Err(bytes) => too_long(&bytes),
        })
    }

    fn nag(&mut self) -> io::Result<Kind> {
        let digits = match self.take_while(|byte| byte.is_ascii_digit())? {
            Ok(bytes) => decode(&bytes),
            Err(bytes) => return Ok(too_long(&bytes)),
        };
        Ok(digits.parse().map_or_else(|_| Kind::Bad(PdnProblem::Nag, shown(&format!("${digits}"))), Kind::Nag))
    }

    /// A setup without its first slash.
    fn setup(&mut self) -> io::Result<Kind> {
        let text = match self.take_while(|byte| !matches!(byte, b'/' | b'\n'))? {
            Ok(bytes) => decode(&bytes),
            Err(bytes) => return Ok(too_long(&bytes)),
        };
        let closed = self.source.peek()? == Some(b'/');
        if closed {
            self.source.take()?;
        }
        let name = text.get(..3).filter(|name| name.eq_ignore_ascii_case("FEN") && closed);
        let value = name.and_then(|_| text[3..].trim().strip_prefix('"')?.strip_suffix('"'));
        Ok(match value {
            Some(fen) => Kind::Setup(fen.into()),
            None => Kind::Bad(PdnProblem::SetupForm, shown(&format!("/{text}"))),
        })
    }

    /// Takes further dots, with blanks between them if they are spaced; returns their number with the
    /// one taken.
    fn dots(&mut self) -> io::Result<usize> {
        let mut dots = 1;
        while self.source.peek()? == Some(b'.') {
            self.source.take()?;
            dots += 1;
        }
        let spaced = dots == 1;
        while let Some(byte) = self.source.peek()?.filter(|byte| spaced && matches!(byte, b'.' | b' ')) {
            self.source.take()?;
            dots += usize::from(byte == b'.');
        }
        Ok(dots)
    }

    fn word(&mut self, first: u8) -> io::Result<Kind> {
        let mut bytes = vec![first];
        let mut fits = true;
        while let Some(byte) = self.source.peek()? {
            if byte == b'.' && bytes != b"0" && bytes.iter().all(u8::is_ascii_digit) {
                self.source.take()?;
                // The dots of `12...` tell the side, which the position knows.
                while self.source.peek()? == Some(b'.') {
                    self.source.take()?;
                }
                return Ok(Kind::Number(shown(&decode(&bytes))));
            }
            if byte == b'(' {
                if !self.takes_parenthesized_mark(&mut bytes)? {
                    break;
                }
                continue;
            }
            if byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'[' | b']' | b';' | b'$' | b'"' | b')') {
                break;
            }
            self.source.take()?;
            fits = bytes.len() < MAX_WORD;
            if fits {
                bytes.push(byte);
            }
        }
        if !fits {
            return Ok(Kind::Bad(PdnProblem::TooLong(MAX_WORD), shown(&decode(&bytes))));
        }
        let text = decode(&bytes);
        if text == "-" && self.follows_dash()? {
            return Ok(Kind::Skip);
        }
        Ok(classify(text))
    }

    /// Appends `(?)` and the like to a word, with its parentheses.
    fn takes_parenthesized_mark(&mut self, word: &mut Vec<u8>) -> io::Result<bool> {
        self.source.take()?;
        if !self.source.peek()?.is_some_and(|byte| matches!(byte, b'!' | b'?')) {
            self.source.put_back(b'(');
            return Ok(false);
        }
        word.push(b'(');
        while let Some(byte) = self.source.peek()?.filter(|byte| matches!(byte, b'!' | b'?' | b')')) {
            self.source.take()?;
            if word.len() < MAX_WORD {
                word.push(byte);
            }
            if byte == b')' {
                break;
            }
        }
        Ok(true)
    }

    /// Whether a second dash follows after blanks; takes both.
    fn follows_dash(&mut self) -> io::Result<bool> {
        while self.source.peek()? == Some(b' ') {
            self.source.take()?;
        }
        let follows = self.source.peek()? == Some(b'-');
        if follows {
            self.source.take()?;
        }
        Ok(follows)
    }
}

fn classify(text: String) -> Kind {
    // Longer numbers are moves: `3228`.
    if text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Kind::Number(text);
    }
    match text.as_str() {
        "*" => Kind::Star,
        "--" | "\u{2026}" => Kind::Skip,
        _ => Kind::Word(text),
    }
}

/// Name and value of a tag's inside, quotes optional.
fn split_tag(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, value) = text.split_at(end);
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let value = value.trim();
    let value = value.strip_prefix('"').map_or(value, |inner| inner.strip_suffix('"').unwrap_or(inner));
    named.then(|| (name.into(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

fn too_long(bytes: &[u8]) -> Kind {
    Kind::Bad(PdnProblem::TooLong(MAX_BYTES), shown(&decode(bytes)))
}

/// The beginning of an offending text, on one line.
fn shown(text: &str) -> String {
    collapse_blanks(text).chars().take(SHOWN).collect()
}

/// Whether a word is nothing but a mark of strength, and its NAG.
pub fn lone_strength(word: &str) -> Option<u8> {
    let (bare, nag) = split_strength(word);
    nag.filter(|_| bare.is_empty())
}
