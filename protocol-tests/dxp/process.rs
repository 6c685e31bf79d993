//! `meerslag dxp` as a running program.

use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::peer::DEADLINE;

/// A running program and the lines that it prints.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Process {
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    pub fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_meerslag")), arguments, environment)
    }

    /// Starts it where it can write no file.
    #[cfg(unix)]
    pub fn start_on_a_full_disk(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut shell = Command::new("sh");
        // The limit is told as an error once its signal is ignored.
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_meerslag")]);
        Self::run(shell, arguments, environment)
    }

    fn run(mut command: Command, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = command
            .args(["dxp", "--hash=1"])
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        let errors = lines_of(child.stderr.take().unwrap());
        Self { child, lines, errors }
    }

    /// A server on any free port, with its address.
    pub fn server(arguments: &[&str]) -> (Self, SocketAddr) {
        Self::start_server(arguments, &[])
    }

    pub fn start_server(arguments: &[&str], environment: &[(&str, &str)]) -> (Self, SocketAddr) {
        let process = Self::start_with(&[&["--listen", "127.0.0.1:0"], arguments].concat(), environment);
        let address = process.line("listening on ").parse().unwrap();
        (process, address)
    }

    /// The rest of the next line that begins so; others are passed over.
    pub fn line(&self, begin: &str) -> String {
        next(&self.lines, begin)
    }

    /// The same on standard error.
    pub fn error_line(&self, begin: &str) -> String {
        next(&self.errors, begin)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end; returns how it ended and what was printed as errors.
    pub fn end(mut self) -> (ExitStatus, String) {
        while self.lines.recv_timeout(DEADLINE).is_ok() {}
        let errors: Vec<_> = self.errors.iter().collect();
        (self.child.wait().unwrap(), errors.join("\n"))
    }

    /// Memory in use, in MiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    let output = BufReader::new(output);
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

fn next(lines: &Receiver<String>, begin: &str) -> String {
    loop {
        let line = lines.recv_timeout(DEADLINE).unwrap_or_else(|_| panic!("no line begins with `{begin}`"));
        if let Some(rest) = line.strip_prefix(begin) {
            return rest.into();
        }
    }
}

/// An address where nobody listens, for programs that must know it before anybody does. Its port is none of those
/// that the system gives away by itself, and no other test of this run gets it.
pub fn quiet_address() -> SocketAddr {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 10_000) as u16;
    loop {
        let address = ([127, 0, 0, 1], first + TAKEN.fetch_add(1, Ordering::Relaxed)).into();
        if TcpListener::bind::<SocketAddr>(address).is_ok() {
            return address;
        }
    }
}
