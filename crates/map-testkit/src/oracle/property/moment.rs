//! Formulas at one moment.

use std::collections::BTreeMap;

use map_syntax::ast::{
    Atom, Body, ComparisonOperator, Domain, DomainKind, Event, Formula, FormulaKind, Message as Pattern,
    Over, Quantifier, Quantity, QuantityKind, RangeOver, StatusWord, Term, TermKind,
};

use super::super::act::Happening;
use super::super::cast::{Setting, constant};
use super::super::state::{Frame, Status, Thread, Value};
use super::super::weight::occurs;
use super::graph::Edge;
use super::past::PastMoment;

/// What a variable stands for: a [`Value`] of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bound {
    Agent(String),
    Integer(i64),
    Name(String),
    Role(String),
    Text(String),
    Fresh(u32),
    Symbol(u32),
}

impl Bound {
    fn of(value: Value<'_>) -> Self {
        match value {
            Value::Agent(name) => Self::Agent(name.to_owned()),
            Value::Integer(number) => Self::Integer(number),
            Value::Name(name) => Self::Name(name.to_owned()),
            Value::Role(name) => Self::Role(name.to_owned()),
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Fresh(number) => Self::Fresh(number),
            Value::Symbol(number) => Self::Symbol(number),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Agent(name) => Value::Agent(name),
            Self::Integer(number) => Value::Integer(*number),
            Self::Name(name) => Value::Name(name),
            Self::Role(name) => Value::Role(name),
            Self::Text(text) => Value::Text(text),
            Self::Fresh(number) => Value::Fresh(*number),
            Self::Symbol(number) => Value::Symbol(*number),
        }
    }
}

/// What the variables stand for.
pub(super) type Environment = BTreeMap<String, Bound>;

/// Whether a formula about a single moment holds.
pub(super) fn holds(
    setting: &Setting<'_>,
    formula: &Formula,
    environment: &Environment,
    moment: &Edge<'_>,
) -> bool {
    binds(setting, formula, &mut environment.clone(), moment)
}

/// The same; what its events bind is known behind it.
fn binds(setting: &Setting<'_>, formula: &Formula, environment: &mut Environment, moment: &Edge<'_>) -> bool {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().all(|part| binds(setting, part, environment, moment)),
        FormulaKind::Or(parts) => parts.iter().any(|part| holds(setting, part, environment, moment)),
        FormulaKind::Implies(parts) => {
            let mut inner = environment.clone();
            let (last, premises) = parts.split_last().expect("two or more");
            // "f implies g implies h" is "f implies (g implies h)".
            !premises.iter().all(|part| binds(setting, part, &mut inner, moment))
                || holds(setting, last, &inner, moment)
        }
        FormulaKind::Not(denied) => !holds(setting, denied, environment, moment),
        FormulaKind::Quantified(quantifier, range, body) => {
            let mut instances = instances(setting, range, environment).into_iter();
            match quantifier {
                Quantifier::Forall => instances.all(|inner| holds(setting, body, &inner, moment)),
                Quantifier::Exists => instances.any(|inner| holds(setting, body, &inner, moment)),
            }
        }
        FormulaKind::Before(inner) => {
            let mut earlier = moment.past.keys().map(|it| it.as_moment(moment));
            earlier.any(|it| holds(setting, inner, environment, &it))
        }
        FormulaKind::Atom(it) => atom(setting, it, environment, moment),
        _ => unreachable!("a formula about one moment"),
    }
}

