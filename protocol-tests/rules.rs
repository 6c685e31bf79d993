//! Complete lists of legal moves for tricky positions (`suites/*.cases`).

mod support;

use std::collections::BTreeMap;

use meerslag::board::{Position, legal_moves};
use meerslag::variant::Variant;
use support::reference::{Board, plain};
use support::{fields, for_every_variant, position, suite, texts};

struct Case<V: Variant> {
    tag: String,
    fen: String,
    position: Position<V>,
    moves: Vec<String>,
}

fn cases<V: Variant>() -> Vec<Case<V>> {
    let case = |line: &String| {
        let [tag, fen, moves] = fields(line)[..] else { panic!("three fields expected in `{line}`") };
        let mut moves: Vec<_> = moves.split_whitespace().filter(|mv| *mv != "-").map(str::to_owned).collect();
        moves.sort();
        Case { tag: tag.into(), fen: fen.into(), position: position(fen), moves }
    };
    suite::<V>("cases").iter().map(case).collect()
}

fn legal_moves_are_those_listed<V: Variant>() {
    for case in cases::<V>() {
        assert_eq!(texts::<V>(&legal_moves(&case.position)), case.moves, "{}: {}", case.tag, case.fen);
    }
}

fn the_slow_generator_agrees_too<V: Variant>() {
    for case in cases::<V>() {
        let slow = Board::of(&case.position).legal_moves().expect("cases are small");
        assert_eq!(slow, plain::<V>(&legal_moves(&case.position)), "{}: {}", case.tag, case.fen);
    }
}

fn mirrored_cases_have_mirrored_moves<V: Variant>() {
    for case in cases::<V>() {
        let flipped = case.position.flipped();
        let slow = Board::of(&flipped).legal_moves().expect("cases are small");
        assert_eq!(slow, plain::<V>(&legal_moves(&flipped)), "{}: {}", case.tag, case.fen);
        assert_eq!(slow.len(), case.moves.len(), "{}: {}", case.tag, case.fen);
    }
}

fn every_rule_has_a_case<V: Variant>() {
    let mut tags = BTreeMap::new();
    for case in cases::<V>() {
        *tags.entry(case.tag).or_insert(0) += 1;
    }
    let wanted = [
        "ambiguous-from-to",
        "capture-promo",
        "circular",
        "coup-turc",
        "crosses-origin",
        "dup-routes",
        "king-and-man-tie",
        "long-capture",
        "majority",
        "man-majority-over-king",
        "multi-landing",
        "no-second-jump",
        "nomove",
        "nomove-king",
        "quiet-promo",
        "same-empty-square-twice",
        "through-backrow",
    ];
    let missing: Vec<_> = wanted.into_iter().filter(|tag| !tags.contains_key(*tag)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}; there are {tags:?}");
}

for_every_variant!(
    legal_moves_are_those_listed,
    the_slow_generator_agrees_too,
    mirrored_cases_have_mirrored_moves,
    every_rule_has_a_case,
);
