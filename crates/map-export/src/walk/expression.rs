//! Expressions of procedure bodies: every way in which one can come out.

use map_ir::{Arithmetic, CellId, Comparison, ExpressionId, ExpressionKind, Value};
use map_semantics::{calculate, integers_compare};

use super::{Strand, Walker, Wrong};
use crate::kinds::Kinds;
use crate::layout::INTEGERS;
use crate::promela::{Expr, Operator};
use crate::refusal::Reason;
use crate::term::Term;

/// What an expression comes to.
#[derive(Clone, Debug)]
pub(super) enum Evaluated {
    Value(Term),
    Condition(bool),
}

/// One way for an expression to come out.
#[derive(Clone, Debug)]
pub(super) struct Way<T> {
    pub(super) condition: Expr,
    pub(super) result: Result<T, Wrong>,
}

type Ways<T> = Vec<Way<T>>;

fn only<T>(result: T) -> Ways<T> {
    vec![Way { condition: Expr::True, result: Ok(result) }]
}

/// Goes on with what came out right; ways that cannot be are left out.
fn then<T, U>(ways: Ways<T>, mut go_on: impl FnMut(T) -> Ways<U>) -> Ways<U> {
    let mut all = Vec::new();
    for Way { condition, result } in ways {
        match result {
            Err(wrong) => all.push(Way { condition, result: Err(wrong) }),
            Ok(value) => all.extend(go_on(value).into_iter().map(|way| Way {
                condition: Expr::and([condition.clone(), way.condition]),
                result: way.result,
            })),
        }
    }
    all.retain(|way| way.condition != Expr::False);
    all
}

/// What the expressions of one answer are evaluated with.
pub(super) struct Asked<'s> {
    pub(super) arguments: &'s [Term],
    pub(super) strand: &'s mut Strand,
}

