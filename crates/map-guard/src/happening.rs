//! What happens because it is time.

use map_ir::AgentId;

use crate::changing::TimeoutEvent;
use crate::clock::Occurrence;
use crate::guard::Guard;
use crate::names::shown;
use crate::notice::Notice;
use crate::record::Entry;
use crate::rules::{Moment, Wait};

impl Guard {
    /// The moment at which to call [`Self::advance`].
    #[must_use]
    pub fn next_due(&self) -> Option<Moment> {
        self.agenda.first().map(|(due, _)| *due)
    }

    /// Lets happen what is due by now.
    pub fn advance(&mut self, now: Moment) {
        while let Some((due, name)) = self.agenda.first().cloned()
            && due <= now
        {
            if self.conversations.get(&name).is_some_and(|it| it.ending.is_some()) {
                self.conversations.remove(&name);
            } else {
                self.within(&name, |guard| guard.happen(&name, now));
            }
            self.schedule(&name);
        }
    }

    /// Lets happen in a conversation what is due by now.
    pub(crate) fn happen(&mut self, name: &str, now: Moment) {
        loop {
            let Some(conversation) = self.conversations.get_mut(name) else { return };
            match conversation.next_occurrence(&self.rules) {
                Some((due, what)) if due <= now => self.occur(name, due, what),
                _ => return,
            }
        }
    }

    pub(crate) fn occur(&mut self, name: &str, due: Moment, what: Occurrence) {
        let Self { rules, conversations, output, .. } = self;
        let Some(conversation) = conversations.get_mut(name) else { return };
        let named = |agent: AgentId| rules.program().agent_name(agent).to_owned();
        let real = |agent: AgentId| shown(rules, &conversation.cast, agent).to_owned();
        let owned = || name.to_owned();
        match what {
            Occurrence::Rest(agent) => self.note_rest(due, name, agent, false),
            Occurrence::Silent(agent, gave_up) => {
                let seq =
                    output.record(due, Entry::Silent { conversation: owned(), agent: named(agent), gave_up });
                output.notices.push_back(Notice::Silent {
                    conversation: owned(),
                    agent: real(agent),
                    gave_up,
                    seq,
                });
                conversation.silent(agent, gave_up);
            }
            Occurrence::Timeout(agent, place) => {
                let early = matches!(rules.wait(place), Wait::Early(_));
                let number = place.index() as u32;
                let entry =
                    Entry::Timeout { conversation: owned(), agent: named(agent), place: number, early };
                let seq = output.record(due, entry);
                output.notices.push_back(Notice::Timeout {
                    conversation: owned(),
                    agent: real(agent),
                    place,
                    seq,
                });
                conversation.run_out(rules, due, TimeoutEvent { seq, agent, place, early });
            }
            Occurrence::Closed(why) => {
                let why = why.ending();
                let seq =
                    output.record(due, Entry::Closed { conversation: owned(), why: why.word().to_owned() });
                output.notices.push_back(Notice::Closed { conversation: owned(), why, seq });
                conversation.end(why);
                conversation.touched = conversation.touched.max(due);
                self.open -= 1;
            }
            Occurrence::Stuck => {
                let seq = output.record(due, Entry::Stuck { conversation: owned() });
                output.notices.push_back(Notice::Stuck { conversation: owned(), seq });
                conversation.is_stuck = true;
            }
        }
    }

    /// Notes when a conversation is to be looked at next; one that has ended is forgotten then.
    pub(crate) fn schedule(&mut self, name: &str) {
        if let Some(due) = self.due.remove(name) {
            self.agenda.remove(&(due, name.to_owned()));
        }
        let idle = self.rules.policy.limits.idle;
        let Some(conversation) = self.conversations.get_mut(name) else { return };
        let due = match conversation.ending {
            Some(_) => conversation.touched.saturating_add(idle),
            None => match conversation.next_occurrence(&self.rules) {
                Some((due, _)) => due,
                None => return,
            },
        };
        self.due.insert(name.to_owned(), due);
        self.agenda.insert((due, name.to_owned()));
    }
}
