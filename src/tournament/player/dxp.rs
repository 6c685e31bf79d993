//! A program that speaks DXP: this side asks it for the games.
//!
//! The referee's game is the only one that counts. A second one, of the engine's rules for protocols, knows
//! what has been exchanged with the program and how it counts squares.

mod meeting;

use std::time::{Duration, Instant};

use self::meeting::Meet;
use super::{Answer, NewGame, Player, StartError, Tell};
use crate::board::{Game, Position, Side};
use crate::engine::params::Params;
use crate::engine::{GameHandle, start_game};
use crate::notation::hub::HubMove;
use crate::protocol::dxp::link::Received;
use crate::protocol::dxp::message::{Acceptance, GameRequest, Message, MessageError, Reason};
use crate::protocol::dxp::{CONFIRMATION, NAME};
use crate::search::Limits;
use crate::tournament::Stop;
use crate::tournament::config::Config;
use crate::tournament::control::Patience;
use crate::tournament::fault::{Claim, Failure, Fault, Termination};
use crate::tournament::spec::{Meeting, PlayerSpec};
use crate::variant::{Variant, VariantId};

/// How long a program that is on move has to tell an end that the rules bring about, before it is told.
const OWN_END: Duration = Duration::from_secs(10);
/// How long the reason for a refusal may take, which some programs give behind it.
const EXPLANATION: Duration = Duration::from_millis(300);
/// Most moves that a request can name.
const MOST_MOVES: usize = 999;

/// The other program, and the game that is on.
pub struct DxpPlayer {
    meet: Meet,
    params: Params,
    /// How long anything but a move may take.
    hang: Duration,
    move_limit: Option<usize>,
    play: Option<Play>,
    /// Whether the program was found to count squares from the bottom.
    bottom_up: bool,
}

/// A game that the program has accepted and nobody has ended.
struct Play {
    side: Side,
    /// Moves that were played before the program was asked.
    opening_plies: usize,
    game: Box<dyn GameHandle>,
    /// When the last message came or went that made it the other side's turn.
    turn: Instant,
    /// How long the program may take for a move.
    patience: Duration,
}

impl DxpPlayer {
    /// Meets the program of a player, after starting it if there is a command for that.
    pub fn start(
        meeting: &Meeting,
        spec: &PlayerSpec,
        config: &Config,
        stop: &Stop,
        tell: Tell,
    ) -> Result<Self, StartError> {
        let (params, hang) = (config.engine_params(spec)?, config.hang());
        let meet = Meet::new(meeting, spec, &params.log_file, hang, stop.clone(), tell)?;
        Ok(Self { meet, params, hang, move_limit: config.move_limit, play: None, bottom_up: false })
    }

    fn request<V: Variant>(&self, terms: &NewGame<V>) -> GameRequest {
        let (clock, position) = (terms.control.clock, terms.opening.position());
        let moves = clock.and_then(|clock| clock.moves).map(|moves| moves as usize).into_iter().chain(self.move_limit);
        // The program may be set to another board, unless it is shown this one.
        let is_usual = V::ID.squares() == VariantId::default().squares();
        GameRequest {
            name: NAME.into(),
            follower: terms.side,
            time: clock.map_or(Duration::ZERO, |clock| clock.time),
            moves: moves.min().filter(|moves| *moves <= MOST_MOVES).map(|moves| moves as u32),
            start: (!is_usual || *position != Position::<V>::start()).then(|| position.setup()),
        }
    }

    /// Asks for a game; returns when it was accepted.
    fn ask(&mut self, request: &GameRequest) -> Result<Instant, Failure> {
        self.meet.forget_chat();
        self.meet.send(&Message::Request(request.clone()))?;
        let until = Instant::now() + self.hang;
        loop {
            let Received { at, message } = self.meet.hear(until)?.ok_or(Fault::Hang(self.hang))?;
            match message {
                Ok(Message::Answer { name, acceptance: Acceptance::Accepted }) => {
                    log::info!(target: "dxp", "{} is {name}", self.meet.name());
                    return Ok(at);
                }
                Ok(Message::Answer { acceptance, .. }) => return Err(self.refusal(acceptance)),
                _ => {}
            }
        }
    }

