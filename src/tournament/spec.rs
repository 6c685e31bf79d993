//! Who plays: the description of a player.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::protocol::dxp::address::{Address, Endpoint};
use crate::tournament::control::{ClockSpec, Control, seconds};
use crate::tournament::text::{self, ListError, pairs, value, words};

/// How a player is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Hub, version 2.
    #[default]
    Hub,
    /// Hub, version 1, the dialect of Scan 2.0.
    Hub1,
}

impl FromStr for Protocol {
    type Err = ListError;
    fn from_str(text: &str) -> Result<Self, ListError> {
        match text {
            "hub" => Ok(Self::Hub),
            "hub1" => Ok(Self::Hub1),
            _ => Err(ListError::bad_value("protocol", text)),
        }
    }
}

/// How a program that speaks DXP is met: `HOST:PORT`, or `listen:[HOST:]PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It waits at this address.
    Connect(Address),
    /// It connects to this one.
    Listen(Endpoint),
}

impl FromStr for Meeting {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Self, ListError> {
        let bad = || ListError::bad_value("dxp", text);
        if let Some(endpoint) = text.strip_prefix("listen:") {
            return endpoint.parse().map(Self::Listen).map_err(|_| bad());
        }
        text.parse().map(Self::Connect).map_err(|_| bad())
    }
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Connect(address) => write!(f, "{address}"),
            Self::Listen(endpoint) => write!(f, "listen:{endpoint}"),
        }
    }
}

/// The value of a parameter: configuration files may write numbers and booleans without quotes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// Text.
    Text(String),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "{value}"),
        }
    }
}

/// A command with its arguments: a list of words, or one text that blanks divide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum CommandText {
    Words(Vec<String>),
    Line(String),
}

/// Limits of the moves as configuration files and command lines state them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limiting {
    /// Seconds a move.
    pub time: Option<f64>,
    /// A game clock, `MOVES/SECONDS+INCREMENT`.
    pub clock: Option<ClockSpec>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

impl Limiting {
    /// The time control; none if nothing is limited.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn control(&self) -> Result<Option<Control>, ListError> {
        if *self == Self::default() {
            return Ok(None);
        }
        let move_time = self.time.map(|time| seconds("time", time)).transpose()?;
        for (name, is_zero) in [("nodes", self.nodes == Some(0)), ("depth", self.depth == Some(0))] {
            if is_zero {
                return Err(ListError::bad_value(name, "0"));
            }
        }
        Ok(Some(Control { depth: self.depth, nodes: self.nodes, move_time, clock: self.clock }))
    }
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "PlayerFields", into = "PlayerFields")]
pub struct PlayerSpec {
    /// Name in tables and records.
    pub name: String,
    /// Program and arguments; empty for this engine in this process.
    pub command: Vec<String>,
    /// How the program is spoken to.
    pub protocol: Protocol,
    /// How it is met, if it speaks DXP; the command then starts it.
    pub dxp: Option<Meeting>,
    /// Seconds to wait for it there; without it, as long as any engine may be silent.
    pub retry: Option<f64>,
    /// The folder in which it runs.
    pub dir: Option<PathBuf>,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
    /// Parameters of the engine.
    pub params: BTreeMap<String, Scalar>,
    /// Its own time control; without one, that of the match.
    pub limits: Limiting,
}

/// A player as it stands in a configuration file: everything on one level.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct PlayerFields {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<CommandText>,
    protocol: Protocol,
    #[serde(with = "text::optional", skip_serializing_if = "Option::is_none")]
    dxp: Option<Meeting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<PathBuf>,
    env: BTreeMap<String, String>,
    params: BTreeMap<String, Scalar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    #[serde(with = "text::optional", skip_serializing_if = "Option::is_none")]
    clock: Option<ClockSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

impl From<PlayerFields> for PlayerSpec {
    fn from(fields: PlayerFields) -> Self {
        let PlayerFields { name, command, protocol, dxp, retry, dir, env, params, time, clock, nodes, depth } = fields;
        let command = match command {
            Some(CommandText::Words(words)) => words,
            // An open quote is a word like any other: the start of the process names it.
            Some(CommandText::Line(line)) => words(&line).unwrap_or_else(|_| vec![line]),
            None => Vec::new(),
        };
        Self { name, command, protocol, dxp, retry, dir, env, params, limits: Limiting { time, clock, nodes, depth } }
    }
}

impl From<PlayerSpec> for PlayerFields {
    fn from(spec: PlayerSpec) -> Self {
        let PlayerSpec { name, command, protocol, dxp, retry, dir, env, params, limits } = spec;
        let Limiting { time, clock, nodes, depth } = limits;
        let command = (!command.is_empty()).then_some(CommandText::Words(command));
        Self { name, command, protocol, dxp, retry, dir, env, params, time, clock, nodes, depth }
    }
}

