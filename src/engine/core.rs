//! The engine for one variant, generic.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::databases::DatabaseSource;
use super::evaluation::open_evaluation;
use super::params::Params;
use super::{DatabaseError, Unusable};
use crate::board::{DrawPolicy, Game, GameOver, Move, legal_moves};
use crate::egdb::Databases;
use crate::eval::Evaluation;
use crate::search::{Done, Info, Job, Limits, Mode, Pool, Report, merits};
use crate::variant::Variant;

/// A game and the threads that search it.
pub struct Engine<V: Variant> {
    /// The game; its current position is searched.
    pub game: Game<V>,
    policy: DrawPolicy,
    /// Number of best lines to report.
    pub lines: usize,
    /// Whether the opponent's time will be used as well.
    pub ponders: bool,
    databases: Arc<Databases<V>>,
    /// Where they come from; `None` as long as no parameters were given.
    database_source: Option<DatabaseSource>,
    evaluation: Evaluation,
    /// The parameter that names it.
    weights: String,
    pool: Pool<V>,
}

/// What a finished search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The move to play and the reply to expect.
    pub done: Done<Move>,
    /// The lines of the last iteration told, best first; only the best one if the search was stopped
    /// while finding it. Empty if there is no legal move.
    pub lines: Vec<Info<Move>>,
}

impl<V: Variant> Engine<V> {
    /// An engine at the start of a game with these parameters. `note` is told what is wrong with the files
    /// that they name.
    ///
    /// # Errors
    /// If the system cannot give that much memory or that many threads.
    pub fn with_params(params: &Params, note: impl FnMut(Unusable)) -> io::Result<Self> {
        let mut engine = Self::with_databases(params.threads as usize, params.hash as usize, Databases::default())?;
        engine.set_params(params, note);
        Ok(engine)
    }

    /// The same, where it matters who plays: weights that cannot be used are an error.
    ///
    /// # Errors
    /// If the system cannot give that much memory or that many threads, or the weights cannot be used.
    pub fn strict(params: &Params, mut note: impl FnMut(DatabaseError)) -> io::Result<Self> {
        let mut fault = None;
        let engine = Self::with_params(params, |unusable| match unusable {
            Unusable::Database(error) => note(error),
            Unusable::Weights(error) => fault = Some(error),
        })?;
        fault.map_or(Ok(engine), |error| Err(io::Error::other(error)))
    }

    /// An engine at the start of a game, with the variant's own draw rules and the endgame databases
    /// that are part of the program.
    ///
    /// # Errors
    /// If the system cannot give that much memory or that many threads.
    pub fn new(threads: usize, megabytes: usize) -> io::Result<Self> {
        Self::with_databases(threads, megabytes, Databases::embedded())
    }

    fn with_databases(threads: usize, megabytes: usize, databases: Databases<V>) -> io::Result<Self> {
        Ok(Self {
            game: Game::new(Default::default()),
            policy: DrawPolicy::of::<V>(),
            lines: 1,
            ponders: false,
            databases: Arc::new(databases),
            database_source: None,
            evaluation: Evaluation::embedded::<V>(),
            weights: String::new(),
            pool: Pool::new(threads, megabytes)?,
        })
    }

    /// Takes over the parameters that need no new engine; `note` is told what is wrong with the files
    /// that they name.
    pub fn set_params(&mut self, params: &Params, mut note: impl FnMut(Unusable)) {
        self.set_policy(params.draw_policy::<V>());
        self.ponders = params.ponder;
        self.lines = params.multi_pv as usize;
        if params.weights != self.weights {
            self.weights.clone_from(&params.weights);
            match open_evaluation::<V>(params) {
                Ok(evaluation) => self.set_evaluation(evaluation),
                Err(error) => note(error.into()),
            }
        }
        let source = DatabaseSource::of(params);
        if self.database_source.as_ref() == Some(&source) {
            return;
        }
        let (databases, errors) = source.open();
        errors.into_iter().for_each(|error| note(error.into()));
        self.database_source = Some(source);
        self.databases = Arc::new(databases);
        self.new_game();
    }

    /// Sets the draw rules; scores found under others are forgotten.
    pub fn set_policy(&mut self, policy: DrawPolicy) {
        if policy != self.policy {
            self.policy = policy;
            self.new_game();
        }
    }

    /// The endgame databases in use.
    pub fn databases(&self) -> &Databases<V> {
        &self.databases
    }

    /// Sets the evaluation; scores found with another one are forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.new_game();
    }

    /// Nodes of the last search, once it has ended.
    pub fn nodes(&self) -> u64 {
        self.pool.nodes()
    }

    /// The evaluation in use.
    pub const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The draw rules in force.
    pub const fn policy(&self) -> &DrawPolicy {
        &self.policy
    }

    /// Forgets what was learned in earlier games.
    pub fn new_game(&mut self) {
        self.pool.clear();
    }

    /// Starts a search of the current position among `only` (all moves if empty); `report` gets
    /// its reports from a search thread, `Done` last. A search still running is stopped first.
    pub fn start(
        &mut self,
        mode: Mode,
        limits: Limits,
        started: Instant,
        only: &[Move],
        report: Arc<dyn Fn(Report) + Send + Sync>,
    ) {
        let state = *self.game.state();
        let mut moves = legal_moves(&state.position);
        if !only.is_empty() {
            moves.retain(|mv| only.contains(mv));
        }
        if moves.is_empty() {
            self.stop();
            self.wait();
            report(Report::Done(Done { best: None, ponder: None }));
            return;
        }
        let mut history = self.game.reversible_keys();
        let merits = merits(&self.databases, &self.policy, &history, &state, &moves).unwrap_or_default();
        history.pop();
        let job = Job {
            root: state,
            history,
            merits,
            moves: moves.to_vec(),
            databases: self.databases.clone(),
            evaluation: self.evaluation.clone(),
            limits,
            mode,
            started,
            lines: self.lines,
            ponders: self.ponders,
            policy: self.policy,
            report,
        };
        self.pool.go(&job);
    }

    /// Searches the current position and waits for the result.
    pub fn search(&mut self, limits: Limits) -> Found {
        let found = Arc::new(Mutex::new(Found { done: Done { best: None, ponder: None }, lines: Vec::new() }));
        let sink = found.clone();
        let report = move |report| {
            let mut found = sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match report {
                Report::Info(info) => {
                    found.lines.truncate(info.line - 1);
                    found.lines.push(info);
                }
                Report::Done(done) => found.done = done,
            }
        };
        self.start(Mode::Think, limits, Instant::now(), &[], Arc::new(report));
        self.wait();
        let found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.clone()
    }

    /// The clock of a ponder search starts now.
    pub fn ponder_hit(&self) {
        self.pool.ponder_hit();
    }

    /// Ends the running search soon.
    pub fn stop(&self) {
        self.pool.stop();
    }

    /// Waits for the end of the running search.
    pub fn wait(&mut self) {
        self.pool.wait();
    }

    /// Whether and how the game is over.
    pub fn over(&self) -> Option<GameOver> {
        self.game.over(&self.policy)
    }
}
