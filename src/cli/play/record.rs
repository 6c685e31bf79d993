//! Played games as PDN.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::board::{Game, GameOver, Side};
use crate::notation::pdn::{GameResult, PdnGame, Tags, write_game};
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
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    date(days)
}

/// The date so many days after the first of January 1970.
fn date(mut days: u64) -> String {
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    format!("{year:04}.{:02}.{:02}", month + 1, days + 1)
}

const fn days_of_year(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, text) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_322, "2000.12.31"),
            (20_088, "2024.12.31"),
            (20_089, "2025.01.01"),
        ] {
            assert_eq!(date(days), text, "{days}");
        }
    }
}
