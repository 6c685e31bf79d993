//! [`EngineHandle`] for every variant: text and field numbers outside, [`Engine`] inside.

use std::io;
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::handle::{EngineHandle, Event, GoRequest, PositionError};
use super::params::{Params, SquareNumbering};
use super::{Engine, Unusable};
use crate::board::{Game, Move, legal_moves};
use crate::notation::hub::{HubMove, KingRunError, with_king_runs};
use crate::notation::read_position;
use crate::search::{Done, Info, Report};
use crate::variant::{SquareStyle, Task, Variant};

/// Makes an engine for the variant, threads and table size of `params`; its events go to `events`.
///
/// # Errors
/// If the system cannot give that much memory or that many threads.
pub fn create(params: &Params, events: Sender<Event>) -> io::Result<Box<dyn EngineHandle>> {
    struct Create<'a>(&'a Params, Sender<Event>);
    impl Task for Create<'_> {
        type Output = io::Result<Box<dyn EngineHandle>>;
        fn run<V: Variant>(self) -> Self::Output {
            Ok(Box::new(Erased::<V>::new(self.0, self.1)?))
        }
    }
    params.variant.dispatch(Create(params, events))
}

struct Erased<V: Variant> {
    engine: Engine<V>,
    events: Sender<Event>,
    numbering: SquareNumbering,
    /// Whether moves have been seen that are only legal when counted bottom-up.
    seen_bottom_up: bool,
}

impl<V: Variant> Erased<V> {
    fn new(params: &Params, events: Sender<Event>) -> io::Result<Self> {
        let engine = Engine::with_params(params, |error| note(&events, &error))?;
        Ok(Self { engine, events, numbering: params.square_numbering, seen_bottom_up: false })
    }

    /// Whether moves are counted from the bottom of the board now.
    fn is_bottom_up(&self) -> bool {
        match self.numbering {
            SquareNumbering::TopDown => false,
            SquareNumbering::BottomUp => has_two_numberings::<V>(),
            SquareNumbering::Auto => self.seen_bottom_up,
        }
    }

    fn read_moves(&self, texts: &[HubMove]) -> Result<Vec<Move>, PositionError> {
        let legal = legal_moves(self.engine.game.position());
        let read = |(index, text)| {
            let found = renumber::<V>(text, self.is_bottom_up()).resolve::<V>(&legal);
            found.ok_or_else(|| illegal(&text.to_string(), index))
        };
        texts.iter().enumerate().map(read).collect()
    }
}

/// Whether clients count the squares of this variant from either end.
pub(super) fn has_two_numberings<V: Variant>() -> bool {
    V::NOTATION.squares == SquareStyle::Algebraic
}

pub(super) fn renumber<V: Variant>(mv: &HubMove, bottom_up: bool) -> HubMove {
    if bottom_up { mv.mirrored::<V>() } else { mv.clone() }
}

/// Tells what is wrong with parameters.
fn note(events: &Sender<Event>, error: &Unusable) {
    // Whoever asked may be gone; then nobody wants to know.
    let _ = events.send(Event::Note(error.to_string()));
}

fn illegal(text: &str, index: usize) -> PositionError {
    PositionError::IllegalMove { text: text.into(), number: index + 1 }
}

/// Plays as many of `moves` as are legal; tells the first that is not.
pub(super) fn replay<V: Variant>(
    game: &mut Game<V>,
    moves: &[impl AsRef<str>],
    bottom_up: bool,
) -> Result<(), PositionError> {
    for (index, text) in moves.iter().map(AsRef::as_ref).enumerate() {
        let parsed: HubMove = text.parse().map_err(|_| illegal(text, index))?;
        let legal = legal_moves(game.position());
        let mv = renumber::<V>(&parsed, bottom_up).resolve::<V>(&legal).ok_or_else(|| illegal(text, index))?;
        game.play(mv).map_err(|_| illegal(text, index))?;
    }
    Ok(())
}

impl<V: Variant> EngineHandle for Erased<V> {
    fn set_params(&mut self, params: &Params) {
        self.engine.set_params(params, |error| note(&self.events, &error));
        self.numbering = params.square_numbering;
    }

    fn new_game(&mut self) {
        self.engine.new_game();
        self.seen_bottom_up = false;
    }

    fn set_position(&mut self, position: Option<&str>, king_moves: &str, moves: &[&str]) -> Result<(), PositionError> {
        let text = position.unwrap_or("start");
        let bad = |reason: String| PositionError::BadPosition { text: text.into(), reason };
        let start = read_position(text).map_err(|error| bad(error.to_string()))?;
        let counted = with_king_runs(start, king_moves);
        let start = *counted.as_ref().unwrap_or(&start);
        let bottom_up = self.is_bottom_up();
        let mut game = Game::new(start);
        let mut result = replay(&mut game, moves, bottom_up);
        if result.is_err() && self.numbering == SquareNumbering::Auto && has_two_numberings::<V>() {
            let mut other = Game::new(start);
            if replay(&mut other, moves, !bottom_up).is_ok() {
                (game, result) = (other, Ok(()));
                self.seen_bottom_up = !bottom_up;
            }
        }
        self.engine.game = game;
        let bad_king_moves =
            |error: KingRunError| PositionError::BadKingMoves { text: king_moves.into(), reason: error.to_string() };
        result.and(counted.map(|_| ()).map_err(bad_king_moves))
    }

    fn go(&mut self, request: GoRequest) -> Result<(), PositionError> {
        let only = self.read_moves(&request.search_moves)?;
        let events = self.events.clone();
        let bottom_up = self.is_bottom_up();
        let report = move |report| {
            let text = |mv: Move| renumber::<V>(&HubMove::of::<V>(mv), bottom_up);
            let event = match report {
                Report::Info(info) => Event::Info(Info {
                    line: info.line,
                    depth: info.depth,
                    mean_depth: info.mean_depth,
                    score: info.score,
                    chances: info.chances,
                    nodes: info.nodes,
                    hits: info.hits,
                    time: info.time,
                    pv: info.pv.into_iter().map(text).collect(),
                }),
                Report::Done(done) => Event::Done(Done { best: done.best.map(text), ponder: done.ponder.map(text) }),
            };
            // Whoever asked may be gone; then nobody wants to know.
            let _ = events.send(event);
        };
        self.engine.start(request.mode, request.limits, request.started, &only, Arc::new(report));
        Ok(())
    }

    fn ponder_hit(&mut self) {
        self.engine.ponder_hit();
    }

    fn stop(&mut self) {
        self.engine.stop();
    }
}
