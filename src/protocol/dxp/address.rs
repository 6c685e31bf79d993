//! Addresses as users write them: where to listen, and where to connect to.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

use super::DEFAULT_PORT;

/// Text that is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// In place of an [`Endpoint`].
    #[error("`{0}` is neither PORT nor HOST:PORT")]
    Endpoint(String),
    /// In place of an [`Address`].
    #[error("`{0}` is not HOST:PORT")]
    Address(String),
}

/// Divides `[HOST:]PORT`.
fn split(text: &str) -> Option<(Option<&str>, u16)> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (Some(host), port),
        None => (None, text),
    };
    // An IPv6 address needs its brackets, lest its end be taken for a port.
    let plain = |host: &str| !host.is_empty() && (!host.contains(':') || host.starts_with('[') && host.ends_with(']'));
    let port = port.parse().ok()?;
    host.is_none_or(plain).then_some((host, port))
}

/// Where a program listens, `HOST:PORT`. The host is looked up when it is called: it may not be up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        match split(text) {
            Some((Some(_), _)) => Ok(Self(text.into())),
            _ => Err(BadAddress::Address(text.into())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Address {
    /// All addresses that the host has now.
    pub(super) fn look_up(&self) -> io::Result<impl Iterator<Item = SocketAddr>> {
        self.0.to_socket_addrs()
    }
}

/// Where to listen: `PORT` for this machine only, `HOST:PORT` for an address of it, `*:PORT` for all
/// of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    host: Option<String>,
    port: u16,
}

impl FromStr for Endpoint {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let (host, port) = split(text).ok_or_else(|| BadAddress::Endpoint(text.into()))?;
        Ok(Self { host: host.map(String::from), port })
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
    pub(super) fn look_up(&self) -> io::Result<Vec<SocketAddr>> {
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
            assert_eq!(read(text), Err(BadAddress::Endpoint(text.into())));
            assert_eq!(text.parse::<Address>(), Err(BadAddress::Address(text.into())));
        }
    }

    #[test]
    fn addresses() {
        for text in ["localhost:27531", "[::1]:7"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        assert_eq!("27531".parse::<Address>().unwrap_err().to_string(), "`27531` is not HOST:PORT");
    }

    #[test]
    fn only_this_machine_unless_told_otherwise() {
        let addresses = Endpoint::default().look_up().unwrap();
        assert!(addresses.len() == 2 && addresses.iter().all(|a| a.ip().is_loopback() && a.port() == DEFAULT_PORT));
        let everywhere = "*:7".parse::<Endpoint>().unwrap().look_up().unwrap();
        assert!(everywhere.iter().all(|address| address.ip().is_unspecified()));
    }
}
