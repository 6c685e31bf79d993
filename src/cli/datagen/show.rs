//! `datagen show`: games as text.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;

use crate::datagen::{Outcome, Reader, Record};
use crate::notation::{fen, movetext};
use crate::variant::{Task, Variant};

/// Columns of a line.
const WIDTH: usize = 100;

/// `show` for one variant.
pub struct Show {
    /// The file.
    pub file: PathBuf,
    /// Number of the first game, from 1.
    pub from: u64,
    /// How many.
    pub games: u64,
}

impl Task for Show {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let mut reader = Reader::<V>::open(&self.file)?;
        let mut out = io::stdout().lock();
        let mut number = 0;
        while let Some(chunk) = reader.next_chunk()? {
            for game in chunk.games {
                number += 1;
                if number >= self.from.saturating_add(self.games) {
                    return Ok(());
                }
                if number >= self.from {
                    writeln!(out, "{}", text(&game, number))?;
                }
            }
        }
        Ok(())
    }
}

/// A game as PDN.
fn text<V: Variant>(game: &Record<V>, number: u64) -> String {
    let result = match game.outcome {
        Outcome::Open => "*",
        Outcome::White => V::NOTATION.results[0],
        Outcome::Draw => V::NOTATION.results[1],
        Outcome::Black => V::NOTATION.results[2],
    };
    let mut text = format!(
        "[Event \"training game {number}\"]\n[GameType \"{}\"]\n[FEN \"{}\"]\n[Result \"{result}\"]\n\n",
        V::NOTATION.game_type,
        fen::write(&game.start)
    );
    let mut column = 0;
    let words = game.positions().flat_map(|(position, ply)| {
        let score = ply.score.map(|score| format!("{{{score}}}"));
        [Some(movetext::write(&position, ply.mv)), score].into_iter().flatten()
    });
    for word in words.chain([result.to_string()]) {
        if column + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        text += &word;
        text.push(' ');
        column += word.len() + 1;
    }
    text + "\n"
}
