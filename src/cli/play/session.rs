//! A game between a person and the engine.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, select};

use super::command::{Command, HELP};
use super::explain::explain;
use super::{Adjudication, Args, record};
use crate::board::{Game, GameOver, Move, Side, Verdict, WinReason};
use crate::cli::options::legal_list;
use crate::cli::score::describe;
use crate::cli::watch::watch;
use crate::engine::Engine;
use crate::notation::diagram::{PieceStyle, board_in};
use crate::notation::movetext;
use crate::search::{Mode, Score};
use crate::variant::Variant;

/// The talk with a person.
pub struct Session<V: Variant, W> {
    engine: Engine<V>,
    args: Args,
    input: Receiver<io::Result<String>>,
    interrupts: Receiver<()>,
    output: W,
    /// Whether to ask for input with a prompt.
    prompt: bool,
    person: Side,
    /// The side of the board shown below.
    bottom: Side,
    /// An end by the players' will: resignation or agreement.
    ended: Option<GameOver>,
    /// Whether Ctrl-C was pressed.
    interrupted: bool,
}

impl<V: Variant, W: Write> Session<V, W> {
    /// A session that goes on with the engine's game, with the lines typed and the presses of Ctrl-C.
    pub fn new(
        engine: Engine<V>,
        args: Args,
        (input, interrupts): (Receiver<io::Result<String>>, Receiver<()>),
        output: W,
        prompt: bool,
    ) -> Self {
        let person = args.person();
        let (bottom, ended, interrupted) = (person, None, false);
        Self { engine, args, input, interrupts, output, prompt, person, bottom, ended, interrupted }
    }

    /// Plays until the person leaves, presses Ctrl-C or the input ends; then the game is saved.
    ///
    /// # Errors
    /// If input, output or the PDN file fail.
    pub fn run(mut self) -> Result<()> {
        let talk = self.talk();
        // Also when the terminal has gone: the game should not be lost, least of all in silence.
        self.save_finally()?;
        talk
    }

    fn talk(&mut self) -> Result<()> {
        writeln!(self.output, "You play {}. Type a move, or `help`.", self.person)?;
        self.show_board()?;
        self.announce_end()?;
        while !self.interrupted {
            if self.is_engine_to_move() {
                self.play_for_engine()?;
                continue;
            }
            let Some(line) = self.read_line()? else { break };
            match Command::read(&line) {
                Command::Nothing => {}
                Command::Help => writeln!(self.output, "{HELP}")?,
                Command::Board => self.show_board()?,
                Command::Moves => writeln!(self.output, "{}", legal_list(&self.engine.game))?,
                Command::Undo => self.undo()?,
                Command::Hint => self.hint()?,
                Command::Resign => self.resign()?,
                Command::Draw => self.offer_draw()?,
                Command::New => self.start_anew()?,
                Command::Flip => {
                    self.bottom = self.bottom.opponent();
                    self.show_board()?;
                }
                Command::Save(path) => self.save(&path)?,
                Command::SaveWithoutFile => writeln!(self.output, "save to which file? `save FILE`")?,
                Command::Quit => break,
                Command::Move(text) => self.play(&text)?,
            }
        }
        Ok(())
    }

    /// The next line of input; `None` at the end and after Ctrl-C.
    fn read_line(&mut self) -> Result<Option<String>> {
        if self.prompt {
            write!(self.output, "{}> ", self.engine.game.position().side_to_move())?;
        }
        self.output.flush()?;
        let line = select! {
            recv(self.input) -> line => line.ok(),
            recv(self.interrupts) -> _ => None,
        };
        if line.is_none() && self.prompt {
            writeln!(self.output)?;
        }
        line.transpose().context("cannot read the input")
    }

    /// Whether and how the game is over.
    fn over(&self) -> Option<GameOver> {
        let by_limit = || {
            let limit = self.args.move_limit?;
            self.engine.game.has_moves_each(limit as usize).then(|| match self.args.adjudicate {
                Adjudication::PieceCount => self.engine.game.count_pieces(),
            })
        };
        self.ended.or_else(|| self.engine.over()).or_else(by_limit)
    }

    fn is_engine_to_move(&self) -> bool {
        self.over().is_none() && self.engine.game.position().side_to_move() != self.person
    }

    /// Whether the game goes on; says so if it does not.
    fn is_running(&mut self) -> Result<bool> {
        let over = self.over();
        if let Some(over) = over {
            writeln!(self.output, "The game is over: {over}. `new`, `undo` or `quit`?")?;
        }
        Ok(over.is_none())
    }

    fn show_board(&mut self) -> Result<()> {
        let style = if self.args.ascii { PieceStyle::Ascii } else { PieceStyle::Unicode };
        write!(self.output, "{}", board_in(self.engine.game.position(), self.bottom, style))?;
        Ok(())
    }

