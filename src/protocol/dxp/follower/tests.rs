mod rig;

use std::time::Duration;

use self::rig::{PATIENCE, Rig, answer, request, request_from};
use super::*;
use crate::search::Done;

const SECOND: Duration = Duration::from_secs(1);
const CONFIRM_WAIT: Duration = Duration::from_secs(3);

/// Moves as they arrive, without the time in them, which differs from run to run.
fn untimed(sent: &[String]) -> Vec<String> {
    let without_time = |text: &String| if text.starts_with('M') { format!("M{}", &text[5..]) } else { text.clone() };
    sent.iter().map(without_time).collect()
}

fn tally(rig: &Rig) -> String {
    rig.follower.tally().to_string()
}

#[test]
fn plays_both_colors() {
    let mut white = Rig::new(Params::default());
    white.plays(&["32-28", "28x19"]);
    assert_eq!(untimed(&white.hear(&request('W'))), [answer('0'), "M322800".into()]);
    assert_eq!(untimed(&white.hear("M0003192300")), ["M28190123"]);
    assert_eq!(white.calls(), ["create normal", "new-game", "Think 299s/Some(75)", "Think 299s/Some(74) 32-28 19-23",]);
    let mut black = Rig::new(Params::default());
    black.plays(&["19-23"]);
    assert_eq!(black.hear(&request('Z')), [answer('0')]);
    assert_eq!(untimed(&black.hear("M0003322800")), ["M192300"]);
}

#[test]
fn plays_from_positions() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["7-12"]);
    // Black to move first, and that is the follower.
    let sent = rig.hear(&request_from('Z', "005000", 'Z', 50, "z7 w40"));
    assert_eq!(untimed(&sent), [answer('0'), "M071200".into()]);
    assert_eq!(rig.calls().last().unwrap(), "Think 299s/None");
    rig.plays(&["12-17"]);
    assert_eq!(untimed(&rig.hear("M0000403500")), ["M121700"]);
}

#[test]
fn refusals_have_the_right_code_and_say_why() {
    let mut rig = Rig::new(Params::default());
    for (text, code, reason) in [
        (request('W').replacen("R01", "R02", 1), '1', "Cversion `02` is not supported, only 01 is"),
        (request_from('W', "005075", 'W', 50, "w1 z7"), '2', "Cbad position: the White man on 1 stands on its"),
        (request_from('W', "005075", 'W', 50, "z7"), '2', "Cthe game is over: White has no pieces"),
        (request_from('W', "005075", 'W', 72, "w40 z7"), '2', "Cbad position: no game has such a board"),
        (request_from('W', "005075", 'W', 49, "w40 z7"), '2', "Cno board has 49 squares"),
        ("R01too short".into(), '2', "C12 characters are no request"),
        (request('Q'), '2', "Cside `Q` cannot be read"),
    ] {
        let sent = rig.hear(&text);
        assert_eq!(sent.len(), 2, "{text}: {sent:?}");
        assert_eq!(sent[0], answer(code), "{text}");
        assert!(sent[1].starts_with(reason), "{text}: {}", sent[1]);
    }
    assert!(rig.calls().is_empty() && !rig.follower.is_playing());
    assert_eq!(rig.hear(&request('Z')), [answer('0')], "a refusal is not the end");
}

#[test]
fn a_new_request_ends_the_game() {
    let mut rig = Rig::game('W', &[]);
    rig.calls();
    rig.news();
    // It is thinking.
    assert_eq!(rig.hear(&request('Z')), [answer('0')]);
    assert_eq!(rig.calls(), ["stop", "new-game"]);
    let news = rig.news();
    assert!(news[0].starts_with("game 1 against Test 1.0: not finished (another game was asked for)"), "{news:?}");
    assert!(rig.follower.is_playing());
}

#[test]
fn a_bad_request_leaves_the_game_alone() {
    let mut rig = Rig::game('Z', &["19-23"]);
    assert_eq!(rig.hear(&request('Q'))[0], answer('2'));
    assert_eq!(untimed(&rig.hear("M0003322800")), ["M192300"]);
}

