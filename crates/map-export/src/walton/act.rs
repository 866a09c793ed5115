//! The steps of an agent from a place: up to one ask, send or receive, then silently to the next place.

use map_ir::{Body, Candidate, Edge, Goto, Operand, PointId, PointKind, Slot, Test};

use super::{ProcessWriter, WAITS, wrong_label};
use crate::process::uses;
use crate::promela::{Expr, Operator, Stmt};
use crate::refusal::{Reason, Refusal};
use crate::walk::Wrong;

/// The maximum number of program points visited for a process.
const MAX_STATEMENTS: usize = 20_000;
/// The maximum depth of statements within each other: an alternative stands within the one before it, and its lines are
/// indented more, so a chain of them takes a text that is quadratic in its length.
const MAX_DEPTH: usize = 1_000;
/// The maximum length of a chain of calls without an action.
const MAX_CHAIN: usize = 50;

/// The temporary for an argument of a call.
pub(super) fn aside(index: usize) -> String {
    format!("argument__{}", index + 1)
}

/// How an agent has reached the current point.
#[derive(Clone, Copy)]
struct Context {
    /// The `waitfor` that polls.
    polling: Option<PointId>,
    /// Whether the action of the step has been performed.
    silent: bool,
    /// Calls since the last place.
    calls: usize,
    /// Points visited on the way from where the process began.
    depth: usize,
}

