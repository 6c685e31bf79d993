//! Waiting for other programs to connect.

use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::DEFAULT_PORT;

/// Connections that wait to be looked at.
const BACKLOG: usize = 4;
/// Pause after a connection that could not be accepted, as when there are too many open files.
const RECOVERY: Duration = Duration::from_millis(100);

/// How long the threads of a listener may take to end.
const CLOSING: Duration = Duration::from_secs(1);

/// Where to listen: `PORT` for this machine only, `HOST:PORT` for an address of it, `*:PORT` for all
/// of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    host: Option<String>,
    port: u16,
}

/// Text that is no [`Endpoint`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither PORT nor HOST:PORT")]
pub struct BadEndpoint(String);

impl std::str::FromStr for Endpoint {
    type Err = BadEndpoint;

    fn from_str(text: &str) -> Result<Self, BadEndpoint> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (Some(host), port),
            None => (None, text),
        };
        // An IPv6 address needs its brackets, lest its end be taken for a port.
        let plain =
            |host: &str| !host.is_empty() && (!host.contains(':') || host.starts_with('[') && host.ends_with(']'));
        match (host, port.parse()) {
            (None, Ok(port)) => Ok(Self { host: None, port }),
            (Some(host), Ok(port)) if plain(host) => Ok(Self { host: Some(host.into()), port }),
            _ => Err(BadEndpoint(text.into())),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.host {
            Some(host) => write!(f, "{host}:{}", self.port),
            None => write!(f, "{}", self.port),
        }
    }
}

impl Default for Endpoint {
    fn default() -> Self {
        Self { host: None, port: DEFAULT_PORT }
    }
}

impl Endpoint {
    /// The addresses meant.
    fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        // The wide address of IPv6 may take that of IPv4 with it, so it comes first.
        let both =
            |v6: Ipv6Addr, v4: Ipv4Addr| vec![(IpAddr::V6(v6), self.port).into(), (IpAddr::V4(v4), self.port).into()];
        match self.host.as_deref() {
            None => Ok(both(Ipv6Addr::LOCALHOST, Ipv4Addr::LOCALHOST)),
            Some("*") => Ok(both(Ipv6Addr::UNSPECIFIED, Ipv4Addr::UNSPECIFIED)),
            Some(host) => Ok(format!("{host}:{}", self.port).to_socket_addrs()?.collect()),
        }
    }
}

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
        for mut address in endpoint.addresses()? {
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
    fn endpoints() {
        let read = |text: &str| text.parse::<Endpoint>();
        let endpoint = |host: Option<&str>, port| Ok(Endpoint { host: host.map(String::from), port });
        assert_eq!(read("27531"), endpoint(None, 27531));
        assert_eq!(read("localhost:0"), endpoint(Some("localhost"), 0));
        assert_eq!(read("[::1]:7"), endpoint(Some("[::1]"), 7));
        assert_eq!(read("*:7"), endpoint(Some("*"), 7));
        for text in ["", ":7", "host", "host:", "host:x", "1:70000", "::1", "::1:7"] {
            assert_eq!(read(text), Err(BadEndpoint(text.into())));
        }
    }

    #[test]
    fn only_this_machine_unless_told_otherwise() {
        let addresses = Endpoint::default().addresses().unwrap();
        assert!(addresses.len() == 2 && addresses.iter().all(|a| a.ip().is_loopback() && a.port() == DEFAULT_PORT));
        let everywhere = "*:7".parse::<Endpoint>().unwrap().addresses().unwrap();
        assert!(everywhere.iter().all(|address| address.ip().is_unspecified()));
    }

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
    fn a_taken_port_is_an_error() {
        let first = Listener::open(&"127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.addresses()[0].to_string();
        let error = Listener::open(&address.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(&address), "{error}");
    }
}
