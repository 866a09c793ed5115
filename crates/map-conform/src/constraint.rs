//! What a hypothesis knows of values that the log has not yet shown.

use std::sync::Arc;

use map_ir::{AgentId, Arithmetic, Comparison, Program, RoleId, Symbol, Value};
use map_semantics::{ComputedValue, Operation, RunErrorKind, calculate, integers_compare};

/// Something that holds in the run; open as long as its abstract values are not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Constraint {
    /// The values are equal.
    Equal(Value, Value),
    /// Some pair is unequal.
    NotAll(Vec<(Value, Value)>),
    /// Two integers compare like this, or do not.
    Compares(Value, Comparison, Value, bool),
    /// The value is one of these.
    Member(Value, Arc<[Value]>),
    /// A value was computed.
    Derived(ComputedValue),
    /// An address, name and role, means no agent but this one, among so many first ones of the cast: those who were
    /// there.
    Nobody(AgentId, Option<Value>, Option<Value>, usize),
}

/// What is known of a constraint.
pub(crate) enum Judged {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// It does not because of what was answered: this is computed with or ordered, and is no integer; `None` if
    /// integers are too large to compute with.
    Unfit(Option<Value>),
    /// These are equal, and the constraint says nothing else.
    Bind(Value, Value),
    /// All of these hold instead of it.
    Open(Constraint),
}

/// Whether a value is abstract.
fn is_open(value: Value) -> bool {
    matches!(value, Value::Abstract(_))
}

/// Whether a value can be no integer.
fn is_no_integer(value: Value) -> bool {
    !is_open(value) && !matches!(value, Value::Integer(_))
}

const fn decided(holds: bool) -> Judged {
    if holds { Judged::Holds } else { Judged::Fails }
}

impl Constraint {
    /// Judges it as far as its values are known.
    pub(crate) fn judge(self, program: &Program) -> Judged {
        match self {
            Self::Equal(left, right) => match left.equals(right) {
                Some(equal) => decided(equal),
                None => Judged::Bind(left, right),
            },
            Self::NotAll(mut pairs) => {
                if pairs.iter().any(|(left, right)| left.equals(*right) == Some(false)) {
                    return Judged::Holds;
                }
                pairs.retain(|(left, right)| left != right);
                if pairs.is_empty() { Judged::Fails } else { Judged::Open(Self::NotAll(pairs)) }
            }
            Self::Compares(left, how, right, holds) => match (left, right) {
                (Value::Integer(a), Value::Integer(b)) => decided(integers_compare(a, how, b) == holds),
                _ if is_no_integer(left) => Judged::Unfit(Some(left)),
                _ if is_no_integer(right) => Judged::Unfit(Some(right)),
                _ if left == right => decided(integers_compare(0, how, 0) == holds),
                _ => Judged::Open(Self::Compares(left, how, right, holds)),
            },
            Self::Member(value, domain) => {
                if is_open(value) {
                    Judged::Open(Self::Member(value, domain))
                } else {
                    decided(domain.contains(&value))
                }
            }
            Self::Derived(derived) => judge_derived(derived),
            Self::Nobody(me, name, role, among) => {
                let may =
                    |wanted: Option<Value>, is: Value| wanted.is_none_or(|it| it.equals(is) != Some(false));
                let is = |wanted: Option<Value>, is: Value| wanted.is_none_or(|it| it == is);
                let others: Vec<AgentId> = program.cast().take(among).filter(|&agent| agent != me).collect();
                let of = |agent: AgentId| Value::Role(program.agent(agent).role);
                if others.iter().any(|&it| is(name, Value::Agent(it)) && is(role, of(it))) {
                    Judged::Fails
                } else if others.iter().any(|&it| may(name, Value::Agent(it)) && may(role, of(it))) {
                    Judged::Open(Self::Nobody(me, name, role, among))
                } else {
                    Judged::Holds
                }
            }
        }
    }

    /// Calls `change` with each of its values.
    pub(crate) fn for_each_value(&mut self, change: &mut impl FnMut(&mut Value)) {
        match self {
            Self::Equal(left, right) | Self::Compares(left, _, right, _) => {
                change(left);
                change(right);
            }
            Self::NotAll(pairs) => pairs.iter_mut().for_each(|(left, right)| {
                change(left);
                change(right);
            }),
            Self::Member(value, _) => change(value),
            Self::Derived(ComputedValue { result, operands: (left, right), .. }) => {
                change(result);
                change(left);
                change(right);
            }
            Self::Nobody(_, name, role, _) => name.iter_mut().chain(role).for_each(change),
        }
    }