    /// Why the program plays no game, as far as it tells.
    fn refusal(&mut self, acceptance: Acceptance) -> Failure {
        let until = Instant::now() + EXPLANATION;
        // It need not say anything, and may be gone.
        while self.meet.last_chat().is_none() && matches!(self.meet.hear(until), Ok(Some(_))) {}
        let code = match acceptance {
            Acceptance::BadVersion => "it does not support this version of the protocol",
            Acceptance::NoGames => "it plays no games",
            Acceptance::NotThisGame | Acceptance::Accepted => "it does not play this one",
        };
        let reason = self.meet.last_chat().map(|text| format!(": {text}")).unwrap_or_default();
        Fault::Refused(format!("{code}{reason}")).into()
    }

    /// Sends what has been played since the program moved. What it said meanwhile comes first: it may have
    /// ended the game out of its turn.
    fn send_moves<V: Variant>(&mut self, game: &Game<V>) -> Result<(), Failure> {
        let Some(play) = &mut self.play else { return Ok(()) };
        let known = play.opening_plies + play.game.plies();
        for mv in game.moves().iter().skip(known) {
            for _ in 0..self.meet.waiting() {
                let Some(heard) = self.meet.heard()? else { break };
                match heard.message {
                    Ok(Message::End { reason, stop }) => return Err(self.ended(reason, stop)),
                    Ok(Message::Move { mv, .. }) => {
                        self.meet.send(&Message::chat(&format!("{mv}: it is not your turn")))?;
                    }
                    _ => {}
                }
            }
            let sent = play.game.send(&HubMove::of::<V>(*mv)).expect("the referee plays legal moves");
            self.meet.send(&Message::played(sent, play.turn.elapsed()))?;
            play.turn = Instant::now();
        }
        Ok(())
    }

    /// The program has ended the game, which cannot be refused.
    fn ended(&mut self, reason: Reason, stop: bool) -> Failure {
        self.play = None;
        if let Err(gone) = self.meet.send(&Message::End { reason: Reason::Unknown, stop }) {
            log::info!(target: "dxp", "{}: {gone}", self.meet.name());
        }
        match reason {
            Reason::Lost => Failure::Ended(Claim::Loss),
            Reason::Draw => Failure::Ended(Claim::Draw),
            // The referee would have seen a win, and a game is not broken off.
            Reason::Won | Reason::Unknown => {
                Fault::Garbage(format!("{}: the game is not over", Message::End { reason, stop }.encode())).into()
            }
        }
    }

    /// A move came that is none: the game ends with it, as the program may know.
    fn reject(&mut self, text: &str, fault: Fault) -> Result<Failure, Failure> {
        self.play = None;
        self.meet.send(&Message::chat(text))?;
        self.meet.send(&Message::End { reason: Reason::Won, stop: false })?;
        Ok(fault.into())
    }

    fn await_move(&mut self, patience: Duration) -> Result<Answer, Failure> {
        let until = Instant::now() + patience;
        loop {
            let Received { at, message } = self.meet.hear(until)?.ok_or(Fault::Hang(patience))?;
            let play = self.play.as_mut().expect("a game is on");
            match message {
                Ok(Message::Move { mv, .. }) if play.game.receive(&mv).is_ok() => {
                    let elapsed = at.saturating_duration_since(std::mem::replace(&mut play.turn, at));
                    self.bottom_up = play.game.is_bottom_up();
                    let best = play.game.moves().last().map(HubMove::to_string).unwrap_or_default();
                    return Ok(Answer { best, elapsed, ..Answer::default() });
                }
                Ok(Message::Move { mv, .. }) => {
                    return Err(self.reject(&format!("illegal move `{mv}`"), Fault::IllegalMove(mv.to_string()))?);
                }
                Ok(Message::End { reason, stop }) => return Err(self.ended(reason, stop)),
                Err(error @ MessageError::Malformed { kind: "move", .. }) => {
                    let text = error.to_string();
                    return Err(self.reject(&text, Fault::Garbage(text.clone()))?);
                }
                _ => {}
            }
        }
    }

