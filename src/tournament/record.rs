//! The files of a match: its games as PDN, and a match file from which it can go on.
//!
//! The match file has a line of JSON with the settings and one for each game, written after the game
//! went to the PDN file, whose length it notes. So whatever moment a match is broken off, the
//! two files can be brought to the same game.

mod error;
mod pdn;
mod settings;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::error::RecordError;
use crate::notation::pdn::write_game;
use crate::tournament::config::Config;
use crate::tournament::game::Played;
use crate::tournament::openings;
use crate::tournament::schedule::Fixture;
use crate::tournament::standings::Outcome;
use crate::variant::Variant;

/// The first line of a match file.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The version of this program: another one may play other moves and find other openings.
    version: String,
    /// The settings.
    settings: Value,
}

/// Any other line.
#[derive(Debug, Serialize, Deserialize)]
struct GameLine {
    game: Outcome,
    /// Digest of the opening, since a file of openings may have changed.
    opening: String,
    /// Length of the PDN file with this game in it.
    pdn_bytes: u64,
}

/// The open files of a match.
#[derive(Debug)]
pub struct Recorder {
    pdn: File,
    lines: File,
    paths: [PathBuf; 2],
}

/// The paths of the PDN file and the match file.
fn paths(out: &Path) -> [PathBuf; 2] {
    ["pdn", "jsonl"].map(|extension| {
        let mut name = out.as_os_str().to_owned();
        name.push(format!(".{extension}"));
        name.into()
    })
}

fn at(path: &Path) -> impl Fn(io::Error) -> RecordError {
    move |error| RecordError::Io { path: path.into(), error }
}

impl Head {
    fn of(config: &Config) -> Self {
        let settings = serde_json::to_value(config).expect("settings are plain data");
        Self { version: env!("CARGO_PKG_VERSION").into(), settings }
    }
}

impl Recorder {
    /// Files for a new match. Those of a match that was broken off before its first game are written over.
    ///
    /// # Errors
    /// If there are games in them or they cannot be written.
    pub fn create(out: &Path, config: &Config) -> Result<Self, RecordError> {
        let paths = paths(out);
        for (path, lines_without_games) in paths.iter().zip([0, 1]) {
            match fs::read(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(at(path)(error)),
                Ok(text) if text.split_inclusive(|byte| *byte == b'\n').count() <= lines_without_games => {}
                Ok(_) => return Err(RecordError::Exists(path.clone())),
            }
        }
        let open = |path: &PathBuf| File::create(path).map_err(at(path));
        let (lines, pdn) = (open(&paths[1])?, open(&paths[0])?);
        let mut recorder = Self { pdn, lines, paths };
        recorder.write_line(&Head::of(config))?;
        Ok(recorder)
    }

    /// The files of a match that was broken off, and the games in them. `planned` tells the game
    /// of a number from 0, with the digest of its opening.
    ///
    /// # Errors
    /// If there are none, if they are damaged, or if the match is another one.
    pub fn resume(
        out: &Path,
        config: &Config,
        planned: impl Fn(usize) -> Option<(Fixture, u64)>,
    ) -> Result<(Self, Vec<Outcome>), RecordError> {
        let paths = paths(out);
        let [pdn_path, path] = &paths;
        let text = fs::read(path).map_err(at(path))?;
        // A line that was cut off is dropped, and its game played again.
        let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&text[..end]);
        let mut lines = text.lines();
        let bad = |line: usize, reason: String| RecordError::BadLine { path: path.clone(), line, reason };
        let head: Head =
            serde_json::from_str(lines.next().unwrap_or_default()).map_err(|error| bad(1, error.to_string()))?;
        compare(path, &head, &Head::of(config))?;
        let (mut games, mut pdn_bytes) = (Vec::new(), 0);
        for (index, line) in lines.enumerate() {
            let line: GameLine = serde_json::from_str(line).map_err(|error| bad(index + 2, error.to_string()))?;
            let not_here = || bad(index + 2, format!("game {} does not belong here", line.game.number));
            let (fixture, digest) = planned(index).ok_or_else(not_here)?;
            same(path, || format!("opening of game {}", index + 1), &line.opening, &show_digest(digest))?;
            if !line.game.fits(&fixture) || line.pdn_bytes < pdn_bytes {
                return Err(not_here());
            }
            pdn_bytes = line.pdn_bytes;
            games.push(line.game);
        }
        let (pdn, lines) = (cut(pdn_path, pdn_bytes)?, cut(path, end as u64)?);
        Ok((Self { pdn, lines, paths }, games))
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn write<V: Variant>(
        &mut self,
        config: &Config,
        played: &Played<V>,
        outcome: &Outcome,
    ) -> Result<(), RecordError> {
        let mut text = Vec::new();
        let pdn = &self.paths[0];
        write_game(&mut text, &pdn::pdn_game(config, played, outcome)).map_err(at(pdn))?;
        self.pdn.write_all(&text).map_err(at(pdn))?;
        let pdn_bytes = self.pdn.stream_position().map_err(at(pdn))?;
        let opening = &played.game.states()[..=played.opening_plies()];
        let opening = show_digest(openings::digest(opening));
        self.write_line(&GameLine { game: outcome.clone(), opening, pdn_bytes })
    }

