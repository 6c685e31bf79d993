//! Scores for people and programs: whose view it is, and wins as distances.

use serde::Serialize;

use crate::board::Side;
use crate::search::Score;

/// A score seen by White instead of the side to move.
pub fn white_view(score: Score, side_to_move: Side) -> Score {
    match side_to_move {
        Side::White => score,
        Side::Black => -score,
    }
}

/// A score in words: `+0.35`, or `win in 5` and `loss in 4`, counted in plies.
pub fn describe(score: Score) -> String {
    match score.distance() {
        Some(plies) if plies < 0 || score < Score::DRAW => format!("loss in {}", plies.abs()),
        Some(plies) => format!("win in {plies}"),
        None if score.plies_to_known().is_some() => {
            if score > Score::DRAW {
                "known win".into()
            } else {
                "known loss".into()
            }
        }
        None => men(score.raw()),
    }
}

/// Hundredths of a man as men with a sign.
pub fn men(hundredths: i32) -> String {
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}

/// A score as JSON fields, with its views named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MoverScore {
    /// In hundredths of a man, for the side to move.
    score_side_to_move: i32,
    /// In hundredths of a man, for White.
    score_white: i32,
    /// Plies until the side to move wins, if that is certain.
    win_in: Option<u32>,
    /// Plies until the side to move loses, if that is certain.
    loss_in: Option<u32>,
}

impl MoverScore {
    /// The fields of a score of the side to move.
    pub fn new(score: Score, side_to_move: Side) -> Self {
        let plies = score.distance().map(i32::unsigned_abs);
        let wins = score > Score::DRAW;
        Self {
            score_side_to_move: score.raw(),
            score_white: white_view(score, side_to_move).raw(),
            win_in: plies.filter(|_| wins),
            loss_in: plies.filter(|_| !wins),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let cases = [
            (Score::eval(35), "+0.35"),
            (Score::eval(-120), "-1.20"),
            (Score::DRAW, "+0.00"),
            (Score::win_in(5), "win in 5"),
            (Score::loss_in(4), "loss in 4"),
            (Score::loss_in(0), "loss in 0"),
            (Score::known_win(4, 2), "known win"),
            (-Score::known_win(4, 2), "known loss"),
        ];
        for (score, text) in cases {
            assert_eq!(describe(score), text);
        }
    }

    #[test]
    fn views_are_named() {
        let score = MoverScore::new(Score::loss_in(4), Side::Black);
        assert_eq!((score.win_in, score.loss_in), (None, Some(4)));
        assert_eq!(score.score_white, -score.score_side_to_move);
        assert_eq!(white_view(Score::eval(7), Side::White), Score::eval(7));
    }
}
