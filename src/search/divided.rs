//! Leaving a node that another thread has settled meanwhile.
//!
//! Threads that meet in a node search different moves of it (`busy`). When one of them refutes it, what
//! the others still search below is of no use; they see it in the transposition table. In a trial build of
//! this, two threads searched 1.17, 1.17 and 1.25 times the nodes of one, and 1.30, 1.30, 1.24, 1.27 and 1.36
//! times without it (a run each: means over 24 positions at 10x10, a second each; the first of the latter beside
//! other work).

use super::Score;
use super::alphabeta::Node;
use super::tt::Table;
use crate::board::Key;

/// Nodes with a null window between the root and here that are divided with other threads.
#[derive(Debug, Default)]
pub struct Divided {
    nodes: Vec<(Key, Node)>,
    settled: Option<(usize, Score)>,
}

impl Divided {
    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.settled = None;
    }

    /// Adds a node below the others.
    pub fn enter(&mut self, key: Key, node: Node) {
        self.nodes.push((key, node));
    }

    /// Removes the last node; its score if it is the one that was found settled.
    pub fn leave(&mut self) -> Option<Score> {
        self.nodes.pop();
        self.settled.take_if(|(index, _)| *index == self.nodes.len()).map(|(_, score)| score)
    }

    /// Whether the table settles a node now, so that all below it can be left. Takes the one nearest to
    /// the root.
    pub fn is_settled(&mut self, table: &Table) -> bool {
        self.settled = self.nodes.iter().enumerate().find_map(|(index, (key, node))| {
            let entry = table.probe(*key, node.ply)?;
            node.is_settled_by(&entry).then_some((index, entry.score))
        });
        self.settled.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tt::{Bound, Entry};

    fn node(beta: i32, depth: i32, ply: u32) -> Node {
        Node { alpha: Score::eval(beta - 1), beta: Score::eval(beta), depth, ply, prune: true }
    }

    #[test]
    fn leaves_the_settled_node_nearest_to_the_root() {
        let table = Table::new(1).unwrap();
        let mut divided = Divided::default();
        for ply in 0..4 {
            divided.enter(Key(u64::from(ply) << 40 | 7), node(20, 8, ply));
        }
        assert!(!divided.is_settled(&table));
        let entry = |score, depth| Entry { best: Some(3), score: Score::eval(score), bound: Bound::Lower, depth };
        table.store(Key(7), 0, entry(20, 7)); // not deep enough
        table.store(Key(1 << 40 | 7), 1, entry(19, 8)); // below beta
        table.store(Key(2 << 40 | 7), 2, entry(31, 8));
        table.store(Key(3 << 40 | 7), 3, entry(45, 9));
        assert!(divided.is_settled(&table));
        assert_eq!(divided.leave(), None);
        assert_eq!(divided.leave(), Some(Score::eval(31)));
        assert_eq!(divided.leave(), None);
    }
}
