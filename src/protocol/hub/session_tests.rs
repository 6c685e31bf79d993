//! The session driven line by line over pipes, with an engine that records its calls.

use std::io::{BufRead, BufReader, ErrorKind, PipeReader, PipeWriter, Write, pipe};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::fake::{Calls, FakeEngine};
use super::session;
use crate::engine::params::Params;
use crate::eval::chances::Chances;
use crate::search::Score;

const INFO: &str = "info depth=1 mean-depth=1.0 score=0.12 nodes=500000 time=0.100 nps=5.0 pv=\"32-28 19-23\"";
const LAST_INFO: &str = "info depth=2 mean-depth=1.0 score=0.12 nodes=500000 time=0.100 nps=5.0 pv=\"32-28 19-23\"";
const DONE: &str = "done move=32-28 ponder=19-23";

/// A session and the GUI's ends of its pipes.
struct Gui {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    calls: Calls,
    session: JoinHandle<std::io::Result<()>>,
}

impl Gui {
    fn new() -> Self {
        Self::with(Params::default())
    }

    fn with(params: Params) -> Self {
        Self::lacking(params, |_| None)
    }

    /// A session on a system that refuses some engines.
    fn lacking(params: Params, refuse: fn(&Params) -> Option<ErrorKind>) -> Self {
        let (engine_input, input) = pipe().unwrap();
        let (output, engine_output) = pipe().unwrap();
        let calls = Calls::default();
        let engine_calls = calls.clone();
        let create = move |params: &Params, events| {
            // Every engine holds the list too: the old one must be gone.
            assert_eq!(Arc::strong_count(&engine_calls), 2);
            match refuse(params) {
                Some(kind) => Err(kind.into()),
                None => Ok(FakeEngine::create(params, events, &engine_calls)),
            }
        };
        let session = thread::spawn(move || session::run(engine_input, engine_output, params, create));
        Self { input: Some(input), output: BufReader::new(output), calls, session }
    }

    fn send(&mut self, lines: &str) {
        self.input.as_mut().unwrap().write_all(format!("{lines}\n").as_bytes()).unwrap();
    }

    fn expect(&mut self, lines: &[&str]) {
        for line in lines {
            let mut got = String::new();
            self.output.read_line(&mut got).unwrap();
            assert_eq!(got.trim_end(), *line);
        }
    }

    fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }

    /// Sends `quit` and checks that nothing unread is left.
    fn quit(mut self) -> Vec<String> {
        self.send("ping\nquit");
        self.expect(&["pong"]);
        self.end()
    }

    /// Waits for the end of the session.
    fn end(mut self) -> Vec<String> {
        self.session.join().unwrap().unwrap();
        let mut rest = String::new();
        self.output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

#[test]
fn declares_parameters_with_current_values() {
    let mut gui = Gui::new();
    for threads in [3, 4] {
        gui.send(&format!("set-param name=threads value={threads}\nhub"));
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| line.trim_end() != "wait") {
            let mut line = String::new();
            gui.output.read_line(&mut line).unwrap();
            lines.push(line);
        }
        assert!(lines[0].starts_with("id name=Meerslag version="));
        assert!(lines.contains(&format!("param name=threads value={threads} type=int min=1 max=64\n")));
        assert_eq!(lines.len(), 2 + crate::engine::params::PARAMS.len());
    }
    assert_eq!(gui.quit(), Vec::<String>::new());
}

#[test]
fn a_whole_game_turn_pipelined() {
    let mut gui = Gui::new();
    gui.send(
        "init\r\nnew-game\npos pos=Wbe moves=\"32-28 19x23\" wolf=\"W32=2\"\nlevel time=10.3 inc=0.2\nlevel depth=4\ngo think",
    );
    gui.expect(&["ready", INFO, DONE]);
    let expected = [
        "create normal hash=64",
        "new-game",
        "position Wbe W32=2, 32-28 19x23",
        "go Think Some(4) None None Some((10.3, 0.2, None)) []",
    ];
    assert_eq!(gui.quit(), expected);
}

#[test]
fn go_alone_works_and_limits_end_with_the_search() {
    let mut gui = Gui::new();
    gui.send("level depth=3\npos\nset-param name=book-ply value=0\ngo");
    gui.expect(&[INFO, DONE]);
    gui.send("go analyze\nstop");
    gui.expect(&[INFO, LAST_INFO, DONE]);
    let calls = gui.quit();
    assert!(calls.contains(&"go Think Some(3) None None None []".into()), "{calls:?}");
    assert!(calls.contains(&"go Analyze None None None None []".into()), "{calls:?}");
}

