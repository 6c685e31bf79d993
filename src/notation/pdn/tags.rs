//! Tags of a game, and the variant that they declare.

use std::str::FromStr;

use crate::variant::{Offshoot, Task, Variant, VariantId};

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
    if let Some(name) = variant_name(tags) {
        return VariantId::from_str(name).map_or_else(|_| Declared::Other(name.into()), Declared::Known);
    }
    let Some(game_type) = given(tags, "GameType") else { return Declared::Nothing };
    // Of several variants with one code, the first is the parent of the others.
    let known = VariantId::ALL.iter().find(|id| id.dispatch(HasCode(code_of(game_type))));
    known.map_or_else(|| Declared::Other(game_type.into()), |id| Declared::Known(*id))
}

/// The offshoot of the variant that the tags name, by the same order of precedence.
pub(super) fn offshoot<V: Variant>(tags: &Tags) -> Option<Offshoot> {
    V::NOTATION.offshoot.filter(|offshoot| match variant_name(tags) {
        Some(name) => offshoot.names.contains(&name.to_ascii_lowercase().as_str()),
        None => given(tags, "GameType").and_then(code_of) == Some(offshoot.game_type),
    })
}

fn given<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"))
}

fn variant_name(tags: &Tags) -> Option<&str> {
    // Servers also use this tag to say that a game did not begin from the usual position.
    given(tags, "Variant").filter(|name| !name.to_ascii_lowercase().starts_with("from"))
}

fn code_of(game_type: &str) -> Option<u32> {
    game_type.split(',').next()?.trim().parse().ok()
}

/// Whether this is the PDN code of a variant or of its offshoot.
struct HasCode(Option<u32>);

impl Task for HasCode {
    type Output = bool;
    fn run<V: Variant>(self) -> bool {
        let offshoot = V::NOTATION.offshoot.map(|offshoot| offshoot.game_type);
        self.0.is_some_and(|code| code == V::NOTATION.game_type || Some(code) == offshoot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Frisian;

    #[test]
    fn variants() {
        let of = |tags: &[(&str, &str)]| declared(&tags.iter().copied().collect());
        assert_eq!(of(&[]), Declared::Nothing);
        assert_eq!(of(&[("GameType", "?")]), Declared::Nothing);
        assert_eq!(of(&[("GameType", "20")]), Declared::Known(VariantId::International));
        assert_eq!(of(&[("gametype", "26,W,8,8,A0,0")]), Declared::Known(VariantId::Brazilian));
        assert_eq!(of(&[("GameType", "21")]), Declared::Other("21".into()));
        assert_eq!(of(&[("GameType", "20"), ("Variant", "Pool")]), Declared::Other("Pool".into()));
        assert_eq!(of(&[("GameType", "20"), ("Variant", "Brazilian")]), Declared::Known(VariantId::Brazilian));
        let moved = [("GameType", "20"), ("Variant", "From Position")];
        assert_eq!(variant_of(&moved.into_iter().collect()), Some(VariantId::International));
    }

    #[test]
    fn every_variant_is_known_by_its_own_tags() {
        struct Written;
        impl Task for Written {
            type Output = Tags;
            fn run<V: Variant>(self) -> Tags {
                let code = V::NOTATION.game_type.to_string();
                let name = V::NOTATION.variant_tag.map(|name| ("Variant", name));
                [("GameType", code.as_str())].into_iter().chain(name).collect()
            }
        }
        for id in VariantId::ALL {
            assert_eq!(variant_of(&id.dispatch(Written)), Some(*id));
        }
    }

    #[test]
    fn tags_of_servers() {
        for (game_type, name, id) in [
            ("20", "Standard", VariantId::International),
            ("40", "Frisian", VariantId::Frisian),
            ("97", "Frysk!", VariantId::Frisian),
            ("96", "Breakthrough", VariantId::Breakthrough),
            ("20", "Breakthrough", VariantId::Breakthrough),
            ("98", "Antidraughts", VariantId::Losing),
            ("25", "Russian", VariantId::Russian),
            ("20", "killer", VariantId::Killer),
            ("96", "", VariantId::Breakthrough),
            ("97", "", VariantId::Frisian),
            ("98", "From Position", VariantId::Losing),
        ] {
            let tags: Tags = [("GameType", game_type), ("Variant", name)].into_iter().collect();
            assert_eq!(variant_of(&tags), Some(id), "{game_type} {name}");
            assert_eq!(offshoot::<Frisian>(&tags).is_some(), game_type == "97", "{game_type} {name}");
        }
    }

    #[test]
    fn names_in_any_case() {
        let mut tags: Tags = [("White", "A")].into_iter().collect();
        tags.set("white", "B");
        tags.set("Black", "C");
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("White", "B"), ("Black", "C")]);
    }
}
