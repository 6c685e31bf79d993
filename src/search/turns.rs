//! The order in which a node's moves are searched when other threads search the same node.

/// Ranks of moves: each once in order, those put off again at the end.
#[derive(Debug)]
pub struct Turns {
    count: usize,
    next: usize,
    put_off: Vec<usize>,
}

/// A move's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Place of the move in the order, 0 first.
    pub rank: usize,
    /// Whether it was put off before.
    pub again: bool,
}

impl Turn {
    /// Whether the move may be put off. Never the first one: the others need its result.
    pub const fn can_wait(self) -> bool {
        self.rank > 0 && !self.again
    }
}

impl Turns {
    /// Turns of `count` moves.
    pub const fn new(count: usize) -> Self {
        Self { count, next: 0, put_off: Vec::new() }
    }

    /// Gives the move of this rank another turn after all others.
    pub fn put_off(&mut self, rank: usize) {
        self.put_off.push(rank);
    }

    /// Whether a move has had its first turn in vain.
    pub fn is_put_off(&self, rank: usize) -> bool {
        self.put_off.contains(&rank)
    }

    /// Tells that the move of `rank` went to the front and the ones before it one place back.
    pub fn moved_to_front(&mut self, rank: usize) {
        for other in &mut self.put_off {
            *other = if *other == rank { 0 } else { *other + usize::from(*other < rank) };
        }
    }
}

impl Iterator for Turns {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        let turn = self.next;
        self.next += 1;
        if turn < self.count {
            return Some(Turn { rank: turn, again: false });
        }
        self.put_off.get(turn - self.count).map(|&rank| Turn { rank, again: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_turn() {
        let mut turns = Turns::new(5);
        let mut searched = Vec::new();
        while let Some(turn) = turns.next() {
            if turn.can_wait() && turn.rank % 2 == 1 {
                turns.put_off(turn.rank);
                continue;
            }
            searched.push(turn.rank);
        }
        assert_eq!(searched, [0, 2, 4, 1, 3]);
        assert!(turns.is_put_off(1) && !turns.is_put_off(2));
    }

    #[test]
    fn ranks_follow_the_moves() {
        let mut turns = Turns::new(4);
        assert_eq!(turns.nth(1).map(|turn| turn.rank), Some(1));
        turns.put_off(1);
        assert_eq!(turns.next().map(|turn| turn.rank), Some(2));
        // The third move was best: the one put off is now the third.
        turns.moved_to_front(2);
        assert_eq!(turns.next().map(|turn| turn.rank), Some(3));
        assert_eq!(turns.next(), Some(Turn { rank: 2, again: true }));
        assert_eq!(turns.next(), None);
    }
}
