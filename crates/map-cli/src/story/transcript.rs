//! The layout of a story: number, agent, place, what happened.

use map_ir::PointKind;

use super::{Teller, Told, style};

/// The line above steps that are repeated for ever.
pub(crate) fn repeated_head() -> String {
    format!("{}\n", style::head("     these steps are repeated for ever:"))
}

/// The widest column for names.
const MAX_NAME: usize = 28;

/// The widths of the columns: fixed before the first line, so that lines can be printed as they come.
pub(crate) struct Columns {
    number: usize,
    agent: usize,
    place: usize,
}

impl Columns {
    /// Columns for a story of about that many steps.
    pub(crate) fn new(teller: &Teller<'_>, steps: u64) -> Self {
        let program = teller.program;
        let threads = program.points.iter().any(|point| matches!(point.kind, PointKind::Par { .. }));
        let name = program.cast().map(|agent| teller.agent(agent).chars().count()).max().unwrap_or(0);
        let lines = teller.source.text().lines().count().max(1);
        Self {
            number: steps.to_string().len().max(3),
            agent: name.min(MAX_NAME) + if threads { 4 } else { 0 },
            place: (teller.file().chars().count() + 1 + lines.to_string().len()).min(MAX_NAME),
        }
    }

    /// A line of the story.
    pub(crate) fn line(&self, teller: &Teller<'_>, number: u64, told: &Told) -> String {
        self.line_of(teller, &number.to_string(), told)
    }

    /// A line with something else in the place of the number.
    pub(crate) fn line_of(&self, teller: &Teller<'_>, number: &str, told: &Told) -> String {
        let number = style::aside(format!("{number:>width$}", width = self.number));
        let agent = style::who(format!("{:width$}", told.agent, width = self.agent));
        let place = style::aside(format!("{:width$}", teller.place(told.span), width = self.place));
        format!("{number}  {agent}  {place}  {}\n", told.what)
    }
}
