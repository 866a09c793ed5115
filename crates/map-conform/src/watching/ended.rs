//! Conversations that are not followed any more: what is remembered of them, so that a line that comes late is not
//! taken for the beginning of another one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use map_ir::{AgentId, PartId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cast::Cast;
use crate::record::Record;
use crate::report::Mark;
use crate::scene::Scene;

/// The maximum number of messages with an id in a conversation that are remembered.
const MAX_SEEN: usize = 65_536;

/// Half of a digest: long enough that nobody finds two messages with the same one.
type Digest = [u64; 2];

/// The messages with an id that a conversation has seen. They are kept as digests, which mean the same to another
/// process.
#[derive(Default)]
pub(super) struct SeenMessages {
    digests: HashSet<Digest>,
    order: VecDeque<Digest>,
}

impl SeenMessages {
    /// Adds a line with an id; false if it has been seen before. What says something else is another message.
    pub(super) fn insert(&mut self, from: AgentId, to: &[AgentId], id: &str, record: &Record) -> bool {
        self.add(digest(from, to, id, record))
    }

    fn add(&mut self, digest: Digest) -> bool {
        if !self.digests.insert(digest) {
            return false;
        }
        self.order.push_back(digest);
        if self.order.len() > MAX_SEEN
            && let Some(oldest) = self.order.pop_front()
        {
            self.digests.remove(&oldest);
        }
        true
    }
}

fn digest(from: AgentId, to: &[AgentId], id: &str, record: &Record) -> Digest {
    let mut digest = Sha256::new();
    let mut add = |bytes: &[u8]| {
        // With its length, so that no two lists look alike.
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    add(&[u8::from(record.arrives)]);
    add(&(from.index() as u64).to_le_bytes());
    to.iter().for_each(|agent| add(&(agent.index() as u64).to_le_bytes()));
    add(id.as_bytes());
    add(record.performative.as_bytes());
    record.args.iter().for_each(|arg| add(arg.to_string().as_bytes()));
    let digest = digest.finalize();
    let half = |at: usize| digest[at..at + 8].iter().fold(0, |all, &byte| all << 8 | u64::from(byte));
    [half(0), half(8)]
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
    pub(super) scene: Arc<Scene>,
    pub(super) cast: Cast,
    pub(super) seen: SeenMessages,
    pub(super) number: u64,
    pub(super) messages: u64,
    pub(super) hypotheses: usize,
    /// The first line of it that could not be used.
    pub(super) gap: Option<Mark>,
}

/// The same, as it is kept for a later process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptEnd {
    /// The agents that have joined, with their parts and their names in the scene.
    joined: Vec<(usize, String)>,
    /// The real names of agents.
    names: Vec<(usize, String)>,
    loses_numbers: bool,
    seen: Vec<Digest>,
    number: u64,
    messages: u64,
    hypotheses: usize,
    gap: Option<Mark>,
}

impl Settled {
    /// What is kept of it, if the scene had so many agents before anybody joined.
    pub(super) fn kept(&self, before: usize) -> KeptEnd {
        let program = self.scene.program();
        let joined = program.cast().skip(before);
        let joined = joined.map(|it| (program.agent(it).part.index(), program.agent_name(it).to_owned()));
        let named = program.cast().filter_map(|it| Some((it.index(), self.cast.real_name(it)?.to_owned())));
        KeptEnd {
            joined: joined.collect(),
            names: named.collect(),
            loses_numbers: self.cast.loses_numbers(),
            seen: self.seen.order.iter().copied().collect(),
            number: self.number,
            messages: self.messages,
            hypotheses: self.hypotheses,
            gap: self.gap,
        }
    }
}

impl KeptEnd {
    /// What it was kept of; `first` is the scene before anybody joined.
    pub(super) fn settled(self, first: &Arc<Scene>) -> Result<Settled, String> {
        let Self { joined, names, loses_numbers, seen: digests, number, messages, hypotheses, gap } = self;
        let mut scene = Arc::clone(first);
        for (part, name) in joined {
            if part >= scene.program().parts.len() {
                return Err("somebody joined a role that the scene does not have".to_owned());
            }
            scene = scene.joined(PartId::new(part), Some(&name), |_| false).map_err(|fault| fault.text)?;
        }
        let mut cast = Cast::new(loses_numbers);
        for (agent, name) in names {
            if agent >= scene.program().agents.len() {
                return Err("there is a name for an agent that the scene does not have".to_owned());
            }
            cast.bind(scene.program(), &name, AgentId::new(agent)).map_err(|fault| fault.text)?;
        }
        let mut seen = SeenMessages::default();
        for digest in digests {
            seen.add(digest);
        }
        Ok(Settled { scene, cast, seen, number, messages, hypotheses, gap })
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

    /// Those that are remembered, in the order of their ends.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (&str, &Past)> {
        let of = |(number, name): &(u64, String)| self.past.get(name).filter(|it| it.0 == *number);
        self.order.iter().filter_map(move |ended| Some((ended.1.as_str(), &of(ended)?.1)))
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
        assert!(seen.digests.len() <= super::MAX_SEEN && seen.order.len() <= super::MAX_SEEN);
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
