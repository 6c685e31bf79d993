//! Rules as data: what differs between variants beyond the shape of the board.
//!
//! What a value of these types means in play is written once, in `board`: captures in
//! `board::movegen`, the end of a game in `board::outcome`, draws in `board::draws`. Each draw rule
//! cites its article. Counts are *moves each*, so twice as many plies.

/// Rules of a variant.
#[derive(Debug)]
pub struct Rules {
    /// Which lines captures follow.
    pub capture_lines: CaptureLines,
    /// Which of several captures may be played.
    pub choice: CaptureChoice,
    /// Whether a king whose capture ends with a king must stop right behind it.
    pub halts_behind_king: bool,
    /// Whether a man that reaches the far row in a capture goes on as a king; otherwise only a man
    /// that ends its move there is crowned.
    pub crowns_in_passing: bool,
    /// The most consecutive quiet moves with the same king, for a side that has men as well.
    pub king_run_limit: Option<u8>,
    /// What the players are after.
    pub goal: Goal,
    /// The profile that applies unless another one is chosen.
    pub default_draws: DrawProfile,
    /// What lidraughts.org implements for this variant.
    pub lidraughts: &'static DrawRules,
}

/// The lines along which pieces capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureLines {
    /// Diagonals alone.
    Diagonal,
    /// Diagonals, rows and columns.
    All,
}

impl CaptureLines {
    /// Number of directions: the first so many of [`direction`](super::geometry::direction).
    pub const fn directions(self) -> usize {
        match self {
            Self::Diagonal => 4,
            Self::All => 8,
        }
    }
}

/// Which of several captures may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureChoice {
    /// One that takes the most pieces.
    Most,
    /// One of the highest value, by a king if one can: a captured king is worth just under two
    /// men (Frisian rules 2011, articles 11 and 12).
    Value,
    /// Any, as long as it is completed.
    Free,
}

/// What ends a game other than a draw rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A side that cannot move has lost.
    Block,
    /// A side that cannot move has won.
    BeBlocked,
    /// The first king wins; a side that cannot move has lost.
    Crown,
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
            DrawProfile::Frisian => &FRISIAN_DRAWS,
            DrawProfile::Killer => &KILLER_DRAWS,
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
    /// Official Frisian rules (2011), articles 18 and 21.
    Frisian,
    /// Repetition and 25 king moves, without the counted endings: two kings win against one.
    Killer,
    /// Threefold repetition only.
    Repetition,
    /// No draw rule at all.
    None,
}

