//! The parameters of the engine, declared once.
//!
//! One row of `params!` is all a parameter takes: from it come the field of [`Params`], the
//! parser, and the [`ParamInfo`] that feeds the Hub `param` lines, the command-line flags and the
//! table in the documentation.

mod value;

use std::fmt;

use self::value::{Choice, Rejected, Value};
use crate::board::DrawPolicy;
use crate::egdb::MAX_PIECES;
use crate::variant::rules::{DrawProfile, KingAgainstKing};
use crate::variant::{Variant, VariantId};

/// How field numbers are counted on the 8x8 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SquareNumbering {
    /// From Black's side, unless the moves received are only legal counted the other way.
    #[default]
    Auto,
    /// Square 1 is in the first row from above, where Black starts.
    TopDown,
    /// Square 1 is a1.
    BottomUp,
}

/// What a parameter may hold.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// `true` or `false`.
    Bool,
    /// A whole number within inclusive bounds.
    Int {
        /// Lowest value.
        min: u32,
        /// Highest value.
        max: u32,
    },
    /// One of these names.
    Enum(fn() -> Vec<&'static str>),
    /// Any text.
    Text,
}

/// The description of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// Its name, the same everywhere.
    pub name: &'static str,
    /// What it may hold.
    pub kind: ParamKind,
    /// What it does.
    pub doc: &'static str,
    get: fn(&Params) -> String,
    set: fn(&mut Params, &str) -> Result<(), Rejected>,
}

/// A parameter that could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// There is no such parameter.
    #[error("unknown parameter `{0}`")]
    UnknownName(String),
    /// It cannot have this value; the old one stays.
    #[error("parameter {name}: {reason}")]
    BadValue {
        /// Name of the parameter.
        name: &'static str,
        /// What is wrong, with the offending text.
        reason: String,
    },
}

/// A number that was out of range and has been moved to the nearest bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clamped {
    name: &'static str,
    text: String,
    value: u32,
}

impl fmt::Display for Clamped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "parameter {}: `{}` is out of range, {} is used", self.name, self.text, self.value)
    }
}

/// A row is `name: type, kind, field name = default, doc;`. A row with `view getter setter` in place
/// of `field` is another way to see a field.
macro_rules! params {
    ($(
        $name:literal: $ty:ty, $kind:expr,
        $( field $field:ident = $default:expr, )? $( view $get:ident $put:ident, )?
        $doc:literal;
    )+) => {
        /// Values of all parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $( $( #[doc = $doc] pub $field: $ty, )? )+
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $( $( $field: $default, )? )+ }
            }
        }

        /// Every parameter, in the order in which they are declared to a GUI.
        pub const PARAMS: &[ParamInfo] = &[
            $( ParamInfo {
                name: $name,
                kind: $kind,
                doc: $doc,
                get: |params| {
                    $( let value = &params.$field; )?
                    $( let value = &params.$get(); )?
                    <$ty as Value>::write(value)
                },
                set: |params, text| {
                    let value = <$ty as Value>::read(text)?;
                    $( params.$field = value; )?
                    $( params.$put(value); )?
                    Ok(())
                },
            }, )+
        ];
    };
}

const fn int(min: u32, max: u32) -> ParamKind {
    ParamKind::Int { min, max }
}

