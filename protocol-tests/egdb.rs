//! Endgame databases: numbering of positions, values against published totals.

mod support;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use meerslag::board::{Position, Side, legal_moves, movegen};
use meerslag::egdb::{
    Counts, Databases, FileError, GenerateError, Index, Kind, Slice, SliceFile, Table, Tables, Value, file, generate,
};
use meerslag::variant::{Brazilian, Breakthrough, Geometry, International, Russian, Variant};
use support::{fen, fields, for_every_variant, suite};

fn numbering_is_a_bijection<V: Variant>() {
    for slice in (2..=3).flat_map(Slice::all::<V>) {
        let index = Index::<V>::new(slice);
        for at in 0..index.len() {
            let position = index.position(at);
            assert_eq!(index.of(&position), Some(at), "{slice} {}", fen(&position));
            assert_eq!(index.of(&position.flipped()), Some(at), "{slice} {}", fen(&position));
            let setup = position.setup();
            assert_eq!(Position::try_from(&setup), Ok(position), "{slice} {}", fen(&position));
        }
    }
}

/// `n` choose `k`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

fn sizes_equal_the_formula<V: Variant>() {
    let (squares, row) = (u64::from(V::Board::SQUARES), u64::from(V::Board::ROW));
    for slice in (2..=6).flat_map(Slice::all::<V>) {
        let material = [slice.own(), slice.opponent()];
        let [own, opponent] = material.map(|side| (u64::from(side.men), u64::from(side.kings)));
        // Counted from the other side than the index does: opponent's men at their home row.
        let men: u64 = (0..=opponent.0.min(row))
            .map(|home| {
                let middle = opponent.0 - home;
                choose(row, home) * choose(squares - 2 * row, middle) * choose(squares - row - middle, own.0)
            })
            .sum();
        let kings = own.1 + opponent.1;
        let expected = men * choose(squares - own.0 - opponent.0, kings) * choose(kings, own.1);
        assert_eq!(Index::<V>::new(slice).len(), expected, "{slice}");
    }
}

fn positions_of_other_slices_have_no_number<V: Variant>() {
    let index = Index::<V>::new(Slice::all::<V>(2)[0]);
    let start = Position::<V>::start();
    assert_eq!(index.of(&start), None);
    assert_eq!(Slice::of(&start), None);
    let other = Slice::all::<V>(3)[0];
    let position = Index::<V>::new(other).position(0);
    assert_eq!(position.side_to_move(), Side::White);
    assert_eq!(Slice::of(&position), Some(other));
    assert_eq!(index.of(&position), None);
}

/// Generates without a start.
fn all<V: Variant>(pieces: u32) -> Result<Tables<V>, GenerateError> {
    generate(pieces, Tables::default(), |_| Ok(()))
}

/// Largest databases whose totals a plain run compares; `MEERSLAG_EGDB=<pieces>` sets another limit.
fn pieces() -> u32 {
    std::env::var("MEERSLAG_EGDB").map_or(3, |text| text.parse().expect("MEERSLAG_EGDB is a number of pieces"))
}

/// The rows of the variant's suite that a run compares, with their tables.
fn with_totals<V: Variant>(mut compare: impl FnMut(&Table<V>, &[u64])) {
    let tables = all::<V>(pieces()).unwrap();
    let slices: Vec<_> = (2..=pieces()).flat_map(Slice::all::<V>).collect();
    let mut compared = 0;
    for line in suite::<V>("egdb") {
        let [name, totals @ ..] = &fields(&line)[..] else { panic!("no slice in `{line}`") };
        let Some(slice) = slices.iter().find(|slice| slice.to_string() == *name) else { continue };
        let totals: Vec<u64> = totals.iter().map(|total| total.parse().expect(&line)).collect();
        compare(tables.get(*slice).expect(name), &totals);
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} slices compared");
}

/// The positions of a table in which the side to move has no capture.
fn quiet<V: Variant>(table: &Table<V>) -> Counts {
    let mut counts = Counts::default();
    for at in 0..table.index().len() {
        let position = table.index().position(at);
        if !movegen::can_capture(&position, position.side_to_move()) {
            counts.add(table.get(at));
        }
    }
    counts
}

#[test]
fn international_totals_are_those_published() {
    with_totals::<International>(|table, totals| {
        let slice = table.index().slice();
        let found = [table.counts(), quiet(table)].map(|counts| [counts.win, counts.draw, counts.loss]);
        assert_eq!(found.concat(), totals, "{slice}");
    });
}

#[test]
fn breakthrough_wins_are_those_published() {
    with_totals::<Breakthrough>(|table, wins| {
        let counts = table.counts();
        assert_eq!([counts.win, counts.draw], [wins[0], 0], "{}", table.index().slice());
    });
}

