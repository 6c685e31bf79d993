//! The referee: plays one game by the rules of this engine's board, whatever the players think.

use std::time::Duration;

use crate::board::{DrawPolicy, Game, Move, Side, legal_moves};
use crate::notation::hub::HubMove;
use crate::search::Score;
use crate::tournament::adjudication::Adjudication;
use crate::tournament::control::{Control, GameClock};
use crate::tournament::fault::{Claim, Failure, Fault, Termination};
use crate::tournament::openings::Opening;
use crate::tournament::player::{Answer, NewGame, Player};
use crate::variant::Variant;

/// Moves each behind the opening after which a game that finds no end is a draw.
const LONGEST_GAME: usize = 500;

/// What the referee goes by.
#[derive(Clone, Copy, Debug)]
pub struct Referee {
    /// The draw rules in force.
    pub policy: DrawPolicy,
    /// What else ends a game.
    pub adjudication: Adjudication,
    /// By how much a move may be late.
    pub margin: Duration,
    /// How long an engine may be silent beyond its time.
    pub hang: Duration,
}

/// What is known of a move that was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remark {
    /// Who played it.
    pub side: Side,
    /// Its value for the mover.
    pub score: Option<Score>,
    /// Depth searched.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Time it took.
    pub elapsed: Duration,
    /// By how much that was too long.
    pub overrun: Duration,
    /// Left on the clock, if there is one.
    pub clock: Option<Duration>,
    /// Whether there was no choice.
    pub forced: bool,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played<V: Variant> {
    /// The game, opening included.
    pub game: Game<V>,
    /// What is known of the moves behind the opening; the last one may not have been played, if
    /// it came too late or was not legal.
    pub remarks: Vec<Remark>,
    /// How it ended.
    pub end: Termination,
}

impl<V: Variant> Played<V> {
    /// Plies of the opening.
    pub fn opening_plies(&self) -> usize {
        self.game.moves().len() - (self.remarks.len() - usize::from(self.ends_unplayed()))
    }

    /// Whether the last remark is about a move that was not accepted: then its player is still on move.
    pub fn ends_unplayed(&self) -> bool {
        self.remarks.last().is_some_and(|last| last.side == self.game.position().side_to_move())
    }
}

/// The players of a game, White first.
pub type Seats<'a, V> = [&'a mut dyn Player<V>; 2];

/// Plays a game and tells the players how it ended; none if the match is to end.
pub fn play<V: Variant>(
    opening: &Opening<V>,
    [white, black]: Seats<V>,
    controls: [Control; 2],
    referee: &Referee,
) -> Option<Played<V>> {
    let played = play_moves(opening, [&mut *white, &mut *black], controls, referee)?;
    for player in [white, black] {
        player.end_game(&played.game, &played.end);
    }
    Some(played)
}

fn play_moves<V: Variant>(
    opening: &Opening<V>,
    players: Seats<V>,
    controls: [Control; 2],
    referee: &Referee,
) -> Option<Played<V>> {
    let mut played = Played { game: opening.clone(), remarks: Vec::new(), end: Termination::DrawAgreed };
    let mut clocks = controls.map(GameClock::new);
    for side in Side::BOTH {
        let terms = NewGame { side, opening, control: controls[side.index()] };
        if let Err(failure) = players[side.index()].new_game(&terms) {
            return end_by(failure, side).map(|end| Played { end, ..played });
        }
    }
    loop {
        if let Some(end) = over(&played, referee) {
            return Some(Played { end, ..played });
        }
        let side = played.game.position().side_to_move();
        let waiting = side.opponent().index();
        players[waiting].ponder(&played.game, clocks[waiting].limits());
        let clock = &mut clocks[side.index()];
        match players[side.index()].find_move(&played.game, clock.limits(), clock.patience(referee.hang)) {
            Err(failure) => return end_by(failure, side).map(|end| Played { end, ..played }),
            Ok(answer) => {
                if let Err(fault) = accept(&mut played, answer, clock, referee) {
                    return Some(Played { end: Termination::Fault(side, fault), ..played });
                }
            }
        }
    }
}

/// How the game ends when this side gives no answer; none if the match is to end.
fn end_by(failure: Failure, side: Side) -> Option<Termination> {
    match failure {
        Failure::Fault(fault) => Some(Termination::Fault(side, fault)),
        Failure::Ended(Claim::Loss) => Some(Termination::Conceded(side)),
        Failure::Ended(Claim::Draw) => Some(Termination::DrawClaimed(side)),
        Failure::Stopped => None,
    }
}

fn over<V: Variant>(played: &Played<V>, referee: &Referee) -> Option<Termination> {
    let by_rule = played.game.over(&referee.policy).map(Termination::Rule);
    let adjudicated = || {
        let scores: Vec<_> = played.remarks.iter().map(|remark| remark.score).collect();
        referee.adjudication.verdict(&played.game, &scores)
    };
    let too_long = || (played.remarks.len() >= 2 * LONGEST_GAME).then_some(Termination::TooLong);
    by_rule.or_else(adjudicated).or_else(too_long)
}

/// Plays the answer of the side to move, if it is in time and legal.
fn accept<V: Variant>(
    played: &mut Played<V>,
    answer: Answer,
    clock: &mut GameClock,
    referee: &Referee,
) -> Result<(), Fault> {
    let legal = legal_moves(played.game.position());
    let overrun = clock.spend(answer.elapsed);
    let Answer { best, score, depth, nodes, elapsed } = answer;
    let side = played.game.position().side_to_move();
    let (clock, forced) = (clock.left(), legal.len() == 1);
    played.remarks.push(Remark { side, score, depth, nodes, elapsed, overrun, clock, forced });
    if overrun > referee.margin {
        return Err(Fault::Time(overrun));
    }
    let mv = read_move::<V>(&best, &legal)?;
    played.game.play(mv).expect("the move is one of the legal moves");
    Ok(())
}

