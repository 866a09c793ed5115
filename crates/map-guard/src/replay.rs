//! Reads a journal again: the guard is then what it was when the last record was written.

use std::sync::Arc;

use map_conform::{LoggedMessage, Trial, agent_named, performative_named};
use map_ir::{AgentId, PointId};
use map_semantics::Message;

use crate::changing::{AcceptedMessage, TimeoutEvent};
use crate::conversation::Ending;
use crate::foresight::Ahead;
use crate::guard::Guard;
use crate::inbox;
use crate::member::KeyedAnswer;
use crate::names::values;
use crate::record::{Entry, Record};
use crate::refusal::{Acceptance, RefusalKind};
use crate::rules::Moment;

/// Why a record cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// One sentence.
    pub text: String,
}

pub(crate) fn error(text: impl Into<String>) -> ReplayError {
    ReplayError { text: text.into() }
}

const FOREIGN: &str = "it was written for another file, cast or configuration";

impl Guard {
    /// Does again what a record says. `digest` is that of the file and of what it is guarded by.
    ///
    /// # Errors
    /// If it does not follow from the ones before.
    pub fn replay(&mut self, record: &Record, digest: &str) -> Result<(), ReplayError> {
        if let Entry::Carried { digest: its, upto } = &record.entry {
            self.output.floor = *upto;
            return match its == digest {
                true if self.output.seq == 0 => Ok(()),
                true => Err(error("it begins in the middle")),
                false => Err(error(FOREIGN)),
            };
        }
        if record.seq <= self.output.seq {
            return Err(error(format!("number {} follows on number {}", record.seq, self.output.seq)));
        }
        self.output.seq = record.seq;
        if let Entry::Started { digest: its } = &record.entry {
            return match its == digest {
                true => Ok(()),
                false => Err(error(FOREIGN)),
            };
        }
        if let Entry::Ended(ended) = &record.entry {
            return self.replay_ended(record.time, ended);
        }
        let name = record.entry.conversation().unwrap_or_default().to_owned();
        if let Entry::Opened { .. } = &record.entry {
            self.conversations.remove(&name);
            self.admit(record.time, &name).map_err(|refusal| error(refusal.text))?;
            self.output.records.clear();
            self.output.seq = record.seq;
            return Ok(());
        }
        self.replay_within(record, &name)
    }

    /// All records have been read: time goes on from here.
    pub fn resume(&mut self, last: Moment, now: Moment) {
        self.output.seq = self.output.seq.max(self.output.floor);
        let pause = now.saturating_sub(last);
        let names: Vec<String> = self.conversations.keys().cloned().collect();
        for name in names {
            if let Some(conversation) = self.conversations.get_mut(&name) {
                conversation.touched = conversation.touched.saturating_add(pause);
                for member in &mut conversation.members {
                    member.since = member.since.saturating_add(pause);
                }
            }
            self.schedule(&name);
        }
        self.output.notices.clear();
    }

    fn agent(&self, name: &str) -> Result<AgentId, ReplayError> {
        agent_named(self.rules.program(), name).ok_or_else(|| error(format!("there is no agent {name}")))
    }