impl DrawProfile {
    /// Every profile with its name.
    pub const ALL: &[(Self, &'static str)] = &[
        (Self::Fmjd, "fmjd"),
        (Self::Idf, "idf"),
        (Self::Lidraughts, "lidraughts"),
        (Self::Cbjd, "cbjd"),
        (Self::Frisian, "frisian"),
        (Self::Killer, "killer"),
        (Self::Repetition, "repetition"),
        (Self::None, "none"),
    ];
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

impl KingAgainstKing {
    /// Every treatment with its name.
    pub const ALL: &[(Self, &'static str)] =
        &[(Self::Exact, "exact"), (Self::Immediate, "immediate"), (Self::Count, "count")];
}

/// What becomes of a position that occurs again with the same side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The third occurrence is a draw.
    Third,
    /// It does not end the game, but a search takes it for a draw: nobody makes progress.
    SearchOnly,
    /// Nothing.
    Ignored,
}

/// Draw rules of one profile.
#[derive(Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// What becomes of a position that occurs again.
    pub repetition: Repetition,
    /// Moves each with kings only, without a man's move or a capture.
    pub king_moves: Option<u16>,
    /// Counted endings; the first limit reached ends the game.
    pub endings: &'static [EndingRule],
    /// Whether [`KingAgainstKing`] applies.
    pub king_against_king: bool,
    /// The smallest number of moves each at which a counted rule can end the game.
    pub shortest: u16,
}

impl DrawRules {
    const fn new(
        repetition: Repetition,
        king_moves: Option<u16>,
        endings: &'static [EndingRule],
        king_against_king: bool,
    ) -> Self {
        let mut shortest = match king_moves {
            Some(moves) => moves,
            None => u16::MAX,
        };
        let mut i = 0;
        while i < endings.len() {
            if endings[i].moves < shortest {
                shortest = endings[i].moves;
            }
            i += 1;
        }
        Self { repetition, king_moves, endings, king_against_king, shortest }
    }
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
///
/// The move that creates the material is never counted, and a man's move does not restart a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All moves since the last capture or crowning.
    Balance,
    /// All moves since a lone king faced this [`LoneKing`] class: a further crowning or a capture
    /// within the class does not restart the count.
    LoneKing,
    /// Of those, the ones after which the lone king has the long diagonal to itself.
    LongDiagonal,
}

/// The two endings against a lone king that are counted as one ending each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoneKing {
    /// Against three pieces, at least one of them a king.
    Three,
    /// Against one or two pieces, at least one of them a king.
    Few,
}

/// Inclusive bounds.
pub type Bounds = (u32, u32);

/// A class of material balances, the same whichever side has which part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A lone king against a few pieces.
    LoneKing(LoneKing),
    /// A lone king against kings only, this many.
    KingAgainstKings(Bounds),
    /// Each side has at least one king.
    BothHaveKings {
        /// Pieces on the board.
        total: Bounds,
    },
    /// Exactly these (kings, men) against those.
    Exact((u32, u32), (u32, u32)),
}

const fn rule(article: &'static str, text: &'static str, moves: u16, ending: Ending) -> EndingRule {
    let counted = match ending {
        Ending::LoneKing(_) => Counted::LoneKing,
        _ => Counted::Balance,
    };
    EndingRule { article, text, ending, moves, counted, replaces_king_moves: false }
}

const THREE: Ending = Ending::LoneKing(LoneKing::Three);
const FEW: Ending = Ending::LoneKing(LoneKing::Few);

const FMJD_ENDINGS: &[EndingRule] = &[
    rule("FMJD 6.3", "three pieces, at least one a king, against a king", 16, THREE),
    rule("FMJD 6.4", "two pieces or fewer, at least one a king, against a king", 5, FEW),
];

static FMJD: DrawRules = DrawRules::new(Repetition::Third, Some(25), FMJD_ENDINGS, true);

const FEW_AGAINST_KING: EndingRule =
    rule("IDF 7.2.8", "two pieces or fewer, at least one a king, against a king", 5, FEW);
const LONG_DIAGONAL: EndingRule = EndingRule {
    counted: Counted::LongDiagonal,
    ..rule("IDF 7.2.7", "three pieces, at least one a king, against a king holding the long diagonal", 5, THREE)
};
const THREE_KINGS: EndingRule =
    rule("IDF 7.2.4", "three or more kings against a king", 15, Ending::KingAgainstKings((3, 64)));
const FOUR_OR_FIVE: EndingRule =
    rule("IDF 7.2.6", "four or five pieces, kings on both sides", 30, Ending::BothHaveKings { total: (4, 5) });
const SIX_OR_SEVEN: EndingRule =
    rule("IDF 7.2.6", "six or seven pieces, kings on both sides", 60, Ending::BothHaveKings { total: (6, 7) });

static IDF: DrawRules = DrawRules::new(
    Repetition::Third,
    Some(15),
    &[FEW_AGAINST_KING, LONG_DIAGONAL, THREE_KINGS, FOUR_OR_FIVE, SIX_OR_SEVEN],
    true,
);

/// The site counts a king against a king like any other ending.
static LIDRAUGHTS_100: DrawRules = DrawRules::new(Repetition::Third, Some(25), FMJD_ENDINGS, false);

