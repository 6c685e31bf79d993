//! Peers that drop, flood, and send garbage; and users who leave.

use std::time::{Duration, Instant};

use meerslag::board::Side;
use meerslag::engine;
use meerslag::engine::params::Params;
use meerslag::protocol::dxp::follower::{Flow, Follower, Outbox};
use meerslag::protocol::dxp::link::Received;
use meerslag::protocol::dxp::message::Message;
use meerslag::util::rng::Rng;
use meerslag::variant::International;

use crate::mutate;
use crate::peer::{Peer, request, short_game};
use crate::process::Process;

/// Mangled messages that the follower gets; `DXP_MUTATIONS` asks for more.
fn mutations() -> usize {
    std::env::var("DXP_MUTATIONS").map_or(20_000, |text| text.parse().expect("DXP_MUTATIONS is a number"))
}

/// A state of the dialogue, and how a peer gets there.
type State = (&'static str, fn(&mut Peer));

/// Brings a connection into each state of the dialogue. The follower has all the time of the world.
fn states() -> Vec<State> {
    fn ask(peer: &mut Peer, side: Side) {
        peer.ask(&Message::Request(request(side, 54_000, None)).encode());
    }
    vec![
        ("connected", |_| {}),
        ("within a message", |peer| assert!(peer.send_bytes(b"R01Tes"))),
        ("asked for a game", |peer| peer.send(&[&Message::Request(request(Side::White, 5, None)).encode()])),
        ("it thinks on its first move", |peer| ask(peer, Side::White)),
        ("it waits for the first move", |peer| ask(peer, Side::Black)),
        ("it thinks on its answer", |peer| {
            ask(peer, Side::Black);
            peer.send(&["M0000322800"]);
        }),
        ("it ponders", |peer| {
            peer.ask(&Message::Request(request(Side::White, 1, Some(75))).encode());
            assert!(matches!(peer.expect(), Message::Move { .. }));
        }),
        ("an illegal move was played", |peer| {
            ask(peer, Side::Black);
            peer.send(&["M0000323200"]);
            assert!(peer.receive().is_some_and(|text| text.starts_with('C')));
        }),
        ("the end was told", |peer| {
            ask(peer, Side::White);
            peer.send(&["E10"]);
        }),
        ("the end was confirmed", |peer| {
            ask(peer, Side::White);
            peer.send(&["E10"]);
            assert_eq!(peer.expect().encode(), "E00");
        }),
        ("no further game is wanted", |peer| {
            ask(peer, Side::White);
            peer.send(&["E11"]);
            assert_eq!(peer.expect().encode(), "E01");
        }),
        ("it has told the end", |peer| {
            ask(peer, Side::Black);
            peer.send(&["M0000323200", "M0000323200"]);
            assert_eq!(peer.expect().encode(), "E00");
        }),
        ("it went back", |peer| {
            ask(peer, Side::Black);
            peer.send(&["M0000322800", "B001W"]);
            assert_eq!(peer.expect().encode(), "K0");
        }),
    ]
}

#[test]
fn a_peer_may_be_gone_at_any_time() {
    let (process, address) = Process::server(&["--ponder"]);
    for (state, reach) in states() {
        println!("{state}");
        let mut peer = Peer::connect(address);
        reach(&mut peer);
        drop(peer);
        short_game::<International>(&mut Peer::connect(address));
    }
    process.line("game ");
}

struct Nobody {
    sent: usize,
}

impl Outbox for Nobody {
    fn send(&mut self, message: &Message) -> std::io::Result<()> {
        let text = message.encode();
        assert!((2..=127).contains(&text.len()) && text.is_ascii(), "{text:?}");
        assert!(Message::decode(text.as_bytes()).is_ok(), "{text}");
        self.sent += 1;
        Ok(())
    }
}

#[test]
fn mangled_messages_change_nothing_for_the_next_game() {
    let params = Params { hash: 1, ponder: true, ..Params::default() };
    let mut follower = Follower::new(params, Duration::from_secs(3600), engine::create);
    follower.connected();
    let mut rng = Rng::new(20);
    let mut out = Nobody { sent: 0 };
    for _ in 0..mutations() {
        let message = Message::decode(&mutate::message(&mut rng));
        follower.receive(Received { at: Instant::now(), message }, &mut out).unwrap();
        if rng.below(100) == 0 {
            // Time for the engine to answer.
            if let Ok(event) = follower.events().recv_timeout(Duration::from_millis(2)) {
                follower.event(event, &mut out).unwrap();
            }
        }
        while let Ok(event) = follower.events().try_recv() {
            follower.event(event, &mut out).unwrap();
        }
        assert_eq!(follower.tick(Instant::now(), &mut out).unwrap(), Flow::Continue);
        assert!(follower.take_news().len() < 1000, "news pile up");
    }
    assert!(out.sent > mutations() / 20, "only {} answers", out.sent);
    let message = Ok(Message::Request(request(Side::Black, 0, None)));
    let before = out.sent;
    follower.receive(Received { at: Instant::now(), message }, &mut out).unwrap();
    assert!(out.sent == before + 1 && follower.is_playing());
}

#[test]
fn garbage_over_the_network() {
    let (_process, address) = Process::server(&["--ponder"]);
    let mut rng = Rng::new(21);
    for _ in 0..20 {
        let mut peer = Peer::connect(address);
        for _ in 0..50 {
            let bytes = [&mutate::message(&mut rng)[..], b"\0"].concat();
            // It may have been hung up on, as when it wanted no further game.
            if !peer.send_bytes(&bytes) {
                break;
            }
        }
    }
    short_game::<International>(&mut Peer::connect(address));
}

#[cfg(target_os = "linux")]
#[test]
fn a_flood_costs_no_memory() {
    let (process, address) = Process::server(&[]);
    short_game::<International>(&mut Peer::connect(address));
    let before = process.memory();
    let mut peer = Peer::connect(address);
    // Chat, which nobody answers; a message without an end; and zeros.
    let chat = b"Cthis is a flood, and nobody can stop it\0".repeat(1000);
    for _ in 0..100 {
        assert!(peer.send_bytes(&chat));
    }
    for _ in 0..100 {
        assert!(peer.send_bytes(&[b'x'; 100_000]));
    }
    assert!(peer.send_bytes(&[0; 1_000_000]));
    short_game::<International>(&mut peer);
    let after = process.memory();
    assert!(after < before + 8, "{before} MiB before, {after} MiB after");
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_a_clean_end() {
    for (own, farewell) in [(Side::White, "E01"), (Side::Black, "C")] {
        let (process, address) = Process::server(&[]);
        let mut peer = Peer::connect(address);
        peer.ask(&Message::Request(request(own, 54_000, None)).encode());
        process.line("game 1 against Tester: ");
        let pid = process.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert!(peer.receive().is_some_and(|text| text.starts_with(farewell)), "{own}");
        assert_eq!(peer.receive(), None);
        drop(peer);
        let (status, errors) = process.end();
        assert!(status.success() && errors.is_empty(), "{status}: {errors}");
    }
    // Nor does one that waits for a connection stay.
    let (process, _) = Process::server(&[]);
    let pid = process.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert!(process.end().0.success());
}

#[test]
fn other_machines_only_with_a_warning() {
    for (address, warns) in [("0.0.0.0:0", true), ("*:0", true), ("localhost:0", false), ("0", false)] {
        let process = Process::start_with(&["--listen", address, "--once"], &[("RUST_LOG", "warn")]);
        let listening = process.line("listening on ");
        let port = listening.rsplit(':').next().unwrap();
        drop(Peer::connect(format!("127.0.0.1:{port}").parse().unwrap()));
        let (status, errors) = process.end();
        assert!(status.success() && errors.contains("no authentication") == warns, "{address}: {errors}");
    }
}

#[test]
fn a_taken_port_is_an_error() {
    let (_process, address) = Process::server(&[]);
    let (status, errors) = Process::start(&["--listen", &address.to_string()]).end();
    assert!(status.code() == Some(1) && errors.contains(&address.to_string()), "{status}: {errors}");
}
