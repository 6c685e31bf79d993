//! The variants of the game: geometry, rules and notation as independent axes.
//!
//! A variant is a zero-sized type that joins one [`Geometry`], one [`Rules`] value and one
//! [`Notation`] value. Code below `engine` is generic over it and compiled once per variant;
//! [`VariantId::dispatch`] is the only place where a run-time variant becomes a type.

pub mod geometry;
pub mod notation;
pub mod rules;

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::str::FromStr;

pub use geometry::{Board8, Board10, Geometry};
pub use notation::{Notation, Offshoot, SquareStyle};
pub use rules::Rules;

/// A game of the draughts family, known at compile time.
pub trait Variant: Copy + Default + Debug + Eq + Hash + Send + Sync + 'static {
    /// Shape of the board.
    type Board: Geometry;
    /// The run-time name of this type.
    const ID: VariantId;
    /// Its rules.
    const RULES: Rules;
    /// Its notation.
    const NOTATION: Notation;
}

/// A piece of work that is generic over the variant; see [`VariantId::dispatch`].
pub trait Task {
    /// What the work yields.
    type Output;
    /// Does the work for one variant.
    fn run<V: Variant>(self) -> Self::Output;
}

macro_rules! variants {
    ($( $(#[$doc:meta])* $name:ident: $hub:literal, [$($alias:literal),*], $board:ty, $rules:expr, $notation:expr; )+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct $name;
            impl Variant for $name {
                type Board = $board;
                const ID: VariantId = VariantId::$name;
                const RULES: Rules = $rules;
                const NOTATION: Notation = $notation;
            }
        )+

        /// A variant chosen at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum VariantId {
            $( #[doc = concat!("[`", stringify!($name), "`]")] $name, )+
        }

        impl VariantId {
            /// Every variant.
            pub const ALL: &'static [VariantId] = &[$( VariantId::$name ),+];

            /// The name sent over Hub and accepted everywhere.
            pub const fn hub_name(self) -> &'static str {
                match self { $( VariantId::$name => $hub, )+ }
            }

            /// Further names that are read, lower case.
            pub const fn aliases(self) -> &'static [&'static str] {
                match self { $( VariantId::$name => &[$($alias),*], )+ }
            }

            /// Number of playable squares of its board.
            pub const fn squares(self) -> u32 {
                match self { $( VariantId::$name => <$board as Geometry>::SQUARES, )+ }
            }

            /// Its rules.
            pub const fn rules(self) -> &'static Rules {
                match self { $( VariantId::$name => const { &<$name as Variant>::RULES }, )+ }
            }

            /// Runs `task` for this variant.
            pub fn dispatch<T: Task>(self, task: T) -> T::Output {
                match self { $( VariantId::$name => task.run::<$name>(), )+ }
            }
        }
    };
}

variants! {
    /// International draughts, 10x10.
    International: "normal", ["international", "standard", "int", "20"], Board10, rules::INTERNATIONAL, notation::INTERNATIONAL;
    /// Brazilian draughts, 8x8.
    Brazilian: "brazilian", ["br", "26"], Board8, rules::BRAZILIAN, notation::BRAZILIAN;
    /// Russian draughts, 8x8.
    Russian: "russian", ["ru", "25"], Board8, rules::RUSSIAN, notation::RUSSIAN;
    /// Frisian draughts, 10x10.
    Frisian: "frisian", ["frysk", "frysk!", "40"], Board10, rules::FRISIAN, notation::FRISIAN;
    /// Killer draughts, 10x10.
    Killer: "killer", [], Board10, rules::KILLER, notation::KILLER;
    /// Breakthrough draughts, 10x10.
    Breakthrough: "bt", ["breakthrough", "96"], Board10, rules::BREAKTHROUGH, notation::BREAKTHROUGH;
    /// Losing draughts, 10x10.
    Losing: "losing", ["antidraughts", "giveaway", "98"], Board10, rules::LOSING, notation::LOSING;
}

impl Default for VariantId {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl fmt::Display for VariantId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.hub_name())
    }
}

/// Text that names no variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant `{0}` (known: {known})", known = known_names())]
pub struct UnknownVariant(pub String);

fn known_names() -> String {
    let names: Vec<_> = VariantId::ALL.iter().map(|id| id.hub_name()).collect();
    names.join(", ")
}

impl FromStr for VariantId {
    type Err = UnknownVariant;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_lowercase();
        let matches = |id: &&Self| id.hub_name() == name || id.aliases().contains(&name.as_str());
        Self::ALL.iter().find(matches).copied().ok_or_else(|| UnknownVariant(text.into()))
    }
}