#[test]
fn the_end_told_by_the_peer_is_confirmed_once() {
    let mut rig = Rig::game('Z', &[]);
    assert_eq!(rig.hear("E10"), ["E00"]);
    assert_eq!(tally(&rig), "1 won, 0 drawn, 0 lost");
    assert!(rig.hear("E00").is_empty(), "an echo is not echoed");
    // During its own search as well.
    rig.hear(&request('W'));
    assert_eq!(rig.hear("E20"), ["E00"]);
    assert_eq!((rig.calls().last().unwrap().as_str(), tally(&rig).as_str()), ("stop", "1 won, 1 drawn, 0 lost"));
    rig.hear(&request('Z'));
    assert_eq!(rig.hear("E31"), ["E01"]);
    assert!(rig.follower.is_left());
    assert_eq!(rig.wait(100 * SECOND), (Flow::Continue, vec![]), "the peer hangs up, or changes its mind");
    assert_eq!(rig.hear(&request('Z')), [answer('0')]);
    assert!(!rig.follower.is_left());
}

/// Black, the follower, cannot move any more after 42-37.
const NEARLY_BLOCKED: &str = "z26 w31 w42";

#[test]
fn without_moves_it_says_that_it_lost() {
    for confirmation in ["E00", "E11", "E30", "e1"] {
        let mut rig = Rig::new(Params::default());
        rig.hear(&request_from('Z', "005075", 'W', 50, NEARLY_BLOCKED));
        assert_eq!(rig.hear("M0001423700"), ["E10"]);
        assert_eq!(tally(&rig), "0 won, 0 drawn, 1 lost");
        assert!(rig.hear(confirmation).is_empty(), "a confirmation is not confirmed");
        assert!(rig.hear(confirmation).is_empty(), "nor a second one");
        assert_eq!(rig.hear(&request('Z')), [answer('0')]);
    }
}

#[test]
fn a_missing_confirmation_does_not_matter() {
    let mut rig = Rig::new(Params::default());
    rig.hear(&request_from('Z', "005075", 'W', 50, NEARLY_BLOCKED));
    assert_eq!(rig.hear("M0001423700"), ["E10"]);
    assert_eq!(rig.wait(CONFIRM_WAIT), (Flow::Continue, vec![]));
    assert!(rig.hear("E00").is_empty(), "too late");
    rig.hear(&request_from('Z', "005075", 'W', 50, NEARLY_BLOCKED));
    assert_eq!(rig.hear("M0001423700"), ["E10"]);
    assert_eq!(rig.hear(&request('Z')), [answer('0')], "the next request will do");
    assert_eq!(tally(&rig), "0 won, 0 drawn, 2 lost");
}

#[test]
fn the_winner_waits() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["5-10"]);
    // The white man is blocked after that.
    let sent = rig.hear(&request_from('Z', "005075", 'Z', 50, "z5 z4 w15 z9"));
    assert_eq!(untimed(&sent), [answer('0'), "M051000".into()]);
    assert_eq!(rig.wait(SECOND), (Flow::Continue, vec![]));
    assert_eq!(rig.hear("E10"), ["E00"]);
    assert_eq!(tally(&rig), "1 won, 0 drawn, 0 lost");
}

#[test]
fn a_win_on_the_board_counts_whatever_is_said() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["5-10"]);
    rig.hear(&request_from('Z', "005075", 'Z', 50, "z5 z4 w15 z9"));
    assert_eq!(rig.hear("E30"), ["E00"]);
    assert_eq!(tally(&rig), "1 won, 0 drawn, 0 lost");
}

#[test]
fn the_move_limit_ends_the_game_at_the_own_turn() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["32-28"]);
    rig.hear(&request('W').replacen("005075", "005001", 1));
    assert_eq!(rig.hear("M0000182200"), ["E00"]);
    assert_eq!(tally(&rig), "0 won, 0 drawn, 0 lost, 1 not finished");
}

fn info(score: Score) -> Event {
    let chances = crate::eval::chances::Chances::default();
    let (time, pv) = (SECOND, Vec::new());
    let (depth, mean_depth, nodes, hits) = (1, 1.0, 1, 0);
    Event::Info(crate::search::Info { line: 1, depth, mean_depth, score, chances, nodes, hits, time, pv })
}

