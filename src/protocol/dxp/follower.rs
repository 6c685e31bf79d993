//! The side that is asked for games: what it answers to messages, to its engine and to silence.
//!
//! No sockets here: messages come in by [`Follower::receive`] and leave by an [`Outbox`], time passes by
//! [`Follower::tick`]. Invariants: a search runs only while a game does; every request gets an answer; no
//! message ends the conversation by itself.

mod clock;
mod ending;
mod play;
#[cfg(test)]
mod tests;
mod thinking;

use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use self::play::Play;
use super::NAME;
use super::link::{Link, Received};
use super::message::{Acceptance, BackAnswer, GameRequest, Message, MessageError, Reason, RequestFault};
use super::news::{News, Tally};
use crate::board::Side;
use crate::engine::params::Params;
use crate::engine::{EngineHandle, Event, start_game};
use crate::notation::hub::HubMove;
use crate::protocol::made::Made;
use crate::search::Score;

/// How long a peer has to send a legal move in place of one that is not.
const CORRECTION: Duration = Duration::from_secs(10);

/// How much longer than it has time for the whole game a peer may think before another one may take its place.
const OVERDUE: Duration = Duration::from_secs(60);

/// Where messages to the peer go.
pub trait Outbox {
    /// Sends a message.
    ///
    /// # Errors
    /// If the peer cannot be reached any more.
    fn send(&mut self, message: &Message) -> io::Result<()>;
}

impl Outbox for Link {
    fn send(&mut self, message: &Message) -> io::Result<()> {
        Self::send(self, message)
    }
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// There is nothing left to wait for.
    Leave,
}

/// Where a conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No game is on; the last one can be taken up again.
    Idle,
    /// A game is on.
    Playing,
    /// This program has ended the game; until then the peer may confirm.
    Ending(Instant),
}

/// What the engine is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Search {
    None,
    /// Finding the next move.
    Think,
    /// Thinking on the answer to a move that is expected of the peer.
    Ponder {
        expected: HubMove,
        /// What it thinks of the position so far.
        score: Option<Score>,
    },
}

/// A follower with its engine. `F` makes an engine that sends its events to the given channel.
pub struct Follower<F> {
    params: Params,
    create: F,
    made: Option<Made>,
    events_in: Sender<Event>,
    events: Receiver<Event>,
    search: Search,
    phase: Phase,
    /// The last game of this connection.
    play: Option<Play>,
    /// Name of the last opponent, and the score against it.
    opponent: String,
    tally: Tally,
    games: u32,
    /// Whether the peer was found to count squares from the bottom.
    bottom_up: bool,
    /// Longest silence of a peer beyond its thinking time.
    patience: Duration,
    /// When the peer last said something, or got something to answer.
    waiting_since: Instant,
    /// Whether the peer said last that it wants no further game. It may ask for one all the same: some say so at the
    /// end of every game.
    is_left: bool,
    news: Vec<News>,
}

