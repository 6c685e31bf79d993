//! A program that speaks Hub, version 2.

use std::time::Instant;

use super::declared::{self, Declared};
use super::process::{Heard, Process, Sense};
use super::{Answer, NewGame, Player, StartError, hub_moves};
use crate::board::Game;
use crate::notation::hub::write_position;
use crate::protocol::hub::lexer::Line;
use crate::search::{Limits, Score};
use crate::tournament::config::Config;
use crate::tournament::control::Patience;
use crate::tournament::fault::{Failure, Fault};
use crate::tournament::spec::PlayerSpec;
use crate::variant::{Variant, VariantId};

/// Lines of the protocol that are no answer.
const KNOWN: [&str; 8] = ["id", "param", "wait", "ready", "info", "done", "pong", "error"];

/// A Hub engine.
pub struct HubPlayer {
    process: Process,
    /// How long anything but a search may take.
    patience: Patience,
}

impl HubPlayer {
    /// Introduces the match to a program that has just been started.
    pub fn greet<V: Variant>(mut process: Process, spec: &PlayerSpec, config: &Config) -> Result<Self, StartError> {
        let patience = Patience::of(config.hang());
        process.send("hub");
        let mut declared = Vec::new();
        process.wait(patience, |heard| {
            with_line(heard, |line| {
                declared.extend(Declared::read(line));
                Ok((line.command == "wait").then_some(()))
            })
        })?;
        let variants = declared.iter().find(|param| param.name == "variant").and_then(|param| param.values.as_deref());
        if let Some(variant) = variant_value(V::ID, variants)? {
            process.send(&format!("set-param name=variant value={variant}"));
        }
        declared::settings(&declared, spec, config)?.iter().for_each(|line| process.send(line));
        process.send("init");
        process.wait(patience, |heard| with_line(heard, |line| Ok((line.command == "ready").then_some(()))))?;
        Ok(Self { process, patience })
    }
}

/// What `variant` has to be set to, given the values that a program declares; nothing for a program
/// that only knows the usual game.
fn variant_value(wanted: VariantId, declared: Option<&str>) -> Result<Option<&str>, StartError> {
    let is_wanted = |value: &&str| value.parse() == Ok(wanted);
    match declared.map(|values| values.split_whitespace().find(is_wanted)) {
        Some(Some(value)) => Ok(Some(value)),
        None if wanted == VariantId::default() => Ok(None),
        Some(None) | None => Err(StartError::Variant(wanted.to_string())),
    }
}

/// Reads a line and gives it to `answer`, which tells whether it is the answer.
fn with_line<T>(heard: &Heard, answer: impl FnOnce(&Line) -> Result<Option<T>, Fault>) -> Result<Sense<T>, Fault> {
    let Ok(Some(line)) = Line::parse(&heard.text) else { return Ok(Sense::None) };
    Ok(match answer(&line)? {
        Some(answer) => Sense::Answer(answer),
        None if KNOWN.contains(&line.command) => Sense::Other,
        None => Sense::None,
    })
}

/// The `level` lines for these limits.
fn levels(limits: Limits) -> Vec<String> {
    let Limits { depth, nodes, move_time, clock } = limits;
    let clock = clock.map(|clock| {
        let moves = clock.moves.map(|moves| format!(" moves={moves}")).unwrap_or_default();
        let (time, increment) = (clock.time.as_secs_f64(), clock.increment.as_secs_f64());
        let increment = if clock.increment.is_zero() { String::new() } else { format!(" inc={increment:.3}") };
        format!("level{moves} time={time:.3}{increment}")
    });
    let lines = [
        depth.map(|depth| format!("level depth={depth}")),
        nodes.map(|nodes| format!("level nodes={nodes}")),
        move_time.map(|time| format!("level move-time={:.3}", time.as_secs_f64())),
        clock,
    ];
    lines.into_iter().flatten().collect()
}

