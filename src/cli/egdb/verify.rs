//! `egdb verify`: databases checked against the rules.

use std::io::{self, Write};

use anyhow::bail;
use serde::Serialize;

use super::Source;
use crate::cli::{watch, write_json};
use crate::egdb::{Claim, Kind, Mistake, Value, Verifier};
use crate::notation::fen;
use crate::variant::{Task, Variant};

/// `verify` for one variant.
pub struct Verify {
    /// Which databases.
    pub source: Source,
    /// Slices of up to so many pieces are checked completely.
    pub whole: u32,
    /// Positions of each larger slice.
    pub sample: u64,
    /// Whether to print JSON.
    pub json: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    slice: String,
    checked: u64,
    wrong: u64,
    /// Whether the totals in the file are those of its positions; not known of a sample.
    totals_agree: Option<bool>,
    /// One of the wrong positions and what is wrong.
    example: Option<String>,
}

impl Task for Verify {
    type Output = anyhow::Result<()>;

    fn run<V: Variant>(self) -> anyhow::Result<()> {
        let interrupts = watch::interrupts()?;
        let databases = self.source.open::<V>()?;
        let verifier = Verifier::new(&databases, self.whole, self.sample)?;
        let mut out = io::stdout().lock();
        if !self.json {
            writeln!(out, "slice           checked       wrong")?;
        }
        let (mut checked, mut bad) = (0, 0);
        for file in databases.files().into_iter().filter(|file| file.kind() == Kind::Values) {
            if interrupts.try_recv().is_ok() {
                bail!("stopped after {checked} positions");
            }
            let slice = file.index().slice();
            let found = verifier.check(slice)?;
            let whole = found.positions == file.index().len();
            let row = Row {
                slice: slice.to_string(),
                checked: found.positions,
                wrong: found.mistakes,
                totals_agree: whole.then(|| found.counts == file.counts()),
                example: found.example.map(|mistake| describe(&mistake)),
            };
            checked += row.checked;
            bad += row.wrong + u64::from(row.totals_agree == Some(false));
            row.write(&mut out, self.json)?;
            out.flush()?;
        }
        if bad > 0 {
            bail!("{bad} of {checked} positions and totals are wrong");
        }
        if !self.json {
            writeln!(out, "{checked} positions checked, none is wrong")?;
        }
        Ok(())
    }
}

impl Row {
    fn write(&self, out: &mut impl Write, json: bool) -> io::Result<()> {
        if json {
            return write_json(out, self);
        }
        write!(out, "{:<9} {:>13} {:>11}", self.slice, self.checked, self.wrong)?;
        if self.totals_agree == Some(false) {
            write!(out, "  the totals in the file are wrong")?;
        }
        match &self.example {
            Some(example) => writeln!(out, "  {example}"),
            None => writeln!(out),
        }
    }
}

/// A wrong position in words.
fn describe<V: Variant>(mistake: &Mistake<V>) -> String {
    let claim = |claim: Option<Claim>| {
        let Some(Claim { value, distance }) = claim else { return "nothing".to_string() };
        let value = match value {
            Value::Loss => "a loss",
            Value::Draw => "a draw",
            Value::Win => "a win",
        };
        distance.map_or_else(|| value.to_string(), |plies| format!("{value} in {plies}"))
    };
    let (stored, found) = (claim(mistake.stored), claim(mistake.found));
    format!("{}: {stored} is stored, {found} follows from the moves", fen::write(&mistake.position))
}
