//! The variables of a formula: of quantifiers, and of events.

use std::collections::BTreeSet;

use map_ir::{Quantity, Value};

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// A value of a quantified variable.
    Value(Value),
    /// The value in the message of an event of this moment.
    Event(Quantity),
}

/// The variables known, outermost first.
#[derive(Default)]
pub(super) struct Variables {
    list: Vec<(String, Bound)>,
    /// What is looked back for, if something is.
    pub(super) past: Option<Past>,
}

/// What is known inside of `before`.
pub(super) struct Past {
    /// Number of the variables bound outside.
    outside: usize,
    /// The values looked for in events there, each with its value now.
    pub(super) captured: Vec<(Quantity, Quantity)>,
    /// Whether an event may be left out: behind `not`, `or` or `implies`.
    pub(super) is_optional: bool,
}

/// How a variable is used.
pub(super) enum Use {
    /// It is not known.
    Unbound,
    Value(Value),
    Event(Quantity),
    /// It is bound by an event of the moment that `before` stands at.
    Captured(Quantity),
}

impl Variables {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn push(&mut self, name: String, bound: Bound) {
        self.list.push((name, bound));
    }

    /// Forgets the variables from an index on.
    pub(super) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }

    /// The names of the variables from an index on.
    pub(super) fn names_from(&self, index: usize) -> BTreeSet<&str> {
        self.list[index..].iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Begins to look back.
    pub(super) fn look_back(&mut self) {
        self.past = Some(Past { outside: self.list.len(), captured: Vec::new(), is_optional: false });
    }

    pub(super) fn find(&self, name: &str) -> Use {
        let Some(index) = self.list.iter().rposition(|(it, _)| it == name) else { return Use::Unbound };
        match &self.list[index].1 {
            Bound::Value(value) => Use::Value(*value),
            Bound::Event(quantity) => match &self.past {
                Some(past) if index < past.outside => Use::Captured(quantity.clone()),
                _ => Use::Event(quantity.clone()),
            },
        }
    }
}
