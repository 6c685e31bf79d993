//! The files of a match: its games as PDN, and a match file from which it can go on.
//!
//! The match file has a line of JSON with the settings and one for each game, written after the game
//! went to the PDN file, whose length it notes. So whatever moment a match is broken off, the
//! two files can be brought to the same game.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::notation::pdn::{Comment, GameResult, PdnGame, Tags, write_game};
use crate::tournament::config::Config;
use crate::tournament::game::{Played, Remark};
use crate::tournament::standings::Outcome;
use crate::util::date::DateTime;
use crate::variant::Variant;

/// Settings that may change when a match goes on.
const FREE: [&str; 3] = ["games", "concurrency", "out"];

/// Files that cannot be written or do not belong to this match.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refuses.
    #[error("`{path}`: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is a match already.
    #[error("`{0}` exists: resume that match, or choose another name")]
    Exists(PathBuf),
    /// Not a match file.
    #[error("`{path}`, line {line}: not a line of a match file: {reason}")]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Number of the line.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The match in the file is another one.
    #[error("the match in `{path}` has other settings: {name} was {then}, is {now}")]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// The setting.
        name: String,
        /// Its value in the file.
        then: String,
        /// Its value now.
        now: String,
    },
}

/// The first line of a match file.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The settings.
    settings: Value,
    /// Digest of the openings, since a file of them may have changed.
    openings: String,
}

/// Any other line.
#[derive(Debug, Serialize, Deserialize)]
struct GameLine {
    game: Outcome,
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
    fn of(config: &Config, digest: u64) -> Self {
        let settings = serde_json::to_value(config).expect("settings are plain data");
        Self { settings, openings: format!("{digest:016x}") }
    }
}

impl Recorder {
    /// Files for a new match.
    ///
    /// # Errors
    /// If they exist or cannot be written.
    pub fn create(out: &Path, config: &Config, digest: u64) -> Result<Self, RecordError> {
        let paths = paths(out);
        let open = |path: &PathBuf| match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(RecordError::Exists(path.clone())),
            opened => opened.map_err(at(path)),
        };
        let (lines, pdn) = (open(&paths[1])?, open(&paths[0])?);
        let mut recorder = Self { pdn, lines, paths };
        recorder.write_line(&Head::of(config, digest))?;
        Ok(recorder)
    }

    /// The files of a match that was broken off, and the games in them.
    ///
    /// # Errors
    /// If there are none, if they are damaged, or if the settings differ.
    pub fn resume(out: &Path, config: &Config, digest: u64) -> Result<(Self, Vec<Outcome>), RecordError> {
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
        compare(path, &head, &Head::of(config, digest))?;
        let (mut games, mut pdn_bytes) = (Vec::new(), 0);
        for (index, line) in lines.enumerate() {
            let line_of: GameLine = serde_json::from_str(line).map_err(|error| bad(index + 2, error.to_string()))?;
            if line_of.game.number != index + 1 || line_of.game.white.max(line_of.game.black) >= config.players.len() {
                return Err(bad(index + 2, format!("game {} does not belong here", line_of.game.number)));
            }
            pdn_bytes = line_of.pdn_bytes;
            games.push(line_of.game);
        }
        let reopen = |path: &Path, length: u64| -> Result<File, RecordError> {
            let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at(path))?;
            file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0))).map_err(at(path))?;
            Ok(file)
        };
        let (pdn, lines) = (reopen(pdn_path, pdn_bytes)?, reopen(path, end as u64)?);
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
        write_game(&mut text, &pdn_game(config, played, outcome)).map_err(at(pdn))?;
        self.pdn.write_all(&text).map_err(at(pdn))?;
        let pdn_bytes = self.pdn.stream_position().map_err(at(pdn))?;
        self.write_line(&GameLine { game: outcome.clone(), pdn_bytes })
    }

    fn write_line(&mut self, line: &impl Serialize) -> Result<(), RecordError> {
        let mut text = serde_json::to_vec(line).expect("lines are plain data");
        text.push(b'\n');
        self.lines.write_all(&text).map_err(at(&self.paths[1]))
    }
}

fn compare(path: &Path, then: &Head, now: &Head) -> Result<(), RecordError> {
    let other = |name: String, then: &Value, now: &Value| RecordError::OtherSettings {
        path: path.into(),
        name,
        then: then.to_string(),
        now: now.to_string(),
    };
    if let Some((name, then, now)) = difference(&then.settings, &now.settings) {
        return Err(other(name, then, now));
    }
    let digests = [&then.openings, &now.openings].map(|digest| Value::from(digest.as_str()));
    if digests[0] == digests[1] {
        Ok(())
    } else {
        Err(other("digest of the openings".into(), &digests[0], &digests[1]))
    }
}

/// The first setting that differs, with both values; settings that may change are passed over.
fn difference<'a>(then: &'a Value, now: &'a Value) -> Option<(String, &'a Value, &'a Value)> {
    const NOTHING: &Value = &Value::Null;
    match (then, now) {
        (Value::Object(old), Value::Object(new)) => {
            let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
            names.filter(|name| !FREE.contains(&name.as_str())).find_map(|name| {
                let (then, now) = (old.get(name).unwrap_or(NOTHING), new.get(name).unwrap_or(NOTHING));
                let (inner, then, now) = difference(then, now)?;
                Some((if inner.is_empty() { name.clone() } else { format!("{name}.{inner}") }, then, now))
            })
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).enumerate().find_map(|(index, (then, now))| {
                let (inner, then, now) = difference(then, now)?;
                Some((
                    if inner.is_empty() { format!("{}", index + 1) } else { format!("{}.{inner}", index + 1) },
                    then,
                    now,
                ))
            })
        }
        _ => (then != now).then_some((String::new(), then, now)),
    }
}