    fn announce_end(&mut self) -> Result<()> {
        if let Some(over) = self.over() {
            writeln!(self.output, "Game over: {over}. Result: {}", over.result::<V>())?;
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<()> {
        if !self.is_running()? {
            return Ok(());
        }
        let position = self.engine.game.position();
        match movetext::read(position, text) {
            Ok(mv) => {
                self.engine.game.play(mv).expect("only legal moves are read");
                self.announce_end()
            }
            Err(error) => {
                let reason = explain(position, text, &error);
                writeln!(self.output, "{reason}. Type `moves` for the legal moves, `help` for the commands.")?;
                Ok(())
            }
        }
    }

    /// Searches for a move, and its score if there was something to compare; `None` after Ctrl-C.
    fn think(&mut self) -> Result<Option<(Move, Option<Score>)>> {
        let mut score = None;
        let goal = (Mode::Think, self.args.limits());
        let ended = watch(&mut self.engine, goal, &[], &self.interrupts, |_, info| {
            score = Some(info.score);
            Ok(())
        })?;
        self.interrupted = ended.interrupted;
        let best = ended.done.best.expect("there are legal moves, or the game would be over");
        Ok((!self.interrupted).then_some((best, score)))
    }

    fn play_for_engine(&mut self) -> Result<()> {
        let Some((best, score)) = self.think()? else { return Ok(()) };
        let text = movetext::write(self.engine.game.position(), best);
        let score = score.map_or(String::new(), |score| format!(" (its score: {})", describe(score)));
        self.engine.game.play(best).expect("the search considers legal moves only");
        writeln!(self.output, "Meerslag plays {text}{score}")?;
        self.show_board()?;
        self.announce_end()
    }

    /// Takes back a resignation or an agreement; without one, goes back to the last position in
    /// which the person was to move.
    fn undo(&mut self) -> Result<()> {
        if self.ended.take().is_some() {
            writeln!(self.output, "The game goes on.")?;
            return self.show_board();
        }
        let earlier = &self.engine.game.states()[..self.engine.game.moves().len()];
        let Some(ply) = earlier.iter().rposition(|state| state.position.side_to_move() == self.person) else {
            writeln!(self.output, "You have not moved yet.")?;
            return Ok(());
        };
        while self.engine.game.moves().len() > ply {
            self.engine.game.undo();
        }
        self.show_board()
    }

    fn hint(&mut self) -> Result<()> {
        if !self.is_running()? {
            return Ok(());
        }
        let Some((best, score)) = self.think()? else { return Ok(()) };
        let text = movetext::write(self.engine.game.position(), best);
        let score = score.map_or(String::new(), |score| format!(" (your score: {})", describe(score)));
        writeln!(self.output, "Meerslag would play {text}{score}")?;
        Ok(())
    }

    fn resign(&mut self) -> Result<()> {
        if self.is_running()? {
            self.ended = Some(GameOver::Win(self.person.opponent(), WinReason::Resigned));
            self.announce_end()?;
        }
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<()> {
        if !self.is_running()? {
            return Ok(());
        }
        let moves = self.args.draw_offer_min_move;
        if !self.engine.game.has_moves_each(moves) {
            writeln!(self.output, "A draw can be offered after {moves} moves each.")?;
            return Ok(());
        }
        let Some((_, score)) = self.think()? else { return Ok(()) };
        // The person is to move: the engine is not better if the score is not negative.
        if score.is_some_and(|score| score >= Score::DRAW) {
            self.ended = Some(GameOver::Draw(Verdict::Agreed));
            self.announce_end()?;
        } else {
            writeln!(self.output, "Meerslag declines the draw.")?;
        }
        Ok(())
    }

    fn start_anew(&mut self) -> Result<()> {
        self.save_finally()?;
        self.engine.new_game();
        self.engine.game = Game::new(*self.engine.game.start());
        self.ended = None;
        self.show_board()?;
        self.announce_end()
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        let saved = record::append(path, &self.engine.game, self.person, self.over());
        match saved {
            Ok(()) => writeln!(self.output, "Saved to `{}`.", path.display())?,
            Err(error) => writeln!(self.output, "Cannot write to `{}`: {error}", path.display())?,
        }
        Ok(())
    }

    /// Appends the game to the file given on the command line, unless nobody has moved.
    fn save_finally(&self) -> Result<()> {
        let Some(path) = &self.args.pdn else { return Ok(()) };
        if self.engine.game.moves().is_empty() {
            return Ok(());
        }
        let saved = record::append(path, &self.engine.game, self.person, self.over());
        saved.with_context(|| format!("cannot write to `{}`", path.display()))
    }
}
