//! This engine, in this process.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};

use super::{Answer, NewGame, Player};
use crate::board::{Game, Move};
use crate::engine::Engine;
use crate::engine::params::Params;
use crate::notation::hub::HubMove;
use crate::search::{Limits, Mode, Report};
use crate::tournament::Stop;
use crate::tournament::control::Patience;
use crate::tournament::fault::{Failure, Fault, Termination};
use crate::variant::Variant;

/// How often a waiting player looks whether the match is to end.
const POLL: Duration = Duration::from_millis(50);

/// An engine of its own.
pub struct Inside<V: Variant> {
    engine: Engine<V>,
    stop: Stop,
    /// The answer that it expects to its last move, if it ponders.
    expected: Option<Move>,
    /// What comes from a search of the engine's game on the opponent's time, while there is one.
    pondering: Option<Receiver<Report>>,
}

impl<V: Variant> Inside<V> {
    /// An engine with exactly the evaluation that these parameters name.
    pub fn new(params: &Params, stop: Stop) -> io::Result<Self> {
        let engine = Engine::strict(params, |error| log::warn!("{error}"))?;
        Ok(Self { engine, stop, expected: None, pondering: None })
    }

    /// Starts a search of the engine's game; returns what it tells.
    fn search(&mut self, mode: Mode, limits: Limits, started: Instant) -> Receiver<Report> {
        let (sender, reports) = unbounded();
        self.engine.start(mode, limits, started, &[], Arc::new(move |report| drop(sender.send(report))));
        reports
    }

    /// Ends a search on the opponent's time.
    fn halt(&mut self) {
        self.expected = None;
        if self.pondering.take().is_some() {
            self.engine.stop();
            self.engine.wait();
        }
    }
}

impl<V: Variant> Player<V> for Inside<V> {
    fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
        self.halt();
        self.engine.new_game();
        Ok(())
    }

    fn find_move(&mut self, game: &Game<V>, limits: Limits, patience: Patience) -> Result<Answer, Failure> {
        if self.stop.is_set() {
            return Err(Failure::Stopped);
        }
        let started = Instant::now();
        let reports = match self.pondering.take() {
            // The expected move was played: the search goes on.
            Some(reports) if self.engine.game.moves() == game.moves() => {
                self.engine.ponder_hit();
                reports
            }
            _ => {
                self.engine.game = game.clone();
                self.search(Mode::Think, limits, started)
            }
        };
        let mut answer = Answer::default();
        let mut last_sign = started;
        loop {
            match reports.recv_timeout(POLL) {
                Ok(Report::Info(info)) if info.line == 1 => {
                    last_sign = Instant::now();
                    answer.score = Some(info.score);
                    answer.depth = Some(info.depth);
                    answer.nodes = Some(info.nodes);
                }
                Ok(Report::Info(_)) => {}
                Ok(Report::Done(done)) => {
                    answer.elapsed = started.elapsed();
                    self.expected = done.ponder.filter(|_| self.engine.ponders);
                    answer.best = done.best.map_or_else(String::new, |mv| HubMove::of::<V>(mv).to_string());
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Timeout) if self.stop.is_set() => {
                    self.engine.stop();
                    return Err(Failure::Stopped);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    if patience.left(started, last_sign, now).is_zero() {
                        self.engine.stop();
                        return Err(Fault::Hang(patience.exceeded(started, now)).into());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crash("a search thread ended".into()).into()),
            }
        }
    }

    fn ponder(&mut self, game: &Game<V>, limits: Limits) {
        let Some(expected) = self.expected.take() else { return };
        let mut next = game.clone();
        if next.play(expected).is_ok() && next.over(self.engine.policy()).is_none() {
            self.engine.game = next;
            self.pondering = Some(self.search(Mode::Ponder, limits, Instant::now()));
        }
    }

    fn end_game(&mut self, _: &Game<V>, _: &Termination) {
        self.halt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::legal_moves;
    use crate::variant::International;

    const LIMITS: Limits = Limits { depth: None, nodes: Some(500), move_time: None, clock: None };
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A player that has made its first move, and the game after it.
    fn player(ponder: bool) -> (Inside<International>, Game<International>) {
        let params = Params { hash: 1, ponder, ..Params::default() };
        let mut player = Inside::new(&params, Stop::default()).unwrap();
        let mut game = Game::new(Default::default());
        let answer = player.find_move(&game, LIMITS, Patience::of(PATIENCE)).unwrap();
        game.play(
            answer.best.parse::<HubMove>().unwrap().resolve::<International>(&legal_moves(game.position())).unwrap(),
        )
        .unwrap();
        (player, game)
    }

    /// Lets a player think on the opponent's time, well beyond the nodes of a move, then the opponent plays as
    /// expected, or not; returns the nodes of the next move.
    fn nodes_after(as_expected: bool) -> u64 {
        let (mut player, mut game) = player(true);
        player.ponder(&game, LIMITS);
        let reports = player.pondering.clone().expect("it expects an answer");
        let begin = Instant::now();
        while reports.len() < 10 {
            assert!(begin.elapsed() < PATIENCE, "it does not think");
            std::thread::sleep(Duration::from_millis(1));
        }
        let expected = *player.engine.game.moves().last().unwrap();
        let moves = legal_moves(game.position());
        game.play(*moves.iter().find(|mv| (**mv == expected) == as_expected).unwrap()).unwrap();
        player.find_move(&game, LIMITS, Patience::of(PATIENCE)).unwrap().nodes.unwrap()
    }

    #[test]
    fn the_time_of_the_opponent_is_used() {
        let (hit, miss) = (nodes_after(true), nodes_after(false));
        assert!(hit > 1000 && miss < 1000, "{hit} nodes after a hit, {miss} after a miss");
    }

    #[test]
    fn it_ponders_only_if_told_to_and_while_a_game_is_on() {
        let (mut idle, game) = player(false);
        idle.ponder(&game, LIMITS);
        assert!(idle.pondering.is_none());
        let (mut player, game) = player(true);
        player.ponder(&game, LIMITS);
        let reports = player.pondering.clone().expect("it expects an answer");
        player.end_game(&game, &Termination::DrawAgreed);
        assert!(player.pondering.is_none() && reports.try_iter().any(|report| matches!(report, Report::Done(_))));
        // The next game is not that of the expected move.
        player.ponder(&game, LIMITS);
        assert!(player.pondering.is_none());
    }
}
