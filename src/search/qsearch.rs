//! Quiescence: captures are played out, threats are looked at, then the position is evaluated.

use super::Score;
use super::alphabeta::Node;
use super::known;
use super::params::MAX_PLY;
use super::worker::Worker;
use crate::board::movegen::{self, can_capture};
use crate::board::{Side, State};
use crate::variant::Variant;
use crate::variant::rules::Goal;

impl<V: Variant> Worker<V> {
    /// The value of `state` once nothing hangs. `node.depth` is 0, or -1 once a threat has been
    /// looked at.
    pub fn quiesce(&mut self, state: &State<V>, node: Node) -> Score {
        self.count_node();
        if self.stopped {
            return Score::DRAW;
        }
        let ply = node.ply;
        self.lines.clear(ply);
        if let Some(score) = self.draw_score(state, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluate(state, ply);
        }
        let side = state.position.side_to_move();
        if can_capture(&state.position, side) {
            return self.quiesce_moves(state, node, -1);
        }
        if V::RULES.goal == Goal::Crown && movegen::can_crown(&state.position, side) && !state.position.is_over() {
            return Score::win_in(ply + 1);
        }
        if let Some(value) = self.look_up(state) {
            return known::score(value, state, ply);
        }
        if node.depth == 0 && self.is_threatened(state, side) {
            return self.quiesce_moves(state, node, -1);
        }
        if !movegen::has_moves(&state.position) {
            return Score::without_moves::<V>(ply);
        }
        self.evaluate(state, ply)
    }

    /// Whether the opponent could capture, or win by crowning, if it were to move: such a position is
    /// not quiet, so one more ply is searched.
    fn is_threatened(&self, state: &State<V>, side: Side) -> bool {
        let opponent = side.opponent();
        can_capture(&state.position, opponent)
            || V::RULES.goal == Goal::Crown && movegen::can_crown(&state.position, opponent)
    }

    /// Searches every move, captures or not.
    fn quiesce_moves(&mut self, state: &State<V>, node: Node, depth: i32) -> Score {
        let ply = node.ply;
        let mut frame = self.frames.take(ply);
        movegen::generate(&state.position, &mut frame.moves);
        self.order_moves(state, &mut frame, None);
        let mut best = if frame.moves.is_empty() { Score::without_moves::<V>(ply) } else { -Score::INFINITE };
        let mut alpha = node.alpha;
        self.path.push(state.key);
        for rank in 0..frame.moves.len() {
            frame.order.pick(rank);
            let mv = frame.moves[frame.order.index(rank)];
            let score = -self.quiesce(&state.after(mv), node.child(alpha, node.beta, depth));
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lines.set(ply, mv);
                    if score >= node.beta {
                        break;
                    }
                }
            }
        }
        self.path.pop();
        self.frames.put(ply, frame);
        best
    }

    /// The static value of a leaf.
    pub fn evaluate(&mut self, state: &State<V>, ply: u32) -> Score {
        self.leaves += 1;
        self.leaf_plies += u64::from(ply);
        Score::eval(self.evaluation.evaluate(&state.position))
    }
}
