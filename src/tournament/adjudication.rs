//! Ending games early: by the scores of the engines, or at a move limit.

use serde::{Deserialize, Serialize};

use crate::board::{Game, Side};
use crate::search::Score;
use crate::tournament::fault::Termination;
use crate::tournament::text::{ListError, pairs, value};
use crate::variant::Variant;

/// When a game is given up: both engines agree on the winner for some moves each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Resign {
    /// Score in men that both must see, the winner from above and the loser from below.
    pub score: f64,
    /// Moves of each side in a row.
    pub moves: usize,
}

impl Default for Resign {
    fn default() -> Self {
        Self { score: 4.0, moves: 3 }
    }
}

/// When a game is called a draw: both engines see none better for some moves each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawByScore {
    /// Score in men that neither may exceed.
    pub score: f64,
    /// Moves of each side in a row.
    pub moves: usize,
    /// Moves each behind the opening before the count begins.
    pub from: usize,
}

impl Default for DrawByScore {
    fn default() -> Self {
        Self { score: 0.1, moves: 8, from: 40 }
    }
}

/// Who wins at the move limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtMoveLimit {
    /// Most pieces, then most kings.
    #[default]
    PieceCount,
    /// Nobody.
    Draw,
}

/// All that may end a game apart from its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjudication {
    /// Decided games.
    pub resign: Option<Resign>,
    /// Even games.
    pub draw: Option<DrawByScore>,
    /// Moves each behind the opening after which a game ends.
    pub move_limit: Option<usize>,
    /// Who wins then.
    pub at_move_limit: AtMoveLimit,
}

impl std::str::FromStr for Resign {
    type Err = ListError;
    /// Reads `score=4,moves=3`; what is missing has its default.
    fn from_str(text: &str) -> Result<Self, ListError> {
        let mut resign = Self::default();
        for (name, text) in pairs(text)? {
            match name.as_str() {
                "score" => resign.score = value(&name, &text)?,
                "moves" => resign.moves = value(&name, &text)?,
                _ => return Err(ListError::UnknownName(name)),
            }
        }
        Ok(resign)
    }
}

impl std::str::FromStr for DrawByScore {
    type Err = ListError;
    /// Reads `score=0.1,moves=8,from=40`; what is missing has its default.
    fn from_str(text: &str) -> Result<Self, ListError> {
        let mut draw = Self::default();
        for (name, text) in pairs(text)? {
            match name.as_str() {
                "score" => draw.score = value(&name, &text)?,
                "moves" => draw.moves = value(&name, &text)?,
                "from" => draw.from = value(&name, &text)?,
                _ => return Err(ListError::UnknownName(name)),
            }
        }
        Ok(draw)
    }
}

/// Hundredths of a man.
fn hundredths(men: f64) -> i32 {
    (men * 100.0).round() as i32
}

/// The number that a score counts for here: its hundredths of a man for White, if it was told.
fn white_view(score: Option<Score>, mover: Side) -> Option<i32> {
    let raw = score?.raw();
    Some(if mover == Side::White { raw } else { -raw })
}

/// Most moves that a setting may name; no game is as long.
const MOST_MOVES: usize = 10_000;

impl Adjudication {
    /// Whether the numbers make sense.
    ///
    /// # Errors
    /// Names one that does not.
    pub fn check(&self) -> Result<(), ListError> {
        let score = |name: &str, score: f64, least: f64| {
            let holds = score.is_finite() && score >= least;
            if holds { Ok(()) } else { Err(ListError::bad_value(name, &score.to_string())) }
        };
        let moves = |name: &str, moves: usize, least: usize| {
            let holds = (least..=MOST_MOVES).contains(&moves);
            if holds { Ok(()) } else { Err(ListError::bad_value(name, &moves.to_string())) }
        };
        if let Some(resign) = self.resign {
            score("resign: score", resign.score, 0.01)?;
            moves("resign: moves", resign.moves, 1)?;
        }
        if let Some(draw) = self.draw {
            // Exactly even is a bound, too.
            score("draw: score", draw.score, 0.0)?;
            moves("draw: moves", draw.moves, 1)?;
            moves("draw: from", draw.from, 0)?;
        }
        self.move_limit.map_or(Ok(()), |limit| moves("move-limit", limit, 1))
    }

    /// Whether the game ends here. `scores` are those told with the moves since the opening, each
    /// by its mover and for its mover; the last is that of the side not to move.
    pub fn verdict<V: Variant>(&self, game: &Game<V>, scores: &[Option<Score>]) -> Option<Termination> {
        let last_mover = game.position().side_to_move().opponent();
        self.resignation(last_mover, scores)
            .or_else(|| self.draw(last_mover, scores))
            .or_else(|| self.limit(game, scores.len()))
    }