/// "Range over the cast", or over values.
pub(super) fn instances(
    setting: &Setting<'_>,
    range: &RangeOver,
    environment: &Environment,
) -> Vec<Environment> {
    let of_domain = |domain: &Domain| match &domain.kind {
        DomainKind::Role(role) => (0..setting.cast.agents.len())
            .filter(|&agent| setting.role(agent) == role.text)
            .map(|agent| Bound::Agent(setting.name(agent).to_owned()))
            .collect(),
        DomainKind::Range(first, last) => {
            let values = (*first..=*last).enumerate().filter(|&(at, _)| occurs(domain, at));
            values.map(|(_, value)| Bound::Integer(value)).collect()
        }
        DomainKind::Values(all) => {
            let mut values: Vec<Bound> = Vec::new();
            for (_, it) in all.iter().enumerate().filter(|&(at, _)| occurs(domain, at)) {
                let value = Bound::of(constant(&it.kind));
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values
        }
    };
    let values = match &range.over {
        Over::Domain(domain) => of_domain(domain),
        Over::Answers(name) => {
            let procedure = setting.file.procedures().find(|it| it.name.text == name.text);
            match procedure.and_then(|it| it.body.as_ref()) {
                Some(Body::Domain(domain)) => of_domain(domain),
                _ => Vec::new(),
            }
        }
    };
    let inner = |value: Bound| {
        let mut inner = environment.clone();
        inner.insert(range.variable.text.clone(), value);
        inner
    };
    values.into_iter().map(inner).collect()
}

fn agent(setting: &Setting<'_>, term: &Term, environment: &Environment) -> Option<usize> {
    let name = match &term.kind {
        TermKind::Variable(name) => match environment.get(name)? {
            Bound::Agent(name) => name,
            _ => return None,
        },
        TermKind::Agent(name) => name,
        _ => return None,
    };
    (0..setting.cast.agents.len()).find(|&it| setting.name(it) == *name)
}

/// Whether a term of an event, `_` for anybody, stands for the agent.
fn is(setting: &Setting<'_>, term: &Term, environment: &Environment, who: usize) -> bool {
    term.kind == TermKind::Wildcard || agent(setting, term, environment) == Some(who)
}

fn atom(setting: &Setting<'_>, atom: &Atom, environment: &mut Environment, moment: &Edge<'_>) -> bool {
    let agents = &moment.state.agents;
    match atom {
        Atom::Ended => agents.iter().all(|it| !matches!(it.status, Status::Running(_))),
        Atom::Status(word, who) => {
            let Some(who) = agent(setting, who, environment) else { return false };
            match word {
                StatusWord::Done => agents[who].status == Status::Done,
                StatusWord::Failed => agents[who].status == Status::Failed,
                StatusWord::Waiting => moment.waiting[who],
            }
        }
        Atom::In(who, name) => {
            let Some(who) = agent(setting, who, environment) else { return false };
            let Status::Running(root) = &agents[who].status else { return false };
            root.leaves().iter().any(|path| {
                let clause = innermost(root, path);
                let first = setting.clause(clause).parameters.first().map(|it| &it.kind);
                first == Some(&TermKind::Name(name.text.clone()))
            })
        }
        Atom::Comparison(left, operator, right) => {
            let of = |it| quantity(setting, it, environment, moment);
            compare(of(left), *operator, of(right))
        }
        Atom::Event(who, event) => {
            let Some(acting) = moment.agent else { return false };
            is(setting, who, environment, acting) && happens(setting, event, environment, moment)
        }
    }
}

/// The moments so far, this one included, with how often each was.
fn occurrences<'e>(moment: &Edge<'e>) -> Vec<(Edge<'e>, u32)> {
    let past = moment.past.iter().map(|(it, times)| (it.as_moment(moment), *times));
    past.chain([(PastMoment::of(moment).as_moment(moment), 1)]).collect()
}

/// "The innermost clause of one of its threads."
fn innermost(root: &Thread<'_>, path: &[usize]) -> usize {
    (0..=path.len())
        .rev()
        .find_map(|length| {
            root.at(&path[..length]).frames.iter().rev().find_map(|frame| match frame {
                Frame::Activation(activation) => Some(activation.clause),
                _ => None,
            })
        })
        .expect("the entry clause is open")
}

