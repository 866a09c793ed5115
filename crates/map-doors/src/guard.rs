//! A guard with its doors: whoever started the process, on standard input and output, and agents over connections.

#[cfg(any(feature = "http", feature = "mcp"))]
mod asking;
mod clock;
mod company;
#[cfg(feature = "http")]
mod http;
mod journal;
mod lines;
mod listener;
mod lookout;
mod peer;
mod requests;
#[cfg(feature = "mcp")]
mod seat;
mod service;
mod stdio;
mod tokens;

use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

pub use company::{Company, PlayedAgents};
#[cfg(feature = "http")]
pub use http::{HttpSettings, ProxySettings, Upstream};
pub use journal::{Journal, JournalError, JournalSettings};
pub use lookout::{Lookout, lookout};
pub(crate) use requests::{Outcome, Waiting, bad_request, fetch, object_of, perform, request_of};
#[cfg(feature = "mcp")]
pub use seat::{SeatEnd, SeatSettings};
pub use service::{Opening, Say, Service, ServiceEnd};
#[cfg(feature = "mcp")]
pub use tokens::token_of;
pub use tokens::{Tokens, TokensError};

use peer::Input;
use stdio::Starter;

/// The doors that are open: what is said at any of them comes in one order.
pub struct Doors {
    sender: SyncSender<Input>,
    inputs: Receiver<Input>,
    starter: Option<Starter>,
    /// Whether agents come by connections of their own.
    has_agents: bool,
}

impl Default for Doors {
    fn default() -> Self {
        let (sender, inputs) = sync_channel(service::MAX_BATCH);
        Self { sender, inputs, starter: None, has_agents: false }
    }
}

impl Doors {
    /// Lets whoever started the process speak, as any agent, on standard input and output.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn open_stdio(&mut self) -> std::io::Result<()> {
        self.starter = Some(stdio::open(self.sender.clone())?);
        Ok(())
    }

    /// Lets one agent speak on standard input and output, over the Model Context Protocol. When it leaves, the service
    /// ends.
    ///
    /// # Errors
    /// If no thread can be started.
    #[cfg(feature = "mcp")]
    pub fn open_seat(&mut self, settings: SeatSettings) -> std::io::Result<SeatEnd> {
        seat::open(settings, self.sender.clone())
    }

    /// Listens for agents at an address of this machine; returns the address, in which a port 0 has become one that
    /// was free.
    ///
    /// # Errors
    /// If the address cannot be listened at.
    pub fn listen(&mut self, at: SocketAddr, tokens: Tokens) -> std::io::Result<SocketAddr> {
        let address = listener::listen(at, tokens, self.sender.clone())?;
        self.has_agents = true;
        Ok(address)
    }

    /// Listens for agents and operators over HTTP; returns the address, in which a port 0 has become one that was free.
    ///
    /// # Errors
    /// If the address cannot be listened at.
    #[cfg(feature = "http")]
    pub fn listen_over_http(&mut self, settings: HttpSettings) -> std::io::Result<SocketAddr> {
        let address = http::listen(settings, self.sender.clone())?;
        self.has_agents = true;
        Ok(address)
    }
}
