//! The standings as text: a table for people, and a line while the match goes on.

use std::fmt;

use crate::tournament::config::Config;
use crate::tournament::elo::Estimate;
use crate::tournament::fault::FAULT_KINDS;
use crate::tournament::sprt::{Decision, EloModel, Sprt, SprtState};
use crate::tournament::standings::{Score, Standings};

/// A table of the standings with all statistics.
pub struct Report<'a> {
    /// The match.
    pub config: &'a Config,
    /// Its score.
    pub standings: &'a Standings,
    /// Its games.
    pub games: usize,
    /// How many openings there are.
    pub openings: usize,
}

/// One line about a match that goes on.
pub struct Progress<'a>(pub &'a Report<'a>);

/// An Elo with its sign.
fn signed(elo: f64) -> String {
    format!("{elo:+.1}")
}

/// The difference and its uncertainty in words.
pub fn describe_estimate(estimate: &Estimate) -> String {
    let Estimate { elo, interval: (low, high), normalized, normalized_error, los } = estimate;
    let (elo, low, high, normalized) = (signed(*elo), signed(*low), signed(*high), signed(*normalized));
    format!(
        "Elo {elo} (95 %: {low} to {high}), normalized {normalized} +- {normalized_error:.1}, \
         likelihood of superiority {:.1} %",
        100.0 * los
    )
}

/// The state of a test in words.
pub fn describe_sprt(sprt: &Sprt, state: &SprtState) -> String {
    let SprtState { llr, lower, upper, decision } = state;
    let unit = match sprt.model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    };
    let verdict = match decision {
        Decision::Continue => "more games are needed".into(),
        Decision::H0 => format!("H0 accepted: {} {unit} rather than {}", sprt.elo0, sprt.elo1),
        Decision::H1 => format!("H1 accepted: {} {unit} rather than {}", sprt.elo1, sprt.elo0),
    };
    format!("LLR {llr:.2} ({lower:.2} to {upper:.2}) [{}, {}] {unit}: {verdict}", sprt.elo0, sprt.elo1)
}

/// Counted pairs in words.
pub fn describe_pairs(pairs: &[u64; 5]) -> String {
    let names = ["0", "1/2", "1", "3/2", "2"];
    let parts = names.iter().zip(pairs).map(|(points, count)| format!("{points}: {count}"));
    parts.collect::<Vec<_>>().join(", ")
}

