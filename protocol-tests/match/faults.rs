//! Every fault loses the game, is counted as what it is, and the match goes on.

use std::thread;
use std::time::{Duration, Instant};

use meerslag::tournament::Stop;
use meerslag::tournament::fault::FAULT_KINDS;
use meerslag::tournament::runner::{Finish, Match, MatchError};
use meerslag::tournament::standings::Standings;
use meerslag::variant::International;

use super::{Result, config, fake, play};

/// A match of four games between an engine with a fault and a sound one; neither takes long.
fn with_fault(fault: &str, more: &str) -> std::result::Result<Result, MatchError> {
    play::<International>(&format!(
        "games = 4\nconcurrency = 2\ntime = 0.1\nhang = 1.5\nmargin = 0.2\nopenings = 'start'\n{more}\n{}\n\
         [[player]]\nname = 'sound'\ndepth = 2",
        fake::player("fake", fault)
    ))
}

/// All four games are lost by this kind of fault, in these words.
fn loses_by(fault: &str, kind: &str, words: &str) {
    let result = with_fault(fault, "").unwrap();
    assert_eq!(result.finish, Finish::Complete);
    let [fake, sound] = &result.standings.scores[..] else { panic!("two players") };
    let counted: Vec<_> = FAULT_KINDS.iter().zip(fake.faults).filter(|(_, count)| *count > 0).collect();
    assert_eq!(counted, [(&kind, 4)], "{fault}");
    assert_eq!((fake.games, sound.games, sound.faults), ([4, 0, 0], [0, 0, 4], [0; 6]));
    assert_eq!(fake.pairs, [2, 0, 0, 0, 0]);
    for outcome in &result.outcomes {
        assert!(outcome.reason.contains(words), "{}", outcome.reason);
        assert_eq!((outcome.winner, outcome.fault_of, outcome.end.as_str()), (Some(1), Some(0), kind));
        // Two good moves, and one more of the other side if that was White.
        assert_eq!(outcome.plies, if outcome.white == 0 { 4 } else { 5 });
    }
}

#[test]
fn a_crash() {
    loses_by("crash", "crash", "the process ended (exit status: 7)");
}

