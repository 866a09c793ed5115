//! What came of the dialogues, in words.

use map_diagnostics::SourceFile;
use map_explain::Namer;
use map_guard::{Branch, BranchState, Entry, Record};
use map_ir::{PointId, Program, RegionKind};

use super::stage::{AgentFailure, message_text};

/// A clause or branch with what became of it.
pub struct BranchRow {
    /// What it is.
    pub branch: Branch,
    /// The same in words, with its place.
    pub name: String,
    /// Whether a dialogue took it.
    pub taken: BranchState,
    /// Whether no run of this cast takes it.
    pub is_unreachable: bool,
}

impl BranchRow {
    /// Whether a dialogue took it, certainly or possibly.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.taken != BranchState::Missed
    }

    fn word(&self) -> &'static str {
        match (self.taken, self.is_unreachable) {
            (BranchState::Certain, _) => "covered",
            (BranchState::Possible, _) => "possibly covered",
            (BranchState::Missed, true) => "unreachable",
            (BranchState::Missed, false) => "not covered",
        }
    }
}

/// A clause or branch, with its place.
pub(super) fn branch_name(source: &SourceFile, program: &Program, branch: Branch) -> String {
    let namer = Namer::new(source, program);
    match branch {
        Branch::Clause(clause) => {
            format!("{} {}", namer.place(program.clause(clause).span), namer.head(clause))
        }
        Branch::Region(region) => {
            let region = &program.regions[region];
            let quote = namer.quote(region.span);
            match region.kind {
                RegionKind::Alternative => format!("{} {quote}", namer.place(region.span)),
                RegionKind::Timeout => format!("{} timeout {quote}", namer.place(region.span)),
            }
        }
    }
}

/// How many branches are covered, and which are not.
#[must_use]
pub fn coverage_text(rows: &[BranchRow]) -> String {
    let count = |wanted: fn(&BranchRow) -> bool| rows.iter().filter(|row| wanted(row)).count();
    let possible = count(|row| row.is_covered() || !row.is_unreachable);
    let covered = count(BranchRow::is_covered);
    let possibly = count(|row| row.taken == BranchState::Possible);
    let mut text = format!("clauses and branches: {covered} of {possible} covered");
    if possibly > 0 {
        text += &format!(", {possibly} of them possibly: other runs explain the messages, too");
    }
    text.push('\n');
    for row in rows.iter().filter(|row| !row.is_covered()) {
        text += &format!("  {}: {}\n", row.word(), row.name);
    }
    text
}

/// The share of the branches that are covered of those that can be, in percent, rounded down.
#[must_use]
pub fn share(rows: &[BranchRow]) -> usize {
    let possible = rows.iter().filter(|row| row.is_covered() || !row.is_unreachable).count();
    let covered = rows.iter().filter(|row| row.is_covered()).count();
    (covered * 100).checked_div(possible).unwrap_or(100)
}

/// The messages of a dialogue, one a line.
pub(super) fn transcript(records: &[Record], place: &dyn Fn(PointId) -> String) -> String {
    let mut text = String::new();
    for record in records {
        match &record.entry {
            Entry::Send { from, to, performative, args, .. } => {
                let message = message_text(performative, args);
                text += &format!("  {from} -> {}: {message}\n", to.join(", "));
            }
            Entry::Timeout { agent, place: point, .. } => {
                text += &format!("  time runs out for {agent} at {}\n", place(PointId::new(*point as usize)));
            }
            _ => {}
        }
    }
    text
}

/// What the agent under test has done wrong.
pub(super) fn failure_text(tested: &str, failure: &AgentFailure) -> String {
    let mut text = match &failure.message {
        Some(message) => format!("  {tested} wants to send {message}: refused, {}\n", failure.kind),
        None => format!("  {tested}: {}\n", failure.kind),
    };
    text += &format!("  {}\n", failure.text);
    for (number, may) in failure.may.iter().enumerate() {
        text += &format!("  {} {may}\n", if number == 0 { "possible:" } else { "         " });
    }
    text
}