/// Values found by going through all positions until nothing changes, keyed by position.
fn slow_values<V: Variant>(pieces: u32) -> HashMap<Position<V>, Value> {
    let positions = (2..=pieces).flat_map(Slice::all::<V>).flat_map(|slice| {
        let index = Index::<V>::new(slice);
        (0..index.len()).map(move |at| index.position(at))
    });
    let mut known = HashMap::new();
    let mut open: Vec<_> = positions.map(|position| (position, legal_moves(&position))).collect();
    loop {
        let before = open.len();
        open.retain(|(position, moves)| {
            let replies: Vec<_> = moves.iter().map(|&mv| slow_value(&known, &position.after(mv))).collect();
            let value = match Value::without_moves(position) {
                Some(value) => Some(value),
                None if replies.contains(&Some(Value::Loss)) => Some(Value::Win),
                None if replies.iter().all(|reply| *reply == Some(Value::Win)) => Some(Value::Loss),
                None => None,
            };
            value.map(|value| known.insert(*position, value));
            value.is_none()
        });
        if open.len() == before {
            break;
        }
    }
    known.extend(open.into_iter().map(|(position, _)| (position, Value::Draw)));
    known
}

fn slow_value<V: Variant>(known: &HashMap<Position<V>, Value>, position: &Position<V>) -> Option<Value> {
    let as_white = if position.side_to_move() == Side::White { *position } else { position.flipped() };
    known.get(&as_white).copied().or_else(|| Value::without_moves(position))
}

fn values_equal_those_of_a_slow_search<V: Variant>() {
    let pieces = if V::Board::SQUARES < 50 { 3 } else { 2 };
    if V::RULES.king_run_limit.is_some() {
        assert_eq!(all::<V>(pieces).err(), Some(GenerateError::KingRuns(V::ID)));
        return;
    }
    let tables = all::<V>(pieces).unwrap();
    let slow = slow_values::<V>(pieces);
    for (position, value) in &slow {
        assert_eq!(tables.value(position), Some(*value), "{}", fen(position));
        assert_eq!(tables.value(&position.flipped()), Some(*value), "{}", fen(position));
    }
    let positions: u64 = (2..=pieces)
        .flat_map(Slice::all::<V>)
        .map(|slice| tables.get(slice).expect("every slice is solved").counts().total())
        .sum();
    assert_eq!(positions, slow.len() as u64);
}

/// The value of every position is the best of those that its moves lead to.
fn values_follow_from_the_moves<V: Variant>() {
    let Ok(tables) = all::<V>(pieces()) else { return };
    for slice in Slice::all::<V>(pieces()) {
        let table = tables.get(slice).expect("every slice is solved");
        for at in 0..table.index().len() {
            let position = table.index().position(at);
            let best = legal_moves(&position).iter().map(|&mv| -tables.value(&position.after(mv)).unwrap()).max();
            let expected = best.or_else(|| Value::without_moves(&position));
            assert_eq!(Some(table.get(at)), expected, "{}", fen(&position));
        }
    }
}

#[test]
fn impossible_databases_are_refused() {
    assert_eq!(all::<International>(1).err(), Some(GenerateError::Pieces(1)));
    assert_eq!(all::<International>(9).err(), Some(GenerateError::Pieces(9)));
}

/// An empty folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("egdb-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn files_hold_what_was_generated<V: Variant>() {
    let folder = folder(V::ID.hub_name());
    let Ok(tables) = all::<V>(3) else { return };
    for slice in (2..=3).flat_map(Slice::all::<V>) {
        let table = tables.get(slice).expect("every slice is solved");
        file::write(&folder, table).unwrap();
        let read = SliceFile::<V>::open(&folder, slice, Kind::Values).unwrap();
        read.check().unwrap();
        let len = table.index().len();
        assert_eq!((read.kind(), read.counts()), (Kind::Values, table.counts()), "{slice}");
        for at in 0..len {
            let position = table.index().position(at);
            let stored = !movegen::can_capture(&position, position.side_to_move());
            assert!(!stored || read.value(at) == Some(table.get(at)), "{slice} {at}");
        }
        assert_eq!((read.value(len), read.value(u64::MAX), read.half_distance(0)), (None, None, None), "{slice}");
    }
    let mut databases = Databases::<V>::default();
    assert!(databases.add_folder(&folder).is_empty());
    for slice in (2..=3).flat_map(Slice::all::<V>) {
        let table = tables.get(slice).expect("every slice is solved");
        let whole = databases.table(slice).unwrap().unwrap();
        for at in 0..table.index().len() {
            assert_eq!(whole.get(at), table.get(at), "{slice} {at}");
            let position = table.index().position(at);
            if at % 7 == 0 {
                assert_eq!(databases.value(&position), Some(table.get(at)), "{}", fen(&position));
                assert_eq!(databases.value(&position.flipped()), Some(table.get(at)), "{}", fen(&position));
            }
            if at % 11 == 0 {
                assert_eq!(databases.distance(&position), table.distance(at), "{}", fen(&position));
                assert_eq!(databases.distance(&position.flipped()), table.distance(at), "{}", fen(&position));
            }
        }
    }
    let position = tables.get(Slice::all::<V>(3)[0]).unwrap().index().position(0);
    databases.limit(2);
    assert_eq!((databases.pieces(), databases.value(&position)), (2, None));
}

