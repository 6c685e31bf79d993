//! The search through the engine's front door: limits, exact wins, draws, lines, threads, pondering.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use meerslag::board::outcome::without_moves;
use meerslag::board::{DrawPolicy, Game, Move, Position, Side, legal_moves};
use meerslag::engine::params::Params;
use meerslag::engine::{Engine, Found};
use meerslag::notation::fen;
use meerslag::search::{Limits, Mode, Report, Score};
use meerslag::util::rng::Rng;
use meerslag::variant::Variant;
use meerslag::variant::rules::{DrawProfile, Goal, KingAgainstKing};
use support::for_every_variant;

/// More than any answer here takes; only a hang gets this far.
const DEADLINE: Duration = Duration::from_secs(60);

fn engine<V: Variant>(threads: usize) -> Engine<V> {
    Engine::new(threads, 4).unwrap()
}

/// An engine that has to search where databases would know.
fn searching_engine<V: Variant>() -> Engine<V> {
    let mut engine = engine(1);
    engine.set_params(&Params { bb_size: 0, ..Params::default() }, |error| panic!("{error}"));
    engine
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A game of random moves that is not over.
fn random_game<V: Variant>(rng: &mut Rng, plies: usize) -> Game<V> {
    loop {
        let mut game = Game::new(Position::start());
        for _ in 0..plies {
            let moves = legal_moves(game.position());
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.below(moves.len())]).unwrap();
        }
        if game.moves().len() == plies && game.over(&DrawPolicy::of::<V>()).is_none() {
            return game;
        }
    }
}

fn assert_legal_line<V: Variant>(game: &Game<V>, line: &[Move]) {
    let mut game = game.clone();
    for &mv in line {
        game.play(mv).unwrap_or_else(|_| panic!("illegal {mv:?} in {line:?} from {}", fen::write(game.start())));
    }
}

/// Starts a search whose reports come over the channel.
fn start<V: Variant>(engine: &mut Engine<V>, mode: Mode, limits: Limits) -> Receiver<Report> {
    let (sender, receiver) = unbounded();
    let report = move |report| sender.send(report).unwrap();
    engine.start(mode, limits, Instant::now(), &[], Arc::new(report));
    receiver
}

/// Waits for `Done` and makes sure that it is the last report.
fn wait_for_done(reports: &Receiver<Report>) {
    let done = loop {
        match reports.recv_timeout(DEADLINE).expect("the search ends") {
            Report::Info(info) => assert!(!info.pv.is_empty()),
            Report::Done(done) => break done,
        }
    };
    assert!(done.best.is_some());
    assert!(reports.recv_timeout(DEADLINE).is_err(), "a report after `Done`");
}

fn searches_repeat_to_the_node<V: Variant>() {
    let mut rng = Rng::new(11);
    let mut one = engine::<V>(1);
    for _ in 0..5 {
        let game = random_game::<V>(&mut rng, 12);
        let search = |engine: &mut Engine<V>, limits| -> Found {
            engine.game = game.clone();
            engine.new_game();
            engine.search(limits)
        };
        let first = search(&mut one, nodes(30_000));
        let again = search(&mut one, nodes(30_000));
        let other = search(&mut engine::<V>(1), nodes(30_000));
        assert_eq!(first.done, again.done);
        assert_eq!(first.done, other.done);
        assert_eq!(first.lines[0].pv, other.lines[0].pv);
        assert!(first.lines[0].nodes <= 30_000);
        let by_depth = [search(&mut one, depth(8)), search(&mut one, depth(8))];
        assert_eq!(by_depth[0].lines[0].nodes, by_depth[1].lines[0].nodes);
    }
}

/// The value of a position that is won or lost within `plies`, by trying everything.
fn brute_force<V: Variant>(position: &Position<V>, plies: u32) -> Option<Score> {
    if let Some(over) = without_moves(position) {
        let has_won = over.winner() == Some(position.side_to_move());
        return Some(if has_won { Score::win_in(0) } else { Score::loss_in(0) });
    }
    if plies == 0 {
        return None;
    }
    let replies: Vec<_> = legal_moves(position).iter().map(|&mv| brute_force(&position.after(mv), plies - 1)).collect();
    // One ply further from the end than the reply.
    let win = replies.iter().flatten().filter(|reply| **reply < Score::DRAW).min().map(|reply| -*reply - 1);
    let is_lost = replies.iter().all(|reply| reply.is_some_and(|reply| reply > Score::DRAW));
    win.or_else(|| is_lost.then(|| replies.iter().flatten().min().map(|reply| -*reply + 1)).flatten())
}

