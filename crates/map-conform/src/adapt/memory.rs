//! What earlier lines say of later ones: requests for their answers, and conversations with two ids.

use std::collections::{HashMap, HashSet, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::draft::{Artifact, Draft, Status, wrong};
use crate::record::Fault;

/// The maximum number of keys that are remembered.
const MAX_KEYS: usize = 65_536;

/// The maximum number of ids of conversations that are told apart.
const MAX_IDS: usize = 1 << 22;

/// A table that forgets its oldest keys.
#[derive(Clone, Deserialize, Serialize)]
#[serde(
    from = "Vec<(String, Option<V>)>",
    into = "Vec<(String, Option<V>)>",
    bound(serialize = "V: Clone + Serialize")
)]
pub(super) struct Bounded<V> {
    entries: HashMap<String, V>,
    order: VecDeque<String>,
}

impl<V> Default for Bounded<V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), order: VecDeque::new() }
    }
}

impl<V> From<Vec<(String, Option<V>)>> for Bounded<V> {
    fn from(listed: Vec<(String, Option<V>)>) -> Self {
        let mut table = Self::default();
        for (key, value) in listed {
            if let Some(value) = value {
                table.entries.insert(key.clone(), value);
            }
            table.order.push_back(key);
        }
        table
    }
}

/// All keys from the oldest on, each value beside the first place of its key.
impl<V> From<Bounded<V>> for Vec<(String, Option<V>)> {
    fn from(mut table: Bounded<V>) -> Self {
        let order = std::mem::take(&mut table.order);
        order
            .into_iter()
            .map(|key| (table.entries.remove(&key), key))
            .map(|(value, key)| (key, value))
            .collect()
    }
}

impl<V> Bounded<V> {
    pub(super) fn get(&self, key: &str) -> Option<&V> {
        self.entries.get(key)
    }

    /// Forgets a key; its place in the order of ages stays.
    fn remove(&mut self, key: &str) -> Option<V> {
        self.entries.remove(key)
    }

    pub(super) fn insert(&mut self, key: &str, value: V) {
        if let Some(known) = self.entries.get_mut(key) {
            *known = value;
            return;
        }
        self.entries.insert(key.to_owned(), value);
        self.order.push_back(key.to_owned());
        if self.order.len() > MAX_KEYS
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }
}

/// Ids of conversations, for a long log: what was inserted is contained for ever, and in rare cases something else.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
struct Ids(HashSet<u64>);

impl From<Vec<u64>> for Ids {
    fn from(listed: Vec<u64>) -> Self {
        Self(listed.into_iter().collect())
    }
}

impl From<Ids> for Vec<u64> {
    fn from(ids: Ids) -> Self {
        let mut listed: Self = ids.0.into_iter().collect();
        listed.sort_unstable();
        listed
    }
}

impl Ids {
    fn insert(&mut self, id: &str) {
        if self.0.len() < MAX_IDS {
            self.0.insert(hash(id));
        }
    }

    fn may_contain(&self, id: &str) -> bool {
        self.0.len() == MAX_IDS || self.0.contains(&hash(id))
    }
}

/// A hash that stays the same from one run of a program to the next.
pub(super) fn hash(id: &str) -> u64 {
    let digest = Sha256::digest(id);
    digest[..8].iter().fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}

/// The last request with a key.
#[derive(Clone, Serialize, Deserialize)]
struct Request {
    /// `None` if it is no message: its answers are none either.
    kept: Option<Kept>,
    /// How many calls have had the key: once it has been answered, it is used again by another one.
    call: u64,
    is_answered: bool,
}

/// A request that is a message.
#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    from: Option<String>,
    to: Vec<String>,
    conversation: String,
}

/// What is known of a task.
#[derive(Clone, Serialize, Deserialize)]
struct Task {
    kept: Kept,
    /// The last state that was told, and the key of the request that it answered.
    told: u64,
    by: Option<String>,
    /// The events that have a time, with it: the last few.
    events: VecDeque<(u64, u64)>,
}

/// What an answer, or a stream of them, has told of the artifacts of a task, by their ids.
type Artifacts = Vec<(String, Vec<Json>)>;

/// The maximum number of parts of all artifacts of a task.
const MAX_PARTS: usize = 1_024;

/// The maximum number of events of a task that are remembered.
const MAX_EVENTS: usize = 64;

