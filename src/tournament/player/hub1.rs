//! A program that speaks Hub, version 1: words without names, times in milliseconds, scores in
//! hundredths of a man, the side to move in lower case.

use std::time::{Duration, Instant};

use super::process::{Heard, Process, Sense};
use super::{Answer, NewGame, Player, StartError, hub_moves};
use crate::board::Game;
use crate::notation::hub::write_position;
use crate::search::{Limits, Score};
use crate::tournament::control::Patience;
use crate::tournament::fault::{Failure, Fault};
use crate::tournament::spec::PlayerSpec;
use crate::variant::Variant;

/// A Hub 1 engine.
pub struct Hub1Player {
    process: Process,
    /// How long anything but a search may take.
    patience: Patience,
}

/// Waits for a line with this first word. The dialect has banners and remarks, so no line is nonsense.
fn wait_for(process: &mut Process, word: &str, patience: Patience) -> Result<(), Failure> {
    process.wait(patience, |heard| {
        let is_answer = heard.text.split_whitespace().next() == Some(word);
        Ok(if is_answer { Sense::Answer(()) } else { Sense::Other })
    })
}

impl Hub1Player {
    /// Introduces the match to a program that has just been started.
    pub fn greet(mut process: Process, spec: &PlayerSpec, patience: Duration) -> Result<Self, StartError> {
        let patience = Patience::of(patience);
        process.send("hub");
        wait_for(&mut process, "wait", patience)?;
        spec.params.iter().for_each(|(name, value)| process.send(&format!("set {name} {value}")));
        process.send("init");
        wait_for(&mut process, "ready", patience)?;
        Ok(Self { process, patience })
    }
}

/// The lines that set these limits; there are none for nodes.
fn levels(limits: Limits) -> Vec<String> {
    let clock = limits.clock.map(|clock| {
        let (time, increment) = (clock.time.as_millis(), clock.increment.as_millis());
        format!("level {} {time} {increment}", clock.moves.unwrap_or(0))
    });
    let time = limits.move_time.map(|time| format!("time {}", time.as_millis()));
    let depth = limits.depth.map(|depth| format!("depth {depth}"));
    [depth, time, clock].into_iter().flatten().collect()
}

/// Takes over what `info DEPTH MEAN SCORE NODES ...` tells.
fn read_info<'a>(words: impl Iterator<Item = &'a str>, answer: &mut Answer) {
    let numbers: Vec<f64> = words.take(4).map_while(|word| word.parse().ok()).collect();
    if let [depth, _, score, nodes] = numbers[..] {
        answer.depth = Some(depth as u32);
        answer.score = Some(Score::from_raw(score.clamp(-10_000.0, 10_000.0) as i32));
        answer.nodes = Some(nodes as u64);
    }
}

fn read_answer(heard: &Heard, started: Instant, answer: &mut Answer) -> Result<Sense<Answer>, Fault> {
    let mut words = heard.text.split_whitespace();
    match words.next() {
        Some("info") => read_info(words, answer),
        Some("error") => log::warn!("an engine reports `{}`", heard.text),
        Some("move") => {
            let best = words.next().ok_or_else(|| Fault::Garbage(heard.text.clone()))?;
            answer.elapsed = heard.at.saturating_duration_since(started);
            best.clone_into(&mut answer.best);
            return Ok(Sense::Answer(answer.clone()));
        }
        _ => {}
    }
    Ok(Sense::Other)
}

impl<V: Variant> Player<V> for Hub1Player {
    fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
        self.process.forget();
        self.process.send("new");
        self.process.send("ping");
        wait_for(&mut self.process, "pong", self.patience)
    }

    fn find_move(&mut self, game: &Game<V>, limits: Limits, patience: Patience) -> Result<Answer, Failure> {
        self.process.forget();
        let position = write_position(game.start());
        let (side, squares) = position.split_at(1);
        self.process.send(&format!("pos {}{squares}", side.to_ascii_lowercase()));
        hub_moves(game).for_each(|mv| self.process.send(&format!("move {mv}")));
        levels(limits).iter().for_each(|line| self.process.send(line));
        let started = Instant::now();
        self.process.send("go");
        let mut answer = Answer::default();
        self.process.wait(patience, |heard| read_answer(heard, started, &mut answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    #[test]
    fn limits_in_milliseconds() {
        let clock = Clock { time: Duration::from_secs(60), increment: Duration::from_millis(500), moves: None };
        let both = Limits { depth: Some(9), clock: Some(clock), ..Limits::default() };
        assert_eq!(levels(both), ["depth 9", "level 0 60000 500"]);
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        assert_eq!(levels(limits), ["time 100"]);
    }

    #[test]
    fn answers() {
        let started = Instant::now();
        let mut answer = Answer::default();
        let mut hear = |text: &str| {
            let heard = Heard { at: started + Duration::from_millis(5), text: text.into() };
            match read_answer(&heard, started, &mut answer) {
                Ok(Sense::Answer(answer)) => Some(Ok(answer)),
                Ok(_) => None,
                Err(fault) => Some(Err(fault)),
            }
        };
        assert!(hear("info 12 13.4 -35 123456 0.10 1.2 32-28 19-23").is_none());
        assert!(hear("info x").is_none() && hear("input \"go\"").is_none() && hear("").is_none());
        let found = hear("move 28x19x23 14x23x19").unwrap().unwrap();
        assert_eq!((found.best.as_str(), found.score), ("28x19x23", Some(Score::from_raw(-35))));
        assert_eq!((found.depth, found.nodes, found.elapsed), (Some(12), Some(123_456), Duration::from_millis(5)));
        assert_eq!(hear("move"), Some(Err(Fault::Garbage("move".into()))));
    }
}
