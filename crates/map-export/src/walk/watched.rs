//! The events of a step that claims mention.

use map_ir::{EventAtom, EventKind, MessagePattern, PointId, PointKind, ProcedureId, Value};

use super::{Act, Leaf, ReceiveSpec, Recipient, SymbolicThread, Walker};
use crate::kinds::Kinds;
use crate::layout::Column;
use crate::promela::{Expr, Operator};
use crate::term::Term;

impl<'a> Walker<'a> {
    /// The events that claims mention and that agents of this part may cause, each with its bit.
    fn watched(&self) -> impl Iterator<Item = (usize, &'a EventAtom)> + use<'a> {
        let agents = self.agents.clone();
        let claims = self.claims.into_iter();
        let all = claims.flat_map(|claims| {
            claims.events.iter().enumerate().map(|(bit, &index)| (bit, &claims.properties.events[index]))
        });
        all.filter(move |(_, event)| event.agent.is_none_or(|agent| agents.contains(&agent)))
    }

    /// Stores the columns of a received message that events refer to, unless the receive already knows them.
    pub(super) fn keep_watched(&mut self, thread: &mut SymbolicThread, spec: &mut ReceiveSpec) {
        for (_, event) in self.watched() {
            let EventKind::Receives(pattern, sender) = &event.kind else { continue };
            if pattern.performative != spec.performative {
                continue;
            }
            let arguments = pattern.arguments.iter().enumerate();
            let named = arguments.filter(|(_, wanted)| wanted.is_some()).map(|(place, _)| place);
            let sender = sender.map(|_| pattern.arguments.len());
            for place in named.chain(sender) {
                let column = self.layout.column(self.program, spec.performative, place);
                if self.taken_value(spec, column).is_none() {
                    let kinds = match column {
                        Column::Sender => Kinds::ATOM,
                        _ => self.flow.message(spec.performative, place),
                    };
                    spec.stores.push((column, self.scratch(thread, kinds)));
                }
            }
        }
    }

    /// The value of a column of the received message, if the receive stores or tests it.
    fn taken_value(&self, spec: &ReceiveSpec, column: Column) -> Option<Expr> {
        if let Some((_, holder)) = spec.stores.iter().find(|(its, _)| *its == column) {
            return Some(self.holder_expr(*holder));
        }
        let test = spec.tests.iter().find(|it| it.column == column && !it.is_open())?;
        test.value.clone()
    }

    /// The bits of the events of a step with this action and end, as an expression over the contents before its
    /// writes.
    pub(crate) fn events(&self, act: Option<&Act>, leaf: &Leaf, timeout: bool) -> Expr {
        let mut bits: Vec<Expr> = Vec::new();
        for (bit, event) in self.watched() {
            let who = event.agent.map_or(Expr::True, |agent| self.is_agent(&Term::Own, agent));
            let happens = Expr::and([who, self.happens(&event.kind, act, leaf, timeout)]);
            let bit = Expr::choose(happens, Expr::Number(1 << bit), Expr::Number(0));
            if bit != Expr::Number(0) {
                bits.push(bit);
            }
        }
        let sum = bits.into_iter().reduce(|left, right| Expr::binary(Operator::Add, left, right));
        sum.unwrap_or(Expr::Number(0))
    }

    fn happens(&self, kind: &EventKind, act: Option<&Act>, leaf: &Leaf, timeout: bool) -> Expr {
        let answers = |wanted| matches!(act, Some(Act::Ask { point, .. }) if self.asks(*point, wanted));
        let refuses = |wanted| leaf.refused.iter().any(|&point| self.asks(point, wanted));
        let known = |condition| if condition { Expr::True } else { Expr::False };
        match (kind, act) {
            (EventKind::Sends(pattern, to), Some(Act::Send { performative, arguments, to: reached, .. }))
                if pattern.performative == *performative =>
            {
                let reaches = match to {
                    None => Expr::True,
                    Some(to) => Expr::or(reached.iter().map(|it| self.means(it, *to))),
                };
                let fit = pattern.arguments.iter().zip(arguments).map(|(wanted, term)| match wanted {
                    None => Expr::True,
                    Some(value) => self.is_value(self.expr(term), self.kinds(term), *value),
                });
                Expr::and(fit.chain([reaches]))
            }
            (EventKind::Receives(pattern, from), Some(Act::Receive(spec)))
                if pattern.performative == spec.performative =>
            {
                self.fits(pattern, *from, spec)
            }
            (EventKind::Sends(..) | EventKind::Receives(..), _) => Expr::False,
            (EventKind::Asks(wanted), _) => known(answers(*wanted) || refuses(*wanted)),
            (EventKind::Answers(wanted, true), _) => known(answers(*wanted)),
            (EventKind::Answers(wanted, false), _) => known(refuses(*wanted)),
            (EventKind::TimesOut, _) => known(timeout),
        }
    }

    fn fits(&self, pattern: &MessagePattern, from: Option<map_ir::AgentId>, spec: &ReceiveSpec) -> Expr {
        let is = |place: usize, value: Value| {
            let column = self.layout.column(self.program, spec.performative, place);
            let kinds = match column {
                Column::Sender => Kinds::ATOM,
                _ => self.flow.message(spec.performative, place),
            };
            let held = self.taken_value(spec, column).expect("kept, or known from a test");
            self.is_value(held, kinds, value)
        };
        let arguments = pattern.arguments.iter().enumerate();
        let wanted = arguments.filter_map(|(place, wanted)| wanted.map(|value| is(place, value)));
        let sender = from.map(|agent| is(pattern.arguments.len(), Value::Agent(agent)));
        Expr::and(wanted.chain(sender))
    }

    fn asks(&self, point: PointId, wanted: ProcedureId) -> bool {
        matches!(self.program.point(point).kind, PointKind::Ask { procedure, .. } if procedure == wanted)
    }

    /// The condition that a recipient is this agent.
    fn means(&self, recipient: &Recipient, agent: map_ir::AgentId) -> Expr {
        match recipient {
            Recipient::Agent(it) if *it == agent => Expr::True,
            Recipient::Other(it) if *it == agent => self.is_agent(&Term::Own, agent).not(),
            Recipient::Agent(_) | Recipient::Other(_) => Expr::False,
            Recipient::Named(term) => self.is_agent(term, agent),
        }
    }

    fn is_agent(&self, term: &Term, agent: map_ir::AgentId) -> Expr {
        if *term == Term::Own && self.agents == [agent] {
            return Expr::True;
        }
        self.is_value(self.expr(term), self.kinds(term), Value::Agent(agent))
    }

    /// The condition that a value of these kinds is certainly this constant.
    fn is_value(&self, held: Expr, kinds: Kinds, value: Value) -> Expr {
        if kinds.has(Kinds::of(value)) { Expr::equal(held, self.layout.constant(value)) } else { Expr::False }
    }
}
