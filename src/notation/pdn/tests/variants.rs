//! What the game types write in ways of their own.

use super::{one, written};
use crate::board::Side;
use crate::notation::fen;
use crate::notation::pdn::GameResult;
use crate::variant::{Breakthrough, Frisian, Killer, Losing, Russian};

#[test]
fn a_tag_tells_what_the_code_does_not() {
    let killer = written(&one::<Killer>("[GameType \"20\"][Variant \"killer\"] 32-28 19-23 2-0"));
    assert!(
        killer.contains("[Result \"2-0\"]\n[GameType \"20\"]\n[Variant \"Killer\"]\n\n1. 32-28 19-23 2-0\n"),
        "{killer}"
    );
    assert_eq!(killer.matches("Variant").count(), 1);
    let breakthrough = written(&one::<Breakthrough>("[GameType \"96\"][Variant \"From Position\"] 32-28 *"));
    assert!(breakthrough.contains("[GameType \"96\"]\n[Variant \"Breakthrough\"]\n"), "{breakthrough}");
    let losing = written(&one::<Losing>("32-28 *"));
    assert!(losing.contains("[GameType \"98\"]\n[Variant \"Antidraughts\"]\n"), "{losing}");
    let russian = written(&one::<Russian>("[Variant \"Russian\"][FEN \"W:Wc3,e3:Bd4,f6\"] c3xg7 1-0"));
    assert!(
        russian.contains("[GameType \"25\"]\n[FEN \"W:Wc3,e3:Bf6,d4\"]\n[Variant \"Russian\"]\n\n1. c3:g7 1-0\n"),
        "{russian}"
    );
}

#[test]
fn a_game_with_a_start_of_its_own() {
    for tags in ["[GameType \"97\"]", "[Variant \"Frysk!\"]", "[GameType \"40\"][Variant \"frysk\"][FEN \"?\"]"] {
        let game = one::<Frisian>(format!("{tags} 47-42 2-8 1-0"));
        assert_eq!(fen::write(&game.start), "W:W46,47,48,49,50:B1,2,3,4,5", "{tags}");
        assert_eq!(game.result, GameResult::Win(Side::White));
        let again = one::<Frisian>(written(&game));
        assert_eq!((&again.start, &again.line), (&game.start, &game.line), "{tags}");
    }
    let moved = one::<Frisian>("[GameType \"97\"][FEN \"W:W46:B1\"] 46-41 *");
    assert_eq!(fen::write(&moved.start), "W:W46:B1");
}

#[test]
fn counted_king_moves_are_kept() {
    let text = "[GameType \"40\"][FEN \"W:W48,K6:B15,K35:H0:F9:+335+206\"] 6-1 15-20 *";
    let out = written(&one::<Frisian>(text));
    assert!(out.contains("[FEN \"W:WK6,48:B15,K35:+335+206\"]"), "{out}");
    let game = one::<Frisian>(&out);
    assert_eq!((game.line.moves.len(), game.start.king_run(Side::White).moves()), (2, 2));
}
