//! The Hub protocol against the live process: transcripts, garbage, and the documentation.
//!
//! A file `transcripts/*.hub` is a dialogue, line by line:
//!
//! ```text
//! # a comment
//! $ hub --threads 2     arguments of the process, first line only; `hub` without it
//! > line                sent; \r and \t stand for themselves
//! < line                the next line received; * stands for any text
//! <~ line               a line received after any number of `info` lines
//! . 50                  a pause in milliseconds
//! eof                   the input is closed: the process must end without another word
//! ```
//!
//! At its end nothing may be left unsaid: the next answer is the `pong` to a `ping`, and `quit` ends
//! the process. Standard error stays empty throughout.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use meerslag::engine::params::{PARAMS, Params};
use meerslag::protocol::hub::command;
use meerslag::util::rng::Rng;

/// Within this a line must arrive, and a process end.
const DEADLINE: Duration = Duration::from_secs(10);

/// A running engine.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_meerslag"))
            .args(arguments)
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, input, lines }
    }

    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(&[bytes, b"\n"].concat()).unwrap();
    }

    fn receive(&self) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(DEADLINE)
    }

    /// Waits for a process that has been told to end; nothing more may come from it.
    fn end(mut self) -> Result<(), String> {
        match self.receive() {
            Err(RecvTimeoutError::Disconnected) => {}
            Err(RecvTimeoutError::Timeout) => return Err("does not end".into()),
            Ok(line) => return Err(format!("unexpected line `{line}` at the end")),
        }
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let status = self.child.wait().unwrap();
        if !status.success() || !errors.is_empty() { Err(format!("{status}, stderr `{errors}`")) } else { Ok(()) }
    }

    /// Checks that nothing is left unread and ends the process.
    fn quit(mut self) -> Result<(), String> {
        self.send(b"ping");
        match self.receive() {
            Ok(line) if line == "pong" => {}
            other => return Err(format!("expected nothing but the final pong, got {other:?}")),
        }
        self.send(b"quit");
        self.end()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Only a failed test leaves the process running; it may also be gone.
        let _ = self.child.kill();
    }
}

/// Whether `*` in the pattern can stand for text so that it becomes `line`.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line,
        Some((head, tail)) => line
            .strip_prefix(head)
            .is_some_and(|rest| (0..=rest.len()).any(|at| rest.is_char_boundary(at) && matches(tail, &rest[at..]))),
    }
}

fn play(transcript: &str) -> Result<(), String> {
    let first = transcript.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let arguments = first.strip_prefix('$').unwrap_or("hub");
    let mut process = Process::start(&arguments.split_whitespace().collect::<Vec<_>>());
    for (number, step) in transcript.lines().enumerate() {
        let failed = |reason: String| Err(format!("line {}: `{step}`: {reason}", number + 1));
        let (kind, text) = step.split_once(' ').unwrap_or((step, ""));
        match kind {
            ">" => process.send(text.replace("\\r", "\r").replace("\\t", "\t").as_bytes()),
            "<" | "<~" => loop {
                match process.receive() {
                    Ok(line) if matches(text, &line) => break,
                    Ok(line) if kind == "<~" && line.starts_with("info ") => {}
                    other => return failed(format!("{other:?}")),
                }
            },
            "." => thread::sleep(Duration::from_millis(text.parse().unwrap())),
            "eof" => {
                drop(process.input.take());
                return process.end();
            }
            "$" | "#" | "" => {}
            _ => return failed("not a step".into()),
        }
    }
    process.quit()
}

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/transcripts");
    let mut failures = Vec::new();
    let mut played = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let result = play(&std::fs::read_to_string(&path).unwrap());
        played += 1;
        failures.extend(result.err().map(|reason| format!("{}: {reason}", path.display())));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(played > 10, "only {played} transcripts found");
}

#[test]
fn a_game_of_four_hundred_moves() {
    let moves = ["6-1 50-45 1-6 45-50"; 100].join(" ");
    let result =
        play(&format!("> pos pos=W:WK6:BK50 moves=\"{moves}\"\n> level depth=2\n> go think\n<~ done move=6-*"));
    assert_eq!(result, Ok(()));
}

#[test]
fn bursts_are_paced() {
    let mut process = Process::start(&["hub"]);
    let start = Instant::now();
    process.send(b"hub");
    let mut lines = 1;
    while process.receive().unwrap() != "wait" {
        lines += 1;
    }
    assert!(start.elapsed() >= Duration::from_millis(lines - 1), "{lines} lines in {:?}", start.elapsed());
    assert_eq!(process.quit(), Ok(()));
}

