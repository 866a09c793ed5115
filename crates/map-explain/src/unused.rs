//! Parts of a scene that a search never saw in use.

use map_ir::{AgentId, SourceSpan};
use map_verify::{Report, Unused};

use crate::Teller;

/// One part that was never used.
pub struct Item {
    /// Its place.
    pub span: SourceSpan,
    /// A whole sentence without its full stop.
    pub what: String,
}

/// Everything that was never used, in source order. `never` is "never" only if the search was exhaustive. Idle agents
/// are listed by [`idle`] instead.
#[must_use]
pub fn items(teller: &Teller<'_>, unused: &Unused, never: &str) -> Vec<Item> {
    let program = teller.program;
    let mut items = Vec::new();
    for &clause in &unused.clauses {
        let span = program.clause(clause).head_span;
        items.push(Item { span, what: format!("the clause {} is {never} entered", teller.quote(span)) });
    }
    for &region in &unused.alternatives {
        let span = program.regions[region].span;
        items.push(Item { span, what: format!("the alternative {} is {never} chosen", teller.quote(span)) });
    }
    for &region in &unused.timeouts {
        let span = program.regions[region].span;
        let fires = if never == "not" { "does not fire".to_owned() } else { format!("{never} fires") };
        items.push(Item { span, what: format!("the timeout {} {fires}", teller.quote(span)) });
    }
    for &operation in &unused.operations {
        let span = program.point(operation).span;
        items.push(Item { span, what: format!("{} is {never} run", teller.quote(span)) });
    }
    items.sort_by_key(|item| item.span);
    items
}

/// Agents that never act, grouped by part; the span is the head of the part's entry clause. Empty unless the search was
/// exhaustive.
#[must_use]
pub fn idle(teller: &Teller<'_>, report: &Report) -> Vec<Item> {
    let program = teller.program;
    let parts = program.parts.iter().filter(|_| report.is_exhaustive());
    let told = parts.filter_map(|part| {
        let never = |agent: &AgentId| report.unused.agents.contains(agent);
        let idle: Vec<AgentId> = part.agents.iter().copied().filter(never).collect();
        let what = match idle.len() {
            0 => return None,
            1 => format!("{} never acts", teller.agents(&idle)),
            all if all == part.agents.len() => {
                format!("no agent of %{} ever acts", program.role_name(part.role))
            }
            _ => format!("{} never act", teller.agents(&idle)),
        };
        Some(Item { span: program.clause(part.entry).head_span, what })
    });
    told.collect()
}

/// Messages left unread in some run, grouped by performative.
#[must_use]
pub fn unread(teller: &Teller<'_>, unused: &Unused) -> Vec<String> {
    let mut unread = unused.unread.clone();
    unread.sort_unstable();
    unread.dedup();
    let mut told = Vec::new();
    for group in unread.chunk_by(|a, b| a.0 == b.0) {
        let agents: Vec<_> = group.iter().map(|&(_, agent)| agent).collect();
        told.push(format!("{} by {}", teller.performative(group[0].0), teller.agents(&agents)));
    }
    told
}
