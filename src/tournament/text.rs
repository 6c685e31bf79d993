//! Values that configuration files and match files hold as text, and lists such as `elo0=0,elo1=5`.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// For `#[serde(serialize_with)]`: writes a value the way it is displayed.
pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// For `#[serde(deserialize_with)]`: reads a value from its text.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(de::Error::custom)
}

/// The same for a value that may be missing.
pub mod optional {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, de};

    /// Writes the value the way it is displayed.
    pub fn serialize<T: Display, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    /// Reads the value from its text.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(from)?.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}

/// Text that is not a list of settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// An item without a value.
    #[error("`{0}` is not of the form name=value")]
    NoValue(String),
    /// A quote that is not closed.
    #[error("unterminated quote in `{0}`")]
    OpenQuote(String),
    /// A setting that does not exist here.
    #[error("unknown setting `{0}`")]
    UnknownName(String),
    /// A value of the wrong kind.
    #[error("{name}: bad value `{text}`")]
    BadValue {
        /// Name of the setting.
        name: String,
        /// Its value.
        text: String,
    },
}

impl ListError {
    /// The error of a bad value.
    pub fn bad_value(name: &str, text: &str) -> Self {
        Self::BadValue { name: name.into(), text: text.into() }
    }
}

/// Reads `text` as the value of `name`.
///
/// # Errors
/// If it is none.
pub fn value<T: FromStr>(name: &str, text: &str) -> Result<T, ListError> {
    text.parse().map_err(|_| ListError::bad_value(name, text))
}

/// The pairs of `name=value,name="a,b"`. Double quotes keep commas in a value together.
///
/// # Errors
/// If an item has no value or a quote is not closed.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, ListError> {
    let items = split(text, ',', '"').ok_or_else(|| ListError::OpenQuote(text.into()))?;
    let pair = |item: &String| {
        let (name, value) = item.split_once('=').ok_or_else(|| ListError::NoValue(item.clone()))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    items.iter().filter(|item| !item.trim().is_empty()).map(pair).collect()
}

/// The words of a command line: blanks divide them, single quotes keep a word together.
///
/// # Errors
/// If a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, ListError> {
    let words = split(text, ' ', '\'').ok_or_else(|| ListError::OpenQuote(text.into()))?;
    Ok(words.into_iter().filter(|word| !word.is_empty()).collect())
}

/// The parts between separators outside of quotes, without the quotes; none if a quote is left open.
fn split(text: &str, separator: char, quote: char) -> Option<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            _ if c == quote => quoted = !quoted,
            _ if c == separator && !quoted => parts.push(String::new()),
            _ => parts.last_mut().expect("there is a part").push(c),
        }
    }
    (!quoted).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let pairs = |text| pairs(text).map(|pairs| pairs.iter().map(|(n, v)| format!("{n}:{v}")).collect::<Vec<_>>());
        assert_eq!(pairs("a=1, b = two ,c=\"x,y z\"").unwrap(), ["a:1", "b:two", "c:x,y z"]);
        assert_eq!(pairs("cmd=dame hub,name=dame").unwrap(), ["cmd:dame hub", "name:dame"]);
        assert_eq!(pairs("").unwrap(), [""; 0]);
        assert_eq!(pairs("a=1,b"), Err(ListError::NoValue("b".into())));
        assert_eq!(pairs("a=\"1"), Err(ListError::OpenQuote("a=\"1".into())));
    }

    #[test]
    fn command_lines() {
        assert_eq!(words("  'my engine'  hub --x='a b' ").unwrap(), ["my engine", "hub", "--x=a b"]);
        assert!(words("a 'b").is_err());
    }
}
