//! The connection to a program, and the program itself where it is started here.

use std::io;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, TryRecvError};

use crate::protocol::dxp::address::Address;
use crate::protocol::dxp::link::{Link, Log, Received};
use crate::protocol::dxp::listener::Listener;
use crate::protocol::dxp::message::{BackAnswer, Message, Reason};
use crate::tournament::Stop;
use crate::tournament::fault::{Failure, Fault};
use crate::tournament::player::Tell;
use crate::tournament::player::process::Process;
use crate::tournament::spec::{Meeting, PlayerSpec};

/// How often a wait looks whether the match is to end.
const POLL: Duration = Duration::from_millis(50);

/// Where the connection comes from.
enum Way {
    Connect(Address),
    Listen(Listener),
}

/// A program that is met over and over.
pub struct Meet {
    name: String,
    way: Way,
    /// How long to wait for the program.
    retry: Duration,
    log: Log,
    link: Option<Link>,
    /// The connection by which the program has come back while the one before it was not known to have ended.
    returned: Option<TcpStream>,
    /// What it said last to people, since it was asked for a game.
    chat: Option<String>,
    /// Whether it has done what ends a conversation.
    failed: bool,
    stop: Stop,
    /// Last, so that the program is told good-bye before it is ended.
    process: Option<Process>,
}

impl Meet {
    /// Starts the program if there is a command for it, and meets it.
    pub fn new(
        meeting: &Meeting,
        spec: &PlayerSpec,
        log: &str,
        hang: Duration,
        stop: Stop,
        tell: Tell,
    ) -> io::Result<Self> {
        let way = match meeting {
            Meeting::Connect(address) => Way::Connect(address.clone()),
            Meeting::Listen(endpoint) => {
                let listener = Listener::open(endpoint)?;
                tell(&format!("listening on {}", listener.describe()));
                Way::Listen(listener)
            }
        };
        let process = (!spec.command.is_empty()).then(|| Process::start(spec, stop.clone())).transpose()?;
        let retry = spec.retry.map_or(hang, Duration::from_secs_f64);
        let (name, log) = (spec.name.clone(), Log::open(log)?);
        let mut meet =
            Self { name, way, retry, log, link: None, returned: None, chat: None, failed: false, stop, process };
        meet.link = Some(meet.wait()?);
        Ok(meet)
    }

    /// The name of the player.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the program can come back after whatever has happened: nobody has to start or to call it.
    pub const fn is_open(&self) -> bool {
        matches!(self.way, Way::Listen(_)) && self.process.is_none()
    }

    /// Ends the connection and waits for the next one.
    pub fn renew(&mut self) -> io::Result<()> {
        self.hang_up();
        self.failed = false;
        self.link = Some(self.wait()?);
        Ok(())
    }

    /// Connects again if the connection has ended; tells whether that was so.
    pub fn connect(&mut self) -> Result<bool, Failure> {
        // What has come since the last game means nothing any more, but for the end of the connection.
        for _ in 0..self.waiting() {
            if !matches!(self.heard(), Ok(Some(_))) {
                break;
            }
        }
        if self.look_around().is_ok() && self.link.is_some() {
            return Ok(false);
        }
        match self.wait() {
            Ok(link) => self.link = Some(link),
            Err(_) if self.stop.is_set() => return Err(Failure::Stopped),
            Err(error) => return Err(Fault::Crash(error.to_string()).into()),
        }
        Ok(true)
    }

    /// Waits for a connection.
    fn wait(&mut self) -> io::Result<Link> {
        match &self.way {
            Way::Connect(address) => {
                let pause = |time| {
                    thread::sleep(time);
                    !self.stop.is_set()
                };
                Link::connect(address, self.retry, self.log.clone(), pause)
                    .map_err(|error| io::Error::new(error.kind(), format!("no connection to {address}: {error}")))
            }
            Way::Listen(listener) => {
                let until = Instant::now() + self.retry;
                let mut returned = self.returned.take();
                loop {
                    let connected = || listener.connections().recv_timeout(POLL).map(|stream| listener.newest(stream));
                    match returned.take().map_or_else(connected, Ok) {
                        // One that is gone already was not there.
                        Ok(stream) => {
                            if let Ok(link) = Link::new(stream, self.log.clone()) {
                                return Ok(link);
                            }
                        }
                        Err(_) if self.stop.is_set() || Instant::now() >= until => {
                            let text = format!("nobody has connected to {}", listener.describe());
                            return Err(io::Error::new(io::ErrorKind::TimedOut, text));
                        }
                        Err(_) => {}
                    }
                }
            }
        }
    }