params! {
    "variant": VariantId, ParamKind::Enum(VariantId::names), field variant = VariantId::International,
        "The game: `normal` is International draughts, `bt` Breakthrough; `brazilian` and `russian` are played on 8x8, the others on 10x10. Takes effect with the next position or `init`.";
    "book": bool, ParamKind::Bool, field book = true,
        "Play from an opening book. Accepted for GUIs that set it; there is no book yet.";
    "book-ply": u32, int(0, 20), field book_ply = 4,
        "Plies of the game in which the book may deviate from its best move.";
    "book-margin": u32, int(0, 100), field book_margin = 4,
        "How much worse a book move may be within `book-ply`, in hundredths of a man.";
    "ponder": bool, ParamKind::Bool, field ponder = false,
        "Whether the GUI will let the engine think on the opponent's time; more time is then spent per move.";
    "threads": u32, int(1, 64), field threads = 1,
        "Search threads.";
    "tt-size": u32, int(16, 30), view tt_size set_tt_size,
        "Size of the transposition table as the binary logarithm of its 16-byte entries. The same setting as `hash`: the last one set holds.";
    "bb-size": u32, int(0, MAX_PIECES), field bb_size = MAX_PIECES,
        "Most pieces on the board for which endgame databases are used; 0 for none.";
    "egdb-dir": String, ParamKind::Text, field egdb_dir = String::new(),
        "Folder with endgame databases beyond those in the program; empty for the user's own, where `meerslag egdb build` puts them.";
    "egdb-hits": bool, ParamKind::Bool, field egdb_hits = false,
        "Whether the number of positions found in endgame databases is reported.";
    "weights": String, ParamKind::Text, field weights = String::new(),
        "File with weights of the evaluation; empty for those in the program, `hand-made` for the evaluation without any.";
    "hash": u32, int(1, 65536), field hash = 64,
        "Size of the transposition table in MiB. The same setting as `tt-size`: the last one set holds.";
    "multi-pv": u32, int(1, 64), field multi_pv = 1,
        "Number of best moves that are each reported with score and line.";
    "wdl": bool, ParamKind::Bool, field wdl = false,
        "Whether the chances of a win, a draw and a loss are reported with the score.";
    "draw-rules": Option<DrawProfile>, ParamKind::Enum(Option::<DrawProfile>::names), field draw_rules = None,
        "The draw rules in force; `default` is the variant's own set.";
    "kvk": KingAgainstKing, ParamKind::Enum(KingAgainstKing::names), field kvk = KingAgainstKing::Exact,
        "When a king against a king is drawn: at once unless decided by force, at once, or by the move count only.";
    "square-numbering": SquareNumbering, ParamKind::Enum(SquareNumbering::names), field square_numbering = SquareNumbering::Auto,
        "Which end of the 8x8 board has square 1 in moves; `auto` is top-down until moves arrive that are only legal bottom-up.";
    "log-file": String, ParamKind::Text, field log_file = String::new(),
        "File to which every line received and sent is appended with its time; empty for none.";
}

/// `tt-size` of a table of 1 MiB.
const TT_SIZE_OF_ONE_MIB: u32 = 16;

impl Params {
    /// Sets a parameter from text. A number out of range is moved to the nearest bound, which the
    /// returned note tells.
    ///
    /// # Errors
    /// If there is no such parameter, or the text is no value for it; then nothing changes.
    pub fn set(&mut self, name: &str, text: &str) -> Result<Option<Clamped>, ParamError> {
        let info = ParamInfo::find(name).ok_or_else(|| ParamError::UnknownName(name.into()))?;
        let text = text.trim();
        let clamped = info.clamp(text);
        let text = clamped.as_ref().map_or_else(|| text.to_string(), |note| note.value.to_string());
        (info.set)(self, &text).map_err(|reason| ParamError::BadValue { name: info.name, reason })?;
        Ok(clamped)
    }

    /// Whether an engine made with `made_with` can go on with these parameters.
    pub fn fit_engine_of(&self, made_with: &Self) -> bool {
        (self.variant, self.threads, self.hash) == (made_with.variant, made_with.threads, made_with.hash)
    }

    /// The draw rules in force for a variant.
    pub fn draw_policy<V: Variant>(&self) -> DrawPolicy {
        DrawPolicy { rules: V::RULES.draws(self.draw_rules), king_against_king: self.kvk }
    }

    /// The largest `tt-size` that fits in `hash`.
    fn tt_size(&self) -> u32 {
        TT_SIZE_OF_ONE_MIB + self.hash.max(1).ilog2()
    }

    fn set_tt_size(&mut self, size: u32) {
        self.hash = 1 << (size - TT_SIZE_OF_ONE_MIB);
    }
}

