//! Parts of a scene that a search never saw in use.

use map_ir::{AgentId, SourceSpan};
use map_verify::{Report, UnusedParts};

use crate::Namer;

/// One part that was never used.
pub struct Item {
    /// Its place.
    pub span: SourceSpan,
    /// A whole sentence without its full stop.
    pub what: String,
}

/// Everything that never happens: first agents that never act, then the rest in source order. Empty unless the search
/// was exhaustive: what one search had not come to when it stopped, another may show.
#[must_use]
pub fn items(namer: &Namer<'_>, report: &Report) -> Vec<Item> {
    if !report.is_exhaustive() {
        return Vec::new();
    }
    let (program, unused) = (namer.program, &report.unused);
    let mut items = Vec::new();
    for &clause in &unused.clauses {
        let span = program.clause(clause).head_span;
        items.push(Item { span, what: format!("the clause {} is never entered", namer.quote(span)) });
    }
    for &region in &unused.alternatives {
        let span = program.regions[region].span;
        items.push(Item { span, what: format!("the alternative {} is never chosen", namer.quote(span)) });
    }
    for &region in &unused.timeouts {
        let span = program.regions[region].span;
        items.push(Item { span, what: format!("the timeout {} never fires", namer.quote(span)) });
    }
    for &operation in &unused.operations {
        let span = program.point(operation).span;
        items.push(Item { span, what: format!("{} is never run", namer.quote(span)) });
    }
    items.sort_by_key(|item| item.span);
    idle(namer, report).chain(items).collect()
}

/// Agents that never act, grouped by part; the span is the head of the part's entry clause.
fn idle<'t>(namer: &'t Namer<'_>, report: &'t Report) -> impl Iterator<Item = Item> + 't {
    let program = namer.program;
    program.parts.iter().filter_map(move |part| {
        let never = |agent: &AgentId| report.unused.agents.contains(agent);
        let idle: Vec<AgentId> = part.agents.iter().copied().filter(never).collect();
        let what = match idle.len() {
            0 => return None,
            1 => format!("{} never acts", namer.agents(&idle)),
            all if all == part.agents.len() => {
                format!("no agent of %{} ever acts", program.role_name(part.role))
            }
            _ => format!("{} never act", namer.agents(&idle)),
        };
        Some(Item { span: program.clause(part.entry).head_span, what })
    })
}

/// Messages left unread in some run, grouped by performative.
#[must_use]
pub fn unread(namer: &Namer<'_>, unused: &UnusedParts) -> Vec<String> {
    let mut unread = unused.unread.clone();
    unread.sort_unstable();
    unread.dedup();
    let mut told = Vec::new();
    for group in unread.chunk_by(|a, b| a.0 == b.0) {
        let agents: Vec<_> = group.iter().map(|&(_, agent)| agent).collect();
        told.push(format!("{} by {}", namer.performative(group[0].0), namer.agents(&agents)));
    }
    told
}
