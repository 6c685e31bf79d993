//! Complete lists of legal moves for tricky positions (`suites/*.cases`).

mod support;

use std::collections::BTreeMap;

use meerslag::board::{Position, legal_moves};
use meerslag::variant::Variant;
use meerslag::variant::rules::{CaptureChoice, CaptureLines, Goal, Rules};
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
        assert_eq!(slow, plain(&case.position, &legal_moves(&case.position)), "{}: {}", case.tag, case.fen);
    }
}

fn mirrored_cases_have_mirrored_moves<V: Variant>() {
    for case in cases::<V>() {
        let flipped = case.position.flipped();
        let slow = Board::of(&flipped).legal_moves().expect("cases are small");
        assert_eq!(slow, plain(&flipped, &legal_moves(&flipped)), "{}: {}", case.tag, case.fen);
        assert_eq!(slow.len(), case.moves.len(), "{}: {}", case.tag, case.fen);
    }
}

/// The rules that deserve a case, by what the variant has.
fn wanted_tags(rules: &Rules) -> Vec<&'static str> {
    let mut wanted = vec!["capture-promo", "nomove", "quiet-promo"];
    if rules.goal == Goal::Crown {
        wanted.extend(["majority", "through-backrow", "won-by-king"]);
        return wanted;
    }
    wanted.extend([
        "ambiguous-from-to",
        "circular",
        "coup-turc",
        "crosses-origin",
        "dup-routes",
        "long-capture",
        "multi-landing",
        "nomove-king",
        "same-empty-square-twice",
    ]);
    wanted.extend(match rules.choice {
        CaptureChoice::Most => ["majority", "king-and-man-tie"].as_slice(),
        CaptureChoice::Value => &["value-not-count", "king-over-man", "value-5men-vs-3kings", "value-6men-vs-3kings"],
        CaptureChoice::Free => &["free-choice-lengths", "king-must-continue", "no-second-jump"],
    });
    if rules.crowns_in_passing {
        wanted.extend(["midpromo-continues", "midpromo-matters"]);
    } else {
        wanted.push("through-backrow");
    }
    if rules.halts_behind_king {
        wanted.push("killer-halt");
    }
    if rules.capture_lines == CaptureLines::All {
        wanted.push("orth-capture");
    }
    if rules.king_run_limit.is_some() {
        wanted.push("king-limit");
    }
    wanted
}

fn every_rule_has_a_case<V: Variant>() {
    let mut tags = BTreeMap::new();
    for case in cases::<V>() {
        // A case can show several rules.
        case.tag.split(' ').for_each(|tag| *tags.entry(tag.to_owned()).or_insert(0) += 1);
    }
    let missing: Vec<_> = wanted_tags(&V::RULES).into_iter().filter(|tag| !tags.contains_key(*tag)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}; there are {tags:?}");
}

for_every_variant!(
    legal_moves_are_those_listed,
    the_slow_generator_agrees_too,
    mirrored_cases_have_mirrored_moves,
    every_rule_has_a_case,
);
