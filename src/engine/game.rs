//! A game of any variant behind one object: the rules, for those who do not know the variant.

use super::erased::{has_two_numberings, renumber, replay};
use super::handle::PositionError;
use super::params::{Params, SquareNumbering};
use crate::board::{DrawPolicy, Game, GameOver, Position, Setup, Side};
use crate::notation::hub::{HubMove, write_position};
use crate::notation::{diagram, movetext};
use crate::variant::{Task, Variant, VariantId};

/// A game between this program and another one that may count squares from the other end of the board.
pub trait GameHandle: Send {
    /// What is played.
    fn variant(&self) -> VariantId;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The side that was to move at the start.
    fn first_to_move(&self) -> Side;

    /// Whether and how the game is over.
    fn over(&self) -> Option<GameOver>;

    /// Plays a move of the other program.
    ///
    /// # Errors
    /// If it is not legal, however squares are counted; the game is unchanged.
    fn receive(&mut self, mv: &HubMove) -> Result<(), PositionError>;

    /// Plays a legal move, in the numbering of this program; returns all of it as the other program counts.
    ///
    /// # Errors
    /// If it is not legal; the game is unchanged.
    fn send(&mut self, mv: &HubMove) -> Result<HubMove, PositionError>;

    /// Takes back moves until so many are left.
    fn truncate(&mut self, plies: usize);

    /// The start as a Hub position.
    fn start(&self) -> String;

    /// How many moves have been played.
    fn plies(&self) -> usize;

    /// The moves so far, in the numbering of this program.
    fn moves(&self) -> Vec<HubMove>;

    /// The last move as people write it.
    fn last_move(&self) -> Option<String>;

    /// Whether moves of the other program are counted from the bottom of the board.
    fn is_bottom_up(&self) -> bool;

    /// The board as text, `bottom`'s side of it below.
    fn board(&self, bottom: Side) -> String;
}

/// A game from `start`, or from the start of the variant. A position of another board than that of the
/// variant in `params` is one of the first variant that has such a board. `bottom_up` tells how the other
/// program was found to count squares, if it was.
///
/// # Errors
/// If there is no such position in the variant.
pub fn start_game(
    params: &Params,
    start: Option<&Setup>,
    bottom_up: bool,
) -> Result<Box<dyn GameHandle>, PositionError> {
    struct Start<'a>(&'a Params, Option<&'a Setup>, bool);
    impl Task for Start<'_> {
        type Output = Result<Box<dyn GameHandle>, PositionError>;
        fn run<V: Variant>(self) -> Self::Output {
            let Self(params, setup, bottom_up) = self;
            let start = match setup {
                None => Position::<V>::start(),
                Some(setup) => Position::try_from(setup).map_err(|error| bad(setup, &error.to_string()))?,
            };
            Ok(Box::new(Shared {
                game: Game::new(start),
                policy: params.draw_policy::<V>(),
                numbering: params.square_numbering,
                bottom_up: match params.square_numbering {
                    SquareNumbering::TopDown => false,
                    SquareNumbering::BottomUp => has_two_numberings::<V>(),
                    SquareNumbering::Auto => bottom_up && has_two_numberings::<V>(),
                },
                exchanged: Vec::new(),
            }))
        }
    }
    let fits = |id: &VariantId| start.is_none_or(|setup| setup.squares.len() == id.squares() as usize);
    let others = VariantId::ALL.iter().copied();
    let variant = std::iter::once(params.variant).chain(others).find(fits);
    let no_board =
        || bad_text(&format!("{} squares", start.map_or(0, |setup| setup.squares.len())), "no game has such a board");
    variant.ok_or_else(no_board)?.dispatch(Start(params, start, bottom_up))
}

fn bad(setup: &Setup, reason: &str) -> PositionError {
    let pieces = setup.squares.iter().flatten().count();
    bad_text(&format!("{} pieces on {} squares", pieces, setup.squares.len()), reason)
}

fn bad_text(text: &str, reason: &str) -> PositionError {
    PositionError::BadPosition { text: text.into(), reason: reason.into() }
}

struct Shared<V: Variant> {
    game: Game<V>,
    policy: DrawPolicy,
    numbering: SquareNumbering,
    bottom_up: bool,
    /// The moves as they were sent and received.
    exchanged: Vec<String>,
}

impl<V: Variant> Shared<V> {
    /// Plays a move in one of the numberings.
    fn play(&mut self, mv: &HubMove, bottom_up: bool) -> Result<(), PositionError> {
        let mut game = self.game.clone();
        replay(&mut game, &[mv.to_string()], bottom_up)?;
        self.game = game;
        self.exchanged.push(mv.to_string());
        Ok(())
    }
}

impl<V: Variant> GameHandle for Shared<V> {
    fn variant(&self) -> VariantId {
        V::ID
    }

    fn side_to_move(&self) -> Side {
        self.game.position().side_to_move()
    }

    fn first_to_move(&self) -> Side {
        self.game.start().side_to_move()
    }

    fn over(&self) -> Option<GameOver> {
        self.game.over(&self.policy)
    }

