//! What happens, for people.

use std::fmt;
use std::time::Duration;

use crate::board::Side;
use crate::search::Score;
use crate::util::time::clock;
use crate::variant::VariantId;

/// Something worth telling.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Anything else.
    Note(String),
    /// A game begins.
    Game {
        /// Its number, from 1.
        number: u32,
        /// Who asked for it.
        opponent: String,
        /// What is played.
        variant: VariantId,
        /// The side that this program plays.
        own: Side,
        /// Time for each player.
        time: Duration,
        /// Moves of each player, if they are limited.
        moves: Option<u32>,
        /// Whether it starts from a position of its own.
        from_position: bool,
        /// The board.
        board: String,
    },
    /// A request was refused.
    Refused {
        /// Why.
        reason: String,
    },
    /// A move was made.
    Move {
        /// Its number, the first of each side being 1.
        number: usize,
        /// Who made it.
        side: Side,
        /// The move.
        text: String,
        /// What this program thinks of it, if it made it.
        score: Option<Score>,
        /// What is left on this program's clock.
        left: Duration,
        /// The board after it.
        board: String,
    },
    /// A game ended.
    Over {
        /// Its number, from 1.
        number: u32,
        /// Against whom.
        opponent: String,
        /// How it ended for this program.
        outcome: Outcome,
        /// Why.
        reason: String,
        /// The score of all games against this opponent.
        tally: Tally,
    },
    /// Text from the other side.
    Chat {
        /// Its name.
        from: String,
        /// What it says.
        text: String,
    },
}

/// How a game ended for this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It won.
    Won,
    /// Nobody won.
    Drawn,
    /// It lost.
    Lost,
    /// Nobody knows: the game was not finished.
    Unknown,
}

/// Games by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u32; 4]);

impl Tally {
    /// Adds a game.
    pub const fn add(&mut self, outcome: Outcome) {
        self.0[outcome as usize] += 1;
    }

    /// Takes a game away that goes on after all.
    pub const fn remove(&mut self, outcome: Outcome) {
        self.0[outcome as usize] = self.0[outcome as usize].saturating_sub(1);
    }

    /// Games that ended so.
    pub const fn count(&self, outcome: Outcome) -> u32 {
        self.0[outcome as usize]
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
            Self::Unknown => "not finished",
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [won, drawn, lost, unknown] = self.0;
        write!(f, "{won} won, {drawn} drawn, {lost} lost")?;
        if unknown > 0 { write!(f, ", {unknown} not finished") } else { Ok(()) }
    }
}

/// `against NAME`, or nothing for a program that has not said its name.
fn against(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" against {name}") }
}

impl News {
    /// The board after what happened.
    pub fn board(&self) -> Option<&str> {
        match self {
            Self::Game { board, .. } | Self::Move { board, .. } => Some(board),
            _ => None,
        }
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Note(text) => f.write_str(text),
            Self::Game { number, opponent, variant, own, time, moves, from_position, .. } => {
                let moves = moves.map_or_else(|| "any number of moves".into(), |moves| format!("{moves} moves"));
                let time = if time.is_zero() { "no time".into() } else { clock(time.as_secs_f64()) };
                let start = if *from_position { ", from a position" } else { "" };
                let against = against(opponent);
                write!(f, "game {number}{against}: {variant}, {own} for Meerslag, {time} for {moves}{start}")
            }
            Self::Refused { reason } => write!(f, "request refused: {reason}"),
            Self::Move { number, side, text, score, left, .. } => {
                let dots = if *side == Side::White { "." } else { "..." };
                write!(f, "{:>8} {text}", format!("{number}{dots}"))?;
                let Some(score) = score else { return Ok(()) };
                write!(f, "  ({:+.2}, {} left)", f64::from(score.raw()) / 100.0, clock(left.as_secs_f64()))
            }
            Self::Over { number, opponent, outcome, reason, tally } => {
                let against = against(opponent);
                write!(f, "game {number}{against}: {outcome} ({reason}); score: {tally}")
            }
            Self::Chat { from, text } => write!(f, "{}: {text}", if from.is_empty() { "chat" } else { from }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies() {
        let mut tally = Tally::default();
        for outcome in [Outcome::Won, Outcome::Won, Outcome::Lost, Outcome::Unknown] {
            tally.add(outcome);
        }
        assert_eq!(tally.to_string(), "2 won, 0 drawn, 1 lost, 1 not finished");
        tally.remove(Outcome::Unknown);
        tally.remove(Outcome::Unknown);
        assert_eq!((tally.to_string().as_str(), tally.count(Outcome::Won)), ("2 won, 0 drawn, 1 lost", 2));
    }

    #[test]
    fn lines() {
        let game = News::Game {
            number: 2,
            opponent: "Scan 3.1".into(),
            variant: VariantId::International,
            own: Side::Black,
            time: Duration::from_secs(300),
            moves: Some(75),
            from_position: false,
            board: String::new(),
        };
        assert_eq!(game.to_string(), "game 2 against Scan 3.1: normal, Black for Meerslag, 0:05:00 for 75 moves");
        let mv = |side, score| News::Move {
            number: 12,
            side,
            text: "32-28".into(),
            score,
            left: Duration::from_secs(61),
            board: String::new(),
        };
        assert_eq!(mv(Side::White, None).to_string(), "     12. 32-28");
        assert_eq!(mv(Side::Black, Some(Score::eval(-35))).to_string(), "   12... 32-28  (-0.35, 0:01:01 left)");
        let over = News::Over {
            number: 2,
            opponent: String::new(),
            outcome: Outcome::Drawn,
            reason: "repetition".into(),
            tally: Tally::default(),
        };
        assert_eq!(over.to_string(), "game 2: drawn (repetition); score: 0 won, 0 drawn, 0 lost");
    }
}