/// Takes over what an `info` line tells about the best move.
fn read_info(line: &Line, answer: &mut Answer) {
    if line.value("multi-pv").is_some_and(|rank| rank != "1") {
        return;
    }
    let number = |name| line.value(name).and_then(|text| text.parse::<f64>().ok()).filter(|value| value.is_finite());
    let score = number("score").map(|men| Score::from_raw((men.clamp(-100.0, 100.0) * 100.0).round() as i32));
    answer.score = score.or(answer.score);
    answer.depth = number("depth").map(|depth| depth as u32).or(answer.depth);
    answer.nodes = number("nodes").map(|nodes| nodes as u64).or(answer.nodes);
}

impl<V: Variant> Player<V> for HubPlayer {
    fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
        self.process.forget();
        self.process.send("new-game");
        // Clearing tables may take time, which must not be that of the first move.
        self.process.send("ping");
        self.process.wait(self.patience, |heard| {
            with_line(heard, |line| Ok(matches!(line.command, "pong" | "error").then_some(())))
        })
    }

    fn find_move(&mut self, game: &Game<V>, limits: Limits, patience: Patience) -> Result<Answer, Failure> {
        self.process.forget();
        let mut position = format!("pos pos={}", write_position(game.start()));
        let moves: Vec<_> = hub_moves(game).collect();
        if !moves.is_empty() {
            position += &format!(" moves=\"{}\"", moves.join(" "));
        }
        self.process.send(&position);
        levels(limits).iter().for_each(|line| self.process.send(line));
        let started = Instant::now();
        self.process.send("go think");
        let mut answer = Answer::default();
        self.process.wait(patience, |heard| {
            with_line(heard, |line| {
                match line.command {
                    "info" => read_info(line, &mut answer),
                    "error" => log::warn!("an engine reports `{}`", heard.text),
                    "done" => {
                        let best = line.value("move").ok_or_else(|| Fault::Garbage(heard.text.clone()))?;
                        answer.elapsed = heard.at.saturating_duration_since(started);
                        best.clone_into(&mut answer.best);
                        return Ok(Some(answer.clone()));
                    }
                    _ => {}
                }
                Ok(None)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;
    use std::time::Duration;

    #[test]
    fn limits_as_lines() {
        let clock = |moves, increment| Clock {
            time: Duration::from_millis(1500),
            increment: Duration::from_millis(increment),
            moves,
        };
        let limits = |clock| Limits { clock: Some(clock), ..Limits::default() };
        assert_eq!(levels(limits(clock(None, 0))), ["level time=1.500"]);
        assert_eq!(levels(limits(clock(Some(7), 250))), ["level moves=7 time=1.500 inc=0.250"]);
        let both =
            Limits { depth: Some(9), nodes: Some(1000), move_time: Some(Duration::from_millis(100)), clock: None };
        assert_eq!(levels(both), ["level depth=9", "level nodes=1000", "level move-time=0.100"]);
    }

    #[test]
    fn info_lines_add_up() {
        let mut answer = Answer::default();
        for text in
            ["info depth=9 score=-0.35 nodes=1200 pv=\"32-28 19-23\"", "info score=99.95", "info depth=x", "info"]
        {
            read_info(&Line::parse(text).unwrap().unwrap(), &mut answer);
        }
        let second = "info depth=3 score=7 nodes=1 multi-pv=2";
        read_info(&Line::parse(second).unwrap().unwrap(), &mut answer);
        assert_eq!((answer.depth, answer.nodes), (Some(9), Some(1200)));
        assert_eq!(answer.score, Some(Score::win_in(5)));
    }

    #[test]
    fn variants_by_their_declared_names() {
        let value = |id, declared| variant_value(id, declared).map_err(|error| error.to_string());
        assert_eq!(value(VariantId::default(), None), Ok(None));
        assert_eq!(value(VariantId::default(), Some("killer standard")), Ok(Some("standard")));
        assert_eq!(value(VariantId::Brazilian, Some("normal brazilian")), Ok(Some("brazilian")));
        assert!(value(VariantId::Brazilian, None).is_err() && value(VariantId::Brazilian, Some("normal")).is_err());
    }
}
