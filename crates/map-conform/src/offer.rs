//! What an agent could send, described so that it can choose: all that its hypotheses explain.

use map_ir::{AgentId, Comparison, PerformativeId, PointId, Program, Value};

use crate::closure::Closure;
use crate::constraint::Constraint;
use crate::steps::Sending;

/// A message that an agent could send, or many alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The send in the source.
    pub point: PointId,
    /// The performative.
    pub performative: PerformativeId,
    /// The recipients.
    pub to: Vec<AgentId>,
    /// What the arguments may be, each independently of the others.
    pub arguments: Vec<ArgumentOffer>,
    /// Whether every message that fits the description fits the protocol; else more is required.
    pub exact: bool,
}

/// What an argument may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentOffer {
    /// One of these values, sorted.
    OneOf(Vec<Value>),
    /// An integer between these, which belong to it.
    Between(i64, i64),
    /// Anything.
    Anything,
}

/// The maximum number of values that are listed of an argument.
const MAX_LISTED: usize = 64;

/// The maximum number of offers that are told apart; the rest is described less exactly.
const MAX_OFFERS: usize = 256;

impl ArgumentOffer {
    /// Whether a value fits the description.
    #[must_use]
    pub fn has(&self, value: Value) -> bool {
        match self {
            Self::OneOf(values) => values.contains(&value),
            Self::Between(low, high) => {
                matches!(value, Value::Integer(number) if (low..=high).contains(&&number))
            }
            Self::Anything => true,
        }
    }

    /// What fits one of the two, if that can be said without adding anything.
    fn joined(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::OneOf(one), Self::OneOf(two)) => {
                let mut all = [&one[..], two].concat();
                all.sort_unstable();
                all.dedup();
                (all.len() <= MAX_LISTED).then_some(Self::OneOf(all))
            }
            (Self::Anything, _) | (_, Self::Anything) => Some(Self::Anything),
            (Self::Between(low, high), Self::OneOf(values))
            | (Self::OneOf(values), Self::Between(low, high)) => {
                let inside = Self::Between(*low, *high);
                values.iter().all(|&value| inside.has(value)).then_some(inside)
            }
            (Self::Between(..), Self::Between(..)) => (self == other).then(|| self.clone()),
        }
    }

    /// One of some values, shown as an interval if they are one.
    #[must_use]
    pub fn one_of(mut values: Vec<Value>) -> Self {
        values.sort_unstable();
        values.dedup();
        Self::OneOf(values).shortened()
    }

    /// The values as an interval, if they are three integers or more without a gap.
    fn shortened(self) -> Self {
        let Self::OneOf(values) = &self else { return self };
        let numbers: Vec<i64> = values
            .iter()
            .filter_map(|value| if let Value::Integer(number) = value { Some(*number) } else { None })
            .collect();
        let has_no_gap = numbers.len() == values.len() && numbers.windows(2).all(|two| two[0] + 1 == two[1]);
        match (numbers.first(), numbers.last()) {
            (Some(&low), Some(&high)) if has_no_gap && numbers.len() > 2 => Self::Between(low, high),
            _ => self,
        }
    }
}

/// What can be sent. Everything that can is described by one of these.
pub(crate) fn offers(program: &Program, closure: &Closure) -> Vec<Offer> {
    let mut all: Vec<Offer> = Vec::new();
    for send in &closure.sends {
        add(&mut all, offer(program, send));
    }
    // As the file has them.
    all.sort_by_key(|offer| program.point(offer.point).span.start);
    for offer in &mut all {
        for argument in &mut offer.arguments {
            let values = std::mem::replace(argument, ArgumentOffer::Anything);
            *argument = values.shortened();
        }
    }
    all
}

