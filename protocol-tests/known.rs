//! Endgame databases in play.

mod support;

use std::time::{Duration, Instant};

use meerslag::board::{DrawPolicy, Game, Move, Position, legal_moves, movegen};
use meerslag::egdb::{Databases, Index, Slice, Value};
use meerslag::engine::params::Params;
use meerslag::engine::{Engine, Found};
use meerslag::search::{Limits, Score};
use meerslag::util::rng::Rng;
use meerslag::variant::Variant;
use meerslag::variant::rules::{DrawProfile, Goal, KingAgainstKing};
use support::{fen, for_every_variant};

/// Pieces of the positions that are played: every variant with databases has those in the program.
const PIECES: u32 = 3;
/// Nodes of a search: too few to find most wins without databases.
const NODES: u64 = 300;

/// A random position with so many pieces that is not over.
fn random_position<V: Variant>(rng: &mut Rng, pieces: u32) -> Position<V> {
    let slices = Slice::all::<V>(pieces);
    loop {
        let index = Index::<V>::new(slices[rng.below(slices.len())]);
        let position = index.position(rng.below(index.len() as usize) as u64);
        if Game::new(position).over(&DrawPolicy::of::<V>()).is_none() && movegen::has_moves(&position) {
            return if rng.below(2) == 0 { position } else { position.flipped() };
        }
    }
}

fn engine<V: Variant>(params: &Params) -> Engine<V> {
    Engine::with_params(params, |error| panic!("{error}")).unwrap()
}

fn search<V: Variant>(engine: &mut Engine<V>, position: Position<V>) -> Found {
    engine.game = Game::new(position);
    engine.search(Limits { nodes: Some(NODES), ..Limits::default() })
}

/// Whether there is nothing to test.
fn has_none<V: Variant>(databases: &Databases<V>) -> bool {
    assert_eq!(databases.pieces() < PIECES, V::RULES.king_run_limit.is_some(), "{:?}", V::ID);
    databases.pieces() == 0
}

fn the_root_keeps_the_value<V: Variant>() {
    let databases = Databases::<V>::embedded();
    if has_none(&databases) {
        return;
    }
    let mut rng = Rng::new(21);
    let mut engine = engine(&Params { hash: 4, ..Params::default() });
    for _ in 0..300 {
        let position = random_position::<V>(&mut rng, PIECES);
        let value = databases.value(&position).unwrap();
        let found = search(&mut engine, position);
        let best = found.done.best.unwrap();
        assert_eq!(databases.value(&position.after(best)), Some(-value), "{} {best:?}", fen(&position));
        let score = found.lines[0].score;
        assert_eq!(score.cmp(&Score::DRAW), value.cmp(&Value::Draw), "{} {score}", fen(&position));
        assert!(value == Value::Draw || !score.is_eval(), "{} {score}", fen(&position));
    }
}

/// Every line of several is in the order of what is known.
fn lines_are_in_order<V: Variant>() {
    let databases = Databases::<V>::embedded();
    if has_none(&databases) {
        return;
    }
    let mut rng = Rng::new(22);
    let mut engine = engine(&Params { hash: 4, multi_pv: 8, ..Params::default() });
    for _ in 0..100 {
        let position = random_position::<V>(&mut rng, PIECES);
        let lines = search(&mut engine, position).lines;
        let values: Vec<_> = lines.iter().map(|line| databases.value(&position.after(line.pv[0])).unwrap()).collect();
        assert!(values.is_sorted(), "{} {values:?}", fen(&position));
        for (line, value) in lines.iter().zip(values) {
            assert_eq!(Score::DRAW.cmp(&line.score), value.cmp(&Value::Draw), "{} {}", fen(&position), line.score);
        }
    }
}

/// Won positions are won against the longest defense, as fast as the databases say.
fn wins_are_converted<V: Variant>() {
    let databases = Databases::<V>::embedded();
    if has_none(&databases) {
        return;
    }
    let mut rng = Rng::new(23);
    let mut engine = engine(&Params { hash: 4, ..Params::default() });
    let mut won = 0;
    while won < 100 {
        let position = random_position::<V>(&mut rng, PIECES);
        if databases.value(&position) != Some(Value::Win) {
            continue;
        }
        won += 1;
        let distance = databases.distance(&position).unwrap();
        let mut game = Game::new(position);
        for left in (1..=distance).rev() {
            assert!(movegen::has_moves(game.position()), "{} {left}", fen(&position));
            let attacks = game.position().side_to_move() == position.side_to_move();
            let mv = if attacks {
                engine.game = game.clone();
                engine.search(Limits { nodes: Some(NODES), ..Limits::default() }).done.best.unwrap()
            } else {
                longest_defense(&databases, game.position())
            };
            game.play(mv).unwrap();
            assert_eq!(databases.distance(game.position()), Some(left - 1), "{}", fen(&position));
        }
        let over = meerslag::board::outcome::without_moves(game.position()).expect("the game is over");
        assert_eq!(over.winner(), Some(position.side_to_move()));
    }
}

/// How many random won positions [`wins_are_in_time`] plays; `MEERSLAG_CONVERT=<number>` sets another number.
fn conversions() -> usize {
    std::env::var("MEERSLAG_CONVERT").map_or(20, |text| text.parse().expect("MEERSLAG_CONVERT is a number"))
}

