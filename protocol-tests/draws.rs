//! Draw rules: each limit is reached on the ply it names, not a ply earlier.

mod support;

use std::collections::HashMap;
use std::path::Path;

use meerslag::board::{DrawPolicy, DrawReason, Game, GameOver, Move, Position, Side, Verdict, WinReason};
use meerslag::board::{legal_moves, movegen};
use meerslag::util::rng::Rng;
use meerslag::variant::rules::{CaptureLines, DrawProfile, DrawRules, Goal, KingAgainstKing, Repetition};
use meerslag::variant::{Brazilian, Breakthrough, Frisian, Geometry, International, Killer, Losing, Russian, Variant};
use support::reference::Board;
use support::{for_every_variant, parse_move, position};

use KingAgainstKing::{Count, Exact, Immediate};

/// Which moves a walk may make; the game is the one before the move.
type Allowed<'a, V> = &'a dyn Fn(&Game<V>, Move) -> bool;

/// Extends the game by `plies` moves that are `allowed`, without a third occurrence of any
/// position. The moves are found by search, always the same ones.
fn walk<V: Variant>(game: &mut Game<V>, plies: usize, allowed: Allowed<V>) {
    let mut budget = 2_000_000;
    let found = extend(game, plies, allowed, &mut Rng::new(1), &mut budget);
    assert!(found, "no walk of {plies} plies from {}", support::fen(game.start()));
}

fn extend<V: Variant>(game: &mut Game<V>, plies: usize, allowed: Allowed<V>, rng: &mut Rng, budget: &mut u32) -> bool {
    if plies == 0 || *budget == 0 {
        return plies == 0;
    }
    let mut moves: Vec<Move> = legal_moves(game.position()).iter().copied().filter(|&mv| allowed(game, mv)).collect();
    while !moves.is_empty() {
        *budget = budget.saturating_sub(1);
        game.play(moves.swap_remove(rng.below(moves.len()))).unwrap();
        let fine = movegen::has_moves(game.position()) && game.repetitions() < 3;
        if fine && extend(game, plies - 1, allowed, rng, budget) {
            return true;
        }
        game.undo();
    }
    false
}

/// Quiet moves that crown nobody and offer nothing, by kings or by men.
fn is_calm<V: Variant>(game: &Game<V>, mv: Move) -> bool {
    let next = game.position().after(mv);
    !mv.is_capture() && !game.position().crowns(mv) && !movegen::can_capture(&next, next.side_to_move())
}

fn is_king_move<V: Variant>(game: &Game<V>, mv: Move) -> bool {
    game.position().all_kings().contains(mv.from)
}

fn calm_kings<V: Variant>(game: &Game<V>, mv: Move) -> bool {
    is_calm(game, mv) && is_king_move(game, mv)
}

/// Calm moves with a man's move just before 15 king moves each are complete.
fn calm_with_men<V: Variant>(game: &Game<V>, mv: Move) -> bool {
    is_calm(game, mv) && is_king_move(game, mv) == (game.state().clocks.king_plies < 28)
}

/// Whether a lone king has the long diagonal to itself after the move.
fn takes_diagonal<V: Variant>(game: &Game<V>, mv: Move) -> bool {
    game.state().after(mv).clocks.diagonal_plies > game.state().clocks.diagonal_plies
}

/// Asserts that the game goes on after all but the last of its moves, and why it ends there.
fn assert_drawn_at_end<V: Variant>(game: &Game<V>, policy: &DrawPolicy, text: &str) {
    let mut replay = Game::new(*game.start());
    for (ply, &mv) in game.moves().iter().enumerate() {
        let over = replay.over(policy);
        assert_eq!(over, None, "after {ply} of {} plies from {}", game.moves().len(), support::fen(game.start()));
        replay.play(mv).unwrap();
    }
    let over = replay.over(policy).unwrap_or_else(|| panic!("no draw from {}: {text}", support::fen(game.start())));
    assert_eq!(over.to_string(), format!("draw by {text}"), "from {}", support::fen(game.start()));
    assert_eq!(over.winner(), None);
}

fn start<V: Variant>(fen: &str) -> Game<V> {
    Game::new(position(fen))
}

