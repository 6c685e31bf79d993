//! The messages of DXP, version 01, as typed values and as bytes.
//!
//! [`Message::encode`] writes exactly what the protocol says; [`Message::decode`] also reads what
//! programs send in its place: lower-case letters, names that are not padded, line ends, `B` for
//! Black, a captured piece not named. The zero that ends a message is the business of the framing.

mod fields;
mod request;
#[cfg(test)]
mod tests;

pub use self::request::{GameRequest, RequestFault};

use self::fields::{Fields, ascii, name_field};
use crate::board::Side;
use crate::notation::hub::HubMove;

/// Longest name in a message.
pub const LONGEST_NAME: usize = 32;
/// Longest text of a chat message.
pub const LONGEST_CHAT: usize = 126;

/// A message between two programs.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// `R`: the initiator asks for a game.
    Request(GameRequest),
    /// `A`: the follower's answer to that.
    Answer {
        /// Name of the follower.
        name: String,
        /// Whether there will be a game.
        acceptance: Acceptance,
    },
    /// `M`: a move.
    Move {
        /// Time used for it, in whole seconds; informative.
        seconds: u32,
        /// The move, in whatever numbering its sender counts.
        mv: HubMove,
    },
    /// `E`: the game has ended, or has been understood to have ended.
    End {
        /// How, as its sender sees it.
        reason: Reason,
        /// Whether the sender wants no further game.
        stop: bool,
    },
    /// `C`: free text for people.
    Chat(String),
    /// `B`: the sender wants to go back to an earlier point of the game.
    BackRequest {
        /// The full move to go back to, the first being 1.
        number: u32,
        /// The side to move there.
        side: Side,
    },
    /// `K`: the answer to that.
    BackAnswer(BackAnswer),
}

/// The answer to a request for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// The game begins.
    Accepted,
    /// The version of the protocol is not known.
    BadVersion,
    /// Not this game; another one may be.
    NotThisGame,
    /// No games at all.
    NoGames,
}

/// How a game ended, as the sender sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing is said; also confirms the end that the other side told.
    Unknown,
    /// The sender lost.
    Lost,
    /// Nobody won.
    Draw,
    /// The sender won.
    Won,
}

/// The answer to a request to go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackAnswer {
    /// Done: the game goes on from there.
    Done,
    /// Never done here.
    NotSupported,
    /// Not now: the game goes on where it is.
    Refused,
}

/// Bytes that are no message; the text is shortened and made readable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Nothing between two zeros.
    #[error("empty message")]
    Empty,
    /// More than any message has.
    #[error("message without an end: `{0}...`")]
    TooLong(String),
    /// The first letter says nothing.
    #[error("unknown message `{0}`")]
    Unknown(String),
    /// A request for a game that cannot be read.
    #[error("game request `{text}`: {fault}")]
    Request {
        /// The message.
        text: String,
        /// What is wrong with it.
        fault: RequestFault,
    },
    /// Any other message that cannot be read.
    #[error("{kind} `{text}`: {fault}")]
    Malformed {
        /// What it should have been.
        kind: &'static str,
        /// The message.
        text: String,
        /// What is wrong with it.
        fault: String,
    },
}

/// A kind of code and its values in the order of their digits.
trait Code: Copy + PartialEq + 'static {
    const ALL: &'static [Self];

    fn digit(self) -> char {
        let place = Self::ALL.iter().position(|code| *code == self).unwrap_or_default();
        char::from(b'0' + place as u8)
    }

    fn of_digit(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte.checked_sub(b'0')?)).copied()
    }
}

impl Code for Acceptance {
    const ALL: &'static [Self] = &[Self::Accepted, Self::BadVersion, Self::NotThisGame, Self::NoGames];
}

impl Code for Reason {
    const ALL: &'static [Self] = &[Self::Unknown, Self::Lost, Self::Draw, Self::Won];
}

impl Code for BackAnswer {
    const ALL: &'static [Self] = &[Self::Done, Self::NotSupported, Self::Refused];
}

impl Reason {
    /// The same end as the other side sees it.
    #[must_use]
    pub const fn seen_by_other(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Won => Self::Lost,
            Self::Unknown | Self::Draw => self,
        }
    }
}

impl Message {
    /// A chat message, cut to what the protocol allows.
    pub fn chat(text: &str) -> Self {
        Self::Chat(ascii(text, LONGEST_CHAT))
    }

    /// A move that took this long.
    pub fn played(mv: HubMove, time: std::time::Duration) -> Self {
        Self::Move { seconds: (time.as_secs_f64().round() as u32).min(9999), mv }
    }

