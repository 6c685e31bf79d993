//! Recorded games: which one to analyze, and where.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::board::Game;
use crate::cli::UsageError;
use crate::notation::pdn::{Action, PdnGame, RawGame, RawGames};
use crate::variant::Variant;

/// A game in a file.
#[derive(Clone, Debug, clap::Args)]
pub struct RecordedArgs {
    /// Analyze a game of this PDN file; its tags tell the variant unless --variant does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    pdn: Option<PathBuf>,
    /// Number of the game in the file
    #[arg(id = "game", long = "game", value_name = "N", requires = "pdn", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,
    /// Analyze the position after so many plies [default: the last one]
    #[arg(long, value_name = "P", requires = "pdn")]
    ply: Option<usize>,
    /// Analyze every position of the game, each for the limit given (by default 1 second)
    #[arg(long, requires = "pdn", conflicts_with_all = ["ply", "infinite", "search_moves", "multi-pv"])]
    pub all_moves: bool,
}

impl RecordedArgs {
    /// The words of the game; `None` if no file is given.
    ///
    /// # Errors
    /// If the file cannot be read or has no such game.
    pub fn read(&self) -> Result<Option<RawGame>> {
        let Some(path) = &self.pdn else { return Ok(None) };
        let file = File::open(path).with_context(|| self.in_file())?;
        let mut games = 0;
        for raw in RawGames::new(BufReader::new(file)) {
            let raw = raw.with_context(|| self.in_file())?;
            games += 1;
            if games == self.number {
                return Ok(Some(raw));
            }
        }
        Err(UsageError(format!("--game {}: `{}` has {games} games", self.number, path.display())).into())
    }

    /// What errors in the file begin with.
    pub fn in_file(&self) -> String {
        let path = self.pdn.as_deref().unwrap_or(Path::new(""));
        format!("cannot read `{}`", path.display())
    }

    /// The game up to the ply asked for.
    ///
    /// # Errors
    /// If it is shorter.
    pub fn up_to_ply<V: Variant>(&self, recorded: &PdnGame<V>) -> Result<Game<V>> {
        let moves = &recorded.line.moves;
        let Some(moves) = moves.get(..self.ply.unwrap_or(moves.len())) else {
            let ply = self.ply.unwrap_or_default();
            return Err(UsageError(format!("--ply {ply}: the game has {} plies", moves.len())).into());
        };
        let mut game = Game::new(recorded.start);
        moves.iter().for_each(|entry| advance(&mut game, &entry.action));
        Ok(game)
    }
}

/// Goes on with a game; where no move is given, it starts anew, for nothing before can recur.
pub fn advance<V: Variant>(game: &mut Game<V>, action: &Action<V>) {
    match action {
        Action::Move(mv) => game.play(*mv).expect("recorded moves were read as legal ones"),
        other => *game = Game::new(other.apply(game.position())),
    }
}