/// Adds an offer: to one that says the same but of one argument, if there is one.
fn add(all: &mut Vec<Offer>, offer: Offer) {
    for known in all.iter_mut() {
        let is_like = known.point == offer.point
            && known.performative == offer.performative
            && known.to == offer.to
            && known.exact == offer.exact;
        if !is_like {
            continue;
        }
        let pairs = known.arguments.iter().zip(&offer.arguments).enumerate();
        let differ: Vec<usize> = pairs.filter(|(_, (own, its))| own != its).map(|(at, _)| at).collect();
        match differ[..] {
            [] => return,
            [at] => {
                if let Some(joined) = known.arguments[at].joined(&offer.arguments[at]) {
                    known.arguments[at] = joined;
                    return;
                }
            }
            _ => {}
        }
    }
    let is_one_too_many = all.len() >= MAX_OFFERS;
    let vague = |known: &&mut Offer| {
        known.performative == offer.performative && known.to == offer.to && known.point == offer.point
    };
    match all.iter_mut().filter(|_| is_one_too_many).find(vague) {
        Some(known) => {
            known.arguments.fill(ArgumentOffer::Anything);
            known.exact = false;
        }
        None => all.push(offer),
    }
}

fn offer(program: &Program, send: &Sending) -> Offer {
    let arguments = &send.message.arguments;
    let mut exact = true;
    let mut described: Vec<ArgumentOffer> = Vec::with_capacity(arguments.len());
    for &value in arguments {
        let (argument, is_all) = match value {
            Value::Abstract(_) => {
                let repeated = arguments.iter().filter(|other| **other == value).count() > 1;
                let (argument, is_all) = of_unknown(value, &send.next.open);
                (argument, is_all && !repeated)
            }
            // It has to be new.
            Value::Fresh(_) => (ArgumentOffer::Anything, false),
            known => (ArgumentOffer::OneOf(vec![known]), true),
        };
        exact &= is_all;
        described.push(argument);
    }
    debug_assert_eq!(program.performative(send.message.performative).arity, described.len());
    let (point, performative, to) = (send.point, send.message.performative, send.to.clone());
    Offer { point, performative, to, arguments: described, exact }
}

/// What a value may be by what holds of it, and whether that is all.
fn of_unknown(value: Value, open: &[Constraint]) -> (ArgumentOffer, bool) {
    let mut domain: Option<Vec<Value>> = None;
    let (mut low, mut high) = (i64::MIN, i64::MAX);
    let (mut is_ordered, mut is_all) = (false, true);
    for constraint in open {
        let mut concerns = false;
        constraint.visit_symbols(&mut |symbol| concerns |= value == Value::Abstract(symbol));
        if !concerns {
            continue;
        }
        match constraint {
            Constraint::Member(_, values) if domain.is_none() => domain = Some(values.to_vec()),
            Constraint::Compares(left, how, Value::Integer(bound), holds) if *left == value => {
                is_all &= narrow((&mut low, &mut high), *how, *bound, *holds);
                is_ordered = true;
            }
            _ => is_all = false,
        }
    }
    match domain {
        Some(values) => {
            let within = |it: &Value| match *it {
                Value::Integer(number) => (low..=high).contains(&number),
                _ => !is_ordered,
            };
            let mut values: Vec<Value> = values.into_iter().filter(within).collect();
            values.sort_unstable();
            values.dedup();
            match ArgumentOffer::OneOf(values).shortened() {
                ArgumentOffer::OneOf(values) if values.len() > MAX_LISTED => (ArgumentOffer::Anything, false),
                described => (described, is_all),
            }
        }
        None if is_ordered => (ArgumentOffer::Between(low, high), is_all),
        None => (ArgumentOffer::Anything, is_all),
    }
}

/// Narrows an interval by a comparison with its right side; false if the interval cannot say it.
fn narrow((low, high): (&mut i64, &mut i64), how: Comparison, bound: i64, holds: bool) -> bool {
    let (below, above) = (bound.checked_sub(1), bound.checked_add(1));
    match (how, holds) {
        (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => below.is_some_and(|below| {
            *high = (*high).min(below);
            true
        }),
        (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => above.is_some_and(|above| {
            *low = (*low).max(above);
            true
        }),
        (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => {
            *high = (*high).min(bound);
            true
        }
        (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => {
            *low = (*low).max(bound);
            true
        }
        (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
            *low = (*low).max(bound);
            *high = (*high).min(bound);
            true
        }
        (Comparison::Equal, false) | (Comparison::NotEqual, true) => false,
    }
}
