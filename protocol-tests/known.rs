//! Endgame databases in play.

mod support;

use meerslag::board::{DrawPolicy, Game, Move, Position, movegen};
use meerslag::egdb::{Databases, Index, Slice, Value};
use meerslag::engine::params::Params;
use meerslag::engine::{Engine, Found};
use meerslag::search::{Limits, Score};
use meerslag::util::rng::Rng;
use meerslag::variant::Variant;
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
    let mut engine = Engine::with_params(&Params { hash: 4, ..Params::default() }).unwrap();
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
    let mut engine = Engine::with_params(&Params { hash: 4, multi_pv: 8, ..Params::default() }).unwrap();
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
    let mut engine = Engine::with_params(&Params { hash: 4, ..Params::default() }).unwrap();
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

fn longest_defense<V: Variant>(databases: &Databases<V>, position: &Position<V>) -> Move {
    let moves = meerslag::board::legal_moves(position);
    *moves.iter().max_by_key(|&&mv| databases.distance(&position.after(mv))).expect("there is a move")
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
        let mut engine = Engine::with_params(&Params { hash: 4, bb_size, ..Params::default() }).unwrap();
        for _ in 0..50 {
            let position = random_position::<V>(&mut rng, pieces);
            *hits += search(&mut engine, position).lines[0].hits;
        }
    }
    assert_eq!(hits[0], 0);
    assert!(hits[1] > 0);
}

for_every_variant!(the_root_keeps_the_value, lines_are_in_order, wins_are_converted, the_tree_is_looked_up);