/// Checks limits of a profile: (FEN, moves each, article or empty for the king-move rule).
fn check<V: Variant>(profile: DrawProfile, kvk: KingAgainstKing, allowed: Allowed<V>, limits: &[(&str, usize, &str)]) {
    let policy = DrawPolicy::new::<V>(Some(profile), kvk);
    for &(fen, moves, article) in limits {
        let mut game = start::<V>(fen);
        walk(&mut game, 2 * moves, allowed);
        let rule = policy.rules.endings.iter().find(|rule| {
            rule.article == article && usize::from(rule.moves) == moves && rule.ending.matches(game.position())
        });
        let text = match rule {
            Some(rule) => format!("{moves} moves each with {} ({article})", rule.text),
            None => format!("{moves} moves each with kings only and no capture"),
        };
        assert_eq!(rule.is_some(), !article.is_empty(), "{fen}: no rule {article}");
        assert_drawn_at_end(&game, &policy, &text);
    }
}

const FMJD_LIMITS: [(&str, usize, &str); 8] = [
    ("W:WK47,K49:BK2,K4", 25, ""),
    ("W:WK47,K49,48:BK2,K4", 25, ""),
    ("W:WK47,K48,K49:BK2", 16, "FMJD 6.3"),
    ("W:WK47,K48,49:BK2", 16, "FMJD 6.3"),
    ("B:WK47,48,49:BK2", 16, "FMJD 6.3"),
    ("B:WK47:BK2,3,4", 16, "FMJD 6.3"),
    ("W:WK47,K48:BK2", 5, "FMJD 6.4"),
    ("B:WK47,48:BK2", 5, "FMJD 6.4"),
];

#[test]
fn fmjd_limits() {
    check::<International>(DrawProfile::Fmjd, Exact, &calm_kings, &FMJD_LIMITS);
    check::<International>(DrawProfile::Fmjd, Count, &calm_kings, &[("W:WK47:BK2", 5, "FMJD 6.4")]);
    // The same rules on the other board, when asked for.
    check::<Brazilian>(DrawProfile::Fmjd, Exact, &calm_kings, &[("W:WK30,K31,K32:BK5", 16, "FMJD 6.3")]);
}

#[test]
fn lidraughts_international_limits() {
    check::<International>(DrawProfile::Lidraughts, Exact, &calm_kings, &FMJD_LIMITS);
    check::<International>(DrawProfile::Lidraughts, Exact, &calm_kings, &[("W:WK47:BK2", 5, "FMJD 6.4")]);
}

fn off_diagonal(game: &Game<Brazilian>, mv: Move) -> bool {
    calm_kings(game, mv) && !takes_diagonal(game, mv)
}

fn on_diagonal(game: &Game<Brazilian>, mv: Move) -> bool {
    is_calm(game, mv) && takes_diagonal(game, mv)
}

/// What both 64-square profiles share.
const LIMITS_64: [(&str, usize, &str); 5] = [
    ("W:WK25,30,31,32:BK12,1,2,3", 15, ""),
    ("W:WK30,K31,K32:BK5", 15, "IDF 7.2.4"),
    ("W:WK28,K30,K31,K32:BK5", 15, "IDF 7.2.4"),
    ("W:WK30,K31:BK3", 5, "IDF 7.2.8"),
    ("B:WK30,31:BK3", 5, "IDF 7.2.8"),
];
const DIAGONAL_LIMITS: [(&str, usize, &str); 4] = [
    ("W:WK30,K31,K32:BK4", 5, "IDF 7.2.7"),
    ("W:WK30,K31,32:BK4", 5, "IDF 7.2.7"),
    ("B:WK30,31,32:BK4", 5, "IDF 7.2.7"),
    ("B:WK29:BK2,3,1", 5, "IDF 7.2.7"),
];
const LIMITS_WITH_MEN: [(&str, usize, &str); 4] = [
    ("W:WK30,31:BK3,2", 30, "IDF 7.2.6"),
    ("W:WK30,31,K32:BK3,2", 30, "IDF 7.2.6"),
    ("W:WK30,31,32:BK3,2,1", 60, "IDF 7.2.6"),
    ("W:WK30,31,32,28:BK3,2,1", 60, "IDF 7.2.6"),
];

