//! Builds a chart from the steps of a run, one by one.

use std::sync::Arc;

use map_ir::{AgentId, Foreign, Program};
use map_semantics::{Action, Ending, Message, Names, ObservedStep, Outcome, Status, StepKind, Turn};
use map_session::TakenStep;

use super::{Act, AgentEnd, Chart, Fate, Lifeline, MessageCopy, Row, What, label};
use crate::measure::clean;

/// The message that arrives, if the step is an arrival.
fn arriving<'a>(step: &TakenStep<'a>) -> Option<&'a Arc<Message>> {
    let Ending::State(next) = &step.observed.outcome.ending else { return None };
    step.before.under_way.get(next.arrives?)
}

/// Observes the steps of a run, in order, from the first.
#[derive(Clone, Debug)]
pub struct Recorder<'p> {
    program: &'p Program,
    names: Names<'p>,
    chart: Chart,
    /// The copies in each agent's mailbox and on their way there, in the order sent. Equal ones have one sender, so
    /// they arrive in that order.
    mailboxes: Vec<Vec<Waiting>>,
}

/// A copy in a mailbox, or on its way there.
#[derive(Clone, Debug)]
struct Waiting {
    message: Arc<Message>,
    copy: usize,
}

impl<'p> Recorder<'p> {
    /// A recorder at the start of a run. `start` is what each agent did on the way to its first places, in the order of
    /// the cast.
    #[must_use]
    pub fn new(program: &'p Program, start: &[Outcome]) -> Self {
        let ended = |agent: AgentId| match start.get(agent.index()).map(|outcome| &outcome.ending) {
            Some(Ending::State(next)) => ended(next.status).map(|how| (how, None)),
            _ => None,
        };
        let lifeline = |agent| Lifeline {
            name: format!("!{}", program.agent_name(agent)),
            role: format!("%{}", program.role_name(program.agent(agent).role)),
            end: ended(agent),
            unread: Vec::new(),
        };
        let chart = Chart {
            scene: program.scene.clone(),
            lifelines: program.cast().map(lifeline).collect(),
            rows: Vec::new(),
            copies: Vec::new(),
            repeated_from: None,
            waits: Vec::new(),
        };
        let mailboxes = vec![Vec::new(); program.agents.len()];
        Self { program, names: Names::new(program), chart, mailboxes }
    }

    /// Learns the names of constants and strings from outside. To be called before the first step that has one.
    pub fn know(&mut self, foreign: &Foreign) {
        self.names.foreign = foreign.clone();
    }

    /// Records the next step.
    pub fn record(&mut self, seen: &TakenStep<'_>) {
        let outcome = &seen.observed.outcome;
        self.names.learn(outcome);
        let agent = seen.step.agent;
        let at = outcome.action.as_ref().map_or(seen.place, Action::point);
        let is_of_a_thread = matches!(seen.step.turn, Turn::Act | Turn::Timeout);
        let several = is_of_a_thread && seen.before.control.threads().count() > 1;
        let wrong = label::wrong(self.program, &seen.observed.result);
        let act = match arriving(seen) {
            Some(message) => {
                let place = self.place(agent, message, seen.before.mailbox.equal_before(message, None));
                Act::Arrival(place.map(|(_, copy)| copy), self.sender_of(message))
            }
            None => self.act(seen, wrong.is_some()),
        };
        let status = match &outcome.ending {
            Ending::State(next) if wrong.is_none() => ended(next.status),
            _ => None,
        };
        let row = self.chart.rows.len();
        if let Some(how) = status {
            self.chart.lifelines[agent.index()].end = Some((how, Some(row)));
            self.close(agent);
        }
        let number = row as u64 + 1;
        self.chart.rows.push(Row {
            first: number,
            last: number,
            what: What::Step {
                agent,
                thread: several.then_some(seen.step.thread + 1),
                act,
                span: self.program.point(at).span,
                ends: status,
            },
            notes: label::notes(self.program, &self.names, seen.observed),
            wrong,
        });
    }

