//! Choosing letters for the places of a block where any will do.

/// Stands where any letter will do.
pub(super) const FREE: u8 = u8::MAX;

/// Puts letters on the free places of a block so that it has few runs; `false` if all are free.
///
/// A gap between equal letters becomes one run with them. Any other is cut where it agrees best with
/// the letters `stride` places before, so that neighboring rows look alike.
pub(super) fn fill(block: &mut [u8], stride: usize) -> bool {
    let Some(first) = block.iter().copied().find(|&letter| letter != FREE) else { return false };
    let (mut at, mut before) = (0, first);
    while at < block.len() {
        if block[at] != FREE {
            before = block[at];
            at += 1;
            continue;
        }
        let end = block[at..].iter().position(|&letter| letter != FREE).map_or(block.len(), |length| at + length);
        let after = block.get(end).copied().unwrap_or(before);
        let cut = if after == before { end } else { best_cut(block, at, end, stride, [before, after]) };
        block[at..cut].fill(before);
        block[cut..end].fill(after);
        at = end;
    }
    true
}

/// Where between two places to go over from one letter to the other.
fn best_cut(block: &[u8], start: usize, end: usize, stride: usize, [before, after]: [u8; 2]) -> usize {
    let (mut cut, mut best, mut agreement) = (start, 0, 0);
    for at in start..end {
        // Places of this gap that are looked at for others still have to be cut.
        let above = at.checked_sub(stride).map_or(before, |above| block[above]);
        agreement += i32::from(above == before) - i32::from(above == after);
        if agreement > best {
            (best, cut) = (agreement, at + 1);
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, stride: usize) -> String {
        let mut block: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { FREE } else { byte }).collect();
        assert!(fill(&mut block, stride));
        String::from_utf8(block).unwrap()
    }

    #[test]
    fn gaps_join_their_neighbors() {
        assert_eq!(filled("..a..a.b..", 100), "aaaaaaabbb");
    }

    #[test]
    fn a_gap_is_cut_as_the_row_before() {
        assert_eq!(filled("aabbb a...b ", 6), "aabbb aabbb ");
        assert_eq!(filled("aaabb a...b ", 6), "aaabb aaabb ");
    }

    #[test]
    fn nothing_to_go_by() {
        let mut block = [FREE; 5];
        assert!(!fill(&mut block, 2));
        assert_eq!(block, [FREE; 5]);
    }
}
