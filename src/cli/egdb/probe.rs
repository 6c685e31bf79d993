//! `egdb probe`: what the databases know of a position.

use std::cmp::Reverse;
use std::io::{self, Write};

use anyhow::bail;
use serde::Serialize;

use super::Source;
use crate::board::{Position, legal_moves};
use crate::cli::{UsageError, write_json};
use crate::egdb::{Databases, MAX_PIECES, Slice, Value};
use crate::notation::{fen, movetext, read_position};
use crate::variant::{Task, Variant};

/// `probe` for one variant.
pub struct Probe {
    /// Which databases.
    pub source: Source,
    /// The position.
    pub position: String,
    /// Whether to print JSON.
    pub json: bool,
}

/// A value with the plies to the end of the game, if they are known.
#[derive(Clone, Copy, Debug, Serialize)]
struct Known {
    value: &'static str,
    plies: Option<u32>,
    #[serde(skip)]
    merit: (Value, Reverse<u32>),
}

#[derive(Debug, Serialize)]
struct Answer {
    fen: String,
    slice: Option<String>,
    #[serde(flatten)]
    known: Known,
    moves: Vec<Choice>,
}

/// A move with what it leads to, for the side that makes it.
#[derive(Debug, Serialize)]
struct Choice {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    known: Option<Known>,
}

impl Known {
    /// What is known of a position; after a move, for the side that has made it.
    fn of<V: Variant>(databases: &Databases<V>, position: &Position<V>, moved: bool) -> Option<Self> {
        let stored = databases.value(position)?;
        let value = if moved { -stored } else { stored };
        let plies = databases.distance(position).filter(|_| value != Value::Draw).map(|plies| plies + u32::from(moved));
        let name = match value {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        };
        // A late loss is better than an early one.
        let soon = plies.map_or(0, |plies| if value == Value::Loss { u32::MAX - plies } else { plies });
        Some(Self { value: name, plies, merit: (value, Reverse(soon)) })
    }

    fn describe(self) -> String {
        self.plies.map_or_else(|| self.value.to_string(), |plies| format!("{} in {plies}", self.value))
    }
}

impl Task for Probe {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let position =
            read_position::<V>(&self.position).map_err(|error| UsageError(format!("`{}`: {error}", self.position)))?;
        let databases = self.source.open::<V>()?;
        let Some(known) = Known::of(&databases, &position, false) else {
            let fen = fen::write(&position);
            match Slice::of(&position) {
                Some(slice) => bail!("no database of {slice}, for {fen}"),
                None => bail!("no database can know {fen}: a side has no piece, or there are more than {MAX_PIECES}"),
            }
        };
        let choice = |mv| Choice {
            text: movetext::write(&position, mv),
            known: Known::of(&databases, &position.after(mv), true),
        };
        let mut moves: Vec<_> = legal_moves(&position).iter().map(|&mv| choice(mv)).collect();
        moves.sort_by_key(|choice| Reverse(choice.known.map(|known| known.merit)));
        let slice = Slice::of(&position).map(|slice| slice.to_string());
        let answer = Answer { fen: fen::write(&position), slice, known, moves };
        let mut out = io::stdout().lock();
        if self.json { Ok(write_json(&mut out, &answer)?) } else { Ok(answer.write(&mut out)?) }
    }
}

impl Answer {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}  {}", self.fen, self.slice.as_deref().unwrap_or("the game is over"))?;
        writeln!(out, "{} for the side to move", self.known.describe())?;
        let width = self.moves.iter().map(|choice| choice.text.len()).max().unwrap_or(0);
        for Choice { text, known } in &self.moves {
            let known = known.map_or_else(|| "not known".into(), Known::describe);
            writeln!(out, "  {text:<width$}  {known}")?;
        }
        Ok(())
    }
}
