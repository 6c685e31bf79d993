//! What one search thread owns.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::busy::Busy;
use super::divided::Divided;
use super::frames::Frames;
use super::history::History;
use super::known::Merit;
use super::lines::Lines;
use super::time::Budget;
use super::tt::Table;
use super::{Limits, Mode, Report};
use crate::board::{DrawPolicy, Key, Move, State};
use crate::egdb::Databases;
use crate::eval::Evaluation;
use crate::variant::Variant;
use crate::variant::rules::Repetition;

/// Nodes between two looks at the clock, the stop flag and the nodes that other threads may have settled.
const POLL_NODES: u64 = 64;
/// Nodes that the first iteration may take whatever the limits, so that there is a real answer.
const FIRST_ANSWER_NODES: u64 = 4096;

/// No clock runs: the expected move is still to come.
pub(super) const PONDERING: u64 = u64::MAX;

/// What all threads of an engine share.
#[derive(Debug)]
pub(super) struct Shared {
    pub tt: Table,
    pub busy: Busy,
    pub threads: usize,
    /// Ends the search.
    pub stop: AtomicBool,
    /// Wakes a main thread that waits for a stop or a ponder hit.
    pub wake: (Sender<()>, Receiver<()>),
    /// When the clock started, in nanoseconds after the start of the search; [`PONDERING`] until
    /// the ponder hit.
    pub clock_start: AtomicU64,
    /// What each thread has done, published at every poll.
    pub effort: Box<[Effort]>,
}

/// Counters of a thread, on a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Effort {
    /// Nodes searched.
    pub nodes: AtomicU64,
    /// Positions found in the endgame databases.
    pub hits: AtomicU64,
}

impl Shared {
    pub fn new(threads: usize, megabytes: usize) -> io::Result<Self> {
        Ok(Self {
            tt: Table::new(megabytes)?,
            busy: Busy::new(),
            threads,
            stop: AtomicBool::new(false),
            wake: bounded(1),
            clock_start: AtomicU64::new(0),
            effort: (0..threads).map(|_| Effort::default()).collect(),
        })
    }

    /// Nodes of all threads as last published.
    pub fn total_nodes(&self) -> u64 {
        self.effort.iter().map(|effort| effort.nodes.load(Relaxed)).sum()
    }

    /// Hits of all threads as last published.
    pub fn total_hits(&self) -> u64 {
        self.effort.iter().map(|effort| effort.hits.load(Relaxed)).sum()
    }
}

/// One search, the same for every thread.
#[derive(Clone)]
pub(crate) struct Job<V: Variant> {
    /// The position to search.
    pub root: State<V>,
    /// Keys of the earlier positions that may recur.
    pub history: Vec<Key>,
    /// The root moves to consider, at least one.
    pub moves: Vec<Move>,
    /// What is known of each of them, or empty.
    pub merits: Vec<Merit>,
    /// Values of positions with few pieces.
    pub databases: Arc<Databases<V>>,
    /// What gives other positions their value.
    pub evaluation: Evaluation,
    /// What ends the search.
    pub limits: Limits,
    /// What it is for.
    pub mode: Mode,
    /// When the request came.
    pub started: Instant,
    /// Number of best lines to report.
    pub lines: usize,
    /// Whether the engine will think on the opponent's time, which lets it spend more of its own.
    pub ponders: bool,
    /// Draw rules.
    pub policy: DrawPolicy,
    /// Takes the reports, the last of which is `Done`.
    pub report: Arc<dyn Fn(Report) + Send + Sync>,
}

/// A search thread.
pub(super) struct Worker<V: Variant> {
    pub shared: Arc<Shared>,
    /// 0 is the main thread, which watches the limits.
    pub id: usize,
    pub history: History,
    pub frames: Frames,
    pub lines: Lines,
    /// Keys from the first position that may recur to the parent of the current node.
    pub path: Vec<Key>,
    pub policy: DrawPolicy,
    pub databases: Arc<Databases<V>>,
    pub evaluation: Evaluation,
    /// Most pieces of a position that is looked up in them.
    pub known_pieces: u32,
    pub nodes: u64,
    /// Positions found in the databases.
    pub hits: u64,
    /// Leaves and the sum of their plies.
    pub leaves: u64,
    pub leaf_plies: u64,
    /// Depth of the running iteration.
    pub iteration: u32,
    /// Whether the last iteration left nothing to think about: only a ponder hit is awaited.
    pub has_answer: bool,
    /// Whether to leave the node: the search has ended, or another thread has settled a node above.
    pub stopped: bool,
    pub divided: Divided,
    next_poll: u64,
    node_limit: u64,
    budget: Budget,
    started: Instant,
}

