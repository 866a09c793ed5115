//! What views become: by a step of an agent, and by a message of a member that is not seen.

use map_ir::AgentId;

use crate::steps::Others;
use crate::table::NumberedStep;
use crate::views::{Record, Shown, View, Views};

impl Views<'_> {
    /// What a view becomes by a step of the agent at a place.
    pub(crate) fn after(&mut self, view: View, place: usize, step: &NumberedStep) -> Vec<Shown> {
        let mut after = Vec::new();
        for &next in &step.next {
            let mut shown = self.shown(view);
            shown[place] = next;
            if let Some(sent) = &step.sent {
                for &to in &sent.to {
                    shown[to] = self.table.deliver(shown[to], sent.message);
                }
            }
            after.push(shown);
        }
        after
    }

    /// The number of messages that members send in a class.
    pub(crate) fn records(&self, number: u32) -> usize {
        self.classes[self.fixed[number as usize].class as usize].records.len()
    }

    /// The members that are seen, each by itself.
    pub(crate) fn company(&mut self, view: View) -> Vec<u32> {
        // It only matters who else is seen.
        if self.frame.seen().len() == 1 {
            return Vec::new();
        }
        let seen: Vec<_> = self.seen(view).to_vec();
        let own = seen.into_iter().map(|local| match self.frame.sabotage.same_company {
            true => local,
            false => self.table.facts(local).own,
        });
        own.collect()
    }

    /// What a view may become by such a message, if its sender is not seen: what it may become whoever of those that
    /// are seen is replaced by the sender.
    pub(crate) fn disturbed(&mut self, view: View, record: usize) -> Vec<Shown> {
        let class = self.fixed[view.0 as usize].class as usize;
        let company = self.company(view);
        let sender = self.sender(class, record);
        let mut after = self.disturbed_beside(view, &company, self.classes[class].records[record].clone());
        for &replaced in self.frame.seen().iter().filter(|&&it| it != sender) {
            if after.is_empty() {
                break;
            }
            let mut possible = Vec::new();
            for other in 0..self.classes[class].records.len() {
                if self.sender(class, other) == replaced {
                    let record = self.classes[class].records[other].clone();
                    possible.extend(self.disturbed_beside(view, &company, record));
                }
            }
            after.retain(|it| possible.contains(it));
        }
        after
    }

    fn sender(&self, class: usize, record: usize) -> AgentId {
        let message = self.classes[class].records[record].message;
        self.table.messages[message as usize].sender
    }

    /// What a view may become by a message of a member that another view shows instead of one that is seen here.
    fn disturbed_beside(&mut self, view: View, company: &[u32], record: Record) -> Vec<Shown> {
        let Record { names, company: beside, message, to, others } = record;
        let replaced = self.table.messages[message as usize].sender;
        let place = self.frame.place_of(replaced).expect("the sender is seen where it sends");
        let seen = self.frame.seen().iter();
        let is_same =
            seen.zip(company.iter().zip(&beside)).all(|(&it, (here, there))| it == replaced || here == there);
        if !is_same || !self.names_fit(&self.fixed[view.0 as usize].names, &names, replaced) {
            return Vec::new();
        }
        let mut after = Vec::new();
        for message in self.table.as_unseen(message) {
            let mut shown = self.shown(view);
            for &to in &to {
                shown[to] = self.table.deliver(shown[to], message);
            }
            let mut received = shown.clone();
            received[place] = self.table.deliver(shown[place], message);
            if others != Others::Nobody {
                after.push(received);
            }
            if others != Others::All {
                after.push(shown);
            }
        }
        after
    }
}
