//! A chart as a sequence diagram of PlantUML.
//!
//! Its arrows are horizontal, so a message that is not received in the next step gets a note where it is received.
//! (Newer versions can slant arrows, but the versions in distributions reject the syntax.)

use std::fmt::Write as _;

use map_ir::AgentId;

use super::Chart;
use super::script::{ArrowKind, Statement, script};
use crate::measure::wrap;

/// The widest line of a label, in columns.
const WIDTH: usize = 40;

/// The most lines of a label.
const LINES: usize = 8;

/// The chart in PlantUML's language.
#[must_use]
pub fn print(chart: &Chart) -> String {
    let mut out = "@startuml\nhide footbox\n".to_owned();
    for agent in chart.involved() {
        let _ = writeln!(out, "participant \"{}\" as {}", label(&chart.lifeline(agent).name), id(agent));
    }
    for statement in script(chart) {
        let _ = match statement {
            Statement::Arrow(kind, from, to, said) => {
                let arrow = match kind {
                    ArrowKind::AtOnce => "->",
                    ArrowKind::Sent => "->>",
                    ArrowKind::Lost => "->x",
                    ArrowKind::Wait => "-->",
                };
                writeln!(out, "{} {arrow} {} : {}", id(from), id(to), label(&said))
            }
            Statement::Note(agent, said) => writeln!(out, "note over {} : {}", id(agent), label(&said)),
            Statement::Folded(said) => writeln!(out, "... {said} ..."),
            Statement::Loop => writeln!(out, "loop for ever"),
            Statement::EndOfLoop => writeln!(out, "end"),
        };
    }
    out.push_str("@enduml\n");
    out
}

fn id(agent: AgentId) -> String {
    format!("a{}", agent.index())
}

/// A text as a label: every character that may have a meaning to PlantUML or its preprocessor is written as its code
/// point.
fn label(text: &str) -> String {
    wrap(text, WIDTH, LINES).iter().map(|line| escape(line)).collect::<Vec<_>>().join("\\n")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | ',' | '(' | ')' | '→' | '…') {
            out.push(c);
        } else {
            let _ = write!(out, "<U+{:04X}>", c as u32);
        }
    }
    out
}
