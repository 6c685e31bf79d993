//! What is logged, where, and what happens if it cannot be.

use meerslag::variant::International;

use crate::peer::{Peer, short_game};
use crate::process::Process;

fn log_path(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("meerslag-dxp-{name}-{}.log", std::process::id()))
}

#[test]
fn messages_are_logged() {
    let path = log_path("messages");
    let (process, address) = Process::server(&["--once", "--board", "--dxp-log", path.to_str().unwrap()]);
    let mut peer = Peer::connect(address);
    short_game::<International>(&mut peer);
    peer.send_bytes(b"X\x07\0");
    drop(peer);
    assert!(process.end().0.success());
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    for part in
        ["Z > R01Tester  ", "Z < AMeerslag ", "Z < M0000", "Z > M0000", "Z > E00", "Z > X\\x07", "# connection ended"]
    {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
}

#[test]
fn messages_are_logged_for_those_who_debug() {
    let (process, address) = Process::start_server(&["--once"], &[("RUST_LOG", "dxp=debug")]);
    short_game::<International>(&mut Peer::connect(address));
    let (status, errors) = process.end();
    assert!(status.success());
    let lines: Vec<_> = errors.lines().filter_map(|line| line.split_once(" DEBUG dxp] ")).collect();
    for begin in ["> R01Tester  ", "< AMeerslag ", "< M0000", "> M0000", "> E00", "# connection ended"] {
        let (time, _) = lines.iter().find(|(_, text)| text.starts_with(begin)).unwrap_or_else(|| panic!("{errors}"));
        // As in [2024-02-29T12:00:00Z
        assert!(time.len() == 21 && time.starts_with("[20") && time.ends_with('Z'), "{time}");
    }
}

#[test]
fn a_log_that_is_no_file_is_an_error() {
    for path in ["/nonexistent-folder/dxp.log", "/dev/full"] {
        let (status, errors) = Process::start(&["--listen=127.0.0.1:0", "--dxp-log", path]).end();
        assert!(status.code() == Some(1) && errors.contains(path), "{status}: {errors}");
    }
}

#[cfg(unix)]
#[test]
fn games_go_on_when_the_disk_is_full() {
    let path = log_path("full");
    let arguments = ["--listen=127.0.0.1:0", "--once", "--dxp-log", path.to_str().unwrap()];
    let process = Process::start_on_a_full_disk(&arguments, &[("RUST_LOG", "warn")]);
    let mut peer = Peer::connect(process.line("listening on ").parse().unwrap());
    for _ in 0..2 {
        short_game::<International>(&mut peer);
    }
    drop(peer);
    let (status, errors) = process.end();
    let size = std::fs::metadata(&path).unwrap().len();
    std::fs::remove_file(&path).unwrap();
    let told = format!("log file `{}` ends here", path.display());
    assert!(status.success() && size == 0 && errors.matches(&told).count() == 1, "{status}: {errors}");
}
