//! Values in views. Abstract values are one, fresh values are one, and so are integers that are not told apart.
//! For the
//! time of one act each of their occurrences gets a name of its own.

use map_ir::{Arithmetic, Comparison, ProcedureId, Symbol, Value};
use map_semantics::{Choice, Choices, ComputedValue, Control, NodeKind, Operation, Path, integers_compare};

use crate::counting::{Constraint, Form};
use crate::frame::Frame;

/// Some abstract value.
pub(crate) const UNKNOWN: Value = Value::Abstract(Symbol(0));
/// Some integer that is too large to be told apart.
pub(crate) const LARGE: Value = Value::Abstract(Symbol(1));
/// Some negative integer that is too far from 0.
pub(crate) const NEGATIVE: Value = Value::Abstract(Symbol(2));
/// Some fresh value.
pub(crate) const FRESH: Value = Value::Fresh(Symbol(0));

/// What is known of the value behind a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// That it is abstract, or fresh.
    Nothing,
    /// That it is an integer beyond those that are told apart, and whether it is positive.
    Beyond(bool),
    /// That it is this sum.
    Sum(Form),
}

/// The names of one act.
pub(crate) struct Names {
    known: Vec<Known>,
    placeholders: usize,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self { known: Vec::new(), placeholders: 0 }
    }

    /// The first symbol that is not in use.
    pub(crate) fn fresh(&self) -> Symbol {
        Symbol(self.known.len() as u32)
    }

    pub(crate) fn known(&self) -> &[Known] {
        &self.known
    }

    fn symbol(&mut self, known: Known) -> Symbol {
        self.known.push(known);
        Symbol(self.known.len() as u32 - 1)
    }

    /// A name for a sum.
    pub(crate) fn sum(&mut self, form: Form) -> Value {
        Value::Abstract(self.symbol(Known::Sum(form)))
    }

    /// The value under a name of its own, if it is one of those that stand for many.
    pub(crate) fn name(&mut self, frame: &Frame<'_>, value: Value) -> Value {
        match value {
            UNKNOWN => Value::Abstract(self.symbol(Known::Nothing)),
            LARGE => Value::Abstract(self.symbol(Known::Beyond(true))),
            NEGATIVE => Value::Abstract(self.symbol(Known::Beyond(false))),
            Value::Fresh(_) => Value::Fresh(self.symbol(Known::Nothing)),
            _ if frame.is_nothing(value) => {
                self.placeholders += 1;
                frame.nothing(self.placeholders)
            }
            _ => value,
        }
    }
}

/// The value as views show it; `known` is what is known of the symbols.
pub(crate) fn forget(frame: &Frame<'_>, known: &[Known], value: Value) -> Value {
    match value {
        Value::Abstract(symbol) => match known.get(symbol.0 as usize) {
            None | Some(Known::Nothing) => UNKNOWN,
            Some(Known::Beyond(false)) => NEGATIVE,
            // A sum is held only by cells, which are placeholders.
            Some(Known::Beyond(true) | Known::Sum(_)) => LARGE,
        },
        Value::Fresh(_) => FRESH,
        Value::Integer(number) if !frame.is_small(number) => {
            if number > 0 {
                LARGE
            } else {
                NEGATIVE
            }
        }
        _ if frame.is_nothing(value) => frame.nothing(0),
        _ => value,
    }
}

/// Calls `see` with every bound variable, in a fixed order.
pub(crate) fn variables(control: &mut Control) -> impl Iterator<Item = &mut Value> {
    let activations = control.nodes.iter_mut().filter_map(|node| match &mut node.kind {
        NodeKind::Activation { variables, .. } => Some(variables),
        _ => None,
    });
    activations.flat_map(|variables| variables.iter_mut().flatten())
}

/// Whether the result of an operation is positive, and beyond the integers that are told apart, as one of the
/// operands is
/// whatever it may be exactly; `None` if it need not be beyond. Overflow is left out of account.
fn beyond(operation: Operation, left: &Known, right: &Known) -> Option<bool> {
    let sign = |known: &Known| match known {
        Known::Beyond(positive) => Some(if *positive { 1 } else { -1 }),
        Known::Sum(Form { cells, constant }) if cells.is_empty() => Some(constant.signum()),
        _ => None,
    };
    let (one, other) = (sign(left)?, sign(right)?);
    match operation {
        Operation::Arithmetic(Arithmetic::Add) if one * other >= 0 => Some(one + other > 0),
        Operation::Arithmetic(Arithmetic::Subtract) if one * other <= 0 => Some(one - other > 0),
        Operation::Arithmetic(Arithmetic::Multiply) if one * other != 0 => Some(one * other > 0),
        _ => None,
    }
}

/// Resolves what an act leaves open, one way after the other, and notes what that rests on.
pub(crate) struct Open<'f> {
    pub(crate) path: Path,
    frame: &'f Frame<'f>,
    first: &'f [Known],
    pub(crate) known: Vec<Known>,
    /// The options taken, and whether each resolves a comparison.
    pub(crate) log: Vec<(u32, bool)>,
    pub(crate) constraints: Vec<Constraint>,
    /// The procedures that said "no".
    pub(crate) refused: Vec<ProcedureId>,
    /// Whether some operation may go wrong.
    pub(crate) may_go_wrong: bool,
}

impl<'f> Open<'f> {
    pub(crate) fn new(frame: &'f Frame<'f>, names: &'f Names) -> Self {
        Self {
            path: Path::default(),
            frame,
            first: names.known(),
            known: Vec::new(),
            log: Vec::new(),
            constraints: Vec::new(),
            refused: Vec::new(),
            may_go_wrong: false,
        }
    }