    fn replay_within(&mut self, record: &Record, name: &str) -> Result<(), ReplayError> {
        let now = record.time;
        if let Entry::Send { .. } = &record.entry {
            return self.replay_send(record, name);
        }
        let agent = match &record.entry {
            Entry::Named { agent, .. }
            | Entry::Undelivered { agent, .. }
            | Entry::Answered { agent, .. }
            | Entry::Refused { agent, .. }
            | Entry::Handed { agent, .. }
            | Entry::Acknowledged { agent, .. }
            | Entry::Rest { agent, .. }
            | Entry::Timeout { agent, .. }
            | Entry::Silent { agent, .. } => Some(self.agent(agent)?),
            Entry::Started { .. }
            | Entry::Carried { .. }
            | Entry::Ended(_)
            | Entry::Opened { .. }
            | Entry::Send { .. }
            | Entry::Stuck { .. }
            | Entry::Closed { .. } => None,
        };
        let Self { rules, conversations, open, .. } = self;
        let unknown = || error(format!("the conversation {name:?} was not opened"));
        let conversation = conversations.get_mut(name).ok_or_else(unknown)?;
        match (&record.entry, agent) {
            (Entry::Named { name, .. }, Some(agent)) => {
                let bound = conversation.cast.bind(rules.program(), name, agent);
                bound.map_err(|fault| error(fault.text))?;
            }
            (Entry::Refused { kind, text, key: Some(key), .. }, Some(agent)) => {
                let kind = RefusalKind::named(kind).ok_or_else(|| error(format!("nothing is {kind}")))?;
                let answer = KeyedAnswer::Refused(kind, text.clone());
                conversation.member(agent).keys.insert(key.clone(), answer);
            }
            (Entry::Undelivered { item, .. }, Some(agent)) => {
                let item = item.clone().item(rules)?;
                conversation.member(agent).inbox.push(inbox::Entry { item, message: None });
            }
            (Entry::Answered { answer, .. }, Some(agent)) => {
                let (key, answer) = answer.clone().answer()?;
                conversation.member(agent).keys.insert(key, answer);
            }
            (Entry::Handed { upto, .. }, Some(agent)) => {
                conversation.member(agent).hand_over(rules, *upto, now);
            }
            (Entry::Acknowledged { upto, .. }, Some(agent)) => {
                conversation.member(agent).inbox.acknowledge(*upto);
            }
            (Entry::Rest { .. }, Some(agent)) => {
                let may_rest = conversation.member(agent).rest(rules, now);
                may_rest.then_some(()).ok_or_else(|| error("an agent is at rest that owes a message"))?;
            }
            (Entry::Timeout { place, early, .. }, Some(agent)) => {
                let place = PointId::new(*place as usize);
                if place.index() >= rules.program().points.len() {
                    return Err(error("time runs out at a place that there is not"));
                }
                let event = TimeoutEvent { seq: record.seq, agent, place, early: *early };
                conversation.run_out(rules, now, event);
            }
            (Entry::Silent { gave_up, .. }, Some(agent)) => conversation.silent(agent, *gave_up),
            (Entry::Stuck { .. }, _) => conversation.is_stuck = true,
            (Entry::Closed { why, .. }, _) => {
                let ending = Ending::ALL.into_iter().find(|ending| ending.word() == why);
                let ending = ending.ok_or_else(|| error(format!("no conversation has {why}")))?;
                if conversation.ending.is_none() {
                    *open -= 1;
                }
                conversation.end(ending);
            }
            _ => {}
        }
        conversation.touched = conversation.touched.max(now);
        Ok(())
    }

    fn replay_send(&mut self, record: &Record, name: &str) -> Result<(), ReplayError> {
        let Entry::Send {
            from,
            performative,
            args,
            by,
            recipients,
            values: exact,
            certain,
            unguarded,
            key,
            ..
        } = &record.entry
        else {
            return Ok(());
        };
        let sender = self.agent(by)?;
        let to = recipients.iter().map(|it| self.agent(it)).collect::<Result<Vec<_>, _>>()?;
        let Self { rules, conversations, .. } = self;
        let unknown = || error(format!("the conversation {name:?} was not opened"));
        let conversation = conversations.get_mut(name).ok_or_else(unknown)?;
        let meant = exact.as_ref().unwrap_or(args);
        let arguments = values(rules, &mut conversation.cast, meant);
        let arguments = arguments.map_err(|misuse| error(misuse.text))?;
        let id = performative_named(rules.program(), performative, arguments.len());
        let id = id.ok_or_else(|| error(format!("nobody says {performative}")))?;
        let message = Arc::new(Message { performative: id, sender, arguments });
        let message = LoggedMessage { from: sender, to, message, id: None };
        let after = match unguarded {
            true => None,
            false => match conversation.member(sender).follower.attempt(rules.of(sender), &message) {
                Trial::Fits(after) => Some(after),
                Trial::Unexplained | Trial::Unknown => {
                    return Err(error(format!("{performative} does not fit what was sent before")));
                }
            },
        };
        let acceptance = Acceptance {
            seq: Some(record.seq),
            is_certain: *certain,
            is_unguarded: *unguarded,
            ahead: Ahead::Unasked,
        };
        let sent = AcceptedMessage {
            seq: record.seq,
            from: from.clone(),
            performative: performative.clone(),
            args: Arc::new(args.clone()),
            message,
            after,
            key: key.clone(),
            acceptance,
        };
        conversation.accept(rules, record.time, sent);
        Ok(())
    }
}