    fn receive(&mut self, mv: &HubMove) -> Result<(), PositionError> {
        let illegal = match self.play(mv, self.bottom_up) {
            Err(illegal) if self.numbering == SquareNumbering::Auto && has_two_numberings::<V>() => illegal,
            result => return result,
        };
        // Counted from the other end, all that was exchanged must make sense.
        let mut game = Game::new(*self.game.start());
        let mut exchanged = self.exchanged.clone();
        exchanged.push(mv.to_string());
        replay(&mut game, &exchanged, !self.bottom_up).map_err(|_| illegal)?;
        (self.game, self.exchanged, self.bottom_up) = (game, exchanged, !self.bottom_up);
        Ok(())
    }

    fn send(&mut self, mv: &HubMove) -> Result<HubMove, PositionError> {
        let outside = renumber::<V>(mv, self.bottom_up);
        self.play(&outside, self.bottom_up)?;
        let full = self.game.moves().last().map(|mv| renumber::<V>(&HubMove::of::<V>(*mv), self.bottom_up));
        Ok(full.unwrap_or(outside))
    }

    fn truncate(&mut self, plies: usize) {
        while self.game.moves().len() > plies {
            self.game.undo();
        }
        self.exchanged.truncate(plies);
    }

    fn start(&self) -> String {
        write_position(self.game.start())
    }

    fn plies(&self) -> usize {
        self.game.moves().len()
    }

    fn moves(&self) -> Vec<HubMove> {
        self.game.moves().iter().map(|mv| HubMove::of::<V>(*mv)).collect()
    }

    fn last_move(&self) -> Option<String> {
        let (&mv, before) = (self.game.moves().last()?, self.game.states().iter().rev().nth(1)?);
        Some(movetext::write(&before.position, mv))
    }

    fn is_bottom_up(&self) -> bool {
        self.bottom_up
    }

    fn board(&self, bottom: Side) -> String {
        diagram::board(self.game.position(), bottom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Role};

    fn mv(text: &str) -> HubMove {
        text.parse().unwrap()
    }

    fn params(variant: VariantId) -> Params {
        Params { variant, ..Params::default() }
    }

    fn shown(game: &dyn GameHandle) -> Vec<String> {
        game.moves().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn moves_there_and_back() {
        let mut game = start_game(&Params::default(), None, false).unwrap();
        game.receive(&mv("32-28")).unwrap();
        assert_eq!(game.send(&mv("19-23")), Ok(mv("19-23")));
        assert!(game.receive(&mv("28-22")).is_err(), "captures are compulsory");
        game.receive(&mv("28x19")).unwrap();
        assert_eq!(shown(game.as_ref()), ["32-28", "19-23", "28x19x23"]);
        assert_eq!((game.last_move().as_deref(), game.side_to_move()), (Some("28x19"), Side::Black));
        game.truncate(1);
        assert_eq!((shown(game.as_ref()), game.last_move().as_deref()), (vec!["32-28".to_string()], Some("32-28")));
        assert_eq!(game.over(), None);
    }

    #[test]
    fn the_numbering_follows_the_other_program() {
        let mut game = start_game(&params(VariantId::Brazilian), None, false).unwrap();
        game.receive(&mv("9-13")).unwrap();
        assert_eq!((shown(game.as_ref()), game.is_bottom_up()), (vec!["21-17".to_string()], true));
        assert_eq!(game.send(&mv("12-16")), Ok(mv("24-20")));
        // The next game starts with what is known.
        let mut next = start_game(&params(VariantId::Brazilian), None, true).unwrap();
        assert_eq!(next.send(&mv("21-17")), Ok(mv("9-13")));
        // Where squares are counted in one way only, nothing is known.
        assert!(!start_game(&Params::default(), None, true).unwrap().is_bottom_up());
        let fixed = Params { square_numbering: SquareNumbering::TopDown, ..params(VariantId::Brazilian) };
        assert!(start_game(&fixed, None, false).unwrap().receive(&mv("9-13")).is_err());
    }

    #[test]
    fn the_board_tells_the_variant() {
        let with = |squares, variant| {
            let mut setup = Setup::empty(squares, Side::White);
            setup.put(30, Piece { side: Side::White, role: Role::Man }).unwrap();
            start_game(&params(variant), Some(&setup), false).map(|game| game.variant())
        };
        assert_eq!(with(50, VariantId::Killer), Ok(VariantId::Killer));
        assert_eq!(with(32, VariantId::Russian), Ok(VariantId::Russian));
        assert_eq!(with(32, VariantId::Killer), Ok(VariantId::Brazilian));
        assert_eq!(with(50, VariantId::Russian), Ok(VariantId::International));
        let error = with(72, VariantId::International).unwrap_err().to_string();
        assert!(error.contains("72 squares"), "{error}");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let mut setup = Setup::empty(50, Side::White);
        setup.put(1, Piece { side: Side::White, role: Role::Man }).unwrap();
        let error = start_game(&Params::default(), Some(&setup), false).map(drop).unwrap_err().to_string();
        assert!(error.contains("crowning row"), "{error}");
    }
}
