//! What views show of one agent.

use map_ir::{AgentId, Slot, Value};
use map_semantics::{AgentState, Control, Message, NodeKind, Status};

use crate::frame::{Frame, MOST_SEEN};
use crate::values::{Known, forget, variables};

/// The number of a message.
pub(crate) type MessageId = u32;

/// What a view shows of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Local {
    pub(crate) agent: AgentId,
    pub(crate) status: Status,
    pub(crate) control: Control,
    /// Its cells; those that count are placeholders.
    pub(crate) memory: Vec<Value>,
    /// Its messages, in the order of their numbers, and how many of each, up to the number told apart.
    pub(crate) mail: Vec<(MessageId, u8)>,
    /// For each cell that counts what it holds.
    pub(crate) counts: Vec<Count>,
    /// The member whose message it took last; nobody if the last was of another agent, or time has run out since. Only
    /// if it has cells that count.
    pub(crate) last: Option<AgentId>,
}

/// What a cell that counts holds, but for what comes from members that are not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Count {
    /// What comes from nobody.
    pub(crate) nobody: i32,
    /// What comes from each member that is seen.
    pub(crate) seen: [i32; MOST_SEEN],
}

impl Count {
    /// What is known of the content.
    pub(crate) fn known(&self) -> i64 {
        i64::from(self.nobody) + self.seen.iter().map(|&it| i64::from(it)).sum::<i64>()
    }
}

impl Local {
    /// The members' names in its control and cells, in a fixed order; then the member of [`Local::last`].
    pub(crate) fn members(&mut self, frame: &Frame<'_>, mut see: impl FnMut(&mut AgentId)) {
        for value in variables(&mut self.control).chain(&mut self.memory) {
            if frame.is_member(*value)
                && let Value::Agent(agent) = value
            {
                see(agent);
            }
        }
        if let Some(last) = &mut self.last {
            see(last);
        }
    }

    /// All but the mailbox, with one name for all members and without contributions of single ones.
    pub(crate) fn erased(&self, frame: &Frame<'_>) -> Self {
        let mut erased = self.clone();
        erased.mail.clear();
        erased.members(frame, |agent| *agent = frame.other);
        erased.counts.iter_mut().for_each(|count| count.seen = Default::default());
        erased
    }

    /// All of a member but its mailbox, with its own name and one for all other members.
    pub(crate) fn own(&self, frame: &Frame<'_>) -> Self {
        let own = frame.seen()[0];
        let mut alone = Self { agent: own, mail: Vec::new(), ..self.clone() };
        alone.members(frame, |agent| *agent = if *agent == self.agent { own } else { frame.other });
        alone
    }

    /// The same without any counts.
    pub(crate) fn place(&self, frame: &Frame<'_>) -> Self {
        let mut place = self.erased(frame);
        if frame.seen().contains(&place.agent) {
            place.agent = frame.other;
        }
        place.counts.clear();
        place.last = None;
        place
    }

    /// The number of times that the name of the dummy stands in its variables.
    pub(crate) fn others(&self, frame: &Frame<'_>) -> usize {
        let mut control = self.control.clone();
        variables(&mut control).filter(|value| **value == Value::Agent(frame.other)).count()
    }
}

/// Replaces the values of variables that do not matter any more. A member's name stays where it could matter: it tells
/// which member the agent was concerned with last.
pub(crate) fn replace_dead(frame: &Frame<'_>, control: &mut Control) {
    let before = control.clone();
    control.replace_dead(frame.program, &frame.slicing, || frame.nothing(0));
    for (node, before) in control.nodes.iter_mut().zip(&before.nodes) {
        let (NodeKind::Activation { clause, variables, .. }, NodeKind::Activation { variables: before, .. }) =
            (&mut node.kind, &before.kind)
        else {
            continue;
        };
        for (slot, (value, before)) in variables.iter_mut().zip(before).enumerate() {
            let is_name = before.is_some_and(|before| frame.is_member(before));
            if is_name && frame.slicing.variable(*clause, Slot::new(slot)) {
                *value = *before;
            }
        }
    }
}

/// A control as views show it.
pub(crate) fn shown_control(frame: &Frame<'_>, known: &[Known], mut control: Control) -> Control {
    replace_dead(frame, &mut control);
    variables(&mut control).for_each(|value| *value = forget(frame, known, *value));
    control
}

/// An agent's cells as views show them; those that count are placeholders.
pub(crate) fn shown_memory(
    frame: &Frame<'_>,
    agent: AgentId,
    known: &[Known],
    mut memory: Vec<Value>,
) -> Vec<Value> {
    let role = frame.program.agent(agent).role;
    for (index, value) in memory.iter_mut().enumerate() {
        *value = match frame.slicing.cell_at(role, index) {
            true => forget(frame, known, *value),
            false => frame.nothing(0),
        };
    }
    for &(index, _) in frame.counted_by(agent) {
        memory[index] = frame.nothing(0);
    }
    memory
}

/// A message as views show it.
pub(crate) fn shown_message(frame: &Frame<'_>, known: &[Known], message: &Message) -> Message {
    let mut shown = message.clone();
    for (place, argument) in shown.arguments.iter_mut().enumerate() {
        *argument = match frame.slicing.argument(message.performative, place) {
            true => forget(frame, known, *argument),
            false => frame.nothing(0),
        };
    }
    shown
}

/// The first state of an agent as views show it; `None` if it counts from too large a number.
pub(crate) fn first(frame: &Frame<'_>, agent: AgentId, state: &AgentState) -> Option<Local> {
    let counted = frame.counted_by(agent);
    let count = |&(index, numbered): &(usize, bool)| match state.memory[index] {
        // Each member begins with having contributed one.
        Value::Integer(_) if numbered => {
            let mut count = Count::default();
            count.seen[..frame.seen().len()].fill(1);
            Some(count)
        }
        Value::Integer(number) => Some(Count { nobody: i32::try_from(number).ok()?, ..Count::default() }),
        _ => None,
    };
    Some(Local {
        agent,
        status: state.status,
        control: shown_control(frame, &[], state.control.clone()),
        counts: counted.iter().map(count).collect::<Option<_>>()?,
        memory: shown_memory(frame, agent, &[], state.memory.clone()),
        mail: Vec::new(),
        last: None,
    })
}

/// Adds a message to a mailbox.
pub(crate) fn put(mail: &mut Vec<(MessageId, u8)>, message: MessageId, copies: u8) {
    match mail.binary_search_by_key(&message, |&(it, _)| it) {
        Ok(place) => mail[place].1 = copies.min(mail[place].1 + 1),
        Err(place) => mail.insert(place, (message, 1)),
    }
}
