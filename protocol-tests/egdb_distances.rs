//! Endgame databases: how long wins take.

mod support;

use meerslag::board::legal_moves;
use meerslag::egdb::{GenerateError, Job, Monitor, Slice, Table, Tables, Value, generate};
use meerslag::variant::{Brazilian, International, Variant};
use support::{fen, fields, for_every_variant, position, suite};

/// Largest databases that a plain run looks at; `MEERSLAG_EGDB=<pieces>` sets another limit.
fn pieces() -> u32 {
    std::env::var("MEERSLAG_EGDB").map_or(3, |text| text.parse().expect("MEERSLAG_EGDB is a number of pieces"))
}

/// Generates without a start.
fn all<V: Variant>(pieces: u32) -> Result<Tables<V>, GenerateError> {
    generate(pieces, Tables::default(), |_| Ok(()))
}

fn longest_win<V: Variant>(table: &Table<V>) -> Option<u32> {
    let won = (0..table.index().len()).filter(|at| table.get(*at) == Value::Win);
    won.map(|at| table.distance(at).expect("wins have distances")).max()
}

#[test]
fn longest_wins_are_those_published() {
    let tables = all::<International>(pieces()).unwrap();
    let mut compared = 0;
    for line in suite::<International>("distances") {
        let [text, plies, longest @ ..] = &fields(&line)[..] else { panic!("no distance in `{line}`") };
        let position = position::<International>(text);
        let slice = Slice::of(&position).expect(text);
        let Some(table) = tables.get(slice) else { continue };
        assert_eq!(tables.value(&position), Some(Value::Win), "{text}");
        assert_eq!(tables.distance(&position), plies.parse().ok(), "{text}");
        assert_eq!(tables.distance(&position.flipped()), plies.parse().ok(), "{text}");
        if longest == ["longest"] {
            assert_eq!(longest_win(table), plies.parse().ok(), "{slice}");
        }
        compared += 1;
    }
    assert!(compared >= 17, "only {compared} positions compared");
}

/// A win takes one ply more than the shortest loss that it can lead to, a loss one more than the longest win.
fn distances_follow_from_the_moves<V: Variant>() {
    let Ok(tables) = all::<V>(pieces()) else { return };
    for slice in (2..=pieces()).flat_map(Slice::all::<V>) {
        let table = tables.get(slice).expect("every slice is solved");
        for at in 0..table.index().len() {
            let position = table.index().position(at);
            let value = table.get(at);
            let replies: Vec<_> = legal_moves(&position).iter().map(|&mv| position.after(mv)).collect();
            let distances = replies
                .iter()
                .filter(|reply| tables.value(reply) == Some(-value))
                .map(|reply| tables.distance(reply).expect("decided positions have distances"));
            let expected = match value {
                Value::Draw => None,
                _ if replies.is_empty() => Some(0),
                Value::Win => distances.min().map(|plies| plies + 1),
                Value::Loss => distances.max().map(|plies| plies + 1),
            };
            assert_eq!(table.distance(at), expected, "{}", fen(&position));
        }
    }
}

/// Solves a job from nothing, and keeps a copy of each table.
fn solve<V: Variant>(job: &Job<V>) -> Tables<V> {
    let mut tables = Tables::default();
    let keep = |table: &Table<V>| {
        tables.insert(table.clone());
        Ok::<_, GenerateError>(())
    };
    job.run(Tables::default(), &Monitor::default(), keep).unwrap();
    tables
}

fn values_do_not_need_distances<V: Variant>() {
    let Ok(job) = Job::<V>::up_to(3) else { return };
    let (with, without) = (all::<V>(3).unwrap(), solve(&job.with_distances(2)));
    for slice in (2..=3).flat_map(Slice::all::<V>) {
        let [with, without] = [&with, &without].map(|tables| tables.get(slice).expect("every slice is solved"));
        assert_eq!(without.has_distances(), slice.pieces() == 2, "{slice}");
        assert!((0..with.index().len()).all(|at| with.get(at) == without.get(at)), "{slice}");
    }
}

#[test]
fn a_slice_is_solved_with_all_that_it_leads_to() {
    let slice = *Slice::all::<Brazilian>(4).iter().find(|slice| slice.to_string() == "MK-KK").unwrap();
    let job = Job::<Brazilian>::of_slice(slice).unwrap().with_distances(4);
    let tables = solve(&job);
    let (some, whole) = (tables.get(slice).unwrap(), all::<Brazilian>(4).unwrap());
    let whole = whole.get(slice).unwrap();
    assert!(
        (0..whole.index().len()).all(|at| whole.distance(at) == some.distance(at) && whole.get(at) == some.get(at))
    );
    let unrelated = Slice::all::<Brazilian>(4).into_iter().filter(|slice| slice.men() > 1);
    assert!(unrelated.into_iter().all(|slice| tables.get(slice).is_none()));
}

#[test]
fn finished_slices_are_solved_again_only_for_their_distances() {
    let four = |slice: Slice| slice.pieces() < 4;
    let job = Job::<Brazilian>::up_to(4).unwrap();
    assert!(job.clone().without(four).slices().all(|slice| slice.pieces() == 4));
    assert!(job.clone().without(four).needs().into_iter().all(four));
    let with_distances = job.with_distances(4).without(four);
    assert!(with_distances.slices().any(four));
    assert!(with_distances.needs().is_empty());
    assert_eq!(with_distances.without(|_| true).slices().count(), 0);
}

#[test]
fn a_stopped_job_ends_with_what_it_has() {
    let monitor = Monitor::default();
    let mut solved = Vec::new();
    let stopped = Job::<Brazilian>::up_to(4).unwrap().run(Tables::default(), &monitor, |table| {
        solved.push(table.index().slice());
        if table.index().slice().pieces() == 3 {
            monitor.stop();
        }
        Ok::<_, GenerateError>(())
    });
    assert_eq!(stopped.err(), Some(GenerateError::Stopped));
    assert_eq!(solved[..4], Slice::all::<Brazilian>(2));
    assert!(solved[4..].iter().all(|slice| slice.pieces() == 3) && solved.len() <= 6, "{solved:?}");
    assert!(monitor.progress().is_some_and(|progress| progress.positions > 3488));
}

for_every_variant!(distances_follow_from_the_moves, values_do_not_need_distances);
