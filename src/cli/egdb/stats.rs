//! `egdb stats`: values of the positions in databases.

use std::io::{self, Write};

use serde::Serialize;

use super::Source;
use crate::cli::write_json;
use crate::egdb::{Counts, Kind, SliceFile};
use crate::notation::fen;
use crate::variant::{Task, Variant};

/// `stats` for one variant.
pub struct Stats {
    /// Which databases.
    pub source: Source,
    /// Whether to print JSON.
    pub json: bool,
}

/// What is known of a slice, or of all.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    slice: String,
    pieces: u32,
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    /// Sizes of the files.
    value_bytes: usize,
    distance_bytes: Option<usize>,
    /// Plies of the longest win and a position with it.
    longest_win: Option<u32>,
    longest_win_fen: Option<String>,
}

impl Task for Stats {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let databases = self.source.open::<V>()?;
        let files = databases.files();
        let mut out = io::stdout().lock();
        if !self.json {
            writeln!(out, "{HEADING}")?;
        }
        let mut total = Row { slice: "total".into(), ..Row::default() };
        for values in files.iter().filter(|file| file.kind() == Kind::Values) {
            let slice = values.index().slice();
            let distances = files.iter().find(|file| file.kind() == Kind::Distances && file.index().slice() == slice);
            let row = Row::new(values, distances.copied());
            total.add(&row);
            row.write(&mut out, self.json)?;
        }
        Ok(total.write(&mut out, self.json)?)
    }
}

const HEADING: &str =
    "slice         positions           won         drawn          lost       bytes   distances  longest win";

impl Row {
    fn new<V: Variant>(values: &SliceFile<V>, distances: Option<&SliceFile<V>>) -> Self {
        let Counts { win, draw, loss } = values.counts();
        let longest = distances.and_then(SliceFile::longest_win);
        Self {
            slice: values.index().slice().to_string(),
            pieces: values.index().slice().pieces(),
            positions: values.index().len(),
            won: win,
            drawn: draw,
            lost: loss,
            value_bytes: values.bytes().len(),
            distance_bytes: distances.map(|file| file.bytes().len()),
            longest_win: longest.map(|(plies, _)| plies),
            longest_win_fen: longest.map(|(_, at)| fen::write(&values.index().position(at))),
        }
    }

    /// Adds the row of a slice to that of all.
    fn add(&mut self, row: &Self) {
        self.pieces = self.pieces.max(row.pieces);
        self.positions += row.positions;
        self.won += row.won;
        self.drawn += row.drawn;
        self.lost += row.lost;
        self.value_bytes += row.value_bytes;
        self.distance_bytes =
            self.distance_bytes.into_iter().chain(row.distance_bytes).reduce(|sum, bytes| sum + bytes);
        if row.longest_win > self.longest_win {
            (self.longest_win, self.longest_win_fen) = (row.longest_win, row.longest_win_fen.clone());
        }
    }

    fn write(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            return write_json(out, self);
        }
        let Self { slice, positions, won, drawn, lost, value_bytes, .. } = self;
        write!(out, "{slice:<9} {positions:>13} {won:>13} {drawn:>13} {lost:>13} {value_bytes:>11}")?;
        let distances = self.distance_bytes.map_or_else(|| "-".to_string(), |bytes| bytes.to_string());
        write!(out, " {distances:>11}")?;
        match (self.longest_win, &self.longest_win_fen) {
            (Some(plies), Some(fen)) => writeln!(out, "  {plies:>3}: {fen}"),
            _ => writeln!(out),
        }
    }
}
