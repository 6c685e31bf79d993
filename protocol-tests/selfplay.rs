//! Whole games of the engine against itself: every move legal, every end explained, nothing hangs.

mod support;

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use meerslag::board::{Bitboard, Game, GameOver, Move, Position, legal_moves};
use meerslag::engine::Engine;
use meerslag::notation::hub::{HubMove, write_position};
use meerslag::search::Limits;
use meerslag::util::rng::Rng;
use meerslag::variant::Variant;
use meerslag::variant::rules::{CaptureChoice, Goal, Repetition};
use support::for_every_variant;

/// Longest time for one test; a hang fails instead of blocking.
const DEADLINE: Duration = Duration::from_secs(120);
/// Every game ends by rule long before, but for endings that no rule of the variant stops.
const MAX_PLIES: usize = 600;
/// Random plies at the start, so that games differ.
const RANDOM_PLIES: usize = 6;
/// What each side has for a game on the clock.
const CLOCK: Duration = Duration::from_secs(1);
/// What the pipes and the scheduler may add to all moves of a side together: the clock runs here,
/// outside of the engine. A move that comes later than that has lost the game on time.
const GRACE: Duration = Duration::from_millis(60);

/// Runs `work` in a thread of its own and fails if it does not end in time.
fn within_deadline<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(DEADLINE).expect("the games end in time and without a panic")
}

/// Checks a move against what holds for any move, apart from the generator's word for it.
fn check_move<V: Variant>(before: &Position<V>, mv: Move) {
    let side = before.side_to_move();
    assert!(legal_moves(before).contains(&mv));
    assert!(before.pieces(side).contains(mv.from));
    assert!(mv.to == mv.from || !before.occupied().contains(mv.to));
    assert!(mv.captured.without(before.pieces(side.opponent())).is_empty());
    let most = legal_moves(before).iter().map(|other| other.captured.count()).max();
    if V::RULES.choice == CaptureChoice::Most {
        assert_eq!(Some(mv.captured.count()), most, "the majority rule");
    }

    let after = before.after(mv);
    assert_eq!(after.side_to_move(), side.opponent());
    assert_eq!(after.pieces(side), before.pieces(side).without(Bitboard::from(mv.from)) | Bitboard::from(mv.to));
    assert_eq!(after.pieces(side.opponent()), before.pieces(side.opponent()).without(mv.captured));
}

/// Checks that the reason for the end holds on the board.
fn check_end<V: Variant>(game: &Game<V>, over: GameOver) {
    let position = game.position();
    match over {
        GameOver::Win(winner, _) => {
            assert_eq!(winner == position.side_to_move(), V::RULES.goal == Goal::BeBlocked);
            assert!(legal_moves(position).is_empty());
        }
        GameOver::Draw(_) => {
            let recurs = game.states().iter().filter(|state| state.position == *position).count() >= 3;
            assert!(recurs || !position.all_kings().is_empty(), "a draw by rule needs a repetition or a king");
        }
        GameOver::PieceCount(_) => {
            assert_eq!(V::RULES.draws(None).repetition, Repetition::SearchOnly, "a rule would have ended the game");
            assert!(position.occupied().count() <= 8, "the game went nowhere");
        }
    }
    assert!(!over.to_string().is_empty());
}

/// Plays one game, its random start apart by `search`, to its end.
fn play<V: Variant>(seed: u64, mut search: impl FnMut(&mut Engine<V>) -> Move) -> (Game<V>, GameOver) {
    let mut rng = Rng::new(seed);
    let mut engine = Engine::<V>::new(1, 8).unwrap();
    for ply in 0..MAX_PLIES {
        if let Some(over) = engine.over() {
            check_end(&engine.game, over);
            return (engine.game.clone(), over);
        }
        let mv = if ply < RANDOM_PLIES {
            let moves = legal_moves(engine.game.position());
            moves[rng.below(moves.len())]
        } else {
            search(&mut engine)
        };
        check_move(engine.game.position(), mv);
        engine.game.play(mv).unwrap();
    }
    let over = engine.game.count_pieces();
    check_end(&engine.game, over);
    (engine.game.clone(), over)
}

/// Some games at a small depth in this process.
fn fixed_depth<V: Variant>() {
    let games = within_deadline(|| {
        let depth = Limits { depth: Some(4), ..Limits::default() };
        let search = |engine: &mut Engine<V>| engine.search(depth).done.best.unwrap();
        (1..=6).map(|seed| play::<V>(seed, search).0.moves().to_vec()).collect::<Vec<_>>()
    });
    let different: HashSet<_> = games.iter().collect();
    assert_eq!(different.len(), games.len(), "the random starts make the games differ");
}

/// A live engine under a game clock.
struct HubPlayer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Time from each `go` to its `done`, summed up.
    spent: Duration,
}

impl HubPlayer {
    fn start<V: Variant>() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_meerslag"))
            .args(["hub", "--variant", V::ID.hub_name(), "--hash", "8"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut player = Self { child, input, output, spent: Duration::ZERO };
        player.send("hub");
        player.wait_for("wait");
        player.send("init");
        player.wait_for("ready");
        player
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The first line that begins with `start`, without it.
    fn wait_for(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the process ended before `{start}`");
            assert!(!line.starts_with("error"), "{line}");
            if let Some(rest) = line.trim_end().strip_prefix(start) {
                return rest.into();
            }
        }
    }

    fn find_move<V: Variant>(&mut self, game: &Game<V>) -> Move {
        let moves: Vec<_> = game.moves().iter().map(|mv| HubMove::of::<V>(*mv).to_string()).collect();
        self.send(&format!("pos pos={} moves=\"{}\"", write_position(game.start()), moves.join(" ")));
        self.send(&format!("level time={}", CLOCK.saturating_sub(self.spent).as_secs_f64()));
        let started = Instant::now();
        self.send("go think");
        let done = self.wait_for("done move=");
        self.spent += started.elapsed();
        assert!(self.spent <= CLOCK + GRACE, "{:?} spent by move {}", self.spent, moves.len() / 2 + 1);
        let text = done.split(' ').next().unwrap_or_default();
        let mv: HubMove = text.parse().unwrap();
        mv.resolve::<V>(&legal_moves(game.position())).unwrap_or_else(|| panic!("illegal move {text}"))
    }

    fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// A whole game between two processes, with a second on each clock and no increment.
fn one_second<V: Variant>() {
    within_deadline(|| {
        let mut players = [HubPlayer::start::<V>(), HubPlayer::start::<V>()];
        play::<V>(1, |engine| players[engine.game.position().side_to_move().index()].find_move(&engine.game));
        players.into_iter().for_each(HubPlayer::quit);
    });
}

for_every_variant!(fixed_depth, one_second);