/// A small random position; without kings where the first one would end the game.
fn random_ending<V: Variant>(rng: &mut Rng) -> Position<V> {
    let (men, kings) = if V::RULES.goal == Goal::Crown { (4, 0) } else { (2, 1) };
    support::random::setup(rng, men, kings)
}

fn wins_are_exact<V: Variant>() {
    const PLIES: u32 = 5;
    let mut rng = Rng::new(5);
    let mut engine = searching_engine::<V>();
    engine.set_policy(DrawPolicy::new::<V>(Some(DrawProfile::None), KingAgainstKing::Count));
    // A reduced move is searched less deep; in Killer the longer king captures need more.
    let enough = depth(if V::RULES.halts_behind_king { 12 } else { 9 });
    let (mut wins, mut losses) = (0, 0);
    while wins < 25 || losses < 10 {
        let position = random_ending::<V>(&mut rng);
        if without_moves(&position).is_some() {
            continue;
        }
        let Some(value) = brute_force(&position, PLIES) else { continue };
        engine.game = Game::new(position);
        let score = engine.search(enough).lines[0].score;
        assert_eq!(score, value, "{}", fen::write(&position));
        if value > Score::DRAW { wins += 1 } else { losses += 1 }
    }
}

/// Who moves last is known, so a distance is odd or even; and no win is nearer than the next move.
fn distances_are_possible<V: Variant>() {
    let mut rng = Rng::new(53);
    let mut engine = engine::<V>(1);
    engine.lines = 3;
    let winner_moves_last = V::RULES.goal != Goal::BeBlocked;
    let mut decided = 0;
    while decided < 100 {
        let mut game = Game::new(random_ending::<V>(&mut rng));
        // The table is kept from move to move, so that scores are taken from it.
        for _ in 0..12 {
            engine.game = game.clone();
            if engine.over().is_some() {
                break;
            }
            let found = engine.search(depth(7));
            for score in found.lines.iter().map(|line| line.score) {
                let (worst, best) = Score::range::<V>(0);
                assert!((worst..=best).contains(&score), "{score} in {}", fen::write(game.position()));
                let Some(plies) = score.distance() else { continue };
                let wins = score > Score::DRAW;
                assert_eq!(plies % 2 != 0, wins == winner_moves_last, "{score} in {}", fen::write(game.position()));
                decided += 1;
            }
            game.play(found.done.best.unwrap()).unwrap();
        }
    }
}

/// Moves of a king of each side that can be played and taken back without a capture in between.
fn to_and_fro<V: Variant>(position: &Position<V>) -> Option<[Move; 4]> {
    let quiet_king_moves = |position: &Position<V>| -> Vec<Move> {
        let is_quiet = |mv: &&Move| position.all_kings().contains(mv.from) && !mv.is_capture();
        legal_moves(position).iter().filter(is_quiet).copied().collect()
    };
    for white in quiet_king_moves(position) {
        for black in quiet_king_moves(&position.after(white)) {
            let back = |mv: Move| Move::quiet(mv.to, mv.from);
            let moves = [white, black, back(white), back(black)];
            let mut game = Game::new(*position);
            // Where king moves are counted as part of the position, it is not the same again.
            if moves.iter().all(|&mv| game.play(mv).is_ok()) && game.position() == position {
                return Some(moves);
            }
        }
    }
    None
}

/// A king walks to and fro: the move back to the first position is worth a draw, others are not.
fn repetition_is_a_draw<V: Variant>() {
    if V::RULES.goal == Goal::Crown {
        // Men alone never come back.
        return;
    }
    let mut rng = Rng::new(17);
    let mut engine = searching_engine::<V>();
    engine.set_policy(DrawPolicy::new::<V>(Some(DrawProfile::Repetition), KingAgainstKing::Count));
    engine.lines = 64;
    let mut decisive = 0;
    while decisive < 5 {
        let position = support::random::setup::<V>(&mut rng, 3, 2);
        let Some([white, black, white_back, black_back]) = to_and_fro(&position) else { continue };
        engine.game = Game::new(position);
        [white, black, white_back].into_iter().for_each(|mv| engine.game.play(mv).unwrap());
        let lines = engine.search(depth(6)).lines;
        let back = lines.iter().find(|line| line.pv[0] == black_back).expect("the way back is a move");
        assert_eq!(back.score, Score::DRAW);
        decisive += usize::from(lines.iter().any(|line| line.score != Score::DRAW));
    }
}

