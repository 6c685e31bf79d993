//! Rules as data: what differs between variants beyond the shape of the board.
//!
//! All variants here share the move rules implemented in `board::movegen`; each draw rule cites its
//! article. Counts are *moves each*, so twice as many plies.

use std::fmt;
use std::str::FromStr;

/// Rules of a variant.
#[derive(Debug)]
pub struct Rules {
    /// The profile that applies unless another one is chosen.
    pub default_draws: DrawProfile,
    /// What lidraughts.org implements for this variant.
    pub lidraughts: &'static DrawRules,
}

impl Rules {
    /// The draw rules of a profile in this variant; `None` is the variant's own default.
    pub const fn draws(&self, profile: Option<DrawProfile>) -> &'static DrawRules {
        let profile = match profile {
            Some(profile) => profile,
            None => self.default_draws,
        };
        match profile {
            DrawProfile::Fmjd => &FMJD,
            DrawProfile::Idf => &IDF,
            DrawProfile::Lidraughts => self.lidraughts,
            DrawProfile::Cbjd => &CBJD,
            DrawProfile::Repetition => &REPETITION,
            DrawProfile::None => &NONE,
        }
    }
}

/// A set of draw rules, named by the body that publishes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawProfile {
    /// World Draughts Federation, annex 1 (2015), articles 6.1 to 6.4.
    Fmjd,
    /// Section for draughts-64, articles 7.2.3 to 7.2.8; the earliest limit wins.
    Idf,
    /// The rules that lidraughts.org applies to the variant.
    Lidraughts,
    /// Brazilian confederation.
    Cbjd,
    /// Threefold repetition only.
    Repetition,
    /// No draw rule at all.
    None,
}

impl DrawProfile {
    /// Every profile with its name.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Fmjd, "fmjd"),
        (Self::Idf, "idf"),
        (Self::Lidraughts, "lidraughts"),
        (Self::Cbjd, "cbjd"),
        (Self::Repetition, "repetition"),
        (Self::None, "none"),
    ];
}

impl fmt::Display for DrawProfile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (_, name) = Self::ALL.iter().find(|(profile, _)| profile == self).expect("ALL lists every profile");
        f.pad(name)
    }
}

/// Text that names no draw-rule profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown draw rules `{0}` (known: fmjd, idf, lidraughts, cbjd, repetition, none)")]
pub struct UnknownDrawProfile(pub String);

impl FromStr for DrawProfile {
    type Err = UnknownDrawProfile;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        found.map(|&(profile, _)| profile).ok_or_else(|| UnknownDrawProfile(text.into()))
    }
}

/// When a king against a king is a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KingAgainstKing {
    /// At once, unless the side to move wins or loses by force.
    #[default]
    Exact,
    /// At once.
    Immediate,
    /// Only by the counted rules.
    Count,
}

/// Draw rules of one profile.
#[derive(Debug)]
pub struct DrawRules {
    /// Whether the third occurrence of a position, same side to move, is a draw.
    pub repetition: bool,
    /// Moves each with kings only, without a man's move or a capture.
    pub king_moves: Option<u16>,
    /// Counted endings; the first limit reached ends the game.
    pub endings: &'static [EndingRule],
    /// Whether [`KingAgainstKing`] applies.
    pub king_against_king: bool,
}

/// A draw after a number of moves in an ending, counted from when its material arose.
#[derive(Debug, PartialEq, Eq)]
pub struct EndingRule {
    /// Source of the rule.
    pub article: &'static str,
    /// The ending in a few words.
    pub text: &'static str,
    /// The material it is about.
    pub ending: Ending,
    /// Moves each.
    pub moves: u16,
    /// What is counted.
    pub counted: Counted,
    /// Whether the king-move rule is suspended in this ending.
    pub replaces_king_moves: bool,
}

/// Which moves an [`EndingRule`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All moves since the last capture or crowning.
    Balance,
    /// Of those, the ones after which the lone king stands alone on the long diagonal.
    LongDiagonal,
}

/// Inclusive bounds.
pub type Bounds = (u32, u32);
/// Any number of pieces.
pub const ANY: Bounds = (0, 64);

