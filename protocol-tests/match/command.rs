//! `meerslag match` and `meerslag sprt` as a user meets them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_meerslag")).args(args).output().unwrap()
}

fn success(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), errors.as_ref()), (Some(0), ""), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn failure(args: &[&str], code: i32) -> String {
    let output = run(args);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), &b""[..]), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("match-command-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn without_options_the_engine_plays_itself() {
    let shown = success(&["match", "--games", "6", "--nodes", "200"]);
    for part in [
        "6 of 6 games, normal, 3 openings: random:8",
        "player-1 ",
        "player-2 ",
        "pairs by the points of player-1",
        "Elo +0.0",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn a_match_against_a_hub_process_on_the_clock() {
    let player = format!("name=child,cmd='{}' hub,hash=4,clock=10/1+0.02", env!("CARGO_BIN_EXE_meerslag"));
    let args = ["match", "--variant", "brazilian", "--games", "2", "--player", "name=inside,depth=3", "--player"];
    let shown = success(&[&args[..], &[&player, "--json"]].concat());
    let lines: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(events, ["match", "game", "game", "result"]);
    assert_eq!(lines[0]["settings"]["variant"], "brazilian");
    assert_eq!(lines[1]["game"]["end"], "rule");
    assert_eq!(lines[3]["finish"], "complete");
    for (player, name) in lines[3]["players"].as_array().unwrap().iter().zip(["inside", "child"]) {
        assert_eq!(player["name"], name);
        assert_eq!(player["faults"], serde_json::json!([0, 0, 0, 0, 0, 0]));
        assert!(player["effort"]["nodes"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_file_describes_a_match_and_options_go_before_it() {
    let folder = scratch("file");
    let (file, out) = (folder.join("match.toml"), folder.join("games"));
    fs::write(
        &file,
        "games = 10\nnodes = 100\nopenings = 'ballots:2'\n[[player]]\nname = 'a'\n[[player]]\nname = 'b'\n",
    )
    .unwrap();
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let shown = success(&["match", "--config", file, "--games", "4", "--out", out]);
    assert!(shown.contains("4 of 4 games, normal, 79 openings: ballots:2"), "{shown}");
    let error = failure(&["match", "--config", file, "--out", out], 1);
    assert!(error.contains("exists: resume that match"), "{error}");
    let error = failure(&["match", "--config", file, "--out", out, "--resume", "--nodes", "50"], 1);
    assert!(error.contains("nodes was 100, is 50"), "{error}");
    let shown = success(&["match", "--config", file, "--out", out, "--resume"]);
    assert!(shown.contains("10 of 10 games"), "{shown}");
    let pdn = fs::read_to_string(folder.join("games.pdn")).unwrap();
    assert_eq!((pdn.matches("[Event ").count(), pdn.matches("[Round \"10\"]").count()), (10, 1));
}

#[test]
fn mistakes_are_usage_errors() {
    for (args, named) in [
        (&["match", "--player", "hsh=3"][..], "hsh"),
        (&["match", "--player", "name"], "`name`"),
        (&["match", "--openings", "none"], "`none`"),
        (&["match", "--sprt", "elo0=5"], "elo0"),
        (&["match", "--resume"], "--out"),
        (&["sprt", "1", "2", "3", "4"], "three or five"),
        (&["sprt", "0", "0", "0"], "no results"),
        (&["sprt", "1", "2", "3", "--elo1=-1"], "elo0"),
    ] {
        let error = failure(args, 2);
        assert!(error.contains(named), "{args:?}: {error}");
    }
}

#[test]
fn a_test_in_several_words() {
    let shown = success(&["match", "--games", "2", "--nodes", "50", "--sprt", "elo0=-1", "elo1=9", "alpha=0.1"]);
    assert!(shown.contains("SPRT: LLR ") && shown.contains("[-1, 9] Elo: more games are needed"), "{shown}");
}

#[test]
fn the_calculator() {
    // Values of fastchess and of a test of Stockfish, see `tournament::elo` and `tournament::sprt`.
    let shown = success(&["sprt", "136", "111", "96"]);
    assert!(shown.starts_with("Elo +40.7 (95 %: ") && shown.contains("likelihood of superiority 99.6 %"), "{shown}");
    let shown = success(&["sprt", "1284", "17437", "55536", "18085", "1292", "--elo1", "2"]);
    assert!(shown.contains("LLR 2.94 (-2.94 to 2.94) [0, 2] Elo"), "{shown}");
    let json: Value = serde_json::from_str(&success(&["sprt", "34", "54", "63", "64", "75", "--json"])).unwrap();
    assert!((json["estimate"]["elo"].as_f64().unwrap() - 55.58).abs() < 0.01, "{json}");
}

/// Games that would repeat are not played; those of a clock are, but not without a word.
#[test]
fn too_few_openings_are_told() {
    let args = ["match", "--games", "6", "--openings", "start"];
    let output = run(&[&args[..], &["--nodes", "50"]].concat());
    let (shown, notes) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(shown.starts_with("2 of 2 games") && shown.contains("the match ends with its openings"), "{shown}");
    assert_eq!(
        notes,
        "note: 1 openings for 3 pairs of games: games from them would repeat, so the match ends with them\n"
    );
    let output = run(&[&args[..], &["--time", "0.001", "--move-limit", "5"]].concat());
    let (shown, notes) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(shown.starts_with("6 of 6 games"), "{shown}");
    assert_eq!(notes, "note: 1 openings for 3 pairs of games: they are used again\n");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_search_for_openings() {
    use std::time::{Duration, Instant};

    let mut child = Command::new(env!("CARGO_BIN_EXE_meerslag"))
        .args(["match", "--games", "1000000", "--nodes", "200", "--openings", "random:20"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Time to install the handler; it is done before anything else.
    std::thread::sleep(Duration::from_millis(500));
    let pressed = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(pressed.elapsed() < Duration::from_secs(10));
    let error = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(error, "error: the match was stopped before it began\n");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_its_statistics() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let mut child = Command::new(env!("CARGO_BIN_EXE_meerslag"))
        .args(["match", "--games", "158", "--nodes", "30000", "--openings", "ballots:2", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let games = lines.by_ref().take(5).filter(|line| line.contains("\"type\":\"game\"")).count();
    assert_eq!(games, 4);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let end: Value = serde_json::from_str(&lines.last().unwrap()).unwrap();
    assert_eq!((&end["type"], &end["finish"]), (&Value::from("result"), &Value::from("stopped")));
    assert!(end["games"].as_u64().unwrap() >= 4);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""));
}
