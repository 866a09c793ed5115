//! Monitors that keep one hypothesis of each orbit.
//!
//! A line that mentions agents tells them apart from those that it does not mention. After it, classes are made one
//! again where the hypotheses allow it: exchanging a member of the one with a member of the other has to lead to known
//! hypotheses whatever the place of both members in their classes; one hypothesis stands for all these places.

use map_ir::{AgentId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::colour::Colours;
use crate::hypothesis::{Frame, Hypothesis};
use crate::orbits::{Exchange, Orbits, is_foreign};
use crate::pending::Arrivals;
use crate::subject::Subject;

/// Hypotheses of one agent, one of each orbit.
pub(crate) struct Folded<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) orbits: Orbits,
    pub(crate) hypotheses: Vec<Hypothesis>,
    /// Whether there was too much to do: some hypotheses are missing.
    pub(crate) cut: bool,
}

impl Folded<'_> {
    /// Finds out who cannot be told apart.
    pub(crate) fn merge_all(&mut self) {
        self.forget_unused();
        let Subject { frame, agent, .. } = self.subject;
        for members in &frame.interchangeable {
            let mut first_of_classes: Vec<AgentId> = Vec::new();
            for &member in members.iter().filter(|&&member| member != agent) {
                let is_first = self.orbits.class(member).first() == Some(&member);
                if is_first && !first_of_classes.iter().any(|&other| self.merge(other, member)) {
                    first_of_classes.push(member);
                }
            }
        }
    }

    /// Finds out whether these agents can still be told apart from others.
    pub(crate) fn merge_again(&mut self, agents: &[AgentId]) {
        self.forget_unused();
        self.sort();
        for &agent in agents {
            let Subject { frame, agent: own, .. } = self.subject;
            let mut groups = frame.interchangeable.iter();
            let Some(members) = groups.find(|members| members.contains(&agent)) else { continue };
            for &other in members.iter().filter(|&&other| other != own && other != agent) {
                let is_first = self.orbits.class(other).first() == Some(&other);
                if is_first && self.merge(other, agent) {
                    break;
                }
            }
        }
    }

    /// Makes the classes of two agents one, if the hypotheses allow it.
    fn merge(&mut self, one: AgentId, other: AgentId) -> bool {
        let (ones, others) = (self.orbits.class(one), self.orbits.class(other));
        if ones.contains(&other) || self.orbits.private(one).len() != self.orbits.private(other).len() {
            return false;
        }
        let known: FxHashSet<&Hypothesis> = self.hypotheses.iter().collect();
        let mut changes_nothing = true;
        for hypothesis in &self.hypotheses {
            if !self.subject.work.spend(hypothesis.weight() + self.orbits.agents()) {
                return false;
            }
            let colours = Colours::of(&self.orbits, self.subject.arrivals, hypothesis);
            for one in colours.representatives(&ones) {
                for other in colours.representatives(&others) {
                    if colours.agent(one) == colours.agent(other) && colours.agent(one).is_exact() {
                        continue;
                    }
                    changes_nothing = false;
                    let exchange = self.orbits.exchange(one, other);
                    let exchanged = self.exchanged(hypothesis, &exchange);
                    if self.subject.work.is_over() || !known.contains(&exchanged) {
                        return false;
                    }
                }
            }
        }
        self.orbits.join([ones, others].concat());
        if !changes_nothing {
            self.sort();
        }
        true
    }

    /// Tells these agents apart from the others of their class.
    pub(crate) fn divide(&mut self, chosen: &[AgentId]) {
        let mut told_apart: Vec<AgentId> = Vec::new();
        for &agent in chosen {
            let rest: Vec<AgentId> =
                self.orbits.class(agent).into_iter().filter(|it| !told_apart.contains(it)).collect();
            let mut all = Vec::new();
            for hypothesis in std::mem::take(&mut self.hypotheses) {
                if !self.subject.work.spend(hypothesis.weight() + self.orbits.agents()) {
                    self.cut = true;
                    break;
                }
                let colours = Colours::of(&self.orbits, self.subject.arrivals, &hypothesis);
                for other in colours.representatives(&rest) {
                    let is_same = other == agent
                        || colours.agent(other).is_exact() && colours.agent(other) == colours.agent(agent);
                    let exchange = if is_same { Exchange::new() } else { self.orbits.exchange(agent, other) };
                    let mut next = hypothesis.clone();
                    self.exchange(&mut next, &exchange);
                    all.push(next);
                }
            }
            self.hypotheses = all;
            told_apart.push(agent);
            self.orbits.divide(told_apart.clone());
            self.sort();
        }
    }

    /// Keeps one hypothesis of each orbit.
    fn sort(&mut self) {
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        for mut hypothesis in std::mem::take(&mut self.hypotheses) {
            canonicalise(self.subject, &self.orbits, &mut hypothesis);
            if seen.insert(hypothesis.clone()) {
                kept.push(hypothesis);
            }
        }
        self.hypotheses = kept;
    }

    fn exchanged(&self, hypothesis: &Hypothesis, exchange: &Exchange) -> Hypothesis {
        let mut exchanged = hypothesis.clone();
        self.exchange(&mut exchanged, exchange);
        canonicalise(self.subject, &self.orbits, &mut exchanged);
        exchanged
    }

    fn exchange(&self, hypothesis: &mut Hypothesis, exchange: &Exchange) {
        exchange_in(self.subject, hypothesis, exchange);
    }

    fn forget_unused(&mut self) {
        let mut used = FxHashSet::default();
        for hypothesis in &self.hypotheses {
            hypothesis.visit_values(&mut |value| {
                used.insert(value);
            });
        }
        self.orbits.disown(&used);
    }

    /// Whether there is nothing in the hypotheses that could be exchanged.
    pub(crate) fn is_blank(&self) -> bool {
        self.hypotheses.iter().all(|hypothesis| {
            let colours = Colours::of(&self.orbits, self.subject.arrivals, hypothesis);
            self.orbits.classes().all(|class| class.iter().all(|&it| colours.agent(it).is_blank()))
        })
    }
}

