//! The other program: sends and receives messages, and plays games with random moves.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use meerslag::board::{DrawPolicy, Game, Position, Side, legal_moves};
use meerslag::notation::hub::HubMove;
use meerslag::protocol::dxp::message::{Acceptance, GameRequest, Message, Reason};
use meerslag::util::rng::Rng;
use meerslag::variant::Variant;

/// Within this a message must arrive and a process end; far above what they need.
pub const DEADLINE: Duration = Duration::from_secs(60);

pub struct Peer {
    stream: TcpStream,
    /// Whether every byte travels alone.
    pub byte_by_byte: bool,
    /// Time that the other side has taken for its moves in the last game, from what was sent to what came.
    pub waited: Duration,
}

impl Peer {
    pub fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).unwrap())
    }

    pub fn accept(listener: &TcpListener) -> Self {
        Self::over(listener.accept().unwrap().0)
    }

    fn over(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.set_write_timeout(Some(DEADLINE)).unwrap();
        Self { stream, byte_by_byte: false, waited: Duration::ZERO }
    }

    /// Sends bytes as they are; tells whether the other side was there to get them.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> bool {
        if !self.byte_by_byte {
            return self.stream.write_all(bytes).is_ok();
        }
        bytes.iter().all(|byte| {
            std::thread::sleep(Duration::from_micros(200));
            self.stream.write_all(&[*byte]).is_ok()
        })
    }

    /// Sends messages in one packet.
    pub fn send(&mut self, messages: &[&str]) {
        let bytes: String = messages.iter().map(|text| format!("{text}\0")).collect();
        assert!(self.send_bytes(bytes.as_bytes()), "{messages:?}");
    }

    /// The next message; `None` at the end of the connection.
    pub fn receive(&mut self) -> Option<String> {
        let begin = Instant::now();
        let mut text = Vec::new();
        let mut byte = [0];
        loop {
            assert!(begin.elapsed() < DEADLINE, "no message comes");
            match self.stream.read(&mut byte) {
                Ok(1) if byte[0] == 0 => return Some(String::from_utf8(text).unwrap()),
                Ok(1) => text.push(byte[0]),
                Ok(_) => return None,
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("{error} after `{}`", text.escape_ascii()),
            }
        }
    }

    /// The next message that is not chat.
    pub fn expect(&mut self) -> Message {
        loop {
            let text = self.receive().expect("the connection holds");
            match Message::decode(text.as_bytes()).unwrap() {
                Message::Chat(_) => {}
                message => {
                    assert_eq!(message.encode(), text, "written as the protocol says");
                    return message;
                }
            }
        }
    }

    /// Asks for a game and expects it to be accepted. Passes over what belongs to a game before.
    pub fn ask(&mut self, request: &str) {
        self.send(&[request]);
        loop {
            if let Message::Answer { name, acceptance } = self.expect() {
                assert!(name.starts_with("Meerslag "), "{name}");
                assert_eq!(acceptance, Acceptance::Accepted, "{request}");
                return;
            }
        }
    }

    /// Plays a game to its end with random moves, checking everything that comes; returns the result as
    /// this side has it and the number of moves.
    pub fn play<V: Variant>(&mut self, request: &GameRequest, rng: &mut Rng) -> (Reason, usize) {
        let mut sent = Instant::now();
        self.waited = Duration::ZERO;
        self.ask(&Message::Request(request.clone()).encode());
        let start = request.start.as_ref().map_or_else(Position::start, |setup| Position::try_from(setup).unwrap());
        let mut game = Game::<V>::new(start);
        let policy = DrawPolicy::of::<V>();
        loop {
            if game.position().side_to_move() == request.follower {
                match self.expect() {
                    Message::Move { mv, .. } => {
                        self.waited += sent.elapsed();
                        play(&mut game, &mv);
                    }
                    Message::End { reason, stop } => {
                        assert!(!stop);
                        check_end(&game, &policy, request, reason);
                        self.send(&["E00"]);
                        return (reason.seen_by_other(), game.moves().len());
                    }
                    other => panic!("{other:?}"),
                }
                continue;
            }
            if let Some(over) = game.over(&policy) {
                let reason = match over.winner() {
                    None => Reason::Draw,
                    Some(side) if side == request.follower => Reason::Lost,
                    Some(_) => Reason::Won,
                };
                self.send(&[&Message::End { reason, stop: false }.encode()]);
                assert_eq!(self.expect(), Message::End { reason: Reason::Unknown, stop: false });
                return (reason, game.moves().len());
            }
            let legal = legal_moves(game.position());
            let mv = legal[rng.below(legal.len())];
            game.play(mv).unwrap();
            let message = Message::Move { seconds: 0, mv: HubMove::of::<V>(mv) };
            sent = Instant::now();
            self.send(&[&message.encode()]);
        }
    }

    /// Plays the game that it is asked for with random moves and gives it up after so many of the other side;
    /// returns the request.
    pub fn follow<V: Variant>(&mut self, most: usize, rng: &mut Rng) -> GameRequest {
        let Message::Request(request) = self.expect() else { panic!("it is to be asked for a game") };
        let mut game = Game::<V>::new(Position::start());
        let (mut sent, mut moves) = (Instant::now(), 0);
        self.waited = Duration::ZERO;
        self.send(&["ATester                          0"]);
        loop {
            if game.position().side_to_move() != request.follower {
                let Message::Move { mv, .. } = self.expect() else { panic!("it is to move") };
                self.waited += sent.elapsed();
                play(&mut game, &mv);
                moves += 1;
                continue;
            }
            let legal = legal_moves(game.position());
            if moves == most || legal.is_empty() {
                self.send(&["E10"]);
                assert_eq!(self.expect().encode(), "E00");
                return request;
            }
            let mv = legal[rng.below(legal.len())];
            game.play(mv).unwrap();
            sent = Instant::now();
            self.send(&[&Message::Move { seconds: 0, mv: HubMove::of::<V>(mv) }.encode()]);
        }
    }
}

/// Plays a move of the follower, which must be legal and complete.
fn play<V: Variant>(game: &mut Game<V>, mv: &HubMove) {
    let legal = legal_moves(game.position());
    let found = legal.iter().find(|legal| HubMove::of::<V>(**legal) == *mv);
    game.play(*found.unwrap_or_else(|| panic!("{mv} is not legal"))).unwrap();
}

/// The follower may end a game that is over or has reached its limit, and says how it ended.
fn check_end<V: Variant>(game: &Game<V>, policy: &DrawPolicy, request: &GameRequest, reason: Reason) {
    match game.over(policy).map(|over| over.winner()) {
        Some(None) => assert_eq!(reason, Reason::Draw),
        Some(Some(side)) => assert_eq!(reason == Reason::Won, side == request.follower, "{reason:?}"),
        None => {
            let first = game.start().side_to_move() == request.follower;
            let own = if first { game.moves().len().div_ceil(2) } else { game.moves().len() / 2 };
            assert_eq!(Some(own as u32), request.moves, "the game is not over");
        }
    }
}

/// A request of so many seconds from the start of the game.
pub fn request(follower: Side, seconds: u64, moves: Option<u32>) -> GameRequest {
    GameRequest { name: "Tester".into(), follower, time: Duration::from_secs(seconds), moves, start: None }
}

/// A game of the fewest moves, to see that all is well.
pub fn short_game<V: Variant>(peer: &mut Peer) {
    let mut rng = Rng::new(7);
    let (_, plies) = peer.play::<V>(&request(Side::Black, 0, Some(2)), &mut rng);
    assert!(plies >= 4, "{plies} plies");
}
