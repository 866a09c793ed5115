//! A chart as a list of statements, for languages whose tools lay it out themselves.

use map_ir::AgentId;

use super::{Act, Chart, Fate, What, fold};

/// A statement.
pub(super) enum Statement {
    /// An arrow and its label.
    Arrow(ArrowKind, AgentId, AgentId, String),
    /// A note at a lifeline.
    Note(AgentId, String),
    /// Steps that are not shown.
    Folded(String),
    /// The following statements are repeated for ever.
    Loop,
    /// The end of the loop.
    EndOfLoop,
}

/// What an arrow stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArrowKind {
    /// A message that is received in the next step.
    AtOnce,
    /// A message that stays in a mailbox for a while.
    Sent,
    /// A message that does not arrive.
    Lost,
    /// Somebody waits for somebody.
    Wait,
}

/// The statements for the agents of [`Chart::involved`].
pub(super) fn script(chart: &Chart) -> Vec<Statement> {
    let mut out = Vec::new();
    let agents = chart.involved();
    for &agent in &agents {
        if let Some((how, None)) = chart.lifeline(agent).end {
            out.push(Statement::Note(agent, format!("{} before the first step", how.word())));
        }
    }
    let mut index = 0;
    while index < chart.rows.len() {
        if chart.repeated_from == Some(index) {
            out.push(Statement::Loop);
        }
        index += rows_from(chart, index, &mut out);
    }
    if chart.repeated_from.is_some_and(|from| from < chart.rows.len()) {
        out.push(Statement::EndOfLoop);
    }
    for wait in &chart.waits {
        if wait.on.is_empty() {
            let said = format!("waits for {}: nobody is left to send it", wait.what);
            out.push(Statement::Note(wait.agent, said));
        }
        for &on in &wait.on {
            let said = format!("waits for {}", wait.what);
            out.push(Statement::Arrow(ArrowKind::Wait, wait.agent, on, said));
        }
    }
    for &agent in &agents {
        let unread = &chart.lifeline(agent).unread;
        if !unread.is_empty() {
            out.push(Statement::Note(agent, format!("unread: {}", fold::counted(unread).join(", "))));
        }
    }
    out
}

/// Adds a row, and the next one too if both are one arrow; returns the number of rows.
fn rows_from(chart: &Chart, index: usize, out: &mut Vec<Statement>) -> usize {
    let row = &chart.rows[index];
    let What::Step { agent, act, thread, .. } = &row.what else {
        out.push(Statement::Folded(fold::summary(row)));
        return 1;
    };
    let numbered = |what: &str| match thread {
        Some(thread) => format!("{}: [{thread}] {what}", row.first),
        None => format!("{}: {what}", row.first),
    };
    let Act::Send(copies) = act else {
        out.push(Statement::Note(*agent, numbered(&row.words(chart).join(", "))));
        return 1;
    };
    let at_once = chart.taken_at_once(index);
    for &index in copies {
        let copy = &chart.copies[index];
        let (kind, word) = match copy.fate {
            _ if at_once == Some(index) => (ArrowKind::AtOnce, ""),
            Fate::Lost => (ArrowKind::Lost, " (lost)"),
            Fate::Undelivered => (ArrowKind::Lost, ""),
            Fate::Dropped => (ArrowKind::Sent, " (never read)"),
            Fate::Received(_) | Fate::Unread => (ArrowKind::Sent, ""),
        };
        let said = numbered(&format!("{}{word}", copy.label));
        out.push(Statement::Arrow(kind, copy.from, copy.to, said));
    }
    beside(chart, index, out);
    if at_once.is_none() {
        return 1;
    }
    beside(chart, index + 1, out);
    2
}

/// Adds a note with the words beside a row's arrow.
fn beside(chart: &Chart, index: usize, out: &mut Vec<Statement>) {
    let row = &chart.rows[index];
    let words = row.words_beside();
    if let Some(agent) = row.agent().filter(|_| !words.is_empty()) {
        out.push(Statement::Note(agent, words.join(", ")));
    }
}
