//! Everything that views are made of, numbered: messages, what views show of agents, and the steps of these.

use std::rc::Rc;

use indexmap::IndexSet;
use map_ir::{AgentId, PerformativeId, ProcedureId, Value};
use map_semantics::{Message, Status};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::counting::Constraint;
use crate::frame::Frame;
use crate::local::{Local, MessageId, put};
use crate::prices::Paid;
use crate::steps::{Fault, Made, Others, Result, Sent, Thread, steps};

/// The number of a [`Local`].
pub(crate) type LocalId = u32;

/// A set whose elements have numbers.
pub(crate) type Numbered<T> = IndexSet<T, FxBuildHasher>;

/// A step, with everything numbered.
#[derive(Clone, Debug)]
pub(crate) struct NumberedStep {
    pub(crate) next: Vec<LocalId>,
    pub(crate) taken: Option<MessageId>,
    pub(crate) sent: Option<NumberedSent>,
    pub(crate) asked: Option<ProcedureId>,
    pub(crate) unsure: bool,
}

/// A message that is sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NumberedSent {
    pub(crate) message: MessageId,
    pub(crate) performative: PerformativeId,
    pub(crate) to: Vec<usize>,
    pub(crate) others: Others,
}

/// One way to resolve what an act or a timeout leaves open.
#[derive(Clone, Debug)]
pub(crate) struct NumberedWay {
    pub(crate) log: Vec<(u32, bool)>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) refused: Vec<ProcedureId>,
    /// By cost of the frame what the agent pays if it is a step.
    pub(crate) paid: Box<[Paid]>,
    pub(crate) result: StepResult,
}

/// What a way comes to.
#[derive(Clone, Debug)]
pub(crate) enum StepResult {
    To(NumberedStep),
    ToNothing { perhaps_step: bool },
    Wrong(Fault),
}

/// What a thread can do.
#[derive(Clone, Debug)]
pub(crate) struct NumberedThread {
    pub(crate) is_waitfor: bool,
    pub(crate) acts: Vec<NumberedWay>,
    pub(crate) timeouts: Vec<NumberedWay>,
}

/// What is derived from a [`Local`] once.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The number of its erased form, and of that without counts.
    pub(crate) erased: u32,
    pub(crate) place: u32,
    /// Its messages with one name for all members, sorted, each once.
    pub(crate) erased_mail: Vec<MessageId>,
    /// All of it but its mailbox, where only its own name is told from those of other members.
    pub(crate) own: u32,
    /// Every member's name in its control and cells.
    pub(crate) names: Vec<AgentId>,
    /// Its messages from members that are not seen.
    pub(crate) from_others: Vec<MessageId>,
    /// Its messages from members that are seen.
    pub(crate) from_seen: Vec<MessageId>,
}

/// The numbers.
pub(crate) struct Table<'f> {
    pub(crate) frame: &'f Frame<'f>,
    pub(crate) messages: Numbered<Message>,
    pub(crate) locals: Numbered<Local>,
    erased: Numbered<Local>,
    facts: Vec<Option<Rc<Facts>>>,
    steps: Vec<Option<Rc<Vec<NumberedThread>>>>,
    delivered: FxHashMap<(LocalId, MessageId), LocalId>,
}

impl<'f> Table<'f> {
    pub(crate) fn new(frame: &'f Frame<'f>) -> Self {
        Self {
            frame,
            messages: Numbered::default(),
            locals: Numbered::default(),
            erased: Numbered::default(),
            facts: Vec::new(),
            steps: Vec::new(),
            delivered: FxHashMap::default(),
        }
    }

    pub(crate) fn local(&mut self, local: Local) -> LocalId {
        self.locals.insert_full(local).0 as LocalId
    }

    /// Everything derived from what a view shows of an agent.
    pub(crate) fn facts(&mut self, id: LocalId) -> Rc<Facts> {
        let place = id as usize;
        if self.facts.len() <= place {
            self.facts.resize(self.locals.len(), None);
        }
        if let Some(facts) = &self.facts[place] {
            return Rc::clone(facts);
        }
        let frame = self.frame;
        let mut local = self.locals[place].clone();
        let mut names = Vec::new();
        local.members(frame, |agent| names.push(*agent));
        let erased = self.erased.insert_full(local.erased(frame)).0 as u32;
        let at = self.erased.insert_full(local.place(frame)).0 as u32;
        let own = self.erased.insert_full(local.own(frame)).0 as u32;
        let mut erased_mail: Vec<MessageId> =
            local.mail.iter().map(|&(message, _)| self.erased_message(message)).collect();
        erased_mail.sort_unstable();
        erased_mail.dedup();
        let of = |senders: &[AgentId]| {
            let mail = local.mail.iter().map(|&(message, _)| message);
            mail.filter(|&it| senders.contains(&self.messages[it as usize].sender)).collect()
        };
        let facts = Rc::new(Facts {
            erased,
            place: at,
            own,
            erased_mail,
            names,
            from_others: of(&[frame.other]),
            from_seen: of(frame.seen()),
        });
        self.facts[place] = Some(Rc::clone(&facts));
        facts
    }

