//! How long to think.

use std::time::Duration;

use super::Limits;
use super::limits::Clock;

/// Kept back from a fixed time per move for writing the answer.
const ANSWER: Duration = Duration::from_millis(3);
/// Cost of a move that no search sees: pipes, scheduling, the GUI.
const OVERHEAD_PER_MOVE: Duration = Duration::from_millis(2);
/// Moves that a game is expected to last, without pieces and per 10 pieces.
const HORIZON: (u32, u32) = (18, 5);
/// The hard limit in soft limits.
const STRETCH: u32 = 4;

/// Time limits of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration starts after this.
    pub soft: Option<Duration>,
    /// The search stops here.
    pub hard: Option<Duration>,
}

impl Budget {
    /// The budget for a position with `pieces` on the board.
    pub fn new(limits: &Limits, pieces: u32) -> Self {
        let of_clock = limits.clock.map_or(Self::default(), |clock| Self::of_clock(&clock, pieces));
        let Some(move_time) = limits.move_time else { return of_clock };
        let move_time = move_time.saturating_sub(ANSWER);
        let hard = of_clock.hard.map_or(move_time, |hard| hard.min(move_time));
        Self { soft: of_clock.soft, hard: Some(hard) }
    }

    fn of_clock(clock: &Clock, pieces: u32) -> Self {
        let horizon = HORIZON.0 + HORIZON.1 * pieces / 10;
        let moves = clock.moves.map_or(horizon, |moves| moves.clamp(1, horizon));
        let available = clock.time + clock.increment;
        let usable = available.saturating_sub(OVERHEAD_PER_MOVE * (moves + 1));
        let share = usable.saturating_sub(clock.increment) / moves + clock.increment * 4 / 5;
        let most = if moves == 1 { usable } else { usable / 2 };
        let soft = share.min(most);
        Self { soft: Some(soft), hard: Some((soft * STRETCH).min(most)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: u64, increment: u64, moves: Option<u32>) -> Budget {
        let ms = Duration::from_millis;
        let clock = Clock { time: ms(time), increment: ms(increment), moves };
        Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, 40)
    }

    #[test]
    fn never_more_than_there_is() {
        for time in [0, 1, 5, 50, 100, 1_000, 60_000] {
            for increment in [0, 1, 100, 5_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let budget = clock(time, increment, moves);
                    let available = Duration::from_millis(time + increment);
                    assert!(budget.soft <= budget.hard && budget.hard <= Some(available));
                }
            }
        }
    }

    #[test]
    fn an_empty_clock_means_at_once() {
        assert_eq!(clock(0, 0, None).hard, Some(Duration::ZERO));
    }

    #[test]
    fn a_long_game_on_one_second() {
        let mut left = 1_000_000u64;
        for _ in 0..150 {
            let clock = Clock { time: Duration::from_micros(left), ..Clock::default() };
            let budget = Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, 20);
            let spent = budget.soft.expect("a clock gives a budget").as_micros() as u64 + 300;
            assert!(spent <= left, "the flag falls with {left} microseconds left");
            left -= spent;
        }
    }

    #[test]
    fn fixed_time_keeps_the_answer_time() {
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        assert_eq!(Budget::new(&limits, 40), Budget { soft: None, hard: Some(Duration::from_millis(97)) });
    }
}
