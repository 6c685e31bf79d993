//! A follower on the network: one conversation after another.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, never, select};

use super::address::Address;
use super::follower::{Flow, Follower};
use super::link::{Link, Log};
use super::listener::Listener;
use super::news::News;
use crate::engine::params::Params;
use crate::engine::{EngineHandle, Event};

/// Pause before connecting again, so that a server that hangs up at once is not called all the time.
const REDIAL: Duration = Duration::from_millis(500);

/// Where conversations come from.
pub enum Source {
    /// Other programs connect.
    Listen(Listener),
    /// This program connects.
    Connect {
        /// Where they listen.
        address: Address,
        /// How long to try while nobody listens there.
        patience: Duration,
    },
}

/// How conversations are held.
pub struct Session<'a, F, T> {
    /// Where they come from.
    pub source: Source,
    /// Whether the first one is also the last.
    pub once: bool,
    /// Who answers.
    pub follower: Follower<F>,
    /// Where messages are logged.
    pub log: Log,
    /// Tells that the user wants to leave.
    pub interrupts: &'a Receiver<()>,
    /// Gets what happens.
    pub tell: T,
}

/// How a conversation ended.
enum End {
    /// The connection did.
    Gone,
    /// The peer wants no further game, or has nothing to say.
    Left,
    /// Another program has taken its place.
    Replaced(TcpStream),
    /// The user wants to leave.
    Interrupted,
}

impl<F, T> Session<'_, F, T>
where
    F: Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>,
    T: FnMut(&News) -> io::Result<()>,
{
    /// Plays until the user has had enough, or once if that is wanted. A program that was connected to
    /// and wants no further game is not called again.
    ///
    /// # Errors
    /// If there is no connection to be had, or nobody to tell.
    pub fn run(mut self) -> io::Result<()> {
        let mut next = None;
        loop {
            let link = match next.take() {
                Some(stream) => Link::new(stream, self.log.clone()),
                None => {
                    self.announce()?;
                    let Some(link) = self.wait()? else { return Ok(()) };
                    link
                }
            };
            // Whoever is gone already was not there.
            let Ok(link) = link else { continue };
            let calls = matches!(self.source, Source::Connect { .. });
            let end = self.converse(link)?;
            match end {
                End::Interrupted => return Ok(()),
                End::Replaced(stream) => next = Some(stream),
                End::Left if calls => return Ok(()),
                End::Left | End::Gone if self.once => return Ok(()),
                End::Left | End::Gone if calls && !self.pause(REDIAL) => return Ok(()),
                End::Left | End::Gone => {}
            }
        }
    }

    fn announce(&mut self) -> io::Result<()> {
        let text = match &self.source {
            Source::Listen(listener) => format!("listening on {}", listener.describe()),
            Source::Connect { address, .. } => format!("connecting to {address}"),
        };
        (self.tell)(&News::Note(text))?;
        // Also what the engine had to say while it was made.
        self.tell_news()
    }

    /// Waits for the next connection; `None` if the user wants to leave. The inner error is that of a
    /// connection that did not last.
    fn wait(&self) -> io::Result<Option<io::Result<Link>>> {
        match &self.source {
            Source::Listen(listener) => select! {
                recv(self.interrupts) -> _ => Ok(None),
                recv(listener.connections()) -> stream => {
                    Ok(stream.ok().map(|stream| self.link(stream)))
                }
            },
            Source::Connect { address, patience } => {
                let mut leaves = false;
                let pause = |time| {
                    leaves = !self.pause(time);
                    !leaves
                };
                match Link::connect(address, *patience, self.log.clone(), pause) {
                    Ok(link) => Ok(Some(Ok(link))),
                    Err(_) if leaves => Ok(None),
                    Err(error) => Err(io::Error::new(error.kind(), format!("no connection to {address}: {error}"))),
                }
            }
        }
    }

    /// A link to the newest of those who have connected, `stream` being the oldest.
    fn link(&self, stream: TcpStream) -> io::Result<Link> {
        let stream = match &self.source {
            Source::Listen(listener) => listener.newest(stream),
            Source::Connect { .. } => stream,
        };
        Link::new(stream, self.log.clone())
    }

    /// Waits; tells whether to go on.
    fn pause(&self, time: Duration) -> bool {
        self.interrupts.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }

    fn converse(&mut self, mut link: Link) -> io::Result<End> {
        (self.tell)(&News::Note(format!("connected to {}", link.peer())))?;
        self.follower.connected();
        let (incoming, events) = (link.incoming().clone(), self.follower.events().clone());
        let connections = match &self.source {
            Source::Listen(listener) => listener.connections().clone(),
            Source::Connect { .. } => never(),
        };
        let end = loop {
            let wait = self.follower.deadline().saturating_duration_since(Instant::now());
            let done = select! {
                recv(self.interrupts) -> _ => {
                    // A peer that is gone needs no good-bye.
                    let _ = self.follower.leave(&mut link);
                    break End::Interrupted;
                }
                recv(connections) -> stream => match stream {
                    Ok(stream) if self.may_replace(&link, &stream) => break End::Replaced(stream),
                    Ok(stream) => {
                        Link::turn_away(stream, self.log.clone());
                        Ok(Flow::Continue)
                    }
                    Err(_) => break End::Gone,
                },
                recv(incoming) -> received => match received {
                    Ok(received) => self.follower.receive(received, &mut link).map(|()| Flow::Continue),
                    Err(_) => break End::Gone,
                },
                recv(events) -> event => match event {
                    Ok(event) => self.follower.event(event, &mut link).map(|()| Flow::Continue),
                    Err(_) => break End::Gone,
                },
                default(wait) => self.follower.tick(Instant::now(), &mut link),
            };
            self.tell_news()?;
            match done {
                Ok(Flow::Continue) => {}
                Ok(Flow::Leave) => break End::Left,
                Err(error) => {
                    self.log.note(&format!("cannot send: {error}"));
                    break End::Gone;
                }
            }
        };
        // Who has said good-bye may hang up.
        let end = if matches!(end, End::Gone) && self.follower.is_left() { End::Left } else { end };
        self.follower.disconnected();
        self.tell_news()?;
        (self.tell)(&News::Note(format!("connection to {} ended", link.peer())))?;
        link.close();
        Ok(end)
    }

    fn tell_news(&mut self) -> io::Result<()> {
        self.follower.take_news().iter().try_for_each(&mut self.tell)
    }

    /// Whether a new connection takes the place of `link`: no game is lost by that; or it comes from the same address, so
    /// that the old one has been given up there; or the game has been.
    fn may_replace(&self, link: &Link, stream: &TcpStream) -> bool {
        !self.follower.is_playing() || link.is_from_same_host(stream) || self.follower.is_overdue(Instant::now())
    }
}
