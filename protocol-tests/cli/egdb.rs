//! `egdb`: building databases and looking at them.

use std::fs;
use std::path::Path;

use crate::{failure, run, stderr, success};

#[test]
fn databases_are_built_once_and_repaired() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-egdb");
    let _ = fs::remove_dir_all(&folder);
    let dir = folder.to_str().unwrap();
    let build = ["egdb", "build", "--pieces", "2", "--dir", dir];
    let report = stderr(&run(&build));
    assert_eq!(report.lines().count(), 4, "{report}");
    assert!(report.contains("M-M: 736 won, 799 drawn, 450 lost"), "{report}");

    let stats = success(&["egdb", "stats", "--dir", dir], "");
    let row = |name: &str| -> Vec<String> {
        let line = stats.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.expect(name).split_whitespace().skip(1).take(4).map(str::to_owned).collect()
    };
    assert_eq!(row("K-M"), ["2205", "1924", "281", "0"]);
    assert_eq!(row("total"), ["8845", "3205", "3678", "1962"]);

    assert_eq!(success(&build, ""), "", "nothing is left to do");
    fs::write(folder.join("normal-K-M.egdb"), "no database").unwrap();
    let message = failure(&["egdb", "stats", "--dir", dir], 1);
    assert!(message.contains("normal-K-M.egdb: no endgame database"), "{message}");
    let report = stderr(&run(&build));
    assert_eq!(report.lines().count(), 3, "the message and the pair: {report}");
    assert_eq!(success(&["egdb", "stats", "--dir", dir], ""), stats);
}

#[test]
fn there_is_no_frisian_database() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-egdb-frisian");
    let build = ["egdb", "build", "--variant", "frisian", "--pieces", "2", "--dir", dir.to_str().unwrap()];
    let message = failure(&build, 1);
    assert!(message.contains("no database for frisian"), "{message}");
}

#[test]
fn a_plan_tells_positions_and_memory() {
    let plan = success(&["egdb", "plan", "--pieces", "5"], "");
    let rows: Vec<Vec<&str>> = plan.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let positions: Vec<_> = rows.iter().map(|row| (row[0], row[2])).collect();
    assert_eq!(positions, [("2", "8845"), ("3", "806300"), ("4", "41971200"), ("5", "1570600750")]);

    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-egdb-memory");
    let build = ["egdb", "build", "--pieces", "5", "--dir", dir.to_str().unwrap(), "--memory", "2"];
    let message = failure(&build, 1);
    let needed = format!("need {} MiB of memory, 2 MiB are allowed", rows[3][3]);
    assert!(message.contains(&needed), "{message}");
}
