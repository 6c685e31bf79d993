//! Whole games, in both roles on the network and with peers of every kind.

use std::net::TcpListener;

use meerslag::board::{Piece, Role, Setup, Side};
use meerslag::engine::params::{PARAMS, Params};
use meerslag::protocol::dxp::message::{Message, Reason};
use meerslag::util::rng::Rng;
use meerslag::variant::{Brazilian, Frisian, International};

use crate::peer::{Peer, request, short_game};
use crate::process::{Process, quiet_address};

#[test]
fn games_as_server() {
    let (process, address) = Process::server(&[]);
    let mut peer = Peer::connect(address);
    let mut rng = Rng::new(1);
    for own in Side::BOTH {
        let (reason, _) = peer.play::<International>(&request(own, 0, None), &mut rng);
        assert_eq!(reason, Reason::Lost, "against random moves");
    }
    assert!(process.line("game 2 against Tester: won").ends_with("score: 2 won, 0 drawn, 0 lost"));
    // The next one on a connection of its own.
    drop(peer);
    process.line("listening on ");
    short_game::<International>(&mut Peer::connect(address));
}

#[test]
fn games_as_client() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let process = Process::start(&["--connect", &address, "--ponder"]);
    let mut peer = Peer::accept(&listener);
    let (reason, _) = peer.play::<International>(&request(Side::White, 1, Some(60)), &mut Rng::new(2));
    assert!(matches!(reason, Reason::Lost | Reason::Unknown), "{reason:?}");
    // It comes back after a drop, and leaves when no further game is wanted.
    drop(peer);
    let mut peer = Peer::accept(&listener);
    short_game::<International>(&mut peer);
    peer.ask(&Message::Request(request(Side::Black, 0, None)).encode());
    peer.send(&["E01"]);
    assert_eq!(peer.receive().as_deref(), Some("E01"));
    drop(peer);
    let (status, errors) = process.end();
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}

#[test]
fn a_client_waits_for_its_server() {
    let address = quiet_address();
    let process = Process::start(&["--connect", &address.to_string(), "--once"]);
    process.line("connecting to ");
    let listener = TcpListener::bind(address).unwrap();
    let mut peer = Peer::accept(&listener);
    short_game::<International>(&mut peer);
    drop(peer);
    assert!(process.end().0.success());
    drop(listener);
    let process = Process::start(&["--connect", &address.to_string(), "--retry", "0"]);
    let (status, errors) = process.end();
    assert!(status.code() == Some(1) && errors.contains(&address.to_string()), "{status}: {errors}");
}

#[test]
fn a_game_byte_by_byte() {
    let (_process, address) = Process::server(&[]);
    let mut peer = Peer::connect(address);
    peer.byte_by_byte = true;
    short_game::<International>(&mut peer);
}

#[test]
fn several_messages_in_one_packet() {
    let (_process, address) = Process::server(&[]);
    let mut peer = Peer::connect(address);
    let request = Message::Request(request(Side::Black, 0, None)).encode();
    peer.send(&["Chello", &request, "M0000322800"]);
    assert!(matches!(peer.expect(), Message::Answer { .. }));
    assert!(matches!(peer.expect(), Message::Move { .. }));
    peer.send(&["B001W", "M0000312700", "Cwell"]);
    assert_eq!(peer.expect().encode(), "K0");
    assert!(matches!(peer.expect(), Message::Move { .. }));
    peer.send(&["E10", &request, "M0000322800", "E10"]);
    assert_eq!(peer.expect().encode(), "E00");
    assert!(matches!(peer.expect(), Message::Answer { .. }));
    // The last end may come before or after the move.
    loop {
        match peer.expect() {
            Message::Move { .. } => {}
            other => break assert_eq!(other.encode(), "E00"),
        }
    }
}

#[test]
fn games_from_positions() {
    let (_process, address) = Process::server(&[]);
    let mut peer = Peer::connect(address);
    let mut setup = Setup::empty(50, Side::Black);
    for (number, side, role) in [
        (1, Side::Black, Role::King),
        (7, Side::Black, Role::Man),
        (12, Side::Black, Role::Man),
        (39, Side::White, Role::Man),
    ] {
        setup.put(number, Piece { side, role }).unwrap();
    }
    for own in Side::BOTH {
        let request =
            meerslag::protocol::dxp::message::GameRequest { start: Some(setup.clone()), ..request(own, 0, Some(40)) };
        peer.play::<International>(&request, &mut Rng::new(3));
    }
}

#[test]
fn games_on_the_small_board() {
    // The program is set to the usual game; the position tells the board.
    let (process, address) = Process::server(&[]);
    let mut peer = Peer::connect(address);
    let start = meerslag::board::Position::<Brazilian>::start().setup();
    for own in Side::BOTH {
        let request =
            meerslag::protocol::dxp::message::GameRequest { start: Some(start.clone()), ..request(own, 0, None) };
        let (reason, _) = peer.play::<Brazilian>(&request, &mut Rng::new(4));
        assert_eq!(reason, Reason::Lost, "against random moves");
    }
    process.line("game 2 against Tester: brazilian, Black");
    short_game::<International>(&mut peer);
}

#[test]
fn other_variants_are_configured() {
    let (_process, address) = Process::server(&["--variant", "frisian"]);
    let mut peer = Peer::connect(address);
    let (reason, _) = peer.play::<Frisian>(&request(Side::Black, 0, None), &mut Rng::new(5));
    assert!(matches!(reason, Reason::Lost | Reason::Draw), "{reason:?}");
}

#[test]
fn every_parameter_of_the_engine_is_accepted() {
    let values: Vec<String> =
        PARAMS.iter().map(|info| format!("--{}={}", info.name, info.value(&Params::default()))).collect();
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    let (_process, address) = Process::server(&values);
    short_game::<International>(&mut Peer::connect(address));
}