fn read_move<V: Variant>(text: &str, legal: &[Move]) -> Result<Move, Fault> {
    let mv: HubMove = text.parse().map_err(|_| Fault::Garbage(text.into()))?;
    mv.resolve::<V>(legal).ok_or_else(|| Fault::IllegalMove(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::fen::position;
    use crate::search::Limits;
    use crate::tournament::config::Config;
    use crate::tournament::control::Patience;
    use crate::variant::rules::{DrawProfile, KingAgainstKing};
    use crate::variant::{Brazilian, International};

    /// Answers from a list, each after the same time.
    struct Scripted(Vec<&'static str>, Duration);

    impl<V: Variant> Player<V> for Scripted {
        fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
            Ok(())
        }

        fn find_move(&mut self, _: &Game<V>, _: Limits, patience: Patience) -> Result<Answer, Failure> {
            if self.0.is_empty() {
                return Err(Fault::Hang(patience.total).into());
            }
            Ok(Answer { best: self.0.remove(0).into(), elapsed: self.1, ..Answer::default() })
        }
    }

    /// Notes when it is told that the opponent thinks: after how many moves, and with what time for its own next one.
    struct Waiting(Scripted, Vec<(usize, u128)>);

    impl<V: Variant> Player<V> for Waiting {
        fn new_game(&mut self, _: &NewGame<V>) -> Result<(), Failure> {
            Ok(())
        }

        fn find_move(&mut self, game: &Game<V>, limits: Limits, patience: Patience) -> Result<Answer, Failure> {
            self.0.find_move(game, limits, patience)
        }

        fn ponder(&mut self, game: &Game<V>, limits: Limits) {
            self.1.push((game.moves().len(), limits.clock.unwrap().time.as_millis()));
        }
    }

    fn referee(move_limit: Option<usize>, policy: DrawPolicy) -> Referee {
        Referee {
            policy,
            adjudication: Config { move_limit, ..Config::default() }.adjudication(),
            margin: Duration::from_millis(50),
            hang: Duration::from_secs(1),
        }
    }

    fn end_of<V: Variant>(white: &[&'static str], black: &[&'static str], elapsed: u64) -> (usize, Termination) {
        let elapsed = Duration::from_millis(elapsed);
        let mut players = [white, black].map(|moves| Scripted(moves.to_vec(), elapsed));
        let [white, black] = &mut players;
        let referee = referee(Some(1), DrawPolicy::of::<V>());
        let control = Control { move_time: Some(Duration::from_millis(100)), ..Control::default() };
        let played = play::<V>(&Game::new(Position::start()), [white, black], [control; 2], &referee).unwrap();
        (played.game.moves().len(), played.end)
    }

    #[test]
    fn faults_end_the_game() {
        let white = |fault| Termination::Fault(Side::White, fault);
        let black = |fault| Termination::Fault(Side::Black, fault);
        let end = |w: &[&'static str], b: &[&'static str], ms| end_of::<International>(w, b, ms);
        assert_eq!(end(&["32-27"], &["1-6"], 0), (1, black(Fault::IllegalMove("1-6".into()))));
        assert_eq!(end(&["32-27"], &["??"], 0), (1, black(Fault::Garbage("??".into()))));
        assert_eq!(end(&["32-27"], &[], 0), (1, black(Fault::Hang(Duration::from_millis(1100)))));
        assert_eq!(end(&["32-27"], &[], 151), (0, white(Fault::Time(Duration::from_millis(51)))));
        assert_eq!(black(Fault::Garbage(String::new())).winner(), Some(Side::White));
    }

    #[test]
    fn who_waits_is_told_that_the_opponent_thinks() {
        let [mut white, mut black] = [vec!["32-27", "37-32"], vec!["19-23", "20-24"]]
            .map(|moves| Waiting(Scripted(moves, Duration::from_millis(100)), Vec::new()));
        let control = Control { clock: "1".parse().ok(), ..Control::default() };
        let referee = referee(Some(2), DrawPolicy::of::<International>());
        let start = Game::<International>::new(Position::start());
        let played = play(&start, [&mut white, &mut black], [control; 2], &referee).unwrap();
        assert_eq!(played.end.kind(), "move-limit");
        assert_eq!((white.1, black.1), (vec![(1, 900), (3, 800)], vec![(0, 1000), (2, 900)]));
    }

    #[test]
    fn lateness_within_the_margin_is_forgiven() {
        let (plies, end) = end_of::<Brazilian>(&["21-17"], &["9-13"], 150);
        assert_eq!((plies, end.kind()), (2, "move-limit"));
    }

    #[test]
    fn a_game_without_an_end_has_one() {
        let [mut white, mut black] =
            [["6-1", "1-6"], ["45-50", "50-45"]].map(|moves| Scripted(moves.repeat(400), Duration::ZERO));
        let rules = International::RULES.draws(Some(DrawProfile::None));
        let referee = referee(None, DrawPolicy { rules, king_against_king: KingAgainstKing::Count });
        let mut opening = Game::<International>::new(position("W:WK6:BK45").unwrap());
        let mv = read_move::<International>("6-1", &legal_moves(opening.position())).unwrap();
        opening.play(mv).unwrap();
        white.0.remove(0);
        let played = play(&opening, [&mut white, &mut black], [Control::default(); 2], &referee).unwrap();
        assert_eq!((played.end.kind(), played.end.winner(), played.game.moves().len()), ("too-long", None, 1001));
    }
}