#[test]
fn idf_limits() {
    check(DrawProfile::Idf, Exact, &off_diagonal, &LIMITS_64);
    check(DrawProfile::Idf, Exact, &on_diagonal, &DIAGONAL_LIMITS);
    check::<Brazilian>(DrawProfile::Idf, Exact, &calm_with_men, &LIMITS_WITH_MEN);
    check::<Brazilian>(DrawProfile::Idf, Count, &calm_kings, &[("W:WK30:BK3", 5, "IDF 7.2.8")]);
    // 15 king moves end an ending of four to seven pieces too: the earliest limit wins.
    check::<Brazilian>(DrawProfile::Idf, Exact, &calm_kings, &[("W:WK30,K31:BK3,K2", 15, "")]);
    check::<Brazilian>(DrawProfile::Idf, Exact, &calm_kings, &[("W:WK30,31,32:BK3,2,1", 15, "")]);
}

#[test]
fn lidraughts_brazilian_limits() {
    check(DrawProfile::Lidraughts, Exact, &off_diagonal, &LIMITS_64);
    check(DrawProfile::Lidraughts, Exact, &on_diagonal, &DIAGONAL_LIMITS);
    check::<Brazilian>(DrawProfile::Lidraughts, Exact, &calm_with_men, &LIMITS_WITH_MEN);
    // There 30 and 60 moves replace the 15 king moves, and a king against a king is counted.
    let limits = [("W:WK30,K31:BK3,K2", 30, "IDF 7.2.6"), ("W:WK30,K31,K32:BK3,K2,K1", 60, "IDF 7.2.6")];
    check::<Brazilian>(DrawProfile::Lidraughts, Exact, &calm_kings, &limits);
    check::<Brazilian>(DrawProfile::Lidraughts, Exact, &calm_kings, &[("W:WK30:BK3", 5, "IDF 7.2.8")]);
}

#[test]
fn cbjd_limits() {
    let limits = [
        ("W:WK30,K31,K32:BK5", 20, ""),
        ("W:WK30,K31:BK3,K2", 5, "CBJD"),
        ("W:WK30,K31:BK3", 5, "CBJD"),
        ("W:WK30,K31:BK3,2", 5, "CBJD"),
        ("B:WK30,31:BK3", 5, "CBJD"),
    ];
    check::<Brazilian>(DrawProfile::Cbjd, Exact, &calm_kings, &limits);
    check::<Brazilian>(DrawProfile::Cbjd, Count, &calm_kings, &[("W:WK30:BK3", 5, "CBJD")]);
}

#[test]
fn frisian_limits() {
    let two_kings = [("W:WK48,K49:BK2", 7, "Frisian 18"), ("B:WK48,K49:BK2", 7, "Frisian 18")];
    check::<Frisian>(DrawProfile::Frisian, Exact, &calm_kings, &two_kings);
    check::<Frisian>(DrawProfile::Lidraughts, Exact, &calm_kings, &two_kings);
    check::<Frisian>(DrawProfile::Lidraughts, Exact, &calm_kings, &[("W:WK48:BK2", 2, "lidraughts")]);
    // Nothing else ends a game: neither many king moves nor a third occurrence.
    let policy = DrawPolicy::of::<Frisian>();
    let mut game = start::<Frisian>("W:WK46,K48:BK1,K3");
    walk(&mut game, 80, &calm_kings);
    assert_eq!(game.over(&policy), None);
    let mut game = start::<Frisian>("W:WK46,K48:BK1,K3");
    (0..4).for_each(|_| play_all(&mut game, "48-42 3-8 42-48 8-3"));
    assert_eq!((game.repetitions(), game.over(&policy)), (5, None));
}

#[test]
fn killer_limits() {
    let limits = [("W:WK47,K48:BK2", 25, ""), ("W:WK47,K48,K49:BK2", 25, ""), ("W:WK47,K49,48:BK2,K4", 25, "")];
    check::<Killer>(DrawProfile::Killer, Exact, &calm_kings, &limits);
    check::<Killer>(DrawProfile::Lidraughts, Exact, &calm_kings, &limits);
}

