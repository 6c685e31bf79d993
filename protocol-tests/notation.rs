//! Notation on random games: whatever is written reads back, in every variant.

mod support;

use std::collections::HashSet;

use meerslag::board::{Move, Piece, Position, Role, Setup, Side, Square, legal_moves};
use meerslag::notation::hub::HubMove;
use meerslag::notation::pdn::{GameResult, PdnGame, Reader, Tags, write_game};
use meerslag::notation::route::stops_through;
use meerslag::notation::squares::write_square_in;
use meerslag::notation::{fen, hub, movetext, read_position};
use meerslag::util::rng::Rng;
use meerslag::variant::rules::{CaptureChoice, Goal};
use meerslag::variant::{Brazilian, Geometry, International, SquareStyle, Variant};
use support::{for_every_variant, random};

/// A position with random pieces, a good part of them kings if they do not end the game. In every second
/// one a few pieces meet opponents with gaps: captures that can be told apart only by their way.
fn random_position<V: Variant>(rng: &mut Rng) -> Position<V> {
    let squares = V::Board::SQUARES as usize;
    let mover = Side::BOTH[rng.below(2)];
    let hunt = rng.below(2) == 0;
    let kings = V::RULES.goal != Goal::Crown;
    let mut setup = Setup::empty(V::Board::SQUARES, mover);
    for count in 0..=rng.below(if hunt { squares } else { squares * 2 / 3 }) {
        let number = 1 + rng.below(squares) as u32;
        let side = match hunt {
            true if count < 2 => mover,
            true => mover.opponent(),
            false => Side::BOTH[rng.below(2)],
        };
        let far = Position::<V>::crown_row(side).contains(Square::from_number::<V>(number).unwrap());
        let crowned = kings && (far || hunt && count < 2 || rng.below(3) == 0);
        // In every second row they do not cover each other.
        if hunt && count >= 2 && ((number - 1) / V::Board::ROW).is_multiple_of(2) {
            continue;
        }
        // A square that is taken keeps its piece, wherever that belongs.
        if setup.squares[number as usize - 1].is_none() && (crowned || !far) {
            setup.put(number, Piece { side, role: if crowned { Role::King } else { Role::Man } }).unwrap();
        }
    }
    setup.king_runs = Side::BOTH.map(|side| random_king_run(&setup, side, rng));
    // Without a piece it is no position.
    Position::try_from(&setup).unwrap_or_else(|_| random_position(rng))
}

/// In every second case a number of moves with a king of this side, if it has one.
fn random_king_run(setup: &Setup, side: Side, rng: &mut Rng) -> Option<(u32, u8)> {
    let king = Some(Piece { side, role: Role::King });
    let kings: Vec<usize> = (0..setup.squares.len()).filter(|&index| setup.squares[index] == king).collect();
    let chosen = !kings.is_empty() && rng.below(2) == 0;
    chosen.then(|| (1 + kings[rng.below(kings.len())] as u32, 1 + rng.below(3) as u8))
}

/// The position without the king moves behind it, which the Hub form does not tell.
fn without_king_runs<V: Variant>(position: &Position<V>) -> Position<V> {
    Position::try_from(&Setup { king_runs: [None; 2], ..position.setup() }).unwrap()
}

/// Calls `check` with many positions from play and with random pieces.
fn for_positions<V: Variant>(mut check: impl FnMut(&Position<V>)) {
    let mut rng = Rng::new(7);
    for _ in 0..60 {
        let game = random::game::<V>(&mut rng, Position::start(), 120);
        game.states().iter().for_each(|state| check(&state.position));
    }
    for _ in 0..12000 {
        check(&random_position(&mut rng));
    }
}

fn positions_read_back<V: Variant>() {
    assert_eq!(read_position::<V>("start"), Ok(Position::start()));
    for_positions::<V>(|position| {
        for style in [SquareStyle::Numeric, SquareStyle::Algebraic] {
            let text = fen::write_in(position, style);
            assert_eq!(fen::position::<V>(&text).as_ref(), Ok(position), "{text}");
            assert_eq!(fen::position::<V>(&format!("[FEN \"{}.\"]", text.to_lowercase())).as_ref(), Ok(position));
            assert_eq!(read_position::<V>(&text).as_ref(), Ok(position), "{text}");
        }
        let pieces = without_king_runs(position);
        let text = hub::write_position(position);
        assert_eq!(hub::read_position::<V>(&text), Ok(pieces), "{text}");
        assert_eq!(read_position::<V>(&text), Ok(pieces), "{text}");
        let run = |(side, run): (Side, Option<_>)| run.map(|(king, moves)| format!("{}{king}={moves} ", side.letter()));
        let runs: String = Side::BOTH.into_iter().zip(position.setup().king_runs).filter_map(run).collect();
        assert_eq!(hub::with_king_runs(pieces, &runs).as_ref(), Ok(position), "{text}");
    });
}

