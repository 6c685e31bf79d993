//! `meerslag eval`: the evaluation of a position, term by term.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

use crate::board::{Side, movegen};
use crate::cli::engine_args::{EngineArgs, ForEvaluation};
use crate::cli::options::GameArgs;
use crate::cli::score::{men, white_view};
use crate::cli::write_json;
use crate::engine::open_evaluation;
use crate::eval::{FULL_PHASE, Tapered, blend, drawishness, phase};
use crate::notation::{diagram, fen};
use crate::search::Score;
use crate::variant::{Task, Variant};

/// Options of `eval`.
#[derive(Debug, clap::Args)]
#[command(
    about = "Show the static evaluation of a position, term by term",
    long_about = "Shows what the static evaluation consists of as a table: White minus Black in men, early and \
                  late, and blended by the phase of the position. Early and late are the start and the end of the \
                  game or, if the evaluation is learned, the two nearest of three points of the game for which it has weights. No move is searched, so \
                  the value of a position in which a capture is due says little.",
    after_help = "Examples:\n  \
                  meerslag eval\n  \
                  meerslag eval --moves \"32-28 19-23 28x19 14x23\"\n  \
                  meerslag eval --variant brazilian --fen W:WK22,31:B10,12,K32 --json"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    engine: EngineArgs<ForEvaluation>,
    /// Print one JSON object, values in hundredths of a man
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Shows an evaluation.
    ///
    /// # Errors
    /// If the position or a move cannot be read.
    pub fn run(self) -> Result<()> {
        let variant = self.game.variant();
        variant.dispatch(Eval(self))
    }
}

struct Eval(Args);

/// An evaluation; all values for White unless named otherwise, in hundredths of a man.
#[derive(Serialize)]
struct Table {
    variant: &'static str,
    /// `hand-made` or the name of the weights.
    evaluation: String,
    fen: String,
    side_to_move: String,
    capture_due: bool,
    /// Of 256.
    phase: i32,
    /// What the early values count, of 256.
    early_share: i32,
    terms: Vec<Row>,
    sum: Row,
    /// What the sum is divided by.
    drawishness: i32,
    /// The value as the search uses it.
    value_white: i32,
    value_side_to_move: i32,
    /// Whether the search cuts the value because it is too large.
    clipped: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    early: i32,
    late: i32,
    blended: i32,
}

impl Task for Eval {
    type Output = Result<()>;

    fn run<V: Variant>(self) -> Result<()> {
        let Self(args) = self;
        let game = args.game.game::<V>()?;
        let position = game.position();
        let evaluation = open_evaluation::<V>(&args.engine.params)?;
        let early_share = evaluation.early_share(position);
        let row = |name, value: Tapered| Row {
            name,
            early: value.opening,
            late: value.ending,
            blended: blend(value, early_share),
        };
        let (mut terms, mut sum) = (Vec::new(), Tapered::default());
        for (name, value) in evaluation.parts(position) {
            terms.push(row(name, value));
            sum += value;
        }
        let side = position.side_to_move();
        let value = evaluation.evaluate(position);
        let score = Score::eval(value);
        let table = Table {
            variant: V::ID.hub_name(),
            evaluation: evaluation.name(),
            fen: fen::write(position),
            side_to_move: side.to_string().to_lowercase(),
            capture_due: movegen::can_capture(position, side),
            phase: phase(position),
            early_share,
            terms,
            sum: row("sum", sum),
            drawishness: drawishness(position),
            value_white: white_view(score, side).raw(),
            value_side_to_move: score.raw(),
            clipped: score.raw() != value,
        };
        let mut out = io::stdout();
        if args.json {
            write_json(&mut out, &table)?;
        } else {
            write!(out, "{}", diagram::board(position, Side::White))?;
            table.write(&mut out, side)?;
        }
        Ok(())
    }
}

impl Table {
    fn write(&self, out: &mut impl Write, side: Side) -> io::Result<()> {
        writeln!(out, "{}\nevaluation {}\n", self.fen, self.evaluation)?;
        writeln!(out, "White minus Black      early      late   blended")?;
        for Row { name, early, late, blended } in self.terms.iter().chain([&self.sum]) {
            let [early, late, blended] = [early, late, blended].map(|value| men(*value));
            writeln!(out, "{name:<18} {early:>9} {late:>9} {blended:>9}")?;
        }
        writeln!(out, "\nphase              {} of {FULL_PHASE} ({FULL_PHASE}: all pieces on the board)", self.phase)?;
        writeln!(out, "early counts       {} of {FULL_PHASE}", self.early_share)?;
        if self.drawishness > 1 {
            writeln!(out, "drawish            divided by {}", self.drawishness)?;
        }
        if side == Side::Black {
            writeln!(out, "value for White    {}", men(self.value_white))?;
        }
        writeln!(out, "value for {side:<5}    {} (to move)", men(self.value_side_to_move))?;
        if self.clipped {
            writeln!(out, "The search cuts every value to {} men.", men(Score::EVAL_LIMIT).replace('+', "±"))?;
        }
        if self.capture_due {
            writeln!(out, "A capture is due: the search looks further, this value does not.")?;
        }
        Ok(())
    }
}