    /// Before another run of the act.
    pub(crate) fn begin(&mut self) {
        self.known = self.first.to_vec();
        self.log.clear();
        self.constraints.clear();
        self.refused.clear();
        self.may_go_wrong = false;
    }

    /// What is known of a value as an operand: nothing is known of an abstract one; `None` if it is no integer.
    fn operand(&self, value: Value) -> Option<Known> {
        match value {
            Value::Integer(number) => Some(Known::Sum(Form::constant(number))),
            Value::Abstract(symbol) => {
                Some(self.known.get(symbol.0 as usize).cloned().unwrap_or(Known::Nothing))
            }
            _ => None,
        }
    }

    /// What is known of the result of an operation.
    fn result(&mut self, operation: Operation, operands: (Value, Value)) -> Known {
        let (left, right) = (self.operand(operands.0), self.operand(operands.1));
        if [&left, &right].into_iter().any(|it| *it == Some(Known::Nothing)) {
            return Known::Nothing;
        }
        let (Some(left), Some(right)) = (left, right) else {
            self.may_go_wrong = true;
            return Known::Nothing;
        };
        // A sum of cells that count stays one; what else comes of integers that are not told apart could be any.
        if let (Known::Sum(left), Known::Sum(right)) = (&left, &right) {
            let sum = match operation {
                Operation::Arithmetic(Arithmetic::Add) => left.plus(right, 1),
                Operation::Arithmetic(Arithmetic::Subtract) => left.plus(right, -1),
                Operation::Arithmetic(Arithmetic::Multiply) if left.cells.is_empty() => {
                    Form::default().plus(right, left.constant)
                }
                Operation::Arithmetic(Arithmetic::Multiply) if right.cells.is_empty() => {
                    Form::default().plus(left, right.constant)
                }
                _ => None,
            };
            if let Some(sum) = sum {
                return Known::Sum(sum);
            }
        }
        if let Some(positive) = beyond(operation, &left, &right) {
            self.may_go_wrong |= !self.frame.precision.no_overflow;
            return Known::Beyond(positive);
        }
        self.may_go_wrong = true;
        Known::Nothing
    }

    /// How the comparison of two integers comes out, if one of them is beyond those that are told apart and the
    /// other is
    /// not.
    fn settled(&self, left: Value, comparison: Comparison, right: Value) -> Option<bool> {
        let rank = |value: Value| match self.operand(value)? {
            Known::Beyond(positive) => Some(if positive { 1 } else { -1 }),
            Known::Sum(Form { cells, constant }) if cells.is_empty() && self.frame.is_small(constant) => {
                Some(0)
            }
            _ => None,
        };
        let (left, right) = (rank(left)?, rank(right)?);
        (left != right).then(|| integers_compare(left, comparison, right))
    }

    /// The sum that a value is: only cells that count can hold it.
    pub(crate) fn sum(&self, value: Value) -> Option<&Form> {
        match value.symbol().and_then(|symbol| self.known.get(symbol.0 as usize)) {
            Some(Known::Sum(form)) => Some(form),
            _ => None,
        }
    }

    fn constraint(
        &self,
        left: Value,
        comparison: Comparison,
        right: Value,
        holds: bool,
    ) -> Option<Constraint> {
        let (Some(Known::Sum(left)), Some(Known::Sum(right))) = (self.operand(left), self.operand(right))
        else {
            return None;
        };
        Some(Constraint { form: left.plus(&right, -1)?, comparison, holds })
    }
}

impl Choices for Open<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        if let Choice::Condition { compared: (left, comparison, right), .. } = *choice
            && let Some(holds) = self.settled(left, comparison, right)
        {
            return u32::from(holds);
        }
        let option = self.path.choose(choice);
        self.log.push((option, choice.is_comparison()));
        match *choice {
            Choice::Answer { procedure, .. } if option == 0 => self.refused.push(procedure),
            Choice::Condition { compared: (left, comparison, right), .. } => {
                let operands = [self.operand(left), self.operand(right)];
                let is_open = operands.contains(&Some(Known::Nothing));
                self.may_go_wrong |= !is_open && operands.contains(&None);
                self.constraints.extend(self.constraint(left, comparison, right, option == 1));
            }
            Choice::Equal { pairs: &[(left, right)], .. } => {
                self.constraints.extend(self.constraint(left, Comparison::Equal, right, option == 1));
            }
            _ => {}
        }
        option
    }

    fn derive(&mut self, derived: ComputedValue) {
        let known = self.result(derived.operation, derived.operands);
        if let Some(symbol) = derived.result.symbol() {
            let place = symbol.0 as usize;
            if self.known.len() <= place {
                self.known.resize(place + 1, Known::Nothing);
            }
            self.known[place] = known;
        }
    }

    fn equals(&self, left: Value, right: Value) -> Option<bool> {
        let is_other = |value: Value| value == Value::Agent(self.frame.other);
        match (left, right) {
            (Value::Abstract(_), Value::Abstract(_)) if self.frame.sabotage.unknown_differ => {
                Some(left == right)
            }
            (Value::Fresh(_), Value::Fresh(_)) => None,
            _ if is_other(left) && is_other(right) => {
                if self.frame.sabotage.others_differ {
                    Some(false)
                } else {
                    None
                }
            }
            _ if self.frame.is_nothing(left) || self.frame.is_nothing(right) => None,
            _ if self.settled(left, Comparison::Equal, right) == Some(false) => Some(false),
            (Value::Abstract(symbol), value) | (value, Value::Abstract(symbol))
                if matches!(self.known.get(symbol.0 as usize), Some(Known::Beyond(_)))
                    && !matches!(value, Value::Abstract(_) | Value::Integer(_)) =>
            {
                Some(false)
            }
            _ => left.equals(right),
        }
    }
}
