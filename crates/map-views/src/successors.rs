//! What views become: by a step of an agent, and by a message of a member that is not seen.

use crate::steps::Members;
use crate::table::{LocalId, NumberedStep};
use crate::views::{Fixed, Record, View, Views};

/// What is shown of the fixed agents, and of the member.
type Shown = (Box<[LocalId]>, LocalId);

impl Views<'_> {
    /// What a view becomes by a step of an agent.
    pub(crate) fn after(
        &mut self,
        (number, member): View,
        place: Option<usize>,
        step: &NumberedStep,
    ) -> Vec<Shown> {
        let mut after = Vec::new();
        for &next in &step.next {
            let mut locals = self.fixed[number as usize].locals.clone();
            let mut seen = member;
            match place {
                Some(place) => locals[place] = next,
                None => seen = next,
            }
            if let Some(sent) = &step.sent {
                for &to in &sent.fixed {
                    locals[to] = self.table.deliver(locals[to], sent.message);
                }
                if sent.seen {
                    seen = self.table.deliver(seen, sent.message);
                }
            }
            after.push((locals, seen));
        }
        after
    }

    /// The number of messages that members send in a class.
    pub(crate) fn records(&self, number: u32) -> usize {
        self.classes[self.fixed[number as usize].class as usize].records.len()
    }

    /// What a view may become by such a message, if its sender is not seen.
    pub(crate) fn disturbed(&mut self, (number, member): View, record: usize) -> Vec<Shown> {
        let Fixed { names, class, locals, .. } = &self.fixed[number as usize];
        let (class, locals) = (*class as usize, locals.clone());
        let Record { names: senders, message, fixed, members } = self.classes[class].records[record].clone();
        let mut after = Vec::new();
        if names.iter().zip(&senders).any(|(here, sender)| *here && *sender) {
            return after;
        }
        for message in self.table.as_unseen(message) {
            let mut locals = locals.clone();
            for &to in &fixed {
                locals[to] = self.table.deliver(locals[to], message);
            }
            if members != Members::Nobody {
                let seen = self.table.deliver(member, message);
                after.push((locals.clone(), seen));
            }
            if members != Members::All {
                after.push((locals, member));
            }
        }
        after
    }
}
