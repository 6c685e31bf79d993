//! When a game is drawn by rule.

use std::fmt;

use super::movegen::{can_capture, legal_moves};
use super::{Position, Side, State};
use crate::variant::Variant;
use crate::variant::rules::{Bounds, Counted, DrawRules, Ending, EndingRule, KingAgainstKing};

/// The draw rules in force.
#[derive(Clone, Copy, Debug)]
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
        Self { rules: V::RULES.draws(None), king_against_king: KingAgainstKing::Exact }
    }

    /// The draw that holds in `state`, repetition apart, which needs the history.
    ///
    /// A side without a legal move has lost all the same: check that first.
    #[inline]
    pub fn reason<V: Variant>(&self, state: &State<V>) -> Option<DrawReason> {
        // Every such rule needs a king.
        if state.position.all_kings().is_empty() { None } else { self.reason_with_kings(state) }
    }

    fn reason_with_kings<V: Variant>(&self, state: &State<V>) -> Option<DrawReason> {
        let position = &state.position;
        let mut king_moves = self.rules.king_moves;
        if Side::BOTH.into_iter().all(|side| !position.kings(side).is_empty()) {
            if self.is_drawn_king_pair(position) {
                return Some(DrawReason::KingAgainstKing);
            }
            for rule in self.rules.endings.iter().filter(|rule| rule.ending.matches(position)) {
                if counted_plies(state, rule.counted) >= 2 * rule.moves {
                    return Some(DrawReason::Ending(rule));
                }
                if rule.replaces_king_moves {
                    king_moves = None;
                }
            }
        }
        let moves = king_moves.filter(|moves| state.clocks.king_plies >= 2 * moves)?;
        Some(DrawReason::KingMoves(moves))
    }

    fn is_drawn_king_pair<V: Variant>(&self, position: &Position<V>) -> bool {
        if !self.rules.king_against_king || position.occupied().count() != 2 {
            return false;
        }
        match self.king_against_king {
            KingAgainstKing::Exact => !is_decided(position),
            KingAgainstKing::Immediate => true,
            KingAgainstKing::Count => false,
        }
    }
}

fn counted_plies<V: Variant>(state: &State<V>, counted: Counted) -> u16 {
    match counted {
        Counted::Balance => state.clocks.balance_plies,
        Counted::LongDiagonal => state.clocks.diagonal_plies,
    }
}

impl Ending {
    /// Whether the material of `position` is of this class.
    pub fn matches<V: Variant>(&self, position: &Position<V>) -> bool {
        let material = Side::BOTH.map(|side| (position.kings(side).count(), position.men(side).count()));
        let within = |(low, high): Bounds, number: u32| (low..=high).contains(&number);
        match *self {
            Self::LoneKing { pieces, kings } => [(0, 1), (1, 0)].into_iter().any(|(one, other)| {
                let (other_kings, other_men) = material[other];
                material[one] == (1, 0) && within(pieces, other_kings + other_men) && within(kings, other_kings)
            }),
            Self::BothHaveKings { total } => {
                material.iter().all(|&(kings, _)| kings > 0) && within(total, position.occupied().count())
            }
            Self::Exact(one, other) => material == [one, other] || material == [other, one],
        }
    }
}

/// Whether a king against a king is won or lost by force for the side to move.
///
/// Only a king that must step into a capture is lost, so two plies decide.
fn is_decided<V: Variant>(position: &Position<V>) -> bool {
    can_capture(position, position.side_to_move())
        || must_lose(position)
        || legal_moves(position).iter().any(|&mv| must_lose(&position.after(mv)))
}

/// Whether the side to move cannot capture and every move lets its king be captured.
fn must_lose<V: Variant>(position: &Position<V>) -> bool {
    let side = position.side_to_move();
    !can_capture(position, side)
        && legal_moves(position).iter().all(|&mv| can_capture(&position.after(mv), side.opponent()))
}
