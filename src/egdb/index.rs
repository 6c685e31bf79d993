//! A dense numbering of the positions of a slice.
//!
//! Own men stand on all rows but the one where they are crowned, and so do those of the opponent.
//! How many squares are left to the opponent's men depends on how many own men stand on the home
//! row, where no man of the opponent can be. So a slice has one *section* for each number of
//! own men at home, and within it the position is a number in mixed radix: home row, other own men,
//! opponent's men, opponent's kings, own kings, each numbered on the squares that are left. Own kings
//! come last since the values then have the longest runs.

use std::marker::PhantomData;

use super::combination::{rank, unrank, ways};
use super::placement::Placement;
use super::slice::Slice;
use crate::board::Position;
use crate::variant::{Geometry, Variant};

/// Groups of equal pieces that are placed one after the other.
pub(super) const GROUPS: usize = 5;

/// The numbering of a slice's positions from 0 to [`len`](Self::len).
#[derive(Clone, Debug)]
pub struct Index<V: Variant> {
    slice: Slice,
    /// By the number of own men on the home row.
    sections: Vec<Section>,
    len: u64,
    variant: PhantomData<V>,
}

/// The positions with the same number of own men on the home row.
#[derive(Clone, Debug)]
struct Section {
    /// Number of the first position.
    first: u64,
    /// Pieces of each group.
    counts: [u32; GROUPS],
    /// Ways to place each group on the squares left by those before.
    radices: [u64; GROUPS],
}

/// The part of a number that all pieces but the own kings give.
pub(super) struct NumberOfOthers {
    /// The number with the first kings.
    first: u64,
    /// Squares for the kings.
    free: u64,
}

impl NumberOfOthers {
    /// The number with these own kings.
    #[inline(always)]
    pub(super) fn with(&self, kings: u64) -> u64 {
        self.first + rank(kings, self.free)
    }
}

impl<V: Variant> Index<V> {
    /// The row that only own men can stand on, among men.
    const HOME: u64 = V::Board::CROWN_ROW[1];
    /// The rows for men of both sides.
    const MIDDLE: u64 = V::Board::BOARD & !V::Board::CROWN_ROW[0] & !V::Board::CROWN_ROW[1];
    /// The rows for the opponent's men.
    const OPPONENT: u64 = V::Board::BOARD & !Self::HOME;

    /// The numbering of `slice`.
    pub fn new(slice: Slice) -> Self {
        let (own, opponent) = (slice.own(), slice.opponent());
        let (mut sections, mut len) = (Vec::new(), 0);
        for home in 0..=own.men.min(V::Board::ROW) {
            let counts = [home, own.men - home, opponent.men, opponent.kings, own.kings];
            let squares = [
                V::Board::ROW,
                Self::MIDDLE.count_ones(),
                Self::OPPONENT.count_ones() - (own.men - home),
                V::Board::SQUARES - slice.men(),
                V::Board::SQUARES - slice.men() - opponent.kings,
            ];
            let radices = std::array::from_fn(|group| ways(squares[group], counts[group]));
            sections.push(Section { first: len, counts, radices });
            len += radices.iter().product::<u64>();
        }
        Self { slice, sections, len, variant: PhantomData }
    }

    /// The slice.
    pub const fn slice(&self) -> Slice {
        self.slice
    }

    /// Number of positions.
    #[expect(clippy::len_without_is_empty, reason = "no slice is empty")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Length of the rows of positions that differ only in the group of pieces numbered last.
    pub(super) fn row(&self) -> usize {
        self.sections[0].radices.iter().rev().find(|radix| **radix > 1).map_or(1, |radix| *radix as usize)
    }

    /// The number of a position, if it belongs to the slice.
    pub fn of(&self, position: &Position<V>) -> Option<u64> {
        (Slice::of(position) == Some(self.slice)).then(|| self.of_placement(&Placement::of(position)))
    }

    /// The position with a number below [`len`](Self::len), White to move.
    pub fn position(&self, index: u64) -> Position<V> {
        self.placement(index).position()
    }

    /// The number of a placement that belongs to the slice.
    #[inline(always)]
    pub(super) fn of_placement(&self, placement: &Placement) -> u64 {
        self.of_others(placement).with(placement.kings)
    }

    /// What all pieces of a placement but its own kings contribute to the number.
    #[inline(always)]
    pub(super) fn of_others(&self, placement: &Placement) -> NumberOfOthers {
        let Placement { men, opponent_men, opponent_kings, .. } = *placement;
        let (home, middle) = (men & Self::HOME, men & !Self::HOME);
        let free = V::Board::BOARD & !men & !opponent_men;
        let digits = [
            rank(home, Self::HOME),
            rank(middle, Self::MIDDLE),
            rank(opponent_men, Self::OPPONENT & !middle),
            rank(opponent_kings, free),
            0,
        ];
        let section = &self.sections[home.count_ones() as usize];
        let number = digits.iter().zip(section.radices).fold(0, |index, (digit, radix)| index * radix + digit);
        NumberOfOthers { first: section.first + number, free: free & !opponent_kings }
    }

    /// The placement with a number below [`len`](Self::len).
    #[inline(always)]
    pub(super) fn placement(&self, index: u64) -> Placement {
        Self::join(self.groups(index).1)
    }

    /// The section and the groups of the placement with a number below [`len`](Self::len).
    #[inline(always)]
    pub(super) fn groups(&self, index: u64) -> (usize, [u64; GROUPS]) {
        debug_assert!(index < self.len, "position {index} of {} in {}", self.len, self.slice);
        let section = self.sections.partition_point(|section| section.first <= index) - 1;
        let Section { first, counts, radices } = &self.sections[section];
        let mut rest = index - first;
        let mut digits = [0; GROUPS];
        for (digit, radix) in digits.iter_mut().zip(radices).rev() {
            *digit = rest % radix;
            rest /= radix;
        }
        let mut groups = [0; GROUPS];
        for group in 0..GROUPS {
            groups[group] = unrank(digits[group], counts[group], Self::squares(group, &groups));
        }
        (section, groups)
    }

    /// The squares for a group, given those before it.
    #[inline(always)]
    pub(super) fn squares(group: usize, groups: &[u64; GROUPS]) -> u64 {
        let [home, middle, opponent_men, opponent_kings, _] = groups;
        match group {
            0 => Self::HOME,
            1 => Self::MIDDLE,
            2 => Self::OPPONENT & !middle,
            3 => V::Board::BOARD & !(home | middle | opponent_men),
            _ => V::Board::BOARD & !(home | middle | opponent_men | opponent_kings),
        }
    }

    /// The placement of all groups.
    #[inline(always)]
    pub(super) fn join([home, middle, opponent_men, opponent_kings, kings]: [u64; GROUPS]) -> Placement {
        Placement { men: home | middle, kings, opponent_men, opponent_kings }
    }

    /// Number of sections.
    pub(super) const fn sections(&self) -> usize {
        self.sections.len()
    }

    /// Pieces of each group in a section.
    pub(super) fn counts(&self, section: usize) -> &[u32; GROUPS] {
        &self.sections[section].counts
    }
}
