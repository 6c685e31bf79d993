//! Time controls, and the clock that the referee keeps.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::search::{Clock, Limits};
use crate::tournament::text::{ListError, value};

/// What limits the moves of a player; the first limit reached ends a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Time a move.
    pub move_time: Option<Duration>,
    /// A game clock.
    pub clock: Option<ClockSpec>,
}

impl Control {
    /// Whether time plays a part: if not, a search with one thread repeats.
    pub const fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some()
    }
}

/// A game clock, written `MOVES/SECONDS+INCREMENT`; moves and increment may be missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockSpec {
    /// Moves for which the time lasts; then it is given again. `None` is the whole game.
    pub moves: Option<u32>,
    /// Time on the clock.
    pub time: Duration,
    /// Added before each move.
    pub increment: Duration,
}

/// Times beyond this, some 30 years, are mistakes.
pub(super) const LONGEST: f64 = 1e9;

/// A number of seconds as a time.
///
/// # Errors
/// If it is negative, no number, or absurdly large.
pub fn seconds(name: &str, number: f64) -> Result<Duration, ListError> {
    if (0.0..LONGEST).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err(ListError::bad_value(name, &number.to_string()))
    }
}

impl FromStr for ClockSpec {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Self, ListError> {
        let bad = |_| ListError::bad_value("clock", text);
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(value("clock", moves).map_err(bad)?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let part = |part: &str| value("clock", part.trim()).and_then(|number| seconds("clock", number)).map_err(bad);
        if moves == Some(0) {
            return Err(ListError::bad_value("clock", text));
        }
        Ok(Self { moves, time: part(time)?, increment: part(increment)? })
    }
}

impl fmt::Display for ClockSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.time.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// In words, for the report and the record.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| format!("clock {clock}")),
            self.move_time.map(|time| format!("{} s a move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        write!(f, "{}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// How long an answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Since the last sign of life.
    pub silence: Duration,
    /// In all.
    pub total: Duration,
}

/// How many times the longest silence a move without a limit of time may take: an hour by default.
const MOST_SILENCES: u32 = 120;

impl Patience {
    /// So long, whatever signs of life there are.
    pub const fn of(time: Duration) -> Self {
        Self { silence: time, total: time }
    }

    /// What is left of it now.
    pub fn left(&self, started: Instant, last_sign: Instant, now: Instant) -> Duration {
        let total = self.total.saturating_sub(now.saturating_duration_since(started));
        total.min(self.silence.saturating_sub(now.saturating_duration_since(last_sign)))
    }

    /// Which time was too long when nothing is left.
    pub fn exceeded(&self, started: Instant, now: Instant) -> Duration {
        if now.saturating_duration_since(started) >= self.total { self.total } else { self.silence }
    }
}

/// The time of one player in one game.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    control: Control,
    /// Left on the clock, the increment of the next move not included.
    left: Duration,
    /// Moves until the clock is wound again.
    moves: Option<u32>,
}

impl GameClock {
    /// The clock at the start of a game.
    pub fn new(control: Control) -> Self {
        let left = control.clock.map_or(Duration::ZERO, |clock| clock.time);
        Self { control, left, moves: control.clock.and_then(|clock| clock.moves) }
    }

    /// The limits of the next search.
    pub fn limits(&self) -> Limits {
        let Control { depth, nodes, move_time, clock } = self.control;
        let clock = clock.map(|spec| Clock { time: self.left, increment: spec.increment, moves: self.moves });
        Limits { depth, nodes, move_time, clock }
    }

    /// The time that the next move may take, if it is limited.
    pub fn allowed(&self) -> Option<Duration> {
        let on_clock = self.control.clock.map(|spec| self.left + spec.increment);
        on_clock.into_iter().chain(self.control.move_time).min()
    }

    /// How long to wait for the next move if an engine may be silent for `hang` beyond its time. An engine that
    /// has no limit of time may think long, as long as it tells so.
    pub fn patience(&self, hang: Duration) -> Patience {
        match self.allowed() {
            Some(allowed) => Patience::of(allowed + hang),
            None => Patience { silence: hang, total: hang * MOST_SILENCES },
        }
    }

