//! Programs of every kind as players of a match. The engine is White in the first game, Black in the second.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use meerslag::tournament::Stop;
use meerslag::tournament::config::Config;
use meerslag::tournament::runner::{Finish, Match};
use meerslag::tournament::standings::{Outcome, Standings};
use meerslag::variant::International;

use crate::peer::Peer;

/// Plays two games against what `program` does with its connections; returns their outcomes.
pub fn play(settings: &str, program: impl FnOnce(&TcpListener) + Send + 'static) -> Vec<Outcome> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let program = thread::spawn(move || program(&listener));
    let outcomes = play_against(&address.to_string(), settings, &mut |text| panic!("{text}"));
    program.join().unwrap();
    outcomes
}

/// How long a program is waited for that has gone.
pub const RETRY: Duration = Duration::from_secs(4);

/// Plays two games, or those of the settings, against a program that is met so; `tell` gets what there is to tell while
/// it is waited for.
pub fn play_against(meeting: &str, settings: &str, tell: &mut dyn FnMut(&str)) -> Vec<Outcome> {
    let openings = if settings.contains("openings") { "" } else { "openings = 'start'" };
    let games = if settings.contains("games") { "" } else { "games = 2" };
    let retry = RETRY.as_secs();
    let text = format!(
        "{games}\n{openings}\n{settings}\n[[player]]\nname = 'engine'\nnodes = 50\n\
         params = {{ hash = 1 }}\n[[player]]\nname = 'program'\ndxp = '{meeting}'\nretry = {retry}\n\
         clock = '60'\n"
    );
    let stop = Stop::default();
    let the_match = Match::<International>::new(Config::from_toml(&text).unwrap().completed().unwrap(), &stop).unwrap();
    let players = the_match.start(&stop, tell).unwrap();
    let (mut standings, mut outcomes) = (Standings::new(2), Vec::new());
    let finish = the_match.run(players, &mut standings, &stop, &mut |_, outcome, _| {
        outcomes.push(outcome.clone());
        Ok(())
    });
    assert!(matches!(finish, Ok(Finish::Complete)), "{finish:?}");
    outcomes
}

pub fn ends(outcomes: &[Outcome]) -> Vec<(&str, Option<usize>)> {
    outcomes.iter().map(|outcome| (outcome.end.as_str(), outcome.winner)).collect()
}

/// Accepts the request that comes.
pub fn accept_any(peer: &mut Peer) {
    expect(peer, "R01");
    peer.send(&["AProgram                         0"]);
}

/// Accepts the next request, which must ask it to play this color.
fn accept(peer: &mut Peer, color: char) {
    let request = peer.expect().encode();
    assert_eq!((&request[..3], request.chars().nth(35), &request[36..]), ("R01", Some(color), "001000A"));
    peer.send(&["AProgram                         0"]);
}

/// Expects a message that begins so.
pub fn expect(peer: &mut Peer, begin: &str) {
    let text = peer.expect().encode();
    assert!(text.starts_with(begin), "{text} in place of {begin}");
}

/// Gives up the game from the start in which it plays White, and expects no further one.
fn give_up(peer: &mut Peer) {
    accept(peer, 'W');
    peer.send(&["E10"]);
    expect(peer, "E00");
}

pub fn farewell(peer: &mut Peer) {
    expect(peer, "E01");
    assert_eq!(peer.receive(), None);
}

#[test]
fn a_refusal_is_a_lost_game() {
    let outcomes = play("", |listener| {
        let mut peer = Peer::accept(listener);
        expect(&mut peer, "R01");
        peer.send(&["AProgram                         2", "Cnot now"]);
        give_up(&mut peer);
        farewell(&mut peer);
    });
    assert_eq!(ends(&outcomes), [("refused", Some(0)), ("conceded", Some(0))]);
    assert!(outcomes[0].reason.ends_with("it does not play this one: not now"), "{}", outcomes[0].reason);
}

#[test]
fn an_illegal_move_is_told_and_lost() {
    let outcomes = play("", |listener| {
        let mut peer = Peer::accept(listener);
        accept(&mut peer, 'Z');
        expect(&mut peer, "M");
        peer.send(&["M0000010600"]);
        assert_eq!(peer.receive().as_deref(), Some("Cillegal move `1-6`"));
        expect(&mut peer, "E30");
        assert_eq!(peer.receive(), None);
        give_up(&mut Peer::accept(listener));
    });
    assert_eq!(ends(&outcomes), [("illegal-move", Some(0)), ("conceded", Some(0))]);
}

#[test]
fn a_drop_is_a_lost_game_and_garbage_is_another() {
    let outcomes = play("", |listener| {
        let mut peer = Peer::accept(listener);
        accept(&mut peer, 'Z');
        expect(&mut peer, "M");
        drop(peer);
        let mut peer = Peer::accept(listener);
        accept(&mut peer, 'W');
        peer.send(&["M0000xx2800"]);
        expect(&mut peer, "E30");
    });
    assert_eq!(ends(&outcomes), [("crash", Some(0)), ("garbage", Some(0))]);
}

#[test]
fn silence_is_a_lost_game() {
    let outcomes = play("hang = 0.2", |listener| {
        // It answers nothing, and is called again.
        let mut peer = Peer::accept(listener);
        expect(&mut peer, "R01");
        assert_eq!(peer.receive(), None);
        let mut peer = Peer::accept(listener);
        expect(&mut peer, "R01");
        assert_eq!(peer.receive(), None);
    });
    assert_eq!(ends(&outcomes), [("hang", Some(0)), ("hang", Some(0))]);
}

#[test]
fn moves_are_not_taken_back_and_draws_not_refused() {
    let outcomes = play("", |listener| {
        let mut peer = Peer::accept(listener);
        peer.send(&["Chello", "X", "K0"]);
        accept(&mut peer, 'Z');
        peer.send(&["B001W"]);
        let mut answers = [peer.expect().encode(), peer.expect().encode()];
        answers.sort();
        assert!(answers[0] == "K2" && answers[1].starts_with('M'), "{answers:?}");
        peer.send(&["E21"]);
        expect(&mut peer, "E01");
        accept(&mut peer, 'W');
        peer.send(&["E00"]);
        expect(&mut peer, "E00");
    });
    assert_eq!(ends(&outcomes), [("draw-claim", None), ("garbage", Some(0))]);
    assert!(outcomes[1].reason.contains("`E00: the game is not over`"), "{}", outcomes[1].reason);
}

#[test]
fn games_end_in_every_dialect() {
    let outcomes = play("move-limit = 1\nat-move-limit = 'draw'", |listener| {
        let mut peer = Peer::accept(listener);
        let request = peer.expect().encode();
        assert_eq!(&request[35..], "Z001001A");
        peer.send(&["AProgram                         0"]);
        expect(&mut peer, "M");
        // After its move the game is over; it confirms with the reason and another code, and hangs up.
        peer.send(&["M0000192300"]);
        expect(&mut peer, "E20");
        peer.send(&["E21"]);
        drop(peer);
        let mut peer = Peer::accept(listener);
        expect(&mut peer, "R01");
        peer.send(&["AProgram                         0", "M0000322800"]);
        expect(&mut peer, "M");
        // It plays on behind the limit, and never confirms.
        peer.send(&["M0000312700"]);
        expect(&mut peer, "E20");
        farewell(&mut peer);
    });
    assert_eq!(ends(&outcomes), [("move-limit", None), ("move-limit", None)]);
}