fn faults(score: &Score) -> String {
    let named = FAULT_KINDS.iter().zip(score.faults).filter(|(_, count)| *count > 0);
    named.map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

impl Report<'_> {
    fn pairings(&self) -> usize {
        let players = self.config.players.len();
        players * (players - 1) / 2
    }

    fn row(&self, index: usize, width: usize, f: &mut fmt::Formatter) -> fmt::Result {
        let (name, score) = (&self.config.players[index].name, &self.standings.scores[index]);
        let [losses, draws, wins] = score.games;
        let (elo, interval) = match score.estimate() {
            Some(Estimate { elo, interval: (low, high), .. }) => {
                (signed(elo), format!("{} to {}", signed(low), signed(high)))
            }
            None => ("-".into(), "-".into()),
        };
        let depth = score.effort.mean_depth().map_or("-".into(), |depth| format!("{depth:.1}"));
        let speed = score.effort.speed() / 1e3;
        let overrun = score.effort.longest_overrun().as_secs_f64() * 1e3;
        let faults: u64 = score.faults.iter().sum();
        writeln!(
            f,
            "{name:<width$} {wins:>5} {draws:>5} {losses:>5} {:>7.1} % {elo:>8} {interval:>18} {depth:>6} {speed:>7.0} \
             {overrun:>8.1} ms {faults:>6}",
            100.0 * score.share()
        )
    }

    /// The points of each player against each other, in the order of the table.
    fn crosstable(&self, order: &[usize], width: usize, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "\n{:<width$}", "points against")?;
        (1..=order.len()).try_for_each(|place| write!(f, " {place:>11}"))?;
        for (place, player) in order.iter().enumerate() {
            write!(f, "\n{:<width$}", format!("{} {}", place + 1, self.config.players[*player].name))?;
            for other in order {
                let [losses, draws, wins] = self.standings.cross[*player][*other];
                let points = format!("{}/{}", wins as f64 + draws as f64 / 2.0, losses + draws + wins);
                write!(f, " {:>11}", if player == other { "-" } else { points.as_str() })?;
            }
        }
        writeln!(f)
    }

    fn duel(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let score = &self.standings.scores[0];
        let names = [0, 1].map(|index| self.config.players[index].name.as_str());
        writeln!(f, "\npairs by the points of {}: {}", names[0], describe_pairs(&score.pairs))?;
        if let Some(estimate) = score.estimate() {
            let draws = 100.0 * score.games[1] as f64 / score.played() as f64;
            writeln!(f, "{} over {}: {}, draws {draws:.1} %", names[0], names[1], describe_estimate(&estimate))?;
        }
        if let Some(sprt) = &self.config.sprt {
            writeln!(f, "SPRT: {}", describe_sprt(sprt, &sprt.state(&score.pairs)))?;
        }
        Ok(())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { config, standings, games, openings } = self;
        let (played, variant, source) = (standings.games, config.variant, &config.openings);
        writeln!(f, "{played} of {games} games, {variant}, {openings} openings: {source}")?;
        if *games < config.games * self.pairings() {
            writeln!(f, "the match ends with its openings: further games would repeat")?;
        }
        for player in &config.players {
            let control = config.control(player).map(|control| control.to_string()).unwrap_or_default();
            writeln!(f, "{}: {control}", player.name)?;
        }
        let width = config.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            f,
            "\n{:<width$} {:>5} {:>5} {:>5} {:>9} {:>8} {:>18} {:>6} {:>7} {:>11} {:>6}",
            "player", "W", "D", "L", "score", "Elo", "95 % interval", "depth", "knps", "overrun", "faults"
        )?;
        let mut order: Vec<_> = (0..config.players.len()).collect();
        order.sort_by(|a, b| standings.scores[*b].share().total_cmp(&standings.scores[*a].share()));
        order.iter().try_for_each(|index| self.row(*index, width, f))?;
        if config.players.len() == 2 {
            self.duel(f)?;
        } else {
            // A place stands before each name, and the heading has to fit.
            self.crosstable(&order, (width + 3).max(14), f)?;
        }
        let ends: Vec<_> = standings.ends.iter().map(|(end, count)| format!("{end} {count}")).collect();
        writeln!(f, "games ended by: {}", ends.join(", "))?;
        for (player, score) in config.players.iter().zip(&standings.scores) {
            let faults = faults(score);
            if !faults.is_empty() {
                writeln!(f, "faults of {}: {faults}", player.name)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Report { config, standings, games, .. } = self.0;
        let score = &standings.scores[0];
        let [losses, draws, wins] = score.games;
        write!(f, "{}/{games}  {}: +{wins} ={draws} -{losses}", standings.games, config.players[0].name)?;
        if let Some(estimate) = score.estimate() {
            write!(f, "  Elo {} +- {:.1}", signed(estimate.elo), estimate.error())?;
        }
        if let Some(sprt) = &config.sprt {
            let SprtState { llr, lower, upper, .. } = sprt.state(&score.pairs);
            write!(f, "  LLR {llr:.2} ({lower:.2}, {upper:.2})")?;
        }
        let faults: u64 = standings.scores.iter().flat_map(|score| score.faults).sum();
        if faults > 0 { write!(f, "  faults {faults}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::standings::{Effort, Outcome};

    fn standings() -> Standings {
        let mut standings = Standings::new(2);
        let effort =
            |depth_sum| Effort { moves: 20, seconds: 2.0, nodes: 4_000_000, depths: 10, depth_sum, overrun: 0.0025 };
        for (number, winner, end) in
            [(1, Some(0), "rule"), (2, Some(0), "crash"), (3, None, "rule"), (4, Some(1), "rule")]
        {
            standings.add(&Outcome {
                number,
                white: (number + 1) % 2,
                black: number % 2,
                opening: 0,
                winner,
                end: end.into(),
                reason: String::new(),
                fault_of: (end == "crash").then_some(1),
                plies: 60,
                efforts: [effort(95), effort(95)],
            });
        }
        standings
    }

    #[test]
    fn a_table_with_everything() {
        let text = "sprt = {}\nnodes = 1000\n[[player]]\nname = 'new'\n[[player]]\nname = 'old engine'";
        let config = Config::from_toml(text).unwrap().completed().unwrap();
        let standings = standings();
        let report = Report { config: &config, standings: &standings, games: 100, openings: 50 };
        let shown = report.to_string();
        for part in [
            "4 of 100 games, normal, 50 openings: random:8",
            "new: 1000 nodes a move",
            "new            2     1     1    62.5 %    +88.7",
            "9.5    2000      2.5 ms      0",
            "pairs by the points of new: 0: 0, 1/2: 1, 1: 0, 3/2: 0, 2: 1",
            "draws 25.0 %",
            "SPRT: LLR 0.0",
            "more games are needed",
            "games ended by: rule 3, crash 1",
            "faults of old engine: crash 1",
        ] {
            assert!(shown.contains(part), "no `{part}` in\n{shown}");
        }
        assert!(!shown.contains("further games would repeat"));
        let fewer = Report { games: 40, ..report };
        assert!(fewer.to_string().contains("the match ends with its openings: further games would repeat"));
        let line = Progress(&report).to_string();
        assert!(line.starts_with("4/100  new: +2 =1 -1  Elo +88.7 +- "), "{line}");
        assert!(line.ends_with("(-2.94, 2.94)  faults 1"), "{line}");
    }

    #[test]
    fn several_players_have_a_crosstable() {
        let text = "[[player]]\nname = 'a'\n[[player]]\nname = 'b'\n[[player]]\nname = 'c'";
        let config = Config::from_toml(text).unwrap().completed().unwrap();
        let mut standings = Standings::new(3);
        for (number, players, winner) in [(1, [0, 1], Some(1)), (2, [1, 0], None), (3, [0, 2], Some(0))] {
            standings.add(&Outcome {
                number,
                white: players[0],
                black: players[1],
                opening: 0,
                winner,
                end: "rule".into(),
                reason: String::new(),
                fault_of: None,
                plies: 60,
                efforts: [Effort::default(); 2],
            });
        }
        let shown = Report { config: &config, standings: &standings, games: 300, openings: 50 }.to_string();
        let rows: Vec<Vec<_>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        let first = rows.iter().position(|row| *row == ["points", "against", "1", "2", "3"]).unwrap();
        assert_eq!(rows[first + 1], ["1", "b", "-", "1.5/2", "0/0"], "{shown}");
        assert_eq!(rows[first + 2], ["2", "a", "0.5/2", "-", "1/1"]);
        assert_eq!(rows[first + 3], ["3", "c", "0/0", "0/1", "-"]);
    }

    #[test]
    fn before_the_first_pair_there_is_no_elo() {
        let config = Config::default().completed().unwrap();
        let standings = Standings::new(2);
        let shown = Report { config: &config, standings: &standings, games: 100, openings: 79 }.to_string();
        assert!(shown.contains("player-1     0     0     0     0.0 %        -"), "{shown}");
    }
}