/// What a log has said so far.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    requests: Bounded<Request>,
    tasks: Bounded<Task>,
    /// By task and key of the request that is answered.
    artifacts: Bounded<Artifacts>,
    /// By id of a conversation: the id under which it is judged.
    names: Bounded<String>,
    /// The ids that are, or were, in that table.
    renamed: Ids,
    /// The ids under which messages have been judged.
    used: Ids,
}

impl Memory {
    /// Completes a draft from the request that it answers, and remembers it for its own answers. False if it is no
    /// message.
    ///
    /// # Errors
    /// If it answers nothing that is known, joins two conversations that both have messages, or belongs to one whose
    /// name is forgotten.
    pub(super) fn complete(&mut self, draft: &mut Draft) -> Result<bool, Fault> {
        if let Some(artifact) = draft.artifact.take() {
            self.note_artifact(artifact, draft.recall.as_deref())?;
        }
        if draft.is_other {
            if let Some(key) = &draft.remember {
                let call = self.call(key);
                self.requests.insert(key, Request { kept: None, call, is_answered: false });
            }
            return Ok(false);
        }
        let mut answers_message = false;
        if let Some(key) = &draft.recall {
            let Some(request) = self.requests.entries.get_mut(key) else {
                return Err(wrong(format!("it answers {key:?}, which no earlier line asked")));
            };
            request.is_answered = true;
            answers_message = request.kept.is_some();
            let kept = match (&request.kept, &draft.status) {
                (Some(kept), _) => kept,
                // Whoever asks for the state of a task learns what its agent has to say.
                (None, Some(status)) => match self.tasks.entries.get(&status.task) {
                    Some(task) => &task.kept,
                    None => {
                        let text =
                            format!("it tells of the task {:?}, which no earlier line began", status.task);
                        return Err(wrong(text));
                    }
                },
                (None, None) => return Ok(false),
            };
            // Sender and recipient change places.
            if draft.from.is_none() {
                let [one] = kept.to.as_slice() else {
                    return Err(wrong(format!("{key:?} was asked of several: who answers is not said")));
                };
                draft.from = Some(one.clone());
            }
            if draft.to.is_empty() {
                draft.to.extend(kept.from.clone());
            }
            let asked_in = kept.conversation.clone();
            match &draft.conversation {
                None => draft.conversation = Some(asked_in),
                Some(named) => self.join(&named.clone(), &asked_in)?,
            }
        }
        // Until an answer names the conversation, it has the name of the request.
        let mut conversation =
            draft.conversation.take().or_else(|| draft.same_as.clone()).or_else(|| self.name_of_call(draft));
        if let (Some(one), Some(other)) = (&conversation, &draft.same_as) {
            self.join(other, one)?;
        }
        if let Some(name) = &mut conversation {
            *name = self.name(name)?;
            self.used.insert(name);
        }
        draft.alias = draft.alias.take().filter(|alias| Some(alias) != conversation.as_ref());
        draft.conversation = conversation;
        if let Some(key) = &draft.remember {
            let request = Request { kept: Some(kept(draft)), call: self.call(key), is_answered: false };
            self.requests.insert(key, request);
        }
        if draft.is_repeated {
            return Ok(false);
        }
        let Some(status) = draft.status.take() else { return Ok(true) };
        let is_news = self.note_status(&status, draft, answers_message);
        self.add_result(status, draft);
        Ok(is_news)
    }

    /// Notes what a stream tells of an artifact.
    fn note_artifact(&mut self, artifact: Artifact, answers: Option<&str>) -> Result<(), Fault> {
        let Artifact { task, id, appends, parts } = artifact;
        let key = artifacts_key(&task, answers);
        let mut known = self.artifacts.get(&key).cloned().unwrap_or_default();
        if known.iter().map(|(_, parts)| parts.len()).sum::<usize>() + parts.len() > MAX_PARTS {
            return Err(wrong(format!(
                "the artifacts of the task {task:?} have more than {MAX_PARTS} parts"
            )));
        }
        match known.iter_mut().find(|(its, _)| *its == id) {
            Some((_, before)) if appends => before.extend(parts),
            Some((_, before)) => *before = parts,
            None => known.push((id, parts)),
        }
        self.artifacts.insert(&key, known);
        Ok(())
    }

    /// Adds to the message of a task that is over what its artifacts hold, as far as this answer or its stream tells.
    fn add_result(&mut self, status: Status, draft: &mut Draft) {
        let key = artifacts_key(&status.task, draft.recall.as_deref());
        if let Some(artifacts) = status.artifacts {
            self.artifacts.insert(&key, artifacts);
        }
        if status.is_final
            && let Some(artifacts) = self.artifacts.remove(&key)
            && !draft.takes_no_result
        {
            let before = draft.args.len();
            draft.args.extend(artifacts.into_iter().flat_map(|(_, parts)| parts));
            draft.results = draft.args.len() - before;
        }
    }

