//! What the engine answers, as lines without their end.
//!
//! The order of pairs and the quoting are narrower than the grammar: many clients match text.

use std::fmt::{self, Write};

use crate::engine::params::{PARAMS, ParamInfo, ParamKind, Params};
use crate::notation::hub::HubMove;
use crate::search::{Done, Info};

/// Ends the declarations.
pub const WAIT: &str = "wait";
/// Answers `init`.
pub const READY: &str = "ready";
/// Answers `ping`.
pub const PONG: &str = "pong";

/// How much of a long error message is sent: characters of its beginning, which says what is
/// wrong, and of its end.
const LONGEST_MESSAGE: (usize, usize) = (150, 50);

/// A line that grows by pairs.
struct Line(String);

impl Line {
    fn new(command: &str) -> Self {
        Self(command.into())
    }

    /// Adds a pair, quoted if it has to be.
    fn pair(mut self, name: &str, value: impl fmt::Display) -> Self {
        let value = printable(&value.to_string());
        let quote = if value.is_empty() || value.contains([' ', '=']) { "\"" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(self.0, " {name}={quote}{value}{quote}");
        self
    }
}

/// The text as a value may hold it: there is no escape, and clients expect ASCII.
fn printable(text: &str) -> String {
    let clean = |c: char| match c {
        '"' => '\'',
        ' '..='~' => c,
        _ if c.is_whitespace() => ' ',
        _ => '?',
    };
    text.chars().map(clean).collect()
}

/// `id`: who we are.
pub fn id() -> String {
    Line::new("id")
        .pair("name", "Meerslag")
        .pair("version", env!("CARGO_PKG_VERSION"))
        .pair("author", "the Meerslag authors")
        .0
}

/// The `param` lines with the current values.
pub fn params(params: &Params) -> impl Iterator<Item = String> {
    PARAMS.iter().map(|info| param(info, &info.value(params)))
}

fn param(info: &ParamInfo, value: &str) -> String {
    let line = Line::new("param").pair("name", info.name).pair("value", value);
    match info.kind {
        ParamKind::Bool => line.pair("type", "bool"),
        ParamKind::Int { min, max } => line.pair("type", "int").pair("min", min).pair("max", max),
        ParamKind::Enum(names) => line.pair("type", "enum").pair("values", names().join(" ")),
        ParamKind::Text => line.pair("type", "string"),
    }
    .0
}

/// `info`: a line of play; `params` may ask for its rank and the chances.
pub fn info(info: &Info<HubMove>, params: &Params) -> String {
    let seconds = info.time.as_secs_f64();
    let mut line = Line::new("info")
        .pair("depth", info.depth)
        .pair("mean-depth", format_args!("{:.1}", info.mean_depth))
        .pair("score", info.score)
        .pair("nodes", info.nodes)
        .pair("time", format_args!("{seconds:.3}"));
    if seconds > 0.0 {
        line = line.pair("nps", format_args!("{:.1}", info.nodes as f64 / seconds / 1e6));
    }
    if !info.pv.is_empty() {
        let moves: Vec<_> = info.pv.iter().map(ToString::to_string).collect();
        line = line.pair("pv", moves.join(" "));
    }
    if params.egdb_hits {
        line = line.pair("egdb-hits", info.hits);
    }
    if params.multi_pv > 1 {
        line = line.pair("multi-pv", info.line);
    }
    if params.wdl {
        let [win, draw, loss] = info.score.win_draw_loss(info.chances);
        line = line.pair("wdl", format_args!("{win} {draw} {loss}"));
    }
    line.0
}

/// `done`: the end of a search.
pub fn done(done: &Done<HubMove>) -> String {
    let line = Line::new("done");
    let Some(best) = &done.best else { return line.0 };
    let line = line.pair("move", best);
    match &done.ponder {
        Some(ponder) => line.pair("ponder", ponder).0,
        None => line.0,
    }
}

/// `error`: something the GUI should not have sent.
pub fn error(message: impl fmt::Display) -> String {
    let text = printable(&message.to_string());
    let (head, tail) = LONGEST_MESSAGE;
    let text = match text.len().checked_sub(tail) {
        // Printable text is ASCII, so every byte is a character.
        Some(rest) if rest > head => format!("{}...{}", &text[..head], &text[rest..]),
        _ => text,
    };
    // Always quoted: a client that cuts the quotes off need not look.
    format!("error message=\"{text}\"")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::eval::chances::Chances;
    use crate::search::Score;

    fn moves(text: &str) -> Vec<HubMove> {
        text.split_whitespace().map(|text| text.parse().unwrap()).collect()
    }

    fn sample(pv: &str) -> Info<HubMove> {
        let time = Duration::from_millis(250);
        let score = Score::eval(-7);
        let chances = Chances::default();
        Info { line: 2, depth: 12, mean_depth: 15.04, score, chances, nodes: 1_000_000, hits: 0, time, pv: moves(pv) }
    }

    #[test]
    fn declarations_in_the_order_that_clients_expect() {
        assert_eq!(
            id(),
            format!("id name=Meerslag version={} author=\"the Meerslag authors\"", env!("CARGO_PKG_VERSION"))
        );
        let lines: Vec<_> = params(&Params::default()).collect();
        assert_eq!(
            lines[0],
            "param name=variant value=normal type=enum values=\"normal brazilian russian frisian killer bt losing\""
        );
        assert_eq!(lines[1], "param name=book value=true type=bool");
        assert_eq!(lines[5], "param name=threads value=1 type=int min=1 max=64");
        assert_eq!(lines.last().unwrap(), "param name=log-file value=\"\" type=string");
    }

    #[test]
    fn info_has_one_order_and_quotes_only_several_moves() {
        let (plain, ranked) = (Params::default(), Params { multi_pv: 2, ..Params::default() });
        assert_eq!(
            info(&sample("32-28 19x23x18"), &plain),
            "info depth=12 mean-depth=15.0 score=-0.07 nodes=1000000 time=0.250 nps=4.0 pv=\"32-28 19x23x18\""
        );
        assert!(info(&sample("32-28"), &plain).ends_with(" nps=4.0 pv=32-28"));
        assert!(info(&sample("32-28"), &ranked).ends_with(" pv=32-28 multi-pv=2"));
        let chances = Params { wdl: true, ..ranked };
        let won = Info { score: Score::win_in(3), ..sample("32-28") };
        assert!(info(&won, &chances).ends_with(" pv=32-28 multi-pv=2 wdl=\"1000 0 0\""));
        let lost = Info { score: Score::loss_in(2), ..sample("") };
        assert!(info(&lost, &Params { multi_pv: 1, ..chances }).ends_with(" nps=4.0 wdl=\"0 0 1000\""));
        let instant = Info { time: Duration::ZERO, ..sample("") };
        assert!(info(&instant, &plain).ends_with(" nodes=1000000 time=0.000"));
    }

    #[test]
    fn wins_are_distances() {
        let line = |score| info(&Info { score, ..sample("1-6") }, &Params::default());
        assert!(line(Score::win_in(5)).contains(" score=99.95 "));
        assert!(line(Score::loss_in(4)).contains(" score=-99.96 "));
    }

    #[test]
    fn done_in_all_forms() {
        let reply = |best: &str, ponder: &str| done(&Done { best: moves(best).pop(), ponder: moves(ponder).pop() });
        assert_eq!(reply("32x21x28x27", "19-23"), "done move=32x21x27x28 ponder=19-23");
        assert_eq!(reply("32-28", ""), "done move=32-28");
        assert_eq!(reply("", ""), "done");
    }

    #[test]
    fn long_errors_keep_both_ends() {
        let men = (1..=40).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
        let shown = error(format!("bad position: two pieces on 40, in `W:W{men},40:B{men}`"));
        assert!(shown.starts_with("error message=\"bad position: two pieces on 40, in `W:W1,2,3,"), "{shown}");
        assert!(shown.contains(",...") && shown.ends_with(",38,39,40`\""), "{shown}");
    }

    #[test]
    fn errors_are_short_printable_ascii() {
        assert_eq!(error("bad \"x\"\u{e9}\n"), "error message=\"bad 'x'? \"");
        assert!(error("é".repeat(100_000)).len() < 300);
        assert_eq!(error("x".repeat(200)), format!("error message=\"{}\"", "x".repeat(200)));
    }
}
