//! What the rule tests share: suites, random positions and a second move generator.

// Each test is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub mod random;
pub mod reference;

use std::path::Path;

use meerslag::board::{Move, Position};
use meerslag::notation::fen;
use meerslag::notation::hub::HubMove;
use meerslag::variant::{Variant, VariantId};

/// One `#[test]` for each variant and each generic test function named.
macro_rules! for_every_variant {
    ($($test:ident),+ $(,)?) => {
        mod international { $( #[test] fn $test() { super::$test::<meerslag::variant::International>(); } )+ }
        mod brazilian { $( #[test] fn $test() { super::$test::<meerslag::variant::Brazilian>(); } )+ }
        mod russian { $( #[test] fn $test() { super::$test::<meerslag::variant::Russian>(); } )+ }
        mod frisian { $( #[test] fn $test() { super::$test::<meerslag::variant::Frisian>(); } )+ }
        mod killer { $( #[test] fn $test() { super::$test::<meerslag::variant::Killer>(); } )+ }
        mod breakthrough { $( #[test] fn $test() { super::$test::<meerslag::variant::Breakthrough>(); } )+ }
        mod losing { $( #[test] fn $test() { super::$test::<meerslag::variant::Losing>(); } )+ }
    };
}
pub(crate) use for_every_variant;

// The list above is written by hand, so it must not fall behind.
const _: () = assert!(VariantId::ALL.len() == 7, "add the new variant to `for_every_variant`");

/// The lines of the variant's suite with this extension, comments and blank lines left out.
pub fn suite<V: Variant>(extension: &str) -> Vec<String> {
    let name = format!("{:?}.{extension}", V::ID).to_lowercase();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/suites").join(&name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("suite {name}: {error}"));
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// The fields of a suite line.
pub fn fields(line: &str) -> Vec<&str> {
    line.split(';').map(str::trim).collect()
}

/// Reads a FEN.
pub fn position<V: Variant>(text: &str) -> Position<V> {
    fen::position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Writes a FEN, for messages.
pub fn fen<V: Variant>(position: &Position<V>) -> String {
    fen::write(position)
}

/// Moves as sorted text.
pub fn texts<V: Variant>(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<_> = moves.iter().map(|&mv| HubMove::of::<V>(mv).to_string()).collect();
    texts.sort();
    texts
}

/// The one legal move that `text` means.
pub fn parse_move<V: Variant>(position: &Position<V>, text: &str) -> Move {
    let legal = meerslag::board::legal_moves(position);
    let found = text.parse::<HubMove>().unwrap().resolve::<V>(&legal);
    found.unwrap_or_else(|| panic!("{text} is not legal in {}", fen(position)))
}
