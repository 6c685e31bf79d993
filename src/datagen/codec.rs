//! The games of a chunk as bytes: three streams of numbers, each deflated.
//!
//! * starts: for each game the outcome, the plies, the side to move, and the squares of each side's pieces and of
//!   the kings, by field number, as the difference from the start of the game;
//! * moves: for each ply with a choice, the number of the move among the legal ones, ordered by the bits of
//!   start, end and captured pieces;
//! * scores: for each such ply, the change of the score since the same side's last one, zigzag.
//!
//! Numbers take seven bits a byte, low ones first.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::record::{MOST_PLIES, Outcome, Ply, Record, ordered_moves};
use crate::board::{Bitboard, Position, Side, Square};
use crate::search::Score;
use crate::variant::Variant;

/// Most bytes of a stream when unpacked, so that a damaged length cannot fill the memory.
const MOST_BYTES: u64 = 1 << 28;
/// Streams of a chunk.
const STREAMS: usize = 3;

/// The games of a chunk, packed.
pub fn pack<V: Variant>(games: &[Record<V>]) -> Vec<u8> {
    let mut streams: [Vec<u8>; STREAMS] = Default::default();
    let [starts, moves, scores] = &mut streams;
    for game in games {
        write_start(starts, game);
        let mut last = [0; 2];
        for (position, ply) in game.positions() {
            let legal = ordered_moves(&position);
            let Some(score) = ply.score else { continue };
            let rank = legal.iter().position(|mv| *mv == ply.mv).expect("games consist of legal moves");
            write_number(moves, rank as u64);
            let last = &mut last[position.side_to_move().index()];
            write_signed(scores, i64::from(score.raw() - *last));
            *last = score.raw();
        }
    }
    let mut bytes = Vec::new();
    write_number(&mut bytes, games.len() as u64);
    for stream in &streams {
        let packed = deflated(stream);
        write_number(&mut bytes, packed.len() as u64);
        bytes.extend(packed);
    }
    bytes
}

/// The games in the bytes of a chunk; none if they are no such bytes.
pub fn unpack<V: Variant>(mut bytes: &[u8]) -> Option<Vec<Record<V>>> {
    let count = usize::try_from(read_number(&mut bytes)?).ok()?;
    let mut streams: [Vec<u8>; STREAMS] = Default::default();
    for stream in &mut streams {
        let length = usize::try_from(read_number(&mut bytes)?).ok()?;
        *stream = inflated(bytes.split_off(..length)?)?;
    }
    let [mut starts, mut moves, mut scores] = streams.each_ref().map(Vec::as_slice);
    let mut games = Vec::new();
    for _ in 0..count {
        games.push(read_game(&mut starts, &mut moves, &mut scores)?);
    }
    (bytes.is_empty() && starts.is_empty() && moves.is_empty() && scores.is_empty()).then_some(games)
}

fn write_start<V: Variant>(out: &mut Vec<u8>, game: &Record<V>) {
    let usual = Position::<V>::start();
    write_number(out, Outcome::ALL.iter().position(|outcome| *outcome == game.outcome).unwrap_or_default() as u64);
    write_number(out, game.plies.len() as u64);
    write_number(out, game.start.side_to_move().index() as u64);
    for side in Side::BOTH {
        write_number(out, by_number::<V>(game.start.pieces(side)) ^ by_number::<V>(usual.pieces(side)));
    }
    write_number(out, by_number::<V>(game.start.all_kings()));
}

