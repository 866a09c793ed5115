//! What views of one class say of each other: whether they support a view, and what sums can be.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::counting::{Constraint, Range};
use crate::local::MessageId;
use crate::table::{Facts, LocalId};
use crate::views::{Contributions, Fixed, Views};

impl Views<'_> {
    /// Whether for every member that is not seen and that the fixed agents hold there is a view of the class that
    /// could
    /// be its, and at least one of another member; only among those in `quiet`, if it is given.
    pub(crate) fn is_supported(&self, number: u32, among: Option<&BTreeSet<u32>>) -> bool {
        let fixed = &self.fixed[number as usize];
        let differ = |other: &Fixed| {
            let mut pairs = fixed.names.iter().zip(&other.names);
            if self.frame.sabotage.wrong_support {
                return pairs.all(|(here, there)| here == there);
            }
            pairs.all(|(here, there)| !(*here && *there))
        };
        let class = &self.classes[fixed.class as usize];
        let partners: Vec<&Fixed> = class
            .fixed
            .iter()
            .filter(|it| among.is_none_or(|among| among.contains(it)))
            .map(|&it| &self.fixed[it as usize])
            .filter(|other| differ(other))
            .collect();
        let is_held =
            |place: usize| fixed.names[place] || partners.iter().any(|partner| partner.names[place]);
        let has_sent = |agent: usize, message: MessageId| {
            partners.iter().any(|partner| {
                let mail = &self.facts(partner.locals[agent]).from_seen;
                mail.iter().any(|&seen| self.table.may_be_the_same(message, seen))
            })
        };
        !partners.is_empty()
            && (0..fixed.names.len()).all(is_held)
            && fixed.locals.iter().enumerate().all(|(agent, &local)| {
                self.facts(local).from_others.iter().all(|&message| has_sent(agent, message))
            })
    }

    fn facts(&self, local: LocalId) -> Rc<Facts> {
        self.table.known_facts(local)
    }

    /// Whether sums can be so that a way exists; `place` is that of the agent among the fixed ones.
    pub(crate) fn is_feasible(&self, number: u32, place: Option<usize>, constraints: &[Constraint]) -> bool {
        let class = self.fixed[number as usize].class as usize;
        self.is_feasible_given(&self.classes[class].contributions, number, place, constraints)
    }

    /// The same, if members can have contributed only this.
    pub(crate) fn is_feasible_given(
        &self,
        contributions: &Contributions,
        number: u32,
        place: Option<usize>,
        constraints: &[Constraint],
    ) -> bool {
        let Some(place) = place.filter(|_| !constraints.is_empty()) else { return true };
        let fixed = &self.fixed[number as usize];
        let local = &self.table.locals[fixed.locals[place] as usize];
        let [others, last] = &contributions[place];
        constraints.iter().all(|Constraint { form, comparison, holds }| {
            let known = form.of(|cell| i64::from(local.counts[cell].0) + i64::from(local.counts[cell].1));
            let known = form.constant + known;
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