    /// Takes part in the end of a game that the referee has ended: whoever is on move says so.
    fn settle<V: Variant>(&mut self, game: &Game<V>, end: &Termination) -> Result<(), Failure> {
        self.send_moves(game)?;
        let Some(play) = &self.play else { return Ok(()) };
        let side = play.side;
        if play.game.side_to_move() == side && self.tells_end(play.patience.min(OWN_END))? {
            return Ok(());
        }
        let reason = match end.winner() {
            Some(winner) if winner == side => Reason::Lost,
            Some(_) => Reason::Won,
            None => Reason::Draw,
        };
        self.play = None;
        self.meet.send(&Message::End { reason, stop: false })?;
        let until = Instant::now() + CONFIRMATION;
        while let Some(heard) = self.meet.hear(until)? {
            if matches!(heard.message, Ok(Message::End { .. })) {
                break;
            }
        }
        Ok(())
    }

    /// Whether the program, which is on move, tells the end itself; it may make a move, not knowing of it.
    fn tells_end(&mut self, patience: Duration) -> Result<bool, Failure> {
        let until = Instant::now() + patience;
        loop {
            let Some(heard) = self.meet.hear(until)? else { return Ok(false) };
            match heard.message {
                Ok(Message::End { reason, stop }) => {
                    // What it says of the result does not count any more.
                    self.ended(reason, stop);
                    return Ok(true);
                }
                Ok(Message::Move { .. }) => return Ok(false),
                _ => {}
            }
        }
    }

    /// What has failed is not asked for another game.
    fn noted<T>(&mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(Failure::Fault(fault)) = &result
            && !fault.is_survivable()
        {
            self.meet.fail();
        }
        result
    }
}

impl<V: Variant> Player<V> for DxpPlayer {
    fn new_game(&mut self, terms: &NewGame<V>) -> Result<(), Failure> {
        let request = self.request(terms);
        let game = start_game(&self.params, request.start.as_ref(), self.bottom_up);
        let game = game.expect("a position of the match is one of its variant");
        let is_new = self.meet.connect()?;
        let asked = match self.ask(&request) {
            // It has hung up after the game before, as some do.
            Err(Failure::Fault(Fault::Crash(_))) if !is_new => self.meet.connect().and_then(|_| self.ask(&request)),
            asked => asked,
        };
        let turn = self.noted(asked)?;
        let (side, opening_plies) = (terms.side, terms.opening.moves().len());
        self.play = Some(Play { side, opening_plies, game, turn, patience: self.hang });
        Ok(())
    }

    fn find_move(&mut self, game: &Game<V>, _: Limits, patience: Patience) -> Result<Answer, Failure> {
        if let Some(play) = &mut self.play {
            play.patience = patience.total;
        }
        let found = self.send_moves(game).and_then(|()| self.await_move(patience.total));
        self.noted(found)
    }

    fn end_game(&mut self, game: &Game<V>, end: &Termination) {
        let Some(play) = &self.play else { return };
        // The program is at fault: there is nobody to talk to.
        let settled = if end.disables(play.side) { Err(Failure::Stopped) } else { self.settle(game, end) };
        if settled.is_err() && self.play.take().is_some() {
            self.meet.hang_up();
        }
    }

    fn is_renewable(&self) -> bool {
        self.meet.is_open()
    }

    fn renew(&mut self) -> Result<(), StartError> {
        (self.play, self.bottom_up) = (None, false);
        Ok(self.meet.renew()?)
    }
}
