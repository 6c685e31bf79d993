//! The longest time that the generator takes for one position, over crowded random positions of each
//! variant: kings and men on 30 squares and more, and many of them to capture.
//!
//! `cargo bench --bench captures -- [POSITIONS]` (1,000); prints a row per variant.

use std::time::{Duration, Instant};

use meerslag::board::{MoveList, Piece, Position, Role, Setup, Side, movegen};
use meerslag::notation::fen;
use meerslag::util::rng::Rng;
use meerslag::variant::rules::Goal;
use meerslag::variant::{Geometry, Task, Variant, VariantId};

/// Fewest pieces, as far as the board has room for some freedom.
const PIECES: u32 = 30;

fn main() {
    // Cargo adds flags of its own.
    let positions = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(1000);
    println!("{:<10} {:>12} {:>12}   worst position", "variant", "median", "worst");
    for &variant in VariantId::ALL {
        variant.dispatch(Crowded { positions });
    }
}

struct Crowded {
    positions: usize,
}

impl Task for Crowded {
    type Output = ();

    fn run<V: Variant>(self) {
        let mut rng = Rng::new(30);
        let mut list = MoveList::new();
        let mut times: Vec<(Duration, Position<V>)> = Vec::new();
        while times.len() < self.positions {
            let Some(position) = crowded::<V>(&mut rng) else { continue };
            let started = Instant::now();
            movegen::generate(&position, &mut list);
            times.push((started.elapsed(), position));
        }
        times.sort_by_key(|(time, _)| *time);
        let (worst, position) = times[times.len() - 1];
        let median = times[times.len() / 2].0;
        println!("{:<10} {median:>12.1?} {worst:>12.1?}   {}", V::ID, fen::write(&position));
    }
}

/// A crowded position of pieces drawn in random shares.
fn crowded<V: Variant>(rng: &mut Rng) -> Option<Position<V>> {
    let squares = V::Board::SQUARES;
    let most = squares - squares / 10;
    let pieces = PIECES.min(most) + rng.below((most - PIECES.min(most) + 1) as usize) as u32;
    let (own, kings) = (1 + rng.below(6), rng.below(11));
    let mut setup = Setup::empty(squares, Side::White);
    while setup.squares.iter().flatten().count() < pieces as usize {
        let side = if rng.below(12) < own { Side::White } else { Side::Black };
        let king = V::RULES.goal != Goal::Crown && rng.below(10) < kings;
        let role = if king { Role::King } else { Role::Man };
        let index = rng.below(squares as usize);
        let row = index as u32 / V::Board::ROW;
        let far_row = if side == Side::White { 0 } else { V::Board::SIDE - 1 };
        if role == Role::King || row != far_row {
            setup.squares[index] = Some(Piece { side, role });
        }
    }
    Position::try_from(&setup).ok()
}