#[test]
fn russian_limits() {
    check::<Russian>(DrawProfile::Idf, Exact, &calm_kings, &[("W:WK30,K31:BK3", 5, "IDF 7.2.8")]);
    check::<Russian>(DrawProfile::Idf, Exact, &calm_kings, &[("W:WK30,K31:BK3,K2", 15, "")]);
}

#[test]
fn whoever_cannot_move_has_won_at_losing() {
    let policy = DrawPolicy::of::<Losing>();
    let text = |fen| start::<Losing>(fen).over(&policy).map(|over| over.to_string());
    assert_eq!(text("W:W:B20").as_deref(), Some("White has no pieces: White wins"));
    assert_eq!(text("B:W41,K37:BK46").as_deref(), Some("Black has no moves: Black wins"));
    // A king against a king is not drawn, under any profile: one of them soon has to capture.
    for &(profile, name) in DrawProfile::ALL {
        let policy = DrawPolicy::new::<Losing>(Some(profile), Immediate);
        assert_eq!(start::<Losing>("W:WK1:BK10").over(&policy), None, "{name}");
    }
}

#[test]
fn the_first_king_wins_at_breakthrough() {
    let policy = DrawPolicy::of::<Breakthrough>();
    let mut game = start::<Breakthrough>("W:W7,32:B20");
    play_all(&mut game, "7-1");
    let over = game.over(&policy).expect("a king was made");
    assert_eq!(over, GameOver::Win(Side::White, WinReason::Crowned));
    assert_eq!(over.to_string(), "White made a king: White wins");
    // A man that only passes over the far row has not made one.
    let mut game = start::<Breakthrough>("W:W14:B2,8,9,20");
    play_all(&mut game, "14x12x8x9");
    assert_eq!(game.over(&policy), None);
}

#[test]
fn profiles_without_counts_never_stop_a_game() {
    for profile in [DrawProfile::Repetition, DrawProfile::None] {
        let policy = DrawPolicy::new::<International>(Some(profile), Exact);
        for fen in ["W:WK47,K49:BK2,K4", "W:WK47,K48,K49:BK2", "W:WK47:BK2"] {
            let mut game = start::<International>(fen);
            walk(&mut game, 60, &calm_kings);
            assert_eq!(game.over(&policy), None, "{profile:?}: {fen}");
        }
    }
}

fn play_all<V: Variant>(game: &mut Game<V>, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = parse_move(game.position(), text);
        game.play(mv).unwrap();
    }
}

#[test]
fn third_occurrence_draws_with_the_same_side_to_move() {
    let mut game = start::<International>("W:WK50,48:BK1,3");
    play_all(&mut game, "50-45 1-6 45-50 6-1 50-45 1-6 45-50 6-1");
    for profile in
        [DrawProfile::Fmjd, DrawProfile::Idf, DrawProfile::Lidraughts, DrawProfile::Cbjd, DrawProfile::Repetition]
    {
        let policy = DrawPolicy::new::<International>(Some(profile), Exact);
        assert_drawn_at_end(&game, &policy, "threefold repetition");
    }
    assert_eq!(game.over(&DrawPolicy::new::<International>(Some(DrawProfile::None), Exact)), None);
}

#[test]
fn occurrences_need_not_be_in_a_row() {
    let mut game = start::<Brazilian>("W:WK32,30:BK1,3");
    play_all(&mut game, "32-28 1-5 28-32 5-1 32-27 1-6 27-32 6-1");
    assert_drawn_at_end(&game, &DrawPolicy::of::<Brazilian>(), "threefold repetition");
}

#[test]
fn the_same_pieces_with_the_other_side_to_move_are_another_position() {
    // White loses a move on the way back: the pieces recur after five plies, then after ten.
    let mut game = start::<International>("W:WK50,48:BK1,3");
    play_all(&mut game, "50-44 1-7 44-39 7-1 39-50 1-7 50-44 7-1 44-39 1-7 39-50 7-1");
    assert_eq!(game.repetitions(), 2);
    assert_eq!(game.over(&DrawPolicy::of::<International>()), None);
}