impl ParamInfo {
    /// The parameter of this name, in any case.
    pub fn find(name: &str) -> Option<&'static Self> {
        PARAMS.iter().find(|info| info.name.eq_ignore_ascii_case(name))
    }

    /// Its value as text.
    pub fn value(&self, params: &Params) -> String {
        let value = (self.get)(params);
        // A table beyond the range of `tt-size` is shown as the largest one.
        self.clamp(&value).map_or(value, |note| note.value.to_string())
    }

    /// Its values in words: bounds, names or a type.
    pub fn range(&self) -> String {
        match self.kind {
            ParamKind::Bool => "true, false".into(),
            ParamKind::Int { min, max } => format!("{min} to {max}"),
            ParamKind::Enum(names) => names().join(", "),
            ParamKind::Text => "text".into(),
        }
    }

    /// The note on a whole number outside the bounds.
    fn clamp(&self, text: &str) -> Option<Clamped> {
        let ParamKind::Int { min, max } = self.kind else { return None };
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // Only a number beyond any bound fails to parse here.
        let number = text.parse::<i64>().unwrap_or(if digits == text { i64::MAX } else { i64::MIN });
        let value = number.clamp(min.into(), max.into());
        (value != number).then(|| Clamped { name: self.name, text: text.into(), value: value as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::rules::Repetition;
    use crate::variant::{Brazilian, International};

    fn get(params: &Params, name: &str) -> String {
        ParamInfo::find(name).unwrap().value(params)
    }

    #[test]
    fn order_and_defaults_are_those_of_the_protocol() {
        let params = Params::default();
        let shown: Vec<_> = PARAMS.iter().map(|info| format!("{}={}", info.name, info.value(&params))).collect();
        let expected = "variant=normal book=true book-ply=4 book-margin=4 ponder=false threads=1 tt-size=22 bb-size=8 \
                        egdb-dir= egdb-hits=false weights= hash=64 multi-pv=1 wdl=false draw-rules=default kvk=exact square-numbering=auto log-file=";
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn every_default_can_be_set_and_read_back() {
        let mut params = Params::default();
        for info in PARAMS {
            assert_eq!(params.set(info.name, &info.value(&Params::default())), Ok(None), "{}", info.name);
        }
        assert_eq!(params, Params::default());
    }

    #[test]
    fn every_bound_and_every_name_is_a_value() {
        for info in PARAMS {
            let values = match info.kind {
                ParamKind::Bool => vec!["true".to_string(), "false".into()],
                ParamKind::Int { min, max } => vec![min.to_string(), max.to_string()],
                ParamKind::Enum(names) => names().into_iter().map(String::from).collect(),
                ParamKind::Text => vec!["any text".into()],
            };
            for value in values {
                let mut params = Params::default();
                assert_eq!(params.set(info.name, &value), Ok(None));
                assert_eq!(info.value(&params), value);
            }
        }
    }

    #[test]
    fn aliases_and_case_are_accepted() {
        let mut params = Params::default();
        params.set("VARIANT", "Bt").unwrap();
        assert_eq!(params.variant, VariantId::Breakthrough);
        params.set("Book", "off").unwrap();
        for (name, id) in [
            ("standard", VariantId::International),
            ("International", VariantId::International),
            ("Russian", VariantId::Russian),
            ("frysk!", VariantId::Frisian),
            ("killer", VariantId::Killer),
            ("breakthrough", VariantId::Breakthrough),
            ("antidraughts", VariantId::Losing),
            ("BR", VariantId::Brazilian),
        ] {
            params.set("variant", name).unwrap();
            assert_eq!(params.variant, id);
        }
        params.set("draw-rules", "FMJD").unwrap();
        assert_eq!(
            (params.variant, params.book, params.draw_rules),
            (VariantId::Brazilian, false, Some(DrawProfile::Fmjd))
        );
    }

    #[test]
    fn numbers_out_of_range_are_clamped_with_a_note() {
        let mut params = Params::default();
        for (text, expected) in [("1000", 64), ("0", 1), ("-3", 1), ("99999999999999999999999", 64)] {
            let note = params.set("threads", text).unwrap().unwrap().to_string();
            assert!(note.contains(text) && note.contains(&expected.to_string()), "{note}");
            assert_eq!(params.threads, expected);
        }
    }

    #[test]
    fn bad_values_are_named_and_change_nothing() {
        let mut params = Params::default();
        let cases =
            [("threads", "abc"), ("threads", ""), ("threads", "1.5"), ("book", "2"), ("variant", "go"), ("kvk", "x")];
        for (name, text) in cases {
            let error = params.set(name, text).unwrap_err();
            assert!(matches!(error, ParamError::BadValue { .. }));
            assert!(error.to_string().contains(&format!("`{text}`")) && error.to_string().contains(name), "{error}");
        }
        assert_eq!(params.set("initial-time", "3"), Err(ParamError::UnknownName("initial-time".into())));
        assert_eq!(params, Params::default());
    }

    #[test]
    fn hash_and_tt_size_are_one_setting() {
        let mut params = Params::default();
        params.set("tt-size", "24").unwrap();
        assert_eq!((params.hash, get(&params, "hash")), (256, "256".into()));
        params.set("hash", "100").unwrap();
        assert_eq!((params.hash, get(&params, "tt-size")), (100, "22".into()));
        params.set("hash", "65536").unwrap();
        assert_eq!((params.hash, get(&params, "tt-size")), (65536, "30".into()));
    }

    #[test]
    fn draw_policy_follows_the_parameters() {
        let mut params = Params::default();
        assert_eq!(params.draw_policy::<International>().rules.king_moves, Some(25));
        assert_eq!(params.draw_policy::<Brazilian>().rules.king_moves, Some(15));
        params.set("draw-rules", "none").unwrap();
        params.set("kvk", "count").unwrap();
        let policy = params.draw_policy::<Brazilian>();
        assert!(policy.rules.repetition == Repetition::Ignored && policy.king_against_king == KingAgainstKing::Count);
    }
}