fn happens(setting: &Setting<'_>, event: &Event, environment: &mut Environment, moment: &Edge<'_>) -> bool {
    let known = environment.clone();
    let mut fits = |pattern: &Pattern, performative: &str, arguments: &[Value<'_>]| {
        pattern.performative.text == performative
            && pattern.arguments.len() == arguments.len()
            && pattern.arguments.iter().zip(arguments).all(|(wanted, value)| match &wanted.kind {
                TermKind::Wildcard => true,
                TermKind::Variable(name) => {
                    environment.entry(name.clone()).or_insert_with(|| Bound::of(*value)).value() == *value
                }
                kind => constant(kind) == *value,
            })
    };
    moment.happened.iter().any(|happening| match (event, happening) {
        (Event::Sends(pattern, to), Happening::Sent { performative, arguments, to: recipients }) => {
            recipients.iter().any(|&it| is(setting, to, &known, it)) && fits(pattern, performative, arguments)
        }
        (Event::Receives(pattern, from), Happening::Received(message)) => {
            is(setting, from, &known, message.sender)
                && fits(pattern, message.performative, &message.arguments)
        }
        (Event::Asks(wanted), Happening::Answered(asked) | Happening::Refused(asked)) => {
            wanted.text == *asked
        }
        (Event::Answers(wanted, true), Happening::Answered(asked))
        | (Event::Answers(wanted, false), Happening::Refused(asked)) => wanted.text == *asked,
        _ => false,
    }) || (*event == Event::TimesOut && moment.timeout)
}

fn quantity<'q>(
    setting: &'q Setting<'_>,
    quantity: &'q Quantity,
    environment: &'q Environment,
    moment: &'q Edge<'_>,
) -> Option<Value<'q>> {
    let integer = |number: usize| Some(Value::Integer(number as i64));
    match &quantity.kind {
        QuantityKind::Term(TermKind::Variable(name)) => environment.get(name).map(Bound::value),
        QuantityKind::Term(kind) => Some(constant(kind)),
        QuantityKind::Cell(who, cell) => {
            let who = agent(setting, who, environment)?;
            moment.state.agents[who].memory.get(cell.text.as_str()).copied()
        }
        QuantityKind::Mailbox(who) => {
            let who = agent(setting, who, environment)?;
            integer(moment.state.agents[who].mailbox.len())
        }
        QuantityKind::Times(formula) => {
            let times = occurrences(moment).into_iter();
            let counted = times.filter(|(it, _)| holds(setting, formula, environment, it));
            Some(Value::Integer(counted.map(|(_, times)| i64::from(times)).sum()))
        }
        QuantityKind::Total(variable, formula) => {
            let amounts = occurrences(moment).into_iter().map(|(it, times)| {
                let mut inner = environment.clone();
                match binds(setting, formula, &mut inner, &it).then(|| inner.get(&variable.text).cloned()) {
                    Some(Some(Bound::Integer(amount))) => amount.saturating_mul(i64::from(times)),
                    _ => 0,
                }
            });
            Some(Value::Integer(amounts.fold(0, i64::saturating_add)))
        }
        QuantityKind::Cost(..)
        | QuantityKind::Moment(..)
        | QuantityKind::Measure(..)
        | QuantityKind::Sum(_) => {
            unreachable!("formulas that read costs or measures are not judged")
        }
        QuantityKind::Count(range, body) => integer(
            instances(setting, range, environment)
                .into_iter()
                .filter(|inner| holds(setting, body, inner, moment))
                .count(),
        ),
    }
}

fn compare(left: Option<Value<'_>>, operator: ComparisonOperator, right: Option<Value<'_>>) -> bool {
    let equal = left.is_some() && left == right;
    match (operator, left, right) {
        (ComparisonOperator::Equal, ..) => equal,
        (ComparisonOperator::NotEqual, ..) => !equal,
        (_, Some(Value::Integer(left)), Some(Value::Integer(right))) => match operator {
            ComparisonOperator::Less => left < right,
            ComparisonOperator::LessOrEqual => left <= right,
            ComparisonOperator::Greater => left > right,
            _ => left >= right,
        },
        _ => false,
    }
}