#[test]
fn a_man_move_makes_earlier_positions_unreachable() {
    let mut game = start::<International>("W:WK50,48:BK1,3");
    play_all(&mut game, "50-45 1-6 45-50 6-1 48-42 3-8");
    assert_eq!(game.reversible_keys(), [game.state().key]);
    play_all(&mut game, "50-45 1-6");
    assert_eq!(game.reversible_keys().len(), 3);
}

#[test]
fn the_move_that_creates_an_ending_is_not_counted() {
    // The first crowning makes it three pieces with a king against a king.
    let mut game = start::<International>("W:W8,48,49:BK16");
    let crowning = |game: &Game<International>, mv| game.position().crowns(mv) && offers_nothing(game, mv);
    walk(&mut game, 1, &crowning);
    walk(&mut game, 32, &calm_kings);
    let text = "16 moves each with three pieces, at least one a king, against a king (FMJD 6.3)";
    assert_drawn_at_end(&game, &DrawPolicy::of::<International>(), text);
}

fn offers_nothing<V: Variant>(game: &Game<V>, mv: Move) -> bool {
    let next = game.position().after(mv);
    !movegen::can_capture(&next, next.side_to_move())
}

#[test]
fn man_moves_and_further_crownings_do_not_restart_a_count() {
    let mut game = start::<International>("W:WK47,8,42:BK16");
    walk(&mut game, 8, &calm_kings);
    walk(&mut game, 1, &|game, mv| is_calm(game, mv) && !is_king_move(game, mv));
    walk(&mut game, 5, &calm_kings);
    walk(&mut game, 1, &|game, mv| game.position().crowns(mv) && offers_nothing(game, mv));
    walk(&mut game, 17, &calm_kings);
    let text = "16 moves each with three pieces, at least one a king, against a king (FMJD 6.3)";
    assert_drawn_at_end(&game, &DrawPolicy::of::<International>(), text);
}

/// White lets the lone king take one piece and is not able to take back.
fn give_up_a_piece<V: Variant>(game: &mut Game<V>) {
    walk(game, 2, &|game, mv| match game.position().side_to_move() {
        Side::White => !offers_nothing(game, mv),
        Side::Black => mv.captured.count() == 1 && offers_nothing(game, mv),
    });
}

#[test]
fn a_capture_into_a_smaller_ending_starts_its_own_count() {
    let mut game = start::<International>("W:WK47,K48,K49:BK2");
    walk(&mut game, 30, &calm_kings);
    give_up_a_piece(&mut game);
    walk(&mut game, 10, &calm_kings);
    let text = "5 moves each with two pieces or fewer, at least one a king, against a king (FMJD 6.4)";
    assert_drawn_at_end(&game, &DrawPolicy::of::<International>(), text);
}

#[test]
fn a_capture_within_an_ending_does_not_restart_it() {
    let mut game = start::<International>("W:WK47,K48:BK2");
    walk(&mut game, 4, &calm_kings);
    give_up_a_piece(&mut game);
    walk(&mut game, 4, &calm_kings);
    let text = "5 moves each with two pieces or fewer, at least one a king, against a king (FMJD 6.4)";
    assert_drawn_at_end(&game, &DrawPolicy::new::<International>(Some(DrawProfile::Fmjd), Count), text);
}

#[test]
fn the_long_diagonal_is_counted_only_while_held() {
    let mut game = start::<Brazilian>("B:WK30,31,32:BK4");
    let holds = |game: &Game<Brazilian>, mv: Move| {
        is_calm(game, mv) && takes_diagonal(game, mv) != (6..12).contains(&game.moves().len())
    };
    walk(&mut game, 16, &holds);
    let text =
        "5 moves each with three pieces, at least one a king, against a king holding the long diagonal (IDF 7.2.7)";
    assert_drawn_at_end(&game, &DrawPolicy::of::<Brazilian>(), text);
}

#[test]
fn a_second_piece_on_the_long_diagonal_breaks_the_hold() {
    let mut game = start::<Brazilian>("W:W18,22,K32:BK4");
    walk(&mut game, 1, &|game, mv| is_calm(game, mv));
    assert_eq!(game.state().clocks.diagonal_plies, 0, "White stands on the diagonal too");
}

