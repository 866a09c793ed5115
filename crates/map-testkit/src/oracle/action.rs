//! Asks, sends and receives: each either happens or fails.

use map_syntax::ast::{Address, Message as Pattern, Op, Term, TermKind};

use super::act::{Happening, Kind, Wrong};
use super::choice::Decider;
use super::run::{Run, Stop};
use super::state::{Message, Path, Status, Value};
use super::unify::{Match, compare, recipients, unify_message};

impl<'a> Run<'a, '_> {
    /// "'No' is failure; an answer is unified with `$v` (if it does not unify: failure)." Updates of cells take
    /// effect with the answer, whether or not it unifies: "messages taken or sent and memory changed are never undone".
    pub(super) fn ask(
        &mut self,
        path: &Path,
        op: &'a Op,
        variable: Option<&'a str>,
        (procedure, arguments): (&'a str, &'a [Term]),
    ) -> Result<bool, Stop> {
        let arguments = self.values_of_terms(path, arguments);
        let consulted = arguments.and_then(|arguments| self.consult(procedure, arguments));
        if let Err(Stop::RunError) = consulted {
            self.trail.operations.insert(op.span);
        }
        let Some((answer, updates)) = consulted? else {
            self.trail.happened.push(Happening::Refused(procedure));
            return Ok(false);
        };
        self.trail.happened.push(Happening::Answered(procedure));
        self.acted(Kind::Ask, op)?;
        self.memory.extend(updates);
        // "Without a variable any answer will do."
        let Some(variable) = variable else { return Ok(true) };
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
        let arguments = self.values_of_terms(path, &message.arguments);
        let computed = arguments.and_then(|arguments| Ok((arguments, self.address(path, to)?)));
        if let Err(Stop::RunError) = computed {
            self.trail.operations.insert(op.span);
        }
        let (arguments, (name, role)) = computed?;
        let mut groups = recipients(self.setting, self.agent, name, role);
        let chosen = if groups.len() > 1 { self.choose(Decider::Comparison, groups.len())? } else { 0 };
        let recipients = groups.swap_remove(chosen);
        if recipients.is_empty() {
            return Ok(false);
        }
        self.acted(Kind::Send, op)?;
        let performative = message.performative.text.as_str();
        let sent = Happening::Sent { performative, arguments: arguments.clone(), to: recipients.clone() };
        self.trail.happened.push(sent);
        for recipient in recipients {
            // "An agent that has ended counts as a match; what is sent to it is dropped and reported as unread."
            let agent = &self.before.agents[recipient];
            match agent.status {
                Status::Running(_) => {}
                // "Sends to it succeed and are dropped."
                Status::Crashed => continue,
                Status::Done | Status::Failed => {
                    self.trail.unread.push((performative, arguments.len(), recipient));
                    continue;
                }
            }
            // "Up to K copies of messages are lost in a run, each copy of a multicast separately; the send succeeds."
            if self.before.lost + self.lost < self.setting.options.losses
                && self.choose(Decider::Answer, 2)? == 0
            {
                self.lost += 1;
                continue;
            }
            // "What is under way counts, too."
            let under_way: usize = agent.under_way.values().map(Vec::len).sum();
            if agent.mailbox.len() + under_way >= self.setting.options.mailbox as usize {
                self.goes_wrong(Wrong::Overflow);
            }
            let message = Message { performative, arguments: arguments.clone(), sender: self.agent };
            self.deliveries.push((recipient, message));
        }
        Ok(true)
    }

    /// The name and the role in the address of a send; `None` is the wildcard: "any".
    fn address(
        &mut self,
        path: &Path,
        to: &'a Address,
    ) -> Result<(Option<Value<'a>>, Option<Value<'a>>), Stop> {
        let variables = self.activation(path).variables.clone();
        let mut value = |term: &'a Term| match &term.kind {
            TermKind::Wildcard => Ok(None),
            _ => self.value_of_term(term, &variables).map(Some),
        };
        Ok((value(&to.agent)?, value(&to.role)?))
    }

    /// "Takes the *oldest* message that unifies with pattern and sender; variables are bound only when all of it
    /// matches. It fails at once if there is none."
    pub(super) fn receive(
        &mut self,
        path: &Path,
        op: &'a Op,
        pattern: (&'a Pattern, &'a Address),
    ) -> Result<bool, Stop> {
        if self.setting.options.unordered {
            return self.receive_any(path, op, pattern);
        }
        for index in 0..self.mailbox.len() {
            let mut variables = self.activation(path).variables.clone();
            let message = &self.mailbox[index];
            let found = unify_message(self.setting, self.agent, &mut variables, pattern, message);
            if self.decide(found)? {
                self.trail.happened.push(Happening::Received(self.mailbox.remove(index)));
                self.activation_mut(path).variables = variables;
                self.acted(Kind::Receive, op)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// "A receive may take any message that matches." Those that match are taken one or the other, as it happens; those
    /// that may match are taken if they do, and if none does and none is sure to, there is nothing to take.
    fn receive_any(
        &mut self,
        path: &Path,
        op: &'a Op,
        pattern: (&'a Pattern, &'a Address),
    ) -> Result<bool, Stop> {
        let (mut sure, mut open) = (Vec::new(), Vec::new());
        for (index, message) in self.mailbox.iter().enumerate() {
            let mut variables = self.activation(path).variables.clone();
            match unify_message(self.setting, self.agent, &mut variables, pattern, message) {
                Match::Yes => sure.push((index, variables)),
                Match::Open => open.push((index, variables)),
                Match::No => {}
            }
        }
        let (index, variables) = if sure.is_empty() {
            let chosen = if open.is_empty() { 0 } else { self.choose(Decider::Comparison, open.len() + 1)? };
            if chosen == open.len() {
                return Ok(false);
            }
            open.swap_remove(chosen)
        } else {
            let ways = sure.len() + usize::from(!open.is_empty());
            let chosen = if ways > 1 { self.choose(Decider::Answer, ways)? } else { 0 };
            if chosen < sure.len() {
                sure.swap_remove(chosen)
            } else {
                let chosen = self.choose(Decider::Comparison, open.len())?;
                open.swap_remove(chosen)
            }
        };
        self.trail.happened.push(Happening::Received(self.mailbox.remove(index)));
        self.activation_mut(path).variables = variables;
        self.acted(Kind::Receive, op)?;
        Ok(true)
    }

    /// "After an ask, send, receive or timeout the thread goes on, in the same step, through what needs neither
    /// mailbox nor answer." Calls before and after the action are different silent ways.
    fn acted(&mut self, kind: Kind, op: &Op) -> Result<(), Stop> {
        if self.cut {
            return Err(Stop::Cut);
        }
        self.action = Some(kind);
        self.acting = false;
        self.trail.operations.insert(op.span);
        self.root.each_activation(&mut |it| it.calls.clear());
        Ok(())
    }
}
