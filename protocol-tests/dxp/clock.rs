//! Nobody takes longer than it has, as the other side measures it: from what it has sent to what comes.

use std::net::TcpListener;
use std::time::Duration;

use meerslag::board::Side;
use meerslag::protocol::dxp::message::GameRequest;
use meerslag::util::rng::Rng;
use meerslag::variant::International;

use crate::peer::{Peer, request};
use crate::process::Process;

/// What a busy machine may add to a game and to each of its moves, since the other tests run at the same time.
const BUSY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_millis(30));

/// Whether a program that has `time` for `moves` moves used its time, and not more of it than that.
fn keeps_to(time: Duration, moves: u32, waited: Duration) -> bool {
    waited <= time + BUSY.0 + BUSY.1 * moves && waited > time / 10
}

/// Asks a follower for a game; returns how long it has thought, and for how many moves.
fn thought(options: &[&str], request: &GameRequest) -> (Duration, u32) {
    let (_process, address) = Process::server(options);
    let mut peer = Peer::connect(address);
    let (_, plies) = peer.play::<International>(request, &mut Rng::new(31));
    (peer.waited, plies.div_ceil(2) as u32)
}

#[test]
fn a_follower_keeps_to_its_time() {
    // All of the time is for few moves.
    let few = request(Side::White, 6, Some(12));
    let (waited, moves) = thought(&["--ponder"], &few);
    assert!(keeps_to(few.time, moves, waited), "{waited:?} of {:?}", few.time);
    // Or for all the moves of a game.
    let whole = request(Side::Black, 3, None);
    let (waited, moves) = thought(&[], &whole);
    assert!(keeps_to(whole.time, moves, waited), "{waited:?} of {:?}", whole.time);
}

#[test]
fn without_time_a_follower_is_fast() {
    let moves = 20;
    let (waited, _) = thought(&[], &request(Side::White, 0, Some(moves)));
    // It takes a tenth of that.
    assert!(waited <= Duration::from_millis(500) * moves, "{waited:?} for {moves} moves");
}

#[test]
fn an_initiator_keeps_to_its_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let terms = ["--games=2", "--minutes=0.05", "--moves=12", "--openings=start", "--ponder"];
    let process = Process::start(&[&["--connect", &address], &terms[..]].concat());
    let mut peer = Peer::accept(&listener);
    for seed in [32, 33] {
        // The last move may need all that is left, to the last millisecond.
        let request = peer.follow::<International>(11, &mut Rng::new(seed));
        assert_eq!((request.time, request.moves), (Duration::from_secs(3), Some(12)));
        assert!(keeps_to(request.time, 11, peer.waited), "{:?}", peer.waited);
    }
    let (status, errors) = process.end();
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}
