//! A conversation that is being followed.

use std::rc::Rc;
use std::sync::Arc;

use map_ir::{AgentId, PartId};
use map_semantics::Message;

use super::Policy;
use super::ended::SeenMessages;
use super::lost::LostLines;
use super::plan::Plan;
use crate::cast::{Cast, Roles, performative_named};
use crate::conversation::Conversation;
use crate::monitor::LoggedMessage;
use crate::pending::Arrivals;
use crate::record::{Fault, FaultKind, Record};
use crate::report::Mark;
use crate::scene::Scene;

/// A conversation that is being followed.
pub(super) struct Open {
    pub(super) conversation: Conversation,
    pub(super) scene: Rc<Scene>,
    pub(super) cast: Cast,
    pub(super) number: u64,
    /// The number of the last line, over all logs.
    pub(super) touched: u64,
    /// What has been seen of messages with an id.
    pub(super) seen: SeenMessages,
    /// By agent: the time of its last line.
    pub(super) times: Vec<Option<u64>>,
    /// Whether it may be the rest of one that was given up.
    pub(super) may_be_a_rest: bool,
    /// Whether it goes on after its end.
    pub(super) again: bool,
    /// The number of violations that have been told.
    pub(super) told: usize,
    /// Until when lines of it wait for others, if that is noted.
    pub(super) wakes: bool,
    /// The size of its texts when it was last looked at.
    pub(super) size: usize,
    /// When something is due in it, if that is noted.
    pub(super) due: Option<u64>,
    /// The number of the line up to which lines that may belong to any conversation have been noted.
    pub(super) known: u64,
}

/// The maximum number of lines that may belong to any conversation that are noted at once: all agents are in doubt from
/// the first one on.
const MAX_GAPS: usize = 64;

/// What became of a record.
#[derive(Clone, Copy)]
pub(super) enum Heard {
    /// It is a message that was judged.
    Message,
    /// It is passed over, and why.
    Nothing(&'static str),
}

impl Open {
    /// Notes the lines since the last one that may belong to any conversation; `now` is the number of the line.
    pub(super) fn catch_up(&mut self, lost: &LostLines, now: u64) {
        let unknown = lost.after(self.known);
        if !unknown.is_empty() {
            let all: Vec<AgentId> = self.scene.program().cast().collect();
            unknown.iter().take(MAX_GAPS).for_each(|(_, mark)| self.conversation.gap(*mark, &all));
        }
        self.known = now;
    }

    /// A line that cannot be used names these agents. A name that means nobody yet may mean anybody without a name; if
    /// it cannot mean anybody, the line may be about all.
    pub(super) fn gap(&mut self, roles: &Roles, mark: Mark, names: &[String]) {
        let program = Arc::clone(self.scene.program());
        let mut concerned: Vec<AgentId> = Vec::new();
        for name in names {
            let known = self.cast.agent_of(name).or_else(|| roles.agent(&program, name).ok().flatten());
            match known {
                Some(agent) => concerned.push(agent),
                None => concerned.extend(program.cast().filter(|&it| self.cast.real_name(it).is_none())),
            }
        }
        if concerned.is_empty() {
            concerned.extend(program.cast());
        }
        concerned.sort_unstable();
        concerned.dedup();
        self.conversation.gap(mark, &concerned);
    }

    /// Judges a line; returns its sender.
    pub(super) fn line(
        &mut self,
        policy: &Policy,
        plan: &Plan<'_>,
        roles: &Roles,
        mark: Mark,
        record: &Record,
    ) -> Result<(AgentId, Heard), Fault> {
        let arity = record.args.len();
        let sends = |name: &str| {
            plan.part(&record.conversation, name).or_else(|| roles.part(true, &record.performative, arity))
        };
        let hears = |name: &str| {
            plan.part(&record.conversation, name).or_else(|| roles.part(false, &record.performative, arity))
        };
        self.admit(roles, &record.from, sends(&record.from))?;
        for name in &record.to {
            self.admit(roles, name, hears(name))?;
        }
        for name in record.agents_named() {
            self.admit(roles, name, plan.part(&record.conversation, name))?;
        }
        let program = Rc::clone(&self.scene);
        let program = program.program();
        let from = self.cast.agent(roles, program, &record.from, sends(&record.from))?;
        let performative = performative_named(program, &record.performative, arity);
        let Some(performative) = performative else {
            if policy.denies_unknown && !record.arrives {
                self.conversation.unknown(mark, from, record.said());
                return Ok((from, Heard::Message));
            }
            return Ok((from, Heard::Nothing("nobody in the file sends such a message")));
        };
        let mut to = Vec::with_capacity(record.to.len());
        for name in &record.to {
            let agent = self.cast.agent(roles, program, name, hears(name))?;
            if !to.contains(&agent) {
                to.push(agent);
            }
        }
        let arguments = self.cast.values(program, record)?;
        if let Some(id) = &record.id
            && policy.ignores_duplicates
            && !self.seen.insert(from, &to, id, record)
        {
            return Ok((from, Heard::Nothing("it repeats a message with the same id")));
        }
        let message = Arc::new(Message { performative, sender: from, arguments });
        if record.arrives {
            for to in to {
                self.in_order(to, mark, &record.to)?;
                if self.scene.settings().arrivals == Arrivals::Logged {
                    self.conversation.receive(mark, to, Arc::clone(&message));
                }
            }
        } else {
            self.in_order(from, mark, std::slice::from_ref(&record.from))?;
            self.conversation.send(mark, LoggedMessage { from, to, message });
        }
        Ok((from, Heard::Message))
    }

    /// Lets an agent join, if it is not there and may.
    fn admit(&mut self, roles: &Roles, name: &str, part: Option<PartId>) -> Result<(), Fault> {
        if let Some(scene) = self.cast.admitted(roles, &self.scene, name, part)? {
            self.conversation.join(&scene);
            self.times.push(None);
            self.cast.agent(roles, scene.program(), name, part)?;
            self.scene = scene;
        }
        Ok(())
    }

    /// The lines of an agent are in the order of its times.
    fn in_order(&mut self, agent: AgentId, mark: Mark, names: &[String]) -> Result<(), Fault> {
        let last = &mut self.times[agent.index()];
        if let (Some(before), Some(now)) = (*last, mark.time)
            && now < before
        {
            let text = format!("a line of {:?} is earlier than the one before it", names.join(", "));
            return Err(Fault { kind: FaultKind::OutOfOrder, text });
        }
        *last = mark.time.or(*last);
        Ok(())
    }
}
