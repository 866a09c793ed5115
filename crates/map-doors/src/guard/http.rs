//! The door over HTTP/1.1: an object for each request, and one for its answer.

mod admission;
mod answers;
mod awaiting;
mod body;
mod connection;
mod host;
mod proxy;
mod routes;
#[cfg(feature = "mcp")]
mod seats;
mod slow;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::asking::Asking;
use super::peer::Input;
use super::tokens::Tokens;
use admission::Admission;
use host::Hosts;
use proxy::Proxy;
use routes::Routes;

pub use proxy::{ProxySettings, Upstream};

/// What the door over HTTP is opened with.
pub struct HttpSettings {
    /// Where it is listened.
    pub at: SocketAddr,
    /// The tokens of agents and operators; without them everybody may speak as any agent.
    pub tokens: Option<Tokens>,
    /// What the host is called, beside the names of this machine and the address.
    pub hosts: Vec<String>,
    /// The file of the dialogue, as it is shown.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// The agents that speak A2A, and how they are understood.
    pub proxy: Option<ProxySettings>,
}

/// Listens, on a thread of its own; returns the address.
pub(super) fn listen(settings: HttpSettings, inputs: SyncSender<Input>) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(settings.at)?;
    let address = listener.local_addr()?;
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let listener = {
        let _within = runtime.enter();
        tokio::net::TcpListener::from_std(listener)?
    };
    let asking = Asking::new(inputs);
    let routes = Arc::new(Routes {
        hosts: Hosts::new(address, &settings.hosts),
        admission: Admission::new(settings.tokens),
        #[cfg(feature = "mcp")]
        seats: seats::Seats::new(asking.clone(), settings.file, settings.scene),
        proxy: settings.proxy.map(|proxy| Proxy::new(proxy, asking.clone())),
        asking,
    });
    let serve = move || runtime.block_on(connection::accept_all(listener, routes));
    std::thread::Builder::new().name("http".to_owned()).spawn(serve)?;
    Ok(address)
}
