//! Random positions and games, the same on every run.

use meerslag::board::{Bitboard, Game, Piece, Position, Role, Setup, Side, legal_moves};
use meerslag::util::rng::Rng;
use meerslag::variant::rules::Goal;
use meerslag::variant::{Geometry, Variant};

/// The role where kings are played with; a man where the first king ends the game.
fn playable<V: Variant>(role: Role) -> Role {
    if V::RULES.goal == Goal::Crown { Role::Man } else { role }
}

/// A position with up to the given men and kings of each side, at least one piece each.
pub fn setup<V: Variant>(rng: &mut Rng, men: usize, kings: usize) -> Position<V> {
    loop {
        let side = Side::BOTH[rng.below(2)];
        let mut setup = Setup::empty(V::Board::SQUARES, side);
        for side in Side::BOTH {
            for (role, most) in [(Role::Man, men), (Role::King, kings)] {
                for _ in 0..rng.below(most + 1) {
                    // A taken square is simply not used twice.
                    let number = rng.below(V::Board::SQUARES as usize) as u32 + 1;
                    if setup.squares[number as usize - 1].is_none() {
                        setup.put(number, Piece { side, role: playable::<V>(role) }).unwrap();
                    }
                }
            }
        }
        match Position::try_from(&setup) {
            Ok(position) if Side::BOTH.iter().all(|&side| !position.pieces(side).is_empty()) => return position,
            // No piece, or a man on its crowning row: try again.
            _ => {}
        }
    }
}

/// A king alone on the long diagonal against three pieces of White, at least two of them kings; men
/// where there are no kings.
pub fn lone_king<V: Variant>(rng: &mut Rng) -> Position<V> {
    loop {
        let mut setup = Setup::empty(V::Board::SQUARES, Side::BOTH[rng.below(2)]);
        let mut diagonal = Bitboard(V::Board::LONG_DIAGONAL);
        let holder = diagonal.nth(rng.below(V::Board::SIDE as usize)).expect("the diagonal has SIDE squares");
        setup.put(holder.number::<V>(), Piece { side: Side::Black, role: playable::<V>(Role::King) }).unwrap();
        for role in [Role::King, Role::King, Role::Man] {
            let number = rng.below(V::Board::SQUARES as usize) as u32 + 1;
            if setup.squares[number as usize - 1].is_none() {
                setup.put(number, Piece { side: Side::White, role: playable::<V>(role) }).unwrap();
            }
        }
        match Position::try_from(&setup) {
            Ok(position) if position.occupied().count() == 4 => return position,
            // A square taken twice, or a man on its crowning row: try again.
            _ => {}
        }
    }
}

/// A game of random moves from `start`, ended after `plies` or when a side cannot move.
pub fn game<V: Variant>(rng: &mut Rng, start: Position<V>, plies: usize) -> Game<V> {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let legal = legal_moves(game.position());
        if legal.is_empty() {
            break;
        }
        game.play(legal[rng.below(legal.len())]).unwrap();
    }
    game
}

/// Games from the start, from crowded and king-rich positions, and from endings.
pub fn games<V: Variant>(seed: u64, each: usize) -> Vec<Game<V>> {
    let mut rng = Rng::new(seed);
    let squares = V::Board::SQUARES as usize;
    let mut games = Vec::new();
    for _ in 0..each {
        games.push(game(&mut rng, Position::start(), 200));
        for (men, kings) in [(squares / 3, 2), (squares / 8, squares / 8), (2, 1), (1, 2), (0, 3)] {
            let start = setup(&mut rng, men, kings);
            games.push(game(&mut rng, start, 100));
        }
    }
    games
}
