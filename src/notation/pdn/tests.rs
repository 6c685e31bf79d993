//! Reading and writing games, mostly odd ones.

mod streaming;
mod variants;

use std::io::BufRead;

use proptest::prelude::*;

use super::*;
use crate::notation::{fen, movetext};
use crate::variant::{Brazilian, International, VariantId};

type Games<V> = Vec<Result<PdnGame<V>, PdnError>>;

fn read<V: Variant>(text: impl AsRef<[u8]>) -> Games<V> {
    Reader::<V, _>::new(text.as_ref()).collect()
}

fn one<V: Variant>(text: impl AsRef<[u8]>) -> PdnGame<V> {
    let mut games = read::<V>(&text);
    let game = games.pop().expect("a game");
    assert!(games.is_empty(), "{} games in {}", games.len() + 1, String::from_utf8_lossy(text.as_ref()));
    game.unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    let mut games = read::<International>(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).expect_err(text).to_string()
}

fn texts<V: Variant>(line: &Line<V>, start: Position<V>) -> String {
    let mut position = start;
    let mut texts = Vec::new();
    for entry in &line.moves {
        texts.push(match &entry.action {
            Action::Move(mv) => movetext::write(&position, *mv),
            Action::Skip => "...".into(),
            Action::Setup(next) => fen::write(next),
        });
        position = entry.action.apply(&position);
    }
    texts.join(" ")
}

fn moves(text: &str) -> String {
    let game = one::<International>(text);
    texts(&game.line, game.start)
}

fn written<V: Variant>(game: &PdnGame<V>) -> String {
    let mut out = Vec::new();
    write_game(&mut out, game).unwrap();
    String::from_utf8(out).unwrap()
}