#[test]
fn what_is_certain_is_claimed_at_the_move_limit() {
    // The answer may have thrown away what was won.
    for (score, end) in [(Score::win_in(5), "E30"), (Score::loss_in(4), "E00")] {
        let mut rig = Rig::new(Params::default());
        rig.hear(&request('W').replacen("005075", "005001", 1));
        let mut sent = rig::Sent(Vec::new());
        let best = "32-28".parse().ok();
        rig.follower.event(info(score), &mut sent).unwrap();
        rig.follower.event(Event::Done(Done { best, ponder: None }), &mut sent).unwrap();
        assert_eq!(rig.hear("M0000182200"), [end]);
    }
}

#[test]
fn a_position_that_came_for_the_third_time_is_a_draw() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["45-50", "50-45", "45-50", "50-45"]);
    rig.hear(&request_from('W', "005075", 'W', 50, "W45 w46 Z6 z35"));
    let mut sent = Vec::new();
    for mv in ["M0000060100", "M0000010600", "M0000060100", "M0000010600"] {
        sent = untimed(&rig.hear(mv));
    }
    assert_eq!(sent, ["E20"]);
    assert_eq!(tally(&rig), "0 won, 1 drawn, 0 lost");
}

#[test]
fn going_back_during_its_own_search() {
    let mut rig = Rig::game('W', &["32-28"]);
    rig.hear("M0003192300");
    rig.calls();
    // It is thinking on its second move.
    assert_eq!(rig.hear("B001Z"), ["K0"]);
    assert_eq!(rig.calls(), ["stop"]);
    rig.plays(&["37-32"]);
    assert_eq!(untimed(&rig.hear("M0003182300")).len(), 1, "the other move of the peer");
    assert_eq!(rig.calls(), ["Think 299s/Some(74) 32-28 18-23"]);
}

#[test]
fn going_back_to_its_own_move() {
    let mut rig = Rig::game('W', &["32-28"]);
    rig.hear("M0003192300");
    rig.plays(&["33-28"]);
    assert_eq!(untimed(&rig.hear("B001W")), ["K0", "M332800"]);
    assert_eq!(rig.calls().last().unwrap(), "Think 299s/Some(75)", "with the time of that moment");
}

#[test]
fn going_back_counts_from_the_first_move() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["7-12"]);
    rig.hear(&request_from('Z', "005075", 'Z', 50, "z7 w40"));
    rig.hear("M0000403500");
    assert_eq!(rig.hear("B001W"), ["K2"], "Black began");
    assert_eq!(rig.hear("B002W"), ["K0"], "White's first move");
    rig.plays(&["12-17"]);
    assert_eq!(untimed(&rig.hear("M0000403400")), ["M121700"]);
}

#[test]
fn going_back_after_the_end() {
    let mut rig = Rig::game('Z', &["19-23"]);
    rig.hear("M0003322800");
    assert_eq!(rig.hear("E10"), ["E00"]);
    assert_eq!(tally(&rig), "1 won, 0 drawn, 0 lost");
    assert_eq!(rig.hear("B002W"), ["K0"]);
    assert_eq!((tally(&rig).as_str(), rig.follower.is_playing()), ("0 won, 0 drawn, 0 lost", true));
    rig.plays(&["14x23"]);
    assert_eq!(untimed(&rig.hear("M000028190123")), ["M14230119"]);
}

#[test]
fn where_there_is_nothing_to_go_back_to() {
    let mut rig = Rig::new(Params::default());
    assert_eq!(rig.hear("B001W"), ["K2"], "no game");
    rig.plays(&["32-28"]);
    rig.hear(&request('W'));
    for text in ["B000W", "B000Z", "B002W", "B999Z"] {
        assert_eq!(rig.hear(text), ["K2"], "{text}");
    }
    rig.plays(&["28x19"]);
    assert_eq!(untimed(&rig.hear("M0003192300")), ["M28190123"], "the game goes on");
}

#[test]
fn an_illegal_move_may_be_corrected() {
    let mut rig = Rig::game('Z', &["19-23"]);
    assert_eq!(rig.hear("M0003322600"), ["Cillegal move `32-26`"]);
    assert_eq!(rig.wait(SECOND), (Flow::Continue, vec![]));
    assert_eq!(untimed(&rig.hear("M0003322800")), ["M192300"]);
    // Another one much later is another first one.
    assert_eq!(rig.hear("M0003xx2700").len(), 1);
    assert_eq!(rig.wait(CORRECTION), (Flow::Continue, vec!["E00".into()]));
}