    /// The message as the protocol writes it, without the zero at its end. All ASCII.
    pub fn encode(&self) -> String {
        match self {
            Self::Request(request) => request.encode(),
            Self::Answer { name, acceptance } => format!("A{}{}", name_field(name), acceptance.digit()),
            Self::Move { seconds, mv } => {
                let captured: String = mv.captured.iter().map(|square| format!("{square:02}")).collect();
                let HubMove { from, to, .. } = mv;
                format!("M{:04}{from:02}{to:02}{:02}{captured}", (*seconds).min(9999), mv.captured.len())
            }
            Self::End { reason, stop } => format!("E{}{}", reason.digit(), u8::from(*stop)),
            Self::Chat(text) => format!("C{}", ascii(text, LONGEST_CHAT)),
            Self::BackRequest { number, side } => format!("B{:03}{}", (*number).min(999), side_letter(*side)),
            Self::BackAnswer(answer) => format!("K{}", answer.digit()),
        }
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If it is none, however kindly it is read.
    pub fn decode(bytes: &[u8]) -> Result<Self, MessageError> {
        let bytes = bytes.trim_ascii();
        let Some((header, body)) = bytes.split_first() else { return Err(MessageError::Empty) };
        let text = || fields::readable(bytes);
        let malformed = |kind, fault| MessageError::Malformed { kind, text: text(), fault };
        match header.to_ascii_uppercase() {
            b'R' => GameRequest::decode(body)
                .map(Self::Request)
                .map_err(|fault| MessageError::Request { text: text(), fault }),
            b'A' => decode_answer(body).map_err(|fault| malformed("answer", fault)),
            b'M' => decode_move(body).map_err(|fault| malformed("move", fault)),
            b'E' => decode_end(body).map_err(|fault| malformed("end of game", fault)),
            b'C' => Ok(Self::Chat(fields::clean(body))),
            b'B' => decode_back_request(body).map_err(|fault| malformed("request to go back", fault)),
            b'K' => decode_back_answer(body).map_err(|fault| malformed("answer to going back", fault)),
            _ => Err(MessageError::Unknown(text())),
        }
    }
}

/// `W` for White, `Z` for Black.
const fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'Z',
    }
}

/// The side of a letter, in either language and any case.
const fn side_of(byte: u8) -> Option<Side> {
    match byte {
        b'W' | b'w' => Some(Side::White),
        b'Z' | b'z' | b'B' | b'b' => Some(Side::Black),
        _ => None,
    }
}

fn code<C: Code>(what: &str, byte: u8) -> Result<C, String> {
    C::of_digit(byte).ok_or_else(|| format!("`{}` is no {what}", fields::readable(&[byte])))
}

/// The name may be shorter than the protocol wants: the code is the last character.
fn decode_answer(body: &[u8]) -> Result<Message, String> {
    let Some((last, name)) = body.split_last() else { return Err("no code".into()) };
    Ok(Message::Answer { name: fields::clean(name), acceptance: code("code of an answer", *last)? })
}

fn decode_move(body: &[u8]) -> Result<Message, String> {
    let mut fields = Fields(body);
    // Nobody trusts the time, so nobody needs it to be a number.
    let seconds = fields.number("time", 4).or_else(|fault| if body.len() < 4 { Err(fault) } else { Ok(0) })?;
    let (from, to) = (fields.number("square", 2)?, fields.number("square", 2)?);
    // The number of captured pieces; their list says the same.
    if !fields.is_empty() {
        fields.number("number of captured pieces", 2)?;
    }
    let mut captured = Vec::new();
    while !fields.is_empty() {
        captured.push(fields.number("captured square", 2)?);
    }
    captured.sort_unstable();
    captured.dedup();
    Ok(Message::Move { seconds, mv: HubMove { from, to, captured } })
}

fn decode_end(body: &[u8]) -> Result<Message, String> {
    let (reason, stop) = match *body {
        [reason] => (reason, b'0'),
        [reason, stop] => (reason, stop),
        _ => return Err("expected a reason and a stop code".into()),
    };
    // The game is over whatever the codes are, and who told so waits for an answer.
    Ok(Message::End { reason: code("reason", reason).unwrap_or(Reason::Unknown), stop: stop == b'1' })
}

fn decode_back_request(body: &[u8]) -> Result<Message, String> {
    let mut fields = Fields(body);
    let number = fields.number("move number", 3)?;
    let [letter] = fields.0 else { return Err("expected a move number and a side".into()) };
    let side = side_of(*letter).ok_or_else(|| format!("`{}` is no side", fields::readable(&[*letter])))?;
    Ok(Message::BackRequest { number, side })
}

fn decode_back_answer(body: &[u8]) -> Result<Message, String> {
    let [digit] = *body else { return Err("expected one digit".into()) };
    Ok(Message::BackAnswer(code("code of an answer", digit)?))
}
