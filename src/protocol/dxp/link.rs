//! A connection to another program: messages in, messages out.
//!
//! Reading happens on a thread of its own. It hands over a bounded number of messages and then leaves
//! the rest to the peer's side of the network, so that a flood costs no memory here. Every message is
//! logged when it comes and when it goes.

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::NAME;
use super::address::Address;
use super::frames::Frames;
use super::message::{Message, MessageError};
use crate::protocol::traffic::{Direction, TrafficLog};

/// Messages that wait to be handled.
const BACKLOG: usize = 64;
/// How long a message may be under way from its first byte to its last.
const SLOWEST: Duration = Duration::from_secs(30);
/// How long a peer may leave unread what is sent to it.
const UNREAD: Duration = Duration::from_secs(10);
/// Some programs read only the first of two messages that arrive together. Those that expect
/// another message right after one of these are known for it.
const GAP: Duration = Duration::from_millis(60);
/// How long one attempt to connect may take, and the pause before the next one.
const ATTEMPT: (Duration, Duration) = (Duration::from_secs(5), Duration::from_millis(500));
/// How long a peer has to read the last message and close its side.
const FAREWELL: Duration = Duration::from_secs(2);

/// The log that a link and its reader share.
#[derive(Clone, Debug)]
pub struct Log(Arc<Mutex<TrafficLog>>);

impl Log {
    /// A log that goes to this file as well, or to none if the path is empty.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(path: &str) -> io::Result<Self> {
        Ok(Self(Arc::new(Mutex::new(TrafficLog::open("dxp", path)?))))
    }

    /// Logs a remark.
    pub fn note(&self, text: &str) {
        self.record(Direction::Note, text);
    }

    fn record(&self, direction: Direction, text: &str) {
        // A log is usable whoever panicked while writing to it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).record(direction, text);
    }
}

/// A message, or what came in place of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// When its last byte had been read.
    pub at: Instant,
    /// What it says.
    pub message: Result<Message, MessageError>,
}

/// A connection to another program. Dropping it ends it.
#[derive(Debug)]
pub struct Link {
    stream: TcpStream,
    peer: SocketAddr,
    incoming: Receiver<Received>,
    log: Log,
    /// Not before this the next message is sent.
    not_before: Option<Instant>,
}

impl Link {
    /// A link over a connection that has just been made.
    ///
    /// # Errors
    /// If the connection is gone already, or there can be no further thread.
    pub fn new(stream: TcpStream, log: Log) -> io::Result<Self> {
        let peer = stream.peer_addr()?;
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(UNREAD))?;
        stream.set_read_timeout(Some(SLOWEST))?;
        log.note(&format!("connected to {peer}"));
        let (messages, incoming) = bounded(BACKLOG);
        let reader = Reader { stream: stream.try_clone()?, messages, log: log.clone() };
        thread::Builder::new().name("dxp-reader".into()).spawn(move || reader.run())?;
        Ok(Self { stream, peer, incoming, log, not_before: None })
    }

    /// Tells a program that it comes at the wrong time, and ends its connection.
    pub fn turn_away(stream: TcpStream, log: Log) {
        if let Ok(mut link) = Self::new(stream, log) {
            // It may be gone already.
            let _ = link.send(&Message::chat(&format!("{NAME} is playing against another program")));
        }
    }

    /// Connects to a program that listens at `address`. While it does not, tries again for as long as `patience`;
    /// `pause` waits between attempts and tells whether to go on.
    ///
    /// # Errors
    /// The error of the last attempt.
    pub fn connect(
        address: &Address,
        patience: Duration,
        log: Log,
        mut pause: impl FnMut(Duration) -> bool,
    ) -> io::Result<Self> {
        let begin = Instant::now();
        loop {
            match connect_once(address) {
                Ok(stream) => return Self::new(stream, log),
                Err(error) => {
                    log.note(&format!("no connection to {address}: {error}"));
                    if begin.elapsed() >= patience || !pause(ATTEMPT.1) {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// The other end.
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Whether another connection comes from the address of this one.
    pub fn is_from_same_host(&self, stream: &TcpStream) -> bool {
        stream.peer_addr().is_ok_and(|other| other.ip().to_canonical() == self.peer.ip().to_canonical())
    }

    /// What comes from the peer; disconnected when the connection has ended.
    pub const fn incoming(&self) -> &Receiver<Received> {
        &self.incoming
    }

    /// Sends a message, after a pause if it follows one that some programs would miss it with.
    ///
    /// # Errors
    /// If the connection is gone or the peer does not read.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        let wait = self.not_before.take().map(|until| until.saturating_duration_since(Instant::now()));
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            thread::sleep(wait);
        }
        let text = message.encode();
        self.log.record(Direction::Out, &text);
        self.stream.write_all(format!("{text}\0").as_bytes())?;
        if matches!(message, Message::Answer { .. } | Message::BackAnswer(_) | Message::End { .. }) {
            self.not_before = Some(Instant::now() + GAP);
        }
        Ok(())
    }

    /// Ends the connection so that the peer still gets what was sent last. What it says after that
    /// goes unheard.
    pub fn close(self) {
        // It may be gone already.
        let _ = self.stream.shutdown(Shutdown::Write);
        let end = Instant::now() + FAREWELL;
        while self.incoming.recv_deadline(end).is_ok() {}
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Wakes the reader. The connection may be gone already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Tries every address that the host has.
fn connect_once(address: &Address) -> io::Result<TcpStream> {
    let mut failed = io::Error::new(ErrorKind::NotFound, format!("`{address}` has no address"));
    for address in address.look_up()? {
        match TcpStream::connect_timeout(&address, ATTEMPT.0) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Reads messages until the connection ends or nobody wants them any more.
struct Reader {
    stream: TcpStream,
    messages: Sender<Received>,
    log: Log,
}

impl Reader {
    fn run(mut self) {
        let end = self.read_all().map_or_else(|error| error.to_string(), |()| "closed".into());
        self.log.note(&format!("connection ended: {end}"));
    }

    fn read_all(&mut self) -> io::Result<()> {
        let mut frames = Frames::default();
        let mut buffer = [0; 1024];
        // When the message that has not ended began.
        let mut begun: Option<Instant> = None;
        loop {
            let late = || io::Error::new(ErrorKind::TimedOut, "a message was begun and not ended");
            let length = match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // Nothing came in the time that a message may take.
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if begun.is_some() {
                        return Err(late());
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            let mut ended = false;
            let wanted = frames.take(&buffer[..length], |frame| {
                ended = true;
                self.hand_over(frame)
            });
            if !wanted {
                return Ok(());
            }
            begun = match begun.filter(|_| !ended) {
                Some(begun) if begun.elapsed() > SLOWEST => return Err(late()),
                _ if !frames.is_within_message() => None,
                Some(begun) => Some(begun),
                None => Some(Instant::now()),
            };
        }
    }

    /// Logs a message and passes it on; tells whether anybody wants more.
    fn hand_over(&self, frame: Result<&[u8], MessageError>) -> bool {
        let at = Instant::now();
        let text = frame.as_ref().map_or_else(ToString::to_string, |bytes| bytes.escape_ascii().to_string());
        self.log.record(Direction::In, &text);
        let message = frame.and_then(Message::decode);
        if let Err(error) = &message {
            self.log.note(&error.to_string());
        }
        self.messages.send(Received { at, message }).is_ok()
    }
}
