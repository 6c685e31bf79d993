//! Values and distances of any position, from what is stored: the values of positions without a capture,
//! and the distances of the lost ones among them.

use super::file::has_capture;
use super::outcome::parity;
use super::slice::Slice;
use super::table::has_ended;
use super::value::Value;
use crate::board::{MoveList, Position, movegen};
use crate::variant::Variant;

/// Something that holds slices.
pub(super) trait Stored<V: Variant>: Sync {
    /// The stored value of the position in a slice.
    fn stored_value(&self, slice: Slice, position: &Position<V>) -> Option<Value>;

    /// Half of the stored distance of the lost position in a slice, rounded down.
    fn stored_half_distance(&self, slice: Slice, position: &Position<V>) -> Option<u32>;

    /// The value of a position, if it is known; captures are played out.
    fn value_of(&self, position: &Position<V>) -> Option<Value> {
        if has_ended(position) {
            return Value::without_moves(position);
        }
        if !has_capture(position) {
            return self.stored_value(Slice::of(position)?, position);
        }
        let mut moves = MoveList::new();
        movegen::generate(position, &mut moves);
        let mut best = Some(Value::Loss);
        for &mv in moves.iter() {
            match self.value_of(&position.after(mv)) {
                // Whatever the others are worth.
                Some(Value::Loss) => return Some(Value::Win),
                value => best = best.zip(value).map(|(best, value)| best.max(-value)),
            }
        }
        best
    }

    /// Plies to the end of a won or lost position with best play, if they are known: the winner hurries,
    /// the loser delays.
    fn distance_of(&self, position: &Position<V>) -> Option<u32> {
        if has_ended(position) {
            return Value::without_moves(position).filter(|value| *value != Value::Draw).map(|_| 0);
        }
        let value = self.value_of(position)?;
        if value == Value::Draw {
            return None;
        }
        if value == Value::Loss && !has_capture(position) {
            return self
                .stored_half_distance(Slice::of(position)?, position)
                .map(|half| 2 * half + u32::from(parity::<V>(value)));
        }
        let mut moves = MoveList::new();
        movegen::generate(position, &mut moves);
        if moves.is_empty() {
            return Some(0);
        }
        let mut best = None;
        for after in moves.iter().map(|&mv| position.after(mv)) {
            // Moves that throw the win away do not count; a lost position has none.
            if self.value_of(&after)? == -value {
                let plies = 1 + self.distance_of(&after)?;
                best = Some(
                    best.map_or(plies, |best: u32| if value == Value::Win { best.min(plies) } else { best.max(plies) }),
                );
            }
        }
        best
    }
}