impl<F> Follower<F>
where
    F: Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>,
{
    /// A follower that plays with these parameters, and by default their variant.
    pub fn new(params: Params, patience: Duration, create: F) -> Self {
        let (events_in, events) = unbounded();
        Self {
            params,
            create,
            made: None,
            events_in,
            events,
            search: Search::None,
            phase: Phase::Idle,
            play: None,
            opponent: String::new(),
            tally: Tally::default(),
            games: 0,
            bottom_up: false,
            patience,
            waiting_since: Instant::now(),
            is_left: false,
            news: Vec::new(),
        }
    }

    /// Makes the engine, so that no game has to wait for it.
    ///
    /// # Errors
    /// If there is no memory or there are no threads for the smallest.
    pub fn prepare(&mut self) -> io::Result<()> {
        self.engine(self.params.variant).map(drop)
    }

    /// What the engine tells; for [`event`](Self::event).
    pub const fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// What has happened since this was last asked.
    pub fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Whether a game is on.
    pub fn is_playing(&self) -> bool {
        self.phase == Phase::Playing
    }

    /// Whether the peer has the move and has taken longer for it than it has time for the whole game.
    pub fn is_overdue(&self, now: Instant) -> bool {
        let allotted = self.play.as_ref().map_or(Duration::ZERO, |play| play.clock.allotted());
        self.search != Search::Think && now > self.waiting_since + allotted + OVERDUE
    }

    /// Whether the peer has said that it wants no further game.
    pub const fn is_left(&self) -> bool {
        self.is_left
    }

    /// The score against the last opponent.
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// A conversation begins.
    pub fn connected(&mut self) {
        self.disconnected();
        (self.bottom_up, self.is_left, self.waiting_since) = (false, false, Instant::now());
    }

    /// The conversation has ended, whatever was going on.
    pub fn disconnected(&mut self) {
        self.abandon("the connection ended");
        (self.play, self.phase) = (None, Phase::Idle);
    }

    /// Takes leave of a peer that has not asked for it.
    ///
    /// # Errors
    /// If the peer cannot be reached any more.
    pub fn leave(&mut self, out: &mut dyn Outbox) -> io::Result<()> {
        if self.is_playing() && self.play.as_ref().is_some_and(Play::is_own_turn) {
            self.halt();
            return out.send(&Message::End { reason: Reason::Unknown, stop: true });
        }
        out.send(&Message::chat(&format!("{NAME} leaves")))
    }

    /// When [`tick`](Self::tick) has something to do, unless anything else happens before.
    pub fn deadline(&self) -> Instant {
        let silence = self.waiting_since + self.patience;
        let (play, phase) = (self.play.as_ref(), self.phase);
        match (phase, play) {
            (Phase::Ending(until), _) => until,
            (Phase::Playing, Some(play)) => match play.disputed {
                Some(since) => since + CORRECTION,
                // The clock of the peer is its own business, but does not run for ever.
                None => silence + play.clock.allotted(),
            },
            _ => silence,
        }
    }

    /// Does what is due at `now`.
    ///
    /// # Errors
    /// If the peer cannot be reached any more.
    pub fn tick(&mut self, now: Instant, out: &mut dyn Outbox) -> io::Result<Flow> {
        if now < self.deadline() {
            return Ok(Flow::Continue);
        }
        let disputed = self.play.as_ref().is_some_and(|play| play.disputed.is_some());
        match self.phase {
            Phase::Ending(_) => {
                self.phase = Phase::Idle;
                self.waiting_since = now;
                Ok(Flow::Continue)
            }
            Phase::Playing if disputed => {
                self.end_game(Reason::Unknown, "no legal move came", out)?;
                Ok(Flow::Continue)
            }
            // It is this program that everybody waits for.
            Phase::Playing if self.search == Search::Think => {
                self.waiting_since = now;
                Ok(Flow::Continue)
            }
            Phase::Playing | Phase::Idle => {
                self.news.push(News::Note("nothing was heard for too long".into()));
                Ok(Flow::Leave)
            }
        }
    }

    /// Answers a message, or what came in place of one.
    ///
    /// # Errors
    /// If the peer cannot be reached any more.
    pub fn receive(&mut self, received: Received, out: &mut dyn Outbox) -> io::Result<()> {
        let Received { at, message } = received;
        self.waiting_since = at;
        match message {
            Ok(Message::Request(request)) => self.receive_request(&request, at, out),
            Ok(Message::Move { mv, .. }) => self.receive_move(&mv, at, out),
            Ok(Message::End { reason, stop }) => self.receive_end(reason, stop, out),
            Ok(Message::BackRequest { number, side }) => self.go_back(number, side, at, out),
            Ok(Message::Chat(text)) => {
                self.news.push(News::Chat { from: self.opponent.clone(), text });
                Ok(())
            }
            // Nobody asked this peer for anything.
            Ok(Message::Answer { .. } | Message::BackAnswer(_)) => Ok(()),
            Err(MessageError::Request { fault: fault @ RequestFault::Version(_), .. }) => {
                self.refuse(Acceptance::BadVersion, &fault.to_string(), out)
            }
            Err(MessageError::Request { fault, .. }) => self.refuse(Acceptance::NotThisGame, &fault.to_string(), out),
            Err(error @ MessageError::Malformed { kind: "move", .. }) => self.dispute(&error.to_string(), at, out),
            // Logged, and not worth a word to a program that may not understand it either.
            Err(_) => Ok(()),
        }
    }

    fn receive_request(&mut self, request: &GameRequest, at: Instant, out: &mut dyn Outbox) -> io::Result<()> {
        let game = match start_game(&self.params, request.start.as_ref(), self.bottom_up) {
            Ok(game) => game,
            Err(error) => return self.refuse(Acceptance::NotThisGame, &error.to_string(), out),
        };
        if let Some(over) = game.over() {
            return self.refuse(Acceptance::NotThisGame, &format!("the game is over: {over}"), out);
        }
        self.abandon("another game was asked for");
        match self.engine(game.variant()) {
            Ok(engine) => engine.new_game(),
            // Without an engine the game that was on cannot go on either.
            Err(error) => return self.refuse(Acceptance::NotThisGame, &format!("no engine: {error}"), out),
        }
        if request.name != self.opponent {
            self.opponent.clone_from(&request.name);
            self.tally = Tally::default();
        }
        self.games += 1;
        let play = Play::new(self.games, request, game);
        let is_own_turn = play.is_own_turn();
        self.news.push(play.news_of_start(request));
        self.play = Some(play);
        (self.phase, self.is_left) = (Phase::Playing, false);
        out.send(&Message::Answer { name: NAME.into(), acceptance: Acceptance::Accepted })?;
        if is_own_turn { self.turn(at, out) } else { Ok(()) }
    }

    fn refuse(&mut self, acceptance: Acceptance, reason: &str, out: &mut dyn Outbox) -> io::Result<()> {
        self.news.push(News::Refused { reason: reason.into() });
        out.send(&Message::Answer { name: NAME.into(), acceptance })?;
        out.send(&Message::chat(reason))
    }

    fn receive_move(&mut self, mv: &HubMove, at: Instant, out: &mut dyn Outbox) -> io::Result<()> {
        let Some(play) = self.play.as_mut().filter(|_| self.phase == Phase::Playing) else {
            return out.send(&Message::chat(&format!("{mv}: no game is on")));
        };
        if play.is_own_turn() {
            return out.send(&Message::chat(&format!("{mv}: it is not your turn")));
        }
        if play.game.receive(mv).is_err() {
            return self.dispute(&format!("illegal move `{mv}`"), at, out);
        }
        play.disputed = None;
        self.bottom_up = play.game.is_bottom_up();
        self.news.push(play.news_of_move(None));
        if let (Search::Ponder { expected, score }, Some(made)) = (&self.search, &mut self.made)
            && play.game.moves().last() == Some(expected)
            && play.end().is_none()
        {
            (play.turn, play.score) = (at, *score);
            self.search = Search::Think;
            made.engine.ponder_hit();
            return Ok(());
        }
        self.turn(at, out)
    }

    /// A move came that cannot be played: the peer may send another one, once.
    fn dispute(&mut self, reason: &str, at: Instant, out: &mut dyn Outbox) -> io::Result<()> {
        let Some(play) = self.play.as_mut().filter(|_| self.phase == Phase::Playing) else { return Ok(()) };
        if play.is_own_turn() {
            return Ok(());
        }
        out.send(&Message::chat(reason))?;
        self.news.push(News::Note(reason.into()));
        if play.disputed.replace(at).is_some() {
            return self.end_game(Reason::Unknown, "no legal move came", out);
        }
        Ok(())
    }

    fn go_back(&mut self, number: u32, side: Side, at: Instant, out: &mut dyn Outbox) -> io::Result<()> {
        let Some(play) = &mut self.play else { return out.send(&Message::BackAnswer(BackAnswer::Refused)) };
        let was_over = play.outcome;
        if !play.go_back(number, side) {
            return out.send(&Message::BackAnswer(BackAnswer::Refused));
        }
        let is_own_turn = play.is_own_turn();
        self.halt();
        if let Some(outcome) = was_over {
            self.tally.remove(outcome);
        }
        (self.phase, self.is_left) = (Phase::Playing, false);
        self.news.push(News::Note(format!("back to move {number} of {side}")));
        out.send(&Message::BackAnswer(BackAnswer::Done))?;
        if is_own_turn { self.turn(at, out) } else { Ok(()) }
    }
}
