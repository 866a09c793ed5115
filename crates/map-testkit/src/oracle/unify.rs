//! "Unification is one-sided"; and the recipients of a send.

use map_syntax::ast::{Address, Message as Pattern, Term, TermKind};

use super::cast::Setting;
use super::state::{Message, Value, Variables};

/// Whether two things match. A mismatch in any part decides; only without one do open comparisons count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    No,
    Open,
    Yes,
}

/// "A new symbol, equal to itself; whether it equals another symbol or a written value is *open*."
pub(super) fn compare(a: Value<'_>, b: Value<'_>) -> Match {
    match (a, b) {
        _ if a == b => Match::Yes,
        (Value::Symbol(_), _) | (_, Value::Symbol(_)) => Match::Open,
        _ => Match::No,
    }
}

/// Whether all pairs are equal: "a mismatch in any part decides".
pub(super) fn compare_all<'a>(pairs: impl Iterator<Item = (Value<'a>, Value<'a>)>) -> Match {
    pairs.map(|(one, other)| compare(one, other)).fold(Match::Yes, Ord::min)
}

/// "`_` matches anything; an unbound variable matches anything and is bound; anything else matches an equal value."
fn unify_term<'a>(
    setting: &Setting<'a>,
    agent: usize,
    variables: &mut Variables<'a>,
    term: &'a Term,
    value: Value<'a>,
) -> Match {
    match &term.kind {
        TermKind::Wildcard => Match::Yes,
        TermKind::Variable(name) => match variables.get(name.as_str()) {
            Some(&bound) => compare(bound, value),
            None => {
                variables.insert(name, value);
                Match::Yes
            }
        },
        literal => compare(setting.literal(literal, agent), value),
    }
}

/// Unifies terms with values, from left to right.
pub(super) fn unify_all<'a>(
    setting: &Setting<'a>,
    agent: usize,
    variables: &mut Variables<'a>,
    terms: &'a [Term],
    values: &[Value<'a>],
) -> Match {
    if terms.len() != values.len() {
        return Match::No;
    }
    let pairs = terms.iter().zip(values);
    pairs.map(|(term, &value)| unify_term(setting, agent, variables, term, value)).fold(Match::Yes, Ord::min)
}

/// Unifies a message with the pattern and the sender of a receive.
pub(super) fn unify_message<'a>(
    setting: &Setting<'a>,
    agent: usize,
    variables: &mut Variables<'a>,
    (pattern, from): (&'a Pattern, &'a Address),
    message: &Message<'a>,
) -> Match {
    if pattern.performative.text != message.performative {
        return Match::No;
    }
    let arguments = unify_all(setting, agent, variables, &pattern.arguments, &message.arguments);
    let name = Value::Agent(setting.name(message.sender));
    let role = Value::Role(setting.role(message.sender));
    let name = unify_term(setting, agent, variables, &from.agent, name);
    let role = unify_term(setting, agent, variables, &from.role, role);
    arguments.min(name).min(role)
}

/// "Every *other* agent whose name and role match": the groups of agents an address may stand for. Without abstract
/// values there is one group, perhaps empty; "an abstract address stands for each agent (or role) it might be, in
/// turn, and for none".
/// `None` is the wildcard: "any".
pub(super) fn recipients(
    setting: &Setting<'_>,
    agent: usize,
    name: Option<Value<'_>>,
    role: Option<Value<'_>>,
) -> Vec<Vec<usize>> {
    let abstract_value = |value: Option<Value<'_>>| matches!(value, Some(Value::Symbol(_)));
    let mut candidates = Vec::new();
    for other in (0..setting.cast.agents.len()).filter(|&other| other != agent) {
        let by_name = name.map_or(Match::Yes, |it| compare(it, Value::Agent(setting.name(other))));
        let by_role = role.map_or(Match::Yes, |it| compare(it, Value::Role(setting.role(other))));
        if by_name.min(by_role) != Match::No {
            candidates.push(other);
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    if abstract_value(name) {
        groups.extend(candidates.iter().map(|&it| vec![it]));
    } else if abstract_value(role) {
        for &it in &candidates {
            match groups.iter_mut().find(|group| setting.role(group[0]) == setting.role(it)) {
                Some(group) => group.push(it),
                None => groups.push(vec![it]),
            }
        }
    } else {
        return vec![candidates];
    }
    groups.push(Vec::new());
    groups
}
