//! The command line as a user meets it: a live process, its output and its exit code.

#[path = "cli/egdb.rs"]
mod egdb;
#[cfg(unix)]
#[path = "cli/live.rs"]
mod live;
#[path = "cli/recorded.rs"]
mod recorded;
#[path = "cli/training.rs"]
mod training;
#[path = "cli/variants.rs"]
mod variants;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use meerslag::variant::VariantId;
use serde_json::Value;

/// Longest time for one process.
const DEADLINE: Duration = Duration::from_secs(60);

/// Runs a command with `input` as its standard input.
fn run_with(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_meerslag"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A process that refuses its arguments may be gone by now.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(DEADLINE).unwrap_or_else(|_| panic!("{args:?} does not end")).unwrap()
}

fn run(args: &[&str]) -> Output {
    run_with(args, "")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The output of a command that succeeds without a word on stderr.
fn success(args: &[&str], input: &str) -> String {
    let output = run_with(args, input);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    stdout(&output)
}

/// The error of a command that fails with `code`, which prints nothing else.
fn failure(args: &[&str], code: i32) -> String {
    let output = run(args);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(code), ""), "{args:?}: {}", stderr(&output));
    stderr(&output)
}

/// A path for a file of one test.
fn scratch_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Every command that refuses arguments it does not know.
const STRICT: [&str; 7] = ["analyze", "bench", "eval", "match", "perft", "play", "sprt"];

/// Every command; `hub` passes over arguments meant for others.
fn commands() -> impl Iterator<Item = &'static str> {
    STRICT.into_iter().chain(["hub"])
}

#[test]
fn help_names_every_command() {
    let help = success(&["--help"], "");
    for command in commands() {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is missing in:\n{help}");
    }
}

#[test]
fn help_of_each_command_has_a_description_options_and_examples() {
    for command in commands() {
        let help = success(&[command, "--help"], "");
        assert!(help.starts_with(char::is_uppercase), "{help}");
        let (options, examples) = help.split_once("Examples:").unwrap_or_else(|| panic!("no examples in:\n{help}"));
        assert!(examples.lines().filter(|line| line.contains(&format!("meerslag {command}"))).count() >= 3, "{help}");
        // Every option that an example uses is explained above.
        let explained = |option: &str| {
            let mut lines = options.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
            lines.any(|line| line.split([' ', ',']).any(|word| word == option))
        };
        for option in examples.split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(explained(option), "{option} is not explained in:\n{help}");
        }
    }
}

#[test]
fn every_example_in_the_help_is_valid_usage() {
    for command in STRICT {
        let help = success(&[command, "--help"], "");
        let examples = help.split("Examples:").nth(1).unwrap();
        for line in examples.lines().filter_map(|line| line.trim().strip_prefix("meerslag ")) {
            let mut args = split_shell(line);
            // Parse only: the rest of the arguments must be accepted for this one to be refused.
            args.push("--no-such-option".into());
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            assert!(failure(&args, 2).contains("unexpected argument '--no-such-option'"), "{line}");
        }
    }
}

/// Words of a command line with double quotes.
fn split_shell(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(String::from).collect(),
        _ => vec![part.to_string()],
    });
    words.collect()
}

#[test]
fn bad_usage_ends_with_code_2() {
    for (args, named) in [
        (&["analyse"][..], "analyse"),
        (&["analyze", "--depth", "many"], "many"),
        (&["analyze", "--depth", "0"], "0"),
        (&["analyze", "--infinite", "--depth", "3"], "--infinite"),
        (&["analyze", "--time", "-1"], "-1"),
        (&["analyze", "--threads", "0"], "1 to 64"),
        (&["analyze", "--draw-rules", "mine"], "mine"),
        (&["analyze", "--search-moves", "32-28 1-6"], "`1-6`"),
        (&["eval", "--variant", "chess"], "chess"),
        (&["eval", "--moves", "32-28 32-28"], "ply 2"),
        (&["perft", "--moves", "32-28 32-28"], "ply 2"),
        (&["play", "--color", "red"], "red"),
        (&["play", "--adjudicate", "piece-count"], "--move-limit"),
        (&["bench", "--depth", "101"], "101"),
    ] {
        let error = failure(args, 2);
        assert!(error.contains(named), "{args:?}: {error}");
    }
}

