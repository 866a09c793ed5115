//! A conversation as a chart: its messages as the log has them, up to the first violation, which is marked.

use map_conform::{ConversationResult, LoggedLine, Mark, Offence, Violation};
use map_ir::{AgentId, SourceSpan};
use map_render::chart::{Act, Chart, Fate, Lifeline, MessageCopy, Row, What};

use super::{ConversationTeller, Places};

/// The maximum number of messages that could have been sent that stand beside the violation.
const MAX_POSSIBLE: usize = 4;

/// The chart of a conversation whose lines have been kept. A message arrives in it where the log says so; else it is
/// not known when.
#[must_use]
pub fn chart(places: Places<'_>, judged: &ConversationResult) -> Chart {
    let telling = &ConversationTeller::new(&judged.scene, &judged.cast, places);
    let mut drawing = Drawing { telling, chart: empty(telling) };
    let violation = first_violation(judged);
    for (mark, line) in &judged.lines {
        drawing.add(line);
        let is_offence = |violation: &&Violation| is_same(violation.mark, *mark) && !is_silence(violation);
        if let Some(violation) = violation.filter(is_offence) {
            drawing.mark(violation);
            return drawing.chart;
        }
    }
    if let Some(violation) = violation
        && let Some(agent) = violation.agent
    {
        drawing.row(agent, Act::Move);
        drawing.mark(violation);
    }
    drawing.chart
}

/// The first violation, if there is one that is certain.
fn first_violation(judged: &ConversationResult) -> Option<&Violation> {
    let violations = &judged.report.violations;
    violations.iter().find(|violation| violation.gap.is_none()).or(violations.first())
}

fn is_same(one: Mark, other: Mark) -> bool {
    (one.log, one.line) == (other.log, other.line)
}

fn is_silence(violation: &Violation) -> bool {
    violation.offence == Offence::Nothing
}

fn empty(telling: &ConversationTeller<'_>) -> Chart {
    let program = telling.program;
    let lifeline = |agent: AgentId| Lifeline {
        name: telling.agent(agent),
        role: format!("%{}", program.role_name(program.agent(agent).role)),
        end: None,
        unread: Vec::new(),
    };
    Chart {
        scene: program.scene.clone(),
        lifelines: program.cast().map(lifeline).collect(),
        rows: Vec::new(),
        copies: Vec::new(),
        repeated_from: None,
        waits: Vec::new(),
    }
}

struct Drawing<'a> {
    telling: &'a ConversationTeller<'a>,
    chart: Chart,
}

impl Drawing<'_> {
    fn add(&mut self, line: &LoggedLine) {
        match line {
            LoggedLine::Sends(logged) => {
                self.send(logged.from, &logged.to, &self.telling.message(&logged.message));
            }
            LoggedLine::Unknown(from, said) => {
                let to: Vec<AgentId> =
                    said.to.iter().filter_map(|name| self.telling.cast.agent_of(name)).collect();
                self.send(*from, &to, &said.message);
            }
            LoggedLine::Receives(to, message) => {
                let label = self.telling.message(message);
                let is_it = |copy: &MessageCopy| {
                    copy.fate == Fate::Unread
                        && (copy.from, copy.to) == (message.sender, *to)
                        && copy.label == label
                };
                let copy = self.chart.copies.iter().position(is_it);
                let row = self.row(*to, Act::Arrival(copy, label));
                if let Some(copy) = copy {
                    self.chart.copies[copy].fate = Fate::Received(row);
                }
            }
        }
    }

    fn send(&mut self, from: AgentId, to: &[AgentId], label: &str) {
        let sent = self.chart.rows.len();
        let first = self.chart.copies.len();
        let others = to.iter().filter(|&&to| to != from);
        self.chart.copies.extend(others.map(|&to| MessageCopy {
            from,
            to,
            label: label.to_owned(),
            sent,
            step: sent as u64 + 1,
            fate: Fate::Unread,
        }));
        let copies: Vec<usize> = (first..self.chart.copies.len()).collect();
        match copies.is_empty() {
            true => self.row(from, Act::Ask(label.to_owned())),
            false => self.row(from, Act::Send(copies)),
        };
    }

    /// Adds a row; returns its index.
    fn row(&mut self, agent: AgentId, act: Act) -> usize {
        let number = self.chart.rows.len() as u64 + 1;
        let what = What::Step { agent, thread: None, act, span: SourceSpan::default(), ends: None };
        self.chart.rows.push(Row { first: number, last: number, what, notes: Vec::new(), wrong: None });
        self.chart.rows.len() - 1
    }

    /// Marks the last row as the violation, with what could be sent instead.
    fn mark(&mut self, violation: &Violation) {
        let verb = if is_silence(violation) { "it has to send" } else { "it could send" };
        let all = &violation.possible;
        let first = all.listed.iter().take(MAX_POSSIBLE).map(|possible| self.telling.sendable(possible));
        let mut instead: Vec<String> = first.collect();
        if all.count() > MAX_POSSIBLE {
            instead.push(format!("one of {} others", all.count() - MAX_POSSIBLE));
        }
        let possibly = if violation.gap.is_some() { "possibly " } else { "" };
        let instead = match instead.is_empty() {
            true => String::new(),
            false => format!("; {verb} {}", instead.join(", or ")),
        };
        if let Some(row) = self.chart.rows.last_mut() {
            row.wrong = Some(format!("{possibly}{}{instead}", violation.kind.words()));
        }
    }
}
