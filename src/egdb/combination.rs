//! Numbering the ways to put equal pieces on some squares (combinatorial number system).

use super::slice::MAX_PIECES;

/// The most squares of a board.
const MAX_SQUARES: usize = 64;

/// `BINOMIALS[k][n]` ways to choose `k` of `n`.
static BINOMIALS: [[u64; MAX_SQUARES + 1]; MAX_PIECES as usize + 1] = binomials();

const fn binomials() -> [[u64; MAX_SQUARES + 1]; MAX_PIECES as usize + 1] {
    let mut table = [[0; MAX_SQUARES + 1]; MAX_PIECES as usize + 1];
    table[0] = [1; MAX_SQUARES + 1];
    let mut k = 1;
    while k <= MAX_PIECES as usize {
        let mut n = 1;
        while n <= MAX_SQUARES {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            n += 1;
        }
        k += 1;
    }
    table
}

/// Ways to choose `count` of `squares`; `count` is at most [`MAX_PIECES`].
pub(super) fn ways(squares: u32, count: u32) -> u64 {
    BINOMIALS[count as usize][squares as usize]
}

/// The number of `set` among the sets of its size within `squares`.
#[inline(always)]
pub(super) fn rank(mut set: u64, squares: u64) -> u64 {
    let (mut rank, mut count) = (0, 0);
    while set != 0 {
        let one = set & set.wrapping_neg();
        count += 1;
        rank += ways((squares & (one - 1)).count_ones(), count);
        set ^= one;
    }
    rank
}

/// The set of `count` of `squares` with this number: the inverse of [`rank`].
#[inline(always)]
pub(super) fn unrank(mut rank: u64, count: u32, squares: u64) -> u64 {
    let mut set = 0;
    let mut below = squares.count_ones();
    for count in (1..=count).rev() {
        // The highest square comes first: the one below which as many sets fit as the rank allows.
        below = match count {
            1 => rank as u32,
            _ => BINOMIALS[count as usize][..below as usize].partition_point(|&ways| ways <= rank) as u32 - 1,
        };
        rank -= ways(below, count);
        set |= nth(squares, below);
    }
    set
}

/// The first set of `count` of `squares`: that of rank 0.
#[inline(always)]
pub(super) fn lowest(count: u32, mut squares: u64) -> u64 {
    let mut set = 0;
    for _ in 0..count {
        let one = squares & squares.wrapping_neg();
        set |= one;
        squares ^= one;
    }
    set
}

/// The set within `squares` that follows by rank; `None` after the last.
#[inline(always)]
pub(super) fn next(set: u64, squares: u64) -> Option<u64> {
    let first = set & set.wrapping_neg();
    // Carried from the lowest member over its neighbors and all that is not among the squares.
    let carried = (set | !squares).checked_add(first)? & squares;
    // Without a member nothing was carried.
    (carried != 0).then(|| carried | lowest(set.count_ones() - carried.count_ones(), squares))
}

/// The member of `squares` that has `below` lower ones.
#[inline(always)]
fn nth(squares: u64, below: u32) -> u64 {
    let mut bit = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        if (squares & ((1 << (bit + width)) - 1)).count_ones() <= below {
            bit += width;
        }
    }
    1 << bit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_as_in_the_books() {
        assert_eq!(ways(50, 2), 1225);
        assert_eq!(ways(32, 8), 10_518_300);
        assert_eq!((ways(3, 0), ways(3, 3), ways(3, 4)), (1, 1, 0));
    }

    #[test]
    fn ranks_are_dense_and_inverted() {
        let squares = 0b1011_0110_0000_0001_u64 | 1 << 63;
        for count in 0..=4 {
            let total = ways(squares.count_ones(), count);
            let sets: Vec<_> = (0..total).map(|rank| unrank(rank, count, squares)).collect();
            assert!(sets.iter().all(|set| set & !squares == 0 && set.count_ones() == count));
            assert!(sets.iter().enumerate().all(|(at, &set)| rank(set, squares) == at as u64));
            assert_eq!(sets[0], lowest(count, squares));
            assert!((0..sets.len()).all(|at| next(sets[at], squares) == sets.get(at + 1).copied()));
        }
    }
}
