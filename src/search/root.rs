//! Iterative deepening at the root.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::alphabeta::{Node, NonPv, Pv};
use super::known::Merit;
use super::params::*;
use super::turns::Turns;
use super::worker::{Job, Worker};
use super::{Done, Info, Mode, Report, Score};
use crate::board::{Move, State};
use crate::variant::Variant;

/// Least time between two reports of one line, the last ones apart: protocols pace their output.
const REPORT_INTERVAL: Duration = Duration::from_millis(2);
/// Depth of the search that scores a forced move.
const FORCED_MOVE_DEPTH: u32 = 5;

/// A root move with what the last search of it gave.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// What the endgame databases know of it.
    merit: Option<Merit>,
    /// Value from the last iteration in which it was exact, for ordering.
    score: Score,
    pv: Vec<Move>,
}

impl RootMove {
    /// Whether there is nothing to search.
    fn is_known(&self) -> bool {
        self.merit.is_some_and(Merit::is_exact)
    }
}

/// Reports held back until enough time has passed.
struct Reporter {
    last: Option<Instant>,
    pending: Vec<Info<Move>>,
    /// The best move told or about to be told.
    best: Option<Move>,
}

impl<V: Variant> Worker<V> {
    /// Searches a job to its end. The main worker reports; it is done when all `helpers` are, that
    /// is when the other ends of the channel are gone.
    pub fn run(&mut self, job: &Job<V>, helpers: Option<&Receiver<()>>) {
        self.prepare(job);
        let mut moves = self.root_moves(job);
        let mut reporter = Reporter { last: None, pending: Vec::new(), best: None };
        self.deepen(job, &mut moves, &mut reporter);
        self.publish_effort();
        let Some(helpers) = helpers else { return };
        self.wait_for_hit();
        self.shared.stop.store(true, Relaxed);
        // Nothing is ever sent: the channel closes when the last helper has finished.
        let _ = helpers.recv();
        if moves[0].score == -Score::INFINITE {
            // Stopped before the first move had a score.
            moves[0].score = self.evaluate(&job.root, 0);
        }
        if reporter.best != Some(moves[0].mv) {
            // The iteration that was stopped had found something better.
            reporter.add(self.info(job, 0, self.iteration, &moves[0]));
        }
        reporter.flush(job);
        let pv = &moves[0].pv;
        (job.report)(Report::Done(Done { best: Some(pv[0]), ponder: pv.get(1).copied() }));
    }

    /// The moves of a job, the better ones before those that are known to be worse.
    fn root_moves(&self, job: &Job<V>) -> Vec<RootMove> {
        let root_move = |(rank, &mv): (usize, &Move)| RootMove {
            mv,
            merit: job.merits.get(rank).copied(),
            score: -Score::INFINITE,
            pv: vec![mv],
        };
        let mut moves: Vec<_> = job.moves.iter().enumerate().map(root_move).collect();
        moves.sort_by_key(|root_move| Reverse(root_move.merit));
        for root_move in moves.iter_mut().take(job.lines) {
            if root_move.is_known() {
                root_move.pv = self.known_line(&job.root, root_move.mv);
            }
        }
        moves
    }

