//! What an engine or the oracle found never to happen, in the words of the lines about it.

use map_flags::UnusedLines;
use map_ir::Program;

use crate::engines::Findings;

/// What a search has found, with all kinds of lines.
#[must_use]
pub fn of_findings(text: &str, program: &Program, findings: &Findings) -> UnusedLines {
    let clauses = program.clauses.iter().enumerate();
    let entered = clauses.filter(|(index, _)| !findings.entered.contains(index));
    let head = |span: map_ir::SourceSpan| text[span.start as usize..span.end as usize].to_owned();
    let acts = program.cast().map(|agent| program.agent_name(agent));
    let unread = findings.unread.iter();
    UnusedLines::found(
        entered.map(|(_, clause)| head(clause.head_span)),
        acts.filter(|agent| !findings.acted.contains(*agent)).map(|agent| format!("!{agent}")),
        unread.map(|(name, arity, agent)| format!("{name}/{arity} by !{agent}")),
    )
}