#[test]
fn ping_and_bad_lines_do_not_disturb_a_search() {
    let mut gui = Gui::new();
    gui.send("go think");
    gui.expect(&[INFO]);
    gui.send("ping\nfly\nlevel depth=x\n\nname=\"\nping");
    gui.expect(&["pong", "pong"]);
    gui.send("stop\nstop");
    gui.expect(&[LAST_INFO, DONE]);
    gui.send("stop\nponder-hit\nfly");
    gui.expect(&["error message=\"bad command `fly`\""]);
    let calls = gui.quit();
    assert_eq!(calls.iter().filter(|call| *call == "ponder-hit").count(), 0);
}

#[test]
fn other_commands_end_the_search_first() {
    let mut gui = Gui::new();
    gui.send("go think");
    gui.expect(&[INFO]);
    gui.send("pos pos=Wbe\nlevel depth=2\ngo think\nping");
    gui.expect(&[LAST_INFO, DONE]);
    // The answer to `ping` may come before or after the end of the second search.
    let mut rest = Vec::new();
    for _ in 0..3 {
        let mut line = String::new();
        gui.output.read_line(&mut line).unwrap();
        rest.push(line.trim_end().to_string());
    }
    rest.retain(|line| line != "pong");
    assert_eq!(rest, [INFO, DONE]);
    let expected = [
        "create normal hash=64",
        "go Think None None None None []",
        "stop",
        "position Wbe ",
        "go Think Some(2) None None None []",
    ];
    assert_eq!(gui.quit(), expected);
}

#[test]
fn pondering() {
    let mut gui = Gui::new();
    gui.send("level move-time=0.5\ngo ponder");
    gui.expect(&[INFO]);
    gui.send("ponder-hit\nstop\nponder-hit");
    gui.expect(&[DONE]);
    let calls = gui.quit();
    assert_eq!(calls[1..3], ["go Ponder None None Some(0.5) None []", "ponder-hit"]);
}

#[test]
fn bad_positions_and_moves_are_reported_before_the_search() {
    let mut gui = Gui::new();
    gui.send("pos pos=W? moves=32-28\npos pos=Wbe moves=\"32-28 1-1 19-23\"\ninit");
    gui.expect(&[
        "error message=\"bad position: fake, in `W?`\"",
        "error message=\"illegal move `1-1` (move 2 of the list)\"",
        "ready",
    ]);
    // The new engine gets what was accepted.
    assert_eq!(gui.quit().last().unwrap(), "position Wbe 32-28");
}

#[test]
fn king_moves_made_before_reach_the_engine() {
    let mut gui = Gui::new();
    gui.send("pos pos=Wbe wolf=\"B19=3 W32=2\" moves=32-28\ninit");
    gui.expect(&["ready"]);
    assert_eq!(gui.quit()[1..].iter().filter(|call| *call == "position Wbe B19=3 W32=2, 32-28").count(), 2);
}

#[test]
fn parameters_reach_the_engine() {
    let mut gui = Gui::new();
    gui.send("set-param name=variant value=chess\nset-param name=initial-time value=60\nset-param value=1");
    gui.expect(&[
        "error message=\"parameter variant: unknown variant `chess` (known: normal, brazilian, russian, frisian, killer, bt, losing)\"",
        "error message=\"set-param: missing name\"",
    ]);
    gui.send(
        "pos\nset-param name=kvk value=count\nset-param name=tt-size value=20\ninit\nset-param name=threads value=1000",
    );
    gui.expect(&["ready"]);
    gui.send("level depth=1\ngo");
    gui.expect(&[INFO, DONE]);
    let expected = [
        "create normal hash=64",
        "position start ",
        "set-params threads=1",
        "create normal hash=16",
        "position start ",
        "create normal hash=16",
        "position start ",
        "go Think Some(1) None None None []",
    ];
    assert_eq!(gui.calls(), expected);
    gui.send("set-param name=variant value=BRAZILIAN\npos pos=Wbb\nset-param name=variant value=normal\ninit");
    gui.expect(&["ready"]);
    let expected = ["create brazilian hash=16", "position Wbb ", "create normal hash=16"];
    assert_eq!(gui.quit(), expected);
}

#[test]
fn a_missing_engine_is_told_and_every_go_is_answered() {
    let create = |_: &Params, _| Err(std::io::Error::other("fake"));
    let mut output = Vec::new();
    // The end of this input does not overtake its lines.
    session::run(&b"init\npos\ngo\nnew-game\n"[..], &mut output, Params::default(), create).unwrap();
    let error = "error message=\"no engine: fake\"\n";
    assert_eq!(String::from_utf8(output).unwrap(), format!("{error}ready\n{error}done\n{error}{error}"));
}

/// A system with memory for a table of 100 MiB and for 4 threads.
fn small_system(params: &Params) -> Option<ErrorKind> {
    if params.hash > 100 {
        return Some(ErrorKind::OutOfMemory);
    }
    (params.threads > 4).then_some(ErrorKind::WouldBlock)
}