    fn write_line(&mut self, line: &impl Serialize) -> Result<(), RecordError> {
        let mut text = serde_json::to_vec(line).expect("lines are plain data");
        text.push(b'\n');
        self.lines.write_all(&text).map_err(at(&self.paths[1]))
    }
}

/// Opens a file to go on behind its first `length` bytes.
fn cut(path: &Path, length: u64) -> Result<File, RecordError> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at(path))?;
    let found = file.metadata().map_err(at(path))?.len();
    if found < length {
        return Err(RecordError::TooShort { path: path.into(), found, expected: length });
    }
    file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0))).map_err(at(path))?;
    Ok(file)
}

fn show_digest(digest: u64) -> String {
    format!("{digest:016x}")
}

fn compare(path: &Path, then: &Head, now: &Head) -> Result<(), RecordError> {
    same(path, || "version".into(), &then.version, &now.version)?;
    match settings::difference(&then.settings, &now.settings) {
        Some((name, then, now)) => same(path, || name.clone(), &then.to_string(), &now.to_string()),
        None => Ok(()),
    }
}

/// Refuses what differs, by its name.
fn same(path: &Path, name: impl Fn() -> String, then: &str, now: &str) -> Result<(), RecordError> {
    if then == now {
        return Ok(());
    }
    Err(RecordError::Other { path: path.into(), name: name(), then: then.into(), now: now.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Game, Side, legal_moves};
    use crate::notation::pdn::{GameResult, Reader};
    use crate::search::Score;
    use crate::tournament::fault::{Fault, Termination};
    use crate::tournament::game::Remark;
    use crate::variant::International;
    use std::time::Duration;

    fn config(text: &str) -> Config {
        Config::from_toml(text).unwrap().completed().unwrap()
    }

    /// Two plies of opening, two moves, and a late one.
    fn played() -> Played<International> {
        let mut game = Game::new(Default::default());
        for _ in 0..4 {
            let mv = legal_moves(game.position())[0];
            game.play(mv).unwrap();
        }
        let remark = |side, raw| Remark {
            side,
            score: Some(Score::from_raw(raw)),
            depth: Some(9),
            nodes: None,
            elapsed: Duration::from_millis(101),
            overrun: Duration::ZERO,
            clock: Some(Duration::from_millis(59_900)),
            forced: false,
        };
        let remarks = vec![remark(Side::White, 35), remark(Side::Black, -35), remark(Side::White, 40)];
        Played { game, remarks, end: Termination::Fault(Side::White, Fault::Time(Duration::from_millis(80))) }
    }

    /// Games of the same players from the opening of [`played`].
    fn planned(number: usize) -> Option<(Fixture, u64)> {
        let opening = openings::digest(&played().game.states()[..=2]);
        Some((Fixture { number, players: [0, 1], opening: 3 }, opening))
    }

    fn outcome(number: usize, played: &Played<International>) -> Outcome {
        Outcome::of(&planned(number).unwrap().0, played)
    }

    /// The files of three games.
    fn three_games(name: &str, config: &Config) -> PathBuf {
        let (out, played) = (scratch(name), played());
        let mut recorder = Recorder::create(&out, config).unwrap();
        (0..3).for_each(|number| recorder.write(config, &played, &outcome(number, &played)).unwrap());
        out
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("meerslag-record-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder.join("match")
    }

    #[test]
    fn games_hold_all_that_is_known() {
        let (config, out, played) = (config("nodes = 9"), scratch("pdn"), played());
        let mut recorder = Recorder::create(&out, &config).unwrap();
        recorder.write(&config, &played, &outcome(0, &played)).unwrap();
        let text = fs::read_to_string(out.with_extension("pdn")).unwrap();
        let game = Reader::<International, _>::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.result, GameResult::Win(Side::Black));
        assert_eq!(game.tags.get("TimeControl"), Some("9 nodes a move"));
        assert_eq!(game.tags.get("Termination"), Some("White lost on time by 0.080 s"));
        let comments: Vec<_> = game.line.moves.iter().map(|entry| entry.comments.as_slice()).collect();
        assert!(matches!(comments[..], [[], [], [_], [_]]), "{text}");
        let last = &comments[3][0];
        assert_eq!((last.command("eval"), last.spent()), (Some("-0.35"), Some(Duration::from_millis(101))));
        assert_eq!(last.remaining(Side::Black), Some(Duration::from_millis(59_900)));
    }

    #[test]
    fn a_match_goes_on_where_it_was_cut_off() {
        let (config, out, played) = (config("nodes = 9"), scratch("resume"), played());
        let mut recorder = Recorder::create(&out, &config).unwrap();
        for number in 0..3 {
            recorder.write(&config, &played, &outcome(number, &played)).unwrap();
        }
        let whole = fs::read(out.with_extension("pdn")).unwrap();
        // The third game's line was only half written.
        let lines = fs::read(out.with_extension("jsonl")).unwrap();
        fs::write(out.with_extension("jsonl"), &lines[..lines.len() - 20]).unwrap();
        let (mut recorder, games) = Recorder::resume(&out, &config, planned).unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2]);
        recorder.write(&config, &played, &outcome(2, &played)).unwrap();
        assert_eq!(fs::read(out.with_extension("pdn")).unwrap(), whole);
        assert_eq!(fs::read(out.with_extension("jsonl")).unwrap(), lines);
        assert!(matches!(Recorder::create(&out, &config), Err(RecordError::Exists(_))));
    }

    #[test]
    fn another_match_is_refused_with_the_difference() {
        let (first, out) = (config("nodes = 9\n[[player]]\nname = 'a'\nparams = { hash = 4 }"), scratch("other"));
        Recorder::create(&out, &first).unwrap();
        let refusal =
            |text: &str| Recorder::resume(&out, &config(text), planned).map(drop).map_err(|error| error.to_string());
        let same = "nodes = 9\ngames = 50\nconcurrency = 1\n[[player]]\nname = 'a'\nparams = { hash = 4 }";
        assert_eq!(refusal(same), Ok(()));
        for (text, named) in [
            (&same.replace("nodes = 9", "nodes = 8"), "nodes was 9, is 8"),
            (&same.replace("hash = 4", "hash = 5"), "player.1.params.hash was 4, is 5"),
            (&same.replace("name = 'a'", "name = 'b'"), "player.1.name was \"a\", is \"b\""),
            (&format!("{same}\n[[player]]\nname = 'c'\n[[player]]\nname = 'd'"), "player was ["),
        ] {
            let error = refusal(text).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
        let path = out.with_extension("jsonl");
        let head = fs::read_to_string(&path).unwrap();
        fs::write(&path, head.replacen(env!("CARGO_PKG_VERSION"), "0.0.1-old", 1)).unwrap();
        assert!(refusal(same).unwrap_err().contains("version was 0.0.1-old, is "));
        fs::write(&path, "{}\n").unwrap();
        assert!(refusal(same).unwrap_err().contains("line 1"));
    }

    #[test]
    fn other_openings_are_named() {
        let config = config("nodes = 9");
        let out = three_games("openings", &config);
        let other = |number| planned(number).map(|(fixture, digest)| (fixture, digest ^ u64::from(number == 1)));
        let error = Recorder::resume(&out, &config, other).unwrap_err().to_string();
        assert!(error.contains("opening of game 2 was "), "{error}");
    }

    #[test]
    fn damaged_files_are_refused_with_the_place() {
        let config = config("nodes = 9");
        let out = three_games("damaged", &config);
        let (lines, pdn) = (out.with_extension("jsonl"), out.with_extension("pdn"));
        let whole = fs::read_to_string(&lines).unwrap();
        for (good, bad) in [
            ("\"fault_of\":0", "\"fault_of\":9"),
            ("\"winner\":1", "\"winner\":2"),
            ("\"white\":0", "\"white\":1"),
            ("\"number\":1", "\"number\":2"),
            ("\"overrun\":0.0", "\"overrun\":-1.0"),
            ("\"plies\"", "\"plys\""),
        ] {
            assert!(whole.contains(good), "{whole}");
            fs::write(&lines, whole.replacen(good, bad, 1)).unwrap();
            let error = Recorder::resume(&out, &config, planned).unwrap_err().to_string();
            assert!(error.contains("line 2"), "{error}");
        }
        fs::write(&lines, &whole).unwrap();
        let length = fs::metadata(&pdn).unwrap().len();
        File::options().write(true).open(&pdn).unwrap().set_len(length - 1).unwrap();
        assert!(matches!(Recorder::resume(&out, &config, planned), Err(RecordError::TooShort { .. })));
        assert_eq!(fs::metadata(&pdn).unwrap().len(), length - 1);
    }

    #[test]
    fn a_match_without_games_is_written_over() {
        let (config, out) = (config("nodes = 9"), scratch("empty"));
        Recorder::create(&out, &config).unwrap();
        Recorder::create(&out, &config).unwrap();
        fs::write(out.with_extension("pdn"), "1. 32-28 *\n").unwrap();
        assert!(matches!(Recorder::create(&out, &config), Err(RecordError::Exists(_))));
    }
}
