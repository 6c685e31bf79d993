//! Writes games as PDN.

use std::io::{self, Write};

use crate::board::{Position, Side};
use crate::notation::pdn::{Action, Comment, Entry, GameResult, Line, PdnGame};
use crate::notation::{fen, movetext};
use crate::variant::Variant;

/// Longest line of moves, as the standard asks for.
const WIDTH: usize = 79;
/// The tags that every game has, with their value if it is unknown; the result follows.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// Writes a game: the seven usual tags, `GameType`, `Variant` where the code does not tell it, `FEN` unless
/// the game began from the start, all other tags, then the moves with the result, and an empty line.
///
/// A closing brace in a comment becomes a parenthesis, since it would end the comment.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_game<V: Variant>(out: &mut impl Write, game: &PdnGame<V>) -> io::Result<()> {
    write_tags(out, game)?;
    writeln!(out)?;
    let mut text = Wrapped { out, column: 0, glued: false };
    write_line(&mut text, &game.line, game.start, 2)?;
    text.word(match &game.result {
        // The tag tells it; behind the moves it could look like one of them.
        GameResult::Other(_) => "*",
        result => result.text::<V>(),
    })?;
    writeln!(out)?;
    writeln!(out)
}

fn write_tags<V: Variant>(out: &mut impl Write, game: &PdnGame<V>) -> io::Result<()> {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(|c: char| c.is_control(), " ").replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]")
    };
    for (name, unknown) in ROSTER {
        tag(name, game.tags.get(name).unwrap_or(unknown))?;
    }
    tag("Result", game.result.text::<V>())?;
    tag("GameType", &V::NOTATION.game_type.to_string())?;
    if let Some(name) = V::NOTATION.variant_tag {
        tag("Variant", name)?;
    }
    if game.start != Position::start() {
        tag("FEN", &fen::write_in(&game.start, V::NOTATION.squares))?;
    }
    let written = |name: &str| {
        let variant = V::NOTATION.variant_tag.map(|_| "Variant");
        let mut own = ROSTER.iter().map(|(name, _)| *name).chain(["Result", "GameType", "FEN"]).chain(variant);
        own.any(|other| other.eq_ignore_ascii_case(name))
    };
    for (name, value) in game.tags.iter().filter(|(name, _)| !written(name)) {
        // A name with other characters would not read back.
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            tag(name, value)?;
        }
    }
    Ok(())
}

/// Writes a line whose first ply has the number `first_ply` (2 for White's first move, 3 for Black's).
fn write_line<V: Variant>(
    text: &mut Wrapped<impl Write>,
    line: &Line<V>,
    start: Position<V>,
    first_ply: usize,
) -> io::Result<()> {
    write_comments(text, &line.comments)?;
    let mut position = start;
    // Black's move has a number only where White's does not stand right before it.
    let mut numbered = false;
    let mut ply = first_ply & !1;
    for entry in &line.moves {
        ply = next_ply(ply, position.side_to_move());
        let number = match position.side_to_move() {
            Side::White => format!("{}. ", ply / 2),
            Side::Black if numbered => String::new(),
            Side::Black => format!("{}... ", ply / 2),
        };
        write_entry(text, entry, &position, (ply, &number))?;
        numbered =
            entry.comments.is_empty() && entry.variations.is_empty() && !matches!(entry.action, Action::Setup(_));
        position = entry.action.apply(&position);
        ply += 1;
    }
    Ok(())
}

/// The first ply from `ply` on that belongs to `side`: even for White.
fn next_ply(ply: usize, side: Side) -> usize {
    if ply % 2 == side.index() { ply } else { ply + 1 }
}

fn write_entry<V: Variant>(
    text: &mut Wrapped<impl Write>,
    entry: &Entry<V>,
    position: &Position<V>,
    (ply, number): (usize, &str),
) -> io::Result<()> {
    let mark = match entry.action {
        Action::Move(_) => entry.nags.first().and_then(|nag| movetext::strength_mark(*nag)),
        Action::Skip | Action::Setup(_) => None,
    };
    let action = match &entry.action {
        Action::Move(mv) => movetext::write(position, *mv),
        Action::Skip => "...".into(),
        Action::Setup(next) => format!("/FEN \"{}\"/", fen::write_in(next, V::NOTATION.squares)),
    };
    text.word(&format!("{number}{action}{}", mark.unwrap_or_default()))?;
    for nag in entry.nags.iter().skip(mark.is_some().into()) {
        text.word(&format!("${nag}"))?;
    }
    write_comments(text, &entry.comments)?;
    for variation in &entry.variations {
        text.opening("(")?;
        write_line(text, variation, *position, ply)?;
        text.closing(")")?;
    }
    Ok(())
}

fn write_comments(text: &mut Wrapped<impl Write>, comments: &[Comment]) -> io::Result<()> {
    for comment in comments {
        let inside = comment.0.replace('}', ")");
        text.opening("{")?;
        for word in inside.split_whitespace() {
            text.word(word)?;
        }
        text.closing("}")?;
    }
    Ok(())
}

/// Words with blanks or line ends between them.
struct Wrapped<'a, W> {
    out: &'a mut W,
    column: usize,
    /// Whether the next word follows without a blank.
    glued: bool,
}

impl<W: Write> Wrapped<'_, W> {
    fn word(&mut self, word: &str) -> io::Result<()> {
        let length = word.chars().count();
        let glued = std::mem::take(&mut self.glued);
        if self.column > 0 && self.column + length + usize::from(!glued) > WIDTH {
            writeln!(self.out)?;
            self.column = 0;
        } else if self.column > 0 && !glued {
            write!(self.out, " ")?;
            self.column += 1;
        }
        self.column += length;
        write!(self.out, "{word}")
    }

    /// An opening bracket: what follows is glued to it.
    fn opening(&mut self, bracket: &str) -> io::Result<()> {
        self.word(bracket)?;
        self.glued = true;
        Ok(())
    }

    /// A closing bracket, glued to what stands before it.
    fn closing(&mut self, bracket: &str) -> io::Result<()> {
        self.glued = true;
        self.word(bracket)
    }
}
