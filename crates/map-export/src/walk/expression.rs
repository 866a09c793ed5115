//! Symbolic evaluation of expressions: all possible results with their conditions.

use map_ir::{Arithmetic, CellId, Comparison, ExpressionId, ExpressionKind, Operand, Value};
use map_semantics::{calculate, integers_compare};

use super::sequence::Sequence;
use super::{SymbolicThread, Walker, Wrong};
use crate::kinds::Kinds;
use crate::layout::INTEGERS;
use crate::promela::{Expr, Operator};
use crate::refusal::Reason;
use crate::term::Term;

/// The result of an expression.
#[derive(Clone, Debug)]
pub(super) enum Evaluated {
    Value(Term),
    Condition(bool),
}

/// A possible result with the condition under which it occurs.
#[derive(Clone, Debug)]
pub(super) struct Case<T> {
    pub(super) condition: Expr,
    pub(super) result: Result<T, Wrong>,
}

type Cases<T> = Vec<Case<T>>;

/// The maximum number of possible results of all expressions of an act, and of their parts; beyond it the scene is
/// refused. Those of each part are combined with those of every other, so that a short expression may have millions.
const MAX_CASES: usize = 10_000;

fn only<T>(result: T) -> Cases<T> {
    vec![Case { condition: Expr::True, result: Ok(result) }]
}

/// Continues with the results that are not errors; drops impossible cases.
fn then<T, U>(cases: Cases<T>, mut go_on: impl FnMut(T) -> Cases<U>) -> Cases<U> {
    let mut all = Vec::new();
    for Case { condition, result } in cases {
        match result {
            Err(wrong) => all.push(Case { condition, result: Err(wrong) }),
            Ok(value) => all.extend(go_on(value).into_iter().map(|case| Case {
                condition: Expr::and([condition.clone(), case.condition]),
                result: case.result,
            })),
        }
    }
    all.retain(|case| case.condition != Expr::False);
    all
}

/// The context in which expressions are evaluated: of an answer, with the arguments of the procedure, or of an act or a
/// call, without any.
pub(super) struct EvalContext<'s> {
    pub(super) arguments: &'s [Term],
    pub(super) thread: &'s mut SymbolicThread,
}

