//! The first line: what is guarded, and which command verifies what is assumed.

use std::net::SocketAddr;

use map_diagnostics::SourceFile;
use map_guard::{Arrival, OnSilent, Rules, Wait};
use map_json::Header;
use map_json::guard::{GuardHeader, GuardedAgent};

use super::Args;
use crate::names::shown;

pub(super) fn header(
    args: &Args,
    source: &SourceFile,
    rules: &Rules,
    agents: &[String],
    at: Option<SocketAddr>,
) -> GuardHeader {
    let program = rules.program();
    let agent = |agent| GuardedAgent {
        agent: program.agent_name(agent).to_owned(),
        role: program.role_name(program.agent(agent).role).to_owned(),
        arrivals: match rules.policy.arrivals[agent.index()] {
            Arrival::Strict => "strict",
            Arrival::Fetched => "fetched",
            Arrival::Pushed => "pushed",
        }
        .to_owned(),
    };
    GuardHeader {
        header: Header::new("guard"),
        file: source.name().to_owned(),
        scene: program.scene.clone(),
        agents: program.cast().map(agent).collect(),
        covered_by: covered_by(source, rules, agents),
        at: at.map(|at| at.to_string()),
        journal: args.journal.as_deref().map(shown),
    }
}

/// The command whose verdict holds of what is let through; `None` if nothing covers it.
fn covered_by(source: &SourceFile, rules: &Rules, agents: &[String]) -> Option<String> {
    let policy = &rules.policy;
    if policy.arrivals.iter().any(|&arrival| arrival != Arrival::Strict) {
        return None;
    }
    let mut command = format!("map verify {}", source.name());
    for agents in agents {
        command += &format!(" --agents {agents}");
    }
    let crashes = policy.answers.iter().flatten().count();
    if policy.on_silent == OnSilent::GiveUp && crashes > 0 {
        command += &format!(" --network crash:{crashes}");
    }
    if policy.waits.values().any(|wait| matches!(wait, Wait::Early(_))) {
        command += " --timeouts any";
    }
    Some(command)
}