#[test]
fn only_missing_slices_are_solved() {
    let (first, all_tables) = (all::<Brazilian>(2).unwrap(), all::<Brazilian>(3).unwrap());
    let mut solved = Vec::new();
    let again = generate::<_, GenerateError>(3, first, |table| {
        solved.push(table.index().slice());
        Ok(())
    });
    assert_eq!(solved, Slice::all::<Brazilian>(3));
    let again = again.unwrap();
    for slice in Slice::all::<Brazilian>(3) {
        assert_eq!(again.get(slice).map(Table::counts), all_tables.get(slice).map(Table::counts), "{slice}");
    }
}

/// A folder with the file of a slice, the path of that, and its content.
fn one_file(name: &str, slice: Slice) -> (PathBuf, PathBuf, Vec<u8>) {
    let folder = folder(name);
    file::write(&folder, all::<Brazilian>(slice.pieces()).unwrap().get(slice).unwrap()).unwrap();
    let path = file::path::<Brazilian>(&folder, slice, Kind::Values);
    let content = fs::read(&path).unwrap();
    (folder, path, content)
}

#[test]
fn damaged_files_are_refused_or_found_by_a_check() {
    let slice = Slice::all::<Brazilian>(2)[1];
    let (folder, path, good) = one_file("damaged", slice);
    let open = |bytes: &[u8]| {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        SliceFile::<Brazilian>::open(&folder, slice, Kind::Values)
    };
    // The blocks come last, and a checksum after them.
    let blocks = good.len() - 8 - u64::from_le_bytes(good[64..72].try_into().unwrap()) as usize;
    assert!((72..good.len() - 8).contains(&blocks));
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        match (at, open(&bytes)) {
            (0..8, opened) => assert!(matches!(opened, Err(FileError::Foreign(_))), "{at}"),
            (8..12, opened) => assert!(matches!(opened, Err(FileError::Version { .. })), "{at}"),
            (_, Err(error)) => assert!(at < blocks && matches!(error, FileError::Damaged(_)), "{at}: {error}"),
            (_, Ok(file)) => {
                assert!(at >= blocks && matches!(file.check(), Err(FileError::Damaged(_))), "{at}");
                // Some values are wrong or missing now, but reading them is safe.
                (0..=file.index().len()).for_each(|position| _ = file.value(position));
            }
        }
    }
    for len in 0..good.len() {
        let error = open(&good[..len]).unwrap_err();
        assert!(
            matches!(error, FileError::Foreign(_) | FileError::Damaged(_) | FileError::Io { .. }),
            "{len}: {error}"
        );
    }
    assert!(open(&[&good[..], &[0]].concat()).is_err());
}

#[test]
fn foreign_files_are_named_and_left_out() {
    let slices = Slice::all::<Brazilian>(2);
    let (folder, _, good) = one_file("foreign", slices[0]);
    fs::write(file::path::<Brazilian>(&folder, slices[1], Kind::Values), &good).unwrap();
    fs::write(file::path::<Brazilian>(&folder, slices[2], Kind::Distances), &good).unwrap();
    fs::write(file::path::<Brazilian>(&folder, slices[3], Kind::Values), "a note").unwrap();
    fs::write(file::path::<Russian>(&folder, slices[0], Kind::Values), &good).unwrap();
    let error = SliceFile::<Brazilian>::open(&folder, slices[1], Kind::Distances).unwrap_err();
    assert!(matches!(error, FileError::Io { .. }), "{error}");
    let mut databases = Databases::<Brazilian>::default();
    let errors: Vec<_> = databases.add_folder(&folder).iter().map(ToString::to_string).collect();
    let expected = [
        "brazilian-M-K.egdb: this is brazilian K-K values, not brazilian M-K values",
        "brazilian-K-M.distances.egdb: this is brazilian K-K values, not brazilian K-M distances",
        "brazilian-M-M.egdb: no endgame database",
    ];
    assert!(errors.len() == 3 && errors.iter().zip(expected).all(|(error, end)| error.ends_with(end)), "{errors:?}");
    let found = slices.iter().filter(|slice| databases.value(&Index::new(**slice).position(0)).is_some()).count();
    assert_eq!((found, databases.pieces()), (1, 2));
    let errors: Vec<_> = Databases::<Russian>::default().add_folder(&folder).iter().map(ToString::to_string).collect();
    assert!(errors.len() == 1 && errors[0].ends_with("this is brazilian K-K values, not russian"), "{errors:?}");
}

