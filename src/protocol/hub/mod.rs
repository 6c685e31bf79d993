//! The Hub protocol, version 2: lines of text between a GUI and an engine.
//!
//! A line passes [`lexer`] (text to names and values), [`command`] (to a [`command::Command`]) and
//! [`session`] (to engine calls); answers are formatted in [`reply`] and sent by [`writer`].

pub mod command;
pub mod level;
pub mod lexer;
pub mod reader;
pub mod reply;
pub mod session;
pub mod writer;

#[cfg(test)]
pub(super) mod fake;
#[cfg(test)]
mod session_tests;
