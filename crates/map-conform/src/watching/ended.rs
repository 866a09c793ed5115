//! Conversations that are not followed any more: what is remembered of them, so that a line that comes late is not
//! taken for the beginning of another one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::rc::Rc;

use map_ir::AgentId;

use crate::cast::Cast;
use crate::conversation::Conversation;
use crate::record::Record;
use crate::report::Mark;
use crate::scene::Scene;

/// The maximum number of messages with an id in a conversation that are remembered.
const MAX_SEEN: usize = 65_536;

/// The messages with an id that a conversation has seen. They are kept as hashes with a key that nobody knows.
#[derive(Default)]
pub(super) struct SeenMessages {
    key: RandomState,
    hashes: HashSet<u64>,
    order: VecDeque<u64>,
}

impl SeenMessages {
    /// Adds a line with an id; false if it has been seen before. What says something else is another message.
    pub(super) fn insert(&mut self, from: AgentId, to: &[AgentId], id: &str, record: &Record) -> bool {
        let args: Vec<String> = record.args.iter().map(ToString::to_string).collect();
        let hash = self.key.hash_one((record.arrives, from, to, id, &record.performative, args));
        if !self.hashes.insert(hash) {
            return false;
        }
        self.order.push_back(hash);
        if self.order.len() > MAX_SEEN
            && let Some(oldest) = self.order.pop_front()
        {
            self.hashes.remove(&oldest);
        }
        true
    }
}

/// A conversation that has been reported.
pub(super) enum Past {
    /// It was settled: all agents have ended.
    Ended(Box<Settled>),
    /// It was given up: nothing can be said of its lines any more.
    GivenUp,
}

/// What is remembered of a conversation that was settled.
pub(super) struct Settled {
    pub(super) scene: Rc<Scene>,
    pub(super) cast: Cast,
    pub(super) seen: SeenMessages,
    pub(super) number: u64,
    pub(super) messages: u64,
    pub(super) hypotheses: usize,
    /// The first line of it that could not be used.
    pub(super) gap: Option<Mark>,
}

impl Past {
    /// The conversation after its end.
    pub(super) fn conversation(&self) -> Option<Conversation> {
        match self {
            Self::Ended(settled) => {
                let Settled { scene, messages, hypotheses, .. } = &**settled;
                Some(Conversation::after_its_end(scene, *messages, *hypotheses))
            }
            Self::GivenUp => None,
        }
    }
}

/// The conversations that ended last.
pub(super) struct Ended {
    most: usize,
    past: HashMap<String, (u64, Past)>,
    order: VecDeque<(u64, String)>,
    next: u64,
    /// Whether one that was given up has been forgotten: its lines would look like a new one.
    pub(super) some_are_lost: bool,
}

impl Ended {
    pub(super) fn new(most: usize) -> Self {
        Self { most, past: HashMap::new(), order: VecDeque::new(), next: 0, some_are_lost: false }
    }

    pub(super) fn insert(&mut self, name: &str, past: Past) {
        self.next += 1;
        self.past.insert(name.to_owned(), (self.next, past));
        self.order.push_back((self.next, name.to_owned()));
        while self.order.len() > self.most {
            let Some((number, name)) = self.order.pop_front() else { break };
            if self.past.get(&name).is_some_and(|it| it.0 == number) {
                let forgotten = self.past.remove(&name);
                self.some_are_lost |= matches!(forgotten, Some((_, Past::GivenUp)));
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Past> {
        self.past.get(name).map(|it| &it.1)
    }

    /// Takes a conversation up again.
    pub(super) fn take(&mut self, name: &str) -> Option<Past> {
        self.past.remove(name).map(|it| it.1)
    }
}

#[cfg(test)]
mod tests {
    use map_ir::AgentId;

    use crate::record::{Record, read};

    use super::{Ended, Past, SeenMessages};

    fn record(event: &str, arg: u32) -> Record {
        let line = format!(r#"{{"from":"a","to":"b","performative":"c","event":"{event}","args":[{arg}]}}"#);
        read(line.as_bytes()).expect("it is a record")
    }

    #[test]
    fn ids_are_remembered_per_sender_and_recipients_and_content() {
        let mut seen = SeenMessages::default();
        let (a, b) = (AgentId::new(0), AgentId::new(1));
        let (sent, received, other) = (record("send", 1), record("receive", 1), record("send", 2));
        assert!(seen.insert(a, &[b], "m1", &sent));
        assert!(seen.insert(b, &[a], "m1", &sent) && seen.insert(a, &[b], "m1", &received));
        assert!(!seen.insert(a, &[b], "m1", &sent));
        assert!(seen.insert(a, &[b], "m1", &other) && !seen.insert(a, &[b], "m1", &other));
        for number in 0..70_000 {
            seen.insert(a, &[b], &number.to_string(), &sent);
        }
        assert!(seen.hashes.len() <= super::MAX_SEEN && seen.order.len() <= super::MAX_SEEN);
    }

    #[test]
    fn the_oldest_are_forgotten_and_it_is_known() {
        let mut ended = Ended::new(2);
        for name in ["a", "b", "c"] {
            ended.insert(name, Past::GivenUp);
        }
        assert!(ended.get("a").is_none() && ended.get("c").is_some() && ended.some_are_lost);
        // One that is taken up and ends again is not forgotten in the place of its first end.
        ended.take("b");
        ended.insert("b", Past::GivenUp);
        ended.insert("d", Past::GivenUp);
        assert!(ended.get("b").is_some() && ended.get("c").is_none());
    }
}
