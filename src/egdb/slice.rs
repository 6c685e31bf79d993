//! Slices: the positions with the same material.

use std::fmt;
use std::str::FromStr;

use crate::board::{Position, Side};
use crate::variant::Variant;
use crate::variant::rules::Goal;

/// The most pieces on the board of a slice.
pub const MAX_PIECES: u32 = 8;

/// The pieces of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Number of men.
    pub men: u32,
    /// Number of kings.
    pub kings: u32,
}

impl Material {
    /// The pieces of a side in a position.
    pub fn of<V: Variant>(position: &Position<V>, side: Side) -> Self {
        Self { men: position.men(side).count(), kings: position.kings(side).count() }
    }

    /// Men and kings.
    pub const fn pieces(self) -> u32 {
        self.men + self.kings
    }
}

/// All positions in which the side to move has one material and its opponent another.
///
/// Colors do not matter: a position with Black to move is the flipped one with White to move. Both
/// sides have a piece, and there are at most [`MAX_PIECES`]. Displayed with the side to move first,
/// as in `MMK-M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    own: Material,
    opponent: Material,
}

impl Slice {
    /// The slice with this material, if there is one.
    pub const fn new(own: Material, opponent: Material) -> Option<Self> {
        let fits = own.pieces() + opponent.pieces() <= MAX_PIECES;
        if own.pieces() > 0 && opponent.pieces() > 0 && fits { Some(Self { own, opponent }) } else { None }
    }

    /// The slice that a position belongs to, if there is one.
    pub fn of<V: Variant>(position: &Position<V>) -> Option<Self> {
        let side = position.side_to_move();
        Self::new(Material::of(position, side), Material::of(position, side.opponent()))
    }

    /// Every slice of exactly `pieces` pieces that a game can reach, in the order in which they can
    /// be solved: after a crowning there are fewer men. A slice and its mirror follow each other.
    pub fn all<V: Variant>(pieces: u32) -> Vec<Self> {
        let mut slices = Vec::new();
        for own in 1..pieces {
            for own_kings in 0..=own {
                for kings in 0..=pieces - own {
                    let side = |pieces, kings| Material { men: pieces - kings, kings };
                    slices.extend(Self::new(side(own, own_kings), side(pieces - own, kings)));
                }
            }
        }
        slices.retain(|slice| V::RULES.goal != Goal::Crown || slice.men() == pieces);
        slices.sort_by_key(|slice| (slice.men(), (*slice).max(slice.mirrored()), !slice.leads()));
        slices
    }

    /// Material of the side to move.
    pub const fn own(self) -> Material {
        self.own
    }

    /// Material of the side that is not to move.
    pub const fn opponent(self) -> Material {
        self.opponent
    }

    /// The slice after a quiet move that crowns no man: the same pieces, the other side to move.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { own: self.opponent, opponent: self.own }
    }

    /// Whether this is the one of a slice and its mirror that stands for both.
    pub fn leads(self) -> bool {
        self >= self.mirrored()
    }

    /// Pieces of both sides.
    pub const fn pieces(self) -> u32 {
        self.own.pieces() + self.opponent.pieces()
    }

    /// Men of both sides.
    pub const fn men(self) -> u32 {
        self.own.men + self.opponent.men
    }
}

/// Why a text is no slice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no slice: men and kings of the side to move, then of the other, at most {MAX_PIECES}, as in MMK-M")]
pub struct SliceError(String);

impl FromStr for Slice {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Self, SliceError> {
        let slice = text.split_once('-').and_then(|(own, opponent)| Self::new(material(own)?, material(opponent)?));
        slice.ok_or_else(|| SliceError(text.to_owned()))
    }
}

/// The pieces written as so many `M` and then so many `K`.
fn material(text: &str) -> Option<Material> {
    let kings = text.trim_start_matches('M');
    let fits = kings.bytes().all(|letter| letter == b'K') && text.len() <= MAX_PIECES as usize;
    fits.then(|| Material { men: (text.len() - kings.len()) as u32, kings: kings.len() as u32 })
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = |letter: &str, count: u32| letter.repeat(count as usize);
        write!(f, "{}{}", letters("M", self.men), letters("K", self.kings))
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("{}-{}", self.own, self.opponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Brazilian, Breakthrough};

    fn names<V: Variant>(pieces: u32) -> Vec<String> {
        Slice::all::<V>(pieces).iter().map(Slice::to_string).collect()
    }

    #[test]
    fn slices_come_in_the_order_of_solving() {
        assert_eq!(names::<Brazilian>(2), ["K-K", "M-K", "K-M", "M-M"]);
        assert_eq!(names::<Breakthrough>(3), ["MM-M", "M-MM"]);
        assert_eq!(names::<Brazilian>(4).len(), 2 * 4 + 3 * 3 + 4 * 2);
    }

    #[test]
    fn slices_are_read_as_written() {
        for slice in Slice::all::<Brazilian>(4) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        for text in ["", "K", "-", "K-", "KM-K", "MQ-K", "K-K-K", "MMMMM-KKKK", "MMMMMMMMM-K"] {
            assert_eq!(text.parse::<Slice>(), Err(SliceError(text.to_owned())));
        }
    }

    #[test]
    fn no_slice_without_a_side_or_with_too_many_pieces() {
        let (none, four, five) =
            (Material { men: 0, kings: 0 }, Material { men: 2, kings: 2 }, Material { men: 5, kings: 0 });
        assert_eq!(Slice::new(none, four), None);
        assert_eq!(Slice::new(four, none), None);
        assert_eq!(Slice::new(four, five), None);
        assert_eq!(Slice::new(four, four).map(Slice::pieces), Some(8));
    }
}