    /// The number of the call that a request with this key makes.
    fn call(&self, key: &str) -> u64 {
        self.requests.entries.get(key).map_or(1, |it| it.call + u64::from(it.is_answered))
    }

    /// The conversation of a request that names none.
    fn name_of_call(&self, draft: &Draft) -> Option<String> {
        let key = draft.remember.as_ref()?;
        Some(match self.call(key) {
            1 => key.clone(),
            call => format!("{key} ({call})"),
        })
    }

    /// Notes the state of a task. False if it has been told before.
    fn note_status(&mut self, status: &Status, draft: &Draft, answers_message: bool) -> bool {
        let Some(task) = self.tasks.entries.get_mut(&status.task) else {
            let events = status.since.iter().map(|&since| (status.told, since)).collect();
            let (told, by) = (status.told, draft.recall.clone());
            self.tasks.insert(&status.task, Task { kept: kept(draft), told, by, events });
            return true;
        };
        let event = status.since.map(|since| (status.told, since));
        let is_last = task.told == status.told;
        let is_news = match &event {
            // Two streams tell the same events, the one perhaps later than the other.
            Some(event) if status.is_event => !task.events.contains(event),
            None if status.is_event => !is_last || task.by == draft.recall,
            _ => answers_message || !is_last,
        };
        if let Some(event) = event.filter(|it| !task.events.contains(it)) {
            task.events.push_back(event);
            if task.events.len() > MAX_EVENTS {
                task.events.pop_front();
            }
        }
        if is_news {
            task.told = status.told;
            task.by.clone_from(&draft.recall);
        }
        is_news
    }

    /// The id under which a conversation is judged. Names form no chains: only an
    /// id without messages is joined to another, which counts as having some.
    fn name(&self, id: &str) -> Result<String, Fault> {
        match self.names.entries.get(id) {
            Some(name) => Ok(name.clone()),
            // To judge what follows as a conversation of its own would be wrong.
            None if self.renamed.may_contain(id) => {
                Err(wrong(format!("it is too long ago that the conversation {id:?} was joined to another")))
            }
            None => Ok(id.to_owned()),
        }
    }

    /// Joins two ids; if neither has messages, the conversation keeps the second.
    fn join(&mut self, one: &str, other: &str) -> Result<(), Fault> {
        let (first, second) = (self.name(one)?, self.name(other)?);
        if first == second {
            return Ok(());
        }
        let is_used = |it: &String| self.used.may_contain(it);
        let (from, to) = match (is_used(&first), is_used(&second)) {
            (false, _) => (first, second),
            (true, false) => (second, first),
            (true, true) => {
                let text =
                    format!("it joins the conversations {first:?} and {second:?}, which both have messages");
                return Err(wrong(text));
            }
        };
        self.names.insert(&from, to.clone());
        self.renamed.insert(&from);
        self.used.insert(&to);
        Ok(())
    }
}

fn artifacts_key(task: &str, answers: Option<&str>) -> String {
    format!("{task} {}", answers.unwrap_or_default())
}

/// What is remembered of a message.
fn kept(draft: &Draft) -> Kept {
    let conversation = draft.conversation.clone().unwrap_or_default();
    Kept { from: draft.from.clone(), to: draft.to.clone(), conversation }
}

#[cfg(test)]
mod tests {
    use super::{MAX_KEYS, Memory};

    #[test]
    fn a_name_that_is_forgotten_is_no_name() {
        let mut memory = Memory::default();
        for joined in 0..=MAX_KEYS {
            memory.join(&format!("a{joined}"), &format!("b{joined}")).unwrap();
        }
        assert_eq!(memory.name("a1").unwrap(), "b1");
        assert!(memory.name("a0").is_err());
        assert_eq!(memory.name("c").unwrap(), "c");
    }

    #[test]
    fn conversations_that_both_have_messages_are_not_joined() {
        let mut memory = Memory::default();
        for number in 0..=MAX_KEYS {
            memory.used.insert(&format!("a{number}"));
        }
        assert!(memory.join("a0", "a1").is_err());
        memory.join("new", "a0").unwrap();
        assert_eq!(memory.name("new").unwrap(), "a0");
    }
}
