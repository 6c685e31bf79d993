//! A program that is spoken to by lines.
//!
//! Reading and writing happen on threads of their own, so that a program which neither reads nor
//! writes blocks nobody. Every wait has an end.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use crate::protocol::hub::reader::{self, Received};
use crate::tournament::Stop;
use crate::tournament::control::Patience;
use crate::tournament::fault::{Failure, Fault};
use crate::tournament::spec::PlayerSpec;

/// How often a wait looks whether the match is to end.
const POLL: Duration = Duration::from_millis(50);
/// Lines that wait to be read; a program that writes faster than it is read is made to wait.
const BACKLOG: usize = 1024;
/// How long a program has to leave when told to.
const LEAVE: Duration = Duration::from_secs(1);
/// Lines without sense that a program may write while an answer is awaited.
const NONSENSE: usize = 10_000;

/// A running program.
pub struct Process {
    /// Its name in messages.
    name: String,
    child: Child,
    lines: Receiver<Received>,
    /// Gone once the program has been told to leave.
    input: Option<Sender<String>>,
    stop: Stop,
    /// Whether it deserves no time to leave.
    failed: bool,
}

/// A line that came from a program.
pub struct Heard {
    /// When it came.
    pub at: Instant,
    /// Its text.
    pub text: String,
}

/// What a line is to the one that waits for another.
pub enum Sense<T> {
    /// The one waited for.
    Answer(T),
    /// A line of the protocol.
    Other,
    /// Not a line of the protocol.
    None,
}

impl Process {
    /// Starts the program of a player.
    pub fn start(spec: &PlayerSpec, stop: Stop) -> io::Result<Self> {
        let (program, arguments) = spec.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).envs(&spec.env).stdin(Stdio::piped()).stdout(Stdio::piped());
        let logs = log::log_enabled!(target: "match", log::Level::Debug);
        command.stderr(if logs { Stdio::inherit() } else { Stdio::null() });
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        // A process group of its own: Ctrl-C is for the match, which ends its players in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child =
            command.spawn().map_err(|error| io::Error::new(error.kind(), format!("`{program}`: {error}")))?;
        let output = child.stdout.take().expect("the output is piped");
        let stdin = child.stdin.take().expect("the input is piped");
        let (sender, lines) = bounded(BACKLOG);
        let (input, orders) = unbounded();
        let process = Self { name: spec.name.clone(), child, lines, input: Some(input), stop, failed: false };
        reader::spawn(output, sender)?;
        thread::Builder::new().name("match-writer".into()).spawn(move || write_all(stdin, &orders))?;
        Ok(process)
    }

    /// Sends a line; a program that is gone will be missed when its answer is awaited.
    pub fn send(&self, line: &str) {
        log::debug!(target: "match", "{} > {line}", self.name);
        if let Some(input) = &self.input {
            // The writer ends with the program.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Forgets lines that came uncalled.
    pub fn forget(&self) {
        self.lines.try_iter().for_each(|line| log::debug!(target: "match", "{} < {line:?} (late)", self.name));
    }

    /// Waits for the line that `sense` takes for the answer.
    ///
    /// # Errors
    /// If the program ends, writes nonsense, or tries the `patience` too long.
    pub fn wait<T>(
        &mut self,
        patience: Patience,
        mut sense: impl FnMut(&Heard) -> Result<Sense<T>, Fault>,
    ) -> Result<T, Failure> {
        let result = self.wait_inner(patience, &mut sense);
        match result {
            Err(Failure::Fault(_)) => self.failed = true,
            // It may be searching, and has to be free to be told to leave.
            Err(Failure::Stopped) => self.send("stop"),
            Ok(_) | Err(Failure::Ended(_)) => {}
        }
        result
    }

    fn wait_inner<T>(
        &mut self,
        patience: Patience,
        sense: &mut impl FnMut(&Heard) -> Result<Sense<T>, Fault>,
    ) -> Result<T, Failure> {
        let started = Instant::now();
        let mut last_sign = started;
        let mut nonsense = 0;
        loop {
            if self.stop.is_set() {
                return Err(Failure::Stopped);
            }
            let heard = self.receive(patience, started, last_sign)?;
            match sense(&heard)? {
                Sense::Answer(answer) => return Ok(answer),
                Sense::Other => last_sign = heard.at,
                Sense::None => {
                    nonsense += 1;
                    if nonsense > NONSENSE {
                        return Err(Fault::Garbage(heard.text.chars().take(60).collect()).into());
                    }
                }
            }
        }
    }

    fn receive(&mut self, patience: Patience, started: Instant, last_sign: Instant) -> Result<Heard, Failure> {
        loop {
            let left = patience.left(started, last_sign, Instant::now());
            let hang = |at| Err(Fault::Hang(patience.exceeded(started, at)).into());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(Received { at, text: Ok(text) }) => {
                    log::debug!(target: "match", "{} < {text}", self.name);
                    // A program that never stops talking has to be stopped here.
                    let is_late = patience.left(started, last_sign, at).is_zero();
                    return if is_late { hang(at) } else { Ok(Heard { at, text }) };
                }
                Ok(Received { text: Err(error), .. }) => return Err(Fault::Garbage(error.to_string()).into()),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crash(self.obituary()).into()),
                Err(RecvTimeoutError::Timeout) if self.stop.is_set() => return Err(Failure::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return hang(Instant::now()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended that closed its output.
    fn obituary(&mut self) -> String {
        match self.leaves_within(LEAVE) {
            Some(status) => format!("the process ended ({status})"),
            None => "the process closed its output".into(),
        }
    }

    fn leaves_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < time => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if self.failed || self.leaves_within(LEAVE).is_none() {
            // It may be gone by now; then there is nothing to kill.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Writes until there is nothing more to come or nobody reads.
fn write_all(mut stdin: ChildStdin, orders: &Receiver<String>) {
    for line in orders {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
