//! The layout of a transcript: number, agent, place, description.

use std::fmt::Write as _;

use map_ir::PointKind;

use crate::{Namer, Role, StepText, Text};

/// The heading above steps that repeat for ever.
#[must_use]
pub fn repeated_head() -> Text {
    let mut text = Text::of(Role::Heading, "     these steps are repeated for ever:");
    text.push_str("\n");
    text
}

/// The maximum width of a column for names.
const MAX_NAME: usize = 28;

/// The widths of the columns. They are fixed before the first line, so that lines can be printed as the steps happen.
pub struct Columns {
    number: usize,
    agent: usize,
    place: usize,
}

impl Columns {
    /// Columns for a transcript of about this many steps.
    #[must_use]
    pub fn new(namer: &Namer<'_>, steps: u64) -> Self {
        let program = namer.program;
        let threads = program.points.iter().any(|point| matches!(point.kind, PointKind::Par { .. }));
        let name = program.cast().map(|agent| namer.agent(agent).chars().count()).max().unwrap_or(0);
        let lines = namer.source.text().lines().count().max(1);
        Self {
            number: steps.to_string().len().max(3),
            agent: name.min(MAX_NAME) + if threads { 4 } else { 0 },
            place: (namer.file().chars().count() + 1 + lines.to_string().len()).min(MAX_NAME),
        }
    }

    /// The line for a step.
    #[must_use]
    pub fn line(&self, namer: &Namer<'_>, number: u64, told: &StepText) -> Text {
        self.line_of(namer, &number.to_string(), told)
    }

    /// The line for a step, with other text in place of its number.
    #[must_use]
    pub fn line_of(&self, namer: &Namer<'_>, number: &str, told: &StepText) -> Text {
        let mut line = Text::of(Role::Aside, format!("{number:>width$}", width = self.number));
        line.push_str("  ");
        line.push(Role::Agent, format!("{:width$}", told.agent, width = self.agent));
        line.push_str("  ");
        line.push(Role::Aside, format!("{:width$}", namer.place(told.span), width = self.place));
        let _ = writeln!(line, "  {}", told.what);
        line
    }
}