impl Walker<'_> {
    pub(super) fn value_ways(&mut self, asked: &mut Asked<'_>, id: ExpressionId) -> Ways<Term> {
        let ways = self.evaluate(asked, id);
        then(ways, |it| match it {
            Evaluated::Value(term) => only(term),
            Evaluated::Condition(_) => vec![Way { condition: Expr::True, result: Err(Wrong::RunError) }],
        })
    }

    pub(super) fn condition_ways(&mut self, asked: &mut Asked<'_>, id: ExpressionId) -> Ways<bool> {
        let ways = self.evaluate(asked, id);
        then(ways, |it| match it {
            Evaluated::Condition(holds) => only(holds),
            Evaluated::Value(_) => vec![Way { condition: Expr::True, result: Err(Wrong::RunError) }],
        })
    }

    fn evaluate(&mut self, asked: &mut Asked<'_>, id: ExpressionId) -> Ways<Evaluated> {
        let program = self.program;
        match &program.expression(id).kind {
            ExpressionKind::Constant(value) => only(Evaluated::Value(Term::Constant(*value))),
            ExpressionKind::Argument(index) => only(Evaluated::Value(asked.arguments[*index].clone())),
            ExpressionKind::Cell(cell) => only(Evaluated::Value(self.cell(asked, *cell))),
            ExpressionKind::Own => only(Evaluated::Value(Term::Own)),
            ExpressionKind::Arithmetic(first, rest) => {
                let ways = self.arithmetic(asked, *first, rest);
                then(ways, |term| only(Evaluated::Value(term)))
            }
            ExpressionKind::Min(left, right) => self.extreme(asked, *left, *right, true),
            ExpressionKind::Max(left, right) => self.extreme(asked, *left, *right, false),
            ExpressionKind::If(condition, this, that) => {
                let ways = self.condition_ways(asked, *condition);
                then(ways, |holds| self.evaluate(asked, if holds { *this } else { *that }))
            }
            ExpressionKind::Comparison(left, operator, right) => {
                let ways = self.comparison(asked, *left, *operator, *right);
                then(ways, |holds| only(Evaluated::Condition(holds)))
            }
            ExpressionKind::And(parts) => self.chain(asked, parts, false),
            ExpressionKind::Or(parts) => self.chain(asked, parts, true),
            ExpressionKind::Not(part) => {
                let ways = self.condition_ways(asked, *part);
                then(ways, |holds| only(Evaluated::Condition(!holds)))
            }
        }
    }

    fn cell(&self, asked: &Asked<'_>, cell: CellId) -> Term {
        let index = self.program.cell_of(self.role, cell);
        asked.strand.cells[index.expect("checked: the role of the asking agent has the cell")].clone()
    }

    /// `and` ends at the first condition that does not hold, `or` at the first that does.
    fn chain(&mut self, asked: &mut Asked<'_>, parts: &[ExpressionId], ends_at: bool) -> Ways<Evaluated> {
        let Some((first, rest)) = parts.split_first() else {
            return only(Evaluated::Condition(!ends_at));
        };
        let ways = self.condition_ways(asked, *first);
        then(ways, |holds| {
            if holds == ends_at {
                only(Evaluated::Condition(ends_at))
            } else {
                self.chain(asked, rest, ends_at)
            }
        })
    }

    fn comparison(
        &mut self,
        asked: &mut Asked<'_>,
        left: ExpressionId,
        operator: Comparison,
        right: ExpressionId,
    ) -> Ways<bool> {
        let ways = self.value_ways(asked, left);
        then(ways, |left| {
            let ways = self.value_ways(asked, right);
            then(ways, |right| match operator {
                Comparison::Equal => self.equal_ways(&left, &right, true),
                Comparison::NotEqual => self.equal_ways(&left, &right, false),
                Comparison::Less
                | Comparison::LessOrEqual
                | Comparison::Greater
                | Comparison::GreaterOrEqual => self.order(&left, operator, &right),
            })
        })
    }

    fn equal_ways(&mut self, left: &Term, right: &Term, wanted: bool) -> Ways<bool> {
        let equality = self.equality(left, right);
        let mut ways = vec![
            Way { condition: equality.may, result: Ok(wanted) },
            Way { condition: equality.must.not(), result: Ok(!wanted) },
        ];
        ways.retain(|way| way.condition != Expr::False);
        ways
    }

    fn order(&mut self, left: &Term, operator: Comparison, right: &Term) -> Ways<bool> {
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
        let open = |holds| Way { condition: Expr::True, result: Ok(holds) };
        self.on_integers(left, right, &[open(true), open(false)], || {
            vec![
                Way { condition: holds.clone(), result: Ok(true) },
                Way { condition: holds.clone().not(), result: Ok(false) },
            ]
        })
    }

    /// What an operation on integers comes to: as `open` says if an operand is abstract, wrong if one is of another kind,
    /// else as `known` says.
    fn on_integers<T: Clone>(
        &self,
        left: &Term,
        right: &Term,
        open: &[Way<T>],
        known: impl FnOnce() -> Ways<T>,
    ) -> Ways<T> {
        let is_open = Expr::or([self.is_abstract(left), self.is_abstract(right)]);
        let integers = Expr::and([self.is_integer(left), self.is_integer(right)]);
        let under = |condition: Expr, ways: Ways<T>| {
            ways.into_iter().map(move |way| Way {
                condition: Expr::and([condition.clone(), way.condition]),
                result: way.result,
            })
        };
        let wrong = Expr::and([is_open.clone().not(), integers.clone().not()]);
        let right_kind = Expr::and([is_open.clone().not(), integers]);
        let mut ways: Ways<T> = under(is_open, open.to_vec()).collect();
        ways.push(Way { condition: wrong, result: Err(Wrong::RunError) });
        ways.extend(under(right_kind, known()));
        ways.retain(|way| way.condition != Expr::False);
        ways
    }

    /// Whether a term that is not abstract is an integer.
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
        asked: &mut Asked<'_>,
        first: ExpressionId,
        rest: &[(Arithmetic, ExpressionId)],
    ) -> Ways<Term> {
        let mut ways = self.value_ways(asked, first);
        for &(operator, operand) in rest {
            ways = then(ways, |left| {
                let ways = self.value_ways(asked, operand);
                then(ways, |right| self.apply(asked, operator, &left, &right))
            });
        }
        ways
    }

    fn apply(
        &mut self,
        asked: &mut Asked<'_>,
        operator: Arithmetic,
        left: &Term,
        right: &Term,
    ) -> Ways<Term> {
        let new = asked.strand.new_abstract();
        let open = Way { condition: Expr::True, result: Ok(new) };
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
            return vec![Way { condition: Expr::True, result }];
        }
        let (a, b) = (self.expr(left), self.expr(right));
        let result = Term::Result(operator, Box::new(left.clone()), Box::new(right.clone()));
        self.on_integers(left, right, &[open], || {
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
            let mut ways: Ways<Term> =
                bad.into_iter().map(|(condition, wrong)| Way { condition, result: Err(wrong) }).collect();
            ways.push(Way { condition: fine, result: Ok(result) });
            ways
        })
    }

    fn extreme(
        &mut self,
        asked: &mut Asked<'_>,
        left: ExpressionId,
        right: ExpressionId,
        smaller: bool,
    ) -> Ways<Evaluated> {
        let ways = self.value_ways(asked, left);
        then(ways, |left| {
            let ways = self.value_ways(asked, right);
            then(ways, |right| {
                let new = asked.strand.new_abstract();
                let open = Way { condition: Expr::True, result: Ok(Evaluated::Value(new)) };
                let wins = if smaller { Comparison::LessOrEqual } else { Comparison::GreaterOrEqual };
                let order = self.order(&left, wins, &right);
                let mut known: Ways<Evaluated> = Vec::new();
                for way in order {
                    let pick =
                        |first: bool| Evaluated::Value(if first { left.clone() } else { right.clone() });
                    known.push(Way { condition: way.condition, result: way.result.map(pick) });
                }
                let is_open = Expr::or([self.is_abstract(&left), self.is_abstract(&right)]);
                if is_open == Expr::False {
                    return known;
                }
                let mut ways: Ways<Evaluated> = vec![Way { condition: is_open.clone(), ..open }];
                ways.extend(known.into_iter().map(|way| Way {
                    condition: Expr::and([is_open.clone().not(), way.condition]),
                    result: way.result,
                }));
                ways.retain(|way| way.condition != Expr::False);
                ways
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

impl Strand {
    pub(super) fn new_abstract(&mut self) -> Term {
        self.made += 1;
        Term::Abstract(self.made)
    }

    pub(super) fn new_fresh(&mut self) -> Term {
        self.made += 1;
        Term::Fresh(self.made)
    }
}