impl<V: Variant> Worker<V> {
    pub fn new(id: usize, shared: Arc<Shared>) -> Self {
        Self {
            shared,
            id,
            history: History::new(),
            frames: Frames::new(),
            lines: Lines::new(),
            path: Vec::new(),
            policy: DrawPolicy::of::<V>(),
            databases: Arc::default(),
            evaluation: Evaluation::default(),
            known_pieces: 0,
            nodes: 0,
            hits: 0,
            leaves: 0,
            leaf_plies: 0,
            iteration: 0,
            has_answer: false,
            stopped: false,
            divided: Divided::default(),
            next_poll: 0,
            node_limit: u64::MAX,
            budget: Budget::default(),
            started: Instant::now(),
        }
    }

    /// Forgets what was learned in earlier games.
    pub fn clear(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
        self.history = History::new();
        self.frames.forget_killers();
    }

    /// Gets ready for a job.
    pub fn prepare(&mut self, job: &Job<V>) {
        self.policy = job.policy;
        self.path = job.history.clone();
        self.databases = job.databases.clone();
        self.evaluation = job.evaluation.clone();
        self.known_pieces = self.databases.pieces();
        if !job.merits.is_empty() {
            self.known_pieces = self.known_pieces.min(job.root.position.occupied().count() - 1);
        }
        (self.nodes, self.hits, self.leaves, self.leaf_plies, self.iteration) = (0, 0, 0, 0, 0);
        (self.has_answer, self.stopped) = (false, false);
        self.divided.clear();
        self.node_limit = if self.is_main() { job.limits.nodes.unwrap_or(u64::MAX) } else { u64::MAX };
        self.next_poll = POLL_NODES.min(self.node_limit);
        self.budget = Budget::new(job);
        self.started = job.started;
    }

    pub const fn is_main(&self) -> bool {
        self.id == 0
    }

    /// Counts a node and from time to time looks whether to stop.
    #[inline]
    pub fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Looks whether to stop.
    #[cold]
    pub fn poll(&mut self) {
        self.publish_effort();
        self.next_poll = self.nodes + POLL_NODES;
        if self.shared.threads == 1 && self.node_limit > self.nodes {
            // Alone, a node limit holds to the node, which makes such searches repeatable.
            self.next_poll = self.next_poll.min(self.node_limit);
        }
        if self.iteration <= 1 && self.nodes < FIRST_ANSWER_NODES {
            // The first iteration is finished whatever the limits.
            return;
        }
        if self.is_main() && self.is_over_limit() {
            self.shared.stop.store(true, Relaxed);
        }
        self.stopped = self.shared.stop.load(Relaxed) || self.divided.is_settled(&self.shared.tt);
    }

    /// Makes this thread's counts visible to the others.
    pub fn publish_effort(&self) {
        self.shared.effort[self.id].nodes.store(self.nodes, Relaxed);
        self.shared.effort[self.id].hits.store(self.hits, Relaxed);
    }

    fn is_over_limit(&self) -> bool {
        let Some(clock_start) = self.clock_start() else { return false };
        self.has_answer
            || self.budget.soft.is_some_and(|soft| clock_start >= soft)
            || self.budget.hard.is_some_and(|hard| self.elapsed() >= clock_start + hard)
            || self.shared.total_nodes() >= self.node_limit
    }

    /// When the clock started; not at all while the expected move of a ponder search is to come.
    fn clock_start(&self) -> Option<Duration> {
        let start = self.shared.clock_start.load(Relaxed);
        (start != PONDERING).then(|| Duration::from_nanos(start))
    }

    /// Whether the expected move of a ponder search is still to come.
    pub fn is_pondering(&self) -> bool {
        self.clock_start().is_none()
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether another iteration is not worth starting. Time spent pondering counts.
    pub fn is_time_for_answer(&self, scale_percent: u32) -> bool {
        self.budget.soft.is_some_and(|soft| self.elapsed() >= soft * scale_percent / 100)
    }

    /// Waits for the ponder hit or a stop, before which no answer is wanted.
    pub fn wait_for_hit(&self) {
        while !self.shared.stop.load(Relaxed) && self.is_pondering() {
            // The pool holds the other end and the worker this one, so it stays open.
            let _ = self.shared.wake.1.recv();
        }
    }

    /// Whether a clock or a time per move limits this search.
    pub const fn is_timed(&self) -> bool {
        self.budget.hard.is_some()
    }

    /// Whether the current node repeats an earlier one; its key is `state.key`, `path` ends with
    /// its parent. In the tree the first repetition is as good as the last.
    pub fn is_repetition(&self, state: &State<V>) -> bool {
        let reversible = usize::from(state.clocks.king_plies);
        reversible >= 4
            && self.policy.rules.repetition != Repetition::Ignored
            && self.path.iter().rev().take(reversible).skip(3).step_by(2).any(|key| *key == state.key)
    }
}
