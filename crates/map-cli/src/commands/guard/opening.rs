//! The first line: what is guarded, and which command verifies what is assumed.

use map_diagnostics::SourceFile;
use map_doors::{Lookout, shown};
use map_guard::{Arrival, OnDoomed, OnSilent, Rules};
use map_json::Header;
use map_json::guard::{GuardHeader, GuardedAgent, NotEnforced};

use super::{Addresses, Args};

/// What the first line also tells.
pub(super) struct Known {
    /// The properties that are not enforced, and why.
    pub(super) left_out: Vec<(String, String)>,
    /// Who looks ahead.
    pub(super) lookout: Option<Lookout>,
    /// The names of those who are played.
    pub(super) played: Vec<String>,
}

fn not_enforced((property, why): &(String, String)) -> NotEnforced {
    NotEnforced { property: property.clone(), why: why.clone() }
}

pub(super) fn header(
    args: &Args,
    source: &SourceFile,
    rules: &Rules,
    agents: &[String],
    (addresses, known): (&Addresses, &Known),
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
        enforces: rules.budgets.enforced().to_vec(),
        not_enforced: known.left_out.iter().map(not_enforced).collect(),
        on_doomed: match rules.policy.on_doomed {
            OnDoomed::Refuse => Some("refuse".to_owned()),
            OnDoomed::Warn => Some("warn".to_owned()),
            OnDoomed::Off => None,
        },
        ahead: known.lookout.as_ref().map(Lookout::told),
        covered_by: covered_by(source, rules, agents),
        played: known.played.clone(),
        at: addresses.listen.map(|at| at.to_string()),
        http: addresses.http.map(|at| format!("http://{at}")),
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
    for value in &rules.scene.program().set {
        command += &format!(" --set '{value}'");
    }
    let crashes = policy.answers.iter().flatten().count();
    if policy.on_silent == OnSilent::GiveUp && crashes > 0 {
        command += &format!(" --network crash:{crashes}");
    }
    if policy.has_early_waits() {
        command += " --timeouts any";
    }
    Some(command)
}
