//! What earlier lines say of later ones: requests for their answers, and conversations with two ids.

use std::collections::{HashMap, VecDeque};

use super::draft::{Draft, wrong};
use crate::record::Fault;

/// The maximum number of keys that are remembered.
const MAX_KEYS: usize = 65_536;

/// A table that forgets its oldest keys.
struct Bounded<V> {
    entries: HashMap<String, V>,
    order: VecDeque<String>,
}

impl<V> Default for Bounded<V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), order: VecDeque::new() }
    }
}

impl<V> Bounded<V> {
    fn insert(&mut self, key: &str, value: V) {
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

/// A request.
struct Kept {
    from: Option<String>,
    to: Vec<String>,
    conversation: String,
}

/// What a log has said so far.
#[derive(Default)]
pub(super) struct Memory {
    /// `None` for what is no message: its answers are none either.
    requests: Bounded<Option<Kept>>,
    /// By id of a conversation: the id under which it is judged.
    names: Bounded<String>,
    /// The ids under which messages have been judged.
    used: Bounded<()>,
}

impl Memory {
    /// Completes a draft from the request that it answers, and remembers it for its own answers. False if it is no
    /// message.
    ///
    /// # Errors
    /// If it answers nothing that is known, or joins two conversations that both have messages.
    pub(super) fn complete(&mut self, draft: &mut Draft) -> Result<bool, Fault> {
        if draft.is_other {
            if let Some(key) = &draft.remember {
                self.requests.insert(key, None);
            }
            return Ok(false);
        }
        if let Some(key) = &draft.recall {
            let Some(kept) = self.requests.entries.get(key) else {
                return Err(wrong(format!("it answers {key:?}, which no earlier line asked")));
            };
            let Some(kept) = kept else { return Ok(false) };
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
            draft.conversation.take().or_else(|| draft.same_as.clone()).or_else(|| draft.remember.clone());
        if let (Some(one), Some(other)) = (&conversation, &draft.same_as) {
            self.join(other, one)?;
        }
        if let Some(name) = &mut conversation {
            *name = self.name(name);
            self.used.insert(name, ());
        }
        if let Some(key) = &draft.remember {
            let kept = Kept {
                from: draft.from.clone(),
                to: draft.to.clone(),
                conversation: conversation.clone().unwrap_or_default(),
            };
            self.requests.insert(key, Some(kept));
        }
        draft.conversation = conversation;
        Ok(true)
    }

    /// The id under which a conversation is judged. Names form no chains: only an
    /// id without messages is joined to another, which counts as having some.
    fn name(&self, id: &str) -> String {
        self.names.entries.get(id).map_or_else(|| id.to_owned(), Clone::clone)
    }

    /// Joins two ids; if neither has messages, the conversation keeps the second.
    fn join(&mut self, one: &str, other: &str) -> Result<(), Fault> {
        let (first, second) = (self.name(one), self.name(other));
        if first == second {
            return Ok(());
        }
        let is_used = |it: &String| self.used.entries.contains_key(it);
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
        self.used.insert(&to, ());
        Ok(())
    }
}
