//! How a variant writes squares and results.

/// Notation of a variant, after the PDN 3.0 game types.
#[derive(Debug, PartialEq, Eq)]
pub struct Notation {
    /// Code in the PDN `GameType` tag.
    pub game_type: u32,
    /// Value of the `Variant` tag, for games that the code alone does not tell.
    pub variant_tag: Option<&'static str>,
    /// A game of the same rules that has a name and a start of its own, read but not written.
    pub offshoot: Option<Offshoot>,
    /// How squares are written in PDN moves; numbers and letters are both read.
    pub squares: SquareStyle,
    /// Separator of a capture.
    pub capture: char,
    /// Result of a game: White wins, draw, Black wins.
    pub results: [&'static str; 3],
}

/// A game that differs from a variant in nothing but its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offshoot {
    /// Values of the `Variant` tag, lower case.
    pub names: &'static [&'static str],
    /// Code in the PDN `GameType` tag.
    pub game_type: u32,
    /// The position at the start, as FEN.
    pub start: &'static str,
}

/// How squares are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareStyle {
    /// Field numbers, `32-28`.
    Numeric,
    /// Files and ranks, `c3-d4`.
    Algebraic,
}

/// PDN game type 20.
pub const INTERNATIONAL: Notation = Notation {
    game_type: 20,
    variant_tag: None,
    offshoot: None,
    squares: SquareStyle::Numeric,
    capture: 'x',
    results: ["2-0", "1-1", "0-2"],
};

/// PDN game type 26.
pub const BRAZILIAN: Notation = Notation {
    game_type: 26,
    variant_tag: None,
    offshoot: None,
    squares: SquareStyle::Algebraic,
    capture: 'x',
    results: ["1-0", "1/2-1/2", "0-1"],
};

/// PDN game type 25.
pub const RUSSIAN: Notation = Notation { game_type: 25, capture: ':', ..BRAZILIAN };

/// PDN game type 40; lidraughts.org has a code of its own for the game with five pieces each.
pub const FRISIAN: Notation = Notation {
    game_type: 40,
    offshoot: Some(Offshoot { names: &["frysk!", "frysk"], game_type: 97, start: "W:W46-50:B1-5" }),
    results: BRAZILIAN.results,
    ..INTERNATIONAL
};

/// No standard code: that of International, with a tag that tells.
pub const KILLER: Notation = Notation { variant_tag: Some("Killer"), ..INTERNATIONAL };

/// No standard code: the one that lidraughts.org writes.
pub const BREAKTHROUGH: Notation = Notation { game_type: 96, variant_tag: Some("Breakthrough"), ..INTERNATIONAL };

/// No standard code: the one that lidraughts.org writes.
pub const LOSING: Notation = Notation { game_type: 98, variant_tag: Some("Antidraughts"), ..INTERNATIONAL };
