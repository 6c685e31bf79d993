//! Parameter values as text.

use std::str::FromStr;

use super::SquareNumbering;
use crate::variant::rules::{DrawProfile, KingAgainstKing};
use crate::variant::{UnknownVariant, VariantId};

/// Why a text is not a value.
pub(super) type Rejected = String;

/// A type of value.
pub(super) trait Value: Sized {
    fn read(text: &str) -> Result<Self, Rejected>;
    fn write(&self) -> String;
}

/// A value that is one of a few names.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// Every value with its name.
    fn all() -> Vec<(&'static str, Self)>;

    fn names() -> Vec<&'static str> {
        Self::all().into_iter().map(|(name, _)| name).collect()
    }

    /// The value of a name or an alias.
    fn find(text: &str) -> Result<Self, Rejected> {
        let found = Self::all().into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        let unknown = || format!("`{text}` is none of: {}", Self::names().join(", "));
        found.map(|(_, value)| value).ok_or_else(unknown)
    }
}

impl Value for bool {
    fn read(text: &str) -> Result<Self, Rejected> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Ok(true),
            "false" | "no" | "off" | "0" | "none" => Ok(false),
            _ => Err(format!("`{text}` is neither true nor false")),
        }
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for u32 {
    fn read(text: &str) -> Result<Self, Rejected> {
        text.parse().map_err(|_| format!("`{text}` is not a whole number"))
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for String {
    fn read(text: &str) -> Result<Self, Rejected> {
        Ok(text.into())
    }

    fn write(&self) -> String {
        self.clone()
    }
}

impl<C: Choice> Value for C {
    fn read(text: &str) -> Result<Self, Rejected> {
        Self::find(text)
    }

    fn write(&self) -> String {
        let found = Self::all().into_iter().find(|(_, value)| value == self);
        found.expect("every choice is listed").0.into()
    }
}

impl Choice for VariantId {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.iter().map(|&id| (id.hub_name(), id)).collect()
    }

    fn find(text: &str) -> Result<Self, Rejected> {
        Self::from_str(text).map_err(|error: UnknownVariant| error.to_string())
    }
}

/// Draw rules; `None` is the variant's own set.
impl Choice for Option<DrawProfile> {
    fn all() -> Vec<(&'static str, Self)> {
        let profiles = DrawProfile::ALL.iter().map(|&(profile, name)| (name, Some(profile)));
        std::iter::once(("default", None)).chain(profiles).collect()
    }
}

impl Choice for KingAgainstKing {
    fn all() -> Vec<(&'static str, Self)> {
        Self::ALL.iter().map(|&(kvk, name)| (name, kvk)).collect()
    }
}

impl Choice for SquareNumbering {
    fn all() -> Vec<(&'static str, Self)> {
        vec![("auto", Self::Auto), ("top-down", Self::TopDown), ("bottom-up", Self::BottomUp)]
    }
}