    /// Calls `see` with each of its symbols.
    pub(crate) fn visit_symbols(&self, see: &mut impl FnMut(Symbol)) {
        self.visit_values(&mut |value| value.symbol().into_iter().for_each(&mut *see));
    }

    /// Calls `see` with each of its values.
    pub(crate) fn visit_values(&self, see: &mut impl FnMut(Value)) {
        match self {
            Self::Equal(left, right) | Self::Compares(left, _, right, _) => {
                see(*left);
                see(*right);
            }
            Self::NotAll(pairs) => pairs.iter().for_each(|&(left, right)| {
                see(left);
                see(right);
            }),
            Self::Member(value, _) => see(*value),
            Self::Derived(ComputedValue { result, operands: (left, right), .. }) => {
                see(*result);
                see(*left);
                see(*right);
            }
            Self::Nobody(_, name, role, _) => name.iter().chain(role).for_each(|&value| see(value)),
        }
    }

    /// Whether some values satisfy it for certain, provided that nothing else is known of them.
    pub(crate) fn is_satisfiable_alone(&self) -> bool {
        match self {
            Self::NotAll(_) | Self::Member(..) | Self::Nobody(..) => true,
            // An operand that can be chosen freely can be 1, and then nothing goes wrong but near the largest integers.
            Self::Derived(ComputedValue { operands: (left, right), .. }) => is_open(*left) && is_open(*right),
            Self::Compares(left, _, right, _) => is_open(*left) && is_open(*right),
            Self::Equal(..) => false,
        }
    }
}

fn judge_derived(derived: ComputedValue) -> Judged {
    let ComputedValue { result, operation, operands: (left, right) } = derived;
    // Whoever shows a result has computed it: it is no answer.
    if is_no_integer(result) {
        return Judged::Fails;
    }
    if let Some(unfit) = [left, right].into_iter().find(|operand| is_no_integer(*operand)) {
        return Judged::Unfit(Some(unfit));
    }
    let known = match (result, left, right) {
        (_, Value::Integer(a), Value::Integer(b)) => {
            let value = match operation {
                Operation::Arithmetic(operator) => match calculate(operator, a, b) {
                    Err(RunErrorKind::Overflow) => return Judged::Unfit(None),
                    value => value.ok(),
                },
                Operation::Min => Some(a.min(b)),
                Operation::Max => Some(a.max(b)),
            };
            value.map(|value| (result, value))
        }
        // What was computed is known: so is an operand of a sum or difference.
        (Value::Integer(sum), Value::Integer(a), open) => match operation {
            Operation::Arithmetic(Arithmetic::Add) => sum.checked_sub(a).map(|it| (open, it)),
            Operation::Arithmetic(Arithmetic::Subtract) => a.checked_sub(sum).map(|it| (open, it)),
            _ => return Judged::Open(Constraint::Derived(derived)),
        },
        (Value::Integer(sum), open, Value::Integer(b)) => match operation {
            Operation::Arithmetic(Arithmetic::Add) => sum.checked_sub(b).map(|it| (open, it)),
            Operation::Arithmetic(Arithmetic::Subtract) => sum.checked_add(b).map(|it| (open, it)),
            _ => return Judged::Open(Constraint::Derived(derived)),
        },
        _ => return Judged::Open(Constraint::Derived(derived)),
    };
    match known {
        Some((value, number)) => Constraint::Equal(value, Value::Integer(number)).judge_equality(),
        None => Judged::Fails,
    }
}

impl Constraint {
    fn judge_equality(self) -> Judged {
        let Self::Equal(left, right) = self else { return Judged::Open(self) };
        match left.equals(right) {
            Some(equal) => decided(equal),
            None => Judged::Bind(left, right),
        }
    }
}

/// The role of an agent as a value.
pub(crate) fn role_of(program: &Program, agent: AgentId) -> Value {
    let role: RoleId = program.agent(agent).role;
    Value::Role(role)
}
