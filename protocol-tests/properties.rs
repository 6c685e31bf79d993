//! Properties of the board that hold in every position, checked on random games and positions.

mod support;

use std::collections::HashSet;

use meerslag::board::perft::perft;
use meerslag::board::{Clocks, Game, Key, Move, Position, Role, Setup, Side, Square, State, legal_moves, movegen};
use meerslag::util::rng::Rng;
use meerslag::variant::rules::Goal;
use meerslag::variant::{Geometry, Variant};
use support::reference::{Board, plain};
use support::{fen, for_every_variant, random};

/// Compares with the slow generator; whether it could be used.
fn agrees_with_slow<V: Variant>(position: &Position<V>) -> bool {
    let Some(slow) = Board::of(position).legal_moves() else { return false };
    let legal = legal_moves(position);
    assert_eq!(plain(position, &legal), slow, "{}", fen(position));
    assert_eq!(legal.len(), slow.len(), "a move is listed twice in {}", fen(position));
    true
}

fn legal_moves_match_the_slow_generator_in_games<V: Variant>() {
    for game in random::games::<V>(1, 8) {
        for state in game.states() {
            agrees_with_slow(&state.position);
        }
    }
}

fn legal_moves_match_the_slow_generator_in_setups<V: Variant>() {
    let mut rng = Rng::new(2);
    let squares = V::Board::SQUARES as usize;
    let (mut tried, mut compared) = (0, 0);
    for (men, kings) in [(squares * 2 / 5, 0), (squares / 3, 3), (squares / 5, squares / 5), (4, 6), (0, squares / 4)] {
        for _ in 0..800 {
            tried += 1;
            compared += usize::from(agrees_with_slow(&random::setup::<V>(&mut rng, men, kings)));
        }
    }
    assert!(compared * 100 >= tried * 98, "only {compared} of {tried} positions were simple enough to compare");
}

fn move_lists_count_and_predicates_agree<V: Variant>() {
    for game in random::games::<V>(3, 20) {
        for State { position, .. } in game.states() {
            let legal = legal_moves(position);
            let distinct: HashSet<&Move> = legal.iter().collect();
            assert_eq!(distinct.len(), legal.len(), "{}", fen(position));
            assert_eq!(perft(position, 1), legal.len() as u64, "{}", fen(position));
            let two_plies: usize = legal.iter().map(|&mv| legal_moves(&position.after(mv)).len()).sum();
            assert_eq!(perft(position, 2), two_plies as u64, "{}", fen(position));
            assert_eq!(movegen::has_moves(position), !legal.is_empty(), "{}", fen(position));
            let captures = legal.iter().any(|mv| mv.is_capture());
            assert_eq!(movegen::can_capture(position, position.side_to_move()), captures, "{}", fen(position));
        }
    }
}

fn incremental_key_is_the_key_from_scratch<V: Variant>() {
    let mut keys = std::collections::HashMap::new();
    for game in random::games::<V>(4, 40) {
        for state in game.states() {
            assert_eq!(state.key, Key::of(&state.position), "{}", fen(&state.position));
            let first = *keys.entry(state.key).or_insert(state.position);
            assert_eq!(first, state.position, "two positions with one key");
        }
    }
}

/// The counted king moves after the mover's piece went to `to` and the captured ones are gone.
fn runs_after(setup: &Setup, from: u32, to: u32, is_king_move: bool) -> [Option<(u32, u8)>; 2] {
    let has_men = |side| setup.squares.iter().flatten().any(|piece| piece.side == side && piece.role == Role::Man);
    Side::BOTH.map(|side| {
        let before = setup.king_runs[side.index()];
        let now = if side != setup.side {
            before.filter(|(number, _)| setup.squares[*number as usize - 1].is_some())
        } else if is_king_move {
            let same = before.filter(|(number, _)| *number == from);
            Some((to, same.map_or(1, |(_, moves)| moves + 1)))
        } else {
            None
        };
        now.filter(|_| has_men(side))
    })
}

