//! The module order: a module imports only from those above it.

use std::fs;
use std::path::{Path, PathBuf};

/// Top-level modules, each allowed to use those before it.
const ORDER: [&str; 15] = [
    "util",
    "variant",
    "board",
    "notation",
    "eval",
    "egdb",
    "book",
    "search",
    "engine",
    "protocol",
    "tournament",
    "datagen",
    "trainer",
    "tune",
    "cli",
];

/// Imports that the order would allow but the design does not: the trainer works on records.
const FORBIDDEN: [(&str, &str); 1] = [("trainer", "search")];

/// The only module that may use `anyhow`; the executable's entry belongs to it.
const ANYHOW: &str = "cli";

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == module)
}

/// The text without comments, so that links in documentation do not count. Good enough for a
/// source that writes no `//` inside the paths looked for.
fn code(source: &str) -> String {
    source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// First segments of a path's rest: one, or those of a `{...}` group.
fn heads(rest: &str) -> Vec<&str> {
    let rest = rest.trim_start();
    let Some(group) = rest.strip_prefix('{') else { return vec![identifier(rest)] };
    let (mut heads, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(identifier(group[start..at].trim_start()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(identifier(group[start..at].trim_start()));
                start = at + 1;
            }
            _ => {}
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

/// Top-level modules that the code of a file in `module` names. `depth` is the number of `super`
/// that lead from the file's module to the crate.
fn imports(source: &str, depth: usize) -> Vec<String> {
    let code = code(source);
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for prefix in ["crate::", "meerslag::", &up] {
        for (at, _) in code.match_indices(prefix) {
            // `$crate` and `my_crate` are other words; a longer chain of `super` starts earlier.
            let before = code[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
                found.extend(heads(&code[at + prefix.len()..]).into_iter().map(str::to_owned));
            }
        }
    }
    found.retain(|name| rank(name).is_some());
    found
}

/// What is wrong with a file, given its path below `src`.
fn violations(path: &Path, source: &str) -> Vec<String> {
    let parts: Vec<_> = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let name = path.display();
    let is_root = parts.len() == 1 && (parts[0] == "lib" || parts[0] == "main");
    let module = if is_root { ANYHOW } else { &parts[0] };
    let depth = parts.len() - usize::from(parts.last().is_some_and(|part| part == "mod"));
    let mut wrong = Vec::new();
    let Some(own) = rank(module) else { return vec![format!("{name}: module `{module}` has no place in the order")] };
    for import in imports(source, depth) {
        let other = rank(&import).expect("imports are modules of the order");
        if other > own || FORBIDDEN.contains(&(module, &import)) {
            wrong.push(format!("{name}: `{module}` must not use `{import}`"));
        }
    }
    if module != ANYHOW && code(source).contains("anyhow") {
        wrong.push(format!("{name}: `anyhow` belongs to `{ANYHOW}`"));
    }
    wrong
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn modules_import_only_upwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&root);
    assert!(files.len() > 20, "only {} sources found", files.len());
    let below = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_owned();
    let wrong: Vec<_> =
        files.iter().flat_map(|path| violations(&below(path), &fs::read_to_string(path).unwrap())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn violations_are_caught() {
    let count = |path: &str, source: &str| violations(Path::new(path), source).len();
    assert_eq!(count("board/game.rs", "use crate::search::Score;"), 1);
    assert_eq!(
        count(
            "board/game.rs",
            "use crate::{\n    util::rng::Rng,\n    engine::{Engine, handle::{A, B}},\n    cli,\n};"
        ),
        2
    );
    assert_eq!(count("search/mod.rs", "fn f() { crate::protocol::hub::run() }"), 1);
    assert_eq!(count("search/mod.rs", "use super::engine::handle;"), 1);
    assert_eq!(count("search/tt.rs", "use super::super::engine::handle;"), 1);
    assert_eq!(count("trainer/loader.rs", "use crate::search::Score;"), 1);
    assert_eq!(count("engine/mod.rs", "use anyhow::Context;"), 1);
    assert_eq!(count("misc/mod.rs", ""), 1);
}

#[test]
fn permitted_imports_pass() {
    let passes = |path: &str, source: &str| assert_eq!(violations(Path::new(path), source), [""; 0]);
    passes(
        "search/root.rs",
        "use crate::board::{Position, movegen};\nuse super::engine;\nuse crate::{eval, variant::Variant};",
    );
    passes("board/mod.rs", "//! See [`crate::search`].\nuse super::variant::Variant;");
    passes("trainer/mod.rs", "use crate::{datagen::Record, eval::features};");
    passes("cli/perft.rs", "use anyhow::Context;\nuse crate::tune::spsa;");
    passes("main.rs", "fn main() -> anyhow::Result<()> { meerslag::cli::run() }");
}
