//! A follower that is gone at any time, as the initiator sees it: the game may be lost, the next one is played.

use std::net::TcpListener;

use crate::matches::{accept_any as accept, ends, expect, farewell, play};
use crate::peer::Peer;

/// A game that ends with the first moves: after the second one nobody wins.
const SHORT: &str = "move-limit = 1\nat-move-limit = 'draw'";
/// Black is lost after White's first move.
const LOST: &str = "openings = 'fen:W:W31,42:B26'";

/// A state of the dialogue: its name, the settings of the match, how a follower that plays Black gets there, and how the
/// game ends when it is gone then.
type State = (&'static str, &'static str, fn(&mut Peer), &'static str);

const STATES: [State; 8] = [
    ("accepted", "", accept, "crash"),
    (
        "on move",
        "",
        |peer| {
            accept(peer);
            expect(peer, "M");
        },
        "crash",
    ),
    (
        "within its move",
        "",
        |peer| {
            accept(peer);
            expect(peer, "M");
            assert!(peer.send_bytes(b"M00001"));
        },
        "crash",
    ),
    (
        "the other side thinks",
        "",
        |peer| {
            accept(peer);
            expect(peer, "M");
            peer.send(&["M0000192300"]);
        },
        "crash",
    ),
    (
        "it is to tell the end",
        LOST,
        |peer| {
            accept(peer);
            expect(peer, "M");
        },
        "rule",
    ),
    (
        "the end is about to be told",
        SHORT,
        |peer| {
            accept(peer);
            expect(peer, "M");
            peer.send(&["M0000192300"]);
        },
        "move-limit",
    ),
    (
        "the end was told",
        SHORT,
        |peer| {
            accept(peer);
            expect(peer, "M");
            peer.send(&["M0000192300"]);
            expect(peer, "E20");
        },
        "move-limit",
    ),
    (
        "between two games",
        SHORT,
        |peer| {
            accept(peer);
            expect(peer, "M");
            peer.send(&["M0000192300"]);
            expect(peer, "E20");
            peer.send(&["E00"]);
        },
        "move-limit",
    ),
];

/// Gives up the game that it is asked for, and expects no further one.
fn last_game(listener: &TcpListener) {
    let mut peer = Peer::accept(listener);
    accept(&mut peer);
    peer.send(&["E10"]);
    expect(&mut peer, "E00");
    farewell(&mut peer);
}

#[test]
fn a_follower_may_be_gone_at_any_time() {
    for (state, settings, reach, end) in STATES {
        println!("{state}");
        let outcomes = play(settings, move |listener| {
            reach(&mut Peer::accept(listener));
            last_game(listener);
        });
        assert_eq!((ends(&outcomes)[0].0, ends(&outcomes)[1]), (end, ("conceded", Some(0))), "{state}");
    }
}

#[test]
fn a_follower_may_be_gone_before_it_answers() {
    // The first time, that may be the end of a connection that was of no use any more.
    let outcomes = play("", |listener| {
        for answer in ["", "AProg"] {
            let mut peer = Peer::accept(listener);
            expect(&mut peer, "R01");
            assert!(peer.send_bytes(answer.as_bytes()));
        }
        last_game(listener);
    });
    assert_eq!(ends(&outcomes), [("crash", Some(0)), ("conceded", Some(0))]);
}
