//! The guard of a scene: its conversations, and who takes part in them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use map_conform::Cast;
use map_ir::AgentId;

use crate::conversation::{Conversation, Ending};
use crate::names::resolve;
use crate::notice::Notice;
use crate::offer::AgentOffer;
use crate::record::{Entry, Record};
use crate::refusal::{Denial, Misuse, MisuseKind, Refusal, RefusalKind};
use crate::rules::{Moment, Rules};
use crate::status::Status;

/// What came of operations: the records to write first, and then what is to be told.
#[derive(Default)]
pub(crate) struct Output {
    pub(crate) seq: u64,
    /// A number up to which all are taken, though their records were not read.
    pub(crate) floor: u64,
    pub(crate) records: Vec<Record>,
    pub(crate) notices: VecDeque<Notice>,
}

impl Output {
    pub(crate) fn record(&mut self, time: Moment, entry: Entry) -> u64 {
        self.seq += 1;
        self.records.push(Record { seq: self.seq, time, entry });
        self.seq
    }
}

/// Guards the conversations of a scene.
pub struct Guard {
    pub(crate) rules: Rules,
    pub(crate) conversations: BTreeMap<String, Conversation>,
    /// When which conversation is to be looked at.
    pub(crate) agenda: BTreeSet<(Moment, String)>,
    pub(crate) due: BTreeMap<String, Moment>,
    /// How many conversations are open.
    pub(crate) open: usize,
    pub(crate) output: Output,
}

impl Guard {
    /// A guard without conversations.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            conversations: BTreeMap::new(),
            agenda: BTreeSet::new(),
            due: BTreeMap::new(),
            open: 0,
            output: Output::default(),
        }
    }

    /// What it enforces.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The records of what happened since they were last taken. They are to be written before anything else is done
    /// with an answer or a notice.
    pub fn take_records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.output.records)
    }

    /// The next thing that agents or operators should know.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.output.notices.pop_front()
    }

    /// Says in the journal by what it is written.
    pub fn start(&mut self, now: Moment, digest: String) {
        self.output.record(now, Entry::Started { digest });
    }

    /// Records which names have got a meaning since.
    pub(crate) fn note_names(&mut self, now: Moment, name: &str, before: &Cast) {
        let Some(conversation) = self.conversations.get(name) else { return };
        let program = self.rules.program();
        for agent in program.cast() {
            if let Some(real) =
                conversation.cast.real_name(agent).filter(|_| before.real_name(agent).is_none())
            {
                let (real, agent) = (real.to_owned(), program.agent_name(agent).to_owned());
                self.output.record(now, Entry::Named { conversation: name.to_owned(), name: real, agent });
            }
        }
    }

    /// Opens a conversation, with the agents that names mean: as in the file.
    ///
    /// # Errors
    /// If there is one, or there are too many, or a name means nobody.
    pub fn open(&mut self, now: Moment, name: &str, cast: &[(String, String)]) -> Result<(), Denial> {
        self.advance(now);
        if self.conversations.contains_key(name) {
            return Err(Misuse::new(MisuseKind::KnownConversation, "the conversation is open already").into());
        }
        let mut names = Cast::default();
        for (real, agent) in cast {
            let program = self.rules.program();
            let wanted = map_conform::agent_named(program, agent);
            let Some(wanted) = wanted else {
                let text = format!("the scene has no agent {agent:?}");
                return Err(Misuse::new(MisuseKind::UnknownAgent, text).into());
            };
            names
                .bind(program, real, wanted)
                .map_err(|fault| Misuse::new(MisuseKind::UnknownAgent, fault.text))?;
        }
        self.admit(now, name)?;
        if let Some(conversation) = self.conversations.get_mut(name) {
            conversation.cast = names;
        }
        self.note_names(now, name, &Cast::default());
        self.within(name, |guard| guard.happen(name, now));
        self.schedule(name);
        Ok(())
    }

    /// Opens a conversation if there is none with this name.
    pub(crate) fn admit(&mut self, now: Moment, name: &str) -> Result<(), Refusal> {
        if self.conversations.contains_key(name) {
            return Ok(());
        }
        if self.open >= self.rules.policy.limits.conversations {
            let text = format!("{} conversations are open: see --max-conversations", self.open);
            return Err(Refusal::new(RefusalKind::Limit, text));
        }
        self.conversations.insert(name.to_owned(), Conversation::new(&self.rules, now));
        self.open += 1;
        self.output.record(now, Entry::Opened { conversation: name.to_owned() });
        Ok(())
    }

    /// Does something within a conversation. If that fails, the conversation is over, and no other one is affected.
    pub(crate) fn within<T>(&mut self, name: &str, act: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let result = catch_unwind(AssertUnwindSafe(|| act(self)));
        if result.is_err()
            && let Some(conversation) = self.conversations.get_mut(name)
            && conversation.ending.replace(Ending::Failed).is_none()
        {
            self.open -= 1;
        }
        result.ok()
    }

    /// What an agent may do now.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn offer(&mut self, now: Moment, name: &str, agent: &str) -> Result<AgentOffer, Denial> {
        self.advance(now);
        let rules = &self.rules;
        let mut unopened = None;
        let conversation = seen(rules, &mut self.conversations, &mut unopened, (name, now));
        let mut cast = conversation.cast.clone();
        let agent = resolve(rules, &mut cast, agent)?;
        Ok(conversation.offer(rules, agent))
    }

    /// The agent that a name means in a conversation, if it means one.
    #[must_use]
    pub fn agent_called(&self, name: &str, agent: &str) -> Option<AgentId> {
        let cast = self.conversations.get(name).map(|conversation| conversation.cast.clone());
        resolve(&self.rules, &mut cast.unwrap_or_default(), agent).ok()
    }

    /// The largest number of states that were explored at once for an agent of a conversation; 0 if there is none.
    #[must_use]
    pub fn explored(&self, name: &str) -> usize {
        let members = self.conversations.get(name).into_iter().flat_map(|it| &it.members);
        members.map(|member| member.follower.explored()).max().unwrap_or(0)
    }

    /// What is known of a conversation.
    ///
    /// # Errors
    /// If there is none.
    pub fn status(&mut self, now: Moment, name: &str) -> Result<Status, Denial> {
        self.advance(now);
        match self.conversations.get_mut(name) {
            Some(conversation) => Ok(conversation.status(&self.rules)),
            None => {
                let text = format!("there is no conversation {name:?}");
                Err(Misuse::new(MisuseKind::UnknownConversation, text).into())
            }
        }
    }
}

/// The conversation as it is seen: one that nobody has opened is as it would begin.
pub(crate) fn seen<'a>(
    rules: &Rules,
    conversations: &'a mut BTreeMap<String, Conversation>,
    unopened: &'a mut Option<Conversation>,
    (name, now): (&str, Moment),
) -> &'a mut Conversation {
    match conversations.get_mut(name) {
        Some(conversation) => conversation,
        None => unopened.insert(Conversation::new(rules, now)),
    }
}

pub(crate) fn failed() -> Denial {
    Refusal::new(RefusalKind::Unsure, "the guard has failed in this conversation").into()
}
