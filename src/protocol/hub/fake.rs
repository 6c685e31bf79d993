//! An engine that knows nothing of draughts, for testing the session.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam_channel::Sender;

use crate::engine::params::Params;
use crate::engine::{EngineHandle, Event, GoRequest, PositionError};
use crate::eval::chances::Chances;
use crate::notation::hub::HubMove;
use crate::search::{Done, Info, Mode, Score};

/// The calls that all engines of a test received.
pub type Calls = Arc<Mutex<Vec<String>>>;

/// Records its calls. A search with a depth ends at once, any other one when stopped or, in ponder
/// mode, hit. A position that contains `?` is bad, the move `1-1` illegal.
pub struct FakeEngine {
    calls: Calls,
    events: Sender<Event>,
    searching: bool,
}

impl FakeEngine {
    pub fn create(params: &Params, events: Sender<Event>, calls: &Calls) -> Box<dyn EngineHandle> {
        calls.lock().unwrap().push(format!("create {} hash={}", params.variant, params.hash));
        Box::new(Self { calls: calls.clone(), events, searching: false })
    }

    fn record(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }

    fn info(&self, depth: u32) {
        let pv = vec!["32-28".parse().unwrap(), "19-23".parse().unwrap()];
        let time = Duration::from_millis(100);
        let (score, chances) = (Score::eval(12), Chances::default());
        let info = Info { line: 1, depth, mean_depth: 1.0, score, chances, nodes: 500_000, hits: 0, time, pv };
        self.events.send(Event::Info(info)).unwrap();
    }

    fn finish(&mut self) {
        if std::mem::take(&mut self.searching) {
            let mv = |text: &str| text.parse::<HubMove>().ok();
            self.events.send(Event::Done(Done { best: mv("32-28"), ponder: mv("19-23") })).unwrap();
        }
    }
}

impl EngineHandle for FakeEngine {
    fn set_params(&mut self, params: &Params) {
        self.record(format!("set-params threads={}", params.threads));
    }

    fn new_game(&mut self) {
        self.record("new-game".into());
    }

    fn set_position(&mut self, position: Option<&str>, king_moves: &str, moves: &[&str]) -> Result<(), PositionError> {
        let separator = if king_moves.is_empty() { "" } else { ", " };
        self.record(format!("position {} {king_moves}{separator}{}", position.unwrap_or("start"), moves.join(" ")));
        if let Some(text) = position.filter(|text| text.contains('?')) {
            return Err(PositionError::BadPosition { text: text.into(), reason: "fake".into() });
        }
        match moves.iter().position(|&text| text == "1-1") {
            Some(index) => Err(PositionError::IllegalMove { text: "1-1".into(), number: index + 1 }),
            None => Ok(()),
        }
    }

    fn go(&mut self, request: GoRequest) -> Result<(), PositionError> {
        let GoRequest { mode, limits, started, search_moves } = request;
        assert!(!self.searching && started.elapsed() < Duration::from_secs(5));
        if let Some(index) = search_moves.iter().position(|mv| mv.from == mv.to) {
            return Err(PositionError::IllegalMove { text: search_moves[index].to_string(), number: index + 1 });
        }
        let moves: Vec<_> = search_moves.iter().map(ToString::to_string).collect();
        let clock = limits.clock.map(|clock| (clock.time.as_secs_f64(), clock.increment.as_secs_f64(), clock.moves));
        let move_time = limits.move_time.map(|time| time.as_secs_f64());
        let (depth, nodes) = (limits.depth, limits.nodes);
        self.record(format!("go {mode:?} {depth:?} {nodes:?} {move_time:?} {clock:?} {moves:?}"));
        self.searching = true;
        self.info(1);
        if depth.is_some() && mode != Mode::Ponder {
            self.finish();
        }
        Ok(())
    }

    fn ponder_hit(&mut self) {
        self.record("ponder-hit".into());
        self.finish();
    }

    fn stop(&mut self) {
        self.record("stop".into());
        self.info(2);
        self.finish();
    }
}
