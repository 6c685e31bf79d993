//! When a game is drawn by rule.

use std::fmt;

use super::movegen::can_capture;
use super::state::lone_king;
use super::{Bitboard, Clocks, Position, Side, State};
use crate::variant::rules::{Bounds, Counted, DrawProfile, DrawRules, Ending, EndingRule, Goal, KingAgainstKing};
use crate::variant::{Geometry, Variant};

/// The draw rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawPolicy {
    /// Repetition and counted rules.
    pub rules: &'static DrawRules,
    /// How a king against a king is treated.
    pub king_against_king: KingAgainstKing,
}

/// Why a game is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The position occurred three times with the same side to move.
    Repetition,
    /// So many moves each with kings only and no capture.
    KingMoves(u16),
    /// A counted ending.
    Ending(&'static EndingRule),
    /// A king against a king, not decided by force.
    KingAgainstKing,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Repetition => write!(f, "threefold repetition"),
            Self::KingMoves(moves) => write!(f, "{moves} moves each with kings only and no capture"),
            Self::Ending(rule) => write!(f, "{} moves each with {} ({})", rule.moves, rule.text, rule.article),
            Self::KingAgainstKing => write!(f, "king against king"),
        }
    }
}

impl DrawPolicy {
    /// A policy with the variant's own draw rules.
    pub const fn of<V: Variant>() -> Self {
        Self::new::<V>(None, KingAgainstKing::Exact)
    }

    /// A policy with the rules of a profile in this variant; `None` is the variant's own.
    pub const fn new<V: Variant>(profile: Option<DrawProfile>, king_against_king: KingAgainstKing) -> Self {
        Self { rules: V::RULES.draws(profile), king_against_king }
    }

    /// The draw that holds in `state`, repetition apart, which needs the history.
    ///
    /// A side without a legal move has lost all the same: check that first.
    #[inline]
    pub fn reason<V: Variant>(&self, state: &State<V>) -> Option<DrawReason> {
        // Every such rule needs a king on both sides: king moves alone can only be made by both.
        let position = &state.position;
        if Side::BOTH.into_iter().any(|side| position.kings(side).is_empty()) {
            return None;
        }
        self.reason_with_kings(state)
    }

    fn reason_with_kings<V: Variant>(&self, state: &State<V>) -> Option<DrawReason> {
        let clocks = state.clocks;
        if self.rules.king_against_king && self.is_drawn_king_pair(&state.position) {
            return Some(DrawReason::KingAgainstKing);
        }
        // The other clocks never run ahead of these two.
        if clocks.balance_plies.max(clocks.lone_king_plies) < self.rules.shortest.saturating_mul(2) {
            return None;
        }
        let mut king_moves = self.rules.king_moves;
        for rule in self.rules.endings.iter().filter(|rule| rule.ending.matches(&state.position)) {
            if counted_plies(&clocks, rule.counted) >= 2 * rule.moves {
                return Some(DrawReason::Ending(rule));
            }
            if rule.replaces_king_moves {
                king_moves = None;
            }
        }
        let moves = king_moves.filter(|moves| clocks.king_plies >= 2 * moves)?;
        Some(DrawReason::KingMoves(moves))
    }

    /// Whether so many more plies can be played from `state` before a counted rule that holds for its
    /// material ends the game, whatever is moved.
    pub fn allows<V: Variant>(&self, state: &State<V>, plies: u32) -> bool {
        if Side::BOTH.into_iter().any(|side| state.position.kings(side).is_empty()) {
            return true;
        }
        let endings = || self.rules.endings.iter().filter(|rule| rule.ending.matches(&state.position));
        let king_moves = self.rules.king_moves.filter(|_| !endings().any(|rule| rule.replaces_king_moves));
        let limits = endings()
            .map(|rule| (rule.moves, counted_plies(&state.clocks, rule.counted)))
            .chain(king_moves.map(|moves| (moves, state.clocks.king_plies)));
        limits.into_iter().all(|(moves, played)| u32::from(played) + plies <= 2 * u32::from(moves))
    }

    /// Whether so many more plies can be played from `state` whatever rule begins to count on the way.
    pub fn allows_always<V: Variant>(&self, state: &State<V>, plies: u32) -> bool {
        self.allows(state, plies) && plies <= 2 * u32::from(self.rules.shortest)
    }

    fn is_drawn_king_pair<V: Variant>(&self, position: &Position<V>) -> bool {
        // Elsewhere a capture is what the players avoid, or there is no second king.
        V::RULES.goal == Goal::Block
            && position.occupied().count() == 2
            && match self.king_against_king {
                KingAgainstKing::Exact => !is_decided(position),
                KingAgainstKing::Immediate => true,
                KingAgainstKing::Count => false,
            }
    }
}

const fn counted_plies(clocks: &Clocks, counted: Counted) -> u16 {
    match counted {
        Counted::Balance => clocks.balance_plies,
        Counted::LoneKing => clocks.lone_king_plies,
        Counted::LongDiagonal => clocks.diagonal_plies,
    }
}

impl Ending {
    /// Whether the material of `position` is of this class.
    pub fn matches<V: Variant>(&self, position: &Position<V>) -> bool {
        let material = Side::BOTH.map(|side| (position.kings(side).count(), position.men(side).count()));
        let within = |(low, high): Bounds, number: u32| (low..=high).contains(&number);
        match *self {
            Self::LoneKing(class) => lone_king(position) == Some(class),
            Self::KingAgainstKings(kings) => {
                let [white, black] = material;
                let fits = |lone, (others, men)| lone == (1, 0) && men == 0 && within(kings, others);
                fits(white, black) || fits(black, white)
            }
            Self::BothHaveKings { total } => {
                material.iter().all(|&(kings, _)| kings > 0) && within(total, position.occupied().count())
            }
            Self::Exact(one, other) => material == [one, other] || material == [other, one],
        }
    }
}

/// Whether a king against a king is won or lost by force for the side to move.
///
/// Apart from a capture at once, a king is lost only when it must leave one end of the long
/// diagonal while the other king holds the opposite end. So the side to move has lost on such an
/// end, and wins from the squares between by moving to the free end.
fn is_decided<V: Variant>(position: &Position<V>) -> bool {
    let side = position.side_to_move();
    let diagonal = Bitboard(V::Board::LONG_DIAGONAL);
    let ends = diagonal & (Position::<V>::crown_row(Side::White) | Position::<V>::crown_row(Side::Black));
    let is_fought_out = position.pieces(side.opponent()).intersects(ends) && position.pieces(side).intersects(diagonal);
    is_fought_out || can_capture(position, side)
}