#[test]
fn a_win_on_the_last_counted_move_comes_first() {
    static AT_ONCE: DrawRules = DrawRules {
        repetition: Repetition::Third,
        king_moves: Some(0),
        endings: &[],
        king_against_king: true,
        shortest: 0,
    };
    let policy = DrawPolicy { rules: &AT_ONCE, king_against_king: Immediate };
    // The king in the corner is shut in by two pieces in a row; one square further it is not.
    let blocked = start::<International>("B:W41,K37:BK46").over(&policy);
    assert_eq!(blocked, Some(GameOver::Win(Side::White, WinReason::NoMoves(Side::Black))));
    let free = start::<International>("B:W41,K32:BK46").over(&policy);
    assert_eq!(free, Some(GameOver::Draw(Verdict::Rule(DrawReason::KingMoves(0)))));
    let mut game = start::<Brazilian>("W:WK29:BK22");
    play_all(&mut game, "29x18x22");
    assert_eq!(game.over(&policy), Some(GameOver::Win(Side::White, WinReason::NoPieces(Side::Black))));
}

/// Win (1), loss (-1) or neither (0) of every king against king, by retrograde analysis with the
/// slow generator: wins and losses are spread until nothing changes.
fn solve_king_pairs<V: Variant>() -> Vec<(Position<V>, i32)> {
    let squares = 1..=V::Board::SQUARES;
    let pairs = squares.clone().flat_map(|one| squares.clone().map(move |other| (one, other)));
    let keys: Vec<_> = pairs.filter(|(one, other)| one != other).flat_map(|pair| [(pair, "W"), (pair, "B")]).collect();
    let index: HashMap<_, _> = keys.iter().copied().zip(0..).collect();
    let positions: Vec<Position<V>> =
        keys.iter().map(|((white, black), side)| position(&format!("{side}:WK{white}:BK{black}"))).collect();
    // A capture ends the game; every other move leads to another pair.
    let mut values = vec![0; keys.len()];
    let mut next = vec![Vec::new(); keys.len()];
    for (at, &((white, black), side)) in keys.iter().enumerate() {
        for (_, to, captured, _) in Board::of(&positions[at]).legal_moves().expect("two kings have few moves") {
            match (captured.is_empty(), side) {
                (false, _) => values[at] = 1,
                (true, "W") => next[at].push(index[&((to, black), "B")]),
                (true, _) => next[at].push(index[&((white, to), "W")]),
            }
        }
    }
    loop {
        let before = values.clone();
        for at in (0..keys.len()).filter(|&at| before[at] == 0) {
            if next[at].iter().any(|&to: &usize| before[to] == -1) {
                values[at] = 1;
            } else if next[at].iter().all(|&to| before[to] == 1) {
                values[at] = -1;
            }
        }
        if values == before {
            return positions.into_iter().zip(values).collect();
        }
    }
}

fn king_against_king_is_exact<V: Variant>() {
    if V::RULES.goal != Goal::Block {
        // Then neither side wants to capture, or there is no second king.
        return;
    }
    let policy = |kvk| DrawPolicy::new::<V>(Some(DrawProfile::Fmjd), kvk);
    let solved = solve_king_pairs::<V>();
    let count = |value| solved.iter().filter(|(_, found)| *found == value).count();
    let captures = solved.iter().filter(|(position, _)| movegen::can_capture(position, position.side_to_move()));
    // All positions, those with a capture at once, won, lost, drawn.
    let known = [(4900, 816, 848, 4, 4048), (1984, 364, 388, 4, 1592), (4900, 1296, 1328, 4, 3568)];
    let found = (solved.len(), captures.count(), count(1), count(-1), count(0));
    assert!(known.contains(&found), "{found:?}");
    assert_eq!(found.1 == 1296, V::RULES.capture_lines == CaptureLines::All, "only these lines change it");
    for (position, value) in solved {
        let draw = Some(GameOver::Draw(Verdict::Rule(DrawReason::KingAgainstKing)));
        let game = Game::new(position);
        let expected = if value == 0 { draw } else { None };
        assert_eq!(game.over(&policy(Exact)), expected, "{}", support::fen(&position));
        assert_eq!(game.over(&policy(Immediate)), draw);
        assert_eq!(game.over(&policy(Count)), None);
    }
}

