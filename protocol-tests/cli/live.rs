//! Processes that are interrupted.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use serde_json::Value;

use crate::{DEADLINE, scratch_file};

/// A process that is watched while it runs.
struct Live {
    child: Child,
    input: ChildStdin,
    lines: mpsc::Receiver<String>,
}

impl Live {
    fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meerslag"));
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || output.lines().try_for_each(|line| sender.send(line.unwrap())));
        let input = child.stdin.take().unwrap();
        Self { child, input, lines }
    }

    /// The first line with `part`.
    fn wait_for(&self, part: &str) -> String {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("`{part}` does not come"));
            if line.contains(part) {
                return line;
            }
        }
    }

    fn press_ctrl_c(&self) {
        let interrupt = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(interrupt.success());
    }

    /// Waits for the end, with the input still open.
    fn end(mut self) -> Option<i32> {
        // The output closes with the process.
        while self.lines.recv_timeout(DEADLINE).is_ok() {}
        self.child.wait().unwrap().code()
    }
}

#[test]
fn ctrl_c_ends_an_analysis_with_a_move() {
    let live = Live::start(&["analyze", "--infinite", "--json"]);
    // The first line tells that the search and the handler are there.
    live.wait_for("info");
    live.press_ctrl_c();
    let last = live.wait_for("\"result\"");
    assert!(serde_json::from_str::<Value>(&last).unwrap()["best_move"].is_string(), "{last}");
    assert_eq!(live.end(), Some(0));
}

#[test]
fn ctrl_c_saves_the_game_that_is_played() {
    let path = scratch_file("interrupted.pdn");
    let pdn = ["play", "--pdn", path.to_str().unwrap()];
    // While the person thinks.
    let mut live = Live::start(&[&pdn[..], &["--depth", "1"]].concat());
    writeln!(live.input, "32-28").unwrap();
    let reply = live.wait_for("Meerslag plays ");
    live.press_ctrl_c();
    assert_eq!(live.end(), Some(0));
    let reply = reply.split(' ').nth(2).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(&format!("1. 32-28 {reply} *")) && text.contains("[Result \"*\"]"), "{text}");
    let date = text.lines().find_map(|line| line.strip_prefix("[Date \"20")).unwrap();
    assert!(date.len() == "26.01.31\"]".len() && date.as_bytes()[2] == b'.' && date.as_bytes()[5] == b'.', "{date}");
    // While the engine thinks.
    let thinking = ["--color", "black", "--moves", "34-30 20-25", "--time", "1000"];
    let live = Live::start(&[&pdn[..], &thinking].concat());
    live.wait_for("You play Black");
    live.press_ctrl_c();
    assert_eq!(live.end(), Some(0));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("1. 34-30 20-25 *"), "{text}");
}
