//! Waiting for other programs to connect.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::address::Endpoint;

/// Connections that wait to be looked at.
const BACKLOG: usize = 4;
/// Pause after a connection that could not be accepted, as when there are too many open files.
const RECOVERY: Duration = Duration::from_millis(100);
/// How long the threads of a listener may take to end.
const CLOSING: Duration = Duration::from_secs(1);

/// Listens on one or more addresses. Dropping it frees them.
#[derive(Debug)]
pub struct Listener {
    addresses: Vec<SocketAddr>,
    connections: Receiver<TcpStream>,
    closed: Arc<AtomicBool>,
}

impl Listener {
    /// Starts to listen. Warns in the log if others than this machine can connect.
    ///
    /// # Errors
    /// If none of the addresses can be listened at.
    pub fn open(endpoint: &Endpoint) -> io::Result<Self> {
        let (sender, connections) = bounded(BACKLOG);
        let mut listener = Self { addresses: Vec::new(), connections, closed: Arc::default() };
        let mut failed = None;
        for mut address in endpoint.look_up()? {
            // Port 0 is any free port, but the same one for all addresses.
            if let Some(first) = listener.addresses.first().filter(|_| address.port() == 0) {
                address.set_port(first.port());
            }
            match listener.add(address, sender.clone()) {
                Ok(address) => listener.addresses.push(address),
                Err(error) => failed = Some(io::Error::new(error.kind(), format!("{address}: {error}"))),
            }
        }
        if listener.addresses.is_empty() {
            return Err(failed.unwrap_or_else(|| io::Error::new(ErrorKind::NotFound, "no such address")));
        }
        if let Some(failed) = failed {
            // A machine need not have both kinds of addresses; or another program listens at one of them.
            log::warn!("listening on {} only: {failed}", listener.describe());
        }
        if listener.addresses.iter().any(|address| !address.ip().is_loopback()) {
            let addresses = listener.describe();
            log::warn!("listening on {addresses}: DXP has no authentication, anyone who can reach it can connect");
        }
        Ok(listener)
    }

    fn add(&self, address: SocketAddr, sender: Sender<TcpStream>) -> io::Result<SocketAddr> {
        let socket = TcpListener::bind(address)?;
        let address = socket.local_addr()?;
        let closed = self.closed.clone();
        let accept = move || {
            while let Some(stream) = accept(&socket, &closed) {
                if sender.send(stream).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("dxp-listener".into()).spawn(accept)?;
        Ok(address)
    }

    /// The addresses listened at.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// The addresses as text.
    pub fn describe(&self) -> String {
        let addresses: Vec<_> = self.addresses.iter().map(ToString::to_string).collect();
        addresses.join(" and ")
    }

    /// Those who connect.
    pub const fn connections(&self) -> &Receiver<TcpStream> {
        &self.connections
    }

    /// The newest connection of `first` and those that wait. Whoever has connected before it may have done so long
    /// ago, and be gone without a word.
    pub fn newest(&self, first: TcpStream) -> TcpStream {
        self.connections.try_iter().last().unwrap_or(first)
    }
}

/// The next connection; `None` once the listener is closed.
fn accept(socket: &TcpListener, closed: &AtomicBool) -> Option<TcpStream> {
    loop {
        let accepted = socket.accept();
        if closed.load(Relaxed) {
            return None;
        }
        match accepted {
            Ok((stream, _)) => return Some(stream),
            Err(error) => {
                log::warn!("a connection could not be accepted: {error}");
                thread::sleep(RECOVERY);
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.closed.store(true, Relaxed);
        for address in &mut self.addresses {
            // Every address of the machine includes its own.
            match address.ip() {
                IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
                IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
                _ => {}
            }
            // Wakes the thread that waits for a connection; if that fails, it ends with the next one.
            let _ = TcpStream::connect_timeout(address, RECOVERY);
        }
        // The address is free when the threads are gone.
        let end = Instant::now() + CLOSING;
        while self.connections.recv_deadline(end).is_ok() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_listener_frees_its_port() {
        let listener = Listener::open(&"127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.addresses()[0];
        let stream = TcpStream::connect(address).unwrap();
        assert_eq!(listener.connections().recv().unwrap().peer_addr().unwrap(), stream.local_addr().unwrap());
        let threads = listener.connections().clone();
        drop(listener);
        // The thread is gone, and the socket with it.
        assert!(threads.recv().is_err());
        assert!(TcpStream::connect(address).is_err());
    }

    #[test]
    fn the_newest_connection_comes_first() {
        let listener = Listener::open(&"127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.addresses()[0];
        let _old: Vec<_> = (0..2).map(|_| TcpStream::connect(address).unwrap()).collect();
        let new = TcpStream::connect(address).unwrap();
        let begin = Instant::now();
        while listener.connections().len() < 3 && begin.elapsed() < Duration::from_secs(10) {
            thread::yield_now();
        }
        let first = listener.connections().recv().unwrap();
        assert_eq!(listener.newest(first).peer_addr().unwrap(), new.local_addr().unwrap());
        let next = TcpStream::connect(address).unwrap();
        let first = listener.connections().recv().unwrap();
        assert_eq!(listener.newest(first).peer_addr().unwrap(), next.local_addr().unwrap());
    }

    #[test]
    fn a_taken_port_is_an_error() {
        let first = Listener::open(&"127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.addresses()[0].to_string();
        let error = Listener::open(&address.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(&address), "{error}");
    }
}