fn the_default_profile_is_what_no_choice_means<V: Variant>() {
    assert!(std::ptr::eq(V::RULES.draws(None), V::RULES.draws(Some(V::RULES.default_draws))));
}

#[test]
fn the_referee_counts_pieces_then_kings() {
    let verdict = |fen| start::<International>(fen).count_pieces();
    assert_eq!(verdict("W:W31,32:BK5"), GameOver::PieceCount(Some(Side::White)));
    assert_eq!(verdict("W:W31,32:BK5,6"), GameOver::PieceCount(Some(Side::Black)));
    assert_eq!(verdict("W:W31,K32:BK5,6"), GameOver::PieceCount(None));
    let losing = |fen| start::<Losing>(fen).count_pieces();
    assert_eq!(losing("W:W31,32:BK5"), GameOver::PieceCount(Some(Side::Black)));
    assert_eq!(losing("W:W31,32:BK5,6"), GameOver::PieceCount(Some(Side::White)));
    assert_eq!(verdict("W:W31,32:BK5").to_string(), "White wins on pieces at the move limit");
    assert_eq!(verdict("W:W31,K32:BK5,6").to_string(), "equal pieces at the move limit: draw");
    assert_eq!(verdict("W:W31,32:BK5").result::<International>(), "2-0");
    assert_eq!(verdict("W:W31,K32:BK5,6").result::<International>(), "1-1");
}

#[test]
fn draw_offers_wait_for_enough_moves_of_both() {
    let mut game = start::<International>("W:WK47,K49:BK2,K4");
    walk(&mut game, 79, &calm_kings);
    assert!(!game.has_moves_each(40));
    walk(&mut game, 1, &calm_kings);
    assert!(game.has_moves_each(40));
}

#[test]
fn other_ends_have_a_text_each() {
    let policy = DrawPolicy::of::<International>();
    let text = |fen| start::<International>(fen).over(&policy).map(|over| over.to_string());
    assert_eq!(text("W:W:B20").as_deref(), Some("White has no pieces: Black wins"));
    assert_eq!(text("B:W41,K37:BK46").as_deref(), Some("Black has no moves: White wins"));
    assert_eq!(text("W:WK1:BK10").as_deref(), Some("draw by king against king"));
    assert_eq!(GameOver::Draw(Verdict::Agreed).to_string(), "draw by agreement");
    assert_eq!(GameOver::Win(Side::Black, WinReason::Resigned).to_string(), "White resigned: Black wins");
}

/// The row of a profile in the documentation, written from the data.
fn documented_row(label: &str, rules: &DrawRules) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let repetition = |repetition| match repetition {
        Repetition::Third => "yes",
        Repetition::SearchOnly => "in search",
        Repetition::Ignored => "no",
    };
    let endings = rules.endings.iter().map(|rule| {
        let instead = if rule.replaces_king_moves { " (instead of the king moves)" } else { "" };
        format!("{}: {}, {}{instead}", rule.moves, rule.text, rule.article)
    });
    let endings = endings.collect::<Vec<_>>().join("; ");
    let kings = rules.king_moves.map_or("-".into(), |moves| moves.to_string());
    let endings = if endings.is_empty() { "-" } else { &endings };
    format!("| {label} | {} | {kings} | {endings} | {} |", repetition(rules.repetition), yes(rules.king_against_king))
}

fn the_documentation_lists_the_profiles<V: Variant>() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    let text = std::fs::read_to_string(path).unwrap();
    for &(profile, name) in DrawProfile::ALL {
        let label = match profile {
            DrawProfile::Lidraughts => format!("`{name}`, {:?}", V::ID),
            _ => format!("`{name}`"),
        };
        let row = documented_row(&label, V::RULES.draws(Some(profile)));
        assert!(text.lines().any(|line| line == row), "docs/rules.md lacks this row:\n{row}");
    }
    let (_, name) = DrawProfile::ALL.iter().find(|(profile, _)| *profile == V::RULES.default_draws).unwrap();
    let default = format!("{:?}: `{name}`", V::ID);
    assert!(text.contains(&default), "docs/rules.md lacks the default `{default}`");
}

for_every_variant!(
    king_against_king_is_exact,
    the_default_profile_is_what_no_choice_means,
    the_documentation_lists_the_profiles
);