#[test]
fn a_second_illegal_move_ends_the_game() {
    let mut rig = Rig::game('Z', &[]);
    assert_eq!(rig.hear("M0003322600").len(), 1);
    let sent = rig.hear("M0003322600");
    assert_eq!((sent.len(), sent[1].as_str()), (2, "E00"));
    assert_eq!(tally(&rig), "0 won, 0 drawn, 0 lost, 1 not finished");
}

#[test]
fn messages_at_the_wrong_time() {
    let mut rig = Rig::new(Params::default());
    assert_eq!(rig.hear("M0003322800"), ["C32-28: no game is on"]);
    for silent in ["E10", "E01", "K0", "A0", "Chello", "", "X", "E9", "Bxxxx", "Mxxxx"] {
        assert_eq!(rig.hear(silent), [""; 0], "{silent}");
    }
    rig.hear(&request('W'));
    assert_eq!(rig.hear("M0003322800"), ["C32-28: it is not your turn"]);
    for silent in ["K0", "A0", "Chello", "", "X", "E", "Bxxxx", "Mxxxx"] {
        assert_eq!(rig.hear(silent), [""; 0], "{silent}");
    }
    assert!(rig.follower.is_playing() && rig.calls().last().unwrap().starts_with("Think"));
}

#[test]
fn chat_is_told_and_nothing_else() {
    let mut rig = Rig::game('W', &[]);
    rig.news();
    rig.calls();
    assert_eq!(rig.hear("Cconsole quit"), [""; 0]);
    assert_eq!(rig.news(), ["Test 1.0: console quit"]);
    assert!(rig.calls().is_empty() && rig.follower.is_playing());
}

fn pondering(moves: &[&str]) -> Rig {
    let mut rig = Rig::new(Params { ponder: true, ..Params::default() });
    rig.plays(moves);
    rig.hear(&request('W'));
    rig
}

#[test]
fn a_hit_saves_time() {
    let mut rig = pondering(&["32-28 19-23", "28x19"]);
    assert_eq!(rig.calls()[2..], ["Think 299s/Some(75)", "Ponder 299s/Some(74) 32-28 19-23"]);
    assert_eq!(untimed(&rig.hear("M0003192300")), ["M28190123"]);
    assert_eq!(rig.calls(), ["hit"]);
}

#[test]
fn a_move_is_shown_with_the_score_of_its_search() {
    let shown = |reply: &str, answer: &str| {
        let mut rig = pondering(&["32-28 19-23", answer]);
        rig.follower.event(info(Score::eval(150)), &mut rig::Sent(Vec::new())).unwrap();
        rig.news();
        rig.hear(reply);
        rig.news().pop().unwrap()
    };
    // A hit: the search went on.
    assert!(shown("M0003192300", "28x19").contains("28x19  (+1.50, "));
    // A miss: the search that made the move has told nothing.
    assert!(shown("M0003182300", "37-32").ends_with(" 37-32"));
}

#[test]
fn a_miss_costs_nothing() {
    let mut rig = pondering(&["32-28 19-23", "37-32"]);
    rig.calls();
    assert_eq!(untimed(&rig.hear("M0003182200")).len(), 1);
    assert_eq!(rig.calls(), ["stop", "Think 299s/Some(74) 32-28 18-22"]);
}

#[test]
fn pondering_ends_with_the_game() {
    for (message, answers) in [("E10", vec!["E00"]), ("B001W", vec!["K0"])] {
        let mut rig = pondering(&["32-28 19-23"]);
        rig.calls();
        assert_eq!(rig.hear(message), answers);
        assert_eq!(rig.calls()[0], "stop", "{message}");
    }
    let mut rig = pondering(&["32-28 19-23"]);
    rig.calls();
    rig.follower.disconnected();
    assert_eq!(rig.calls(), ["stop"]);
    // An illegal move is none: it thinks on.
    let mut rig = pondering(&["32-28 19-23", "28x19"]);
    rig.calls();
    assert_eq!(rig.hear("M0003192900").len(), 1);
    assert!(rig.calls().is_empty());
    rig.hear("M0003192300");
    assert_eq!(rig.calls(), ["hit"]);
}