    /// How many messages have come that nobody has heard: those that come meanwhile can wait.
    pub fn waiting(&self) -> usize {
        // One more: the end of the connection.
        self.link.as_ref().map_or(0, |link| link.incoming().len() + 1)
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Message) -> Result<(), Failure> {
        let sent = self.link.as_mut().map(|link| link.send(message));
        match sent {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(self.lost(&error.to_string())),
            None => Err(self.lost("there is none")),
        }
    }

    /// The next message until then, if one comes. Talk that is no move and no end of a game has been answered.
    pub fn hear(&mut self, until: Instant) -> Result<Option<Received>, Failure> {
        loop {
            if self.stop.is_set() {
                return Err(Failure::Stopped);
            }
            if let Some(process) = &self.process {
                process.forget();
            }
            self.look_around()?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let Some(link) = &self.link else { return Err(self.lost("there is none")) };
            match link.incoming().recv_timeout(left.min(POLL)) {
                Ok(heard) => return self.attend(heard).map(Some),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost("it was closed")),
            }
        }
    }

    /// A message that has come already.
    pub fn heard(&mut self) -> Result<Option<Received>, Failure> {
        let Some(link) = &self.link else { return Ok(None) };
        match link.incoming().try_recv() {
            Ok(heard) => self.attend(heard).map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(self.lost("it was closed")),
        }
    }

    /// Looks who else has connected: the program itself, which has then given up the old connection, or another one, for
    /// which there is no room.
    fn look_around(&mut self) -> Result<(), Failure> {
        let (Way::Listen(listener), Some(link)) = (&self.way, &self.link) else { return Ok(()) };
        for stream in listener.connections().try_iter() {
            if link.is_from_same_host(&stream) {
                self.returned = Some(stream);
            } else {
                Link::turn_away(stream, self.log.clone());
            }
        }
        if self.returned.is_some() { Err(self.lost("the program has connected again")) } else { Ok(()) }
    }

    /// Answers what has nothing to do with the state of the game.
    fn attend(&mut self, heard: Received) -> Result<Received, Failure> {
        match &heard.message {
            Ok(Message::Chat(text)) => {
                log::info!(target: "dxp", "{}: {text}", self.name);
                self.chat = Some(text.clone());
            }
            // A move that counts in a match cannot be taken back.
            Ok(Message::BackRequest { .. }) => self.send(&Message::BackAnswer(BackAnswer::Refused))?,
            Ok(Message::Request(_)) => self.send(&Message::chat("it is this side that asks for games"))?,
            _ => {}
        }
        Ok(heard)
    }

    /// What it said last to people, since it was asked for a game.
    pub fn last_chat(&self) -> Option<&str> {
        self.chat.as_deref()
    }

    /// Forgets what it said to people.
    pub fn forget_chat(&mut self) {
        self.chat = None;
    }

    /// The program plays no more on this connection.
    pub const fn fail(&mut self) {
        self.failed = true;
    }

    /// Ends the connection, so that a game that is on there is not taken for the next one.
    pub fn hang_up(&mut self) {
        if let Some(link) = self.link.take() {
            link.close();
        }
    }

    fn lost(&mut self, reason: &str) -> Failure {
        self.link = None;
        Fault::Crash(format!("the connection ended: {reason}")).into()
    }
}

impl Drop for Meet {
    fn drop(&mut self) {
        // To one that has failed, a fresh connection is made; others are told that there are no further games.
        if !self.failed && self.link.is_some() {
            // It may be gone already.
            let _ = self.send(&Message::End { reason: Reason::Unknown, stop: true });
        }
        self.hang_up();
    }
}
