//! The limits of a search as `level` lines state them.

use std::time::Duration;

use super::command::HubError;
use super::lexer::Line;
use crate::search::{Clock, Limits};

/// What one or several `level` lines say; times are seconds and may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Drop all earlier limits.
    pub infinite: bool,
    /// Nominal depth.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub move_time: Option<f64>,
    /// Time on the clock.
    pub time: Option<f64>,
    /// Added before each move.
    pub inc: Option<f64>,
    /// Moves until the next time control.
    pub moves: Option<u32>,
}

/// Time on the clock when a `level` names only `inc` or `moves`.
const DEFAULT_TIME: f64 = 30.0;
/// No limit is longer; some 30 years.
const LONGEST: f64 = 1e9;

impl Level {
    /// Reads the arguments of `level`; unknown ones are ignored.
    ///
    /// # Errors
    /// If a known one is not a number.
    pub fn parse(line: &Line) -> Result<Self, HubError> {
        let number = |name| line.value(name).map(|text| parse_number(name, text)).transpose();
        let count = |name| number(name).map(|value| value.map(|value| value as u32));
        let nodes = match line.value("nodes").map(str::parse) {
            Some(Ok(exact)) => Some(exact),
            _ => number("nodes")?.map(|value| value as u64),
        };
        Ok(Self {
            infinite: line.value("infinite").is_some(),
            depth: count("depth")?.map(|depth| depth.max(1)),
            nodes: nodes.map(|nodes| nodes.max(1)),
            move_time: number("move-time")?,
            time: number("time")?,
            inc: number("inc")?,
            moves: count("moves")?,
        })
    }

    /// Both sets of limits; where they name the same one, the later counts.
    #[must_use]
    pub fn and(self, later: Self) -> Self {
        let earlier = if later.infinite { Self::default() } else { self };
        Self {
            infinite: false,
            depth: later.depth.or(earlier.depth),
            nodes: later.nodes.or(earlier.nodes),
            move_time: later.move_time.or(earlier.move_time),
            time: later.time.or(earlier.time),
            inc: later.inc.or(earlier.inc),
            moves: later.moves.or(earlier.moves),
        }
    }

    /// The limits for a search.
    pub fn limits(&self) -> Limits {
        let has_clock = self.time.is_some() || self.inc.is_some() || self.moves.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time.map(seconds),
            clock: has_clock.then(|| self.clock()),
        }
    }

    /// A debt on one side of `time + inc`, the time available now, is paid from the other.
    fn clock(&self) -> Clock {
        let time = self.time.unwrap_or(DEFAULT_TIME);
        let increment = self.inc.unwrap_or(0.0);
        Clock {
            time: seconds(time + increment.min(0.0)),
            increment: seconds(increment + time.min(0.0)),
            moves: self.moves.filter(|moves| *moves > 0),
        }
    }
}

fn seconds(value: f64) -> Duration {
    Duration::from_secs_f64(value.clamp(0.0, LONGEST))
}

fn parse_number(name: &'static str, text: &str) -> Result<f64, HubError> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| HubError::BadNumber { name, text: text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Level {
        Level::parse(&Line::parse(text).unwrap().unwrap()).unwrap()
    }

    fn clock(text: &str) -> (f64, f64, Option<u32>) {
        let clock = level(text).limits().clock.unwrap();
        (clock.time.as_secs_f64(), clock.increment.as_secs_f64(), clock.moves)
    }

    #[test]
    fn numbers_in_all_forms() {
        let none = Level::default();
        assert_eq!(level("level infinite"), Level { infinite: true, ..none });
        assert_eq!(level("level depth=-3 ply=x"), Level { depth: Some(1), ..none });
        assert_eq!(level("level depth=99999999999"), Level { depth: Some(u32::MAX), ..none });
        assert_eq!(level("level nodes=18446744073709551615"), Level { nodes: Some(u64::MAX), ..none });
        assert_eq!(level("level nodes=1e6"), Level { nodes: Some(1_000_000), ..none });
        assert_eq!(level("level time=9.799999999999999").time, Some(9.799_999_999_999_999));
    }

    #[test]
    fn clocks() {
        assert_eq!(clock("level time=10 inc=0.5"), (10.0, 0.5, None));
        assert_eq!(clock("level moves=40 time=60"), (60.0, 0.0, Some(40)));
        assert_eq!(clock("level moves=0 time=60"), (60.0, 0.0, None));
        assert_eq!(clock("level inc=1"), (30.0, 1.0, None));
        assert_eq!(clock("level moves=5"), (30.0, 0.0, Some(5)));
    }

    #[test]
    fn empty_clocks_leave_no_more_than_the_sum() {
        assert_eq!(clock("level time=0"), (0.0, 0.0, None));
        assert_eq!(clock("level time=-3 inc=1"), (0.0, 0.0, None));
        assert_eq!(clock("level time=-0.25 inc=1"), (0.0, 0.75, None));
        assert_eq!(clock("level time=3 inc=-1"), (2.0, 0.0, None));
        assert_eq!(clock("level time=-1e300 inc=1e300"), (0.0, 0.0, None));
        assert_eq!(level("level move-time=-2").limits().move_time, Some(Duration::ZERO));
        assert_eq!(level("level move-time=1e300").limits().move_time, Some(Duration::from_secs(1_000_000_000)));
    }

    #[test]
    fn limits_accumulate_until_infinite() {
        let both = level("level move-time=90").and(level("level depth=16"));
        assert_eq!(both.limits().move_time, Some(Duration::from_secs(90)));
        assert_eq!(both.limits().depth, Some(16));
        assert_eq!(both.and(level("level depth=3")).limits().depth, Some(3));
        assert_eq!(both.and(level("level infinite")).limits(), Limits::default());
        assert_eq!(both.and(level("level infinite depth=2")).limits(), Limits { depth: Some(2), ..Limits::default() });
    }
}
