//! Receives that pick their message nondeterministically. If comparisons with abstract values are open, the
//! candidates are the oldest message that certainly matches and the older ones that may. On an unordered network
//! every matching message is a candidate.
//!
//! One pass rotates the mailbox to count the candidates; one of them is chosen; a second pass finds it.

use crate::layout::Column;
use crate::promela::{Expr, Field, Operator, Stmt, Variable};
use crate::walk::{ReceiveSpec, Walker};

const LEFT: &str = "left__over";
const FOUND: &str = "candidates__found";
const PICKED: &str = "picked__one";
const PERFORMATIVE: &str = "message__m";

/// The variable that holds a column of a message during a pass.
fn column_name(index: usize) -> String {
    format!("message__{index}")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Count,
    /// Stores what is kept of the picked message, and leaves it in the mailbox.
    Look,
    /// Stores what is kept of the picked message, and removes it.
    Take,
    /// Removes the picked message.
    Drop,
}

impl Walker<'_> {
    /// Whether a receive has to pick its message nondeterministically.
    pub(crate) fn picks(&self, spec: &ReceiveSpec) -> bool {
        spec.is_open() || self.bounds.network.unordered
    }

    /// Picks a candidate and stores what is kept of it. With `keep`, the message stays in the mailbox.
    pub(crate) fn pick(&self, spec: &ReceiveSpec, keep: bool) -> Vec<Stmt> {
        let (found, picked) = (Expr::name(FOUND), Expr::name(PICKED));
        let more = Expr::binary(Operator::Less, picked.clone(), found);
        let next = Expr::binary(Operator::Add, picked.clone(), Expr::Number(1));
        let mut statements = self.pass(spec, Pass::Count);
        statements.push(Stmt::Assign(picked.clone(), Expr::Number(1)));
        statements
            .push(Stmt::Do(vec![vec![Stmt::Guard(more), Stmt::Assign(picked, next)], vec![Stmt::Break]]));
        statements.extend(self.pass(spec, if keep { Pass::Look } else { Pass::Take }));
        statements
    }

    /// Removes the message that was picked.
    pub(crate) fn take_picked(&self, spec: &ReceiveSpec) -> Vec<Stmt> {
        self.pass(spec, Pass::Drop)
    }

    /// The variables that picking needs.
    pub(crate) fn pick_variables(&self) -> Vec<Variable> {
        let value = self.layout.value_type(self.program);
        let mut variables = [LEFT, FOUND, PICKED].map(|name| Variable::new("byte", name, "")).to_vec();
        variables.push(Variable::new("mtype", PERFORMATIVE, ""));
        let columns = (0..self.layout.columns().len()).map(column_name);
        variables.extend(columns.map(|name| Variable::new(value, name, "")));
        variables
    }

    /// Resets the variables, so that they do not distinguish states between steps.
    pub(crate) fn forget_pick(&self) -> Vec<Stmt> {
        let columns = (0..self.layout.columns().len()).map(column_name);
        [FOUND, PICKED, PERFORMATIVE]
            .into_iter()
            .map(str::to_owned)
            .chain(columns)
            .map(|name| Stmt::Assign(Expr::Name(name), Expr::Number(0)))
            .collect()
    }

    fn pass(&self, spec: &ReceiveSpec, pass: Pass) -> Vec<Stmt> {
        let own = self.layout.channel(Expr::name("self"));
        let (left, found, picked) = (Expr::name(LEFT), Expr::name(FOUND), Expr::name(PICKED));
        let columns = self.layout.columns();
        let variables: Vec<Expr> = (0..columns.len()).map(|it| Expr::Name(column_name(it))).collect();
        let all = [Expr::name(PERFORMATIVE)].into_iter().chain(variables.iter().cloned());
        let take = Stmt::Take(own.clone(), all.clone().map(Field::Into).collect());
        let put = Stmt::Send { channel: own.clone(), fields: all.collect(), sorted: false };
        let (must, may) = self.matches(spec, &columns, &variables);
        let one_more = |counter: &Expr| {
            Stmt::Assign(counter.clone(), Expr::binary(Operator::Add, counter.clone(), Expr::Number(1)))
        };
        let one_less =
            Stmt::Assign(left.clone(), Expr::binary(Operator::Subtract, left.clone(), Expr::Number(1)));
        let otherwise = || Stmt::Guard(Expr::name("else"));
        let mut body =
            vec![Stmt::Guard(Expr::binary(Operator::Greater, left.clone(), Expr::Number(0))), one_less, take];
        // Counting ends after the first certain match, which sets `picked` to 1.
        if pass == Pass::Count {
            let open = Expr::equal(picked.clone(), Expr::Number(0));
            let mut candidate = vec![Stmt::Guard(Expr::and([open, may])), one_more(&found)];
            if !self.bounds.network.unordered {
                candidate.push(Stmt::If(vec![
                    vec![Stmt::Guard(must), Stmt::Assign(picked, Expr::Number(1))],
                    vec![otherwise()],
                ]));
            }
            body.push(Stmt::If(vec![candidate, vec![otherwise()]]));
            body.push(put);
        } else {
            let this = Expr::equal(found.clone(), picked);
            let mut hit = vec![Stmt::Guard(this)];
            if pass != Pass::Drop {
                for (column, holder) in &spec.stores {
                    let index = columns.iter().position(|it| it == column).expect("it is a column");
                    hit.push(Stmt::Assign(self.holder_expr(*holder), variables[index].clone()));
                }
            }
            if pass == Pass::Look {
                hit.push(put.clone());
            }
            body.push(Stmt::If(vec![
                vec![Stmt::Guard(may), one_more(&found), Stmt::If(vec![hit, vec![otherwise(), put.clone()]])],
                vec![otherwise(), put],
            ]));
        }
        vec![
            Stmt::Assign(found, Expr::Number(0)),
            Stmt::Assign(left, Expr::Len(Box::new(own))),
            Stmt::Do(vec![body, vec![otherwise(), Stmt::Break]]),
        ]
    }

    /// The conditions under which the message in the variables certainly matches, and under which it may.
    fn matches(&self, spec: &ReceiveSpec, columns: &[Column], variables: &[Expr]) -> (Expr, Expr) {
        let variable = |column: Column| {
            let index = columns.iter().position(|&it| it == column);
            variables[index.expect("it is a column")].clone()
        };
        let name = Expr::name(&self.layout.performatives[spec.performative.index()]);
        let performative = Expr::equal(Expr::name(PERFORMATIVE), name);
        let (mut must, mut may) = (vec![performative.clone()], vec![performative]);
        for test in &spec.tests {
            let held = variable(test.column);
            let Some(value) = &test.value else {
                must.push(Expr::equal(held.clone(), Expr::Number(1)));
                may.push(Expr::equal(held, Expr::Number(0)).not());
                continue;
            };
            let equal = Expr::equal(held.clone(), value.clone());
            let held_is_abstract = match test.column {
                _ if !test.column_may_be_abstract => Expr::False,
                Column::Argument(index) if self.layout.symbols => {
                    Expr::equal(variable(Column::IsAbstract(index)), Expr::Number(1))
                }
                _ => Expr::equal(held, Expr::name("abstract")),
            };
            let hopeless = !self.layout.symbols && test.value_is_abstract == Expr::True;
            must.push(if hopeless { Expr::False } else { equal.clone() });
            may.push(Expr::or([equal, held_is_abstract, test.value_is_abstract.clone()]));
        }
        (Expr::and(must), Expr::and(may))
    }
}
