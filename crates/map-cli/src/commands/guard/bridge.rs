//! `map guard --mcp`: lets one agent speak with a guard that runs, over the Model Context Protocol.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use map_conform::CastRules;
use map_diagnostics::SourceFile;
use map_doors::{BridgeSettings, SeatSettings, serve_bridge, token_of};
use map_ir::Program;

use super::play::agent_meant;
use super::{loopback, refused_tokens};
use crate::exit::Exit;
use crate::failure::Failure;

/// The flags of the bridge.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct BridgeArgs {
    /// Let one agent speak on standard input and output, with a guard that listens, or with one in this process whose
    /// other agents are played
    #[arg(long, conflicts_with_all = ["stdio", "listen"])]
    pub(super) mcp: bool,

    /// Where the guard listens
    #[arg(
        long,
        value_name = "ADDRESS",
        value_parser = loopback,
        requires_all = ["mcp", "tokens"],
        conflicts_with_all = ["file", "config", "journal", "play"]
    )]
    pub(super) at: Option<SocketAddr>,

    /// The conversation that is meant if the agent names none
    #[arg(long, value_name = "NAME", default_value = "main", requires = "mcp")]
    conversation: String,
}

impl BridgeArgs {
    /// The seat of an agent whose guard is in this process.
    ///
    /// # Errors
    /// If there is not one agent, or its name means nobody.
    pub(super) fn seat(
        &self,
        names: &[String],
        program: &Program,
        cast: &CastRules,
        source: &SourceFile,
    ) -> Result<SeatSettings, Failure> {
        let [name] = names else { return Err(one_seat()) };
        let agent = agent_meant(program, cast, name).ok_or_else(one_seat)?;
        Ok(SeatSettings {
            name: cast.usual_name(program, agent).to_owned(),
            conversation: self.conversation.clone(),
            file: source.name().to_owned(),
            scene: program.scene.clone(),
        })
    }
}

/// What is wrong if there is not one agent to speak.
fn one_seat() -> Failure {
    Failure::Usage("guard", "--mcp is for one agent: say with --as NAME which".to_owned())
}

/// Speaks with a guard that listens at an address, for an agent.
pub(super) fn run(
    args: &BridgeArgs,
    at: SocketAddr,
    names: &[String],
    tokens: Option<&Path>,
) -> Result<(), Failure> {
    let [name] = names else { return Err(one_seat()) };
    let name = name.clone();
    let path = tokens.map(PathBuf::from).unwrap_or_default();
    let token = token_of(&path, &name).map_err(|error| refused_tokens(&path, error))?;
    let settings = BridgeSettings { at, name, token, conversation: args.conversation.clone() };
    serve_bridge(settings).map_err(|what| Failure::Ended(Exit::Violation, what))
}
