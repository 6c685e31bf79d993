//! A conversation with a GUI: commands in order, and the events of the engine in between.
//!
//! Invariants: every `go` is followed by exactly one `done`; nothing but `info` and `pong` is sent
//! while a search runs; nothing is sent before something was received. What is wrong with a `go` is
//! told before its search starts if it is about the moves named, else after its `done`.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, select, unbounded};

use super::command::{Command, HubError};
use super::level::Level;
use super::reader::{self, Received};
use super::reply;
use super::writer::Writer;
use crate::engine::params::{ParamError, Params};
use crate::engine::{EngineHandle, Event, GoRequest, PositionError};
use crate::notation::hub::HubMove;
use crate::protocol::made::Made;
use crate::protocol::traffic::{Direction, TrafficLog};
use crate::search::{Done, Mode};

/// Converses until `quit`, the end of `input` or the end of interest in `output`.
///
/// `create` makes an engine that sends its events to the given channel.
///
/// # Errors
/// If the reader cannot be started or `output` fails other than by being closed.
pub fn run<R, W, F>(input: R, output: W, params: Params, create: F) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write,
    F: Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>,
{
    let (lines_in, lines) = unbounded();
    reader::spawn(input, lines_in)?;
    match Session::new(output, params, create).run(&lines) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// What to do after a line.
#[derive(PartialEq)]
enum Flow {
    Continue,
    Exit,
}

/// An accepted `pos`.
struct Root {
    position: Option<String>,
    king_moves: String,
    moves: Vec<String>,
}

impl Root {
    fn set_in(&self, engine: &mut dyn EngineHandle) -> Result<(), PositionError> {
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        engine.set_position(self.position.as_deref(), &self.king_moves, &moves)
    }
}

/// Why a command could not be obeyed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("no engine: {0}")]
    NoEngine(#[from] io::Error),
    #[error(transparent)]
    Position(#[from] PositionError),
}

struct Session<W, F> {
    writer: Writer<W>,
    params: Params,
    create: F,
    /// Made when first needed.
    made: Option<Made>,
    root: Option<Root>,
    /// Limits since the last search.
    level: Level,
    searching: bool,
    /// Errors that wait until the GUI has spoken and no search is running.
    untold: Vec<String>,
    events_in: Sender<Event>,
    events: Receiver<Event>,
}

impl<W, F> Session<W, F>
where
    W: Write,
    F: Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>,
{
    fn new(output: W, params: Params, create: F) -> Self {
        let (events_in, events) = unbounded();
        let writer = Writer::new(output);
        let (made, root, level, searching, untold) = (None, None, Level::default(), false, Vec::new());
        Self { writer, params, create, made, root, level, searching, untold, events_in, events }
    }

    fn run(&mut self, lines: &Receiver<Received>) -> io::Result<()> {
        if let Err(error) = self.open_log() {
            self.params.log_file.clear();
            self.untold.push(error);
        }
        loop {
            select! {
                recv(lines) -> line => {
                    let Ok(line) = line else { return Ok(()) };
                    if self.receive(line)? == Flow::Exit {
                        return Ok(());
                    }
                }
                recv(self.events) -> event => {
                    // The session holds a sender, so the channel stays open.
                    if let Ok(event) = event {
                        self.forward(event)?;
                    }
                }
            }
        }
    }

    fn receive(&mut self, line: Received) -> io::Result<Flow> {
        let Received { at, text } = line;
        self.writer.log.record(Direction::In, text.as_deref().unwrap_or_default());
        match text.and_then(|text| Command::parse(&text)) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Ok(Flow::Exit),
            Ok(Some(Command::Ping)) => self.writer.send(reply::PONG)?,
            Ok(Some(Command::Stop)) => self.during_search(|engine| engine.stop()),
            Ok(Some(Command::PonderHit)) => self.during_search(|engine| engine.ponder_hit()),
            Ok(Some(command)) => {
                self.finish_search()?;
                self.execute(command, at)?;
            }
            Err(error) => self.reject(&error)?,
        }
        if !self.searching {
            self.tell()?;
        }
        Ok(Flow::Continue)
    }

    /// Answers a line that is no command; it does not disturb a search.
    fn reject(&mut self, error: &HubError) -> io::Result<()> {
        if self.searching {
            self.note(error);
            return Ok(());
        }
        self.complain(error)
    }

    fn complain(&mut self, error: impl fmt::Display) -> io::Result<()> {
        self.writer.send(&reply::error(error))
    }

    /// Sends the errors that waited.
    fn tell(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.untold).into_iter().try_for_each(|error| self.complain(error))
    }

    fn note(&mut self, text: impl fmt::Display) {
        self.writer.log.record(Direction::Note, &text.to_string());
    }

    fn during_search(&mut self, act: impl FnOnce(&mut Box<dyn EngineHandle>)) {
        if self.searching
            && let Some(made) = &mut self.made
        {
            act(&mut made.engine);
        }
    }

    /// Ends a running search and waits for its `done`.
    fn finish_search(&mut self) -> io::Result<()> {
        self.during_search(|engine| engine.stop());
        while self.searching {
            let Ok(event) = self.events.recv() else { break };
            self.forward(event)?;
        }
        Ok(())
    }

    fn forward(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Note(text) => {
                self.untold.push(text);
                if self.searching { Ok(()) } else { self.tell() }
            }
            // Of a search that was given up.
            Event::Info(_) | Event::Done(_) if !self.searching => Ok(()),
            Event::Info(info) => self.writer.send(&reply::info(&info, &self.params)),
            Event::Done(done) => self.done(&done),
        }
    }

    fn done(&mut self, done: &Done<HubMove>) -> io::Result<()> {
        self.searching = false;
        self.level = Level::default();
        self.writer.send(&reply::done(done))?;
        self.tell()
    }

    /// Obeys a command that is not answered during a search.
    fn execute(&mut self, command: Command, at: Instant) -> io::Result<()> {
        match command {
            Command::Hub => self.declare(),
            Command::Init => self.init(),
            Command::SetParam { name, value } => self.set_param(&name, &value),
            Command::Pos { position, king_moves, moves } => self.set_position(Root { position, king_moves, moves }),
            Command::Level(level) => {
                self.level = self.level.and(level);
                Ok(())
            }
            Command::Go { mode, moves } => self.go(mode, &moves, at),
            Command::NewGame => {
                let result = self.engine().map(|engine| engine.new_game());
                self.report(result)
            }
            Command::PonderHit | Command::Stop | Command::Ping | Command::Quit => Ok(()),
        }
    }

    fn declare(&mut self) -> io::Result<()> {
        self.writer.send(&reply::id())?;
        for line in reply::params(&self.params) {
            self.writer.send(&line)?;
        }
        self.writer.send(reply::WAIT)
    }

    /// The engine for the parameters in force.
    fn engine(&mut self) -> Result<&mut Box<dyn EngineHandle>, Failure> {
        let made = match self.made.take() {
            Some(made) if self.params.fit_engine_of(&made.params) => made,
            old => self.make(old)?,
        };
        Ok(&mut self.made.insert(made).engine)
    }

    /// Makes a new engine on the same position, freeing the old one first. One that had to be
    /// smaller than wanted changes the parameters.
    fn make(&mut self, old: Option<Made>) -> Result<Made, Failure> {
        let kept = old.map(|old| old.params);
        let same_variant = |kept: &Params| kept.variant == self.params.variant;
        if !kept.as_ref().is_none_or(same_variant) {
            self.root = None;
        }
        let create = |params: &Params| (self.create)(params, self.events_in.clone());
        let kept = kept.filter(same_variant);
        let (mut made, reduced) = Made::new(create, &self.params, kept.as_ref())?;
        self.untold.extend(reduced.map(|reduced| reduced.to_string()));
        self.params.clone_from(&made.params);
        if let Some(root) = &self.root {
            // Moves accepted in another square numbering may fail: the GUI sets a position anew.
            if let Err(error) = root.set_in(made.engine.as_mut()) {
                self.root = None;
                self.note(error);
            }
        }
        Ok(made)
    }

    fn init(&mut self) -> io::Result<()> {
        let old = self.made.take();
        let result = self.make(old).map(|made| self.made = Some(made));
        self.report(result)?;
        self.tell()?;
        self.writer.send(reply::READY)
    }

    fn set_param(&mut self, name: &str, value: &str) -> io::Result<()> {
        let before = self.params.clone();
        match self.params.set(name, value) {
            Ok(None) => {}
            Ok(Some(clamped)) => self.note(clamped),
            Err(error @ ParamError::UnknownName(_)) => self.note(error),
            Err(error) => return self.complain(error),
        }
        if self.params.log_file != before.log_file
            && let Err(error) = self.open_log()
        {
            self.params.log_file = before.log_file;
            return self.complain(error);
        }
        if let Some(made) = self.made.as_mut().filter(|made| self.params.fit_engine_of(&made.params)) {
            made.engine.set_params(&self.params);
        }
        Ok(())
    }

    fn open_log(&mut self) -> Result<(), String> {
        let path = &self.params.log_file;
        self.writer.log = TrafficLog::open("hub", path).map_err(|error| format!("log file `{path}`: {error}"))?;
        Ok(())
    }

    fn set_position(&mut self, mut root: Root) -> io::Result<()> {
        let result = self.engine().and_then(|engine| Ok(root.set_in(engine.as_mut())?));
        match &result {
            Ok(()) => self.root = Some(root),
            Err(Failure::Position(PositionError::IllegalMove { number, .. })) => {
                root.moves.truncate(number.saturating_sub(1));
                self.root = Some(root);
            }
            Err(Failure::Position(PositionError::BadKingMoves { .. })) => {
                root.king_moves.clear();
                self.root = Some(root);
            }
            // The previous position stays.
            Err(_) => {}
        }
        self.report(result)
    }

    fn report(&mut self, result: Result<(), Failure>) -> io::Result<()> {
        result.or_else(|error| self.complain(error))
    }

    fn go(&mut self, mode: Mode, moves: &[String], started: Instant) -> io::Result<()> {
        let moves: Result<Vec<HubMove>, _> = moves.iter().map(|text| text.parse()).collect();
        let search_moves = match moves {
            Ok(moves) => moves,
            Err(error) => {
                self.complain(error)?;
                Vec::new()
            }
        };
        let request = GoRequest { mode, limits: self.level.limits(), started, search_moves };
        let mut result = self.start(request.clone());
        if !request.search_moves.is_empty()
            && let Err(error @ Failure::Position(_)) = result
        {
            // The GUI waits for a `done` all the same: search without the bad restriction.
            self.complain(error)?;
            result = self.start(GoRequest { search_moves: Vec::new(), ..request });
        }
        match result {
            Ok(()) => self.searching = true,
            Err(error) => {
                self.untold.push(error.to_string());
                self.done(&Done { best: None, ponder: None })?;
            }
        }
        Ok(())
    }

    fn start(&mut self, request: GoRequest) -> Result<(), Failure> {
        Ok(self.engine()?.go(request)?)
    }
}
