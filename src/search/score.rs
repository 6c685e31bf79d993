//! The value of a position.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use crate::eval::chances::Chances;
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// A value for the side to move, in hundredths of a man.
///
/// Three zones: evaluations within [`EVAL_LIMIT`](Self::EVAL_LIMIT), wins known from endgame
/// databases below 9,000, exact wins below 10,000 by their distance in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Nobody is better.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub const INFINITE: Self = Self(10_001);
    /// Evaluations stay within plus and minus this.
    pub const EVAL_LIMIT: i32 = 7_999;
    /// A win here and now.
    const WIN: i32 = 10_000;
    /// A known win with two pieces, before plies are taken off.
    const KNOWN_WIN: i32 = 9_000;
    /// What each further piece takes off a known win: more than all plies of a line.
    const PER_PIECE: i32 = 125;
    /// Longest distance of an exact win.
    const MAX_DISTANCE: i32 = 999;

    /// An evaluation, cut to its zone.
    pub const fn eval(value: i32) -> Self {
        Self(if value > Self::EVAL_LIMIT {
            Self::EVAL_LIMIT
        } else if value < -Self::EVAL_LIMIT {
            -Self::EVAL_LIMIT
        } else {
            value
        })
    }

    /// Any score by its number; the zones follow from it.
    pub const fn from_raw(value: i32) -> Self {
        Self(value)
    }

    /// A win in so many plies.
    pub const fn win_in(plies: u32) -> Self {
        Self(Self::WIN - plies as i32)
    }

    /// A loss in so many plies.
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - Self::WIN)
    }

    /// A win that an endgame database knows, `ply` plies below the root and with so many pieces: the
    /// fewer are left the nearer is the end.
    pub const fn known_win(pieces: u32, ply: u32) -> Self {
        Self(Self::KNOWN_WIN - Self::PER_PIECE * (pieces as i32 - 2) - ply as i32)
    }

    /// The value of a node `ply` plies below the root for a side to move that cannot.
    pub const fn without_moves<V: Variant>(ply: u32) -> Self {
        match V::RULES.goal {
            Goal::Block | Goal::Crown => Self::loss_in(ply),
            Goal::BeBlocked => Self::win_in(ply),
        }
    }

    /// The lowest and the highest value that a node `ply` plies below the root can have.
    pub const fn range<V: Variant>(ply: u32) -> (Self, Self) {
        match V::RULES.goal {
            Goal::Block | Goal::Crown => (Self::loss_in(ply), Self::win_in(ply + 1)),
            Goal::BeBlocked => (Self::loss_in(ply + 1), Self::win_in(ply)),
        }
    }

    /// The number itself.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Whether this is an evaluation rather than a win or a loss.
    pub const fn is_eval(self) -> bool {
        self.0.abs() <= Self::EVAL_LIMIT
    }

    /// Plies to an exact win (positive) or loss (negative).
    pub const fn distance(self) -> Option<i32> {
        let plies = Self::WIN - self.0.abs();
        if plies > Self::MAX_DISTANCE {
            return None;
        }
        Some(if self.0 > 0 { plies } else { -plies })
    }

    /// Plies to a win (positive) or loss (negative) that a database knows, without those from there on.
    pub const fn plies_to_known(self) -> Option<i32> {
        if self.is_eval() || self.distance().is_some() {
            return None;
        }
        let plies = (Self::KNOWN_WIN - self.0.abs()) % Self::PER_PIECE;
        Some(if self.0 > 0 { plies } else { -plies })
    }

    /// How often the side to move wins, draws and loses from here, per mille; wins that are known are certain.
    pub fn win_draw_loss(self, chances: Chances) -> [u32; 3] {
        if !self.is_eval() {
            return if self > Self::DRAW { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let [win, loss] = chances.shares(f64::from(self.0)).map(|share| (1000.0 * share).round() as u32);
        let loss = loss.min(1000 - win);
        // The two are never rounded up to more than the whole: where one is near it, the other is none.
        [win, 1000 - win - loss, loss]
    }

    /// The score as stored for a node `ply` plies below the root: plies count from the node.
    #[must_use]
    pub const fn to_node(self, ply: u32) -> Self {
        if self.is_eval() { self } else { Self(self.0 + self.0.signum() * ply as i32) }
    }

    /// The inverse of [`to_node`](Self::to_node): plies count from the root.
    #[must_use]
    pub const fn from_node(self, ply: u32) -> Self {
        if self.is_eval() { self } else { Self(self.0 - self.0.signum() * ply as i32) }
    }
}

/// In men, two decimals, the way Hub writes scores: `0.35`, `-1.00`, `99.95` for a win in five plies, `89.97`
/// for three plies to a win that a database knows.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let shown = match self.plies_to_known() {
            Some(plies) => self.0.signum() * (Self::KNOWN_WIN - plies.abs()),
            None => self.0,
        };
        f.pad(&format!("{:.2}", f64::from(shown) / 100.0))
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egdb::MAX_PIECES;
    use crate::search::params::MAX_PLY;

    #[test]
    fn shares_of_results() {
        let chances = Chances { half: 140.0, scale: 110.0 };
        let shares = |score: Score| score.win_draw_loss(chances);
        assert_eq!(shares(Score::win_in(9)), [1000, 0, 0]);
        assert_eq!(shares(Score::loss_in(8)), [0, 0, 1000]);
        for raw in -Score::EVAL_LIMIT..=Score::EVAL_LIMIT {
            let [win, draw, loss] = shares(Score::eval(raw));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(shares(Score::eval(-raw)), [loss, draw, win]);
            assert!(win >= shares(Score::eval(raw - 1))[0]);
        }
    }

    #[test]
    fn zones_do_not_touch() {
        let known = [Score::known_win(MAX_PIECES, MAX_PLY), Score::known_win(2, 0)];
        assert!(
            Score::eval(1_000_000) < known[0].from_node(MAX_PLY)
                && Score::known_win(2, MAX_PLY).to_node(MAX_PLY) < Score::win_in(999)
        );
        assert!(known.iter().all(|score| !score.is_eval() && score.distance().is_none()));
        assert!(Score::known_win(3, 9) > Score::known_win(4, 9) && Score::known_win(4, 8) > Score::known_win(4, 9));
        assert!(Score::eval(-1_000_000) > Score::loss_in(999));
        assert!(Score::win_in(0) < Score::INFINITE);
        assert!(Score::eval(1_000_000).is_eval() && !Score::win_in(999).is_eval());
    }

    #[test]
    fn distances_move_with_the_node_and_evaluations_do_not() {
        let known = Score::known_win(4, 10);
        for score in [Score::win_in(12), Score::loss_in(12), known, -known, Score::eval(-7999), Score::DRAW] {
            assert_eq!(score.to_node(5).from_node(5), score);
        }
        // The end itself: its distance has no sign.
        assert_eq!(Score::loss_in(5).to_node(5).from_node(3), Score::loss_in(3));
        assert_eq!(Score::win_in(5).to_node(5).from_node(3), Score::win_in(3));
        assert_eq!(Score::win_in(12).to_node(5), Score::win_in(7));
        assert_eq!(Score::loss_in(12).to_node(5), Score::loss_in(7));
        assert_eq!(Score::eval(300).to_node(5), Score::eval(300));
        assert_eq!((Score::win_in(3).distance(), Score::loss_in(4).distance()), (Some(3), Some(-4)));
        assert_eq!(Score::eval(7999).distance(), None);
    }

    #[test]
    fn text_is_in_men() {
        let scores =
            [Score::eval(-7), Score::win_in(5), Score::loss_in(4), Score::known_win(5, 3), -Score::known_win(2, 0)];
        assert_eq!(scores.map(|score| score.to_string()), ["-0.07", "99.95", "-99.96", "89.97", "-90.00"]);
        assert_eq!((scores[3].plies_to_known(), scores[1].plies_to_known()), (Some(3), None));
    }
}