const EXAMPLE: &str = "[Event \"Example\"]
[White \"A\"]
[Black \"B\"]
[Result \"*\"]
[GameType \"20\"]

1. 34-30 20-25 {[%clk 0:10:00]} 2. 30-24 (2. 40-34 15-20 $6) 2... 19x30 3. 35x24! *

";

#[test]
fn example_games() {
    let second = "[GameType \"26\"]\n[Result \"1-0\"]\n[FEN \"W:Wc3,e3:Bd4,f6\"]\n\n1. c3xg7 1-0\n";
    let game = one::<International>(EXAMPLE);
    assert_eq!(texts(&game.line, game.start), "34-30 20-25 30-24 19x30 35x24");
    let clock = &game.line.moves[1].comments[0];
    assert_eq!(clock.remaining(Side::Black), Some(Duration::from_secs(600)));
    let line = &game.line.moves[2].variations[0];
    assert_eq!(line.moves[1].nags, [6]);
    assert_eq!(game.line.moves[4].nags, [1]);
    assert_eq!(game.result, GameResult::Open);
    let game = one::<Brazilian>(second);
    assert_eq!(texts(&game.line, game.start), "c3xg7");
    assert_eq!(game.result, GameResult::Win(Side::White));
    assert_eq!(one::<Brazilian>(second.replace("c3xg7", "c3:e5:g7")).line, game.line);

    let both = format!("{EXAMPLE}{second}");
    let raw: Vec<RawGame> = RawGames::new(both.as_bytes()).collect::<Result<_, _>>().unwrap();
    let variants: Vec<_> = raw.iter().map(|raw| variant_of(&raw.tags)).collect();
    assert_eq!(variants, [Some(VariantId::International), Some(VariantId::Brazilian)]);
    assert_eq!(raw.iter().map(RawGame::squares_hint).collect::<Vec<_>>(), [SquaresHint::Above32, SquaresHint::Letters]);
    let games = read::<Brazilian>(&both);
    let message = games[0].as_ref().unwrap_err().to_string();
    assert_eq!(message, "game 1, line 5, column 1: a game of another variant, expected `brazilian` (at `20`)");
    assert!(games[1].is_ok());
}

#[test]
fn written_as_expected() {
    let game = one::<International>(EXAMPLE);
    let expected = "[Event \"Example\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"A\"]
[Black \"B\"]
[Result \"*\"]
[GameType \"20\"]

1. 34-30 20-25 {[%clk 0:10:00]} 2. 30-24 (2. 40-34 15-20?!) 2... 19x30
3. 35x24! *

";
    assert_eq!(written(&game), expected);
}

#[test]
fn separate_games() {
    let count = |text: &str| {
        let games = read::<International>(text);
        games.iter().for_each(|game| assert!(game.is_ok(), "{text:?}: {game:?}"));
        games.len()
    };
    assert_eq!(count(""), 0);
    assert_eq!(count(" \n\n; only a comment\n"), 0);
    assert_eq!(count("* * *"), 0);
    assert_eq!(count("32-28 19-23"), 1);
    assert_eq!(count("1. 32-28 19-23 1-1 1. 31-27 2-0"), 2);
    assert_eq!(count("1. 32-28 * 1. 31-27 *"), 2);
    assert_eq!(count("32-28 1-1\n\n31-27"), 2);
    assert_eq!(count("[White \"A\"]\n[White \"A\"]\n\n32-28\n[White \"B\"]\n31-27"), 2);
    assert_eq!(count("[White \"A\"]\n\n[White \"B\"]\n\n[White \"C\"]"), 3);
    assert_eq!(count("[White \"A\"]\n\n[Black \"B\"]\n\n32-28"), 1);
    assert_eq!(count("[White \"A\"] [Black \"B\"] 32-28 1-1 {done} *\n[White \"C\"] *"), 2);
}

#[test]
fn results() {
    let result = |text: &str| one::<International>(text).result;
    for (text, expected) in [
        ("32-28 2-0", GameResult::Win(Side::White)),
        ("32-28 1-0\n", GameResult::Win(Side::White)),
        ("32-28 0-1 {time}", GameResult::Win(Side::Black)),
        ("32-28 0-2 *", GameResult::Win(Side::Black)),
        ("32-28 1-1", GameResult::Draw),
        ("32-28 1/2-1/2", GameResult::Draw),
        ("32-28 1/2", GameResult::Draw),
        ("32-28 0.5-0.5", GameResult::Draw),
        ("32-28 ½-½", GameResult::Draw),
        ("32-28 0-0", GameResult::BothLose),
        ("32-28 *", GameResult::Open),
        ("32-28", GameResult::Open),
        ("[Result \"2-0\"] 32-28 *", GameResult::Win(Side::White)),
        ("[Result \"2-0\"] 32-28 1-1", GameResult::Draw),
        ("[Result \"12-8\"] 32-28 12-8 {x}", GameResult::Other("12-8".into())),
        ("32-28 1+ - 1- {club}", GameResult::Other("1+ - 1-".into())),
        ("[Result \"12-8\"] 32-28 12-8 *", GameResult::Other("12-8".into())),
        ("[Result \"31-26\"] [FEN \"W:W31:B5\"] 31-26", GameResult::Other("31-26".into())),
        ("[Result \"abandoned\"] 32-28 *", GameResult::Other("abandoned".into())),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
    assert_eq!(one::<Brazilian>(b"a3-b4 \xbd-\xbd").result, GameResult::Draw);
    assert!(error("1. 32-28 1-1 2. 31-27").contains("column 10: `1-1` is not a legal move"));
    assert!(error("32-28 1-10").contains("`1-10` is not a legal move"));
    assert!(error("32-28 12-8").contains("`12-8` is not a legal move"));
    assert!(error("[Result \"12-8\"] 32-28 12-8 19-23").contains("`12-8` is not a legal move"));
}

#[test]
fn numbers_dots_and_marks() {
    for text in [
        "1. 32-28 19-23 2. 28x19 14x23",
        "1.32-28 19-23 2.28x19 14x23",
        "32-28 19-23 28x19 14x23",
        "1 32-28 19-23 2 28x19 14x23",
        "1. 32-28 1... 19-23 2. 28x19 2... 14x23",
        "1. 32-28 {a} 1. ... 19-23 7. 28x19 14x23",
        "1. 32-28 ! 19-23? 2. 28x19(?) 14x23* *",
        "1. 3228 $1 1923 $2 $3 2. 28:19 14*23",
        "1. 32\u{2013}28 19\u{2212}23 2. 28\u{d7}19 14x23",
        "% a file\n; a comment ( { \n1. 32-28 ;c\n 19-23 {;} {%}\n%x\n2. 28x19 14x23",
        "32-28 (31-27 (31-26) 19-23) (33-29 2-0) 19-23 28x19 14x23",
        "[FEN \"\"] $5 32-28 19-23 28x19 14x23",
    ] {
        assert_eq!(moves(text), "32-28 19-23 28x19 14x23", "{text}");
    }
    assert_eq!(one::<International>("32-28 ! 19-23?! $9").line.moves[0].nags, [1]);
    assert_eq!(one::<International>("$4 32-28 19-23?! $9").line.moves[1].nags, [6, 9]);
    assert_eq!(one::<International>("$4 32-28*").line.moves[0].nags, [4, 7]);
}

#[test]
fn skipped_moves_and_setups() {
    assert_eq!(moves("1. ... 19-23 2. 31-27"), "... 19-23 31-27");
    assert_eq!(moves("1. 32-28 ... 2. 31-27"), "32-28 ... 31-27");
    assert_eq!(moves("1. 32-28 . . . 2. 31-27"), "32-28 ... 31-27");
    assert_eq!(moves("1. 32-28 - - 2. 31-27 --"), "32-28 ... 31-27 ...");
    assert_eq!(moves("1. ... .. 32-28"), "... ... 32-28");
    assert_eq!(moves("[FEN \"B:W31:B5\"] 1. ... 5-10"), "5-10");
    assert_eq!(moves("32-28 /FEN \"W:W31:B5\"/ 31-27"), "32-28 W:W31:B5 31-27");
    assert_eq!(
        moves("/FEN \"B::\"/ 19-23"),
        "B:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 19-23"
    );
    assert!(one::<International>("/FEN \"B::\"/ 19-23").played().is_none());
}

#[test]
fn bytes_of_any_encoding() {
    let game = one::<International>(
        b"\xef\xbb\xbf[White \"J\xc3\xb6ran\"]\r\n[Black \"J\xf6ran\"]\r\r\n32\x9628 {\xc9t\xe9\r\nx} 19\xe2\x80\x9323",
    );
    assert_eq!(game.tags.get("White"), Some("Jöran"));
    assert_eq!(game.tags.get("Black"), Some("Jöran"));
    assert_eq!(game.line.moves[0].comments, [Comment("Été x".into())]);
    assert_eq!(game.line.moves.len(), 2);
}

#[test]
fn odd_tags() {
    let game = one::<International>(
        "[Event \"a \\\"b\\\" \\\\ c\"][Site unquoted][Round \"x \"y\" ] z\"]\n[Odd_1 \"1\" ]\n[White \"a \" b\"]\n32-28",
    );
    let tags: Vec<_> = game.tags.iter().collect();
    let expected = [
        ("Event", "a \"b\" \\ c"),
        ("Site", "unquoted"),
        ("Round", "x \"y\" ] z"),
        ("Odd_1", "1"),
        ("White", "a \" b"),
    ];
    assert_eq!(tags, expected);
    assert_eq!(game.line.moves.len(), 1);
}

#[test]
fn clocks() {
    let comment = Comment("good [%emt 0:00:07] [%clock w0:01:00 B0:02:30]".into());
    assert_eq!(comment.spent(), Some(Duration::from_secs(7)));
    assert_eq!(comment.remaining(Side::White), Some(Duration::from_secs(60)));
    assert_eq!(comment.remaining(Side::Black), Some(Duration::from_secs(150)));
    assert_eq!(Comment("[%clk 9:31.5]".into()).remaining(Side::White), Some(Duration::from_millis(571_500)));
    for bad in
        ["[%clk -1]", "[%clk 1:2:3:4]", "[%clk x]", "[%clk", "[%clk 1e300]", "[%clk 99999999999:0]", "[%clk NaN]"]
    {
        assert_eq!(Comment(bad.into()).remaining(Side::White), None, "{bad}");
    }
}

#[test]
fn errors_name_their_place() {
    for (text, message) in [
        ("[White \"A\"]\n\n1. 32-28\n  19-25 *", "game 1, line 4, column 3: `19-25` is not a legal move"),
        ("1. 32-28 {é} hello", "game 1, line 1, column 14: `hello` is not a move"),
        ("[White \"A]\n[Black \"B\"]\n32-28", ""),
        ("[White\n32-28", "line 1, column 1: bad tag, expected `[Name \"value\"]` (at `[White`)"),
        ("[?]\n32-28", "bad tag"),
        ("32-28 {open", "line 1, column 7: a comment is not closed (at `open`)"),
        ("32-28 } 19-23", "column 7: no comment is open here"),
        ("32-28 $256", "column 7: bad annotation, expected `$0` to `$255` (at `$256`)"),
        ("32-28 $", "bad annotation"),
        ("32-28 /FEN x/", "bad setup"),
        ("32-28 /FEN \"B:W77:B1\"/", "`W77`"),
        ("32-28 \"", "unexpected character"),
        ("32-28 ) 19-23", "column 7: no variation is open here"),
        ("32-28 (31-27 (31-26)", "column 7: the variation is not closed"),
        ("(32-28) 31-27", "column 1: there is no move to which"),
        (
            "[FEN \"W:W99:B1\"]\n32-28",
            "line 1, column 1: bad FEN: expected a square of a board with squares 1 to 50: `99` at column 4",
        ),
        ("[GameType \"25\"]\n32-28", "a game of another variant, expected `normal` (at `25`)"),
        ("[GameType \"21\"]\n32-28", "a game of another variant, expected `normal` (at `21`)"),
        (
            "[GameType \"20\"][Variant \"Killer\"]\n32-28",
            "column 16: a game of another variant, expected `normal` (at `Killer`)",
        ),
    ] {
        if message.is_empty() {
            assert_eq!(one::<International>(text).tags.get("White"), Some("A"));
        } else {
            let error = error(text);
            assert!(error.contains(&message.replace("`W77`", "`77`")), "{text}: {error}");
        }
    }
    let deep = format!("32-28 {}", "(31-27 ".repeat(1000));
    assert!(error(&deep).contains("nested deeper than 64"));
    assert!(error(&format!("32-28 {}", "1x".repeat(10_000))).contains("longer than"));
    let king_ride = format!("[FEN \"W:WK1:BK50\"] {}", "1-6 50-45 6-1 45-50 ".repeat(100_000));
    assert!(error(&king_ride).contains("bytes of memory"));
}

#[test]
fn goes_on_after_a_bad_game() {
    let text = "[White \"A\"]\n\n1. 32-28 19-25 2. 1-1 (\n\n[White \"B\"]\n\n1. 32-28 {never closed\n\n[White \"C\"]\n[Bad tag\n[Black \"D\"]\n\n32-28 *\n\n[White \"E\"]\n\n1. 32-28 2-0\n";
    let games = read::<International>(text);
    let places: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).map(|e| (e.game, e.place.line)).collect();
    assert_eq!(places, [(1, 3), (2, 7), (3, 10)]);
    let last = games.last().unwrap().as_ref().unwrap();
    assert_eq!((games.len(), last.tags.get("White")), (4, Some("E")));
}

#[test]
fn everything_survives_writing() {
    let text = "[Event \"a \\\"b\\\" \\\\\"]\n[Annotator \"Ä\"]\n[FEN \"B:W31,K26:B5,20\"]\n\n{before} {twice} 1... 5-10! $7 {c1} {[%clk 0:01]}
        (1... 20-25 {v} 2. 31-27 (2. 26-21 $200) 2... 25-30) (1... 20-24) 2. 26-3 ... {skip} 3. /FEN \"W:W31:B5\"/ {s} 31-26 5-10 1-1";
    let game = one::<International>(text);
    let out = written(&game);
    let again = one::<International>(&out);
    assert_eq!((&again.line, &again.start, &again.result), (&game.line, &game.start, &game.result));
    assert_eq!(again.tags.get("Event"), Some("a \"b\" \\"));
    assert_eq!(again.tags.get("Annotator"), Some("Ä"));
    assert_eq!(written(&again), out);
    assert!(out.lines().all(|line| line.chars().count() <= 79));
    for result in ["abandoned by both", "12-8", "1+ - 1-"] {
        let game = PdnGame { result: GameResult::Other(result.into()), ..game.clone() };
        assert_eq!(one::<International>(written(&game)).result, game.result);
    }
    let brazilian = one::<Brazilian>("[GameType \"26\"] [FEN \"W:Wc3,e3:Bd4,f6\"] c3xg7 {a } 1-0");
    assert!(written(&brazilian).contains("[FEN \"W:Wc3,e3:Bf6,d4\"]\n\n1. c3xg7 {a} 1-0\n"));
}

/// Runs a reader to its end; every game that is read must survive writing.
fn check<V: Variant>(input: impl BufRead) {
    for game in Reader::<V, _>::new(input).take(1000).flatten() {
        let mut out = Vec::new();
        write_game(&mut out, &game).unwrap();
        let again: Games<V> = read::<V>(&out);
        assert_eq!(again.len(), 1, "{}", String::from_utf8_lossy(&out));
        let again = again[0].as_ref().unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&out)));
        assert_eq!((&again.line, &again.start), (&game.line, &game.start), "{}", String::from_utf8_lossy(&out));
    }
}

proptest! {
    #![proptest_config(crate::notation::repeatable())]

    #[test]
    fn never_panics_on_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check::<International>(bytes.as_slice());
        check::<Brazilian>(bytes.as_slice());
    }

    #[test]
    fn never_panics_on_likely_text(words in proptest::collection::vec(proptest::sample::select(vec![
        "32-28", "19-23", "28x19", "14x23", "31-27", "1.", "1...", "...", "- -", "(", ")", "{", "}", "{c}", ";c\n", "\n%x\n", "\n",
        "\n\n", "[White \"A\"]", "[FEN \"B:W31:B5\"]", "[", "]", "\"", "$6", "$", "!", "?!", "*", "1-1", "2-0", "12-8", "1/2", "/",
        "/FEN \"B:W31:B5\"/", "/FEN \"W::\"/", "/FEN \"B::\"/", "5-10", "31-26", "\\", ".", "0.5-0.5", "[%clk 0:1]", "\u{bd}", "-",
    ]), 0..40)) {
        check::<International>(words.join(" ").as_bytes());
        check::<International>(words.concat().as_bytes());
    }
}