/// The databases in the program are whole: every slice of up to so many pieces, undamaged.
fn embedded_databases_are_whole<V: Variant>() {
    let databases = Databases::<V>::embedded();
    let has_some = V::RULES.king_run_limit.is_none();
    assert_eq!(databases.pieces() >= 4, has_some, "{} pieces", databases.pieces());
    for kind in Kind::ALL {
        let files: Vec<_> = databases.files().into_iter().filter(|file| file.kind() == kind).collect();
        files.iter().for_each(|file| file.check().unwrap());
        let pieces = files.iter().map(|file| file.index().slice().pieces()).max().unwrap_or(1);
        assert_eq!(pieces >= 3, has_some, "{kind}");
        let slices: Vec<_> = files.iter().map(|file| file.index().slice()).collect();
        let all: Vec<_> = (2..=pieces).flat_map(Slice::all::<V>).collect();
        assert!(slices.len() == all.len() && all.iter().all(|slice| slices.contains(slice)), "{kind}: {slices:?}");
    }
}

/// Values and distances in the program are those that are generated.
fn embedded_databases_are_those_generated<V: Variant>() {
    let Ok(tables) = all::<V>(3) else { return };
    let databases = Databases::<V>::embedded();
    for slice in (2..=3).flat_map(Slice::all::<V>) {
        let table = tables.get(slice).expect("every slice is solved");
        for at in (0..table.index().len()).step_by(5) {
            let position = table.index().position(at);
            assert_eq!(databases.value(&position), Some(table.get(at)), "{}", fen(&position));
            assert_eq!(databases.distance(&position), table.distance(at), "{}", fen(&position));
        }
    }
}

#[test]
fn files_of_a_folder_do_not_replace_the_program() {
    let folder = folder("replace");
    let slice = Slice::all::<Brazilian>(2)[3];
    file::write(&folder, all::<Brazilian>(2).unwrap().get(slice).unwrap()).unwrap();
    let path = file::path::<Brazilian>(&folder, slice, Kind::Values);
    let mut bytes = fs::read(&path).unwrap();
    let blocks_end = bytes.len() - 8;
    bytes[blocks_end - 30..blocks_end].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(&path, &bytes).unwrap();
    let sound = Databases::<Brazilian>::embedded();
    let mut both = Databases::embedded();
    assert!(both.add_folder(&folder).is_empty(), "blocks are not read when a file is opened");
    let mut alone = Databases::default();
    alone.add_folder(&folder);
    let index = Index::<Brazilian>::new(slice);
    let differs = |other: &Databases<Brazilian>| {
        (0..index.len()).any(|at| other.value(&index.position(at)) != sound.value(&index.position(at)))
    };
    assert!(differs(&alone) && !differs(&both));
    assert!(matches!(alone.table(slice), Some(Err(FileError::Damaged(_)))));
}

/// Totals of the databases in the program, by the names of slices.
fn embedded_totals<V: Variant>() -> HashMap<String, Counts> {
    let databases = Databases::<V>::embedded();
    let files = databases.files().into_iter().filter(|file| file.kind() == Kind::Values);
    files.map(|file| (file.index().slice().to_string(), file.counts())).collect()
}

#[test]
fn embedded_totals_are_those_published() {
    let (international, breakthrough) = (embedded_totals::<International>(), embedded_totals::<Breakthrough>());
    let mut rows = 0;
    for line in suite::<International>("egdb") {
        let [name, win, draw, loss, ..] = &fields(&line)[..] else { panic!("no totals in `{line}`") };
        let Counts { win: wins, draw: draws, loss: losses } = international[*name];
        assert_eq!([wins, draws, losses].map(|count| count.to_string()), [*win, *draw, *loss], "{name}");
        rows += 1;
    }
    assert_eq!(rows, 31, "every published row is one of the program");
    for line in suite::<Breakthrough>("egdb") {
        let [name, wins, ..] = &fields(&line)[..] else { panic!("no totals in `{line}`") };
        let Some(counts) = breakthrough.get(*name) else { continue };
        assert_eq!(counts.win.to_string(), *wins, "{name}");
        rows += 1;
    }
    assert!(rows >= 31 + 3, "only {rows} rows compared");
}

for_every_variant!(
    embedded_databases_are_those_generated,
    embedded_databases_are_whole,
    files_hold_what_was_generated,
    numbering_is_a_bijection,
    sizes_equal_the_formula,
    positions_of_other_slices_have_no_number,
    values_equal_those_of_a_slow_search,
    values_follow_from_the_moves,
);