    fn resignation(&self, last_mover: Side, scores: &[Option<Score>]) -> Option<Termination> {
        let resign = self.resign?;
        let bound = hundredths(resign.score);
        let white = recent(scores, last_mover, resign.moves)?;
        if white.iter().all(|score| *score >= bound) {
            Some(Termination::Resignation(Side::Black))
        } else if white.iter().all(|score| *score <= -bound) {
            Some(Termination::Resignation(Side::White))
        } else {
            None
        }
    }

    fn draw(&self, last_mover: Side, scores: &[Option<Score>]) -> Option<Termination> {
        let draw = self.draw?;
        let bound = hundredths(draw.score);
        let white = recent(scores, last_mover, draw.moves)?;
        let counts = scores.len() >= 2 * (draw.from + draw.moves);
        (counts && white.iter().all(|score| score.abs() <= bound)).then_some(Termination::DrawAgreed)
    }

    /// The end at the move limit, so many plies behind the opening.
    fn limit<V: Variant>(&self, game: &Game<V>, plies: usize) -> Option<Termination> {
        if plies < 2 * self.move_limit? {
            return None;
        }
        Some(match self.at_move_limit {
            AtMoveLimit::PieceCount => Termination::MoveLimit(game.count_pieces().winner()),
            AtMoveLimit::Draw => Termination::MoveLimit(None),
        })
    }
}

/// The scores of the last `moves` moves of each side as White sees them; none if one is not known.
fn recent(scores: &[Option<Score>], last_mover: Side, moves: usize) -> Option<Vec<i32>> {
    let plies = 2 * moves;
    let first = scores.len().checked_sub(plies)?;
    let mut mover = last_mover;
    let mut white = Vec::with_capacity(plies);
    for score in scores[first..].iter().rev() {
        white.push(white_view(*score, mover)?);
        mover = mover.opponent();
    }
    Some(white)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::International;

    fn scores(raw: &[i32]) -> Vec<Option<Score>> {
        raw.iter().map(|raw| Some(Score::from_raw(*raw))).collect()
    }

    fn verdict(adjudication: Adjudication, raw: &[i32]) -> Option<Termination> {
        // White is to move, so Black moved last.
        adjudication.verdict(&Game::<International>::new(Default::default()), &scores(raw))
    }

    #[test]
    fn both_must_see_the_win() {
        let adjudication = Adjudication { resign: Some(Resign { score: 4.0, moves: 2 }), ..Adjudication::default() };
        assert_eq!(verdict(adjudication, &[500, -500, 450, -400]), Some(Termination::Resignation(Side::Black)));
        assert_eq!(verdict(adjudication, &[-500, 500, -450, 9990]), Some(Termination::Resignation(Side::White)));
        assert_eq!(verdict(adjudication, &[500, -500, 450, -399]), None);
        assert_eq!(verdict(adjudication, &[-500, 450, -400]), None);
        let mut told = scores(&[500, -500, 450, -400]);
        told[1] = None;
        assert_eq!(adjudication.verdict(&Game::<International>::new(Default::default()), &told), None);
    }

    #[test]
    fn even_scores_are_a_draw() {
        let draw = DrawByScore { score: 0.1, moves: 1, from: 0 };
        let adjudication = Adjudication { draw: Some(draw), ..Adjudication::default() };
        assert_eq!(verdict(adjudication, &[10, -10]), Some(Termination::DrawAgreed));
        assert_eq!(verdict(adjudication, &[10, -11]), None);
        let later = Adjudication { draw: Some(DrawByScore { from: 1, ..draw }), ..Adjudication::default() };
        assert_eq!(verdict(later, &[0, 0]), None);
        assert_eq!(verdict(later, &[0; 4]), Some(Termination::DrawAgreed));
    }

    #[test]
    fn the_move_limit_counts_pieces() {
        let adjudication =
            |at_move_limit| Adjudication { move_limit: Some(2), at_move_limit, ..Adjudication::default() };
        let position = crate::notation::fen::position("W:W28,K30:B18,19").unwrap();
        let game = Game::<International>::new(position);
        // Only moves behind the opening count: those with a remark of their player.
        assert_eq!(adjudication(AtMoveLimit::Draw).verdict(&game, &[None; 3]), None);
        let winner = |at| adjudication(at).verdict(&game, &[None; 4]).unwrap().winner();
        assert_eq!(winner(AtMoveLimit::PieceCount), Some(Side::White));
        assert_eq!(winner(AtMoveLimit::Draw), None);
    }

    #[test]
    fn settings_as_text() {
        assert_eq!("score=3".parse(), Ok(Resign { score: 3.0, moves: 3 }));
        assert_eq!("moves=2,from=10,score=0.2".parse(), Ok(DrawByScore { score: 0.2, moves: 2, from: 10 }));
        assert_eq!("x=1".parse::<Resign>(), Err(ListError::UnknownName("x".into())));
        assert_eq!("moves=x".parse::<DrawByScore>(), Err(ListError::bad_value("moves", "x")));
    }
}
