//! What a GUI can ask for.

use super::level::Level;
use super::lexer::Line;
use crate::search::Mode;

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Declare name and parameters.
    Hub,
    /// Get ready with the current parameters.
    Init,
    /// Set a parameter.
    SetParam {
        /// Its name.
        name: String,
        /// Its value as text.
        value: String,
    },
    /// Set the position.
    Pos {
        /// A Hub position or a FEN; `None` is the start of the game.
        position: Option<String>,
        /// King moves made before, where they are counted.
        king_moves: String,
        /// Moves from there.
        moves: Vec<String>,
    },
    /// Limit the next search further.
    Level(Level),
    /// Search.
    Go {
        /// What for.
        mode: Mode,
        /// If not empty, only these moves.
        moves: Vec<String>,
    },
    /// The expected move was played.
    PonderHit,
    /// End the search.
    Stop,
    /// Give a sign of life.
    Ping,
    /// The next position belongs to another game.
    NewGame,
    /// Exit.
    Quit,
}

/// A line that cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HubError {
    /// Not in the form of a line.
    #[error("syntax error at `{0}`")]
    Syntax(String),
    /// A quote that is not closed.
    #[error("unterminated quote at `{0}`")]
    Unterminated(String),
    /// Longer than any sensible line.
    #[error("line longer than {0} bytes")]
    TooLong(usize),
    /// An unknown command.
    #[error("bad command `{0}`")]
    BadCommand(String),
    /// An argument that the command needs.
    #[error("{command}: missing {argument}")]
    Missing {
        /// The command.
        command: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// Not a number.
    #[error("level: {name} is not a number: `{text}`")]
    BadNumber {
        /// Name of the argument.
        name: &'static str,
        /// Its value.
        text: String,
    },
}

impl Command {
    /// Reads a line; `None` if there is nothing on it. Unknown arguments are ignored.
    ///
    /// # Errors
    /// If the line is malformed, the command unknown or an argument unreadable.
    pub fn parse(text: &str) -> Result<Option<Self>, HubError> {
        let Some(line) = Line::parse(text)? else { return Ok(None) };
        let command = match line.command.to_ascii_lowercase().as_str() {
            "hub" => Self::Hub,
            "init" => Self::Init,
            "set-param" => set_param(&line)?,
            "pos" => pos(&line)?,
            "level" => Self::Level(Level::parse(&line)?),
            "go" => go(&line),
            "ponder-hit" => Self::PonderHit,
            "stop" => Self::Stop,
            "ping" => Self::Ping,
            "new-game" => Self::NewGame,
            "quit" => Self::Quit,
            _ => return Err(HubError::BadCommand(line.command.into())),
        };
        Ok(Some(command))
    }
}

fn set_param(line: &Line) -> Result<Command, HubError> {
    let argument = |argument| {
        let value = line.value(argument);
        value.map(String::from).ok_or(HubError::Missing { command: "set-param", argument })
    };
    let name = argument("name")?;
    if name.is_empty() {
        return Err(HubError::Missing { command: "set-param", argument: "name" });
    }
    Ok(Command::SetParam { name, value: argument("value")? })
}

fn pos(line: &Line) -> Result<Command, HubError> {
    let start = line.value("start").is_some();
    let position = line.value("pos").filter(|_| !start).map(String::from);
    // The name that lidraughts.org gave it.
    let king_moves = line.value("wolf").unwrap_or_default().into();
    Ok(Command::Pos { position, king_moves, moves: words(line.value("moves")) })
}

fn go(line: &Line) -> Command {
    let flag = |name| line.value(name).is_some();
    let mode = match (flag("ponder"), flag("analyze") || flag("analyse")) {
        (true, _) => Mode::Ponder,
        (false, true) => Mode::Analyze,
        (false, false) => Mode::Think,
    };
    Command::Go { mode, moves: words(line.value("moves")) }
}

fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default().split_whitespace().map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Command {
        Command::parse(text).unwrap().unwrap()
    }

    fn error(text: &str) -> String {
        Command::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn plain_commands_in_any_case() {
        assert_eq!(parse("HUB"), Command::Hub);
        assert_eq!(parse("init extra=1 flag"), Command::Init);
        assert_eq!(parse("ponder-hit"), Command::PonderHit);
        assert_eq!(parse("new-game"), Command::NewGame);
        assert_eq!(Command::parse("  \r"), Ok(None));
    }

    #[test]
    fn errors_name_the_offending_text() {
        assert_eq!(error("fly"), "bad command `fly`");
        assert_eq!(error("set-param value=x"), "set-param: missing name");
        assert_eq!(error("set-param name= "), "set-param: missing name");
        assert_eq!(error("set-param name=a"), "set-param: missing value");
        assert_eq!(error("level depth=x"), "level: depth is not a number: `x`");
        assert_eq!(error("level time=inf"), "level: time is not a number: `inf`");
        assert_eq!(error("level nodes="), "level: nodes is not a number: ``");
    }

    #[test]
    fn positions() {
        let pos = |position: Option<&str>, moves: &[&str]| Command::Pos {
            position: position.map(String::from),
            king_moves: String::new(),
            moves: moves.iter().map(|&text| text.into()).collect(),
        };
        assert_eq!(parse("pos start"), pos(None, &[]));
        assert_eq!(parse("pos"), pos(None, &[]));
        assert_eq!(parse("pos moves=\"32-28 19x23\""), pos(None, &["32-28", "19x23"]));
        assert_eq!(parse("pos pos=Wbe moves=\"\" wolf=\"\""), pos(Some("Wbe"), &[]));
        let Command::Pos { king_moves, .. } = parse("pos pos=Wbe wolf=\"W32=2 B19=3\"") else { panic!("not a pos") };
        assert_eq!(king_moves, "W32=2 B19=3");
    }

    #[test]
    fn searches() {
        let go = |mode| Command::Go { mode, moves: vec![] };
        assert_eq!(parse("go"), go(Mode::Think));
        assert_eq!(parse("go mcts"), go(Mode::Think));
        assert_eq!(parse("go ponder"), go(Mode::Ponder));
        assert_eq!(parse("go analyze"), go(Mode::Analyze));
        let Command::Go { moves, .. } = parse("go think moves=\"32-28 31-27\"") else { panic!("not a go") };
        assert_eq!(moves, ["32-28", "31-27"]);
    }
}