#[test]
fn without_memory_the_size_before_is_kept() {
    let mut gui = Gui::lacking(Params::default(), small_system);
    gui.send("pos pos=Wbe moves=32-28\nset-param name=hash value=65536\nset-param name=threads value=2\ninit");
    gui.expect(&["error message=\"out of memory; going on with hash=64 threads=1\"", "ready"]);
    assert_eq!(gui.calls()[2..], ["create normal hash=64", "position Wbe 32-28"]);
    // The parameters are those in force: nothing fails again.
    gui.send("init\nset-param name=hash value=32\nlevel depth=1\ngo");
    gui.expect(&["ready", INFO, DONE]);
    gui.quit();
}

#[test]
fn without_memory_a_go_is_answered_with_a_move_before_the_error() {
    let params = Params { hash: 65_536, threads: 64, log_file: "/nonexistent-folder/x".into(), ..Params::default() };
    let mut gui = Gui::lacking(params, small_system);
    gui.send("go\nstop");
    gui.expect(&[INFO, LAST_INFO, DONE]);
    let mut line = String::new();
    gui.output.read_line(&mut line).unwrap();
    assert!(line.starts_with("error message=\"log file "), "{line}");
    gui.expect(&["error message=\"out of memory; going on with hash=64 threads=4\""]);
    // Nothing is kept of another variant.
    gui.send("set-param name=variant value=brazilian\nset-param name=hash value=128\nlevel depth=1\ngo");
    gui.expect(&[INFO, DONE, "error message=\"out of memory; going on with hash=64 threads=4\""]);
    assert_eq!(gui.quit()[3], "create brazilian hash=64");
}

#[test]
fn restricted_searches() {
    let mut gui = Gui::new();
    gui.send("level depth=1\ngo think moves=\"32-28 31-27\"");
    gui.expect(&[INFO, DONE]);
    gui.send("level depth=1\ngo think moves=\"32-28 5-5\"");
    gui.expect(&["error message=\"illegal move `5-5` (move 2 of the list)\"", INFO, DONE]);
    gui.send("level depth=1\ngo think moves=e4");
    gui.expect(&["error message=\"`e4` is not a move (expected `32-28` or `28x19x23`)\"", INFO, DONE]);
    let calls = gui.quit();
    assert_eq!(calls[1], "go Think Some(1) None None None [\"32-28\", \"31-27\"]");
    assert_eq!(calls[2..], ["go Think Some(1) None None None []"; 2]);
}

#[test]
fn info_grows_when_asked_to() {
    let mut gui = Gui::new();
    gui.send("set-param name=multi-pv value=2\nlevel depth=1\ngo think");
    gui.expect(&[&format!("{INFO} multi-pv=1"), DONE]);
    gui.send("set-param name=wdl value=true\nlevel depth=1\ngo think");
    let [win, draw, loss] = Score::eval(12).win_draw_loss(Chances::default());
    gui.expect(&[&format!("{INFO} multi-pv=1 wdl=\"{win} {draw} {loss}\""), DONE]);
    gui.quit();
}

#[test]
fn end_of_input_ends_the_session_without_done() {
    let mut gui = Gui::new();
    gui.send("go think");
    gui.expect(&[INFO]);
    drop(gui.input.take());
    gui.end();
    let mut gui = Gui::new();
    gui.send("go think");
    gui.expect(&[INFO]);
    gui.send("quit");
    gui.end();
}

#[test]
fn a_closed_output_ends_the_session_quietly() {
    let Gui { mut input, output, session, .. } = Gui::new();
    drop(output);
    input.as_mut().unwrap().write_all(b"ping\n").unwrap();
    session.join().unwrap().unwrap();
}

#[test]
fn the_log_file_holds_the_traffic() {
    let path = std::env::temp_dir().join(format!("meerslag-hub-{}.log", std::process::id()));
    let mut gui = Gui::new();
    gui.send(&format!("set-param name=log-file value=\"{}\"\nping\nlevel depth=1\ngo", path.display()));
    gui.expect(&["pong", INFO, DONE]);
    gui.send("set-param name=log-file value=/nonexistent-folder/x");
    let mut line = String::new();
    gui.output.read_line(&mut line).unwrap();
    assert!(line.starts_with("error message=\"log file `/nonexistent-folder/x`: "), "{line}");
    gui.quit();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(lines[..6], ["> ping", "< pong", "> level depth=1", "> go", &format!("< {INFO}"), &format!("< {DONE}")]);
}

#[test]
fn a_bad_log_file_at_start_is_told_once_the_gui_speaks() {
    let params = Params { log_file: "/nonexistent-folder/x".into(), ..Params::default() };
    let mut gui = Gui::with(params);
    gui.send("ping");
    gui.expect(&["pong"]);
    let mut line = String::new();
    gui.output.read_line(&mut line).unwrap();
    assert!(line.starts_with("error message=\"log file "), "{line}");
    gui.quit();
}
