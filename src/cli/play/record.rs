//! Played games as PDN.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::board::{Game, GameOver, Side};
use crate::notation::pdn::{GameResult, PdnGame, Tags, write_game};
use crate::util::date::DateTime;
use crate::variant::Variant;

const ENGINE: &str = "Meerslag";
const PERSON: &str = "Player";

/// Appends a game to a file; without `over` its result is open.
///
/// # Errors
/// If the file cannot be written.
pub fn append<V: Variant>(path: &Path, game: &Game<V>, person: Side, over: Option<GameOver>) -> io::Result<()> {
    let mut tags = Tags::default();
    tags.set("Event", "Casual game");
    tags.set("Date", today());
    for side in Side::BOTH {
        tags.set(&side.to_string(), if side == person { PERSON } else { ENGINE });
    }
    if let Some(over) = over {
        tags.set("Termination", over.to_string());
    }
    let record = PdnGame::of(game, tags, over.map_or(GameResult::Open, GameResult::from));
    let mut file = BufWriter::new(OpenOptions::new().append(true).create(true).open(path)?);
    write_game(&mut file, &record)?;
    file.flush()
}

/// Today's date in UTC as PDN writes it.
fn today() -> String {
    let DateTime { year, month, day, .. } = DateTime::now();
    format!("{year:04}.{month:02}.{day:02}")
}
