//! The time and the moves that this program has for a game.

use std::time::Duration;

use crate::search::{Clock, Limits};

/// Time for a move where a request allows none. Programs that count in whole minutes ask so for fast
/// games; there is no clock then that could run out.
const WITHOUT_TIME: Duration = Duration::from_millis(50);

/// What is never spent: a share of the time for the game, but no more than this. Messages are under way for a while,
/// which only the peer sees.
const RESERVE: (u32, Duration) = (20, Duration::from_secs(1));

/// The clock of one side. There is no increment, and no other period after the first.
#[derive(Clone, Debug)]
pub(super) struct OwnClock {
    time: Duration,
    moves: Option<u32>,
    /// Time spent on each move so far.
    spent: Vec<Duration>,
}

impl OwnClock {
    pub const fn new(time: Duration, moves: Option<u32>) -> Self {
        Self { time, moves, spent: Vec::new() }
    }

    /// A move was made.
    pub fn spend(&mut self, time: Duration) {
        self.spent.push(time);
    }

    /// Moves were taken back, and with them the time they took.
    pub fn truncate(&mut self, moves: usize) {
        self.spent.truncate(moves);
    }

    /// The time for the whole game.
    pub const fn allotted(&self) -> Duration {
        self.time
    }

    pub fn left(&self) -> Duration {
        self.time.saturating_sub(self.spent.iter().sum())
    }

    /// Whether all moves of the game have been made.
    pub fn is_at_limit(&self) -> bool {
        self.moves.is_some_and(|moves| self.spent.len() >= moves as usize)
    }

    /// What the next move may take.
    pub fn limits(&self) -> Limits {
        if self.time.is_zero() {
            return Limits { move_time: Some(WITHOUT_TIME), ..Limits::default() };
        }
        let moves = self.moves.map(|moves| moves.saturating_sub(self.spent.len() as u32).max(1));
        let reserve = (self.time / RESERVE.0).min(RESERVE.1);
        let time = self.left().saturating_sub(reserve);
        let clock = Clock { time, increment: Duration::ZERO, moves };
        Limits { clock: Some(clock), ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_and_moves_run_down() {
        let mut clock = OwnClock::new(60 * SECOND, Some(3));
        let left = |clock: &OwnClock| clock.limits().clock.map(|clock| (clock.time.as_secs(), clock.moves));
        assert_eq!((clock.left(), left(&clock)), (60 * SECOND, Some((59, Some(3)))));
        clock.spend(20 * SECOND);
        assert_eq!(left(&clock), Some((39, Some(2))));
        clock.spend(50 * SECOND);
        assert_eq!(left(&clock), Some((0, Some(1))));
        assert!(!clock.is_at_limit());
        clock.spend(SECOND);
        assert!(clock.is_at_limit());
        clock.truncate(1);
        assert_eq!(left(&clock), Some((39, Some(2))));
    }

    #[test]
    fn without_time_there_is_no_clock() {
        let clock = OwnClock::new(Duration::ZERO, None);
        assert_eq!((clock.limits().clock, clock.limits().move_time), (None, Some(WITHOUT_TIME)));
        assert!(!clock.is_at_limit());
    }
}
