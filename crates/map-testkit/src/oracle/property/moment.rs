//! Formulas at one moment.

use std::collections::BTreeMap;

use map_syntax::ast::{
    Atom, ComparisonOperator, Event, Formula, FormulaKind, Message as Pattern, Quantifier, Quantity,
    QuantityKind, RangeOver, StatusWord, Term, TermKind,
};

use super::super::act::Happening;
use super::super::cast::{Setting, constant};
use super::super::state::{Frame, Status, Thread, Value};
use super::graph::Edge;

/// The agents that the variables stand for.
pub(super) type Environment = BTreeMap<String, usize>;

/// Whether a formula about a single moment holds.
pub(super) fn holds(
    setting: &Setting<'_>,
    formula: &Formula,
    environment: &Environment,
    moment: &Edge<'_>,
) -> bool {
    let of = |formula: &Formula| holds(setting, formula, environment, moment);
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().all(of),
        FormulaKind::Or(parts) => parts.iter().any(of),
        FormulaKind::Implies(parts) => match parts.as_slice() {
            [only] => of(only),
            [premise, ..] if !of(premise) => true,
            [_, rest @ ..] => {
                let rest = Formula { kind: FormulaKind::Implies(rest.to_vec()), span: formula.span };
                of(&rest)
            }
            [] => true,
        },
        FormulaKind::Not(denied) => !of(denied),
        FormulaKind::Quantified(quantifier, range, body) => {
            let mut instances = instances(setting, range, environment);
            match quantifier {
                Quantifier::Forall => instances.all(|inner| holds(setting, body, &inner, moment)),
                Quantifier::Exists => instances.any(|inner| holds(setting, body, &inner, moment)),
            }
        }
        FormulaKind::Atom(it) => atom(setting, it, environment, moment),
        _ => unreachable!("a formula about one moment"),
    }
}

/// "Range over the cast."
fn instances<'i>(
    setting: &'i Setting<'_>,
    range: &'i RangeOver,
    environment: &'i Environment,
) -> impl Iterator<Item = Environment> + 'i {
    let role = range.role().map_or("", |role| &role.text);
    let agents = (0..setting.cast.agents.len()).filter(move |&agent| setting.role(agent) == role);
    agents.map(|agent| {
        let mut inner = environment.clone();
        inner.insert(range.variable.text.clone(), agent);
        inner
    })
}

fn agent(setting: &Setting<'_>, term: &Term, environment: &Environment) -> Option<usize> {
    match &term.kind {
        TermKind::Variable(name) => environment.get(name).copied(),
        TermKind::Agent(name) => (0..setting.cast.agents.len()).find(|&it| setting.name(it) == *name),
        _ => None,
    }
}

/// Whether a term of an event, `_` for anybody, stands for the agent.
fn is(setting: &Setting<'_>, term: &Term, environment: &Environment, who: usize) -> bool {
    term.kind == TermKind::Wildcard || agent(setting, term, environment) == Some(who)
}

fn atom(setting: &Setting<'_>, atom: &Atom, environment: &Environment, moment: &Edge<'_>) -> bool {
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

fn happens(setting: &Setting<'_>, event: &Event, environment: &Environment, moment: &Edge<'_>) -> bool {
    let fits = |pattern: &Pattern, performative: &str, arguments: &[Value<'_>]| {
        pattern.performative.text == performative
            && pattern.arguments.len() == arguments.len()
            && pattern.arguments.iter().zip(arguments).all(|(wanted, value)| match &wanted.kind {
                TermKind::Wildcard => true,
                TermKind::Variable(name) => {
                    environment.get(name).is_some_and(|&it| *value == Value::Agent(setting.name(it)))
                }
                kind => constant(kind) == *value,
            })
    };
    moment.happened.iter().any(|happening| match (event, happening) {
        (Event::Sends(pattern, to), Happening::Sent { performative, arguments, to: recipients }) => {
            fits(pattern, performative, arguments)
                && recipients.iter().any(|&it| is(setting, to, environment, it))
        }
        (Event::Receives(pattern, from), Happening::Received(message)) => {
            fits(pattern, message.performative, &message.arguments)
                && is(setting, from, environment, message.sender)
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
    environment: &Environment,
    moment: &'q Edge<'_>,
) -> Option<Value<'q>> {
    let integer = |number: usize| Some(Value::Integer(number as i64));
    match &quantity.kind {
        QuantityKind::Term(TermKind::Variable(name)) => {
            environment.get(name).map(|&it| Value::Agent(setting.name(it)))
        }
        QuantityKind::Term(kind) => Some(constant(kind)),
        QuantityKind::Cell(who, cell) => {
            let who = agent(setting, who, environment)?;
            moment.state.agents[who].memory.get(cell.text.as_str()).copied()
        }
        QuantityKind::Mailbox(who) => {
            let who = agent(setting, who, environment)?;
            integer(moment.state.agents[who].mailbox.len())
        }
        QuantityKind::Times(_) | QuantityKind::Total(..) => None,
        QuantityKind::Count(range, body) => integer(
            instances(setting, range, environment)
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
