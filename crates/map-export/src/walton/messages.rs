//! Sends, which deliver one copy after the other, and receives, which rotate the mailbox.

use map_ir::{Operand, PointId, PointKind, Recipient, Test, Value};

use super::{ProcessWriter, WAITS, wrong_label};
use crate::promela::{Expr, Field, Operator, Stmt};
use crate::walk::Wrong;

/// The variable with the number of messages still to be examined.
pub(super) const LEFT: &str = "left__over";

/// The variable with the performative of the message being examined.
pub(super) const PERFORMATIVE: &str = "message";

/// The variable with a field of that message: the sender, its role, then the arguments.
pub(super) fn part(index: usize) -> String {
    match index {
        0 => "its__sender".to_owned(),
        1 => "its__role".to_owned(),
        _ => format!("its__{}", index - 1),
    }
}

impl ProcessWriter<'_> {
    /// Delivers a copy to every addressee; sets `fail` if there is none.
    pub(super) fn send(&mut self, point: PointId) -> Vec<Stmt> {
        let program = self.program;
        let PointKind::Send { performative, arguments, agent, role, .. } = &program.point(point).kind else {
            unreachable!("the point is a send")
        };
        let own = Expr::name("self");
        let mut copies = Vec::new();
        for to in program.cast() {
            let name = self.layout.constant(Value::Agent(to));
            let mut demands = vec![self.is(point, agent, Value::Agent(to))];
            demands.push(self.is(point, role, Value::Role(program.agent(to).role)));
            if program.part(self.part).agents.contains(&to) {
                demands.push(Expr::equal(own.clone(), name.clone()).not());
            }
            copies.push((Expr::and(demands), name));
        }
        copies.retain(|(addressed, _)| *addressed != Expr::False);
        let reached = match self.program.part(self.part).agents.as_slice() {
            // Each of two or more agents of one part has another one to address.
            [_, _, ..] if matches!(agent, Recipient::Any) && copies.len() > 1 => {
                let others = |it: &(Expr, Expr)| {
                    let of_self = Expr::equal(own.clone(), it.1.clone()).not();
                    if it.0 == of_self { Expr::True } else { it.0.clone() }
                };
                Expr::or(copies.iter().map(others))
            }
            _ => Expr::or(copies.iter().map(|(addressed, _)| addressed.clone())),
        };
        let mut statements = match reached.not() {
            Expr::False => Vec::new(),
            fails => vec![Stmt::Assign(Expr::name("fail"), fails)],
        };
        let here = |(addressed, to): &(Expr, Expr)| {
            Expr::and([addressed.clone(), self.layout.of_agent("ended", to.clone()).not()])
        };
        let full = |copy: &(Expr, Expr)| {
            let length = Expr::Len(Box::new(self.layout.channel(copy.1.clone())));
            let most = Expr::Number(i64::from(self.bounds.mailbox));
            Expr::and([here(copy), Expr::equal(length, most)])
        };
        let overflow = Expr::or(copies.iter().map(full));
        if overflow != Expr::False {
            statements.push(Stmt::If(vec![
                vec![Stmt::Guard(overflow), Stmt::Goto(wrong_label(Wrong::Overflow).to_owned())],
                vec![Stmt::Guard(Expr::name("else"))],
            ]));
        }
        let role = self.layout.constant(Value::Role(program.part(self.part).role));
        let mut message = vec![Expr::name(&self.layout.performatives[performative.index()]), own, role];
        message.extend(
            (0..self.layout.arguments)
                .map(|index| arguments.get(index).map_or(Expr::Number(0), |it| self.operand(point, *it))),
        );
        for copy in &copies {
            let channel = self.layout.channel(copy.1.clone());
            statements.push(Stmt::If(vec![
                vec![
                    Stmt::Guard(here(copy)),
                    Stmt::Send { channel, fields: message.clone(), sorted: false },
                    Stmt::Assign(self.layout.of_agent(WAITS, copy.1.clone()), Expr::Number(0)),
                ],
                vec![Stmt::Guard(Expr::name("else"))],
            ]));
        }
        statements
    }

    /// The condition that the name or role in an address is `wanted`.
    fn is(&self, point: PointId, address: &Recipient, wanted: Value) -> Expr {
        match address {
            Recipient::Any => Expr::True,
            Recipient::Is(Operand::Constant(value)) if *value == wanted => Expr::True,
            Recipient::Is(Operand::Constant(_)) => Expr::False,
            Recipient::Is(operand) => {
                Expr::equal(self.operand(point, *operand), self.layout.constant(wanted))
            }
        }
    }

    /// Removes the oldest message that matches; sets `fail` if there is none.
    pub(super) fn receive(&mut self, point: PointId) -> Vec<Stmt> {
        let program = self.program;
        let PointKind::Receive { performative, pattern, .. } = &program.point(point).kind else {
            unreachable!("the point is a receive")
        };
        let arity = program.performative(*performative).arity;
        // A pattern is over the arguments, then the sender's name, then its role.
        let held = |place: u32| {
            let place = place as usize;
            Expr::Name(part(if place < arity { place + 2 } else { place - arity }))
        };
        let (fail, left) = (Expr::name("fail"), Expr::name(LEFT));
        let name = Expr::name(&self.layout.performatives[performative.index()]);
        let mut demands = vec![fail.clone(), Expr::equal(Expr::name(PERFORMATIVE), name)];
        demands.extend(pattern.tests.iter().map(|test| match *test {
            Test::Operand(place, operand) => Expr::equal(held(place), self.operand(point, operand)),
            Test::Same(first, second) => Expr::equal(held(first), held(second)),
        }));
        let mut hit = vec![Stmt::Guard(Expr::and(demands)), Stmt::Assign(fail.clone(), Expr::False)];
        hit.extend(
            pattern
                .bindings
                .iter()
                .map(|&(place, slot)| Stmt::Assign(self.variable(point, slot), held(place))),
        );
        let parts = || (0..self.layout.arguments + 2).map(|it| Expr::Name(part(it)));
        let all = || [Expr::name(PERFORMATIVE)].into_iter().chain(parts());
        let own = self.layout.channel(Expr::name("self"));
        let put_back = Stmt::Send { channel: own.clone(), fields: all().collect(), sorted: false };
        let mut statements = vec![
            Stmt::Assign(fail, Expr::True),
            Stmt::Assign(left.clone(), Expr::Len(Box::new(own.clone()))),
            Stmt::Do(vec![
                vec![
                    Stmt::Guard(Expr::binary(Operator::Greater, left.clone(), Expr::Number(0))),
                    Stmt::Assign(left.clone(), Expr::binary(Operator::Subtract, left, Expr::Number(1))),
                    Stmt::Take(own, all().map(Field::Into).collect()),
                    Stmt::If(vec![hit, vec![Stmt::Guard(Expr::name("else")), put_back]]),
                ],
                vec![Stmt::Guard(Expr::name("else")), Stmt::Break],
            ]),
        ];
        statements.extend(all().map(|it| Stmt::Assign(it, Expr::Number(0))));
        statements
    }
}