/// Classes before anything is known of them: each agent has the values that only its messages bring.
pub(crate) fn owners(frame: &Frame, hypotheses: &[Hypothesis]) -> Orbits {
    let mut senders: FxHashMap<Value, Option<AgentId>> = FxHashMap::default();
    let mut in_order: Vec<Value> = Vec::new();
    // Where most is pending, the values of each agent are in the order in which it sent them.
    let mut longest: Vec<&Hypothesis> = hypotheses.iter().collect();
    longest.sort_by_key(|hypothesis| std::cmp::Reverse(hypothesis.pending.len()));
    for message in longest.iter().flat_map(|it| it.state.mailbox.iter().chain(&it.pending)) {
        for &value in message.arguments.iter().filter(|&&value| is_foreign(&frame.program, value)) {
            let sender = senders.entry(value).or_insert_with(|| {
                in_order.push(value);
                Some(message.sender)
            });
            *sender = sender.filter(|it| *it == message.sender);
        }
    }
    let mut orbits = Orbits::new(frame.program.agents.len());
    for value in in_order {
        if let Some(Some(sender)) = senders.get(&value) {
            orbits.own(*sender, value);
        }
    }
    orbits
}

/// Replaces a hypothesis by the one that stands for its orbit.
pub(crate) fn canonicalise(subject: Subject<'_>, orbits: &Orbits, hypothesis: &mut Hypothesis) {
    subject.work.spend(hypothesis.weight() + orbits.agents());
    let exchange = Colours::of(orbits, subject.arrivals, hypothesis).sorting(orbits);
    exchange_in(subject, hypothesis, &exchange);
}

/// Exchanges agents and values in a hypothesis.
fn exchange_in(subject: Subject<'_>, hypothesis: &mut Hypothesis, exchange: &Exchange) {
    if exchange.is_empty() {
        return;
    }
    let places: FxHashMap<Value, Value> = exchange.iter().copied().collect();
    hypothesis.replace_values(&mut |value| places.get(&value).copied().unwrap_or(value));
    match subject.arrivals {
        Arrivals::Unordered => hypothesis.pending.sort(),
        _ => hypothesis.pending.sort_by_key(|message| message.sender),
    }
    if !hypothesis.open.is_empty() {
        hypothesis.normalise(subject.frame, subject.agent);
    }
}
