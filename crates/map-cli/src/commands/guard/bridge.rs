//! `map guard --mcp`: lets one agent speak with a guard that runs, over the Model Context Protocol.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use map_doors::{BridgeSettings, serve_bridge, token_of};

use super::{loopback, refuse_tokens};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// The flags of the bridge.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct BridgeArgs {
    /// Let one agent speak with a guard that listens, on standard input and output
    #[arg(
        long,
        requires_all = ["at", "agent", "tokens"],
        conflicts_with_all = ["file", "stdio", "listen", "config", "journal"]
    )]
    pub(super) mcp: bool,

    /// Where the guard listens
    #[arg(long, value_name = "ADDRESS", value_parser = loopback, requires = "mcp")]
    at: Option<SocketAddr>,

    /// The name of the agent
    #[arg(id = "agent", long = "as", value_name = "NAME", requires = "mcp")]
    name: Option<String>,

    /// The conversation that is meant if the agent names none
    #[arg(long, value_name = "NAME", default_value = "main", requires = "mcp")]
    conversation: String,
}

pub(super) fn run(args: &BridgeArgs, tokens: Option<&Path>, console: &mut Console) -> Result<(), Failure> {
    let (Some(at), Some(name)) = (args.at, args.name.clone()) else {
        return Err(Failure::Usage("guard", "--mcp needs --at and --as".to_owned()));
    };
    let path = tokens.map(PathBuf::from).unwrap_or_default();
    let token = match token_of(&path, &name) {
        Ok(token) => token,
        Err(error) => return refuse_tokens(&path, error, console),
    };
    let settings = BridgeSettings { at, name, token, conversation: args.conversation.clone() };
    if let Err(what) = serve_bridge(settings) {
        console.set_exit(Exit::Violation);
        console.complain(&format!("error: {what}\n"))?;
    }
    Ok(())
}
