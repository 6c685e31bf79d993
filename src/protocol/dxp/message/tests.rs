use proptest::prelude::*;

use super::*;
use crate::board::{Piece, Role, Setup};

fn decode(text: &str) -> Result<Message, MessageError> {
    Message::decode(text.as_bytes())
}

fn padded(name: &str) -> String {
    format!("{name:<32}")
}

fn mv(text: &str) -> HubMove {
    text.parse().unwrap()
}

fn request(name: &str, seconds: u64, moves: Option<u32>) -> GameRequest {
    let time = std::time::Duration::from_secs(seconds);
    GameRequest { name: name.into(), follower: Side::Black, time, moves, start: None }
}

/// `text` is what `message` is written as, and is read as it.
fn same(text: &str, message: Message) {
    assert_eq!(message.encode(), text);
    assert_eq!(decode(text), Ok(message));
}

#[test]
fn requests_from_the_start() {
    let text = format!("R01{}Z005075A", padded("Test 1.0"));
    assert_eq!(text.len(), 43);
    same(&text, Message::Request(request("Test 1.0", 300, Some(75))));
    let text = format!("R01{}Z120000A", padded("Test 1.0"));
    same(&text, Message::Request(request("Test 1.0", 7200, None)));
}

#[test]
fn requests_with_a_position() {
    let text = format!("R01{}W.05000BWZeeeeez{}W", padded("Test 1.0"), "e".repeat(42));
    assert_eq!(text.len(), 94);
    let mut setup = Setup::empty(50, Side::White);
    setup.put(1, Piece { side: Side::Black, role: Role::King }).unwrap();
    setup.put(7, Piece { side: Side::Black, role: Role::Man }).unwrap();
    setup.put(50, Piece { side: Side::White, role: Role::King }).unwrap();
    let expected = GameRequest { follower: Side::White, start: Some(setup), ..request("Test 1.0", 3, None) };
    same(&text, Message::Request(expected));
}

#[test]
fn requests_on_the_small_board() {
    let text = format!("R01{}W005075BW{}{}{}", padded("DXP Client"), "z".repeat(12), "e".repeat(8), "w".repeat(12));
    assert_eq!(text.len(), 76);
    let Ok(Message::Request(read)) = decode(&text) else { panic!("{text}") };
    assert_eq!(read.start.as_ref().map(|setup| setup.squares.len()), Some(32));
    assert_eq!(Message::Request(read).encode(), text);
}

#[test]
fn requests_in_the_dialects_of_programs() {
    let usual = decode(&format!("R01{}Z005075A", padded("Test 1.0")));
    let lower = format!("r01{}z005075a", padded("Test 1.0"));
    let dutch = format!("R01{}B005075A\r\n", padded("Test 1.0"));
    let blanks = format!("R01{}Z  5 75A", padded("Test 1.0"));
    for text in [lower, dutch, blanks, "R01Test 1.0Z005075A".into()] {
        assert_eq!(decode(&text), usual, "{text}");
    }
    let squares = format!("{}{}W", "e".repeat(30), "e".repeat(19));
    let unpadded = format!("R01Test 1.0Z005075BZ{squares}");
    let full = format!("R01{}Z005075BZ{squares}", padded("Test 1.0"));
    assert_eq!(decode(&unpadded), decode(&full));
    let shouting = full.replace(&squares, &squares.replace('e', "E"));
    assert_eq!(decode(&shouting), decode(&full));
    // Black as in English, which is not a king of White.
    let english = format!("R01{}Z005075BB{}bB", padded("Test 1.0"), "e".repeat(48));
    let Ok(Message::Request(GameRequest { start: Some(setup), .. })) = decode(&english) else { panic!("{english}") };
    assert_eq!(setup.side, Side::Black);
    let black = |role| Some(Piece { side: Side::Black, role });
    assert_eq!(setup.squares[48..], [black(Role::Man), black(Role::King)]);
}

