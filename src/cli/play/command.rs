//! What a person types.

use std::path::PathBuf;

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Show the commands.
    Help,
    /// Show the board.
    Board,
    /// Show the legal moves.
    Moves,
    /// Take back an end by will, else the last own move and what followed.
    Undo,
    /// Ask the engine for a move.
    Hint,
    /// Give up.
    Resign,
    /// Offer a draw.
    Draw,
    /// Start a new game.
    New,
    /// Turn the board.
    Flip,
    /// Append the game to a PDN file.
    Save(PathBuf),
    /// A command without the file it needs.
    SaveWithoutFile,
    /// Leave.
    Quit,
    /// Anything else is meant as a move.
    Move(String),
    /// An empty line.
    Nothing,
}

/// The commands, for `help`.
pub const HELP: &str = "\
a move     32-28, 28x19, 3228, c3-d4, c3:e5; a capture may name every square on its way
board      show the board
moves      show the legal moves
undo       take back your last move and the reply, or a resignation or draw agreed
hint       ask the engine for a move
resign     give up
draw       offer a draw
new        start a new game
flip       turn the board
save FILE  append the game to a PDN file
help       show this text
quit       leave";

impl Command {
    /// Reads a line; every line is something.
    pub fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Self::Nothing,
            ("help" | "?", "") => Self::Help,
            ("board", "") => Self::Board,
            ("moves", "") => Self::Moves,
            ("undo", "") => Self::Undo,
            ("hint", "") => Self::Hint,
            ("resign", "") => Self::Resign,
            ("draw", "") => Self::Draw,
            ("new", "") => Self::New,
            ("flip", "") => Self::Flip,
            ("save", "") => Self::SaveWithoutFile,
            ("save", file) => Self::Save(file.into()),
            ("quit" | "exit", "") => Self::Quit,
            _ => Self::Move(line.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_in_the_help_is_read() {
        for line in HELP.lines().skip(1) {
            let text = line.split("  ").next().unwrap();
            assert!(!matches!(Command::read(text), Command::Move(_)), "{text}");
        }
    }

    #[test]
    fn lines() {
        assert_eq!(Command::read("  QUIT\r\n"), Command::Quit);
        assert_eq!(Command::read("save my games.pdn"), Command::Save("my games.pdn".into()));
        assert_eq!(Command::read("save"), Command::SaveWithoutFile);
        assert_eq!(Command::read("32-28"), Command::Move("32-28".into()));
        assert_eq!(Command::read("draw now"), Command::Move("draw now".into()));
        assert_eq!(Command::read(" "), Command::Nothing);
    }
}