static LIDRAUGHTS_64: DrawRules = DrawRules::new(
    Repetition::Third,
    Some(15),
    &[
        FEW_AGAINST_KING,
        LONG_DIAGONAL,
        THREE_KINGS,
        EndingRule { replaces_king_moves: true, ..FOUR_OR_FIVE },
        EndingRule { replaces_king_moves: true, ..SIX_OR_SEVEN },
    ],
    false,
);

static CBJD: DrawRules = DrawRules::new(
    Repetition::Third,
    Some(20),
    &[
        rule("CBJD", "two kings against two kings", 5, Ending::Exact((2, 0), (2, 0))),
        rule("CBJD", "two kings against a king", 5, Ending::Exact((2, 0), (1, 0))),
        rule("CBJD", "two kings against a king and a man", 5, Ending::Exact((2, 0), (1, 1))),
        rule("CBJD", "a king against a king", 5, Ending::Exact((1, 0), (1, 0))),
        rule("CBJD", "a king against a king and a man", 5, Ending::Exact((1, 0), (1, 1))),
    ],
    true,
);

const TWO_KINGS: EndingRule = rule("Frisian 18", "two kings against a king", 7, Ending::Exact((2, 0), (1, 0)));

static FRISIAN_DRAWS: DrawRules = DrawRules::new(Repetition::SearchOnly, None, &[TWO_KINGS], true);

/// The site gives a king against a king two moves each.
static LIDRAUGHTS_FRISIAN: DrawRules = DrawRules::new(
    Repetition::SearchOnly,
    None,
    &[TWO_KINGS, rule("lidraughts", "a king against a king", 2, Ending::Exact((1, 0), (1, 0)))],
    false,
);

static KILLER_DRAWS: DrawRules = DrawRules::new(Repetition::Third, Some(25), &[], true);

static REPETITION: DrawRules = DrawRules::new(Repetition::Third, None, &[], false);

static NONE: DrawRules = DrawRules::new(Repetition::Ignored, None, &[], false);

/// International draughts.
pub const INTERNATIONAL: Rules = Rules {
    capture_lines: CaptureLines::Diagonal,
    choice: CaptureChoice::Most,
    halts_behind_king: false,
    crowns_in_passing: false,
    king_run_limit: None,
    goal: Goal::Block,
    default_draws: DrawProfile::Fmjd,
    lidraughts: &LIDRAUGHTS_100,
};

/// Brazilian draughts: the rules of International, with draws of its own.
pub const BRAZILIAN: Rules = Rules { default_draws: DrawProfile::Idf, lidraughts: &LIDRAUGHTS_64, ..INTERNATIONAL };

/// Killer draughts.
pub const KILLER: Rules =
    Rules { halts_behind_king: true, default_draws: DrawProfile::Killer, lidraughts: &KILLER_DRAWS, ..INTERNATIONAL };

/// Breakthrough draughts. Men only move forward, so that a game ends without a draw rule.
pub const BREAKTHROUGH: Rules =
    Rules { goal: Goal::Crown, default_draws: DrawProfile::None, lidraughts: &NONE, ..INTERNATIONAL };

/// Losing draughts, also called giveaway or antidraughts.
pub const LOSING: Rules =
    Rules { goal: Goal::BeBlocked, default_draws: DrawProfile::Repetition, lidraughts: &REPETITION, ..INTERNATIONAL };

/// Frisian draughts (official rules of 2011).
pub const FRISIAN: Rules = Rules {
    capture_lines: CaptureLines::All,
    choice: CaptureChoice::Value,
    king_run_limit: Some(3),
    default_draws: DrawProfile::Frisian,
    lidraughts: &LIDRAUGHTS_FRISIAN,
    ..INTERNATIONAL
};

/// Russian draughts, with the draws of the Brazilian game.
pub const RUSSIAN: Rules = Rules { choice: CaptureChoice::Free, crowns_in_passing: true, ..BRAZILIAN };