#[test]
fn requests_that_cannot_be_granted() {
    let name = padded("Test 1.0");
    for (text, expected) in [
        (format!("R02{name}Z005075A"), "version `02`"),
        ("R02 and all that".into(), "version `02`"),
        (format!("Rxx{name}Z005075A"), "version `xx`"),
        ("R".into(), "1 characters"),
        ("R01".into(), "3 characters"),
        (format!("R01{name}"), "11 characters"),
        (format!("R01{name}Q005075A"), "side `Q`"),
        (format!("R01{name}Zabc075A"), "time `abc`"),
        (format!("R01{name}Z005-75A"), "number of moves `-75`"),
        (format!("R01{name}Z005075B"), "no board has 0 squares"),
        (format!("R01{name}Z005075BW{}", "e".repeat(49)), "no board has 49 squares"),
        (format!("R01{name}Z005075BX{}", "e".repeat(50)), "side to move `X`"),
        (format!("R01{name}Z005075BW{}x", "e".repeat(49)), "`x` on square 50"),
    ] {
        let error = decode(&text).unwrap_err();
        assert!(matches!(error, MessageError::Request { .. }), "{text}");
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

#[test]
fn answers() {
    for (digit, acceptance) in [
        ('0', Acceptance::Accepted),
        ('1', Acceptance::BadVersion),
        ('2', Acceptance::NotThisGame),
        ('3', Acceptance::NoGames),
    ] {
        let text = format!("A{}{digit}", padded("Test 1.0"));
        assert_eq!(text.len(), 34);
        same(&text, Message::Answer { name: "Test 1.0".into(), acceptance });
        assert_eq!(decode(&format!("aTest 1.0{digit}\n")), decode(&text));
    }
    assert_eq!(
        decode("A0"),
        Ok(Message::Answer { name: String::new(), acceptance: Acceptance::Accepted }),
        "a program without a name"
    );
    for (text, expected) in [("A", "no code"), ("ATest 1.0 4", "`4`"), ("Ax", "`x`")] {
        let error = decode(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn moves() {
    same("M0005322800", Message::Move { seconds: 5, mv: mv("32-28") });
    same("M00073212021727", Message::Move { seconds: 7, mv: mv("32x12x17x27") });
    same("M0000010600", Message::Move { seconds: 0, mv: mv("1-6") });
    assert_eq!(decode("M00073212022717"), decode("M00073212021727"), "in any order");
    assert_eq!(decode("m0005322800\r\n"), decode("M0005322800"));
    assert_eq!(decode("M0007321202"), Ok(Message::Move { seconds: 7, mv: mv("32x12") }), "captured pieces not named");
    assert_eq!(decode("M00053228"), decode("M0005322800"), "nor counted");
    assert_eq!(decode("M  .5322800"), Ok(Message::Move { seconds: 0, mv: mv("32-28") }), "a time that is no number");
    for (text, expected) in [
        ("M", "no room for the time"),
        ("M000532", "no room for the square"),
        ("M0005ab2800", "`ab`"),
        ("M00053228001", "no room for the captured square"),
        ("M0005322801x7", "`x7`"),
    ] {
        let error = decode(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let long = Message::played(mv("32-28"), std::time::Duration::from_secs(123_456));
    assert_eq!(long.encode(), "M9999322800");
    let short = Message::played(mv("32-28"), std::time::Duration::from_millis(1_600));
    assert_eq!(short.encode(), "M0002322800");
}

#[test]
fn ends() {
    for (digit, reason) in [('0', Reason::Unknown), ('1', Reason::Lost), ('2', Reason::Draw), ('3', Reason::Won)] {
        same(&format!("E{digit}0"), Message::End { reason, stop: false });
        same(&format!("E{digit}1"), Message::End { reason, stop: true });
    }
    assert_eq!(decode("e1"), Ok(Message::End { reason: Reason::Lost, stop: false }));
    assert_eq!(decode("E40"), Ok(Message::End { reason: Reason::Unknown, stop: false }));
    assert_eq!(decode("E12"), Ok(Message::End { reason: Reason::Lost, stop: false }));
    assert_eq!(decode("Ex1"), Ok(Message::End { reason: Reason::Unknown, stop: true }));
    for text in ["E", "E000"] {
        assert!(decode(text).is_err(), "{text}");
    }
    assert_eq!(Reason::Won.seen_by_other(), Reason::Lost);
    assert_eq!(Reason::Draw.seen_by_other(), Reason::Draw);
}

#[test]
fn going_back() {
    same("B005Z", Message::BackRequest { number: 5, side: Side::Black });
    same("B001W", Message::BackRequest { number: 1, side: Side::White });
    assert_eq!(decode("b005b"), decode("B005Z"));
    same("K0", Message::BackAnswer(BackAnswer::Done));
    same("K1", Message::BackAnswer(BackAnswer::NotSupported));
    same("K2", Message::BackAnswer(BackAnswer::Refused));
    for text in ["B", "B005", "B05Z", "B005X", "B005ZZ", "K", "K3", "K00"] {
        assert!(decode(text).is_err(), "{text}");
    }
}

#[test]
fn chat_is_data() {
    same("Chello, world", Message::Chat("hello, world".into()));
    assert_eq!(decode("C"), Ok(Message::Chat(String::new())));
    assert_eq!(Message::decode(b"Ca\x1b[2J\x07b\xff"), Ok(Message::Chat("a?[2J?b\u{fffd}".into())));
    let long = Message::chat(&"x".repeat(300)).encode();
    assert_eq!(long.len(), 127);
    assert_eq!(Message::chat("né\n").encode(), "Cn??");
}

#[test]
fn names_are_cut_and_padded() {
    let answer = |name: &str| Message::Answer { name: name.into(), acceptance: Acceptance::Accepted }.encode();
    assert_eq!(answer(&"n".repeat(40)), format!("A{}0", "n".repeat(32)));
    assert_eq!(answer("  é"), format!("A{}0", padded("?")));
}

#[test]
fn what_is_no_message() {
    assert_eq!(decode(""), Err(MessageError::Empty));
    assert_eq!(decode(" \r\n"), Err(MessageError::Empty));
    assert_eq!(decode("Xyz"), Err(MessageError::Unknown("Xyz".into())));
    let error = Message::decode(b"\xff\x00\n\"").unwrap_err().to_string();
    assert_eq!(error, "unknown message `\\xff\\x00\\n\\\"`");
    let error = decode(&format!("X{}", "y".repeat(1000))).unwrap_err().to_string();
    assert!(error.len() < 150, "{error}");
}

fn setups() -> impl Strategy<Value = Option<Setup>> {
    let setup = prop_oneof![Just(32u32), Just(50)].prop_flat_map(|squares| {
        let pieces = proptest::collection::vec(0..5usize, squares as usize);
        (any::<bool>(), pieces).prop_map(move |(white, pieces)| {
            let mut setup = Setup::empty(squares, if white { Side::White } else { Side::Black });
            for (slot, piece) in setup.squares.iter_mut().zip(pieces) {
                let (side, role) = (Side::BOTH[piece & 1], if piece & 2 == 0 { Role::Man } else { Role::King });
                *slot = (piece < 4).then_some(Piece { side, role });
            }
            setup
        })
    });
    proptest::option::of(setup)
}

proptest! {
    #![proptest_config(crate::notation::repeatable())]

    #[test]
    fn requests_round_trip(name in "[!-~]([ -~]{0,30}[!-~])?", white: bool, time in 0u64..1000, moves in 0u32..1000, start in setups()) {
        let follower = if white { Side::White } else { Side::Black };
        let moves = Some(moves).filter(|moves| *moves > 0);
        let message = Message::Request(GameRequest { name, follower, start, ..request("", time * 60, moves) });
        prop_assert_eq!(decode(&message.encode()), Ok(message));
    }

    #[test]
    fn moves_round_trip(seconds in 0u32..10_000, from in 1u32..51, to in 1u32..51, set in proptest::collection::btree_set(1u32..51, 0..20)) {
        let message = Message::Move { seconds, mv: HubMove { from, to, captured: set.into_iter().collect() } };
        prop_assert_eq!(decode(&message.encode()), Ok(message));
    }

    #[test]
    fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Message::decode(&bytes);
    }

    #[test]
    fn likely_messages_never_panic(text in "[RrAaMmEeBbKk][0-9WZAB ewz]{0,100}") {
        if let Ok(message) = decode(&text) {
            // What was read can be written and read again.
            prop_assert!(decode(&message.encode()).is_ok());
        }
    }
}
