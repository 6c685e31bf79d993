//! Openings from a file.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use super::{Opening, OpeningError, goes_on};
use crate::board::Game;
use crate::notation::pdn::Reader;
use crate::notation::read_position;
use crate::variant::Variant;

/// The openings of a file in their order: the first `plies` plies (all without that) of each game of a PDN file,
/// the position of each line of another, where empty lines and those with `#` are passed over.
/// Openings after which the game is over are left out, and those that lead to the position of an earlier one:
/// they would count the same games twice.
pub fn read<V: Variant>(path: &Path, plies: Option<usize>) -> Result<Vec<Opening<V>>, OpeningError> {
    let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(OsStr::new("pdn")));
    let openings = if is_pdn { games(path, plies) } else { positions(path) };
    let mut openings: Vec<_> = openings.map_err(|reason| OpeningError::File { path: path.into(), reason })?;
    let mut seen = HashSet::new();
    openings.retain(|opening| goes_on(opening) && seen.insert(*opening.position()));
    Ok(openings)
}

fn games<V: Variant>(path: &Path, plies: Option<usize>) -> Result<Vec<Opening<V>>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut openings = Vec::new();
    for (number, game) in Reader::<V, _>::new(BufReader::new(file)).enumerate() {
        let game = game.map_err(|error| error.to_string())?;
        let mut game = game.played().ok_or_else(|| format!("game {} has moves that are not given", number + 1))?;
        while plies.is_some_and(|plies| game.moves().len() > plies) {
            game.undo();
        }
        openings.push(game);
    }
    Ok(openings)
}

fn positions<V: Variant>(path: &Path) -> Result<Vec<Opening<V>>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| match read_position(line) {
            Ok(position) => Ok(Game::new(position)),
            Err(error) => Err(format!("line {number}: {error}: `{line}`")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::International;

    fn with_file(name: &str, text: &str, plies: Option<usize>) -> Result<Vec<usize>, String> {
        let path = std::env::temp_dir().join(format!("meerslag-openings-{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        let found = read::<International>(&path, plies);
        fs::remove_file(&path).unwrap();
        found
            .map(|openings| openings.iter().map(|game| game.moves().len()).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn games_are_cut() {
        let text =
            "1. 32-28 19-23 2. 28x19 14x23 *\n\n[FEN \"W:W33:B18\"]\n1. 33-28 *\n\n[FEN \"W:W33:B28\"]\n1. 33x22 2-0\n";
        assert_eq!(with_file("a.pdn", text, None), Ok(vec![4, 1]));
        assert_eq!(with_file("b.PDN", text, Some(2)), Ok(vec![2, 1]));
    }

    #[test]
    fn positions_of_lines() {
        // The last one is the first one in other words.
        let text = "# some\nW:W33:B18\n\nB:WK1:BK50,31\nW:B18:W33\n";
        assert_eq!(with_file("c.fen", text, None), Ok(vec![0, 0]));
        let error = with_file("d.fen", "W:W33:B18\nW:W77:B1\n", None).unwrap_err();
        assert!(error.contains("line 2") && error.contains("77"), "{error}");
        assert!(read::<International>(Path::new("/nonexistent/x.fen"), None).is_err());
    }
}