/// One ply before a counted draw, every move that completes the count is worth exactly that.
fn counted_rules_are_seen<V: Variant>() {
    let policy = DrawPolicy::of::<V>();
    if policy.rules.shortest == u16::MAX {
        // Nothing is counted.
        return;
    }
    let mut rng = Rng::new(3);
    let game = loop {
        let text = ["W:WK29,K30,K31:BK3", "W:WK29,K30:BK3"][rng.below(2)];
        let mut game = Game::new(fen::position::<V>(text).unwrap());
        while game.over(&policy).is_none() {
            let quiet: Vec<_> = legal_moves(game.position()).iter().copied().filter(|mv| !mv.is_capture()).collect();
            let Some(index) = (!quiet.is_empty()).then(|| rng.below(quiet.len())) else { break };
            game.play(quiet[index]).unwrap();
        }
        let by_count = game.over(&policy).is_some_and(|over| over.winner().is_none()) && game.repetitions() < 3;
        game.undo();
        if by_count && legal_moves(game.position()).iter().all(|mv| !mv.is_capture()) {
            break game;
        }
    };
    let mut engine = engine::<V>(1);
    engine.game = game.clone();
    engine.lines = 64;
    let lines = engine.search(depth(5)).lines;
    let drawn = |mv| policy.reason(&game.state().after(mv)).is_some();
    let (drawn, _): (Vec<_>, Vec<_>) = lines.iter().partition(|line| drawn(line.pv[0]));
    assert!(!drawn.is_empty() && drawn.iter().all(|line| line.score == Score::DRAW), "{lines:?}");
}

fn lines_are_ranked_and_restricted<V: Variant>() {
    let mut rng = Rng::new(23);
    let mut engine = engine::<V>(1);
    for _ in 0..8 {
        let game = random_game::<V>(&mut rng, 14);
        let moves = legal_moves(game.position());
        engine.game = game.clone();
        engine.lines = 4;
        let lines = engine.search(depth(6)).lines;
        assert_eq!(lines.len(), moves.len().min(4));
        assert!(lines.is_sorted_by(|better, worse| better.score >= worse.score));
        for (rank, line) in lines.iter().enumerate() {
            assert_eq!(line.line, rank + 1);
            assert_legal_line(&game, &line.pv);
            assert!(lines[..rank].iter().all(|other| other.pv[0] != line.pv[0]));
        }
        let only = [*moves.last().unwrap()];
        let (sender, receiver) = unbounded();
        let report = move |report| sender.send(report).unwrap();
        engine.start(Mode::Think, depth(4), Instant::now(), &only, Arc::new(report));
        engine.wait();
        let done = receiver.try_iter().find_map(|report| match report {
            Report::Done(done) => Some(done),
            Report::Info(_) => None,
        });
        assert_eq!(done.unwrap().best, Some(only[0]));
    }
}

fn the_last_report_is_about_the_move_played<V: Variant>() {
    let mut rng = Rng::new(31);
    let mut engine = engine::<V>(1);
    for limit in (1..60).map(|n| n * 997) {
        engine.game = random_game(&mut rng, 10);
        engine.new_game();
        let found = engine.search(nodes(limit));
        assert_eq!(found.done.best, Some(found.lines[0].pv[0]), "after {limit} nodes");
    }
}

