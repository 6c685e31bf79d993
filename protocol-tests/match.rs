//! Matches: fake engines with every fault, repeatability, resuming, and the command itself.

#[path = "match/command.rs"]
mod command;
#[path = "match/fake.rs"]
mod fake;
#[path = "match/faults.rs"]
mod faults;
#[path = "match/games.rs"]
mod games;

use meerslag::board::Game;
use meerslag::notation::hub::HubMove;
use meerslag::tournament::Stop;
use meerslag::tournament::config::Config;
use meerslag::tournament::runner::{Finish, Match, MatchError};
use meerslag::tournament::standings::{Outcome, Standings};
use meerslag::variant::Variant;

/// A played match.
struct Result {
    finish: Finish,
    standings: Standings,
    outcomes: Vec<Outcome>,
    /// The moves of each game.
    games: Vec<String>,
}

fn config(text: &str) -> Config {
    Config::from_toml(text).unwrap_or_else(|error| panic!("{text}: {error}")).completed().unwrap()
}

fn moves<V: Variant>(game: &Game<V>) -> String {
    game.moves().iter().map(|mv| HubMove::of::<V>(*mv).to_string()).collect::<Vec<_>>().join(" ")
}

/// Plays a match described by a configuration file.
fn play<V: Variant>(text: &str) -> std::result::Result<Result, MatchError> {
    let stop = Stop::default();
    let the_match = Match::<V>::new(config(text), &stop)?;
    let players = the_match.start(&stop, &mut |_| {})?;
    let mut standings = Standings::new(the_match.config.players.len());
    let (mut outcomes, mut games) = (Vec::new(), Vec::new());
    let finish = the_match.run(players, &mut standings, &stop, &mut |played, outcome, _| {
        outcomes.push(outcome.clone());
        games.push(moves(&played.game));
        Ok(())
    })?;
    Ok(Result { finish, standings, outcomes, games })
}