    /// A step that could be the next one: its row, and the copies that it sends, to which the row refers from 0.
    pub(super) fn next(&self, seen: &TakenStep<'_>) -> (Row, Vec<MessageCopy>) {
        let mut after = self.clone();
        after.record(seen);
        let copies = after.chart.copies.split_off(self.chart.copies.len());
        let mut row = after.chart.rows.pop().expect("a row was recorded");
        if let What::Step { act, .. } = &mut row.what {
            match act {
                Act::Send(sent) => *sent = (0..copies.len()).collect(),
                // Which of several it is, is said, as no arrow leads there.
                Act::Receive(copy @ Some(_), label) => {
                    let from = copy.take().map(|copy| self.chart.copies[copy].from);
                    let from = from.map(|from| format!(" from {}", self.chart.lifeline(from).name));
                    label.push_str(&from.unwrap_or_default());
                }
                _ => {}
            }
        }
        (row, copies)
    }

    /// A message with its sender.
    fn sender_of(&self, message: &Message) -> String {
        let sender = self.program.agent_name(message.sender);
        format!("{} from !{sender}", clean(&self.names.message(message)))
    }

    /// The chart of what was recorded.
    #[must_use]
    pub fn finish(mut self) -> Chart {
        for agent in self.program.cast() {
            self.close(agent);
        }
        self.chart
    }

    fn act(&mut self, seen: &TakenStep<'_>, is_wrong: bool) -> Act {
        let agent = seen.step.agent;
        // By name: whatever else a step has is to be drawn. What nobody reads stays unread at the end.
        let ObservedStep { outcome, result: _, unread: _, lost } = seen.observed;
        match (&outcome.action, outcome.kind) {
            (Some(Action::Send { message, to, .. }), _) => Act::Send(
                to.iter().map(|&to| self.send(agent, to, message, lost.contains(&to), is_wrong)).collect(),
            ),
            (Some(Action::Receive { arrival, message, .. }), _) => {
                let earlier = seen.before.mailbox.equal_before(message, Some(*arrival));
                let place = self.place(agent, message, earlier);
                let copy = place.map(|(place, _)| self.mailboxes[agent.index()].remove(place).copy);
                if let Some(copy) = copy {
                    self.chart.copies[copy].fate = Fate::Received(self.chart.rows.len());
                }
                Act::Receive(copy, clean(&self.names.message(message)))
            }
            (Some(action @ Action::Ask { .. }), _) => Act::Ask(label::ask(self.program, &self.names, action)),
            (None, StepKind::Timeout) => Act::Timeout,
            (None, StepKind::Crash) => Act::Crash,
            (None, _) => Act::Move,
        }
    }

    /// Records a copy that is sent, and returns its index. A step that goes wrong delivers nothing.
    fn send(
        &mut self,
        from: AgentId,
        to: AgentId,
        message: &Arc<Message>,
        lost: bool,
        is_wrong: bool,
    ) -> usize {
        let copy = self.chart.copies.len();
        let has_ended = self.chart.lifelines[to.index()].end.is_some();
        let fate = match (lost, has_ended) {
            (true, _) => Fate::Lost,
            (_, true) => Fate::Dropped,
            _ if is_wrong => Fate::Undelivered,
            _ => Fate::Unread,
        };
        if fate == Fate::Unread {
            self.mailboxes[to.index()].push(Waiting { message: Arc::clone(message), copy });
        }
        let (label, sent) = (clean(&self.names.message(message)), self.chart.rows.len());
        self.chart.copies.push(MessageCopy { from, to, label, sent, step: sent as u64 + 1, fate });
        copy
    }

    /// The place of a message in the list of its recipient, and the copy there. `earlier` messages that equal it came
    /// before and were not taken.
    fn place(&self, agent: AgentId, message: &Arc<Message>, earlier: usize) -> Option<(usize, usize)> {
        let waiting = self.mailboxes[agent.index()].iter().enumerate();
        let mut equal = waiting.filter(|(_, waiting)| waiting.message == *message);
        equal.nth(earlier).map(|(place, waiting)| (place, waiting.copy))
    }

    /// Moves what is left in a mailbox to the unread messages.
    fn close(&mut self, agent: AgentId) {
        let left = std::mem::take(&mut self.mailboxes[agent.index()]);
        let unread = left.iter().map(|it| {
            let sender = self.program.agent_name(it.message.sender);
            format!("{} from !{sender}", self.chart.copies[it.copy].label)
        });
        let unread: Vec<String> = unread.collect();
        self.chart.lifelines[agent.index()].unread.extend(unread);
    }
}

const fn ended(status: Status) -> Option<AgentEnd> {
    match status {
        Status::Running => None,
        Status::Done => Some(AgentEnd::Done),
        Status::Failed => Some(AgentEnd::Failed),
        Status::Crashed => Some(AgentEnd::Crashed),
    }
}