#[test]
fn the_end_of_input_ends_a_search_without_done() {
    let mut process = Process::start(&["hub"]);
    process.send(b"go analyze");
    assert!(process.receive().unwrap().starts_with("info "));
    drop(process.input.take());
    let rest: Vec<_> = std::iter::from_fn(|| process.receive().ok()).collect();
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
    assert_eq!(process.end(), Ok(()));
}

/// Commands that are mangled into garbage. None of them asks for much time or memory.
const SEEDS: &[&str] = &[
    "pos",
    "pos start moves=\"32-28 19-23 28x19x23\"",
    "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
    "pos pos=W:W31-50:B1-20 moves=\"33-28 18-23\"",
    "pos pos=\"B:WK31,42:B7,K18,19\" wolf=\"W32=2 B19=3\"",
    "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"9-13 21-17\"",
    "set-param name=variant value=brazilian",
    "set-param name=variant value=normal",
    "set-param name=variant value=frisian",
    "set-param name=variant value=bt",
    "pos pos=W:W48,K6:B15,K35:+335+206 moves=\"6-1 15-20\"",
    "set-param name=kvk value=count",
    "set-param name=multi-pv value=2",
    "set-param name=book-ply value=0",
    "set-param name=square-numbering value=\"bottom-up\"",
    "level depth=3",
    "level time=0.01 inc=-0.1 moves=3",
    "level move-time=0.002",
    "level nodes=500",
    "level infinite",
    "go",
    "go think",
    "go think moves=\"32-28 31-27\"",
    "go ponder",
    "go analyze",
    "ponder-hit",
    "stop",
    "ping",
    "new-game",
];

/// Commands whose answers take their time.
const RARE_SEEDS: &[&str] = &["hub", "init"];

fn garbage(rng: &mut Rng) -> Vec<u8> {
    const PIECES: &[u8] = b"\"\"==  -x:,.09azWBe\t\r\0\\\xff\xc3";
    let seeds = if rng.below(100) == 0 { RARE_SEEDS } else { SEEDS };
    let seed = seeds[rng.below(seeds.len())].as_bytes();
    let mut line = match rng.below(4) {
        0 => (0..rng.below(40)).map(|_| rng.next_u64() as u8).collect(),
        1 => return seed.to_vec(),
        _ => seed.to_vec(),
    };
    for _ in 0..=rng.below(3) {
        let at = rng.below(line.len() + 1);
        match rng.below(4) {
            0 => line.truncate(at),
            1 if at < line.len() => drop(line.remove(at)),
            2 => line.extend(SEEDS[rng.below(SEEDS.len())].bytes().skip(at)),
            _ => line.insert(at, PIECES[rng.below(PIECES.len())]),
        }
    }
    line.retain(|byte| *byte != b'\n');
    line
}

#[test]
fn garbage_neither_crashes_nor_hangs_nor_repeats_done() {
    const LINES: usize = 10_000;
    let mut rng = Rng::new(2026);
    let mut process = Process::start(&["hub"]);
    let (mut searches, mut done, mut waiting) = (0, 0, 0);
    for number in 0..LINES {
        let line = garbage(&mut rng);
        let text = String::from_utf8_lossy(&line);
        match command::Command::parse(&text) {
            Ok(Some(command::Command::Quit)) => continue,
            Ok(Some(command::Command::Go { .. })) => searches += 1,
            Ok(Some(command::Command::Ping)) => waiting += 1,
            _ => {}
        }
        process.send(&line);
        // Now and then everything sent must have been digested.
        if number % 100 == 99 || number == LINES - 1 {
            process.send(b"stop\nping");
            waiting += 1;
            while waiting > 0 || done < searches {
                let answer = process.receive().unwrap_or_else(|error| panic!("after line {number}: {error}"));
                waiting -= usize::from(answer == "pong");
                done += usize::from(answer == "done" || answer.starts_with("done "));
            }
            assert_eq!(done, searches, "after line {number}");
        }
    }
    assert!(searches > LINES / 20, "only {searches} searches");
    assert_eq!(process.quit(), Ok(()));
}

#[test]
fn the_documentation_lists_every_parameter() {
    let mut table = String::from("| Parameter | Values | Default | Meaning |\n|---|---|---|---|\n");
    for info in PARAMS {
        let default = info.value(&Params::default());
        let default = if default.is_empty() { "empty".into() } else { format!("`{default}`") };
        table += &format!("| `{}` | {} | {default} | {} |\n", info.name, info.range(), info.doc);
    }
    let documentation = include_str!("../docs/hub.md");
    assert!(documentation.contains(&table), "docs/hub.md must contain this table:\n{table}");
}
