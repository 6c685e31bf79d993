//! Principal variation search of one node.

use super::Score;
use super::frames::Frame;
use super::known;
use super::params::*;
use super::tt::{Bound, Entry};
use super::turns::Turns;
use super::worker::Worker;
use crate::board::{Key, State, movegen};
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// Kind of node, known at compile time.
pub(super) trait NodeType {
    /// Whether the node may be on the principal variation (its window is open).
    const PV: bool;
}

/// A node with an open window.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}

/// Window and depth of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: u32,
    /// Whether depth-reduced pruning is allowed here.
    pub prune: bool,
}

impl Node {
    /// The window of a child, seen from the child.
    pub fn child(&self, alpha: Score, beta: Score, depth: i32) -> Self {
        Self { alpha: -beta, beta: -alpha, depth, ply: self.ply + 1, prune: true }
    }

    /// Whether a table entry makes searching the node needless.
    pub fn is_settled_by(&self, entry: &Entry) -> bool {
        entry.depth >= self.depth
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= self.beta,
                Bound::Upper => entry.score <= self.alpha,
            }
    }
}

/// What decides how a move is searched.
struct Candidate {
    /// Whether it is the first move of the node to be searched.
    first: bool,
    /// Plies that it is searched less deep at first.
    reduction: i32,
}

impl<V: Variant> Worker<V> {
    /// The value of `state`, fail-soft: outside the window it is a bound.
    pub fn search<N: NodeType>(&mut self, state: &State<V>, mut node: Node) -> Score {
        if node.depth <= 0 {
            return self.quiesce(state, node);
        }
        self.count_node();
        if self.stopped {
            return Score::DRAW;
        }
        let ply = node.ply;
        if N::PV {
            self.lines.clear(ply);
        }

        // 1. Draws by rule, and the end of the stack.
        if let Some(score) = self.draw_score(state, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluate(state, ply);
        }

        // 2. No line from here can beat a win already found nearer to the root.
        let (mut worst, mut best) = Score::range::<V>(ply);
        node.alpha = node.alpha.max(worst);
        node.beta = node.beta.min(best);
        if node.alpha >= node.beta {
            return node.alpha;
        }

        // 3. Transposition table.
        let known = self.shared.tt.probe(state.key, ply);
        if let Some(entry) = known
            && !N::PV
            && node.is_settled_by(&entry)
        {
            return entry.score;
        }

        // 4. Endgame databases: a win or a loss leaves open how long it takes.
        if let Some(value) = self.look_up(state) {
            (worst, best) = known::range(value, state, ply);
            node.alpha = node.alpha.max(worst);
            node.beta = node.beta.min(best);
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }

        // 5. Depth-reduced pruning: a shallow search far above beta stands for the deep one.
        if !N::PV && node.prune && node.depth >= PRUNE_MIN_DEPTH && node.beta.is_eval() {
            let margin = PRUNE_MARGIN_PER_PLY * node.depth;
            let bar = node.beta + margin;
            let depth = node.depth * PRUNE_DEPTH_PERCENT / 100;
            let score = self.search::<NonPv>(state, Node { alpha: bar - 1, beta: bar, depth, prune: false, ..node });
            if self.stopped {
                return Score::DRAW;
            }
            if score >= bar && score.is_eval() {
                return score - margin;
            }
        }

        // 6. Moves, in order.
        let mut frame = self.frames.take(ply);
        movegen::generate(&state.position, &mut frame.moves);
        let (score, best_move) = if frame.moves.is_empty() {
            (Score::without_moves::<V>(ply), None)
        } else {
            self.order_moves(state, &mut frame, known.and_then(|entry| entry.best));
            let divide = !N::PV && self.divides(node.depth, frame.moves.len());
            if divide {
                self.divided.enter(state.key, node);
            }
            let (score, best_move) = self.search_moves::<N>(state, &node, &mut frame);
            if divide && let Some(settled) = self.divided.leave() {
                // By another thread, which has stored it.
                self.stopped = false;
                self.frames.put(ply, frame);
                return settled;
            }
            (score.clamp(worst, best), best_move)
        };

        // 7. Remember.
        if !self.stopped {
            let bound = if score >= node.beta {
                Bound::Lower
            } else if N::PV && score > node.alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let best = best_move.map(|rank| frame.order.index(rank));
            self.shared.tt.store(state.key, ply, Entry { best, score, bound, depth: node.depth });
        }
        self.frames.put(ply, frame);
        score
    }

    /// Draw by repetition or by a counted rule; for a side without a move the game has ended all the same.
    #[inline]
    pub fn draw_score(&self, state: &State<V>, ply: u32) -> Option<Score> {
        if self.is_repetition(state) {
            return Some(Score::DRAW);
        }
        self.policy.reason(state)?;
        Some(if movegen::has_moves(&state.position) { Score::DRAW } else { Score::without_moves::<V>(ply) })
    }

