//! `datagen` and `train`: from nothing to weights that play better, by the commands of the documentation.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{failure, run, scratch_file, stderr, stdout, success};

fn games(name: &str, variant: &str, nodes: &str, more: &[&str]) -> PathBuf {
    let path = scratch_file(name);
    let out = path.to_str().unwrap();
    let args = ["datagen", "--variant", variant, "--out", out, "--nodes", nodes, "--random-max", "8"];
    let output = run(&[&args[..], more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    path
}

fn train(file: &Path, name: &str, variant: &str, threads: &str) -> PathBuf {
    let out = scratch_file(name);
    let curve = out.with_extension("svg");
    let (file, to, curve) = (file.to_str().unwrap(), out.to_str().unwrap(), curve.to_str().unwrap());
    let args = ["train", file, "--variant", variant, "--out", to, "--epochs", "6", "--curve", curve];
    let output = run(&[&args[..], &["--threads", threads, "--generation", "1"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("held out"), "{}", stdout(&output));
    assert!(fs::read_to_string(curve).unwrap().starts_with("<svg"));
    out
}

/// The loop at small scale: hand-made evaluation, games, weights, match.
#[test]
fn a_tiny_loop_learns() {
    let file = games("loop.mdg", "brazilian", "300", &["--games", "2048", "--weights", "hand-made"]);
    let stats: Value = serde_json::from_str(&success(
        &["datagen", "stats", "--json", "--variant", "brazilian", file.to_str().unwrap()],
        "",
    ))
    .unwrap();
    assert_eq!(stats["games"], 2048);
    assert!(stats["bytes"].as_f64().unwrap() < 2.0 * stats["positions"].as_f64().unwrap(), "{stats}");
    assert_eq!(stats["settings"][0]["weights"], "hand-made");
    let [one, two] = ["1", "2"].map(|threads| train(&file, &format!("loop-{threads}.weights"), "brazilian", threads));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap(), "weights do not depend on the threads");
    // Weights of few games without a search, from which little can be learned.
    let nothing = games("nothing.mdg", "brazilian", "1", &["--games", "64", "--seed", "5"]);
    let nothing = train(&nothing, "nothing.weights", "brazilian", "2");
    let player = |name: &str, path: &Path| format!("name={name},weights={}", path.display());
    let (learned, less) = (player("learned", &one), player("less", &nothing));
    let played = success(
        &[
            "match",
            "--variant",
            "brazilian",
            "--games",
            "200",
            "--nodes",
            "300",
            "--json",
            "--player",
            &learned,
            "--player",
            &less,
        ],
        "",
    );
    let result: Value = serde_json::from_str(played.lines().last().unwrap()).unwrap();
    // One thread and limits of nodes: the match is the same each time.
    let superiority = result["players"][0]["estimate"]["los"].as_f64().unwrap();
    assert!(superiority > 0.99, "{result}");
}

/// What weights know counts from the first pass on.
#[test]
fn training_goes_on_from_weights() {
    let file = games("more.mdg", "brazilian", "100", &["--games", "256", "--seed", "6", "--weights", "hand-made"]);
    let out = scratch_file("more.weights");
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let train = ["train", file, "--variant", "brazilian", "--out", out, "--epochs", "1"];
    let first_loss = |more: &[&str]| -> f64 {
        let output = run(&[&train[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).lines().nth(1).unwrap().split_whitespace().nth(3).unwrap().parse().unwrap()
    };
    let from_nothing = first_loss(&[]);
    let from_weights = first_loss(&["--start", "src/eval/embedded/brazilian.weights"]);
    assert!(from_weights < from_nothing - 0.005, "{from_weights} {from_nothing}");
    let fitted = scratch_file("fitted.weights");
    fs::rename(out, &fitted).unwrap();
    let from_fitted = first_loss(&["--start", fitted.to_str().unwrap()]);
    assert!(from_fitted < from_nothing - 0.005, "a fit to few games goes on too: {from_fitted} {from_nothing}");
    let error = failure(&[&train[..], &["--start", "README.md"]].concat(), 1);
    assert!(error.contains("README.md: no weights of the evaluation"), "{error}");
    let error = failure(&[&train[..], &["--start", "src/eval/embedded/normal.weights"]].concat(), 1);
    assert!(error.contains("weights of normal, not of brazilian"), "{error}");
}

#[test]
fn games_follow_from_settings_and_seed() {
    let whole = games("whole.mdg", "normal", "200", &["--games", "64", "--threads", "1"]);
    let parts = games("parts.mdg", "normal", "200", &["--games", "32", "--threads", "2"]);
    let out = parts.to_str().unwrap();
    let again = ["datagen", "--out", out, "--nodes", "200", "--random-max", "8", "--games", "64"];
    assert!(run(&again).status.success());
    let show = |path: &Path, from: &str| success(&["datagen", "show", path.to_str().unwrap(), "--from", from], "");
    for from in ["1", "20", "33", "64"] {
        assert_eq!(show(&whole, from), show(&parts, from));
        assert!(show(&whole, from).contains("[Result \""));
    }
    assert_ne!(show(&whole, "1"), show(&whole, "2"));
    assert_eq!(show(&whole, "65"), "");
    assert!(stderr(&run(&again)).contains("64 games"), "nothing is left to play");
}

#[test]
fn bad_files_and_settings_are_named() {
    let games = games("bad.mdg", "normal", "200", &["--games", "32"]);
    let games = games.to_str().unwrap();
    let weights = scratch_file("bad.weights");
    let weights = weights.to_str().unwrap();
    let error = failure(&["train", games, "--variant", "brazilian", "--out", weights], 1);
    assert!(error.contains("bad.mdg: these are games of normal, not of brazilian"), "{error}");
    let error = failure(&["train", "README.md", "--out", weights], 1);
    assert!(error.contains("README.md: this is no file of training games"), "{error}");
    let error = failure(&["train", games, "--out", weights, "--result", "2"], 2);
    assert!(error.contains("`2`"), "{error}");
    let error = failure(&["eval", "--weights", games], 1);
    assert!(error.contains("bad.mdg: no weights of the evaluation"), "{error}");
    let error = failure(&["match", "--player", "name=a,weights=README.md", "--nodes", "10", "--games", "2"], 1);
    assert!(error.contains("README.md: no weights of the evaluation"), "{error}");
    let error = failure(&["datagen", "--out", games, "--games", "32", "--weights", "no-such.weights"], 1);
    assert!(error.contains("no-such.weights"), "{error}");
    let error = failure(&["datagen", "--out", games, "--games", "32", "--random-min", "9", "--random-max", "3"], 2);
    assert!(error.contains("--random-min 9"), "{error}");
    assert!(failure(&["datagen"], 2).contains("--out"));
}
