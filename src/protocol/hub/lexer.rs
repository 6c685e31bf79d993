//! From a line of text to a command word with names and values.
//!
//! ```text
//! line  = command { pair }
//! pair  = name [ "=" value ]              without "=" a flag: the value is empty
//! value = bare | '"' any but '"' '"'      there is no escape
//! bare, name, command = one or more characters, none of: blank, control character, "=", '"'
//! ```
//!
//! Blanks around `=` and a missing value at the end of the line are tolerated.

use super::command::HubError;

/// A line taken apart; borrows the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The first word.
    pub command: &'a str,
    /// The rest in order; a flag has an empty value.
    pub pairs: Vec<(&'a str, &'a str)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    Equals,
}

impl<'a> Line<'a> {
    /// Takes a line apart; `None` if there is nothing on it.
    ///
    /// # Errors
    /// If the line does not follow the grammar.
    pub fn parse(text: &'a str) -> Result<Option<Self>, HubError> {
        let tokens = tokens(text.trim_start_matches('\u{feff}'))?;
        let Some((first, mut rest)) = tokens.split_first() else { return Ok(None) };
        let Token::Word(command) = *first else { return Err(HubError::Syntax(show(*first))) };
        let mut pairs = Vec::new();
        while let [token, tail @ ..] = rest {
            let Token::Word(name) = *token else { return Err(HubError::Syntax(show(*token))) };
            let (value, tail) = match tail {
                [Token::Equals, Token::Word(value) | Token::Quoted(value), tail @ ..] => (*value, tail),
                [Token::Equals] => ("", &[][..]),
                [Token::Equals, second, ..] => return Err(HubError::Syntax(show(*second))),
                _ => ("", tail),
            };
            pairs.push((name, value));
            rest = tail;
        }
        Ok(Some(Self { command, pairs }))
    }

    /// The value of the last pair with this name, in any case.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.pairs.iter().rev().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
}

fn show(token: Token) -> String {
    match token {
        Token::Word(text) => text.into(),
        Token::Quoted(text) => format!("\"{text}\""),
        Token::Equals => "=".into(),
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, HubError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_matches(is_blank);
    while let Some(first) = rest.chars().next() {
        let (token, tail) = match first {
            '=' => (Token::Equals, &rest[1..]),
            '"' => {
                let body = &rest[1..];
                let (value, tail) = body.split_once('"').ok_or_else(|| HubError::Unterminated(rest.into()))?;
                (Token::Quoted(value), tail)
            }
            _ => {
                let end = rest.find(|c| is_blank(c) || c == '=' || c == '"').unwrap_or(rest.len());
                (Token::Word(&rest[..end]), &rest[end..])
            }
        };
        tokens.push(token);
        rest = tail.trim_start_matches(is_blank);
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match Line::parse(text) {
            Ok(Some(line)) => {
                let pairs: String = line.pairs.iter().map(|(name, value)| format!(" [{name}|{value}]")).collect();
                line.command.to_string() + &pairs
            }
            Ok(None) => "nothing".into(),
            Err(error) => format!("error {error}"),
        }
    }

    #[test]
    fn grammar_and_tolerance() {
        let cases = [
            ("go think", "go [think|]"),
            ("  go\tthink \r", "go [think|]"),
            ("\u{feff}hub", "hub"),
            ("", "nothing"),
            (" \t\r", "nothing"),
            ("set-param name=book value=true", "set-param [name|book] [value|true]"),
            ("set-param name=\"log-file\" value=\"\"", "set-param [name|log-file] [value|]"),
            ("set-param name=threads value=", "set-param [name|threads] [value|]"),
            ("level time = 5 inc= 1 moves =3", "level [time|5] [inc|1] [moves|3]"),
            ("pos moves=\"32-28  19-23\"", "pos [moves|32-28  19-23]"),
            ("pos wolf=\"W32=2 B19=3\"", "pos [wolf|W32=2 B19=3]"),
            ("a b=\"c\"d=e", "a [b|c] [d|e]"),
            ("a b=\"c\\\" d", "a [b|c\\] [d|]"),
            ("pos pos=W:W31,50:B1", "pos [pos|W:W31,50:B1]"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn errors_name_the_text() {
        let cases = [
            ("=", "`=`"),
            ("go =", "`=`"),
            ("= go", "`=`"),
            ("\"go\" think", "`\"go\"`"),
            ("level time==5", "`=`"),
            ("level time=5=6", "`=`"),
            ("level \"x\"", "`\"x\"`"),
            ("set-param name=a value=\"2", "`\"2`"),
        ];
        for (text, named) in cases {
            match Line::parse(text) {
                Err(error) => assert!(error.to_string().contains(named), "{text:?}: {error}"),
                Ok(line) => panic!("{text:?} gave {line:?}"),
            }
        }
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        let line = Line::parse("level depth=3 DEPTH=4").unwrap().unwrap();
        assert_eq!(line.value("depth"), Some("4"));
        assert_eq!(line.value("nodes"), None);
    }
}