/// What a move does to a list of pieces, told without bitboards.
fn moved<V: Variant>(position: &Position<V>, mv: Move) -> String {
    let mut setup = position.setup();
    let index = |square: Square| square.number::<V>() as usize - 1;
    let mut piece = setup.squares[index(mv.from)].take().expect("a move starts from a piece");
    mv.captured.for_each(|square| setup.squares[index(square)] = None);
    let row = index(mv.to) as u32 / V::Board::ROW;
    let far_row = if setup.side == Side::White { 0 } else { V::Board::SIDE - 1 };
    let is_king_move = !mv.is_capture() && piece.role == Role::King;
    if row == far_row || mv.crowned_in_passing {
        piece.role = Role::King;
    }
    setup.squares[index(mv.to)] = Some(piece);
    setup.king_runs = runs_after(&setup, mv.from.number::<V>(), mv.to.number::<V>(), is_king_move);
    if V::RULES.king_run_limit.is_none() {
        setup.king_runs = [None; 2];
    }
    setup.side = setup.side.opponent();
    // Capturing the last piece leaves a board that no setup may have, so compare as text.
    format!("{setup:?}")
}

fn a_move_changes_the_copy_alone<V: Variant>() {
    for game in random::games::<V>(5, 12) {
        for state in game.states() {
            let before = *state;
            for &mv in &legal_moves(&state.position) {
                let after = state.after(mv);
                assert_eq!(*state, before);
                assert_eq!(
                    format!("{:?}", after.position.setup()),
                    moved(&state.position, mv),
                    "{}",
                    fen(&state.position)
                );
            }
        }
    }
}

fn undo_restores_the_game<V: Variant>() {
    for mut game in random::games::<V>(6, 20) {
        let (states, moves) = (game.states().to_vec(), game.moves().to_vec());
        for played in (0..moves.len()).rev() {
            assert_eq!(game.undo(), Some(moves[played]));
            assert_eq!((game.states(), game.moves()), (&states[..=played], &moves[..played]));
        }
        assert_eq!(game.undo(), None);
        assert_eq!(*game.start(), *game.position());
        // Playing on after taking back gives the same game again.
        moves.iter().for_each(|&mv| game.play(mv).unwrap());
        assert_eq!(game.states(), states);
    }
}

fn illegal_moves_leave_the_game_alone<V: Variant>() {
    let mut game = Game::<V>::new(Position::start());
    let back = legal_moves(game.position())[0];
    let nonsense = Move::quiet(back.to, back.from);
    assert_eq!(game.play(nonsense).unwrap_err().0, nonsense);
    assert_eq!(game.moves().len(), 0);
    assert_eq!(*game.position(), Position::start());
}

/// Lone-king ending: the number of pieces against it, 2 standing for 1 as well.
fn lone_king_class<V: Variant>(position: &Position<V>) -> Option<u32> {
    Side::BOTH.into_iter().find_map(|side| {
        let lone = position.men(side).is_empty() && position.kings(side).count() == 1;
        let others = position.pieces(side.opponent()).count();
        let fits = lone && (1..=3).contains(&others) && !position.kings(side.opponent()).is_empty();
        fits.then_some(others.max(2))
    })
}

fn lone_king_has_the_diagonal<V: Variant>(position: &Position<V>) -> bool {
    let squares = |side| position.pieces(side).map(|square| square.number::<V>()).collect::<Vec<_>>();
    let side = V::Board::SIDE;
    // Going up from the lower left corner, each row's square lies one column further right.
    let diagonal = |number: u32| {
        let (row, k) = ((number - 1) / V::Board::ROW, (number - 1) % V::Board::ROW);
        2 * k + 1 - row % 2 == side - 1 - row
    };
    let (white, black) = (squares(Side::White), squares(Side::Black));
    let lone_on =
        |one: &[u32], others: &[u32]| one.len() == 1 && diagonal(one[0]) && !others.iter().any(|&n| diagonal(n));
    lone_on(&white, &black) || lone_on(&black, &white)
}