/// The game with all that is known of it.
fn pdn_game<V: Variant>(config: &Config, played: &Played<V>, outcome: &Outcome) -> PdnGame<V> {
    let players = [&config.players[outcome.white], &config.players[outcome.black]];
    let controls = players.map(|player| config.control(player).map(|control| control.to_string()).unwrap_or_default());
    let DateTime { year, month, day, .. } = DateTime::now();
    let result = played.end.winner().map_or(GameResult::Draw, GameResult::Win);
    let mut tags: Tags = [
        ("Event", "Match".to_string()),
        ("Date", format!("{year:04}.{month:02}.{day:02}")),
        ("Round", outcome.number.to_string()),
        ("White", players[0].name.clone()),
        ("Black", players[1].name.clone()),
    ]
    .into_iter()
    .collect();
    if controls[0] == controls[1] {
        tags.set("TimeControl", controls[0].as_str());
    } else {
        tags.set("WhiteTimeControl", controls[0].as_str());
        tags.set("BlackTimeControl", controls[1].as_str());
    }
    tags.set("Opening", (outcome.opening + 1).to_string());
    tags.set("Termination", played.end.to_string());
    tags.set("PlyCount", outcome.plies.to_string());
    let mut game = PdnGame::of(&played.game, tags, result);
    let own_moves = played.remarks.len() - usize::from(played.ends_unplayed());
    let opening = played.game.moves().len() - own_moves;
    for (entry, remark) in game.line.moves.iter_mut().skip(opening).zip(&played.remarks) {
        entry.comments.push(comment(remark));
    }
    game
}

/// `[%eval 0.35] [%depth 12] [%nodes 51200] [%emt 0.101] [%clk 59.9]`, what is known of it.
fn comment(remark: &Remark) -> Comment {
    let parts = [
        remark.score.map(|score| format!("[%eval {score}]")),
        remark.depth.map(|depth| format!("[%depth {depth}]")),
        remark.nodes.map(|nodes| format!("[%nodes {nodes}]")),
        Some(format!("[%emt {:.3}]", remark.elapsed.as_secs_f64())),
        remark.clock.map(|clock| format!("[%clk {:.3}]", clock.as_secs_f64())),
    ];
    Comment(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Game, Side, legal_moves};
    use crate::notation::pdn::Reader;
    use crate::search::Score;
    use crate::tournament::fault::{Fault, Termination};
    use crate::tournament::schedule::Fixture;
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

    fn outcome(number: usize, played: &Played<International>) -> Outcome {
        Outcome::of(&Fixture { number, players: [0, 1], opening: 3 }, played)
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
        let mut recorder = Recorder::create(&out, &config, 7).unwrap();
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
        let mut recorder = Recorder::create(&out, &config, 7).unwrap();
        for number in 0..3 {
            recorder.write(&config, &played, &outcome(number, &played)).unwrap();
        }
        let whole = fs::read(out.with_extension("pdn")).unwrap();
        // The third game's line was only half written.
        let lines = fs::read(out.with_extension("jsonl")).unwrap();
        fs::write(out.with_extension("jsonl"), &lines[..lines.len() - 20]).unwrap();
        let (mut recorder, games) = Recorder::resume(&out, &config, 7).unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2]);
        recorder.write(&config, &played, &outcome(2, &played)).unwrap();
        assert_eq!(fs::read(out.with_extension("pdn")).unwrap(), whole);
        assert_eq!(fs::read(out.with_extension("jsonl")).unwrap(), lines);
        assert!(matches!(Recorder::create(&out, &config, 7), Err(RecordError::Exists(_))));
    }

    #[test]
    fn another_match_is_refused_with_the_difference() {
        let (first, out) = (config("nodes = 9\n[[player]]\nname = 'a'\nparams = { hash = 4 }"), scratch("other"));
        Recorder::create(&out, &first, 7).unwrap();
        let refusal = |text: &str, digest| {
            Recorder::resume(&out, &config(text), digest).map(drop).map_err(|error| error.to_string())
        };
        let same = "nodes = 9\ngames = 50\nconcurrency = 1\n[[player]]\nname = 'a'\nparams = { hash = 4 }";
        assert_eq!(refusal(same, 7), Ok(()));
        for (text, digest, named) in [
            (same, 8, "digest of the openings was"),
            (&same.replace("nodes = 9", "nodes = 8"), 7, "nodes was 9, is 8"),
            (&same.replace("hash = 4", "hash = 5"), 7, "player.1.params.hash was 4, is 5"),
            (&same.replace("name = 'a'", "name = 'b'"), 7, "player.1.name was \"a\", is \"b\""),
            (&format!("{same}\n[[player]]\nname = 'c'\n[[player]]\nname = 'd'"), 7, "player was ["),
        ] {
            let error = refusal(text, digest).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
        fs::write(out.with_extension("jsonl"), "{}\n").unwrap();
        assert!(refusal(same, 7).unwrap_err().contains("line 1"));
    }
}