/// Won positions of as many pieces as have distances are won at 50 ms a move under the draw rules, unless a rule
/// ends the game before the shortest win.
fn wins_are_in_time<V: Variant>() {
    let databases = Databases::<V>::embedded();
    if has_none(&databases) {
        return;
    }
    let has_distances = |pieces: &u32| Slice::all::<V>(*pieces).iter().all(|slice| databases.has_distances(*slice));
    let pieces = (2..=4).rev().find(has_distances).unwrap();
    let mut rng = Rng::new(25);
    let mut engine = engine(&Params { hash: 4, ..Params::default() });
    let policy = DrawPolicy::of::<V>();
    let (mut won, mut late, mut moves, mut longest) = (0, 0, 0, Duration::ZERO);
    while won + late < conversions() {
        let position = random_position::<V>(&mut rng, pieces);
        if databases.value(&position) != Some(Value::Win) {
            continue;
        }
        let mut game = Game::new(position);
        // Whether every shortest win so far was one that the rules leave time for.
        let mut in_time = true;
        let over = loop {
            let left = databases.distance(game.position()).expect("every position is known");
            in_time &= policy.allows(game.state(), left);
            if let Some(over) = game.over(&policy) {
                break over;
            }
            let mv = if game.position().side_to_move() == position.side_to_move() {
                let started = Instant::now();
                engine.game = game.clone();
                let limits = Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() };
                let best = engine.search(limits).done.best.unwrap();
                (moves, longest) = (moves + 1, longest.max(started.elapsed()));
                assert_eq!(databases.value(&game.position().after(best)), Some(Value::Loss), "{}", fen(&position));
                best
            } else {
                longest_defense(&databases, game.position())
            };
            game.play(mv).unwrap();
        };
        match over.winner() {
            Some(winner) => {
                assert_eq!(winner, position.side_to_move());
                won += 1;
            }
            None => {
                assert!(!in_time, "{} is drawn: {over}", fen(&position));
                late += 1;
            }
        }
    }
    eprintln!(
        "{}: {won} of {} positions of {pieces} pieces won in {moves} moves, {late} too late by rule; longest move {longest:?}",
        V::ID,
        won + late
    );
}

fn longest_defense<V: Variant>(databases: &Databases<V>, position: &Position<V>) -> Move {
    let moves = legal_moves(position);
    *moves.iter().max_by_key(|&&mv| databases.distance(&position.after(mv))).expect("there is a move")
}

/// A won game in which the shortest win leads to a position for the third time: that draws, so another move has
/// to be found. Kings are moved to and fro behind it.
fn a_third_repetition_is_no_win<V: Variant>() {
    let databases = Databases::<V>::embedded();
    if has_none(&databases) || V::RULES.goal == Goal::Crown {
        return;
    }
    let mut rng = Rng::new(26);
    let mut engine = engine(&Params { hash: 4, ..Params::default() });
    let policy = DrawPolicy::new::<V>(Some(DrawProfile::Repetition), KingAgainstKing::Count);
    engine.set_policy(policy);
    let mut tried = 0;
    while tried < 20 {
        let start = random_position::<V>(&mut rng, PIECES);
        if databases.value(&start) != Some(Value::Loss) {
            continue;
        }
        let Some(game) = shuffled(&start) else { continue };
        let legal = legal_moves(game.position());
        let worth = |mv: &Move| databases.value(&game.position().after(*mv)) == Some(Value::Loss);
        let shortest =
            legal.iter().filter(|mv| worth(mv)).min_by_key(|mv| databases.distance(&game.position().after(**mv)));
        let Some(shortest) = shortest else { continue };
        let draws = |mv: Move| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            next.over(&policy).is_some_and(|over| over.winner().is_none())
        };
        if !draws(*shortest) || legal.iter().filter(|mv| worth(mv)).count() < 2 {
            continue;
        }
        tried += 1;
        engine.game = game.clone();
        let best = engine.search(Limits { nodes: Some(NODES), ..Limits::default() }).done.best.unwrap();
        assert!(worth(&best) && !draws(best), "{} {best:?}", fen(game.position()));
    }
}

/// A game from `start` in which both sides have moved a king to and fro twice, but for the last move back.
fn shuffled<V: Variant>(start: &Position<V>) -> Option<Game<V>> {
    let steps = |position: &Position<V>| -> Vec<Move> {
        let kings = position.all_kings();
        legal_moves(position).iter().copied().filter(|mv| !mv.is_capture() && kings.contains(mv.from)).collect()
    };
    let back = |mv: Move| Move { from: mv.to, to: mv.from, ..mv };
    for one in steps(start) {
        for other in steps(&start.after(one)) {
            let mut game = Game::new(*start);
            let cycle = [one, other, back(one), back(other)];
            if cycle.iter().cycle().take(7).all(|mv| game.play(*mv).is_ok()) {
                return Some(game);
            }
        }
    }
    None
}

/// With more pieces on the board, the search looks ahead to what the databases know.
fn the_tree_is_looked_up<V: Variant>() {
    if has_none(&Databases::<V>::embedded()) {
        return;
    }
    let mut rng = Rng::new(24);
    let pieces = Databases::<V>::embedded().pieces() + 1;
    let mut hits = [0, 0];
    for (bb_size, hits) in [0, pieces - 1].into_iter().zip(&mut hits) {
        let mut engine = engine(&Params { hash: 4, bb_size, ..Params::default() });
        for _ in 0..50 {
            let position = random_position::<V>(&mut rng, pieces);
            *hits += search(&mut engine, position).lines[0].hits;
        }
    }
    assert_eq!(hits[0], 0);
    assert!(hits[1] > 0);
}

for_every_variant!(
    the_root_keeps_the_value,
    lines_are_in_order,
    wins_are_converted,
    wins_are_in_time,
    the_tree_is_looked_up,
    a_third_repetition_is_no_win,
);
