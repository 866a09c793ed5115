//! A chart as a `sequenceDiagram` of Mermaid.
//!
//! Mermaid's arrows are horizontal, so a message that is not received in the next step gets a note where it is
//! received.

use std::fmt::Write as _;

use map_ir::AgentId;

use super::Chart;
use super::script::{ArrowKind, Statement, script};
use crate::measure::wrap;

/// The widest line of a label, in columns.
const WIDTH: usize = 40;

/// The most lines of a label.
const LINES: usize = 8;

/// The chart in Mermaid's language.
#[must_use]
pub fn print(chart: &Chart) -> String {
    let mut out = "sequenceDiagram\n".to_owned();
    let agents = chart.involved();
    for &agent in &agents {
        let _ = writeln!(out, "    participant {} as {}", id(agent), label(&chart.lifeline(agent).name));
    }
    for statement in script(chart) {
        let _ = match statement {
            Statement::Arrow(kind, from, to, said) => {
                let arrow = match kind {
                    ArrowKind::AtOnce => "->>",
                    ArrowKind::Sent => "-)",
                    ArrowKind::Lost => "-x",
                    ArrowKind::Wait => "-->>",
                };
                writeln!(out, "    {}{arrow}{}: {}", id(from), id(to), label(&said))
            }
            Statement::Note(agent, said) => writeln!(out, "    Note over {}: {}", id(agent), label(&said)),
            Statement::Folded(said) => {
                let ends = agents.first().zip(agents.last());
                let (first, last) = ends.map_or(("a0".into(), "a0".into()), |(a, b)| (id(*a), id(*b)));
                writeln!(out, "    Note over {first},{last}: {}", label(&said))
            }
            Statement::Loop => writeln!(out, "    loop for ever"),
            Statement::EndOfLoop => writeln!(out, "    end"),
        };
    }
    out
}

fn id(agent: AgentId) -> String {
    format!("a{}", agent.index())
}

/// A text as a label: every character that may have a meaning to Mermaid or to the surrounding page becomes a character
/// reference.
fn label(text: &str) -> String {
    wrap(text, WIDTH, LINES).iter().map(|line| escape(line)).collect::<Vec<_>>().join("<br/>")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '(' | ')' | '_' | '→' | '…') {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", c as u32);
        }
    }
    out
}
