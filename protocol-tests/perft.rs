//! Move counts against published and independently computed ones (`suites/*.perft`).
//!
//! A plain run counts the rows up to a number of nodes; `MEERSLAG_PERFT=full` counts them all and
//! `MEERSLAG_PERFT=<nodes>` sets another limit.

mod support;

use std::io::Write;

use meerslag::board::perft::perft_parallel;
use meerslag::variant::rules::Goal;
use meerslag::variant::{Variant, VariantId};
use support::{fields, for_every_variant, position, suite};

/// Largest row of a plain run.
const USUAL_CAP: u64 = 3_000_000;

struct Row {
    fen: String,
    depth: u32,
    nodes: u64,
}

fn rows<V: Variant>() -> Vec<Row> {
    let mut rows = Vec::new();
    for line in suite::<V>("perft") {
        let [fen, counts @ ..] = &fields(&line)[..] else { panic!("no FEN in `{line}`") };
        assert!(!counts.is_empty(), "no counts in `{line}`");
        for count in counts {
            let (depth, nodes) = count.strip_prefix('D').and_then(|count| count.split_once(' ')).expect(&line);
            rows.push(Row { fen: fen.to_string(), depth: depth.parse().unwrap(), nodes: nodes.parse().unwrap() });
        }
    }
    rows
}

fn cap() -> u64 {
    match std::env::var("MEERSLAG_PERFT") {
        Err(_) => USUAL_CAP,
        Ok(text) if text == "full" => u64::MAX,
        Ok(text) => text.parse().expect("MEERSLAG_PERFT is `full` or a number of nodes"),
    }
}

fn suite_agrees<V: Variant>() {
    let (rows, cap) = (rows::<V>(), cap());
    let total = rows.len();
    let mut wrong = Vec::new();
    let (mut counted, mut nodes) = (0, 0);
    for Row { fen, depth, nodes: expected } in rows.into_iter().filter(|row| row.nodes <= cap) {
        let found = perft_parallel(&position::<V>(&fen), depth);
        if found != expected {
            wrong.push(format!("{fen} depth {depth}: {found}, expected {expected}"));
        }
        counted += 1;
        nodes += found;
    }
    // Written past the capture of test output, so that every run says what it left out.
    let above = total - counted;
    let summary = format!("perft {}: {counted} rows, {nodes} nodes; {above} rows above the cap of {cap}", V::ID);
    writeln!(std::io::stderr().lock(), "{summary}").expect("standard error is open");
    assert!(wrong.is_empty(), "{} wrong rows:\n{}", wrong.len(), wrong.join("\n"));
}

fn suite_is_complete<V: Variant>() {
    let rows = rows::<V>();
    // For the other variants there are fewer published figures.
    let is_well_covered = matches!(V::ID, VariantId::International | VariantId::Brazilian | VariantId::Russian);
    let (least, deep) = if is_well_covered { (500, 100_000_000) } else { (240, 40_000_000) };
    assert!(rows.len() > least, "only {} rows", rows.len());
    assert!(rows.iter().any(|row| row.nodes > deep), "no deep row");
    // Kings, and hence long captures, must be well represented.
    let kings = rows.iter().filter(|row| row.fen.contains('K')).count();
    assert!(kings > rows.len() / 3 || V::RULES.goal == Goal::Crown, "only {kings} rows with kings");
}

for_every_variant!(suite_agrees, suite_is_complete);
