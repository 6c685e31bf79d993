//! An analysis as a table for people and as JSON lines for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::board::{Game, GameOver, Move, Side};
use crate::cli::score::{MoverScore, describe, white_view};
use crate::cli::write_json;
use crate::engine::Engine;
use crate::notation::hub::HubMove;
use crate::notation::{diagram, fen, movetext};
use crate::search::{Done, Info};
use crate::variant::Variant;

/// Takes what an analysis tells.
pub trait Output<V: Variant> {
    /// The position, before the search.
    fn begin(&mut self, game: &Game<V>) -> io::Result<()>;
    /// A line found.
    fn info(&mut self, game: &Game<V>, info: &Info<Move>) -> io::Result<()>;
    /// The end.
    fn end(&mut self, game: &Game<V>, end: &End) -> io::Result<()>;
}

/// How an analysis ended.
pub struct End<'a> {
    /// The best move and the reply to expect, as far as there are any.
    moves: Vec<String>,
    /// The best move as in Hub.
    best_hub: Option<String>,
    /// The last report of the best line.
    last: Option<&'a Info<Move>>,
    /// Whether and how the game was over before.
    over: Option<GameOver>,
}

impl<'a> End<'a> {
    /// The end of an analysis of the engine's game.
    pub fn new<V: Variant>(engine: &Engine<V>, done: &Done<Move>, last: Option<&'a Info<Move>>) -> Self {
        let moves: Vec<_> = done.best.into_iter().chain(done.best.and(done.ponder)).collect();
        Self {
            moves: line(&engine.game, &moves),
            best_hub: done.best.map(|mv| HubMove::of::<V>(mv).to_string()),
            last,
            over: engine.over(),
        }
    }
}

/// The moves of a line in the notation of the variant.
pub fn line<V: Variant>(game: &Game<V>, moves: &[Move]) -> Vec<String> {
    let mut position = *game.position();
    let write = |&mv| {
        let text = movetext::write(&position, mv);
        position = position.after(mv);
        text
    };
    moves.iter().map(write).collect()
}

/// Nodes per second.
fn speed(info: &Info<Move>) -> u64 {
    (info.nodes as f64 / info.time.as_secs_f64().max(1e-6)) as u64
}

/// For people.
pub struct Table<W>(pub W);

impl<V: Variant, W: Write> Output<V> for Table<W> {
    fn begin(&mut self, game: &Game<V>) -> io::Result<()> {
        let side = game.position().side_to_move();
        write!(self.0, "{}", diagram::board(game.position(), Side::White))?;
        writeln!(self.0, "{}\n", fen::write(game.position()))?;
        writeln!(self.0, "Scores in men, for the side to move ({side}) and for White.")?;
        writeln!(self.0, "depth  line  {:>12}  {:>12}  {:>12}  {:>8}  pv", side_name(side), "White", "nodes", "time")
    }

    fn info(&mut self, game: &Game<V>, info: &Info<Move>) -> io::Result<()> {
        let side = game.position().side_to_move();
        let pv = line(game, &info.pv).join(" ");
        let (own, white) = (describe(info.score), describe(white_view(info.score, side)));
        let Info { line, depth, nodes, time, .. } = info;
        let time = time.as_secs_f64();
        writeln!(self.0, "{depth:>5}  {line:>4}  {own:>12}  {white:>12}  {nodes:>12}  {time:>8.3}  {pv}")
    }

    fn end(&mut self, _: &Game<V>, end: &End) -> io::Result<()> {
        writeln!(self.0)?;
        if let Some(over) = end.over {
            writeln!(self.0, "the game is over: {over}")?;
        }
        if let Some(last) = end.last {
            let time = last.time.as_secs_f64();
            write!(self.0, "{} nodes, {time:.3} s, {} nps", last.nodes, speed(last))?;
            match last.hits {
                0 => writeln!(self.0)?,
                hits => writeln!(self.0, ", {hits} found in endgame databases")?,
            }
            let percent = last.score.win_draw_loss(last.chances).map(|share| f64::from(share) / 10.0);
            let [win, draw, loss] = percent;
            writeln!(self.0, "chances of the side to move: win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %")?;
        }
        match end.moves.as_slice() {
            [] => writeln!(self.0, "no move"),
            [best] => writeln!(self.0, "best move {best}"),
            [best, reply, ..] => writeln!(self.0, "best move {best}, then {reply} is expected"),
        }
    }
}

/// The heading of the scores for the side to move.
fn side_name(side: Side) -> String {
    format!("to move ({})", side.letter())
}

/// For programs: one object per line.
pub struct Json<W>(pub W);

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Info {
        line: usize,
        depth: u32,
        mean_depth: f64,
        #[serde(flatten)]
        score: MoverScore,
        /// Chances of the side to move, of 1000.
        win_draw_loss: [u32; 3],
        nodes: u64,
        egdb_hits: u64,
        seconds: f64,
        nodes_per_second: u64,
        pv: Vec<String>,
    },
    Result {
        variant: &'static str,
        fen: String,
        side_to_move: String,
        best_move: Option<&'a str>,
        best_move_hub: Option<&'a str>,
        expected_reply: Option<&'a str>,
        #[serde(flatten)]
        score: Option<MoverScore>,
        game_over: Option<String>,
    },
}

impl<V: Variant, W: Write> Output<V> for Json<W> {
    fn begin(&mut self, _: &Game<V>) -> io::Result<()> {
        Ok(())
    }

    fn info(&mut self, game: &Game<V>, info: &Info<Move>) -> io::Result<()> {
        let object = Object::Info {
            line: info.line,
            depth: info.depth,
            mean_depth: info.mean_depth,
            score: MoverScore::new(info.score, game.position().side_to_move()),
            win_draw_loss: info.score.win_draw_loss(info.chances),
            nodes: info.nodes,
            egdb_hits: info.hits,
            seconds: info.time.as_secs_f64(),
            nodes_per_second: speed(info),
            pv: line(game, &info.pv),
        };
        write_json(&mut self.0, &object)
    }

    fn end(&mut self, game: &Game<V>, end: &End) -> io::Result<()> {
        let side = game.position().side_to_move();
        let object = Object::Result {
            variant: V::ID.hub_name(),
            fen: fen::write(game.position()),
            side_to_move: side.to_string().to_lowercase(),
            best_move: end.moves.first().map(String::as_str),
            best_move_hub: end.best_hub.as_deref(),
            expected_reply: end.moves.get(1).map(String::as_str),
            score: end.last.map(|info| MoverScore::new(info.score, side)),
            game_over: end.over.map(|over| over.to_string()),
        };
        write_json(&mut self.0, &object)
    }
}
