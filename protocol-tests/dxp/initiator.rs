//! Two processes of this engine play a match: one asks, the other follows.

use std::process::Command;

use serde_json::Value;

use crate::process::{Process, quiet_address};

/// Few pieces, so that games come to their own end.
const FEN: &str = "fen:W:W31,33,38,42:B8,13,18,19";

fn initiator(way: &[&str], terms: &[&str]) -> Process {
    Process::start(&[way, &["--json", "--games=2"], terms].concat())
}

/// The result that a match ends with.
fn result(process: &Process) -> Value {
    let begin = "{\"finish\":\"complete\"";
    serde_json::from_str(&format!("{begin}{}", process.line(begin))).unwrap()
}

/// The match ends well; returns what the other program has won, drawn and lost.
fn check(initiator: Process) -> String {
    let result = result(&initiator);
    assert_eq!(result["games"], 2);
    for player in result["players"].as_array().unwrap() {
        assert_eq!(player["faults"], serde_json::json!([0, 0, 0, 0, 0, 0]), "{result}");
    }
    let (status, errors) = initiator.end();
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
    let [lost, drawn, won] = [0, 1, 2].map(|index| result["players"][1]["games"][index].as_u64().unwrap());
    format!("{won} won, {drawn} drawn, {lost} lost")
}

/// The last line of the follower about these games.
fn last_line(follower: &Process) -> String {
    let last = format!("game 2 against Meerslag {}: ", env!("CARGO_PKG_VERSION"));
    // The beginning of the game is told in the same words.
    follower.line(&last);
    follower.line(&last)
}

/// Terms of whole games.
const WHOLE: [&str; 5] = ["--minutes=0.05", "--moves=0", "--ponder", "--openings", FEN];

/// Both sides count the same results.
fn check_whole_games(initiator: Process, follower: &Process) {
    let won = check(initiator);
    let told = last_line(follower);
    assert!(told.ends_with(&format!("score: {won}")), "{told} in place of {won}");
}

#[test]
fn initiator_and_client() {
    let (follower, address) = Process::server(&[]);
    check_whole_games(initiator(&["--connect", &address.to_string()], &WHOLE), &follower);
    // The server waits for the next program.
    follower.line("listening on ");
}

#[test]
fn initiator_and_server() {
    let initiator = initiator(&["--listen", "127.0.0.1:0"], &WHOLE);
    let follower = Process::start(&["--connect", &initiator.error_line("listening on ")]);
    check_whole_games(initiator, &follower);
    // The client has been told that there are no further games.
    let (status, errors) = follower.end();
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}

#[test]
fn moves_run_out() {
    let (follower, address) = Process::server(&["--ponder"]);
    let terms = ["--minutes=0.05", "--moves=4", "--openings=ballots:2"];
    let won = check(initiator(&["--connect", &address.to_string()], &terms));
    assert_eq!(won, "0 won, 2 drawn, 0 lost");
    // Whoever is on move ends a game; the follower claims nothing.
    let told = last_line(&follower);
    assert!(told.contains("(move limit)") || told.contains("(ended by the opponent)"), "{told}");
}

#[test]
fn other_boards() {
    let (follower, address) = Process::server(&["--square-numbering=bottom-up"]);
    let terms = ["--variant=brazilian", "--square-numbering=bottom-up", "--minutes=0.05", "--moves=6"];
    check(initiator(&["--connect", &address.to_string()], &terms));
    assert!(last_line(&follower).contains("score: "));
}

#[test]
fn a_follower_killed_in_mid_game() {
    let (follower, address) = Process::server(&[]);
    let address = address.to_string();
    let initiator = initiator(&["--connect", &address], &["--minutes=0.05", "--moves=3", "--openings=start"]);
    follower.line("      1. ");
    drop(follower);
    let follower = Process::start(&["--listen", &address]);
    // Colors have changed with the game.
    follower.line("game 1 against ");
    let result = result(&initiator);
    assert_eq!(result["players"][1]["faults"], serde_json::json!([0, 0, 1, 0, 0, 0]), "{result}");
    assert_eq!(result["players"][0]["faults"], serde_json::json!([0, 0, 0, 0, 0, 0]), "{result}");
}

/// A match starts the program itself, as server or as client.
#[test]
fn programs_started_by_a_match() {
    for (way, meeting) in [("--listen", ""), ("--connect", "listen:")] {
        let (program, address) = (env!("CARGO_BIN_EXE_meerslag"), quiet_address());
        let command = format!("cmd='{program}' dxp --hash=1 {way} {address}");
        let player = format!("name=program,{command},dxp={meeting}{address},clock=3/3");
        let own = ["match", "--games=2", "--openings=start", "--margin=10", "--player=name=own,nodes=50", "--player"];
        let output = Command::new(program).args(own).arg(player).output().unwrap();
        let (shown, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let listening = if meeting.is_empty() { String::new() } else { format!("listening on {address}\n") };
        assert!(output.status.success() && errors == listening, "{errors}");
        assert!(shown.starts_with("2 of 2 games") && shown.ends_with("games ended by: move-limit 2\n"), "{shown}");
    }
}

#[test]
fn nobody_there() {
    let process = initiator(&["--connect", &quiet_address().to_string(), "--retry=0"], &["--openings=start"]);
    let (status, errors) = process.end();
    assert!(status.code() == Some(1) && errors.contains("player `opponent`: cannot start: no connection"), "{errors}");
}