    /// The facts of one that is part of a view.
    pub(crate) fn known_facts(&self, id: LocalId) -> Rc<Facts> {
        let facts = self.facts.get(id as usize).and_then(Option::as_ref);
        Rc::clone(facts.expect("the facts of fixed agents are found as soon as they are"))
    }

    fn erased_message(&mut self, message: MessageId) -> MessageId {
        let frame = self.frame;
        let mut erased = self.messages[message as usize].clone();
        erased.rename_agents(true, &mut |agent| {
            if frame.seen().contains(&agent) { frame.other } else { agent }
        });
        self.messages.insert_full(erased).0 as MessageId
    }

    /// The steps of an agent.
    pub(crate) fn steps(&mut self, id: LocalId) -> Rc<Vec<NumberedThread>> {
        let place = id as usize;
        if self.steps.len() <= place {
            self.steps.resize(self.locals.len(), None);
        }
        if let Some(steps) = &self.steps[place] {
            return Rc::clone(steps);
        }
        let local = self.locals[place].clone();
        let found = steps(self.frame, &local, &|message| self.messages[message as usize].clone());
        let numbered = Rc::new(found.into_iter().map(|thread| self.thread(thread)).collect::<Vec<_>>());
        self.steps[place] = Some(Rc::clone(&numbered));
        numbered
    }

    fn thread(&mut self, thread: Thread) -> NumberedThread {
        let Thread { is_waitfor, acts, timeouts } = thread;
        let mut all = |ways: Vec<crate::steps::Way>| -> Vec<NumberedWay> {
            ways.into_iter()
                .map(|way| NumberedWay {
                    log: way.log,
                    constraints: way.constraints,
                    refused: way.refused,
                    paid: way.paid,
                    result: match way.result {
                        Result::Step(made) => StepResult::To(self.step(made)),
                        Result::Nothing { perhaps_step } => StepResult::ToNothing { perhaps_step },
                        Result::Wrong(fault) => StepResult::Wrong(fault),
                    },
                })
                .collect()
        };
        NumberedThread { is_waitfor, acts: all(acts), timeouts: all(timeouts) }
    }

    fn step(&mut self, made: Made) -> NumberedStep {
        let Made { next, taken, sent, asked, unsure } = made;
        let next = next.into_iter().map(|local| self.local(local)).collect();
        let sent = sent.map(|Sent { message, to, others }| NumberedSent {
            performative: message.performative,
            message: self.messages.insert_full(message).0 as MessageId,
            to,
            others,
        });
        NumberedStep { next, taken, sent, asked, unsure }
    }

    /// The agent once a message has been delivered to it.
    pub(crate) fn deliver(&mut self, id: LocalId, message: MessageId) -> LocalId {
        if let Some(&after) = self.delivered.get(&(id, message)) {
            return after;
        }
        let local = &self.locals[id as usize];
        let after = match local.status {
            Status::Running => {
                let mut after = local.clone();
                put(&mut after.mail, message, self.frame.copies(self.messages[message as usize].sender));
                self.local(after)
            }
            _ => id,
        };
        self.delivered.insert((id, message), after);
        after
    }

    /// The message of a member that is seen in another view, as it is shown where another member is seen instead: it is
    /// sent by the dummy, and its sender's name is the dummy's; that of a member that was not seen may be the name of
    /// the one that now is.
    pub(crate) fn as_unseen(&mut self, message: MessageId) -> Vec<MessageId> {
        let frame = self.frame;
        let mut shown = self.messages[message as usize].clone();
        let sender = std::mem::replace(&mut shown.sender, frame.other);
        let mut all = vec![shown.clone()];
        for (place, argument) in shown.arguments.iter().enumerate() {
            if *argument == Value::Agent(sender) {
                all.iter_mut().for_each(|it| it.arguments[place] = Value::Agent(frame.other));
            } else if *argument == Value::Agent(frame.other) {
                let seen = all.clone().into_iter().map(|mut it| {
                    it.arguments[place] = Value::Agent(sender);
                    it
                });
                all.extend(seen.collect::<Vec<_>>());
            }
        }
        all.into_iter().map(|it| self.messages.insert_full(it).0 as MessageId).collect()
    }

    /// Whether a message from a member that is not seen in one view may be this one of another view, which shows its
    /// sender instead of the member that is seen as `replaced`.
    pub(crate) fn may_be_the_same(&self, unseen: MessageId, seen: MessageId, replaced: AgentId) -> bool {
        let (unseen, seen) = (&self.messages[unseen as usize], &self.messages[seen as usize]);
        let fits = |(here, there): (&Value, &Value)| match (*here, *there) {
            (Value::Agent(one), Value::Agent(other))
                if self.frame.is_member(*here) && self.frame.is_member(*there) =>
            {
                self.frame.may_be_the_same(one, other, replaced)
            }
            _ => here == there,
        };
        seen.sender == replaced
            && unseen.performative == seen.performative
            && unseen.arguments.len() == seen.arguments.len()
            && unseen.arguments.iter().zip(&seen.arguments).all(fits)
    }
}
