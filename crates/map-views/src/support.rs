//! What views of one class say of each other: whether they support a view, and what sums can be.

use std::collections::BTreeSet;
use std::rc::Rc;

use map_ir::AgentId;

use crate::counting::{Constraint, Range};
use crate::local::MessageId;
use crate::table::{Facts, LocalId};
use crate::views::{Contributions, Fixed, Views};

impl Views<'_> {
    /// Whether for every member that is not seen and that the fixed agents hold there are views of the class in which
    /// it may be seen instead of any one of those that are seen here, and at least one such view if they hold none;
    /// only among those in `among`, if it is given.
    pub(crate) fn is_supported(&self, number: u32, among: Option<&BTreeSet<u32>>) -> bool {
        self.frame.seen().iter().all(|&replaced| self.is_supported_without(replaced, number, among))
    }

    fn is_supported_without(&self, replaced: AgentId, number: u32, among: Option<&BTreeSet<u32>>) -> bool {
        let fixed = &self.fixed[number as usize];
        let differ = |other: &Fixed| match self.frame.sabotage.wrong_support {
            true => fixed.names == other.names,
            false => self.names_fit(&fixed.names, &other.names, replaced),
        };
        let class = &self.classes[fixed.class as usize];
        let partners: Vec<&Fixed> = class
            .fixed
            .iter()
            .filter(|it| among.is_none_or(|among| among.contains(it)))
            .map(|&it| &self.fixed[it as usize])
            .filter(|other| differ(other))
            .collect();
        let is_held = |place: usize| {
            fixed.names[place] != self.frame.other
                || partners.iter().any(|partner| partner.names[place] == replaced)
        };
        let has_sent = |agent: usize, message: MessageId| {
            partners.iter().any(|partner| {
                let mail = &self.facts(partner.locals[agent]).from_seen;
                mail.iter().any(|&seen| self.table.may_be_the_same(message, seen, replaced))
            })
        };
        !partners.is_empty()
            && (0..fixed.names.len()).all(is_held)
            && fixed.locals.iter().enumerate().all(|(agent, &local)| {
                self.facts(local).from_others.iter().all(|&message| has_sent(agent, message))
            })
    }

    /// Whether names in one view may be those of the same members as in another that shows another member instead of
    /// `replaced`.
    pub(crate) fn names_fit(&self, here: &[AgentId], there: &[AgentId], replaced: AgentId) -> bool {
        let mut pairs = here.iter().zip(there);
        pairs.all(|(&here, &there)| self.frame.may_be_the_same(here, there, replaced))
    }

    fn facts(&self, local: LocalId) -> Rc<Facts> {
        self.table.known_facts(local)
    }

    /// Whether sums can be so that a way exists; `place` is that of the agent among the fixed ones.
    pub(crate) fn is_feasible(&self, number: u32, place: usize, constraints: &[Constraint]) -> bool {
        let class = self.fixed[number as usize].class as usize;
        self.is_feasible_given(&self.classes[class].contributions, number, place, constraints)
    }

    /// The same, if members can have contributed only this.
    pub(crate) fn is_feasible_given(
        &self,
        contributions: &Contributions,
        number: u32,
        place: usize,
        constraints: &[Constraint],
    ) -> bool {
        if constraints.is_empty() {
            return true;
        }
        let fixed = &self.fixed[number as usize];
        let local = &self.table.locals[fixed.locals[place] as usize];
        let [others, last] = &contributions[place];
        constraints.iter().all(|Constraint { form, comparison, holds }| {
            let known = form.constant + form.of(|cell| local.counts[cell].known());
            let each = |them: &BTreeSet<Vec<i32>>| {
                let values = them.iter().map(|seen| form.of(|cell| i64::from(seen[cell])));
                values.collect::<Vec<_>>()
            };
            let (others, last) = (each(others), each(last));
            let sum = if local.last == Some(self.frame.other) {
                let range = last.iter().min().zip(last.iter().max());
                let of_last = range.map(|(&least, &most)| Range { least: Some(least), most: Some(most) });
                of_last.zip(Range::of_sum(others.iter().copied(), true)).map(|(one, rest)| one.plus(rest))
            } else {
                Range::of_sum(others.iter().copied(), false)
            };
            let known = Range { least: Some(known), most: Some(known) };
            let sum = if self.frame.sabotage.wrong_count { Some(Range::ZERO) } else { sum };
            sum.is_some_and(|sum| sum.plus(known).allows(*comparison, *holds))
        })
    }
}