fn read_game<V: Variant>(starts: &mut &[u8], moves: &mut &[u8], scores: &mut &[u8]) -> Option<Record<V>> {
    let usual = Position::<V>::start();
    let outcome = *Outcome::ALL.get(usize::try_from(read_number(starts)?).ok()?)?;
    let plies = read_number(starts).filter(|plies| *plies <= MOST_PLIES as u64)?;
    let side = *Side::BOTH.get(usize::try_from(read_number(starts)?).ok()?)?;
    let mut pieces = [Bitboard::EMPTY; 2];
    for side in Side::BOTH {
        pieces[side.index()] = from_numbers::<V>(read_number(starts)? ^ by_number::<V>(usual.pieces(side)))?;
    }
    let kings = from_numbers::<V>(read_number(starts)?)?;
    let start = Position::<V>::from_sets(side, pieces, kings);
    // Everything that a position promises is checked on the way in.
    let start = Position::try_from(&start.setup()).ok().filter(|checked| *checked == start)?;
    let mut game = Record { start, plies: Vec::new(), outcome };
    let mut position = start;
    let mut last = [0i64; 2];
    for _ in 0..plies {
        let legal = ordered_moves(&position);
        let (rank, score) = if legal.len() == 1 {
            (0, None)
        } else {
            let rank = usize::try_from(read_number(moves)?).ok()?;
            let last = &mut last[position.side_to_move().index()];
            *last = last.checked_add(read_signed(scores)?)?;
            let raw = i32::try_from(*last).ok().filter(|raw| raw.abs() <= Score::INFINITE.raw())?;
            (rank, Some(raw))
        };
        let mv = *legal.get(rank)?;
        game.plies.push(Ply::new(mv, score));
        position = position.after(mv);
    }
    Some(game)
}

/// A set of squares with the bit of field number 1 lowest.
fn by_number<V: Variant>(set: Bitboard) -> u64 {
    set.fold(0, |bits, square| bits | 1 << (square.number::<V>() - 1))
}

fn from_numbers<V: Variant>(bits: u64) -> Option<Bitboard> {
    Bitboard(bits).map(|bit| Square::from_number::<V>(bit.bit() + 1)).collect()
}

fn write_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn write_signed(out: &mut Vec<u8>, number: i64) {
    write_number(out, (number << 1 ^ number >> 63) as u64);
}

fn read_signed(bytes: &mut &[u8]) -> Option<i64> {
    let number = read_number(bytes)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory can be written to")
}

fn inflated(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut stream = Vec::new();
    DeflateDecoder::new(bytes).take(MOST_BYTES).read_to_end(&mut stream).ok()?;
    Some(stream)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::legal_moves;
    use crate::util::rng::Rng;
    use crate::variant::{Brazilian, International, Losing, Russian};

    /// A game of random moves with random scores, not always from the start of a game.
    pub fn random_game<V: Variant>(seed: u64) -> Record<V> {
        let mut rng = Rng::new(seed);
        let mut position = Position::<V>::start();
        let mut plies = Vec::new();
        for _ in 0..rng.below(150) {
            let moves = legal_moves(&position);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            let score = (moves.len() > 1).then(|| rng.below(20_001) as i32 - 10_000);
            plies.push(Ply::new(mv, score));
            position = position.after(mv);
        }
        let skipped = rng.below(plies.len().min(60) + 1);
        let start = plies.drain(..skipped).fold(Position::start(), |position, ply| position.after(ply.mv));
        Record { start, plies, outcome: Outcome::ALL[rng.below(4)] }
    }

    fn come_back<V: Variant>() {
        let games: Vec<_> = (0..50).map(random_game::<V>).collect();
        let bytes = pack(&games);
        assert_eq!(unpack(&bytes), Some(games));
        assert_eq!(unpack::<V>(&pack::<V>(&[])), Some(Vec::new()));
    }

    #[test]
    fn games_come_back() {
        come_back::<International>();
        come_back::<Brazilian>();
        come_back::<Russian>();
        come_back::<Losing>();
    }

    #[test]
    fn whatever_the_bytes_nothing_breaks() {
        let bytes = pack(&[random_game::<Brazilian>(3), random_game(4)]);
        assert!((0..bytes.len()).all(|length| unpack::<Brazilian>(&bytes[..length]).is_none()));
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let mut bytes = bytes.clone();
            let at = rng.below(bytes.len());
            bytes[at] = rng.next_u64() as u8;
            // Whether something is read is up to the checksum; here it only must not panic.
            let _ = unpack::<Brazilian>(&bytes);
        }
        assert_eq!(unpack::<Brazilian>(&[0xFF; 30]), None);
    }

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, -1, 63, -64, 64, 10_000, -10_000, i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            write_signed(&mut bytes, number);
            assert_eq!(read_signed(&mut bytes.as_slice()), Some(number));
        }
    }
}
