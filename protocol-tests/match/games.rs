//! Games between engines in process: repeatable, resumable, and stopped by a test.

use std::fs;
use std::path::{Path, PathBuf};

use meerslag::notation::pdn::Reader;
use meerslag::tournament::Stop;
use meerslag::tournament::record::Recorder;
use meerslag::tournament::runner::{Finish, Match};
use meerslag::tournament::sprt::Decision;
use meerslag::tournament::standings::Standings;
use meerslag::variant::{Brazilian, International, Task, Variant, VariantId};

use super::{config, moves, play};

const SMALL: &str = "games = 30\nnodes = 300\n[[player]]\nparams = { hash = 1 }\n[[player]]\nparams = { hash = 1 }";

fn repeats<V: Variant>() {
    let text = format!("variant = '{}'\n{SMALL}", V::ID);
    let one = play::<V>(&format!("concurrency = 1\n{text}")).unwrap();
    let three = play::<V>(&format!("concurrency = 3\n{text}")).unwrap();
    assert_eq!((one.finish, one.games.len()), (Finish::Complete, 30));
    assert_eq!(one.games, three.games);
    let other = play::<V>(&format!("seed = 2\n{text}")).unwrap();
    assert_ne!(one.games, other.games);
    // Equal engines play both games of a pair alike.
    for pair in one.games.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert!(one.standings.scores.iter().all(|score| score.faults == [0; 6] && score.played() == 30));
    assert!(one.standings.scores[0].effort.mean_depth().unwrap() > 2.0);
}

#[test]
fn international_games_repeat() {
    repeats::<International>();
}

#[test]
fn brazilian_games_repeat() {
    repeats::<Brazilian>();
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("games")
}

/// The moves of the games of a file, each with its round.
fn recorded<V: Variant>(out: &Path) -> Vec<(String, String)> {
    let text = fs::read(out.with_extension("pdn")).unwrap();
    let games = Reader::<V, _>::new(&text[..]).map(Result::unwrap);
    games.map(|game| (game.tags.get("Round").unwrap().into(), moves(&game.played().unwrap()))).collect()
}

#[test]
fn a_stopped_match_is_resumed() {
    let whole = play::<International>(SMALL).unwrap();
    let stop = Stop::default();
    let (out, the_match) = (scratch("resume"), Match::<International>::new(config(SMALL), &stop).unwrap());
    let mut standings = Standings::new(2);
    let mut recorder = Recorder::create(&out, &the_match.config).unwrap();
    let finish = the_match.run(
        the_match.start(&stop, &mut |_| {}).unwrap(),
        &mut standings,
        &stop,
        &mut |played, outcome, standings| {
            if standings.games == 7 {
                stop.set();
            }
            Ok(recorder.write(&the_match.config, played, outcome)?)
        },
    );
    assert_eq!(finish.unwrap(), Finish::Stopped);
    // Games that were nearly over may still have come.
    assert!(standings.games >= 7 && standings.games < 30, "{}", standings.games);

    let (mut recorder, outcomes) =
        Recorder::resume(&out, &the_match.config, |number| the_match.planned(number)).unwrap();
    let mut resumed = Standings::new(2);
    outcomes.iter().for_each(|outcome| resumed.add(outcome));
    assert_eq!(resumed, standings);
    let stop = Stop::default();
    let finish =
        the_match.run(the_match.start(&stop, &mut |_| {}).unwrap(), &mut resumed, &stop, &mut |played, outcome, _| {
            Ok(recorder.write(&the_match.config, played, outcome)?)
        });
    assert_eq!(finish.unwrap(), Finish::Complete);
    assert_eq!(resumed.scores[0].games, whole.standings.scores[0].games);
    let expected: Vec<_> = (1..).map(|round: usize| round.to_string()).zip(whole.games).collect();
    assert_eq!(recorded::<International>(&out), expected);
}

/// Plays a pair of games and reads them back from its PDN.
struct Pair;

impl Task for Pair {
    type Output = ();

    fn run<V: Variant>(self) {
        let name = V::ID.to_string();
        let (out, stop) = (scratch(&format!("pair-{name}")), Stop::default());
        let text = format!("variant = '{name}'\ngames = 2\nnodes = 100\nopenings = 'random:4'");
        let the_match = Match::<V>::new(config(&text), &stop).unwrap();
        let mut recorder = Recorder::create(&out, &the_match.config).unwrap();
        let (mut standings, mut games) = (Standings::new(2), Vec::new());
        let players = the_match.start(&stop, &mut |_| {}).unwrap();
        let finish = the_match.run(players, &mut standings, &stop, &mut |played, outcome, _| {
            games.push((outcome.number.to_string(), moves(&played.game)));
            Ok(recorder.write(&the_match.config, played, outcome)?)
        });
        assert_eq!(finish.unwrap(), Finish::Complete);
        assert!(standings.scores.iter().all(|score| score.faults == [0; 6]), "{name}: {:?}", standings.ends);
        assert_eq!(recorded::<V>(&out), games, "{name}");
    }
}

#[test]
fn every_variant_plays_and_reads_its_games() {
    VariantId::ALL.iter().for_each(|variant| variant.dispatch(Pair));
}

#[test]
fn a_test_ends_the_match() {
    let text = "games = 2000\nsprt = { elo0 = 0, elo1 = 200 }\nopenings = 'ballots:3'\n\
                [[player]]\nname = 'deep'\ndepth = 6\n[[player]]\nname = 'shallow'\ndepth = 1";
    let result = play::<International>(text).unwrap();
    assert_eq!(result.finish, Finish::Decided);
    let games = result.standings.games;
    assert!(games.is_multiple_of(2) && games < 400, "{games} games");
    let sprt = config(text).sprt.unwrap();
    let pairs = result.standings.scores[0].pairs;
    assert_eq!(sprt.state(&pairs).decision, Decision::H1, "{pairs:?}");
    assert_eq!(pairs.iter().sum::<u64>() as usize, games / 2);
}

#[test]
fn adjudication_shortens_games() {
    let ends = |more: &str| {
        let result = play::<International>(&format!("{more}\n{SMALL}")).unwrap();
        result.standings.ends.into_iter().map(|(end, _)| end).collect::<Vec<_>>()
    };
    assert_eq!(ends(""), ["rule"]);
    assert_eq!(ends("move-limit = 20"), ["move-limit"]);
    assert!(ends("resign = { score = 3, moves = 2 }").contains(&"resignation".into()));
    assert!(ends("draw = { score = 0.5, moves = 2, from = 5 }").contains(&"draw-by-score".into()));
}
