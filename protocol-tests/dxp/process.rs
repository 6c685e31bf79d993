//! `meerslag dxp` as a running program.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::peer::DEADLINE;

/// A running follower and the lines that it prints.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    pub fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_meerslag"))
            .args(["dxp", "--hash=1"])
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    /// A server on any free port, with its address.
    pub fn server(arguments: &[&str]) -> (Self, SocketAddr) {
        let process = Self::start(&[&["--listen", "127.0.0.1:0"], arguments].concat());
        let address = process.line("listening on ").parse().unwrap();
        (process, address)
    }

    /// The rest of the next line that begins so; others are passed over.
    pub fn line(&self, begin: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(DEADLINE).unwrap_or_else(|_| panic!("no line begins with `{begin}`"));
            if let Some(rest) = line.strip_prefix(begin) {
                return rest.into();
            }
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end; returns how it ended and what was printed as errors.
    pub fn end(mut self) -> (ExitStatus, String) {
        while self.lines.recv_timeout(DEADLINE).is_ok() {}
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap(), errors)
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
