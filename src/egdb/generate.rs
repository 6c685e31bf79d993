//! Generating a database: retrograde analysis, a slice and its mirror at a time.
//!
//! A capture leads to fewer pieces, a crowning to fewer men, any other move from a slice to its
//! mirror. So a first pass over both decides the positions that end the game or have a capture,
//! which is compulsory, and counts the moves of the others, after a look at their crownings. Then
//! come the positions that are won or lost in 0 plies, 1 ply, 2 plies and so on: the moves before
//! them are taken back. A loss makes the position before a win, a win takes one of its moves away,
//! and a position without moves left is lost. What this never reaches is drawn. No rule that counts
//! moves or repetitions is applied.
//!
//! Where the distances of other slices are not known, the shortest stands for each: values stay the
//! same, and the plies are just an order of work.

use multiversion::multiversion;
use rayon::prelude::*;

use super::index::Index;
use super::job::Job;
use super::monitor::Monitor;
use super::outcome::Outcome;
use super::retract::quiet_predecessors;
use super::slice::{MAX_PIECES, Slice};
use super::table::{Table, Tables};
use super::value::Value;
use super::walk::Walk;
use super::work::{MOST_PLIES, State, Work};
use crate::board::{Move, MoveList, Position, movegen};
use crate::variant::{Variant, VariantId};

/// Why a database cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// More pieces than a slice can have.
    #[error("no database of {0} pieces: it would have 2 to {MAX_PIECES}")]
    Pieces(u32),
    /// The variant has no positions with this material.
    #[error("no slice {0} in {1}")]
    NoSuchSlice(Slice, VariantId),
    /// The value of a position depends on the moves that led to it.
    #[error("no database for {0}: how often a king may move on depends on the moves before")]
    KingRuns(VariantId),
    /// The positions do not fit into memory.
    #[error("not enough memory for the {positions} positions of {slice}")]
    Memory {
        /// The slice.
        slice: Slice,
        /// Two bytes are needed for each.
        positions: u64,
    },
    /// A game takes longer than tables can tell.
    #[error("{0} has games of more than {MOST_PLIES} plies: only values can be generated")]
    Distance(Slice),
    /// The monitor was told to stop.
    #[error("stopped")]
    Stopped,
}

/// Solves every slice of 2 to `pieces` pieces that is not among the `known` ones, with distances, on
/// rayon's current thread pool, and calls `solved` with each in turn; ends with the first error of that.
///
/// # Errors
/// If there can be no such database, no memory is left for it, or `solved` fails.
pub fn generate<V: Variant, E: From<GenerateError>>(
    pieces: u32,
    known: Tables<V>,
    solved: impl FnMut(&Table<V>) -> Result<(), E>,
) -> Result<Tables<V>, E> {
    let job = Job::up_to(pieces)?.with_distances(pieces);
    job.keeping_all().run(known, &Monitor::default(), solved)
}

/// The tables of a slice and its mirror, given those that captures and crownings lead to; without
/// distances if those are not wanted.
pub(super) fn solve<V: Variant>(
    slice: Slice,
    tables: &Tables<V>,
    distances: bool,
    monitor: &Monitor,
) -> Result<Vec<Table<V>>, GenerateError> {
    monitor.begin(slice);
    let mut slices = vec![slice, slice.mirrored()];
    slices.dedup();
    let works: Vec<_> = slices.into_iter().map(allocate).collect::<Result<_, _>>()?;
    let exits = Exits { tables, distances };
    for work in &works {
        (0..work.batches()).into_par_iter().for_each_init(MoveList::new, |moves, batch| {
            if !monitor.is_stopped() {
                begin(work, batch, &exits, moves);
                monitor.half_done(work.batch(batch).len() as u64);
            }
        });
    }
    while let Some(plies) = works.iter().filter_map(Work::soonest).min()
        && !monitor.is_stopped()
    {
        if distances && plies > MOST_PLIES {
            return Err(GenerateError::Distance(slice));
        }
        monitor.reached(plies);
        for (work, mirror) in works.iter().zip(works.iter().rev()) {
            (0..work.batches()).into_par_iter().for_each(|batch| spread(work, mirror, batch, plies));
        }
    }
    if monitor.is_stopped() {
        return Err(GenerateError::Stopped);
    }
    monitor.half_done(works.iter().map(|work| work.index.len()).sum());
    Ok(works.into_iter().map(|work| table(work, distances)).collect())
}

fn allocate<V: Variant>(slice: Slice) -> Result<Work<V>, GenerateError> {
    Work::new(slice).map_err(|_| GenerateError::Memory { slice, positions: Index::<V>::new(slice).len() })
}

fn table<V: Variant>(work: Work<V>, distances: bool) -> Table<V> {
    let Work { index, cells, .. } = work;
    let table = Table::pack(index, &cells, |cell| cell.outcome::<V>().value);
    if distances { table.with_distances(&cells, |cell| cell.outcome::<V>().plies) } else { table }
}

/// What moves lead to that leave a slice and its mirror.
struct Exits<'a, V: Variant> {
    tables: &'a Tables<V>,
    distances: bool,
}

impl<V: Variant> Exits<'_, V> {
    /// What a move is worth.
    fn outcome(&self, position: &Position<V>, mv: Move) -> Outcome {
        let after = self.tables.outcome(&position.after(mv)).expect("slices with fewer pieces or men are solved first");
        if self.distances { after.before() } else { Outcome::shortest::<V>(after.value).before() }
    }

    /// What is known of a position from its moves.
    fn look(&self, position: &Position<V>, moves: &mut MoveList) -> State {
        movegen::generate(position, moves);
        if moves.is_empty() {
            let value = Value::without_moves(position).expect("there is no move");
            return State::Decided(Outcome { value, plies: 0 });
        }
        let leaves = |mv: &&Move| mv.is_capture() || position.crowns(**mv);
        let staying = moves.iter().filter(|mv| !leaves(mv)).count() as u16;
        let leaving = moves.iter().filter(leaves).map(|&mv| self.outcome(position, mv));
        match leaving.max_by_key(|outcome| outcome.merit()) {
            Some(outcome) if staying == 0 => State::Decided(outcome),
            Some(Outcome { value: Value::Win, plies }) => State::WinWithin(plies),
            // A crowning that draws is a move that always saves.
            Some(Outcome { value: Value::Draw, .. }) => State::Open { moves: staying + 1, floor: 0 },
            Some(Outcome { value: Value::Loss, plies }) => State::Open { moves: staying, floor: plies },
            None => State::Open { moves: staying, floor: 0 },
        }
    }
}

/// Notes what can be said of the positions of a batch without the slice and its mirror.
// Bits are counted by instructions that not every x86-64 has.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt"))]
fn begin<V: Variant>(work: &Work<V>, batch: usize, exits: &Exits<V>, moves: &mut MoveList) {
    let mut walk = Walk::new(&work.index, work.batch(batch).start as u64);
    for at in work.batch(batch) {
        let position = walk.placement().position::<V>();
        let state = match movegen::staying_moves(&position) {
            Some(moves) => State::Open { moves: moves as u16, floor: 0 },
            None => exits.look(&position, moves),
        };
        work.set(at, state);
        walk.advance();
    }
}

/// Tells the positions of `mirror` of those in a batch that are won or lost in so many plies.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt"))]
fn spread<V: Variant>(work: &Work<V>, mirror: &Work<V>, batch: usize, plies: u16) {
    work.take_due(batch, plies, |at, outcome| {
        quiet_predecessors(&work.index.placement(at as u64), &mirror.index, |before| {
            mirror.hear(before as usize, outcome);
        });
    });
}
