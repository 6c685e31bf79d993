//! The side that is asked for games: what it answers to messages, to its engine and to silence.
//!
//! No sockets here: messages come in by [`Follower::receive`] and leave by an [`Outbox`], time passes by
//! [`Follower::tick`]. Invariants: a search runs only while a game does; every request gets an answer; no
//! message ends the conversation by itself.

mod clock;
mod play;
#[cfg(test)]
mod tests;
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use self::play::Play;
use super::link::{Link, Received};
use super::message::{Acceptance, BackAnswer, GameRequest, Message, MessageError, Reason, RequestFault};
use super::news::{News, Outcome, Tally};
use crate::board::Side;
use crate::engine::params::{Params, SquareNumbering};
use crate::engine::{EngineHandle, Event, GoRequest, start_game};
use crate::notation::hub::HubMove;
use crate::protocol::hub::made::Made;
use crate::search::{Done, Mode};
use crate::variant::VariantId;

/// The name that this program plays under.
pub const NAME: &str = concat!("Meerslag ", env!("CARGO_PKG_VERSION"));

/// How long a peer has to confirm the end of a game; some never do.
const CONFIRMATION: Duration = Duration::from_secs(2);
/// How long a peer has to send a legal move in place of one that is not.
const CORRECTION: Duration = Duration::from_secs(10);

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
    /// Thinking on the answer to this move of the peer.
    Ponder(HubMove),
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

    /// Handles what the engine tells.
    ///
    /// # Errors
    /// If the peer cannot be reached any more.
    pub fn event(&mut self, event: Event, out: &mut dyn Outbox) -> io::Result<()> {
        match event {
            Event::Note(text) => self.news.push(News::Note(text)),
            Event::Info(info) if info.line == 1 && self.search == Search::Think => {
                if let Some(play) = &mut self.play {
                    play.score = Some(info.score);
                }
            }
            Event::Info(_) => {}
            Event::Done(done) => match std::mem::replace(&mut self.search, Search::None) {
                Search::Think => self.answer(done, out)?,
                // It had nothing to think about.
                Search::Ponder(_) | Search::None => {}
            },
        }
        Ok(())
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
        let expected = play.end().is_none().then(|| play.game.moves().pop()).flatten().map(Search::Ponder);
        if expected.is_some_and(|expected| expected == self.search)
            && let Some(made) = &mut self.made
        {
            play.turn = at;
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

    fn receive_end(&mut self, reason: Reason, stop: bool, out: &mut dyn Outbox) -> io::Result<()> {
        self.is_left = stop;
        match self.phase {
            // It confirms. What it says with that differs from program to program.
            Phase::Ending(_) => {
                self.phase = Phase::Idle;
                return Ok(());
            }
            Phase::Playing => {
                self.finish(Some(reason.seen_by_other()), "ended by the opponent");
                self.phase = Phase::Idle;
                out.send(&Message::End { reason: Reason::Unknown, stop })?;
            }
            // Perhaps a second confirmation: it must not be confirmed for ever.
            Phase::Idle => {}
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

    /// It is this program's turn since `at`: ends the game or looks for a move.
    fn turn(&mut self, at: Instant, out: &mut dyn Outbox) -> io::Result<()> {
        self.halt();
        let Some(play) = &mut self.play else { return Ok(()) };
        play.turn = at;
        if let Some((reason, text)) = play.end() {
            return self.end_game(reason, &text, out);
        }
        let moves = play.game.moves();
        if self.go(Mode::Think, &moves, at) {
            self.search = Search::Think;
            return Ok(());
        }
        self.end_game(Reason::Unknown, "the engine failed", out)
    }

    /// Starts a search of the game after these moves; tells whether it could.
    fn go(&mut self, mode: Mode, moves: &[HubMove], started: Instant) -> bool {
        let (Some(play), Some(made)) = (&self.play, &mut self.made) else { return false };
        let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
        let moves: Vec<_> = moves.iter().map(String::as_str).collect();
        let request = GoRequest { mode, limits: play.clock.limits(), started, search_moves: Vec::new() };
        let set = made.engine.set_position(Some(&play.game.start()), "", &moves);
        match set.and_then(|()| made.engine.go(request)) {
            Ok(()) => true,
            Err(error) => {
                self.news.push(News::Note(error.to_string()));
                false
            }
        }
    }

    /// Sends the move that was found, and thinks on if that is wanted.
    fn answer(&mut self, done: Done<HubMove>, out: &mut dyn Outbox) -> io::Result<()> {
        let Some(play) = &mut self.play else { return Ok(()) };
        let sent = done.best.as_ref().and_then(|best| play.game.send(best).ok());
        let Some(mv) = sent else { return self.end_game(Reason::Unknown, "the engine has no move", out) };
        out.send(&Message::played(mv, play.turn.elapsed()))?;
        play.clock.spend(play.turn.elapsed());
        self.waiting_since = Instant::now();
        self.news.push(play.news_of_move(play.score));
        if let Some(expected) = done.ponder.filter(|_| self.params.ponder) {
            self.ponder(expected);
        }
        Ok(())
    }

    fn ponder(&mut self, expected: HubMove) {
        let Some(play) = &mut self.play else { return };
        let plies = play.game.moves().len();
        if play.game.send(&expected).is_err() {
            return;
        }
        let (moves, goes_on) = (play.game.moves(), play.end().is_none());
        play.game.truncate(plies);
        if goes_on && self.go(Mode::Ponder, &moves, Instant::now()) {
            self.search = Search::Ponder(expected);
        }
    }

    /// Ends the game in place of a move.
    fn end_game(&mut self, reason: Reason, text: &str, out: &mut dyn Outbox) -> io::Result<()> {
        self.finish(Some(reason), text);
        self.phase = Phase::Ending(Instant::now() + CONFIRMATION);
        out.send(&Message::End { reason, stop: false })
    }

    /// A game that is on ends without a word about it.
    fn abandon(&mut self, text: &str) {
        if self.phase == Phase::Playing {
            self.finish(None, text);
        }
        self.halt();
        self.phase = Phase::Idle;
    }

    /// Counts the game that was on. A win on the board decides, else what was said, else a draw by rule.
    fn finish(&mut self, said: Option<Reason>, text: &str) {
        self.halt();
        let Some(play) = &mut self.play else { return };
        let over = play.game.over();
        let outcome = match (over.filter(|over| over.winner().is_some()), said) {
            (Some(won), _) => play.outcome_of(won),
            (None, Some(Reason::Won)) => Outcome::Won,
            (None, Some(Reason::Lost)) => Outcome::Lost,
            (None, Some(Reason::Draw)) => Outcome::Drawn,
            (None, Some(Reason::Unknown) | None) => over.map_or(Outcome::Unknown, |draw| play.outcome_of(draw)),
        };
        play.outcome = Some(outcome);
        self.tally.add(outcome);
        let reason = over.map_or_else(|| text.into(), |over| over.to_string());
        let (number, opponent, tally) = (play.number, play.opponent.clone(), self.tally);
        self.news.push(News::Over { number, opponent, outcome, reason, tally });
    }

    /// Ends a running search and forgets it.
    fn halt(&mut self) {
        let Some(made) = self.made.as_mut().filter(|_| self.search != Search::None) else { return };
        made.engine.stop();
        // The follower holds a sender, so the channel stays open.
        while let Ok(event) = self.events.recv() {
            match event {
                Event::Note(text) => self.news.push(News::Note(text)),
                Event::Info(_) => {}
                Event::Done(_) => break,
            }
        }
        self.search = Search::None;
    }

    /// The engine for a variant. One that had to be smaller than wanted changes the parameters.
    fn engine(&mut self, variant: VariantId) -> io::Result<&mut dyn EngineHandle> {
        // The game knows how the peer counts squares; the engine need not.
        let wanted = Params { variant, square_numbering: SquareNumbering::TopDown, ..self.params.clone() };
        let made = match self.made.take() {
            Some(made) if wanted.fit_engine_of(&made.params) => made,
            old => {
                // Frees the old one before the new one takes its memory.
                let kept = old.map(|old| old.params);
                let create = |params: &Params| (self.create)(params, self.events_in.clone());
                let (made, reduced) = Made::new(create, &wanted, kept.as_ref())?;
                self.news.extend(reduced.map(|reduced| News::Note(reduced.to_string())));
                (self.params.hash, self.params.threads) = (made.params.hash, made.params.threads);
                made
            }
        };
        Ok(self.made.insert(made).engine.as_mut())
    }
}