/// A class of material balances, the same whichever side has which part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One side has a single king and nothing else.
    LoneKing {
        /// Pieces of the other side.
        pieces: Bounds,
        /// Kings of the other side.
        kings: Bounds,
    },
    /// Each side has at least one king.
    BothHaveKings {
        /// Pieces on the board.
        total: Bounds,
    },
    /// Exactly these (kings, men) against those.
    Exact((u32, u32), (u32, u32)),
}

const fn rule(article: &'static str, text: &'static str, moves: u16, ending: Ending) -> EndingRule {
    EndingRule { article, text, ending, moves, counted: Counted::Balance, replaces_king_moves: false }
}

const fn lone_king(pieces: Bounds, kings: Bounds) -> Ending {
    Ending::LoneKing { pieces, kings }
}

const LONG_DIAGONAL: EndingRule = EndingRule {
    counted: Counted::LongDiagonal,
    ..rule("IDF 7.2.7", "three pieces against a king holding the long diagonal", 5, lone_king((3, 3), (1, 3)))
};

static FMJD: DrawRules = DrawRules {
    repetition: true,
    king_moves: Some(25),
    endings: &[
        rule("FMJD 6.3", "three pieces, at least one a king, against a king", 16, lone_king((3, 3), (1, 3))),
        rule("FMJD 6.4", "two pieces or fewer, at least one a king, against a king", 5, lone_king((1, 2), (1, 2))),
    ],
    king_against_king: true,
};

const THREE_KINGS: EndingRule =
    rule("IDF 7.2.4", "three or more kings against a king", 15, lone_king((3, 64), (3, 64)));
const FEW_AGAINST_KING: EndingRule =
    rule("IDF 7.2.8", "two pieces or fewer against a king", 5, lone_king((1, 2), (1, 2)));
const FOUR_OR_FIVE: EndingRule =
    rule("IDF 7.2.6", "four or five pieces, kings on both sides", 30, Ending::BothHaveKings { total: (4, 5) });
const SIX_OR_SEVEN: EndingRule =
    rule("IDF 7.2.6", "six or seven pieces, kings on both sides", 60, Ending::BothHaveKings { total: (6, 7) });

static IDF: DrawRules = DrawRules {
    repetition: true,
    king_moves: Some(15),
    endings: &[FEW_AGAINST_KING, LONG_DIAGONAL, THREE_KINGS, FOUR_OR_FIVE, SIX_OR_SEVEN],
    king_against_king: true,
};

static LIDRAUGHTS_64: DrawRules = DrawRules {
    repetition: true,
    king_moves: Some(15),
    endings: &[
        FEW_AGAINST_KING,
        LONG_DIAGONAL,
        THREE_KINGS,
        EndingRule { replaces_king_moves: true, ..FOUR_OR_FIVE },
        EndingRule { replaces_king_moves: true, ..SIX_OR_SEVEN },
    ],
    king_against_king: true,
};

static CBJD: DrawRules = DrawRules {
    repetition: true,
    king_moves: Some(20),
    endings: &[
        rule("CBJD", "two kings against two kings", 5, Ending::Exact((2, 0), (2, 0))),
        rule("CBJD", "two kings against a king", 5, Ending::Exact((2, 0), (1, 0))),
        rule("CBJD", "two kings against a king and a man", 5, Ending::Exact((2, 0), (1, 1))),
        rule("CBJD", "a king against a king", 5, Ending::Exact((1, 0), (1, 0))),
        rule("CBJD", "a king against a king and a man", 5, Ending::Exact((1, 0), (1, 1))),
    ],
    king_against_king: true,
};

static REPETITION: DrawRules = DrawRules { repetition: true, king_moves: None, endings: &[], king_against_king: false };

static NONE: DrawRules = DrawRules { repetition: false, king_moves: None, endings: &[], king_against_king: false };

/// International draughts.
pub const INTERNATIONAL: Rules = Rules { default_draws: DrawProfile::Fmjd, lidraughts: &FMJD };
/// Brazilian draughts.
pub const BRAZILIAN: Rules = Rules { default_draws: DrawProfile::Idf, lidraughts: &LIDRAUGHTS_64 };