    fn deepen(&mut self, job: &Job<V>, moves: &mut [RootMove], reporter: &mut Reporter) {
        let forced = job.mode != Mode::Analyze && moves.len() == 1 && self.is_timed();
        let mut stable = 0;
        let lines = job.lines.min(moves.len());
        for depth in 1..=job.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
            self.iteration = depth;
            if depth > 1 {
                self.poll();
                if self.stopped {
                    return;
                }
            }
            let before = moves[0].mv;
            for line in 0..lines {
                let rest = &mut moves[line..];
                let equals = rest.partition_point(|other| other.merit == rest[0].merit);
                self.search_line(job, &mut rest[..equals], depth as i32);
                if self.stopped {
                    return;
                }
            }
            // A later line can turn out better than the one before it.
            moves[..lines].sort_by_key(|line| Reverse((line.merit, line.score)));
            if !self.is_main() {
                continue;
            }
            self.publish_effort();
            moves[..lines].iter().enumerate().for_each(|(rank, line)| reporter.add(self.info(job, rank, depth, line)));
            reporter.flush_if_due(job);
            stable = if moves[0].mv == before { stable + 1 } else { 0 };
            let solved = moves[0].score.distance().is_some_and(|plies| plies.unsigned_abs() <= depth);
            let known = moves[..lines].iter().all(RootMove::is_known);
            let forced_done = forced && depth >= FORCED_MOVE_DEPTH;
            self.has_answer = job.mode != Mode::Analyze
                && (known || forced_done || self.is_timed() && solved || self.is_time_for_answer(answer_scale(stable)));
            if self.has_answer && !self.is_pondering() {
                return;
            }
        }
    }

    /// Finds the best of `moves`, all of one merit, and puts it first, within an aspiration window.
    fn search_line(&mut self, job: &Job<V>, moves: &mut [RootMove], depth: i32) {
        if moves[0].is_known() {
            moves[0].score = Score::DRAW;
            return;
        }
        let guess = moves[0].score;
        let mut width = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth as u32 >= ASPIRATION_DEPTH && guess.is_eval() {
            (alpha, beta) = (guess - width, guess + width);
        }
        loop {
            let score = self.search_root(&job.root, moves, alpha, beta, depth);
            if self.stopped {
                return;
            }
            width *= 2;
            if score <= alpha {
                alpha = if score.is_eval() { score - width } else { -Score::INFINITE };
            } else if score >= beta {
                beta = if score.is_eval() { score + width } else { Score::INFINITE };
            } else {
                return;
            }
        }
    }

    fn search_root(&mut self, root: &State<V>, moves: &mut [RootMove], alpha: Score, beta: Score, depth: i32) -> Score {
        let node = Node { alpha, beta, depth, ply: 0, prune: false };
        let mut best = -Score::INFINITE;
        let mut window = alpha;
        self.path.push(root.key);
        let divide = self.divides(depth, moves.len());
        let mut turns = Turns::new(moves.len());
        while let Some(turn) = turns.next() {
            let rank = turn.rank;
            let mv = moves[rank].mv;
            let child = root.after(mv);
            if divide && turn.can_wait() && self.shared.busy.contains(child.key) {
                turns.put_off(rank);
                continue;
            }
            let score = self.busy_with(divide, child.key, |worker| {
                let mut score = -Score::INFINITE;
                if rank > 0 {
                    score = -worker.search::<NonPv>(&child, node.child(window, window + 1, depth - 1));
                }
                if rank == 0 || score > window && !worker.stopped {
                    score = -worker.search::<Pv>(&child, node.child(window, beta, depth - 1));
                }
                score
            });
            if self.stopped {
                break;
            }
            if rank == 0 || score > window {
                moves[rank].score = score;
                moves[rank].pv.truncate(1);
                moves[rank].pv.extend_from_slice(self.lines.from(1));
                // The others keep their order behind the new best.
                moves[..=rank].rotate_right(1);
                turns.moved_to_front(rank);
            }
            best = best.max(score);
            window = window.max(score);
            if score >= beta {
                break;
            }
        }
        self.path.pop();
        best
    }

    fn info(&self, job: &Job<V>, line: usize, depth: u32, best: &RootMove) -> Info<Move> {
        let pieces = job.root.position.occupied().count();
        Info {
            line: line + 1,
            depth,
            mean_depth: self.leaf_plies as f64 / self.leaves.max(1) as f64,
            score: best.merit.map_or(best.score, |merit| merit.score(best.score, pieces)),
            chances: self.evaluation.chances::<V>(),
            nodes: self.shared.total_nodes(),
            hits: self.shared.total_hits(),
            time: job.started.elapsed(),
            pv: best.pv.clone(),
        }
    }
}

/// Share of the soft time limit after which to answer, in percent: less when the best move has not
/// changed for some iterations.
fn answer_scale(stable: u32) -> u32 {
    match stable {
        0 => 140,
        1..=3 => 100,
        _ => 70,
    }
}

impl Reporter {
    fn add(&mut self, info: Info<Move>) {
        // An older report of the same line is out of date.
        self.pending.retain(|other| other.line != info.line);
        if info.line == 1 {
            self.best = info.pv.first().copied();
        }
        self.pending.push(info);
    }

    fn flush_if_due<V: Variant>(&mut self, job: &Job<V>) {
        let interval = REPORT_INTERVAL * self.pending.len() as u32;
        if self.last.is_none_or(|last| last.elapsed() >= interval) {
            self.flush(job);
        }
    }

    fn flush<V: Variant>(&mut self, job: &Job<V>) {
        for info in self.pending.drain(..) {
            (job.report)(Report::Info(info));
            self.last = Some(Instant::now());
        }
    }
}
