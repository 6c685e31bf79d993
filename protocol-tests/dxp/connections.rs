//! More connections than one: who is attended to, and who is not.

use std::net::SocketAddr;
use std::sync::mpsc::channel;
use std::thread;

use meerslag::board::Side;
use meerslag::protocol::dxp::message::Message;
use meerslag::variant::International;

use crate::matches::{RETRY, accept_any, ends, expect, farewell, play_against};
use crate::peer::{Peer, request, short_game};
use crate::process::Process;

/// A program that plays a long game. It is the follower's turn, so that it may be silent.
fn busy(address: SocketAddr) -> Peer {
    let mut peer = Peer::connect(address);
    peer.ask(&Message::Request(request(Side::White, 54_000, None)).encode());
    peer
}

/// The addresses of this line, in both kinds; nothing on a machine that has only one kind.
fn both(listening: &str) -> Option<[SocketAddr; 2]> {
    let Some((one, other)) = listening.split_once(" and ") else {
        eprintln!("skipped: this machine has one kind of addresses only");
        return None;
    };
    Some([one.parse().unwrap(), other.parse().unwrap()])
}

fn is_turned_away(peer: &mut Peer) {
    let told = format!("CMeerslag {} is playing against another program", env!("CARGO_PKG_VERSION"));
    assert_eq!(peer.receive(), Some(told));
    assert_eq!(peer.receive(), None);
}

#[test]
fn a_program_that_comes_back_takes_its_old_place() {
    let (_process, address) = Process::server(&[]);
    let mut old = busy(address);
    let mut new = Peer::connect(address);
    short_game::<International>(&mut new);
    assert_eq!(old.receive(), None);
}

#[test]
fn another_program_has_to_wait_for_the_end_of_a_game() {
    let process = Process::start(&["--listen=0"]);
    let Some([one, other]) = both(&process.line("listening on ")) else { return };
    // Without a game nobody is in the way.
    let mut idle = Peer::connect(one);
    process.line("connected to ");
    let mut playing = busy(other);
    assert_eq!(idle.receive(), None);
    for _ in 0..3 {
        is_turned_away(&mut Peer::connect(one));
    }
    playing.send(&["E10"]);
    loop {
        // Its move may have come first.
        if playing.expect().encode() == "E00" {
            break;
        }
    }
    short_game::<International>(&mut Peer::connect(one));
    assert_eq!(playing.receive(), None);
}

#[test]
fn an_initiator_notices_that_its_program_has_come_back() {
    let (sender, address) = channel::<SocketAddr>();
    let program = thread::spawn(move || {
        let address = address.recv().unwrap();
        let mut old = Peer::connect(address);
        accept_any(&mut old);
        expect(&mut old, "M");
        // It is on move and silent; nobody tells that it is gone.
        let mut new = Peer::connect(address);
        assert_eq!(old.receive(), None);
        accept_any(&mut new);
        new.send(&["E10"]);
        expect(&mut new, "E00");
        farewell(&mut new);
    });
    let mut tell = |text: &str| sender.send(text.strip_prefix("listening on ").unwrap().parse().unwrap()).unwrap();
    let outcomes = play_against("listen:127.0.0.1:0", "", &mut tell);
    program.join().unwrap();
    assert_eq!(ends(&outcomes), [("crash", Some(0)), ("conceded", Some(0))]);
    assert!(outcomes[0].reason.ends_with("the program has connected again"), "{}", outcomes[0].reason);
}

#[test]
fn an_initiator_turns_others_away() {
    let process = Process::start(&["--games=2", "--listen=0", "--openings=start", "--minutes=0.05"]);
    let Some([one, other]) = both(&process.error_line("listening on ")) else { return };
    let mut peer = Peer::connect(one);
    for _ in 0..2 {
        expect(&mut peer, "R01");
        is_turned_away(&mut Peer::connect(other));
        peer.send(&["AProgram                         0", "E10"]);
        expect(&mut peer, "E00");
    }
    farewell(&mut peer);
    let (status, errors) = process.end();
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}

#[test]
fn a_program_may_come_back_later() {
    let (sender, address) = channel::<SocketAddr>();
    let program = thread::spawn(move || {
        let address = address.recv().unwrap();
        let mut peer = Peer::connect(address);
        accept_any(&mut peer);
        drop(peer);
        // The second game is lost meanwhile; the port of the first one is still good for the third.
        thread::sleep(RETRY * 3 / 2);
        let mut peer = Peer::connect(address);
        for _ in 0..2 {
            accept_any(&mut peer);
            peer.send(&["E10"]);
            expect(&mut peer, "E00");
        }
        farewell(&mut peer);
    });
    let mut tell = |text: &str| sender.send(text.strip_prefix("listening on ").unwrap().parse().unwrap()).unwrap();
    let outcomes = play_against("listen:127.0.0.1:0", "games = 4", &mut tell);
    program.join().unwrap();
    let ends: Vec<_> = ends(&outcomes).into_iter().map(|(end, _)| end).collect();
    assert_eq!(ends, ["crash", "crash", "conceded", "conceded"]);
}
