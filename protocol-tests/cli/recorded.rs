//! Analysis of recorded games.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{analysis, failure, scratch_file, success};

const GAMES: &str = "\
[White \"Anna\"]
[Black \"Bert\"]
[Result \"2-0\"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 { slow } 2-0

[GameType \"26\"]
[FEN \"W:Wc3:Bd4,h8\"]

1. c3xe5 h8-g7 *

1. 32-28 19-23 2. 28-22 *
";

fn file(name: &str) -> PathBuf {
    let path = scratch_file(name);
    fs::write(&path, GAMES).unwrap();
    path
}

#[test]
fn a_position_of_a_game() {
    let path = file("positions.pdn");
    let at = |args: &[&str]| analysis(&[&["--pdn", path.to_str().unwrap(), "--depth", "4"], args].concat()).1;
    let played = analysis(&["--moves", "32-28 19-23 28x19 14x23 37-32", "--depth", "4"]).1;
    assert_eq!(at(&[]), played);
    assert_eq!(at(&["--ply", "0"]), analysis(&["--depth", "4"]).1);
    assert_eq!(at(&["--ply", "2"])["best_move"], "28x19");
    // The tags tell the variant.
    let end = at(&["--game", "2"]);
    assert_eq!((&end["variant"], &end["side_to_move"]), (&"brazilian".into(), &"white".into()));
    assert_eq!(at(&["--game", "2", "--ply", "0"])["best_move"], "c3xe5");
}

#[test]
fn every_move_of_a_game() {
    let path = file("moves.pdn");
    let all = ["analyze", "--pdn", path.to_str().unwrap(), "--all-moves", "--depth", "5"];
    let text = success(&[&all[..], &["--json"]].concat(), "");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moves: Vec<_> = rows.iter().map(|row| row["move"].as_str().unwrap()).collect();
    assert_eq!(moves, ["32-28", "19-23", "28x19", "14x23", "37-32"]);
    for (index, row) in rows.iter().enumerate() {
        assert_eq!((&row["type"], row["ply"].as_u64()), (&"move".into(), Some(index as u64 + 1)));
        assert_eq!((&row["number"], &row["side"]), (&(index / 2 + 1).into(), &["white", "black"][index % 2].into()));
        assert!(row["best_move"].is_string());
    }
    for pair in rows.windows(2) {
        assert_eq!(pair[0]["after"], pair[1]["before"], "a position has one score");
    }
    // Only one move is legal.
    assert_eq!(rows[2]["best_move"], "28x19");

    let table = success(&all, "");
    assert!(table.starts_with("Anna - Bert  2-0\n"), "{table}");
    let score = rows[4]["after"]["score_white"].as_i64().unwrap() as f64 / 100.0;
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("3.    37-32 ") && last.contains(&format!("{score:+.2}")), "{table}");

    let table = success(&[&all[..], &["--game", "2"]].concat(), "");
    assert!(table.starts_with("? - ?  *\n") && table.contains("\n1.    c3xe5 "), "{table}");
}

#[test]
fn a_finished_game_ends_with_its_result() {
    let path = scratch_file("finished.pdn");
    fs::write(&path, "[GameType \"26\"]\n[FEN \"W:Wc3:Bd4\"]\n1. c3xe5 1-0\n").unwrap();
    let table = success(&["analyze", "--pdn", path.to_str().unwrap(), "--all-moves", "--depth", "4"], "");
    let row = table.lines().find(|line| line.starts_with("1. ")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>().join(" "), "1. c3xe5 win in 1 win in 0");
    assert!(table.ends_with("the game is over: Black has no pieces: White wins\n"), "{table}");
}

#[test]
fn errors_name_the_place() {
    let path = file("errors.pdn");
    let path = path.to_str().unwrap();
    let fails = |args: &[&str], code, parts: &[&str]| {
        let error = failure(&[&["analyze", "--pdn"], args].concat(), code);
        assert!(parts.iter().all(|part| error.contains(part)), "{args:?}: {error}");
    };
    fails(&[path, "--game", "3"], 1, &[path, "game 3", "line 12, column 19", "`28-22`"]);
    fails(&[path, "--variant", "brazilian"], 1, &[path, "game 1", "line 5, column 4", "`32-28`"]);
    fails(&[path, "--game", "2", "--variant", "normal"], 1, &[path, "game 2", "line 7", "`normal`"]);
    fails(&[path, "--game", "4"], 2, &["--game 4", path, "3 games"]);
    fails(&[path, "--game", "0"], 2, &["'0'"]);
    fails(&[path, "--ply", "6"], 2, &["--ply 6", "5 plies"]);
    fails(&[path, "--ply", "1", "--all-moves"], 2, &["--ply"]);
    fails(&[path, "--moves", "32-28"], 2, &["--moves"]);
    fails(&["no-such-file.pdn"], 1, &["no-such-file.pdn"]);
    assert!(failure(&["analyze", "--all-moves"], 2).contains("--pdn"));
}
