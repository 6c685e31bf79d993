//! Plays the games of a match, several at a time, and takes their results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Sender, bounded};

use crate::board::Side;
use crate::engine::params::ParamError;
use crate::tournament::Stop;
use crate::tournament::config::Config;
use crate::tournament::control::Control;
use crate::tournament::game::{self, Played, Referee};
use crate::tournament::openings::{self, Opening, OpeningError, Source, Wanted};
use crate::tournament::player::{self, Player, StartError};
use crate::tournament::record::RecordError;
use crate::tournament::schedule::{Fixture, Schedule};
use crate::tournament::sprt::{Decision, SprtState};
use crate::tournament::standings::{Outcome, Standings};
use crate::tournament::text::ListError;
use crate::variant::Variant;

/// A match that cannot be played or goes no further.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player does not start at all.
    #[error("player `{name}`: {error}")]
    Start {
        /// Its name.
        name: String,
        /// Why.
        error: StartError,
    },
    /// There is nothing to begin with.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A parameter.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A time control.
    #[error(transparent)]
    Control(#[from] ListError),
    /// The files of the match.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Whoever watches cannot.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A match ready to be played.
pub struct Match<V: Variant> {
    /// Its settings, completed.
    pub config: Config,
    /// Its openings.
    pub openings: Vec<Opening<V>>,
    schedule: Schedule,
    controls: Vec<Control>,
    referee: Referee,
}

/// Why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All games were played.
    Complete,
    /// The test has decided.
    Decided,
    /// It was stopped.
    Stopped,
}

/// Gets every game with the standings after it, in the order of the games.
pub type Watcher<'a, V> = dyn FnMut(&Played<V>, &Outcome, &Standings) -> Result<(), MatchError> + 'a;

type Players<V> = Vec<Option<Box<dyn Player<V>>>>;

impl<V: Variant> Match<V> {
    /// Prepares a match: finds its openings.
    ///
    /// # Errors
    /// If a setting makes no sense or there are no openings.
    pub fn new(config: Config) -> Result<Self, MatchError> {
        let mut schedule = Schedule::new(config.players.len(), 1, config.games);
        let openings = openings::find(&Wanted {
            source: config.openings.clone(),
            plies: config.opening_plies,
            balance: (config.balance * 100.0).round() as i32,
            seed: config.seed,
            count: schedule.rounds(),
        })?;
        schedule = Schedule::new(config.players.len(), openings.len(), config.games);
        let controls = config.players.iter().map(|player| config.control(player)).collect::<Result<_, _>>()?;
        let referee = Referee {
            policy: config.policy::<V>()?,
            adjudication: config.adjudication(),
            margin: config.margin(),
            hang: config.hang(),
        };
        Ok(Self { config, openings, schedule, controls, referee })
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.schedule.games()
    }

    /// Digest of the openings, to tell whether a match goes on with the same ones. Of random
    /// openings the first one tells: there are as many as the match has games for.
    pub fn digest(&self) -> u64 {
        let shown = if matches!(self.config.openings, Source::Random(_)) { 1 } else { self.openings.len() };
        openings::digest(&self.openings[..shown])
    }

    /// The test of the match as it stands, if there is one.
    pub fn sprt(&self, standings: &Standings) -> Option<SprtState> {
        self.config.sprt.map(|sprt| sprt.state(&standings.scores[0].pairs))
    }

    fn is_decided(&self, standings: &Standings) -> bool {
        standings.is_even() && self.sprt(standings).is_some_and(|state| state.decision != Decision::Continue)
    }

    /// Starts every player once, so that a match with a wrong command fails before its first game.
    fn start_all(&self, stop: &Stop) -> Result<Players<V>, MatchError> {
        let start = |index: usize| {
            let spec = &self.config.players[index];
            let started = player::start(spec, &self.config, stop);
            started.map(Some).map_err(|error| MatchError::Start { name: spec.name.clone(), error })
        };
        (0..self.config.players.len()).map(start).collect()
    }

    /// Plays the games after those in `standings` until all are played, the test has decided, or the
    /// match is stopped. A decision stops the games still going on by `stop`.
    ///
    /// # Errors
    /// If a player does not start, or those of `watch`.
    pub fn run(&self, standings: &mut Standings, stop: &Stop, watch: &mut Watcher<V>) -> Result<Finish, MatchError> {
        let first = standings.games;
        if self.is_decided(standings) {
            return Ok(Finish::Decided);
        }
        if first >= self.games() {
            return Ok(Finish::Complete);
        }
        let workers = self.config.workers().min(self.games() - first);
        let mut started = match self.start_all(stop) {
            Ok(players) => Some(players),
            Err(_) if stop.is_set() => return Ok(Finish::Stopped),
            Err(error) => return Err(error),
        };
        let next = AtomicUsize::new(first);
        let (sender, results) = bounded(workers);
        thread::scope(|scope| {
            for _ in 0..workers {
                let players = started.take().unwrap_or_else(|| self.config.players.iter().map(|_| None).collect());
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || Worker { of: self, players, stop }.work(next, &sender));
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            while let Ok((fixture, played)) = results.recv() {
                waiting.insert(fixture.number, (fixture, played));
                while let Some((fixture, played)) = waiting.remove(&standings.games) {
                    let outcome = Outcome::of(&fixture, &played);
                    standings.add(&outcome);
                    let watched = watch(&played, &outcome, standings);
                    if watched.is_err() || self.is_decided(standings) {
                        stop.set();
                        // Workers that wait to deliver a game must not wait for ever.
                        drop(results);
                        return watched.map(|()| Finish::Decided);
                    }
                }
            }
            Ok(if standings.games < self.games() { Finish::Stopped } else { Finish::Complete })
        })
    }
}

/// A thread that plays games, with engines of its own.
struct Worker<'a, V: Variant> {
    of: &'a Match<V>,
    /// Those that have been started and are in good order.
    players: Players<V>,
    stop: &'a Stop,
}

impl<V: Variant> Worker<'_, V> {
    fn work(mut self, next: &AtomicUsize, results: &Sender<(Fixture, Played<V>)>) {
        while !self.stop.is_set() {
            let Some(fixture) = self.of.schedule.fixture(next.fetch_add(1, Relaxed)) else { return };
            let Some(played) = self.play(&fixture) else { return };
            if results.send((fixture, played)).is_err() {
                return;
            }
        }
    }

    /// Plays a game; none if the match is to end.
    fn play(&mut self, fixture: &Fixture) -> Option<Played<V>> {
        let mut seats = fixture.players.map(|index| self.take(index));
        let [white, black] = &mut seats;
        let controls = fixture.players.map(|index| self.of.controls[index]);
        let opening = &self.of.openings[fixture.opening];
        let played = game::play(opening, [white.as_mut(), black.as_mut()], controls, &self.of.referee)?;
        for (index, (player, side)) in fixture.players.into_iter().zip(seats.into_iter().zip(Side::BOTH)) {
            // One that has failed is replaced by a fresh one in its next game.
            if !played.end.disables(side) {
                self.players[index] = Some(player);
            }
        }
        Some(played)
    }

    /// The player, started if necessary.
    fn take(&mut self, index: usize) -> Box<dyn Player<V>> {
        self.players[index].take().unwrap_or_else(|| {
            let spec = &self.of.config.players[index];
            player::start(spec, &self.of.config, self.stop).unwrap_or_else(|error| player::absent(&error))
        })
    }
}