/// The clocks after the first `plies` moves, from the list of moves alone.
fn clocks_from_scratch<V: Variant>(game: &Game<V>, plies: usize) -> Clocks {
    let position = |ply: usize| &game.states()[ply].position;
    let is_king = |ply: usize| position(ply).all_kings().contains(game.moves()[ply].from);
    let crowns = |ply: usize| position(ply).all_kings().count() < position(ply + 1).all_kings().count();
    let quiet = |ply: usize| position(ply).occupied().count() == position(ply + 1).occupied().count();
    let trailing = |counts: &dyn Fn(usize) -> bool| (0..plies).rev().take_while(|&ply| counts(ply)).count() as u16;
    let class = lone_king_class(position(plies));
    let in_class = |ply: usize| class.is_some() && class == lone_king_class(position(ply));
    let lone_king_plies = trailing(&in_class);
    let first = plies - usize::from(lone_king_plies);
    let on_diagonal = |ply: &usize| class == Some(3) && lone_king_has_the_diagonal(position(ply + 1));
    Clocks {
        king_plies: trailing(&|ply| quiet(ply) && is_king(ply)),
        balance_plies: trailing(&|ply| quiet(ply) && !crowns(ply)),
        lone_king_plies,
        diagonal_plies: (first..plies).filter(on_diagonal).count() as u16,
    }
}

fn clocks_follow_from_the_moves<V: Variant>() {
    let (mut on_diagonal, mut in_ending) = (0, 0);
    let mut rng = Rng::new(9);
    let endings = (0..1000).map(|_| {
        let start = random::lone_king::<V>(&mut rng);
        random::game(&mut rng, start, 40)
    });
    for game in random::games::<V>(7, 40).into_iter().chain(endings) {
        for (plies, state) in game.states().iter().enumerate() {
            assert_eq!(state.clocks, clocks_from_scratch(&game, plies), "ply {plies} of {:?}", game.moves());
            on_diagonal += usize::from(state.clocks.diagonal_plies > 2);
            in_ending += usize::from(state.clocks.lone_king_plies > 10);
        }
    }
    let has_endings = V::RULES.goal != Goal::Crown;
    assert!(!has_endings || on_diagonal > 20 && in_ending > 100, "too few endings to tell: {on_diagonal}, {in_ending}");
}

fn colors_are_symmetric<V: Variant>() {
    let flip = |square: Square| V::Board::SQUARES + 1 - square.number::<V>();
    for game in random::games::<V>(8, 6) {
        for State { position, clocks, .. } in game.states() {
            let flipped = position.flipped();
            assert_eq!(flipped.flipped(), *position);
            let turned: HashSet<_> = legal_moves(position)
                .iter()
                .map(|&mv| {
                    let captured: std::collections::BTreeSet<_> = mv.captured.map(flip).collect();
                    (flip(mv.from), flip(mv.to), captured, position.after(mv).all_kings().contains(mv.to))
                })
                .collect();
            assert_eq!(turned, plain(&flipped, &legal_moves(&flipped)).into_iter().collect(), "{}", fen(position));
            assert_eq!(perft(position, 3), perft(&flipped, 3), "{}", fen(position));
            // Draw rules do not know colors either.
            let policy = meerslag::board::DrawPolicy::of::<V>();
            let reason = policy.reason(&State { clocks: *clocks, ..State::new(flipped) });
            assert_eq!(policy.reason(&State { clocks: *clocks, ..State::new(*position) }), reason, "{}", fen(position));
        }
    }
}

for_every_variant!(
    legal_moves_match_the_slow_generator_in_games,
    legal_moves_match_the_slow_generator_in_setups,
    move_lists_count_and_predicates_agree,
    incremental_key_is_the_key_from_scratch,
    a_move_changes_the_copy_alone,
    undo_restores_the_game,
    illegal_moves_leave_the_game_alone,
    clocks_follow_from_the_moves,
    colors_are_symmetric,
);