    /// The best score and the rank of its move, if one beats alpha or is at least known to be best.
    fn search_moves<N: NodeType>(
        &mut self,
        state: &State<V>,
        node: &Node,
        frame: &mut Frame,
    ) -> (Score, Option<usize>) {
        let count = frame.moves.len();
        let extension = i32::from(count == 1);
        let mut window = *node;
        let mut best: (Score, Option<usize>) = (-Score::INFINITE, None);
        let divide = self.divides(node.depth, count);
        let mut turns = Turns::new(count);
        self.path.push(state.key);
        while let Some(turn) = turns.next() {
            let rank = turn.rank;
            if !turn.again {
                frame.order.pick(rank);
            }
            let mv = frame.moves[frame.order.index(rank)];
            let child = state.after(mv);
            if divide && turn.can_wait() && self.shared.busy.contains(child.key) {
                turns.put_off(rank);
                continue;
            }
            let reduction = if extension > 0 || mv.is_capture() || state.position.crowns(mv) {
                0
            } else {
                reduction::<N>(node.depth, rank)
            };
            let candidate = Candidate { first: best.1.is_none(), reduction };
            let depth = node.depth - 1 + extension;
            let score = self
                .busy_with(divide, child.key, |worker| worker.search_child::<N>(&child, &window, &candidate, depth));
            if self.stopped {
                break;
            }
            if score > best.0 {
                best = (score, Some(rank));
                if score > window.alpha {
                    window.alpha = score;
                    if N::PV {
                        self.lines.set(node.ply, mv);
                    }
                    if score >= node.beta {
                        self.learn(state, frame, rank, &turns);
                        break;
                    }
                }
            }
        }
        self.path.pop();
        best
    }

    /// Whether a node is worth dividing with other threads.
    pub fn divides(&self, depth: i32, moves: usize) -> bool {
        self.shared.threads > 1 && depth >= DIVIDE_MIN_DEPTH && moves > 1
    }

    /// Searches a child while the other threads know that it is being searched, if they divide.
    pub fn busy_with(&mut self, divide: bool, child: Key, search: impl FnOnce(&mut Self) -> Score) -> Score {
        if !divide {
            return search(self);
        }
        self.shared.busy.enter(child);
        let score = search(self);
        self.shared.busy.leave(child);
        score
    }

    fn search_child<N: NodeType>(&mut self, child: &State<V>, node: &Node, candidate: &Candidate, depth: i32) -> Score {
        let (alpha, beta) = (node.alpha, node.beta);
        if N::PV && candidate.first {
            return -self.search::<Pv>(child, node.child(alpha, beta, depth));
        }
        if !N::PV {
            // The window is null already.
            let mut score = -self.search::<NonPv>(child, node.child(alpha, beta, depth - candidate.reduction));
            if candidate.reduction > 0 && score > alpha && !self.stopped {
                score = -self.search::<NonPv>(child, node.child(alpha, beta, depth));
            }
            return score;
        }
        let mut score = -self.search::<NonPv>(child, node.child(alpha, alpha + 1, depth - candidate.reduction));
        if candidate.reduction > 0 && score > alpha && !self.stopped {
            score = -self.search::<NonPv>(child, node.child(alpha, alpha + 1, depth));
        }
        if score > alpha && !self.stopped {
            score = -self.search::<Pv>(child, node.child(alpha, beta, depth));
        }
        score
    }

    /// Values the moves: a first king that wins, table move, killers, then history.
    pub fn order_moves(&self, state: &State<V>, frame: &mut Frame, table: Option<usize>) {
        let side = state.position.side_to_move();
        let Frame { moves, order, killers } = frame;
        // All moves are captures, or none.
        let captures = moves.first().is_some_and(|mv| mv.is_capture());
        order.fill(moves.iter().enumerate().map(|(index, &mv)| {
            let wins = V::RULES.goal == Goal::Crown && state.position.crowns(mv);
            if wins || Some(index) == table {
                u32::MAX
            } else if captures {
                1000 * (mv.captured & state.position.all_kings()).count() + self.history.get(side, mv)
            } else if Some(mv) == killers[0] {
                10_001
            } else if Some(mv) == killers[1] {
                10_000
            } else {
                self.history.get(side, mv)
            }
        }));
    }

    /// Notes that the move of `rank` refuted the node and the ones before it, unless put off, did not.
    fn learn(&mut self, state: &State<V>, frame: &mut Frame, rank: usize, turns: &Turns) {
        let side = state.position.side_to_move();
        let best = frame.moves[frame.order.index(rank)];
        for tried in (0..rank).filter(|tried| !turns.is_put_off(*tried)) {
            self.history.bad(side, frame.moves[frame.order.index(tried)]);
        }
        self.history.good(side, best);
        if !best.is_capture() && frame.killers[0] != Some(best) {
            frame.killers = [Some(best), frame.killers[0]];
        }
    }
}

fn reduction<N: NodeType>(depth: i32, rank: usize) -> i32 {
    if depth < REDUCE_MIN_DEPTH {
        return 0;
    }
    if N::PV {
        return i32::from(rank >= REDUCE_FROM_PV);
    }
    i32::from(rank >= REDUCE_FROM) + i32::from(rank >= REDUCE_MORE_FROM)
}