fn several_threads_find_legal_moves<V: Variant>() {
    let mut rng = Rng::new(41);
    let mut engine = engine::<V>(3);
    for _ in 0..6 {
        let game = random_game::<V>(&mut rng, 16);
        engine.game = game.clone();
        let reports = start(&mut engine, Mode::Think, depth(9));
        engine.wait();
        let reports: Vec<_> = reports.try_iter().collect();
        let done = reports.iter().filter(|report| matches!(report, Report::Done(_))).count();
        assert_eq!(done, 1);
        let mut last = None;
        for report in reports {
            if let Report::Info(info) = report {
                assert_legal_line(&game, &info.pv);
                last = Some(info);
            }
        }
        // A thread that leaves what another one has settled goes on with the rest.
        let last = last.expect("a line");
        assert!(last.depth == 9 || !last.score.is_eval(), "ended at depth {}", last.depth);
    }
}

fn pondering_waits_for_the_hit<V: Variant>() {
    let mut engine = engine::<V>(1);
    let limits = Limits { move_time: Some(Duration::from_millis(5)), ..Limits::default() };
    let reports = start(&mut engine, Mode::Ponder, limits);
    let soon = Instant::now() + Duration::from_millis(150);
    while let Ok(report) = reports.recv_deadline(soon) {
        assert!(matches!(report, Report::Info(_)), "an answer before the hit");
    }
    engine.ponder_hit();
    engine.ponder_hit();
    wait_for_done(&reports);
}

/// Nothing is left to think about, but the answer is not wanted before the hit.
fn a_solved_position_waits<V: Variant>() {
    let mut engine = engine::<V>(2);
    // Where the first king wins, the man wins by crowning; elsewhere two kings catch it or are lost to it.
    let texts = ["W:WK46,K47:B5", "W:WK29,K30:B4", "W:W6:B5"];
    let solved = texts.iter().find_map(|text| fen::position(text).ok());
    engine.game = Game::new(solved.expect("one of them fits the board and the aim"));
    for limits in [depth(2), Limits::default()] {
        let reports = start(&mut engine, Mode::Ponder, limits);
        let soon = Instant::now() + Duration::from_millis(300);
        while let Ok(report) = reports.recv_deadline(soon) {
            assert!(matches!(report, Report::Info(_)), "an answer that was not wanted");
        }
        engine.ponder_hit();
        wait_for_done(&reports);
    }
}

/// A new game forgets: the same search takes the same nodes again.
fn new_games_forget<V: Variant>() {
    let mut engine = engine::<V>(3);
    for _ in 0..3 {
        engine.game = Game::new(Position::start());
        assert!(engine.search(depth(7)).done.best.is_some());
        engine.new_game();
        engine.new_game();
    }
    let mut one = self::engine::<V>(1);
    let first = one.search(depth(7)).lines[0].nodes;
    assert!(one.search(depth(7)).lines[0].nodes < first, "the table is of no use");
    one.new_game();
    assert_eq!(one.search(depth(7)).lines[0].nodes, first);
}

fn stop_ends_an_endless_search<V: Variant>() {
    let mut engine = engine::<V>(2);
    for mode in [Mode::Think, Mode::Ponder, Mode::Analyze] {
        let reports = start(&mut engine, mode, Limits::default());
        engine.stop();
        engine.stop();
        wait_for_done(&reports);
    }
    // A new search ends the one before it.
    let first = start(&mut engine, Mode::Analyze, Limits::default());
    let second = start(&mut engine, Mode::Think, depth(3));
    wait_for_done(&first);
    wait_for_done(&second);
}

fn no_move_no_search<V: Variant>() {
    let mut engine = engine::<V>(1);
    engine.game = Game::new(fen::position("B:W30:B").unwrap());
    assert_eq!(engine.game.position().side_to_move(), Side::Black);
    let found = engine.search(Limits::default());
    assert_eq!((found.done.best, found.lines.len()), (None, 0));
}

#[test]
fn a_table_that_does_not_fit_is_an_error() {
    let Err(error) = Engine::<meerslag::variant::International>::new(1, 1 << 40) else { panic!("that much memory?") };
    assert_eq!(error.kind(), std::io::ErrorKind::OutOfMemory);
}

for_every_variant! {
    searches_repeat_to_the_node,
    wins_are_exact,
    distances_are_possible,
    repetition_is_a_draw,
    counted_rules_are_seen,
    lines_are_ranked_and_restricted,
    the_last_report_is_about_the_move_played,
    several_threads_find_legal_moves,
    pondering_waits_for_the_hit,
    a_solved_position_waits,
    new_games_forget,
    stop_ends_an_endless_search,
    no_move_no_search,
}