impl Walker<'_> {
    pub(super) fn value_cases(&mut self, cx: &mut EvalContext<'_>, id: ExpressionId) -> Cases<Term> {
        let cases = self.evaluate(cx, id);
        then(cases, |it| match it {
            Evaluated::Value(term) => only(term),
            Evaluated::Condition(_) => vec![Case { condition: Expr::True, result: Err(Wrong::RunError) }],
        })
    }

    pub(super) fn condition_cases(&mut self, cx: &mut EvalContext<'_>, id: ExpressionId) -> Cases<bool> {
        let cases = self.evaluate(cx, id);
        then(cases, |it| match it {
            Evaluated::Condition(holds) => only(holds),
            Evaluated::Value(_) => vec![Case { condition: Expr::True, result: Err(Wrong::RunError) }],
        })
    }

    /// The values of several expressions, one after the other; the first error decides.
    pub(super) fn values_cases(
        &mut self,
        cx: &mut EvalContext<'_>,
        ids: impl IntoIterator<Item = ExpressionId>,
    ) -> Cases<Vec<Term>> {
        let mut cases = only(Vec::new());
        for id in ids {
            cases = then(cases, |so_far| {
                let cases = self.value_cases(cx, id);
                then(cases, |term| only(so_far.iter().cloned().chain([term]).collect()))
            });
        }
        cases
    }

    fn evaluate(&mut self, cx: &mut EvalContext<'_>, id: ExpressionId) -> Cases<Evaluated> {
        if self.cases > MAX_CASES {
            // Once for the act.
            if self.cases < usize::MAX {
                self.refuse(Reason::TooManyWays, Some(self.program.expression(id).span));
                self.cases = usize::MAX;
            }
            return Vec::new();
        }
        let cases = self.each_case(cx, id);
        self.cases = self.cases.saturating_add(cases.len());
        cases
    }

    fn each_case(&mut self, cx: &mut EvalContext<'_>, id: ExpressionId) -> Cases<Evaluated> {
        let program = self.program;
        match &program.expression(id).kind {
            ExpressionKind::Constant(value) => only(Evaluated::Value(Term::Constant(*value))),
            ExpressionKind::Variable(slot) => {
                only(Evaluated::Value(self.term(cx.thread, Operand::Variable(*slot))))
            }
            ExpressionKind::Argument(index) => only(Evaluated::Value(cx.arguments[*index].clone())),
            ExpressionKind::Cell(cell) => only(Evaluated::Value(self.cell(cx, *cell))),
            ExpressionKind::Own => only(Evaluated::Value(Term::Own)),
            ExpressionKind::Arithmetic(first, rest) => {
                let cases = self.arithmetic(cx, *first, rest);
                then(cases, |term| only(Evaluated::Value(term)))
            }
            ExpressionKind::Min(left, right) => self.extreme(cx, *left, *right, true),
            ExpressionKind::Max(left, right) => self.extreme(cx, *left, *right, false),
            ExpressionKind::If(condition, this, that) => {
                let cases = self.condition_cases(cx, *condition);
                then(cases, |holds| self.evaluate(cx, if holds { *this } else { *that }))
            }
            ExpressionKind::Comparison(left, operator, right) => {
                let cases = self.comparison(cx, *left, *operator, *right);
                then(cases, |holds| only(Evaluated::Condition(holds)))
            }
            ExpressionKind::And(parts) => self.chain(cx, parts, false),
            ExpressionKind::Or(parts) => self.chain(cx, parts, true),
            ExpressionKind::Not(part) => {
                let cases = self.condition_cases(cx, *part);
                then(cases, |holds| only(Evaluated::Condition(!holds)))
            }
        }
    }

    fn cell(&self, cx: &EvalContext<'_>, cell: CellId) -> Term {
        let index = self.program.cell_of(self.role, cell);
        cx.thread.cells[index.expect("checked: the role of the asking agent has the cell")].clone()
    }

    /// Evaluates `and` and `or` with short-circuiting: `and` ends at the first condition that does not hold, `or`
    /// at the first that does.
    fn chain(&mut self, cx: &mut EvalContext<'_>, parts: &[ExpressionId], ends_at: bool) -> Cases<Evaluated> {
        let mut sequence = Sequence::new();
        for &part in parts {
            let cases = self.condition_cases(cx, part).into_iter();
            let ends = |result: &Result<bool, Wrong>| *result != Ok(!ends_at);
            let cases = cases.map(|Case { condition, result }| (condition, Some(result).filter(ends)));
            if !sequence.decide(cases) {
                break;
            }
        }
        let cases = sequence.finish(Ok(!ends_at)).into_iter();
        cases
            .map(|(condition, result)| Case { condition, result: result.map(Evaluated::Condition) })
            .collect()
    }

    fn comparison(
        &mut self,
        cx: &mut EvalContext<'_>,
        left: ExpressionId,
        operator: Comparison,
        right: ExpressionId,
    ) -> Cases<bool> {
        let cases = self.value_cases(cx, left);
        then(cases, |left| {
            let cases = self.value_cases(cx, right);
            then(cases, |right| match operator {
                Comparison::Equal => self.equal_cases(&left, &right, true),
                Comparison::NotEqual => self.equal_cases(&left, &right, false),
                Comparison::Less
                | Comparison::LessOrEqual
                | Comparison::Greater
                | Comparison::GreaterOrEqual => self.order(&left, operator, &right),
            })
        })
    }

    fn equal_cases(&mut self, left: &Term, right: &Term, wanted: bool) -> Cases<bool> {
        let equality = self.equality(left, right);
        let mut cases = vec![
            Case { condition: equality.may, result: Ok(wanted) },
            Case { condition: equality.must.not(), result: Ok(!wanted) },
        ];
        cases.retain(|case| case.condition != Expr::False);
        cases
    }

    fn order(&mut self, left: &Term, operator: Comparison, right: &Term) -> Cases<bool> {
        let holds = match (left, right) {
            (Term::Constant(Value::Integer(left)), Term::Constant(Value::Integer(right))) => {
                if integers_compare(*left, operator, *right) {
                    Expr::True
                } else {
                    Expr::False
                }
            }
            _ => Expr::binary(operator.into(), self.expr(left), self.expr(right)),
        };
        let open = |holds| Case { condition: Expr::True, result: Ok(holds) };
        self.on_integers(left, right, &[open(true), open(false)], || {
            vec![
                Case { condition: holds.clone(), result: Ok(true) },
                Case { condition: holds.clone().not(), result: Ok(false) },
            ]
        })
    }

    /// The results of an operation on integers: `open` if an operand is abstract, an error if one is of another
    /// kind, otherwise those of `known`.
    fn on_integers<T: Clone>(
        &self,
        left: &Term,
        right: &Term,
        open: &[Case<T>],
        known: impl FnOnce() -> Cases<T>,
    ) -> Cases<T> {
        let is_open = Expr::or([self.is_abstract(left), self.is_abstract(right)]);
        let integers = Expr::and([self.is_integer(left), self.is_integer(right)]);
        let under = |condition: Expr, cases: Cases<T>| {
            cases.into_iter().map(move |case| Case {
                condition: Expr::and([condition.clone(), case.condition]),
                result: case.result,
            })
        };
        let fits = |term: &Term| Expr::or([self.is_abstract(term), self.is_integer(term)]);
        let fit = Expr::and([fits(left), fits(right)]);
        let wrong = fit.clone().not();
        let right_kind = Expr::and([is_open.clone().not(), integers]);
        let is_open = Expr::and([is_open, fit]);
        let mut cases: Cases<T> = under(is_open, open.to_vec()).collect();
        cases.push(Case { condition: wrong, result: Err(Wrong::RunError) });
        cases.extend(under(right_kind, known()));
        cases.retain(|case| case.condition != Expr::False);
        cases
    }

    /// The condition that a term is an integer; it must not be abstract.
    fn is_integer(&self, term: &Term) -> Expr {
        let kinds = self.kinds(term);
        match (kinds.has(Kinds::INTEGER), kinds.has(Kinds::ATOM) || kinds.has(Kinds::FRESH)) {
            (true, false) => Expr::True,
            (true, true) => Expr::binary(Operator::Less, self.expr(term), Expr::Number(INTEGERS)),
            (false, _) => Expr::False,
        }
    }

    fn arithmetic(
        &mut self,
        cx: &mut EvalContext<'_>,
        first: ExpressionId,
        rest: &[(Arithmetic, ExpressionId)],
    ) -> Cases<Term> {
        let mut cases = self.value_cases(cx, first);
        for &(operator, operand) in rest {
            cases = then(cases, |left| {
                let cases = self.value_cases(cx, operand);
                then(cases, |right| self.apply(cx, operator, &left, &right))
            });
        }
        cases
    }

    fn apply(
        &mut self,
        cx: &mut EvalContext<'_>,
        operator: Arithmetic,
        left: &Term,
        right: &Term,
    ) -> Cases<Term> {
        let new = cx.thread.new_abstract();
        let mut open = vec![Case { condition: Expr::True, result: Ok(new) }];
        if matches!(operator, Arithmetic::Divide | Arithmetic::Remainder) {
            if self.is_abstract(right) != Expr::False {
                self.refuse(Reason::UnknownDivisor, None);
            }
            // Whatever is divided.
            let zero = Expr::equal(self.expr(right), Expr::Number(0));
            open[0].condition = zero.clone().not();
            open.push(Case { condition: zero, result: Err(Wrong::RunError) });
        }
        if let (Term::Constant(Value::Integer(a)), Term::Constant(Value::Integer(b))) = (left, right) {
            let result = match calculate(operator, *a, *b) {
                Ok(number) if number.unsigned_abs() < INTEGERS as u64 => {
                    Ok(Term::Constant(Value::Integer(number)))
                }
                Ok(_) => {
                    self.refuse(Reason::LargeInteger, None);
                    Err(Wrong::OutOfRange)
                }
                Err(_) => Err(Wrong::RunError),
            };
            return vec![Case { condition: Expr::True, result }];
        }
        let (a, b) = (self.expr(left), self.expr(right));
        let result = Term::Result(operator, Box::new(left.clone()), Box::new(right.clone()));
        self.on_integers(left, right, &open, || {
            let zero = Expr::equal(b.clone(), Expr::Number(0));
            let bad = match operator {
                Arithmetic::Add | Arithmetic::Subtract => {
                    let sum = Expr::binary(operator.into(), a, b);
                    vec![(too_large(sum), Wrong::OutOfRange)]
                }
                Arithmetic::Multiply => {
                    let room = Expr::binary(Operator::Divide, Expr::Number(INTEGERS - 1), magnitude(b));
                    let large = Expr::binary(Operator::Greater, magnitude(a), room);
                    vec![(Expr::choose(zero, Expr::False, large), Wrong::OutOfRange)]
                }
                Arithmetic::Divide | Arithmetic::Remainder => vec![(zero, Wrong::RunError)],
            };
            let fine = Expr::and(bad.iter().map(|(condition, _)| condition.clone().not()));
            let mut cases: Cases<Term> =
                bad.into_iter().map(|(condition, wrong)| Case { condition, result: Err(wrong) }).collect();
            cases.push(Case { condition: fine, result: Ok(result) });
            cases
        })
    }

    fn extreme(
        &mut self,
        cx: &mut EvalContext<'_>,
        left: ExpressionId,
        right: ExpressionId,
        smaller: bool,
    ) -> Cases<Evaluated> {
        let cases = self.value_cases(cx, left);
        then(cases, |left| {
            let cases = self.value_cases(cx, right);
            then(cases, |right| {
                let new = cx.thread.new_abstract();
                let open = Case { condition: Expr::True, result: Ok(Evaluated::Value(new)) };
                let wins = if smaller { Comparison::LessOrEqual } else { Comparison::GreaterOrEqual };
                let order = self.order(&left, wins, &right);
                let mut known: Cases<Evaluated> = Vec::new();
                for case in order {
                    let pick =
                        |first: bool| Evaluated::Value(if first { left.clone() } else { right.clone() });
                    known.push(Case { condition: case.condition, result: case.result.map(pick) });
                }
                let is_open = Expr::or([self.is_abstract(&left), self.is_abstract(&right)]);
                if is_open == Expr::False {
                    return known;
                }
                let mut cases: Cases<Evaluated> = vec![Case { condition: is_open.clone(), ..open }];
                cases.extend(known.into_iter().map(|case| Case {
                    condition: Expr::and([is_open.clone().not(), case.condition]),
                    result: case.result,
                }));
                cases.retain(|case| case.condition != Expr::False);
                cases
            })
        })
    }
}

fn magnitude(number: Expr) -> Expr {
    let negative = Expr::binary(Operator::Less, number.clone(), Expr::Number(0));
    Expr::choose(negative, Expr::binary(Operator::Subtract, Expr::Number(0), number.clone()), number)
}

fn too_large(number: Expr) -> Expr {
    Expr::or([
        Expr::binary(Operator::GreaterOrEqual, number.clone(), Expr::Number(INTEGERS)),
        Expr::binary(Operator::LessOrEqual, number, Expr::Number(-INTEGERS)),
    ])
}

impl SymbolicThread {
    pub(super) fn new_abstract(&mut self) -> Term {
        self.made += 1;
        Term::Abstract(self.made)
    }

    pub(super) fn new_fresh(&mut self) -> Term {
        self.made += 1;
        Term::Fresh(self.made)
    }
}
