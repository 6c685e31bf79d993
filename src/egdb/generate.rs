//! Generating a database: retrograde analysis, a slice and its mirror at a time.
//!
//! A capture leads to fewer pieces, a crowning to fewer men, any other move from a slice to its
//! mirror. So a first pass over both decides the positions that end the game or have a capture,
//! which is compulsory, and counts the moves of the others, after a look at their crownings. From
//! each decided position the moves before it are then taken back: a loss makes the position before
//! a win, a win takes one of its moves away, and a position without moves left is lost. What this
//! never reaches is drawn. No rule that counts moves or repetitions is applied.

use rayon::prelude::*;

use super::index::Index;
use super::retract::quiet_predecessors;
use super::slice::{MAX_PIECES, Slice};
use super::table::{PER_BYTE, Table, Tables};
use super::value::Value;
use super::work::{Cell, Work};
use crate::board::{Move, MoveList, movegen};
use crate::variant::{Variant, VariantId};

/// Positions that a thread handles in one go.
const BATCH: usize = 1 << 14;

/// Why a database cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// More pieces than a slice can have.
    #[error("no database of {0} pieces: it would have 2 to {MAX_PIECES}")]
    Pieces(u32),
    /// The value of a position depends on the moves that led to it.
    #[error("no database for {0}: how often a king may move on depends on the moves before")]
    KingRuns(VariantId),
    /// The positions do not fit into memory.
    #[error("not enough memory for the {positions} positions of {slice}")]
    Memory {
        /// The slice.
        slice: Slice,
        /// One byte is needed for each.
        positions: u64,
    },
}

/// Solves every slice of 2 to `pieces` pieces that is not among the `known` ones, on rayon's current
/// thread pool, and calls `solved` with each in turn; it ends with the first error of that.
///
/// # Errors
/// If there can be no such database, no memory is left for it, or `solved` fails.
pub fn generate<V: Variant, E: From<GenerateError>>(
    pieces: u32,
    known: Tables<V>,
    mut solved: impl FnMut(&Table<V>) -> Result<(), E>,
) -> Result<Tables<V>, E> {
    check::<V>(pieces)?;
    let mut tables = known;
    for slice in (2..=pieces).flat_map(Slice::all::<V>).filter(|slice| slice.leads()) {
        if tables.get(slice).is_some() && tables.get(slice.mirrored()).is_some() {
            continue;
        }
        for table in solve(slice, &tables)? {
            solved(&table)?;
            tables.insert(table);
        }
    }
    Ok(tables)
}

/// Bytes that the positions take at most while those of 2 to `pieces` pieces are solved.
///
/// # Errors
/// If there can be no such database.
pub fn memory_needed<V: Variant>(pieces: u32) -> Result<u64, GenerateError> {
    check::<V>(pieces)?;
    let (mut solved, mut most) = (0, 0);
    for slice in (2..=pieces).flat_map(Slice::all::<V>).filter(|slice| slice.leads()) {
        let len = Index::<V>::new(slice).len();
        let len = if slice == slice.mirrored() { len } else { 2 * len };
        solved += len.div_ceil(PER_BYTE as u64);
        most = most.max(len + solved);
    }
    Ok(most)
}

/// Refuses databases that cannot be.
fn check<V: Variant>(pieces: u32) -> Result<(), GenerateError> {
    if !(2..=MAX_PIECES).contains(&pieces) {
        return Err(GenerateError::Pieces(pieces));
    }
    if V::RULES.king_run_limit.is_some() {
        return Err(GenerateError::KingRuns(V::ID));
    }
    Ok(())
}

/// The tables of a slice and its mirror, given those that captures and crownings lead to.
fn solve<V: Variant>(slice: Slice, tables: &Tables<V>) -> Result<Vec<Table<V>>, GenerateError> {
    let mut slices = vec![slice, slice.mirrored()];
    slices.dedup();
    let works: Vec<_> = slices.into_iter().map(allocate).collect::<Result<_, _>>()?;
    works.iter().for_each(|work| begin(work, tables));
    // Both must run: what is decided in one is news for the other.
    while (0..works.len()).fold(false, |changed, at| spread(&works[at], &works[works.len() - 1 - at]) | changed) {}
    Ok(works.into_iter().map(|work| Table::pack(work.index, &work.cells, |cell| cell.value())).collect())
}

fn allocate<V: Variant>(slice: Slice) -> Result<Work<V>, GenerateError> {
    Work::new(slice).map_err(|_| GenerateError::Memory { slice, positions: Index::<V>::new(slice).len() })
}

/// Decides what can be decided without the slice and its mirror, and counts the moves elsewhere.
fn begin<V: Variant>(work: &Work<V>, tables: &Tables<V>) {
    work.cells.par_chunks(BATCH).enumerate().for_each_init(MoveList::new, |moves, (batch, cells)| {
        for (at, cell) in cells.iter().enumerate() {
            let position = work.index.position((batch * BATCH + at) as u64);
            movegen::generate(&position, moves);
            if moves.is_empty() {
                cell.decide(Value::without_moves(&position).expect("there is no move"));
                continue;
            }
            let leaves = |mv: Move| mv.is_capture() || position.crowns(mv);
            let staying = moves.iter().filter(|mv| !leaves(**mv)).count();
            let values = moves.iter().filter(|mv| leaves(**mv)).map(|&mv| {
                -tables.value(&position.after(mv)).expect("slices with fewer pieces or men are solved first")
            });
            match values.max() {
                Some(Value::Win) => cell.decide(Value::Win),
                Some(value) if staying == 0 => cell.decide(value),
                // A crowning that draws is a move that always saves.
                Some(Value::Draw) => cell.wait_for(staying + 1),
                _ => cell.wait_for(staying),
            }
        }
    });
}

/// Tells the positions of `mirror` what was decided in `work` since the last call; whether that
/// decides any of them.
fn spread<V: Variant>(work: &Work<V>, mirror: &Work<V>) -> bool {
    let batches = work.cells.par_chunks(BATCH).enumerate();
    let spread_batch = |(batch, cells): (usize, &[Cell])| {
        let mut changed = false;
        for (at, cell) in cells.iter().enumerate() {
            let Some(value) = cell.take_fresh() else { continue };
            let position = work.index.position((batch * BATCH + at) as u64);
            quiet_predecessors(&position, |before| {
                changed |= mirror.cells[mirror.index.of_placement(before) as usize].hear(value);
            });
        }
        changed
    };
    batches.map(spread_batch).reduce(|| false, |one, other| one | other)
}