#[test]
fn a_bad_position_is_named() {
    for command in ["analyze", "eval", "perft", "play"] {
        for (fen, text) in [("W:W31,77:B5", "`77`"), ("hello", "hello"), ("W:W3:B20", "3"), ("X:W31:B5", "`X`")] {
            let error = failure(&[command, "--fen", fen], 2);
            assert!(error.contains(text) && error.contains(fen), "{command} {fen}: {error}");
        }
    }
}

#[test]
fn a_failed_job_ends_with_code_1() {
    let path = scratch_file("no-such-directory").join("games.pdn");
    let path = path.to_str().unwrap();
    let error = failure(&["play", "--depth", "1", "--pdn", path], 1);
    assert!(error.contains(path), "{error}");
}

/// Commands that print something, the last one with input.
const TALKATIVE: [(&[&str], &str); 6] = [
    (&["perft", "--depth", "3", "--divide"], ""),
    (&["analyze", "--depth", "3"], ""),
    (&["analyze", "--depth", "3", "--json"], ""),
    (&["eval", "--json"], ""),
    (&["bench", "--depth", "1"], ""),
    (&["play", "--depth", "1"], "board\nquit\n"),
];

/// Runs a command whose output goes to `out`.
fn run_into(args: &[&str], input: &str, out: impl Into<Stdio>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meerslag"));
    let mut child = command.args(args).stdin(Stdio::piped()).stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    for (args, input) in TALKATIVE {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = run_into(args, input, writer);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failed_job() {
    for (args, input) in TALKATIVE {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = run_into(args, input, full);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).starts_with("error: "), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn perft_counts_from_any_position() {
    let nodes = |args: &[&str]| {
        let text = success(&[&["perft"], args].concat(), "");
        text.lines().last().unwrap().split(' ').nth(1).unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(nodes(&["--depth", "3"]), 658);
    let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    assert_eq!(nodes(&["--depth", "3", "--fen", &hub]), 658);
    // The counts behind the first moves add up to the whole.
    let first: u64 = ["31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"]
        .iter()
        .map(|mv| nodes(&["--depth", "2", "--moves", mv]))
        .sum();
    assert_eq!(first, 658);
}

#[test]
fn bench_ends_with_a_line_that_parses() {
    let text = success(&["bench", "--depth", "5"], "");
    let total = text.lines().last().unwrap();
    let numbers: Vec<f64> = total.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [nodes, seconds, speed] = numbers.as_slice() else { panic!("{total}") };
    assert!(total.starts_with("total ") && total.ends_with(" nps"), "{total}");
    // The time is rounded to milliseconds.
    assert!((nodes / speed - seconds).abs() < 0.001, "{total}");
    let is_sum = |line: &&str| VariantId::ALL.iter().any(|id| line.starts_with(&format!("{id} ")));
    let sums = text.lines().filter(is_sum);
    let sum: u64 = sums.map(|line| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, *nodes as u64);
    let one = success(&["bench", "--depth", "5", "--variant", "brazilian"], "");
    assert!(text.contains(one.lines().nth(3).unwrap()) && !one.contains("normal"));
}

/// The lines of an analysis as JSON; the last one is the result.
fn analysis(args: &[&str]) -> (Vec<Value>, Value) {
    let text = success(&[&["analyze", "--json"], args].concat(), "");
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = lines.pop().unwrap();
    assert!(lines.iter().all(|line| line["type"] == "info") && result["type"] == "result", "{text}");
    (lines, result)
}

#[test]
fn analyze_json_parses_and_is_consistent() {
    let (infos, result) = analysis(&["--moves", "1. 32-28 19-23 2. 28x19", "--depth", "7", "--multi-pv", "2"]);
    let last = infos.iter().rfind(|info| info["line"] == 1).unwrap();
    assert_eq!(last["depth"], 7);
    assert_eq!(last["pv"][0], result["best_move"]);
    assert_eq!(last["score_side_to_move"], result["score_side_to_move"]);
    assert_eq!(result["side_to_move"], "black");
    for info in &infos {
        assert_eq!(info["score_white"].as_i64().unwrap(), -info["score_side_to_move"].as_i64().unwrap());
        assert!(info["nodes"].as_u64().unwrap() > 0 && info["pv"].as_array().is_some_and(|pv| !pv.is_empty()));
    }
    assert!(infos.iter().any(|info| info["line"] == 2), "two captures, so there are two lines");
}

#[test]
fn analyze_shows_wins_as_distances() {
    // A man against a king next to it: White captures and wins at once.
    let (_, result) = analysis(&["--variant", "brazilian", "--fen", "W:Wc3:Bd4", "--depth", "4"]);
    assert_eq!((&result["best_move"], &result["best_move_hub"]), (&"c3xe5".into(), &"22x15x18".into()));
    assert_eq!((result["win_in"].as_u64(), result["loss_in"].as_u64()), (Some(1), None));
    let table = success(&["analyze", "--variant", "brazilian", "--fen", "W:Wc3:Bd4", "--depth", "4"], "");
    assert!(table.contains("win in 1") && table.contains("best move c3xe5"), "{table}");
}

#[test]
fn analyze_keeps_to_the_moves_given() {
    let (_, result) = analysis(&["--search-moves", "35-30", "--depth", "5"]);
    assert_eq!(result["best_move"], "35-30");
}

#[test]
fn analyze_of_a_finished_game_tells_how_it_ended() {
    let (infos, result) = analysis(&["--fen", "W:W:B20", "--depth", "5"]);
    assert!(infos.is_empty() && result["best_move"].is_null());
    assert!(result["game_over"].as_str().unwrap().contains("Black wins"), "{result}");
}

#[test]
fn eval_terms_add_up() {
    let text = success(&["eval", "--json", "--moves", "32-28 18-23 38-32"], "");
    let table: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(table["evaluation"].as_str().unwrap().len(), 16, "the name of the weights: {text}");
    for column in ["early", "late"] {
        let terms = table["terms"].as_array().unwrap();
        let sum: i64 = terms.iter().map(|term| term[column].as_i64().unwrap()).sum();
        assert_eq!(table["sum"][column], sum, "{text}");
    }
    let [early, late, share] =
        [&table["sum"]["early"], &table["sum"]["late"], &table["early_share"]].map(|number| number.as_i64().unwrap());
    assert_eq!(table["sum"]["blended"], (early * share + late * (256 - share)) / 256, "{text}");
    assert_eq!(table["value_white"].as_i64().unwrap(), -table["value_side_to_move"].as_i64().unwrap());
    assert_eq!(table["clipped"], false);
    let human = success(&["eval", "--moves", "32-28 18-23 38-32"], "");
    assert!(!human.contains("cuts"), "{human}");
    assert!(human.contains("patterns of men") && human.contains("Black to move"), "{human}");
    let human = success(&["eval", "--weights", "hand-made"], "");
    assert!(human.contains("evaluation hand-made") && human.contains("material"), "{human}");
}

#[test]
fn eval_shows_the_value_that_the_search_uses() {
    // A king against 45 kings is beyond every value of the search.
    let hopeless = ["eval", "--fen", "W:WK50:BK1-45"];
    let table: Value = serde_json::from_str(&success(&[&hopeless[..], &["--json"]].concat(), "")).unwrap();
    assert!(table["sum"]["blended"].as_i64().unwrap() < -7999, "{table}");
    assert_eq!((&table["value_white"], &table["value_side_to_move"]), (&(-7999).into(), &(-7999).into()));
    assert_eq!(table["clipped"], true);
    let human = success(&hopeless, "");
    assert!(human.contains("-79.99 (to move)") && human.contains("cuts every value to ±79.99"), "{human}");
}

#[test]
fn a_scripted_game() {
    let path = scratch_file("scripted.pdn");
    let script = "help\nmoves\n28-23\n32-28\nundo\n31-27\nhint\ndraw\nsave\nflip\nboard\nresign\n32-28\nnew\n34-30\n";
    let text = success(&["play", "--depth", "3", "--pdn", path.to_str().unwrap()], script);
    for expected in [
        "You play White",
        "take back your last move",
        "legal moves: ",
        "no piece on 28",
        "Meerslag would play ",
        "A draw can be offered after 40 moves each.",
        "`save FILE`",
        "Game over: White resigned: Black wins. Result: 0-2",
        "The game is over",
    ] {
        assert!(text.contains(expected), "`{expected}` is missing in:\n{text}");
    }
    assert_eq!(text.matches("Meerslag plays ").count(), 3, "{text}");
    let pdn = fs::read_to_string(&path).unwrap();
    let games: Vec<&str> = pdn.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 2, "{pdn}");
    assert!(games[0].contains("[Result \"0-2\"]") && games[0].contains("1. 31-27 "), "{pdn}");
    // The second game was left unfinished by the end of the input.
    assert!(games[1].contains("[Result \"*\"]") && games[1].contains("1. 34-30 "), "{pdn}");
}

#[test]
fn undo_takes_back_an_end_by_will_first() {
    // Before the first move.
    let text = success(&["play", "--depth", "1"], "undo\nresign\nundo\nmoves\n");
    let [before, after] = text.split("The game goes on.").collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(before.contains("You have not moved yet.") && before.contains("White resigned"), "{text}");
    assert!(after.contains("legal moves: ") && !after.contains("The game is over"), "{text}");
    // After moves, they stay.
    let path = scratch_file("resigned.pdn");
    let pdn = ["play", "--depth", "1", "--pdn", path.to_str().unwrap()];
    success(&pdn, "32-28\nresign\nundo\n");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("1. 32-28 ") && text.contains("[Result \"*\"]"), "{text}");
    let even = ["play", "--fen", "W:WK46,K5:BK1,K50", "--depth", "3", "--draw-offer-min-move", "0"];
    let text = success(&even, "draw\nundo\nmoves\n");
    assert!(text.contains("draw by agreement") && text.contains("The game goes on."), "{text}");
}

#[test]
fn a_game_as_black_that_the_engine_wins() {
    // The last man of Black is lost.
    let args = ["play", "--variant", "brazilian", "--color", "black", "--fen", "W:Wc3:Bd4", "--depth", "2"];
    let text = success(&args, "moves\nquit\n");
    assert!(text.contains("You play Black") && text.contains("Meerslag plays c3xe5"), "{text}");
    assert!(text.contains("Game over: Black has no pieces: White wins. Result: 1-0"), "{text}");
    assert!(text.contains("there are no legal moves"), "{text}");
}

#[test]
fn draws_and_move_limits() {
    // Two kings each and no way to win: the engine agrees.
    let even = ["play", "--fen", "W:WK46,K5:BK1,K50", "--depth", "3", "--draw-offer-min-move", "0"];
    let text = success(&even, "draw\n");
    assert!(text.contains("draw by agreement. Result: 1-1"), "{text}");
    // Three kings more: it does not.
    let behind = ["play", "--fen", "W:W46,47:BK1,K2,K3", "--depth", "3", "--draw-offer-min-move", "0"];
    assert!(success(&behind, "draw\n").contains("declines"));
    let limit = ["play", "--depth", "1", "--move-limit", "1", "--adjudicate", "piece-count"];
    let text = success(&limit, "32-28\nquit\n");
    assert!(text.contains("equal pieces at the move limit: draw"), "{text}");
}
