//! `--http`: where agents and operators are listened to over HTTP.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use map_conform::{Form, Origin};
use map_diagnostics::SourceFile;
use map_doors::{Doors, HttpSettings, ProxySettings, Tokens, Upstream};
use map_ir::Program;

/// The flags of the door over HTTP.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct HttpArgs {
    /// Listen for agents over HTTP; port 0 is one that is free
    #[arg(long, value_name = "ADDRESS", value_parser = address, conflicts_with = "start")]
    pub(super) http: Option<SocketAddr>,

    /// Let everybody speak as any agent, on this machine only
    #[arg(long, requires = "http", conflicts_with = "tokens")]
    pub(super) no_tokens: bool,

    /// Another name by which the host is called, such as that of the proxy in front of it; may be repeated
    #[arg(long = "host", value_name = "NAME", requires = "http")]
    pub(super) hosts: Vec<String>,

    /// Stand in front of an agent that speaks A2A, such as worker=http://127.0.0.1:9001/; may be repeated
    #[arg(long, value_name = "NAME=URL", requires = "http", value_parser = upstream)]
    pub(super) a2a: Vec<(String, Upstream)>,
}

impl HttpArgs {
    /// What is wrong with the flags.
    pub(super) fn check(&self, has_tokens: bool) -> Result<(), String> {
        match self.http {
            Some(_) if !has_tokens && !self.no_tokens => {
                Err("--http needs --tokens FILE, or for a first try --no-tokens".to_owned())
            }
            Some(at) if self.no_tokens && !at.ip().is_loopback() => {
                Err("--no-tokens is for addresses of this machine, such as 127.0.0.1:7733".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Listens, if that is wanted; returns the address.
    pub(super) fn open(
        &self,
        doors: &mut Doors,
        tokens: Option<Tokens>,
        source: &SourceFile,
        program: &Arc<Program>,
    ) -> Result<Option<SocketAddr>, (SocketAddr, std::io::Error)> {
        let Some(at) = self.http else { return Ok(None) };
        let upstreams: BTreeMap<String, Upstream> = self.a2a.iter().cloned().collect();
        let proxy = (!upstreams.is_empty()).then(|| ProxySettings {
            upstreams,
            form: Form { origin: Origin::A2a, ..Form::default() },
            program: Arc::clone(program),
        });
        let (hosts, file, scene) = (self.hosts.clone(), source.name().to_owned(), program.scene.clone());
        let settings = HttpSettings { at, tokens, hosts, file, scene, proxy };
        doors.listen_over_http(settings).map(Some).map_err(|error| (at, error))
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an address and a port was expected, such as 127.0.0.1:7733".to_owned())
}

fn upstream(text: &str) -> Result<(String, Upstream), String> {
    match text.split_once('=') {
        Some((name, address)) if !name.is_empty() => Ok((name.to_owned(), Upstream::read(address)?)),
        _ => Err("a name and an address was expected, such as worker=http://127.0.0.1:9001/".to_owned()),
    }
}
