//! A game of a match as PDN.

use crate::notation::pdn::{Comment, GameResult, PdnGame, Tags};
use crate::tournament::config::Config;
use crate::tournament::game::{Played, Remark};
use crate::tournament::standings::Outcome;
use crate::util::date::DateTime;
use crate::variant::Variant;

/// The game with all that is known of it.
pub fn pdn_game<V: Variant>(config: &Config, played: &Played<V>, outcome: &Outcome) -> PdnGame<V> {
    let players = [&config.players[outcome.white], &config.players[outcome.black]];
    let controls = players.map(|player| config.control(player).map(|control| control.to_string()).unwrap_or_default());
    let DateTime { year, month, day, .. } = DateTime::now();
    let result = played.end.winner().map_or(GameResult::Draw, GameResult::Win);
    let mut tags: Tags = [
        ("Event", "Match".to_string()),
        ("Date", format!("{year:04}.{month:02}.{day:02}")),
        ("Round", outcome.number.to_string()),
        ("White", players[0].name.clone()),
        ("Black", players[1].name.clone()),
    ]
    .into_iter()
    .collect();
    if controls[0] == controls[1] {
        tags.set("TimeControl", controls[0].as_str());
    } else {
        tags.set("WhiteTimeControl", controls[0].as_str());
        tags.set("BlackTimeControl", controls[1].as_str());
    }
    tags.set("Opening", (outcome.opening + 1).to_string());
    tags.set("Termination", played.end.to_string());
    tags.set("PlyCount", outcome.plies.to_string());
    let mut game = PdnGame::of(&played.game, tags, result);
    for (entry, remark) in game.line.moves.iter_mut().skip(played.opening_plies()).zip(&played.remarks) {
        entry.comments.push(comment(remark));
    }
    game
}

/// `[%eval 0.35] [%depth 12] [%nodes 51200] [%emt 0.101] [%clk 59.9]`, what is known of it.
fn comment(remark: &Remark) -> Comment {
    let parts = [
        remark.score.map(|score| format!("[%eval {score}]")),
        remark.depth.map(|depth| format!("[%depth {depth}]")),
        remark.nodes.map(|nodes| format!("[%nodes {nodes}]")),
        Some(format!("[%emt {:.3}]", remark.elapsed.as_secs_f64())),
        remark.clock.map(|clock| format!("[%clk {:.3}]", clock.as_secs_f64())),
    ];
    Comment(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}
