//! A whole game, move by move: what each move changed, and which one was best.

use std::io::{self, Write};

use anyhow::Result;
use crossbeam_channel::Receiver;
use serde::Serialize;

use super::recorded::advance;
use crate::board::{Game, Move, Side};
use crate::cli::score::{MoverScore, describe, white_view};
use crate::cli::watch::watch;
use crate::cli::write_json;
use crate::engine::Engine;
use crate::notation::pdn::{Action, PdnGame};
use crate::notation::{fen, movetext};
use crate::search::{Limits, Mode, Score};
use crate::variant::Variant;

/// A move of the game and what the engine thinks of it.
#[derive(Serialize)]
#[serde(tag = "type", rename = "move")]
struct Row {
    ply: usize,
    number: usize,
    side: String,
    r#move: String,
    best_move: Option<String>,
    /// Of the position before the move.
    before: MoverScore,
    /// Of the position after it, for the side to move there.
    after: MoverScore,
    fen: String,
    #[serde(skip)]
    white: [Score; 2],
}

/// What a search says of a position.
struct Opinion {
    best: Option<Move>,
    score: Score,
    interrupted: bool,
}

/// Shows what the engine thinks of every move, each as soon as it is known, until the end of the game
/// or Ctrl-C.
///
/// # Errors
/// If the output fails.
pub fn review<V: Variant>(
    engine: &mut Engine<V>,
    recorded: &PdnGame<V>,
    limits: Limits,
    interrupts: &Receiver<()>,
    mut out: impl Write,
    json: bool,
) -> Result<()> {
    if !json {
        write_heading(&mut out, recorded)?;
    }
    engine.game = Game::new(recorded.start);
    let mut number = 1;
    let mut before = consider(engine, limits, interrupts)?;
    for (index, entry) in recorded.line.moves.iter().enumerate() {
        if before.interrupted {
            break;
        }
        let position = *engine.game.position();
        let side = position.side_to_move();
        advance(&mut engine.game, &entry.action);
        let after = consider(engine, limits, interrupts)?;
        let next = engine.game.position().side_to_move();
        let row = Row {
            ply: index + 1,
            number,
            side: side.to_string().to_lowercase(),
            r#move: match entry.action {
                Action::Move(mv) => movetext::write(&position, mv),
                Action::Skip => "...".into(),
                Action::Setup(_) => "setup".into(),
            },
            best_move: before.best.map(|mv| movetext::write(&position, mv)),
            before: MoverScore::new(before.score, side),
            after: MoverScore::new(after.score, next),
            fen: fen::write(&position),
            white: [white_view(before.score, side), white_view(after.score, next)],
        };
        if json {
            write_json(&mut out, &row)?
        } else {
            row.write(&mut out, side)?
        }
        number += usize::from(side == Side::Black);
        before = after;
    }
    if !json && let Some(over) = engine.over() {
        writeln!(out, "\nthe game is over: {over}")?;
    }
    Ok(())
}

/// Searches the engine's game; where the game is over, the result is the score.
fn consider<V: Variant>(engine: &mut Engine<V>, limits: Limits, interrupts: &Receiver<()>) -> io::Result<Opinion> {
    let side = engine.game.position().side_to_move();
    let result = engine.over().map(|over| match over {
        over if over.winner() == Some(side) => Score::win_in(0),
        over if over.winner().is_some() => Score::loss_in(0),
        _ => Score::DRAW,
    });
    let mut score = Score::DRAW;
    let ended = watch(engine, (Mode::Analyze, limits), &[], interrupts, |_, info| {
        score = info.score;
        Ok(())
    })?;
    Ok(Opinion { best: ended.done.best, score: result.unwrap_or(score), interrupted: ended.interrupted })
}

fn write_heading<V: Variant>(out: &mut impl Write, recorded: &PdnGame<V>) -> io::Result<()> {
    let name = |side: Side| recorded.tags.get(&side.to_string()).unwrap_or("?").to_string();
    let [white, black] = [Side::White, Side::Black].map(name);
    writeln!(out, "{white} - {black}  {}\n", recorded.result.text::<V>())?;
    writeln!(out, "Scores in men, for White, of the positions before and after the move.")?;
    writeln!(out, "{:<5}{:<12}  {:>12}  {:>12}  best move", "no", "move", "before", "after")
}

impl Row {
    fn write(&self, out: &mut impl Write, side: Side) -> io::Result<()> {
        let number = format!("{}{}", self.number, if side == Side::White { "." } else { "..." });
        let [before, after] = self.white.map(describe);
        // Only other moves are worth a look.
        let best = self.best_move.as_deref().filter(|best| *best != self.r#move).unwrap_or_default();
        let line = format!("{number:<6}{:<11}  {before:>12}  {after:>12}  {best}", self.r#move);
        writeln!(out, "{}", line.trim_end())
    }
}