#[test]
fn nothing_to_ponder_on() {
    for (terms, pieces, moves, ponders) in [
        ("005075", "z7 w40", "7-12 40-35", true),
        // No move is left to make.
        ("005001", "z7 w40", "7-12 40-35", false),
        // The game is over.
        ("005075", "z7 w18", "7-12 18x7", false),
    ] {
        let mut rig = Rig::new(Params { ponder: true, ..Params::default() });
        rig.plays(&[moves]);
        rig.hear(&request_from('Z', terms, 'Z', 50, pieces));
        let pondered = rig.calls().iter().any(|call| call.starts_with("Ponder"));
        assert_eq!(pondered, ponders, "{terms} {pieces}");
    }
}

#[test]
fn no_time_is_no_clock() {
    let mut rig = Rig::new(Params::default());
    rig.hear(&request('W').replacen("005075", "000000", 1));
    assert_eq!(rig.calls().last().unwrap(), "Think 50ms");
    rig.hear(&request('W').replacen("005075", ".05075", 1));
    assert_eq!(rig.calls().last().unwrap(), "Think 3s/Some(75)");
}

#[test]
fn silence_has_an_end() {
    let mut rig = Rig::new(Params::default());
    assert_eq!(rig.wait(PATIENCE / 2).0, Flow::Continue);
    assert_eq!(rig.wait(PATIENCE).0, Flow::Leave);
    // A peer may think for all of its 5 minutes.
    rig.hear(&request('Z'));
    assert_eq!(rig.wait(PATIENCE + 299 * SECOND).0, Flow::Continue);
    assert_eq!(rig.wait(PATIENCE + 301 * SECOND).0, Flow::Leave);
    // It is the follower that thinks.
    rig.hear(&request('W'));
    assert_eq!(rig.wait(PATIENCE + 301 * SECOND).0, Flow::Continue);
}

#[test]
fn a_peer_is_overdue_when_its_time_is_up() {
    let mut rig = Rig::new(Params::default());
    let overdue = |rig: &Rig, seconds| rig.follower.is_overdue(Instant::now() + seconds * SECOND);
    rig.hear(&request('Z'));
    assert!(!overdue(&rig, 359) && overdue(&rig, 361));
    // It is the follower that thinks.
    rig.hear("M0003322800");
    assert!(!overdue(&rig, 361));
}

#[test]
fn the_position_tells_the_board() {
    let mut rig = Rig::new(Params::default());
    rig.plays(&["21-17"]);
    let pieces: String =
        (1..13).map(|square| format!("z{square} ")).chain((21..33).map(|square| format!("w{square} "))).collect();
    let small = request_from('W', "005075", 'W', 32, &pieces);
    assert_eq!(untimed(&rig.hear(&small)), [answer('0'), "M211700".into()]);
    assert_eq!(rig.calls(), ["create brazilian", "new-game", "Think 299s/Some(75)"]);
    // The peer counts from the bottom, which shows when it opens; then it is known.
    let other = small.replacen("W005", "Z005", 1);
    rig.plays(&["12-16"]);
    rig.hear(&other);
    assert_eq!(untimed(&rig.hear("M0000091300")), ["M242000"]);
    rig.plays(&["21-17"]);
    assert_eq!(untimed(&rig.hear(&small)), [answer('0'), "M091300".into()]);
    // From the start means the game that was configured.
    rig.hear(&request('Z'));
    assert!(rig.calls().contains(&"create normal".to_string()));
}

#[test]
fn scores_are_kept_by_opponent() {
    let mut rig = Rig::game('Z', &[]);
    rig.hear("E10");
    rig.follower.connected();
    rig.hear(&request('Z'));
    rig.hear("E20");
    assert_eq!(tally(&rig), "1 won, 1 drawn, 0 lost");
    rig.hear(&request('Z').replacen("Test 1.0", "Test 2.0", 1));
    assert_eq!(tally(&rig), "0 won, 0 drawn, 0 lost");
}

#[test]
fn without_an_engine_there_is_no_game() {
    let create =
        |_: &Params, _: Sender<Event>| -> io::Result<Box<dyn EngineHandle>> { Err(io::ErrorKind::OutOfMemory.into()) };
    let mut follower = Follower::new(Params::default(), PATIENCE, create);
    assert!(follower.prepare().is_err());
    follower.connected();
    let mut sent = rig::Sent(Vec::new());
    let message = Message::decode(request('W').as_bytes());
    follower.receive(Received { at: Instant::now(), message }, &mut sent).unwrap();
    assert_eq!(sent.0, [answer('2'), "Cno engine: out of memory".into()]);
}