impl FromStr for PlayerSpec {
    type Err = ListError;

    /// Reads `name=new,cmd=engine hub,time=0.1,hash=16`: the settings of a player, and parameters of
    /// its engine under any other name or behind `param.`; variables of its environment behind `env.`.
    fn from_str(text: &str) -> Result<Self, ListError> {
        let mut spec = Self::default();
        for (name, text) in pairs(text)? {
            match name.as_str() {
                "name" => spec.name = text,
                "cmd" | "command" => spec.command = words(&text)?,
                "protocol" => spec.protocol = text.parse()?,
                "dxp" => spec.dxp = Some(text.parse()?),
                "retry" => spec.retry = Some(value(&name, &text)?),
                "dir" => spec.dir = Some(text.into()),
                "time" => spec.limits.time = Some(value(&name, &text)?),
                "clock" => spec.limits.clock = Some(text.parse()?),
                "nodes" => spec.limits.nodes = Some(value(&name, &text)?),
                "depth" => spec.limits.depth = Some(value(&name, &text)?),
                _ => match (name.strip_prefix("env."), name.strip_prefix("param.")) {
                    (Some(variable), _) => drop(spec.env.insert(variable.into(), text)),
                    (None, param) => {
                        spec.params.insert(param.unwrap_or(&name).into(), Scalar::Text(text));
                    }
                },
            }
        }
        Ok(spec)
    }
}

impl PlayerSpec {
    /// Whether it is this engine in this process.
    pub fn is_inside(&self) -> bool {
        self.command.is_empty() && self.dxp.is_none()
    }

    /// Threads it searches with, as far as its parameters tell.
    pub fn threads(&self) -> usize {
        let threads = self.params.get("threads").map(Scalar::to_string);
        threads.and_then(|text| text.parse().ok()).filter(|threads| *threads > 0).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_as_text() {
        let text = "name=old,cmd=\"'my engine' hub a,b\",dir=/x,env.A=b,threads=2,param.depth=9,time=0.25,clock=40/60";
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!((spec.name.as_str(), spec.threads(), spec.is_inside()), ("old", 2, false));
        assert_eq!(spec.command, ["my engine", "hub", "a,b"]);
        assert_eq!(spec.env["A"], "b");
        assert_eq!(spec.params["depth"].to_string(), "9");
        let control = spec.limits.control().unwrap().unwrap();
        assert_eq!(control.to_string(), "clock 40/60+0, 0.25 s a move");
        let spec: PlayerSpec = "cmd=dame hub,name=dame".parse().unwrap();
        assert_eq!(spec.command, ["dame", "hub"]);
        assert!("name=a".parse::<PlayerSpec>().unwrap().is_inside());
        for meeting in ["localhost:27531", "[::1]:7", "listen:27531", "listen:*:0"] {
            let spec: PlayerSpec = format!("dxp={meeting},retry=2").parse().unwrap();
            assert_eq!((spec.dxp.as_ref().unwrap().to_string().as_str(), spec.is_inside()), (meeting, false));
            let json = serde_json::to_value(&spec).unwrap();
            assert_eq!(serde_json::from_value::<PlayerSpec>(json).unwrap(), spec);
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, named) in [
            ("time=x", "`x`"),
            ("clock=1/", "`1/`"),
            ("name", "`name`"),
            ("protocol=uci", "`uci`"),
            ("dxp=27531", "`27531`"),
            ("dxp=listen:x", "`listen:x`"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
        for (text, named) in [("time=-1", "time"), ("nodes=0", "nodes"), ("depth=0", "depth")] {
            let error = text.parse::<PlayerSpec>().unwrap().limits.control().unwrap_err().to_string();
            assert!(error.starts_with(named), "{error}");
        }
    }

    #[test]
    fn tables_of_a_file() {
        let text = "name = 'scan'\ncommand = './scan hub'\nprotocol = 'hub1'\ntime = 0.1\n\
                    params = { bb-size = 0, book = false }\nenv = { A = 'b' }";
        let spec: PlayerSpec = toml::from_str(text).unwrap();
        assert_eq!((spec.command.len(), spec.protocol, spec.limits.time), (2, Protocol::Hub1, Some(0.1)));
        assert_eq!(spec.params["book"].to_string(), "false");
        let json = serde_json::to_value(&spec).unwrap();
        assert_eq!(serde_json::from_value::<PlayerSpec>(json).unwrap(), spec);
        assert!(toml::from_str::<PlayerSpec>("nme = 'x'").is_err());
    }
}
