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
    assert_eq!(report.lines().count(), 5, "what is needed and the slices: {report}");
    assert!(report.starts_with("4 slices, 8845 positions: "), "{report}");
    assert!(report.contains("M-M: 736 won, 799 drawn, 450 lost"), "{report}");

    let stats = success(&["egdb", "stats", "--dir", dir], "");
    let row = |name: &str| -> Vec<String> {
        let line = stats.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.expect(name).split_whitespace().skip(1).take(4).map(str::to_owned).collect()
    };
    assert_eq!(row("K-M"), ["2205", "1924", "281", "0"]);
    // With those that are part of the program.
    assert_eq!(row("total"), ["42786345", "13289033", "22940514", "6556798"]);

    assert_eq!(success(&build, ""), "", "nothing is left to do");
    fs::write(folder.join("normal-K-M.egdb"), "no database").unwrap();
    let message = stderr(&run(&["egdb", "stats", "--dir", dir]));
    assert!(message.contains("normal-K-M.egdb: no endgame database"), "{message}");
    let report = stderr(&run(&build));
    assert_eq!(report.lines().count(), 3, "the message, what is needed, and the slice: {report}");
    assert!(report.contains("K-M: 1924 won"), "{report}");
    assert_eq!(success(&["egdb", "stats", "--dir", dir], ""), stats);

    // A byte of a block, of which opening the file does not know.
    let path = folder.join("normal-M-M.egdb");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let report = stderr(&run(&build));
    assert!(report.contains("normal-M-M.egdb: the file is damaged") && report.contains("M-M: 736 won"), "{report}");
    bytes[last] ^= 1;
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let message = failure(&["egdb", "stats", "--dir", "no-such-folder"], 2);
    assert!(message.contains("`no-such-folder` is not a folder"), "{message}");
}

#[test]
fn there_is_no_frisian_database() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-egdb-frisian");
    let build = ["egdb", "build", "--variant", "frisian", "--pieces", "2", "--dir", dir.to_str().unwrap()];
    let message = failure(&build, 1);
    assert!(message.contains("no database for frisian"), "{message}");
}

#[test]
fn a_slice_is_built_with_what_it_leads_to() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-egdb-slice");
    let _ = fs::remove_dir_all(&folder);
    let dir = folder.to_str().unwrap();
    let report = stderr(&run(&["egdb", "build", "--variant", "brazilian", "--slice", "K-KK", "--dir", dir]));
    assert!(report.contains("K-KK: 754 won, 13852 drawn, 274 lost"), "{report}");
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.retain(|name| !name.to_str().unwrap().contains("distances"));
    names.sort();
    assert_eq!(names, ["brazilian-K-K.egdb", "brazilian-K-KK.egdb", "brazilian-KK-K.egdb"]);
    let message = failure(&["egdb", "build", "--variant", "bt", "--slice", "K-M", "--dir", dir], 1);
    assert!(message.contains("no slice K-M in bt"), "{message}");
    let message = failure(&["egdb", "build", "--slice", "KM", "--dir", dir], 2);
    assert!(message.contains("`KM` is no slice"), "{message}");
}

#[test]
fn a_plan_tells_positions_and_resources() {
    let rows = |args: &[&str]| -> Vec<Vec<String>> {
        let plan = success(&[&["egdb", "plan"], args].concat(), "");
        plan.lines().skip(1).map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let up_to_5 = rows(&["--pieces", "5"]);
    let positions: Vec<_> = up_to_5.iter().map(|row| (row[0].as_str(), row[2].as_str())).collect();
    assert_eq!(positions, [("2", "8845"), ("3", "815145"), ("4", "42786345"), ("5", "1613387095")]);
    assert!(up_to_5[3][5].len() >= "0:00:01".len(), "{up_to_5:?}");
    let with_distances = rows(&["--pieces", "5", "--distances", "5"]);
    let memory = |rows: &[Vec<String>]| rows[3][3].parse::<u64>().unwrap();
    assert!(memory(&with_distances) > 2 * memory(&up_to_5), "{with_distances:?}");
    let slice = rows(&["--variant", "brazilian", "--slice", "KK-K"]);
    assert_eq!(slice[0][..3], ["KK-K", "3", "30752"]);

    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-egdb-memory");
    let build = ["egdb", "build", "--pieces", "5", "--dir", dir.to_str().unwrap(), "--memory", "2"];
    let message = failure(&build, 1);
    let needed = format!("needs {} MiB of memory, 2 MiB are allowed", up_to_5[3][3]);
    assert!(message.contains(&needed), "{message}");
    let build = ["egdb", "build", "--pieces", "8", "--dir", dir.to_str().unwrap()];
    let message = failure(&build, 1);
    assert!(message.contains("MiB of memory, ") && message.contains("MiB are available"), "{message}");
}