    /// Time on the clock, if there is one.
    pub fn left(&self) -> Option<Duration> {
        self.control.clock.map(|_| self.left)
    }

    /// Takes the time of a move off the clock; by how much it was too long.
    pub fn spend(&mut self, elapsed: Duration) -> Duration {
        let overrun = self.allowed().map_or(Duration::ZERO, |allowed| elapsed.saturating_sub(allowed));
        let Some(spec) = self.control.clock else { return overrun };
        self.left = (self.left + spec.increment).saturating_sub(elapsed);
        if let Some(moves) = &mut self.moves {
            *moves -= 1;
            if *moves == 0 {
                self.left += spec.time;
                self.moves = spec.moves;
            }
        }
        overrun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn clocks_as_text() {
        let read = |text: &str| text.parse::<ClockSpec>();
        assert_eq!(read("60"), Ok(ClockSpec { moves: None, time: ms(60_000), increment: ms(0) }));
        assert_eq!(read("40/0.5+0.25"), Ok(ClockSpec { moves: Some(40), time: ms(500), increment: ms(250) }));
        for text in ["40/60+0.5", "1+0", "10/3+0"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        for text in ["", "x", "0/60", "40/", "60+", "-1", "1e30", "nan", "60+-1"] {
            assert_eq!(read(text), Err(ListError::bad_value("clock", text)), "{text}");
        }
    }

    #[test]
    fn increment_comes_before_the_move() {
        let mut clock = GameClock::new(Control { clock: "1+0.5".parse().ok(), ..Control::default() });
        assert_eq!(clock.allowed(), Some(ms(1500)));
        assert_eq!(clock.spend(ms(700)), ms(0));
        assert_eq!((clock.left(), clock.allowed()), (Some(ms(800)), Some(ms(1300))));
        assert_eq!(clock.spend(ms(1320)), ms(20));
        assert_eq!(clock.left(), Some(ms(0)));
        assert_eq!(clock.allowed(), Some(ms(500)));
    }

    #[test]
    fn patience_without_a_limit_of_time() {
        let clock = |control| GameClock::new(control).patience(ms(50));
        let timed = Control { move_time: Some(ms(100)), ..Control::default() };
        assert_eq!(clock(timed), Patience::of(ms(150)));
        let patience = clock(Control { nodes: Some(1), ..Control::default() });
        let start = Instant::now();
        let left = |last, now| patience.left(start, start + ms(last), start + ms(now));
        assert_eq!((left(0, 20), left(100, 120), left(100, 160)), (ms(30), ms(30), ms(0)));
        assert_eq!(patience.exceeded(start, start + ms(160)), ms(50));
        assert_eq!((left(5990, 5990), left(6000, 6000)), (ms(10), ms(0)));
        assert_eq!(patience.exceeded(start, start + ms(6000)), ms(6000));
    }

    #[test]
    fn a_clock_is_wound_again() {
        let mut clock = GameClock::new(Control { clock: "2/1".parse().ok(), ..Control::default() });
        let moves = |clock: &GameClock| clock.limits().clock.and_then(|clock| clock.moves);
        assert_eq!(moves(&clock), Some(2));
        clock.spend(ms(300));
        assert_eq!((moves(&clock), clock.left()), (Some(1), Some(ms(700))));
        clock.spend(ms(300));
        assert_eq!((moves(&clock), clock.left()), (Some(2), Some(ms(1400))));
    }

    #[test]
    fn a_fixed_time_starts_anew_with_each_move() {
        let mut clock = GameClock::new(Control { move_time: Some(ms(100)), ..Control::default() });
        assert_eq!(clock.spend(ms(130)), ms(30));
        assert_eq!((clock.spend(ms(90)), clock.allowed(), clock.left()), (ms(0), Some(ms(100)), None));
        let mut unlimited = GameClock::new(Control { nodes: Some(1000), ..Control::default() });
        assert_eq!((unlimited.allowed(), unlimited.spend(ms(5000))), (None, ms(0)));
    }
}
