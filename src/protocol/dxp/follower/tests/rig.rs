//! A follower with an engine that plays what it is told, and a peer that says what it is told.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::engine::params::Params;
use crate::engine::{EngineHandle, Event, GoRequest, PositionError};
use crate::protocol::dxp::follower::{Flow, Follower, Outbox};
use crate::protocol::dxp::link::Received;
use crate::protocol::dxp::message::Message;
use crate::protocol::dxp::news::News;
use crate::search::{Done, Mode};

/// Longest silence in the tests.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// What the engine plays, as `32-28` or `32-28 19-23` with the answer it expects; without any it
/// thinks until it is stopped. And what was asked of it.
#[derive(Default)]
pub struct Script {
    pub moves: VecDeque<String>,
    pub calls: Vec<String>,
}

struct Scripted {
    script: Arc<Mutex<Script>>,
    events: Sender<Event>,
    moves: String,
}

impl Scripted {
    fn call(&self, text: String) {
        self.script.lock().unwrap().calls.push(text);
    }

    fn finish(&self, text: &str) {
        let mut moves = text.split_whitespace().map(|mv| mv.parse().unwrap());
        self.events.send(Event::Done(Done { best: moves.next(), ponder: moves.next() })).unwrap();
    }

    fn play_next(&self) {
        let next = self.script.lock().unwrap().moves.pop_front();
        next.iter().for_each(|text| self.finish(text));
    }
}

impl EngineHandle for Scripted {
    fn set_params(&mut self, _: &Params) {}

    fn new_game(&mut self) {
        self.call("new-game".into());
    }

    fn set_position(&mut self, _: Option<&str>, _: &str, moves: &[&str]) -> Result<(), PositionError> {
        self.moves = moves.join(" ");
        Ok(())
    }

    fn go(&mut self, request: GoRequest) -> Result<(), PositionError> {
        let limits = request.limits;
        let clock = limits.clock.map(|clock| format!("{:.0}s/{:?}", clock.time.as_secs_f64(), clock.moves));
        let clock = clock.unwrap_or_else(|| format!("{:?}", limits.move_time.unwrap_or_default()));
        self.call(format!("{:?} {clock} {}", request.mode, self.moves).trim_end().into());
        if request.mode == Mode::Think {
            self.play_next();
        }
        Ok(())
    }

    fn ponder_hit(&mut self) {
        self.call("hit".into());
        self.play_next();
    }

    fn stop(&mut self) {
        self.call("stop".into());
        self.finish("");
    }
}

type Create = Box<dyn Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>>;

/// What was sent, as text.
pub struct Sent(pub Vec<String>);

impl Outbox for Sent {
    fn send(&mut self, message: &Message) -> io::Result<()> {
        self.0.push(message.encode());
        Ok(())
    }
}

pub struct Rig {
    pub follower: Follower<Create>,
    pub script: Arc<Mutex<Script>>,
    sent: Sent,
}

impl Rig {
    pub fn new(params: Params) -> Self {
        let script = Arc::<Mutex<Script>>::default();
        let shared = script.clone();
        let create: Create = Box::new(move |params, events| {
            shared.lock().unwrap().calls.push(format!("create {}", params.variant));
            Ok(Box::new(Scripted { script: shared.clone(), events, moves: String::new() }))
        });
        let mut follower = Follower::new(params, PATIENCE, create);
        follower.connected();
        Self { follower, script, sent: Sent(Vec::new()) }
    }

    /// A game from the start, in which the follower plays this color and these moves.
    pub fn game(color: char, moves: &[&str]) -> Self {
        let mut rig = Self::new(Params::default());
        rig.plays(moves);
        let answers = rig.hear(&request(color));
        assert!(answers[0].ends_with('0'), "{answers:?}");
        rig
    }

    pub fn plays(&self, moves: &[&str]) {
        self.script.lock().unwrap().moves.extend(moves.iter().map(ToString::to_string));
    }

    /// What is answered to a message.
    pub fn hear(&mut self, text: &str) -> Vec<String> {
        let message = Message::decode(text.as_bytes());
        self.follower.receive(Received { at: Instant::now(), message }, &mut self.sent).unwrap();
        self.pump()
    }

    /// What is said when so much time has passed.
    pub fn wait(&mut self, time: Duration) -> (Flow, Vec<String>) {
        let flow = self.follower.tick(Instant::now() + time, &mut self.sent).unwrap();
        (flow, self.pump())
    }

    fn pump(&mut self) -> Vec<String> {
        while let Ok(event) = self.follower.events().try_recv() {
            self.follower.event(event, &mut self.sent).unwrap();
        }
        std::mem::take(&mut self.sent.0)
    }

    /// What was asked of the engine since this was last asked.
    pub fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.script.lock().unwrap().calls)
    }

    /// What happened since this was last asked.
    pub fn news(&mut self) -> Vec<String> {
        self.follower.take_news().iter().map(News::to_string).collect()
    }
}

/// A request for 5 minutes and 75 moves, the follower playing this color.
pub fn request(color: char) -> String {
    format!("R01{:<32}{color}005075A", "Test 1.0")
}

/// The same from a position, given by its occupied squares such as `w31 Z46`, and with other terms.
pub fn request_from(color: char, terms: &str, first: char, squares: usize, pieces: &str) -> String {
    let mut board = vec!['e'; squares];
    for piece in pieces.split_whitespace() {
        board[piece[1..].parse::<usize>().unwrap() - 1] = piece.chars().next().unwrap();
    }
    let board: String = board.into_iter().collect();
    format!("R01{:<32}{color}{terms}B{first}{board}", "Test 1.0")
}

/// An answer to a request.
pub fn answer(code: char) -> String {
    format!("A{:<32}{code}", crate::protocol::dxp::NAME)
}
