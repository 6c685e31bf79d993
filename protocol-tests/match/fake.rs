//! An engine that plays the first legal move, until it misbehaves as it was told.
//!
//! It is this test program itself, started with the arguments of [`command`].

use std::fs::OpenOptions;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;
use std::{env, process, thread};

use meerslag::board::{Game, legal_moves};
use meerslag::notation::hub::{HubMove, read_position};
use meerslag::variant::International;

/// The moves after which it misbehaves.
const GOOD_MOVES: usize = 2;

/// A player of a configuration file that is the fake engine; `fault` is one of those in [`answer`].
pub fn player(name: &str, fault: &str) -> String {
    player_with_notes(name, fault, "")
}

/// The same with a file for its notes.
pub fn player_with_notes(name: &str, fault: &str, notes: &str) -> String {
    let program = env::current_exe().unwrap();
    format!(
        "[[player]]\nname = '{name}'\n\
         command = ['{}', 'fake::the_fake_engine', '--exact', '--ignored', '--nocapture']\n\
         env = {{ FAKE_FAULT = '{fault}', FAKE_NOTES = '{notes}' }}\n",
        program.display()
    )
}

#[test]
#[ignore = "the entry of the fake engine, which other tests start"]
fn the_fake_engine() {
    let Ok(fault) = env::var("FAKE_FAULT") else { return };
    // What the test harness has written so far ends here.
    println!();
    let mut game = Game::<International>::new(Default::default());
    let mut moves = 0;
    // What it says when it is told to stop.
    let mut found = String::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("hub") if fault == "deaf" => thread::sleep(Duration::from_secs(600)),
            // Programs that failed after their first start, if the test wants it.
            Some("hub") if fault == "once" && !is_first() => process::exit(3),
            Some("hub") => say(GREETING),
            Some("init") => say("ready"),
            Some("ping") => say("pong"),
            Some("pos") => game = position(&line),
            // Hub 1 sends the moves one by one.
            Some("move") => play(&mut game, words.next().unwrap()),
            Some("go") => {
                moves += 1;
                let dialect = words.next().map_or("move ", |_| "done move=");
                let fault = if moves > GOOD_MOVES { fault.as_str() } else { "" };
                if fault == "searches" {
                    note("go");
                    found = format!("{dialect}{}", first_move(&game));
                } else {
                    answer(&game, fault, dialect);
                }
            }
            Some("stop") => say(&found),
            Some("quit") if fault == "stays" => {}
            Some("quit") => {
                note("quit");
                break;
            }
            _ => {}
        }
    }
    if fault == "stays" {
        thread::sleep(Duration::from_secs(600));
    }
    process::exit(0);
}

/// What it declares.
const GREETING: &str = "id name=fake version=1\nname fake\nparam name=hash value=1 type=int min=1 max=99\nwait";

/// Adds a line to the file that the test has named, if it has.
fn note(text: &str) {
    if let Some(path) = env::var("FAKE_NOTES").ok().filter(|path| !path.is_empty()) {
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(file, "{text}").unwrap();
    }
}

/// Whether it is the first program with this file of notes.
fn is_first() -> bool {
    OpenOptions::new().create_new(true).write(true).open(env::var("FAKE_NOTES").unwrap()).is_ok()
}

fn first_move(game: &Game<International>) -> String {
    HubMove::of::<International>(legal_moves(game.position())[0]).to_string()
}

fn say(text: &str) {
    let mut out = stdout().lock();
    writeln!(out, "{text}").unwrap();
    out.flush().unwrap();
}

fn play(game: &mut Game<International>, text: &str) {
    let mv = text.parse::<HubMove>().unwrap().resolve::<International>(&legal_moves(game.position())).unwrap();
    game.play(mv).unwrap();
}

fn position(line: &str) -> Game<International> {
    let value = |name: &str| line.split_once(name).map(|(_, rest)| rest.trim_matches('"').to_owned());
    let text = value("pos=").or_else(|| value("pos ")).unwrap();
    let mut letters = text.split_whitespace().next().unwrap().to_owned();
    // Hub 1 writes the side in lower case.
    letters[..1].make_ascii_uppercase();
    let mut game = Game::new(read_position(&letters).unwrap());
    for mv in value("moves=").unwrap_or_default().split_whitespace() {
        play(&mut game, mv);
    }
    game
}

/// Answers a request for a move, well or badly.
fn answer(game: &Game<International>, fault: &str, dialect: &str) {
    let best = first_move(game);
    match fault {
        "crash" | "once" => process::exit(7),
        "hang" => thread::sleep(Duration::from_secs(600)),
        "late" => thread::sleep(Duration::from_millis(400)),
        "illegal" => return say(&format!("{dialect}1-50")),
        "garbage" => return say(&format!("{dialect}banana")),
        "nothing" => return say(dialect.split(' ').next().unwrap()),
        "noise" => return (0..20_000).for_each(|_| say("lorem ipsum = = dolor")),
        // Each sign of life comes in time, the answer after three times that.
        "thinks" => (0..10).for_each(|depth| {
            thread::sleep(Duration::from_millis(300));
            say(&format!("info depth={depth}"));
        }),
        "chatters" => loop {
            say("info depth=1");
        },
        // It writes as fast as it can, and never an end of the line.
        "flood" => loop {
            stdout().write_all(&[b'x'; 4096]).unwrap();
        },
        _ => {}
    }
    say(&format!("{dialect}{best}"));
}
