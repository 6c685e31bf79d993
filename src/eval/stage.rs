//! Stages of a game. The weights of the learned sum are told at each of some *knots* of the phase; between two of them,
//! in a *stage*, they are means of both, by how near they are.
//!
//! The knot between start and end tells other games better (loss 0.52943 for 0.52990, `docs/training-log.md`); one more
//! does not help (0.52885 for 0.52886).

use super::FULL_PHASE;

/// The knots, from the start of the game to the end.
pub const KNOTS: [i32; 3] = [FULL_PHASE, 90, 0];
/// Stages between them.
pub const STAGES: usize = KNOTS.len() - 1;

/// Where a phase lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Number of the stage, from 0 at the start of the game.
    pub number: usize,
    /// What the earlier knot counts, of [`FULL_PHASE`]; the later one counts the rest.
    pub share: i32,
}

impl Stage {
    /// The stage of each phase.
    const TABLE: [Self; FULL_PHASE as usize + 1] = {
        let mut table = [Self { number: 0, share: 0 }; FULL_PHASE as usize + 1];
        let mut number = 0;
        while number < STAGES {
            let (early, late) = (KNOTS[number], KNOTS[number + 1]);
            let mut phase = late;
            while phase <= early {
                table[phase as usize] = Self { number, share: (phase - late) * FULL_PHASE / (early - late) };
                phase += 1;
            }
            number += 1;
        }
        table
    };

    /// The stage of a phase.
    #[inline]
    pub const fn of(phase: i32) -> Self {
        Self::TABLE[phase as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_fall_from_knot_to_knot() {
        assert_eq!(Stage::of(FULL_PHASE), Stage { number: 0, share: FULL_PHASE });
        assert_eq!(Stage::of(0), Stage { number: STAGES - 1, share: 0 });
        for (number, knots) in KNOTS.windows(2).enumerate() {
            let middle = i32::midpoint(knots[0], knots[1]);
            assert_eq!(Stage::of(middle), Stage { number, share: FULL_PHASE / 2 });
        }
        for phase in 1..=FULL_PHASE {
            let [before, after] = [phase, phase - 1].map(Stage::of);
            assert!(after.number > before.number && after.share > before.share || after.share < before.share);
        }
    }
}