#[test]
fn a_hang() {
    let started = Instant::now();
    loses_by("hang", "hang", "gave no answer for 1.6 s");
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn an_illegal_move() {
    loses_by("illegal", "illegal-move", "played the illegal move `1-50`");
}

#[test]
fn a_move_that_is_none() {
    loses_by("garbage", "garbage", "`banana`");
    loses_by("nothing", "garbage", "`done`");
}

#[test]
fn noise_without_an_answer() {
    loses_by("noise", "garbage", "`lorem ipsum = = dolor`");
}

#[test]
fn a_line_without_an_end() {
    loses_by("flood", "hang", "gave no answer");
}

#[test]
fn lines_without_an_end() {
    loses_by("chatters", "hang", "gave no answer for 1.6 s");
}

#[test]
fn a_program_that_does_not_leave_is_ended() {
    let started = Instant::now();
    let result = with_fault("stays", "move-limit = 5").unwrap();
    assert_eq!((result.finish, result.standings.scores[0].faults), (Finish::Complete, [0; 6]));
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Three seconds without a limit of time, and longer than the silence that counts as hung.
#[test]
fn a_long_search_that_tells_so_is_not_hung() {
    let fake = fake::player("fake", "thinks");
    let text =
        format!("games = 2\nnodes = 9\nhang = 2\nmove-limit = 3\nopenings = 'start'\n{fake}[[player]]\nname = 'sound'");
    let result = play::<International>(&text).unwrap();
    assert_eq!(result.standings.scores[0].faults, [0; 6], "{:?}", result.outcomes);
    assert!(result.outcomes.iter().all(|outcome| outcome.efforts.iter().any(|effort| effort.seconds > 2.9)));
}

fn scratch(name: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-faults-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

/// Told to stop in the middle of a search, an engine answers and leaves in good order.
#[test]
fn a_stopped_match_ends_its_engines_in_good_order() {
    let notes = scratch("stopped");
    let fake = fake::player_with_notes("fake", "searches", notes.to_str().unwrap());
    let text = format!("games = 2\nconcurrency = 1\nhang = 60\nnodes = 9\n{fake}[[player]]\nname = 'sound'");
    let stop = Stop::default();
    let the_match = Match::<International>::new(config(&text), &stop).unwrap();
    let players = the_match.start(&stop, &mut |_| {}).unwrap();
    let read = || std::fs::read_to_string(&notes).unwrap_or_default();
    let finish = thread::scope(|scope| {
        scope.spawn(|| {
            let started = Instant::now();
            while read().is_empty() && started.elapsed() < Duration::from_secs(30) {
                thread::sleep(Duration::from_millis(20));
            }
            stop.set();
        });
        the_match.run(players, &mut Standings::new(2), &stop, &mut |_, _, _| Ok(()))
    });
    assert_eq!((finish.unwrap(), read().as_str()), (Finish::Stopped, "go\nquit\n"));
}

#[test]
fn an_engine_that_does_not_start_again_ends_the_match() {
    let notes = scratch("once");
    let fake = fake::player_with_notes("fake", "once", notes.to_str().unwrap());
    let text = format!(
        "games = 40\nconcurrency = 1\ntime = 0.1\nmargin = 0.5\nhang = 2\nopenings = 'start'\n{fake}\
         [[player]]\nname = 'sound'\ndepth = 1"
    );
    let error = play::<International>(&text).err().unwrap().to_string();
    assert!(error.contains("player `fake`") && error.contains("exit status: 3"), "{error}");
}

#[test]
fn parameters_that_an_engine_does_not_have() {
    for (params, reason) in [("hsh = 4", "no parameter `hsh`"), ("hash = 100", "`hash` cannot be `100`")] {
        let fake = fake::player("fake", "");
        let error =
            play::<International>(&format!("hang = 5\n{fake}params = {{ {params} }}")).err().unwrap().to_string();
        assert!(error.contains("player `fake`") && error.contains(reason), "{error}");
    }
}

#[test]
fn a_late_move_loses_though_it_is_good() {
    let result = with_fault("late", "").unwrap();
    let fake = &result.standings.scores[0];
    // It is not started again, so in its further games every move is late, the first one already.
    assert_eq!((fake.faults, fake.games), ([4, 0, 0, 0, 0, 0], [4, 0, 0]));
    assert!(result.outcomes.iter().all(|outcome| outcome.reason.contains("lost on time by 0.")));
    assert!(result.outcomes.iter().any(|outcome| outcome.plies < 2));
    let overrun = fake.effort.longest_overrun();
    assert!(overrun >= Duration::from_millis(300) && overrun < Duration::from_secs(2), "{overrun:?}");
}

/// A shell can close its output and live on; this one does so when it is to move.
#[cfg(unix)]
#[test]
fn a_closed_output() {
    let script = "while read -r line; do case $line in hub) echo wait;; init) echo ready;; ping) echo pong;; \
                  go*) exec >&-; exec sleep 60;; esac; done";
    let text = format!(
        "games = 2\nhang = 5\ntime = 0.1\nopenings = 'start'\n\
         [[player]]\nname = 'shell'\ncommand = ['sh', '-c', '{script}']\n[[player]]\nname = 'sound'\ndepth = 2"
    );
    let started = Instant::now();
    let result = play::<International>(&text).unwrap();
    assert_eq!(result.standings.scores[0].faults, [0, 0, 2, 0, 0, 0]);
    assert!(result.outcomes.iter().all(|outcome| outcome.reason.contains("the process closed its output")));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_player_that_never_starts_ends_the_match_before_it_begins() {
    for (player, reason) in [
        (fake::player("broken", "deaf"), "gave no answer"),
        (
            "[[player]]\nname = 'broken'\ncommand = '/nonexistent/engine hub'".into(),
            "cannot start: `/nonexistent/engine`",
        ),
    ] {
        let error = play::<International>(&format!("hang = 0.5\n{player}")).err().unwrap().to_string();
        assert!(error.contains("player `broken`") && error.contains(reason), "{error}");
    }
}

#[test]
fn both_dialects_play_whole_games() {
    let hub1 = fake::player("old", "") + "protocol = 'hub1'\n";
    let text = format!(
        "games = 4\ntime = 1\nopenings = 'random:6'\nmove-limit = 60\n{}{hub1}[[player]]\nname = 'inside'\ndepth = 1",
        fake::player("new", "")
    );
    let result = play::<International>(&text).unwrap();
    assert_eq!((result.finish, result.outcomes.len()), (Finish::Complete, 12));
    assert!(
        result.standings.scores.iter().all(|score| score.faults == [0; 6] && score.played() == 8),
        "{:?}",
        result.outcomes
    );
}
