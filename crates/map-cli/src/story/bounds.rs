//! Cast, bounds and assumptions in plain words.

use map_ir::{Body, Program};
use map_semantics::{Bounds, Timeouts};

use super::Teller;
use crate::numbers::grouped;

/// The longest list of agents of one part.
const MAX_NAMES: usize = 4;

/// Who plays: `!Auctioneer (%auctioneer), !Bidder1 and !Bidder2 (%bidder)`.
pub(crate) fn cast(program: &Program) -> String {
    let parts = program.parts.iter().map(|part| {
        let role = program.role_name(part.role);
        let name = |agent: &map_ir::AgentId| format!("!{}", program.agent_name(*agent));
        let names = match part.agents.as_slice() {
            [] => "nobody".to_owned(),
            [first, .., last] if part.agents.len() > MAX_NAMES => {
                format!("{} agents {} .. {}", grouped(part.agents.len() as u64), name(first), name(last))
            }
            few => few.iter().map(name).collect::<Vec<_>>().join(", "),
        };
        format!("{names} (%{role})")
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// The bounds in force.
pub(crate) fn bounds(teller: &Teller<'_>, bounds: &Bounds) -> String {
    let mut rounds: Vec<String> = Vec::new();
    if let Some(limit) = bounds.rounds {
        rounds.push(format!("{} rounds", grouped(limit.into())));
    }
    for &(constant, limit) in &bounds.rounds_of {
        rounds.push(format!("{} rounds of {}", grouped(limit.into()), teller.value(constant)));
    }
    if rounds.is_empty() {
        rounds.push("any number of rounds".to_owned());
    }
    let timeouts = match bounds.timeouts {
        Timeouts::Quiescent => "time runs out only when everybody is waiting",
        Timeouts::Any => "time may run out for anybody who is waiting",
    };
    format!(
        "depth {}, {}, mailboxes of {}; {timeouts}",
        grouped(bounds.depth.into()),
        rounds.join(", "),
        grouped(bounds.mailbox.into())
    )
}

/// What every verdict takes for granted, as far as it matters for this scene.
pub(crate) fn assumptions(program: &Program) -> Vec<String> {
    let mut all = vec!["messages arrive at once, and in the order in which they were sent".to_owned()];
    let procedures = |may_refuse: bool| {
        let abstracts = program.procedures.iter().filter(|it| it.body == Body::Abstract);
        let named = abstracts.filter(|it| it.may_refuse == may_refuse);
        named.map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let (deciding, answering) = (procedures(true), procedures(false));
    if !deciding.is_empty() {
        all.push(format!("these may say no, or answer anything: {deciding}"));
    }
    if !answering.is_empty() {
        all.push(format!("these answer always, and anything: {answering}"));
    }
    all
}
