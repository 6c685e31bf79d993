//! The bench visits the recorded number of nodes, whenever and however it is run.
//!
//! A change of the search changes the number. Record the new one with
//! `cargo run --release -- bench --depth 7 | tail -n 1 | cut -d ' ' -f 2 > protocol-tests/bench.signature`

use std::process::Command;

use meerslag::cli::bench::signature;

/// Low enough for a test; the default depth is for measuring.
const DEPTH: u32 = 7;

fn recorded() -> u64 {
    include_str!("bench.signature").trim().parse().expect("bench.signature holds a number")
}

#[test]
fn nodes_are_the_recorded_ones_every_time() {
    for run in 1..=2 {
        let nodes = signature(DEPTH).unwrap();
        assert_eq!(nodes, recorded(), "run {run}: if the search was changed on purpose, record the new number");
    }
}

#[test]
fn the_command_prints_the_same_number() {
    let bench = Command::new(env!("CARGO_BIN_EXE_meerslag")).args(["bench", "--depth", &DEPTH.to_string()]).output();
    let text = String::from_utf8(bench.unwrap().stdout).unwrap();
    let total = text.lines().last().unwrap();
    assert_eq!(total.split(' ').nth(1), Some(recorded().to_string().as_str()), "{total}");
}
