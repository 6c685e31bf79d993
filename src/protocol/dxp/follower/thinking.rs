//! How a follower uses its engine: searches on its own time and on that of the peer.

use std::io;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::{Follower, Outbox, Search};
use crate::engine::params::{Params, SquareNumbering};
use crate::engine::{EngineHandle, Event, GoRequest};
use crate::notation::hub::HubMove;
use crate::protocol::dxp::message::{Message, Reason};
use crate::protocol::dxp::news::News;
use crate::protocol::made::Made;
use crate::search::{Done, Mode};
use crate::variant::VariantId;

impl<F> Follower<F>
where
    F: Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>,
{
    /// Handles what the engine tells.
    ///
    /// # Errors
    /// If the peer cannot be reached any more.
    pub fn event(&mut self, event: Event, out: &mut dyn Outbox) -> io::Result<()> {
        match event {
            Event::Note(text) => self.news.push(News::Note(text)),
            Event::Info(info) if info.line == 1 => match (&mut self.search, &mut self.play) {
                (Search::Think, Some(play)) => play.score = Some(info.score),
                (Search::Ponder { score, .. }, _) => *score = Some(info.score),
                _ => {}
            },
            Event::Info(_) => {}
            Event::Done(done) => match std::mem::replace(&mut self.search, Search::None) {
                Search::Think => self.answer(done, out)?,
                // It had nothing to think about.
                Search::Ponder { .. } | Search::None => {}
            },
        }
        Ok(())
    }

    /// It is this program's turn since `at`: ends the game or looks for a move.
    pub(super) fn turn(&mut self, at: Instant, out: &mut dyn Outbox) -> io::Result<()> {
        self.halt();
        let Some(play) = &mut self.play else { return Ok(()) };
        play.turn = at;
        if let Some((reason, text)) = play.end() {
            return self.end_game(reason, &text, out);
        }
        play.score = None;
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
        let plies = play.game.plies();
        if play.game.send(&expected).is_err() {
            return;
        }
        let (moves, goes_on) = (play.game.moves(), play.end().is_none());
        play.game.truncate(plies);
        if goes_on && self.go(Mode::Ponder, &moves, Instant::now()) {
            self.search = Search::Ponder { expected, score: None };
        }
    }

    /// Ends a running search and forgets it.
    pub(super) fn halt(&mut self) {
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
    pub(super) fn engine(&mut self, variant: VariantId) -> io::Result<&mut dyn EngineHandle> {
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
