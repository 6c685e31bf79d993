//! `datagen stats`: what files of games hold.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::board::Key;
use crate::cli::write_json;
use crate::datagen::{Outcome, Reader, Record, RecordError, Settings};
use crate::trainer::samples::is_quiet;
use crate::variant::{Task, Variant};

/// `stats` for one variant.
pub struct Stats {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Whether to print JSON.
    pub json: bool,
}

#[derive(Debug, Default, Serialize)]
struct Row {
    file: String,
    /// The settings under which games were played, in the order of the file.
    settings: Vec<Settings>,
    games: u64,
    white: u64,
    draw: u64,
    black: u64,
    open: u64,
    positions: u64,
    /// Positions in which neither side can capture.
    quiet: u64,
    /// Different positions, the side to move included.
    different: u64,
    longest: usize,
    bytes: u64,
    /// What is wrong with parts of the file.
    damage: Vec<String>,
}

impl Task for Stats {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let mut out = io::stdout().lock();
        let mut seen = HashSet::new();
        for file in &self.files {
            let row = row::<V>(file, &mut seen)?;
            if self.json {
                write_json(&mut out, &row)?;
            } else {
                row.print(&mut out)?;
            }
        }
        Ok(())
    }
}

/// The row of a file; positions in `seen` are known from earlier ones.
fn row<V: Variant>(file: &Path, seen: &mut HashSet<Key>) -> Result<Row> {
    let mut reader = Reader::<V>::open(file)?;
    let mut row = Row { file: file.display().to_string(), bytes: fs::metadata(file)?.len(), ..Row::default() };
    loop {
        match reader.next_chunk() {
            Ok(None) => break,
            Ok(Some(chunk)) => {
                if row.settings.last() != Some(reader.settings()) {
                    row.settings.push(reader.settings().clone());
                }
                chunk.games.iter().for_each(|game| row.add(game, seen));
            }
            Err(error @ RecordError::Damaged { .. }) => row.damage.push(error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(row)
}

impl Row {
    fn add<V: Variant>(&mut self, game: &Record<V>, seen: &mut HashSet<Key>) {
        self.games += 1;
        *match game.outcome {
            Outcome::Open => &mut self.open,
            Outcome::White => &mut self.white,
            Outcome::Draw => &mut self.draw,
            Outcome::Black => &mut self.black,
        } += 1;
        self.longest = self.longest.max(game.plies.len());
        for (position, _) in game.positions() {
            self.positions += 1;
            self.quiet += u64::from(is_quiet(&position));
            self.different += u64::from(seen.insert(Key::of(&position)));
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let share = |count: u64, whole: u64| 100.0 * count as f64 / whole.max(1) as f64;
        writeln!(out, "{}", self.file)?;
        for settings in &self.settings {
            let Settings { engine, weights, nodes, seed, openings, random_plies: (min, max), .. } = settings;
            writeln!(
                out,
                "  {engine}, evaluation {weights}, {nodes} nodes a move, seed {seed}, {openings} and {min} to {max} random plies"
            )?;
        }
        writeln!(
            out,
            "  games      {:>12}   White won {:.1} %, drawn {:.1} %, Black won {:.1} %, open {:.1} %",
            self.games,
            share(self.white, self.games),
            share(self.draw, self.games),
            share(self.black, self.games),
            share(self.open, self.games)
        )?;
        writeln!(
            out,
            "  positions  {:>12}   {:.1} a game, at most {}",
            self.positions,
            self.positions as f64 / self.games.max(1) as f64,
            self.longest
        )?;
        writeln!(out, "  quiet      {:>12}   {:.1} %", self.quiet, share(self.quiet, self.positions))?;
        writeln!(out, "  different  {:>12}   {:.1} %", self.different, share(self.different, self.positions))?;
        writeln!(
            out,
            "  bytes      {:>12}   {:.2} a position",
            self.bytes,
            self.bytes as f64 / self.positions.max(1) as f64
        )?;
        self.damage.iter().try_for_each(|damage| writeln!(out, "  {damage}"))
    }
}
