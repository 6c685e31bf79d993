//! Every variant on the command line.

use meerslag::variant::VariantId;

use crate::{analysis, success};

#[test]
fn every_command_knows_every_variant() {
    let help = success(&["analyze", "--help"], "");
    for id in VariantId::ALL {
        let name = id.hub_name();
        assert!(help.contains(name), "{name} is missing in:\n{help}");
        let counts = success(&["perft", "--variant", name, "--depth", "2"], "");
        let small = matches!(name, "brazilian" | "russian");
        assert!(counts.contains(if small { "nodes 49 " } else { "nodes 81 " }), "{name}: {counts}");
        let (_, result) = analysis(&["--variant", name, "--depth", "3"]);
        assert_eq!(result["variant"], name);
        assert!(success(&["eval", "--variant", name], "").contains("White to move"), "{name}");
        assert!(success(&["play", "--variant", name, "--depth", "1"], "moves\n").contains("legal moves: "), "{name}");
    }
}

#[test]
fn games_end_by_the_rules_of_their_variant() {
    let over = |args: &[&str]| analysis(args).1["game_over"].as_str().unwrap().to_owned();
    assert_eq!(over(&["--variant", "losing", "--fen", "W:W:B20"]), "White has no pieces: White wins");
    assert_eq!(over(&["--variant", "bt", "--fen", "W:W7:B20", "--moves", "7-1"]), "White made a king: White wins");
    let script = "e3:c5\nquit\n";
    let text = success(&["play", "--variant", "russian", "--fen", "W:Wc3,e3:Bd4,h8", "--depth", "1"], script);
    assert!(text.contains("Meerslag plays h8-g7"), "{text}");
    let frisian = ["perft", "--variant", "frisian", "--fen", "W:W48,K6:B15,K35:+0+306", "--depth", "1"];
    assert!(success(&frisian, "").contains("nodes 2 "));
}
