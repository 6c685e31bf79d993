//! Tags of a game, and the variant that they declare.

use std::str::FromStr;

use crate::variant::{Task, Variant, VariantId};

/// Tags in the order of the file; unknown ones are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of the first tag with this name, in any case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a tag: replaces its value or appends it.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(key, _)| key.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
    }

    /// Appends a tag, even if there is one of this name.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there is no tag.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<String>, T: Into<String>> FromIterator<(N, T)> for Tags {
    /// Keeps repeated names.
    fn from_iter<I: IntoIterator<Item = (N, T)>>(tags: I) -> Self {
        Self(tags.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// What the tags of a game say about its variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    /// Nothing.
    Nothing,
    /// One of ours.
    Known(VariantId),
    /// Another one, by the tag's value.
    Other(String),
}

/// The variant that the tags declare, if it is one of ours. See [`declared`].
pub fn variant_of(tags: &Tags) -> Option<VariantId> {
    match declared(tags) {
        Declared::Known(id) => Some(id),
        Declared::Nothing | Declared::Other(_) => None,
    }
}

/// What the tags say about the variant: `Variant` goes before the code in `GameType`, because variants
/// without a code of their own are written with that of their parent.
pub fn declared(tags: &Tags) -> Declared {
    let given = |name| tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
    // Servers also use this tag to say that a game did not begin from the usual position.
    if let Some(name) = given("Variant").filter(|name| !name.to_ascii_lowercase().starts_with("from")) {
        return VariantId::from_str(name).map_or_else(|_| Declared::Other(name.into()), Declared::Known);
    }
    let Some(game_type) = given("GameType") else { return Declared::Nothing };
    let code = game_type.split(',').next().unwrap_or_default().trim().parse();
    let known = VariantId::ALL.iter().find(|id| code == Ok(id.dispatch(GameType)));
    known.map_or_else(|| Declared::Other(game_type.into()), |id| Declared::Known(*id))
}

/// The PDN code of a variant.
struct GameType;

impl Task for GameType {
    type Output = u32;
    fn run<V: Variant>(self) -> u32 {
        V::NOTATION.game_type
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants() {
        let of = |tags: &[(&str, &str)]| declared(&tags.iter().copied().collect());
        assert_eq!(of(&[]), Declared::Nothing);
        assert_eq!(of(&[("GameType", "?")]), Declared::Nothing);
        assert_eq!(of(&[("GameType", "20")]), Declared::Known(VariantId::International));
        assert_eq!(of(&[("gametype", "26,W,8,8,A0,0")]), Declared::Known(VariantId::Brazilian));
        assert_eq!(of(&[("GameType", "25")]), Declared::Other("25".into()));
        assert_eq!(of(&[("GameType", "20"), ("Variant", "Killer")]), Declared::Other("Killer".into()));
        assert_eq!(of(&[("GameType", "20"), ("Variant", "Brazilian")]), Declared::Known(VariantId::Brazilian));
        let moved = [("GameType", "20"), ("Variant", "From Position")];
        assert_eq!(variant_of(&moved.into_iter().collect()), Some(VariantId::International));
    }

    #[test]
    fn names_in_any_case() {
        let mut tags: Tags = [("White", "A")].into_iter().collect();
        tags.set("white", "B");
        tags.set("Black", "C");
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("White", "B"), ("Black", "C")]);
    }
}
