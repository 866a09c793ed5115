//! Where the processes of a cluster listen.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};

/// The addresses of the processes, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<Host>);

/// Where one process listens.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    /// An address, without brackets, or a name.
    name: String,
    port: u16,
}

/// Why a text is no list of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostsError {
    /// The line at fault, counted from 1; 0 if it is the whole text.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Hosts {
    /// Reads one `address:port` a line. Comments begin with `#`; empty lines do not count.
    ///
    /// # Errors
    /// The first line that is no address with a port, or that repeats an earlier one.
    pub fn parse(text: &str) -> Result<Self, HostsError> {
        let mut hosts: Vec<Host> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let fault = |message: String| HostsError { line: index + 1, message };
            let host = Host::parse(line).map_err(fault)?;
            if hosts.contains(&host) {
                return Err(fault(format!("`{host}` is listed twice")));
            }
            hosts.push(host);
        }
        if hosts.is_empty() {
            return Err(HostsError { line: 0, message: "no process is listed".to_owned() });
        }
        Ok(Self(hosts))
    }

    /// Addresses for `count` processes on this machine, on ports that nobody uses now.
    ///
    /// # Errors
    /// If the system has none to give.
    pub fn on_this_machine(count: usize) -> io::Result<Self> {
        let listeners: Vec<TcpListener> =
            (0..count).map(|_| TcpListener::bind(("127.0.0.1", 0))).collect::<io::Result<_>>()?;
        Self::of_listeners(&listeners)
    }

    /// The addresses at which these listen.
    ///
    /// # Errors
    /// If the system does not know the address of one.
    pub fn of_listeners(listeners: &[TcpListener]) -> io::Result<Self> {
        let host = |listener: &TcpListener| {
            let address = listener.local_addr()?;
            Ok(Host { name: address.ip().to_string(), port: address.port() })
        };
        listeners.iter().map(host).collect::<io::Result<_>>().map(Self)
    }

    /// Number of processes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// How messages name a process.
    #[must_use]
    pub fn name(&self, process: usize) -> String {
        match self.0.get(process) {
            Some(host) => format!("process {process} ({host})"),
            None => format!("process {process}"),
        }
    }

    /// The address or the name of the machine of a process, without brackets.
    #[must_use]
    pub fn machine(&self, process: usize) -> Option<&str> {
        self.0.get(process).map(|host| host.name.as_str())
    }

    /// Whether the address of a process is one of this machine: whether one could listen there.
    #[must_use]
    pub fn is_here(&self, process: usize) -> bool {
        let can_listen = |address: &SocketAddr| TcpListener::bind((address.ip(), 0)).is_ok();
        self.0.get(process).is_some_and(Host::is_loopback)
            || self.resolve(process).is_ok_and(|addresses| addresses.iter().any(can_listen))
    }

    /// The first process, if any, whose address may lead to another machine.
    pub(crate) fn beyond_this_machine(&self) -> Option<usize> {
        self.0.iter().position(|host| !host.is_loopback())
    }

    /// The addresses that stand for a process; a name may have several.
    pub(crate) fn resolve(&self, process: usize) -> io::Result<Vec<SocketAddr>> {
        let host = self.0.get(process).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok((host.name.as_str(), host.port).to_socket_addrs()?.collect())
    }
}

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|host| writeln!(f, "{host}"))
    }
}

impl Host {
    fn parse(text: &str) -> Result<Self, String> {
        let (name, port) =
            text.rsplit_once(':').ok_or_else(|| format!("`{text}` has no port; write `{text}:7001`"))?;
        let port = port
            .parse()
            .ok()
            .filter(|&port| port != 0)
            .ok_or_else(|| format!("`{port}` is no port; ports are numbers from 1 to 65535"))?;
        let name = match name.strip_prefix('[').map(|name| name.strip_suffix(']')) {
            Some(Some(address)) if address.parse::<std::net::Ipv6Addr>().is_ok() => address,
            Some(_) => return Err(format!("`{name}` is no IPv6 address in brackets")),
            None if name.contains(':') => {
                return Err(format!("an IPv6 address is written in brackets: `[{name}]:{port}`"));
            }
            None => name,
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("`{name}` is neither an address nor the name of a machine"));
        }
        Ok(Self { name: name.to_owned(), port })
    }

    /// Whether this is certain to be this machine. A name may lead anywhere, but for `localhost`.
    fn is_loopback(&self) -> bool {
        self.name == "localhost" || self.name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.contains(':') {
            write!(f, "[{}]:{}", self.name, self.port)
        } else {
            write!(f, "{}:{}", self.name, self.port)
        }
    }
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for HostsError {}
