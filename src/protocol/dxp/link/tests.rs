use std::net::TcpListener;

use super::*;
use crate::protocol::dxp::message::Reason;

/// A link and the bare other end of it.
fn pair() -> (Link, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string().parse().unwrap();
    let link = Link::connect(&address, Duration::ZERO, Log::open("").unwrap(), |_| false).unwrap();
    (link, listener.accept().unwrap().0)
}

fn next(link: &Link) -> Option<Result<String, String>> {
    let received = link.incoming().recv_timeout(Duration::from_secs(10)).ok()?;
    Some(received.message.map(|message| message.encode()).map_err(|error| error.to_string()))
}

#[test]
fn messages_in_any_packets() {
    let (link, mut other) = pair();
    other.write_all(b"E00\0M00053").unwrap();
    other.write_all(b"22800\0\0Chello\0").unwrap();
    drop(other);
    let received: Vec<_> = std::iter::from_fn(|| next(&link)).collect();
    let expected = [Ok("E00"), Ok("M0005322800"), Err("empty message"), Ok("Chello")];
    assert_eq!(received, expected.map(|text| text.map(String::from).map_err(String::from)));
}

#[test]
fn a_message_is_one_write_with_a_zero() {
    let (mut link, mut other) = pair();
    link.send(&Message::chat("hello")).unwrap();
    link.close();
    let mut bytes = Vec::new();
    other.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, b"Chello\0");
}

#[test]
fn what_some_programs_would_miss_comes_later() {
    let (mut link, _other) = pair();
    let end = Message::End { reason: Reason::Draw, stop: false };
    let begin = Instant::now();
    link.send(&Message::chat("one")).unwrap();
    link.send(&end).unwrap();
    link.send(&Message::chat("two")).unwrap();
    assert!(begin.elapsed() >= GAP, "a pause after the end of a game");
}

#[test]
fn a_flood_waits_in_the_network() {
    let (link, mut other) = pair();
    other.set_nonblocking(true).unwrap();
    // As much as the system takes; the rest would have to wait.
    let mut sent = 0;
    while sent < 100_000_000 {
        match other.write(&b"Cflood\0".repeat(1000)) {
            Ok(length) => sent += length,
            Err(error) if error.kind() == ErrorKind::WouldBlock && link.incoming().is_full() => break,
            Err(_) => thread::yield_now(),
        }
    }
    assert!(sent < 100_000_000, "everything was taken");
    assert_eq!(link.incoming().len(), BACKLOG);
}

#[test]
fn a_dropped_link_is_a_closed_one() {
    let (link, mut other) = pair();
    drop(link);
    assert_eq!(other.read(&mut [0]).unwrap(), 0);
}

#[test]
fn nobody_there() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let free = free.to_string().parse().unwrap();
    let mut pauses = 0;
    let log = Log::open("").unwrap();
    let pause = |_| {
        pauses += 1;
        pauses < 3
    };
    assert!(Link::connect(&free, Duration::from_secs(60), log, pause).is_err());
    assert_eq!(pauses, 3);
}
