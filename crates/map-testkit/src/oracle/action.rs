//! Asks, sends and receives: each either happens or fails.

use map_syntax::ast::{Address, Message as Pattern, Op, Term};

use super::act::{Kind, Wrong};
use super::choice::Decider;
use super::run::{Run, Stop};
use super::state::{Message, Path, Status, Value};
use super::unify::{compare, recipients, unify_message};

impl<'a> Run<'a, '_> {
    /// "'No' is failure; an answer is unified with `$v` (if it does not unify: failure)." Updates of cells take
    /// effect with the answer, whether or not it unifies: "messages taken or sent and memory changed are never undone".
    pub(super) fn ask(
        &mut self,
        path: &Path,
        op: &'a Op,
        variable: &'a str,
        (procedure, arguments): (&'a str, &'a [Term]),
    ) -> Result<bool, Stop> {
        let variables = &self.activation(path).variables;
        let arguments =
            arguments.iter().map(|it| self.setting.value(&it.kind, variables, self.agent)).collect();
        let Some((answer, updates)) = self.consult(procedure, arguments)? else { return Ok(false) };
        self.acted(Kind::Ask, op);
        self.memory.extend(updates);
        match self.activation(path).variables.get(variable) {
            Some(&bound) => self.decide(compare(bound, answer)),
            None => {
                self.activation_mut(path).variables.insert(variable, answer);
                Ok(true)
            }
        }
    }

    /// "Puts the message into the mailbox of every *other* agent whose name and role match, in one indivisible step,
    /// and never blocks. It fails if no agent matches."
    pub(super) fn send(
        &mut self,
        path: &Path,
        op: &'a Op,
        message: &'a Pattern,
        to: &'a Address,
    ) -> Result<bool, Stop> {
        let variables = self.activation(path).variables.clone();
        let mut groups = recipients(self.setting, self.agent, &variables, to);
        let chosen = if groups.len() > 1 { self.choose(Decider::Comparison, groups.len())? } else { 0 };
        let recipients = groups.swap_remove(chosen);
        if recipients.is_empty() {
            return Ok(false);
        }
        self.acted(Kind::Send, op);
        let values = message.arguments.iter();
        let arguments: Vec<Value<'a>> =
            values.map(|it| self.setting.value(&it.kind, &variables, self.agent)).collect();
        let performative = message.performative.text.as_str();
        for recipient in recipients {
            // "An agent that has ended counts as a match; what is sent to it is dropped and reported as unread."
            let agent = &self.before.agents[recipient];
            if !matches!(agent.status, Status::Running(_)) {
                self.trail.unread.push((performative, arguments.len(), recipient));
                continue;
            }
            if agent.mailbox.len() >= self.setting.options.mailbox as usize {
                self.wrong.get_or_insert(Wrong::Overflow);
            }
            let message = Message { performative, arguments: arguments.clone(), sender: self.agent };
            self.deliveries.push((recipient, message));
        }
        Ok(true)
    }

    /// "Takes the *oldest* message that unifies with pattern and sender; variables are bound only when all of it
    /// matches. It fails at once if there is none."
    pub(super) fn receive(
        &mut self,
        path: &Path,
        op: &'a Op,
        pattern: (&'a Pattern, &'a Address),
    ) -> Result<bool, Stop> {
        for index in 0..self.mailbox.len() {
            let mut variables = self.activation(path).variables.clone();
            let message = &self.mailbox[index];
            let found = unify_message(self.setting, self.agent, &mut variables, pattern, message);
            if self.decide(found)? {
                self.mailbox.remove(index);
                self.activation_mut(path).variables = variables;
                self.acted(Kind::Receive, op);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// "After an ask, send, receive or timeout the thread goes on, in the same step, through what needs neither
    /// mailbox nor answer." Calls before and after the action are different silent ways.
    fn acted(&mut self, kind: Kind, op: &Op) {
        self.action = Some(kind);
        self.acting = false;
        self.trail.operations.insert(op.span);
        self.root.each_activation(&mut |it| it.calls.clear());
    }
}
