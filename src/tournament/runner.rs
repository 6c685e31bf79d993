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
use crate::tournament::fault::Failure;
use crate::tournament::game::{self, Played, Referee};
use crate::tournament::openings::{self, Opening, OpeningError, Wanted};
use crate::tournament::player::{self, Player, StartError, Tell};
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

/// The players that a thread has started.
pub type Players<V> = Vec<Option<Box<dyn Player<V>>>>;

impl<V: Variant> Match<V> {
    /// Prepares a match: finds its openings. If its games would repeat, it ends with them.
    ///
    /// # Errors
    /// If a setting makes no sense, there are no openings, or `stop` is set.
    pub fn new(config: Config, stop: &Stop) -> Result<Self, MatchError> {
        let rounds = config.games / 2;
        let wanted = Wanted {
            source: config.openings.clone(),
            plies: config.opening_plies,
            balance: (config.balance * 100.0).round() as i32,
            seed: config.seed,
            count: rounds,
        };
        let openings = openings::find(&wanted, stop)?;
        let rounds = if config.repeats() { rounds.min(openings.len()) } else { rounds };
        let schedule = Schedule::new(config.players.len(), openings.len(), 2 * rounds);
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

    /// A game by its number from 0, with the digest of its opening; none beyond the last.
    pub fn planned(&self, number: usize) -> Option<(Fixture, u64)> {
        let fixture = self.schedule.fixture(number)?;
        Some((fixture, openings::digest(self.openings[fixture.opening].states())))
    }

    /// What whoever starts the match should know: settings that were changed, and too few openings.
    pub fn notes(&self) -> Vec<String> {
        let (rounds, openings) = (self.config.games / 2, self.openings.len());
        let few = (openings < rounds).then(|| {
            let how = if self.config.repeats() {
                "games from them would repeat, so the match ends with them"
            } else {
                "they are used again"
            };
            format!("{openings} openings for {rounds} pairs of games: {how}")
        });
        self.config.notes().into_iter().chain(few).collect()
    }

    /// The test of the match as it stands, if there is one.
    pub fn sprt(&self, standings: &Standings) -> Option<SprtState> {
        self.config.sprt.map(|sprt| sprt.state(&standings.scores[0].pairs))
    }

    fn is_decided(&self, standings: &Standings) -> bool {
        standings.is_even() && self.sprt(standings).is_some_and(|state| state.decision != Decision::Continue)
    }

    /// Starts every player once, so that a match with a wrong command fails before its first game. `tell` gets what
    /// they have to say about it.
    ///
    /// # Errors
    /// If one does not start.
    pub fn start(&self, stop: &Stop, tell: Tell) -> Result<Players<V>, MatchError> {
        let start = |index: usize| {
            let spec = &self.config.players[index];
            let started = player::start(spec, &self.config, stop, tell);
            started.map(Some).map_err(|error| MatchError::Start { name: spec.name.clone(), error })
        };
        (0..self.config.players.len()).map(start).collect()
    }

    /// Plays the games after those in `standings` until all are played, the test has decided, or the
    /// match is stopped. A decision stops the games still going on by `stop`.
    ///
    /// # Errors
    /// If a player does not start any more, or those of `watch`.
    pub fn run(
        &self,
        players: Players<V>,
        standings: &mut Standings,
        stop: &Stop,
        watch: &mut Watcher<V>,
    ) -> Result<Finish, MatchError> {
        let first = standings.games;
        if self.is_decided(standings) {
            return Ok(Finish::Decided);
        }
        if first >= self.games() {
            return Ok(Finish::Complete);
        }
        let workers = self.config.workers().min(self.games() - first);
        let mut started = Some(players);
        let next = AtomicUsize::new(first);
        let refusals: Vec<_> = self.config.players.iter().map(|_| AtomicUsize::new(0)).collect();
        let (sender, results) = bounded(workers);
        thread::scope(|scope| {
            for _ in 0..workers {
                let players = started.take().unwrap_or_else(|| self.config.players.iter().map(|_| None).collect());
                let (sender, next, refusals) = (sender.clone(), &next, &refusals);
                let failed = vec![false; players.len()];
                scope.spawn(move || Worker { of: self, players, failed, refusals, stop }.work(next, &sender));
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            while let Ok(result) = results.recv() {
                let (fixture, played) = match result {
                    Ok(played) => played,
                    Err(error) => {
                        stop.set();
                        drop(results);
                        return Err(error);
                    }
                };
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
    /// Those that have been started and are in good order, or can be set right.
    players: Players<V>,
    /// Whether each has to be set right.
    failed: Vec<bool>,
    /// How often in a row each player could not be started again, by any worker.
    refusals: &'a [AtomicUsize],
    stop: &'a Stop,
}

/// How often in a row a player may fail to start before the match is given up.
const MOST_REFUSALS: usize = 3;

/// A game, or why the match cannot go on.
type Delivered<V> = Result<(Fixture, Played<V>), MatchError>;

impl<V: Variant> Worker<'_, V> {
    fn work(mut self, next: &AtomicUsize, results: &Sender<Delivered<V>>) {
        while !self.stop.is_set() {
            let Some(fixture) = self.of.schedule.fixture(next.fetch_add(1, Relaxed)) else { return };
            let delivered = match self.play(&fixture) {
                Ok(Some(played)) => Ok((fixture, played)),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let is_last = delivered.is_err();
            if results.send(delivered).is_err() || is_last {
                return;
            }
        }
    }

    /// Plays a game; none if the match is to end.
    fn play(&mut self, fixture: &Fixture) -> Result<Option<Played<V>>, MatchError> {
        let [white, black] = fixture.players;
        let mut seats = [self.take(white)?, self.take(black)?];
        let [white, black] = &mut seats;
        let controls = fixture.players.map(|index| self.of.controls[index]);
        let opening = &self.of.openings[fixture.opening];
        let played = game::play(opening, [white.as_mut(), black.as_mut()], controls, &self.of.referee);
        let Some(played) = played else { return Ok(None) };
        for (index, (player, side)) in fixture.players.into_iter().zip(seats.into_iter().zip(Side::BOTH)) {
            if self.players[index].is_some() {
                // It was absent, and waits to be renewed.
                continue;
            }
            // One that has failed is renewed for its next game, or replaced by a fresh one.
            self.failed[index] = played.end.disables(side);
            self.players[index] = (!self.failed[index] || player.is_renewable()).then_some(player);
        }
        Ok(Some(played))
    }

    /// The player, started if necessary. One that does not start loses the game, but not all games to come.
    fn take(&mut self, index: usize) -> Result<Box<dyn Player<V>>, MatchError> {
        let of = self.of;
        let spec = &of.config.players[index];
        let ready = match self.players[index].take() {
            Some(player) if !self.failed[index] => return Ok(player),
            Some(mut player) => match player.renew() {
                Ok(()) => Ok(player),
                Err(error) => {
                    self.players[index] = Some(player);
                    Err(error)
                }
            },
            None => player::start(spec, &of.config, self.stop, &mut |text| log::info!("{text}")),
        };
        match ready {
            Ok(player) => {
                self.refusals[index].store(0, Relaxed);
                Ok(player)
            }
            // That it is not there may be due to the stop.
            Err(_) if self.stop.is_set() => Ok(player::absent(&Failure::Stopped.into())),
            Err(error) if self.refusals[index].fetch_add(1, Relaxed) + 1 < MOST_REFUSALS => Ok(player::absent(&error)),
            Err(error) => Err(MatchError::Start { name: spec.name.clone(), error }),
        }
    }
}