fn moves_read_back<V: Variant>() {
    let mut ambiguous = 0;
    let mut rng = Rng::new(3);
    for_positions::<V>(|position| {
        let legal = legal_moves(position);
        let mut texts = HashSet::new();
        for &mv in legal.iter() {
            let name = || format!("{} {}", fen::write(position), HubMove::of::<V>(mv));
            let text = movetext::write(position, mv);
            ambiguous += usize::from(text.split(V::NOTATION.capture).count() > 2);
            assert_eq!(movetext::read(position, &text), Ok(mv), "{text}: {}", name());
            assert!(texts.insert(text), "written alike: {}", name());
            if mv.is_capture() {
                check_capture(position, mv, &mut rng);
            }
            let hub = HubMove::of::<V>(mv);
            assert_eq!(hub.to_string().parse(), Ok(hub.clone()));
            assert_eq!(hub.resolve::<V>(&legal), Some(mv), "{}", name());
            assert_eq!(hub.mirrored::<V>().mirrored::<V>(), hub);
        }
    });
    assert!(ambiguous > 100, "{ambiguous} ambiguous captures are too few to prove anything");
}

/// The full path in both styles, and the Hub form in another order, mean the same move.
fn check_capture<V: Variant>(position: &Position<V>, mv: Move, rng: &mut Rng) {
    let stops = stops_through(position, mv, &[]).unwrap_or_else(|| panic!("{} {mv:?}", fen::write(position)));
    assert_eq!(stops.len() + 1, mv.captured.count() as usize);
    let path: Vec<Square> = [mv.from].into_iter().chain(stops).chain([mv.to]).collect();
    for style in [SquareStyle::Numeric, SquareStyle::Algebraic] {
        let path: Vec<String> = path.iter().map(|square| write_square_in::<V>(*square, style)).collect();
        let text = path.join([":", "x", " "][rng.below(3)]);
        assert_eq!(movetext::read(position, &text), Ok(mv), "{text} in {}", fen::write(position));
    }
    let mut hub = HubMove::of::<V>(mv);
    let shift = rng.below(hub.captured.len());
    hub.captured.rotate_left(shift);
    match movetext::read(position, &hub.to_string()) {
        // Where captures differ in length, the squares can also be those of another way, read first.
        Ok(other) if V::RULES.choice == CaptureChoice::Free && other != mv => {
            assert_eq!(Some(&other.to.number::<V>()), hub.captured.last(), "{hub} in {}", fen::write(position));
        }
        read => assert_eq!(read, Ok(mv), "{hub} in {}", fen::write(position)),
    }
}

fn games_read_back<V: Variant>() {
    let mut rng = Rng::new(11);
    let mut file = Vec::new();
    let mut games = Vec::new();
    for number in 0..80 {
        let start = if number % 2 == 0 { Position::start() } else { random_position::<V>(&mut rng) };
        let game = random::game(&mut rng, start, 150);
        let tags: Tags = [("Event", "Random"), ("Round", number.to_string().as_str())].into_iter().collect();
        let results = [GameResult::Draw, GameResult::Open, GameResult::Win(Side::Black), GameResult::BothLose];
        let record = PdnGame::of(&game, tags, results[number % 4].clone());
        assert_eq!(record.played().unwrap().moves(), game.moves());
        write_game(&mut file, &record).unwrap();
        games.push(record);
    }
    let text = String::from_utf8(file).unwrap();
    assert!(text.lines().all(|line| line.len() <= 79 || line.starts_with("[FEN ")));
    for text in [text.clone(), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
        let mut read = Reader::<V, _>::new(text.as_bytes());
        for game in &games {
            let back = read.next().unwrap().unwrap();
            assert_eq!((&back.line, &back.start, &back.result), (&game.line, &game.start, &game.result));
            assert_eq!(back.tags.get("Round"), game.tags.get("Round"));
        }
        assert!(read.next().is_none());
    }
}

for_every_variant!(positions_read_back, moves_read_back, games_read_back);

#[test]
fn dense_boards_do_not_explode() {
    // As many crossing ways as a board can hold.
    let text = "W:WK36,K49:BK7,K9,K10,K17,K18,K20,K27,K28,K30,K37,K38,K39,K40";
    let position = fen::position::<International>(text).unwrap();
    let began = std::time::Instant::now();
    let legal = legal_moves(&position);
    for &mv in legal.iter().take(20) {
        assert_eq!(movetext::read(&position, &movetext::write(&position, mv)), Ok(mv));
    }
    assert!(legal.len() > 1 && began.elapsed().as_secs() < 20, "{} moves, {:?}", legal.len(), began.elapsed());
}

#[test]
fn numbers_of_the_other_numbering_are_told_apart() {
    let start = Position::<Brazilian>::start();
    let legal = legal_moves(&start);
    let bottom_up: HubMove = "9-13".parse().unwrap();
    assert_eq!(bottom_up.resolve::<Brazilian>(&legal), None);
    let mv = bottom_up.mirrored::<Brazilian>().resolve::<Brazilian>(&legal).unwrap();
    assert_eq!(movetext::write(&start, mv), "a3-b4");
}
