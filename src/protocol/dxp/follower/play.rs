//! One game of a follower.

use std::time::Instant;

use super::clock::OwnClock;
use crate::board::{GameOver, Side};
use crate::engine::GameHandle;
use crate::protocol::dxp::message::{GameRequest, Reason};
use crate::protocol::dxp::news::{News, Outcome};
use crate::search::Score;

/// A game, going on or finished.
pub(super) struct Play {
    /// From 1.
    pub number: u32,
    pub opponent: String,
    /// The side that this program plays.
    pub own: Side,
    pub game: Box<dyn GameHandle>,
    pub clock: OwnClock,
    /// When it last became this program's turn.
    pub turn: Instant,
    /// What the last own search thought of the position.
    pub score: Option<Score>,
    /// When a move came that is not legal, since the last one that is.
    pub disputed: Option<Instant>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl Play {
    pub fn new(number: u32, request: &GameRequest, game: Box<dyn GameHandle>) -> Self {
        Self {
            number,
            opponent: request.name.clone(),
            own: request.follower,
            game,
            clock: OwnClock::new(request.time, request.moves),
            turn: Instant::now(),
            score: None,
            disputed: None,
            outcome: None,
        }
    }

    pub fn is_own_turn(&self) -> bool {
        self.game.side_to_move() == self.own
    }

    /// What to say in place of a move, with the reason in words; nothing if the game goes on.
    pub fn end(&self) -> Option<(Reason, String)> {
        if let Some(over) = self.game.over() {
            let reason = match self.outcome_of(over) {
                Outcome::Won => Reason::Won,
                Outcome::Lost => Reason::Lost,
                Outcome::Drawn | Outcome::Unknown => Reason::Draw,
            };
            return Some((reason, over.to_string()));
        }
        if !self.clock.is_at_limit() {
            return None;
        }
        // Only what is certain is claimed: the answer to the move that was found cannot take a win away, but gives
        // away many that the other side had.
        let is_won = self.score.is_some_and(|score| !score.is_eval() && score > Score::DRAW);
        Some(if is_won {
            (Reason::Won, "move limit, a sure win".into())
        } else {
            (Reason::Unknown, "move limit".into())
        })
    }

    pub fn outcome_of(&self, over: GameOver) -> Outcome {
        match over.winner() {
            None => Outcome::Drawn,
            Some(side) if side == self.own => Outcome::Won,
            Some(_) => Outcome::Lost,
        }
    }

    /// Takes moves back until it is `side`'s move `number`; tells whether the game was there.
    pub fn go_back(&mut self, number: u32, side: Side) -> bool {
        let first = self.game.first_to_move();
        let plies = 2 * i64::from(number) - 2 + side.index() as i64 - first.index() as i64;
        let Ok(plies) = usize::try_from(plies) else { return false };
        if plies > self.game.plies() {
            return false;
        }
        self.game.truncate(plies);
        // Of the moves left, the first one and every other are those of the side that began.
        self.clock.truncate(if first == self.own { plies.div_ceil(2) } else { plies / 2 });
        (self.disputed, self.outcome, self.score) = (None, None, None);
        true
    }

    /// The last move as news.
    pub fn news_of_move(&self, score: Option<Score>) -> News {
        let side = self.game.side_to_move().opponent();
        // Counted as if White had begun.
        let plies = self.game.plies() + self.game.first_to_move().index();
        News::Move {
            number: plies.div_ceil(2),
            side,
            text: self.game.last_move().unwrap_or_default(),
            score,
            left: self.clock.left(),
            board: self.game.board(self.own),
        }
    }

    pub fn news_of_start(&self, request: &GameRequest) -> News {
        News::Game {
            number: self.number,
            opponent: self.opponent.clone(),
            variant: self.game.variant(),
            own: self.own,
            time: request.time,
            moves: request.moves,
            from_position: request.start.is_some(),
            board: self.game.board(self.own),
        }
    }
}