impl ProcessWriter<'_> {
    /// Moves silently from a point to the first place.
    pub(super) fn begin(&mut self, point: PointId) -> Vec<Stmt> {
        self.go(Goto::Point(point), Context { polling: None, silent: true, calls: 0, depth: 0 })
    }

    /// The act of an agent that rests at an action.
    pub(super) fn act(&mut self, point: PointId) -> Vec<Stmt> {
        self.go(Goto::Point(point), Context { polling: None, silent: false, calls: 0, depth: 0 })
    }

    /// A single poll of a `waitfor`.
    pub(super) fn poll(&mut self, place: PointId, body: PointId) -> Vec<Stmt> {
        self.go(Goto::Point(body), Context { polling: Some(place), silent: false, calls: 0, depth: 0 })
    }

    fn go(&mut self, goto: Goto, cx: Context) -> Vec<Stmt> {
        let program = self.program;
        self.statements += 1;
        let cx = Context { depth: cx.depth + 1, ..cx };
        let point = match goto {
            Goto::Return(true) => return self.end(),
            Goto::Return(false) | Goto::SideEnd(_) => {
                return vec![Stmt::Goto(wrong_label(Wrong::Failure).to_owned())];
            }
            Goto::Point(point) => point,
        };
        if self.statements > MAX_STATEMENTS || cx.calls > MAX_CHAIN || cx.depth > MAX_DEPTH {
            self.refuse(Reason::TooManyWays, point);
            return Vec::new();
        }
        match &program.point(point).kind {
            PointKind::Skip { ok } => self.go(*ok, cx),
            PointKind::Fail { err } => self.fail(*err, point, cx),
            PointKind::Call { arguments, candidates, err, .. } => {
                let cx = Context { calls: cx.calls + 1, ..cx };
                self.call(point, arguments, candidates, *err, cx)
            }
            PointKind::Wait { .. } if cx.polling == Some(point) && !cx.silent => self.in_vain(point),
            PointKind::Ask { .. } | PointKind::Send { .. } | PointKind::Receive { .. } if !cx.silent => {
                self.action(point, cx)
            }
            PointKind::Par { .. } => unreachable!("refused before"),
            _ => {
                if !self.places.contains(&point) {
                    self.places.push(point);
                }
                let mut statements = Vec::new();
                if cx.polling.is_some() {
                    statements.push(Stmt::Assign(Expr::name("waited"), Expr::Number(0)));
                }
                statements.push(Stmt::Goto(self.label(point)));
                statements
            }
        }
    }

    fn action(&mut self, point: PointId, cx: Context) -> Vec<Stmt> {
        let program = self.program;
        let kind = &program.point(point).kind;
        let (span, source) = (program.point(point).span, self.naming.source);
        let mut statements = vec![Stmt::Comment(format!("{}: {}", source.line(span), source.snippet(span)))];
        statements.extend(match kind {
            PointKind::Ask { procedure, target, .. } => {
                let variable = target.bound().map(|slot| self.variable(point, slot));
                let definition = program.procedure(*procedure);
                self.ask(&definition.body, definition.may_refuse, variable.as_ref())
            }
            PointKind::Send { .. } => self.send(point),
            _ => self.receive(point),
        });
        let (ok, err) = (kind.ok().expect("actions go on"), kind.err().expect("actions may fail"));
        let fail = Expr::name("fail");
        let succeeded = self.go(ok, Context { silent: true, calls: 0, ..cx });
        if !uses(&statements, "fail") {
            statements.extend(succeeded);
            return statements;
        }
        let succeeded = [Stmt::Guard(Expr::name("else"))].into_iter().chain(succeeded).collect();
        let mut failed = vec![Stmt::Guard(fail.clone()), Stmt::Assign(fail, Expr::False)];
        failed.extend(self.fail(err, point, cx));
        statements.push(Stmt::If(vec![failed, succeeded]));
        statements
    }

    fn ask(&self, body: &Body, may_refuse: bool, variable: Option<&Expr>) -> Vec<Stmt> {
        let answer = |value: Expr| match variable {
            Some(variable) => vec![Stmt::Assign(variable.clone(), value)],
            None => vec![Stmt::Guard(Expr::name("skip"))],
        };
        let mut options = match body {
            // All answers are one to somebody who throws them away.
            Body::In(values) if variable.is_none() => {
                values.iter().take(1).map(|it| answer(self.layout.constant(*it))).collect()
            }
            Body::Abstract => vec![answer(Expr::name("abstract"))],
            Body::Fresh => vec![answer(Expr::name("fresh"))],
            Body::In(values) => values.iter().map(|it| answer(self.layout.constant(*it))).collect(),
            Body::Alternatives(_) => unreachable!("refused before"),
        };
        if may_refuse {
            options.push(vec![Stmt::Assign(Expr::name("fail"), Expr::True)]);
        }
        match options.len() {
            1 => options.swap_remove(0),
            _ => vec![Stmt::If(options)],
        }
    }

    /// Follows a failure edge, resetting the variables that it unbinds.
    fn fail(&mut self, err: Edge, point: PointId, cx: Context) -> Vec<Stmt> {
        let mut statements: Vec<Stmt> = self
            .program
            .slot_set(err.unbind)
            .iter()
            .map(|&slot| Stmt::Assign(self.variable(point, slot), Expr::Number(0)))
            .collect();
        statements.extend(self.go(err.to, cx));
        statements
    }

    /// A last call: sets the variables of the called clause and resets those of the caller.
    fn call(
        &mut self,
        point: PointId,
        arguments: &[Operand],
        candidates: &[Candidate],
        err: Edge,
        cx: Context,
    ) -> Vec<Stmt> {
        let program = self.program;
        let Some((candidate, rest)) = candidates.split_first() else { return self.fail(err, point, cx) };
        let head = &program.clause(candidate.clause).head;
        let values: Vec<Expr> = arguments.iter().map(|it| self.operand(point, *it)).collect();
        let matches = Expr::and(head.tests.iter().map(|test| match *test {
            Test::Operand(place, operand) if arguments[place as usize] == operand => Expr::True,
            Test::Operand(place, Operand::Constant(value))
                if matches!(arguments[place as usize], Operand::Constant(other) if other != value) =>
            {
                Expr::False
            }
            Test::Operand(place, Operand::Constant(value)) => {
                Expr::equal(values[place as usize].clone(), self.layout.constant(value))
            }
            Test::Operand(place, _) => Expr::equal(values[place as usize].clone(), Expr::name("self")),
            Test::Same(first, second) => {
                Expr::equal(values[first as usize].clone(), values[second as usize].clone())
            }
        }));
        let mut entered = Vec::new();
        if matches != Expr::False {
            let slots: Vec<(Slot, Expr)> =
                head.bindings.iter().map(|&(place, slot)| (slot, values[place as usize].clone())).collect();
            entered = self.enter(point, candidate.clause, &slots);
            entered.extend(self.go(Goto::Point(program.clause(candidate.clause).body), cx));
        }
        match matches {
            Expr::True => entered,
            Expr::False => self.call(point, arguments, rest, err, cx),
            condition => {
                entered.insert(0, Stmt::Guard(condition));
                let mut others = vec![Stmt::Guard(Expr::name("else"))];
                others.extend(self.call(point, arguments, rest, err, cx));
                vec![Stmt::If(vec![entered, others])]
            }
        }
    }

    fn enter(&mut self, point: PointId, to: map_ir::ClauseId, slots: &[(Slot, Expr)]) -> Vec<Stmt> {
        let program = self.program;
        let from = program.point(point).clause;
        let names: Vec<Expr> =
            slots.iter().map(|(slot, _)| Expr::name(self.naming.variable(to, *slot))).collect();
        // A parallel assignment: temporaries are needed if a value reads a variable assigned before.
        let needs_aside = slots.iter().enumerate().any(|(index, (_, value))| names[..index].contains(value));
        let mut statements = Vec::new();
        if needs_aside {
            self.asides = self.asides.max(slots.len());
            let asides = || (0..slots.len()).map(|it| Expr::Name(aside(it)));
            statements.extend(asides().zip(slots).map(|(to, (_, value))| Stmt::Assign(to, value.clone())));
            statements.extend(names.iter().cloned().zip(asides()).map(|(to, value)| Stmt::Assign(to, value)));
            statements.extend(asides().map(|it| Stmt::Assign(it, Expr::Number(0))));
        } else {
            let pairs = names.iter().zip(slots).filter(|(to, (_, value))| *to != value);
            statements.extend(pairs.map(|(to, (_, value))| Stmt::Assign(to.clone(), value.clone())));
        }
        let clause = program.clause(from);
        for index in 0..clause.variables.len() {
            let name = Expr::name(self.naming.variable(from, Slot::new(index)));
            if clause.own_name != Some(Slot::new(index)) && !names.contains(&name) {
                statements.push(Stmt::Assign(name, Expr::Number(0)));
            }
        }
        statements
    }

    /// Ends the agent and discards its mailbox.
    fn end(&self) -> Vec<Stmt> {
        let own = Expr::name("self");
        let channel = self.layout.channel(own.clone());
        let nonempty = Expr::binary(Operator::Greater, Expr::Len(Box::new(channel.clone())), Expr::Number(0));
        let all = vec![crate::promela::Field::Any; self.layout.arguments + 3];
        vec![
            Stmt::Assign(self.layout.of_agent(WAITS, own.clone()), Expr::Number(0)),
            Stmt::Assign(self.layout.of_agent("ended", own), Expr::True),
            Stmt::Do(vec![
                vec![Stmt::Guard(nonempty), Stmt::Take(channel, all)],
                vec![Stmt::Guard(Expr::name("else")), Stmt::Break],
            ]),
            Stmt::Goto(crate::body::ENDED.to_owned()),
        ]
    }

    pub(super) fn variable(&self, point: PointId, slot: Slot) -> Expr {
        let clause = self.program.point(point).clause;
        if self.program.clause(clause).own_name == Some(slot) {
            return Expr::name("self");
        }
        Expr::name(self.naming.variable(clause, slot))
    }

    pub(super) fn operand(&self, point: PointId, operand: Operand) -> Expr {
        match operand {
            Operand::Constant(value) => self.layout.constant(value),
            Operand::Own => Expr::name("self"),
            Operand::Expression(_) => unreachable!("refused before"),
            Operand::Variable(slot) => self.variable(point, slot),
        }
    }

    fn refuse(&mut self, reason: Reason, point: PointId) {
        let refusal = Refusal { span: Some(self.program.point(point).span), reason };
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }
}
