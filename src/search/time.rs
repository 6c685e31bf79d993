//! How long to think.

use std::time::Duration;

use super::limits::Clock;
use super::{Job, Mode};
use crate::variant::Variant;

/// Time for writing the answer, and for each line reported with it: protocols pace their output.
const ANSWER: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(2));
/// Cost of a move that no search sees: pipes, scheduling, the GUI.
const OVERHEAD_PER_MOVE: Duration = Duration::from_millis(2);
/// Always left on the clock.
const RESERVE: Duration = Duration::from_millis(30);
/// Share of the time when the opponent's time is used as well, in percent.
const PONDER_PERCENT: u32 = 125;
/// Moves that a game is expected to last, without pieces and per 10 pieces.
const HORIZON: (u32, u32) = (18, 5);
/// The hard limit in soft limits.
const STRETCH: u32 = 4;

/// Time limits of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration starts after about this; see `answer_scale`.
    pub soft: Option<Duration>,
    /// The search stops here.
    pub hard: Option<Duration>,
}

impl Budget {
    /// The budget of a job. An analysis does not play, so it knows no game clock.
    pub fn new<V: Variant>(job: &Job<V>) -> Self {
        let clock = job.limits.clock.filter(|_| job.mode != Mode::Analyze);
        let lines = job.lines.min(job.moves.len()) as u32;
        let answer = ANSWER.0 + ANSWER.1 * lines;
        Self::of(clock, job.limits.move_time, job.root.position.occupied().count(), job.ponders, answer)
    }

    fn of(clock: Option<Clock>, move_time: Option<Duration>, pieces: u32, ponders: bool, answer: Duration) -> Self {
        let of_clock = clock.map_or(Self::default(), |clock| Self::of_clock(&clock, pieces, ponders, answer));
        let Some(move_time) = move_time else { return of_clock };
        let move_time = move_time.saturating_sub(answer);
        let hard = of_clock.hard.map_or(move_time, |hard| hard.min(move_time));
        Self { soft: of_clock.soft, hard: Some(hard) }
    }

    fn of_clock(clock: &Clock, pieces: u32, ponders: bool, answer: Duration) -> Self {
        let horizon = HORIZON.0 + HORIZON.1 * pieces / 10;
        let moves = clock.moves.map_or(horizon, |moves| moves.clamp(1, horizon));
        let available = clock.time + clock.increment;
        let usable = available.saturating_sub(RESERVE.max(answer + OVERHEAD_PER_MOVE * moves));
        let share = usable.saturating_sub(clock.increment) / moves + clock.increment * 4 / 5;
        let share = if ponders { share * PONDER_PERCENT / 100 } else { share };
        let most = if moves == 1 { usable * 19 / 20 } else { usable / 2 };
        let soft = share.min(most);
        Self { soft: Some(soft), hard: Some((soft * STRETCH).min(most)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: u64, increment: u64, moves: Option<u32>) -> Budget {
        let ms = Duration::from_millis;
        Budget::of(
            Some(Clock { time: ms(time), increment: ms(increment), moves }),
            None,
            40,
            false,
            ANSWER.0 + ANSWER.1,
        )
    }

    #[test]
    fn never_more_than_there_is() {
        for time in [0, 1, 5, 50, 100, 1_000, 60_000] {
            for increment in [0, 1, 100, 5_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let budget = clock(time, increment, moves);
                    let left = Duration::from_millis((time + increment).saturating_sub(30));
                    assert!(budget.soft <= budget.hard && budget.hard <= Some(left));
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
        for _ in 0..120 {
            let clock = Clock { time: Duration::from_micros(left), ..Clock::default() };
            let budget = Budget::of(Some(clock), None, 20, false, ANSWER.0 + ANSWER.1);
            // Every move takes its whole share, and a millisecond that no search sees.
            let spent = budget.soft.expect("a clock gives a budget").as_micros() as u64 + 1000;
            assert!(spent <= left, "the flag falls with {left} microseconds left");
            left -= spent;
        }
    }

    #[test]
    fn fixed_time_keeps_the_answer_time() {
        let budget = Budget::of(None, Some(Duration::from_millis(100)), 40, false, ANSWER.0 + ANSWER.1);
        assert_eq!(budget, Budget { soft: None, hard: Some(Duration::from_millis(97)) });
    }
}
