//! Sends and receives.

use map_ir::{
    AgentId, Operand, PerformativeId, PointId, PointKind, Recipient as Address, RoleId, Test, Value,
};

use super::{Act, Branches, SymbolicThread, Tree, Walker};
use crate::control::HolderId;
use crate::kinds::{Kinds, players};
use crate::layout::Column;
use crate::promela::{Expr, Field, Operator};
use crate::term::Term;

/// A recipient of a send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recipient {
    /// This agent.
    Agent(AgentId),
    /// This agent, unless it is the sender.
    Other(AgentId),
    /// The agent that the term names.
    Named(Term),
}

/// A receive: which messages match, and which of their columns are stored.
#[derive(Clone, Debug)]
pub(crate) struct ReceiveSpec {
    pub(crate) point: PointId,
    pub(crate) performative: PerformativeId,
    pub(crate) tests: Vec<Demand>,
    pub(crate) stores: Vec<(Column, HolderId)>,
}

/// The requirement of a receive on a column.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    pub(crate) column: Column,
    /// The required value; `None` if the column is a comparison made by the sender.
    pub(crate) value: Option<Expr>,
    /// The condition that the required value is abstract.
    pub(crate) value_is_abstract: Expr,
    /// Whether the column may hold an abstract value.
    pub(crate) column_may_be_abstract: bool,
}

impl Demand {
    pub(crate) fn is_open(&self) -> bool {
        self.value_is_abstract != Expr::False || self.column_may_be_abstract
    }
}

impl ReceiveSpec {
    /// Whether a comparison may involve abstract values and so come out either way.
    pub(crate) fn is_open(&self) -> bool {
        self.tests.iter().any(Demand::is_open)
    }
}

/// A way for a message to match: conditions on variables, and requirements on columns of the message.
type MatchCase = (Vec<Expr>, Vec<(Column, Field)>);

impl Walker<'_> {
    pub(super) fn receive(&mut self, mut thread: SymbolicThread, point: PointId) -> Tree {
        let program = self.program;
        let PointKind::Receive { performative, pattern, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a receive")
        };
        let Some(tests) = self.demands(&thread, *performative, &pattern.tests) else {
            let goto = thread.fail(program, *err);
            return self.run(thread, goto);
        };
        let mut spec = ReceiveSpec { point, performative: *performative, tests, stores: Vec::new() };
        let (must, may) = (self.must_poll(&spec), self.may_poll(&spec));
        let options = vec![(may, thread.clone()), (must.not(), thread)];
        let open = spec.is_open();
        self.split(Branches::compared(open), options, |walker, index, mut thread| {
            if index == 1 {
                let goto = thread.fail(program, *err);
                return walker.run(thread, goto);
            }
            if thread.exceeded {
                return walker.cut();
            }
            thread.acted(point);
            for &(place, slot) in &pattern.bindings {
                let column = walker.layout.column(program, *performative, place as usize);
                let holder = walker.direct(&mut thread, slot);
                thread.variables()[slot.index()] = Some(Term::Content(holder));
                spec.stores.push((column, holder));
            }
            walker.keep_watched(&mut thread, &mut spec);
            let tree = walker.run(thread, *ok);
            Tree::Act(Box::new(Act::Receive(spec.clone())), Box::new(tree))
        })
    }

    /// The requirements of the tests of a pattern; `None` if no message can ever pass them.
    fn demands(
        &mut self,
        thread: &SymbolicThread,
        performative: PerformativeId,
        tests: &[Test],
    ) -> Option<Vec<Demand>> {
        let arity = self.program.performative(performative).arity;
        let mut demands = Vec::new();
        for test in tests {
            match *test {
                Test::Same(first, second) => {
                    let pairs = self.layout.compared(performative);
                    let index = pairs.iter().position(|&it| it == (first, second));
                    let kinds = |place: u32| self.flow.message(performative, place as usize);
                    let (one, other) = (kinds(first), kinds(second));
                    let both = |kind: Kinds| one.has(kind) && other.has(kind);
                    self.needs_symbols |=
                        !self.layout.symbols && (both(Kinds::ABSTRACT) || both(Kinds::FRESH));
                    demands.push(Demand {
                        column: Column::Comparison(index.expect("all such pairs are in the layout")),
                        value: None,
                        value_is_abstract: Expr::False,
                        column_may_be_abstract: one.has(Kinds::ABSTRACT) || other.has(Kinds::ABSTRACT),
                    });
                }
                Test::Operand(place, operand) => {
                    let term = self.term(thread, operand);
                    if place as usize == arity + 1
                        && let Term::Constant(value) = term
                    {
                        let senders = self.flow.senders(performative);
                        let fits = |role: &RoleId| Value::Role(*role) == value;
                        if !senders.iter().any(fits) {
                            return None;
                        }
                        if senders.iter().all(fits) {
                            continue;
                        }
                    }
                    let (column, held) = (
                        self.layout.column(self.program, performative, place as usize),
                        self.flow.message(performative, place as usize),
                    );
                    let wanted = self.kinds(&term);
                    let both = |kind: Kinds| wanted.has(kind) && held.has(kind);
                    let symbols = both(Kinds::ABSTRACT) || both(Kinds::FRESH);
                    self.needs_symbols |= !self.layout.symbols && symbols;
                    let open = wanted.has(Kinds::ABSTRACT) || held.has(Kinds::ABSTRACT);
                    if !open && !symbols && !both(Kinds::INTEGER) && !both(Kinds::ATOM) {
                        return None;
                    }
                    demands.push(Demand {
                        column,
                        value: Some(self.expr(&term)),
                        value_is_abstract: self.is_abstract(&term),
                        column_may_be_abstract: held.has(Kinds::ABSTRACT),
                    });
                }
            }
        }
        Some(demands)
    }

    /// The condition that some message certainly matches.
    fn must_poll(&self, spec: &ReceiveSpec) -> Expr {
        let fields = self.fields(spec.performative, |column| {
            let wanted = spec.tests.iter().filter(|it| it.column == column);
            let mut wanted = wanted.map(|it| it.value.clone().unwrap_or(Expr::Number(1)));
            wanted.next().map_or(Field::Any, Field::Is)
        });
        let own = self.layout.channel(Expr::name("self"));
        // Unless symbols are distinguished, nothing certainly equals an abstract value.
        let hopeless = !self.layout.symbols && spec.tests.iter().any(|it| it.value_is_abstract == Expr::True);
        if hopeless { Expr::False } else { Expr::Poll(Box::new(own), fields) }
    }

    /// The condition that some message may match: a disjunction over the ways to pass each open test.
    fn may_poll(&self, spec: &ReceiveSpec) -> Expr {
        let mut ways: Vec<MatchCase> = vec![MatchCase::default()];
        for test in &spec.tests {
            let equal = Field::Is(test.value.clone().unwrap_or(Expr::Number(1)));
            let mut passes: Vec<(Expr, Option<(Column, Field)>)> =
                vec![(test.value_is_abstract.clone().not(), Some((test.column, equal)))];
            if test.column_may_be_abstract {
                let open = match (test.column, &test.value) {
                    (column, None) => (column, Field::Is(Expr::Number(2))),
                    (Column::Argument(index), _) if self.layout.symbols => {
                        (Column::IsAbstract(index), Field::Is(Expr::Number(1)))
                    }
                    (column, _) => (column, Field::Is(Expr::name("abstract"))),
                };
                passes.push((test.value_is_abstract.clone().not(), Some(open)));
            }
            if test.value_is_abstract != Expr::False {
                passes.push((test.value_is_abstract.clone(), None));
            }
            ways = ways
                .iter()
                .flat_map(|(conditions, fields)| {
                    passes.iter().filter(|(condition, _)| *condition != Expr::False).map(
                        |(condition, field)| {
                            let mut conditions = conditions.clone();
                            conditions.push(condition.clone());
                            let fields = fields.iter().cloned().chain(field.clone()).collect();
                            (conditions, fields)
                        },
                    )
                })
                .collect();
        }
        let own = self.layout.channel(Expr::name("self"));
        Expr::or(ways.into_iter().map(|(conditions, demanded)| {
            let fields = self.fields(spec.performative, |column| {
                let field = demanded.iter().find(|(its, _)| *its == column);
                field.map_or(Field::Any, |(_, field)| field.clone())
            });
            Expr::and(conditions.into_iter().chain([Expr::Poll(Box::new(own.clone()), fields)]))
        }))
    }

    /// The fields of a poll or receive of a performative; `of` gives the requirement on each column.
    pub(crate) fn fields(&self, performative: PerformativeId, of: impl FnMut(Column) -> Field) -> Vec<Field> {
        let name = self.layout.performatives[performative.index()].clone();
        [Field::Constant(name)].into_iter().chain(self.layout.columns().into_iter().map(of)).collect()
    }

    pub(super) fn send(&mut self, thread: SymbolicThread, point: PointId) -> Tree {
        let PointKind::Send { arguments, agent, role, .. } = &self.program.point(point).kind else {
            unreachable!("the point is a send")
        };
        let address = [agent, role].into_iter().filter_map(|it| match it {
            Address::Any => None,
            Address::Is(operand) => Some(*operand),
        });
        let operands: Vec<Operand> = arguments.iter().copied().chain(address).collect();
        self.with_operands(thread, point, &operands, |walker, thread, values| {
            walker.send_values(thread, point, values)
        })
    }

    /// Sends the message with these values: its arguments, then the terms of its address.
    fn send_values(&mut self, thread: SymbolicThread, point: PointId, mut arguments: Vec<Term>) -> Tree {
        let program = self.program;
        let PointKind::Send { performative, arguments: operands, agent, role, ok, err } =
            &program.point(point).kind
        else {
            unreachable!("the point is a send")
        };
        let mut address = arguments.split_off(operands.len()).into_iter();
        let mut term = |it: &Address| matches!(it, Address::Is(_)).then(|| address.next()).flatten();
        let (agent, role) = (term(agent), term(role));
        let (reached, nobody, open) = self.recipients(agent.as_ref(), role.as_ref());
        let mut options: Vec<(Expr, SymbolicThread)> =
            reached.iter().map(|(condition, _)| (condition.clone(), thread.clone())).collect();
        options.push((nobody, thread));
        self.split(Branches::compared(open), options, |walker, index, mut thread| {
            let Some((_, to)) = reached.get(index) else {
                let goto = thread.fail(program, *err);
                return walker.run(thread, goto);
            };
            if thread.exceeded {
                return walker.cut();
            }
            thread.acted(point);
            thread.overflow = Expr::or(to.iter().enumerate().map(|(index, it)| walker.overflows(it, index)));
            walker.most_recipients = walker.most_recipients.max(to.len());
            let tree = walker.run(thread, *ok);
            let act = Act::Send {
                point,
                performative: *performative,
                arguments: arguments.clone(),
                to: to.clone(),
            };
            Tree::Act(Box::new(act), Box::new(tree))
        })
    }

    /// The sets of agents that an address may refer to with their conditions, the condition that it refers to none,
    /// and whether several of these conditions may hold at once.
    fn recipients(
        &mut self,
        name: Option<&Term>,
        role: Option<&Term>,
    ) -> (Vec<(Expr, Vec<Recipient>)>, Expr, bool) {
        let open_name = name.map_or(Expr::False, |it| self.is_abstract(it));
        let open_role = role.map_or(Expr::False, |it| self.is_abstract(it));
        let roles: Vec<RoleId> = (0..self.program.roles.len()).map(RoleId::new).collect();
        let mut options: Vec<(Expr, Vec<Recipient>)> = Vec::new();
        // The possible roles if the role is not abstract.
        let known_role: Vec<(Expr, Vec<RoleId>)> = match role {
            None => vec![(Expr::True, roles.clone())],
            Some(term) => roles
                .iter()
                .map(|&it| (self.identical(term, &Term::Constant(Value::Role(it))), vec![it]))
                .collect(),
        };
        for (condition, roles) in &known_role {
            let closed = Expr::and([condition.clone(), open_role.clone().not()]);
            let agents: Vec<AgentId> = self.playing(roles);
            if let Some((its, to)) = self.named(name, &agents) {
                options.push((Expr::and([closed.clone(), open_name.clone().not(), its]), to));
            }
            for &agent in &agents {
                options.extend(
                    self.single(agent)
                        .map(|(its, to)| (Expr::and([closed.clone(), open_name.clone(), its]), to)),
                );
            }
        }
        for role in &roles {
            let agents = self.playing(&[*role]);
            if let Some((its, to)) = self.named(name, &agents) {
                options.push((Expr::and([open_role.clone(), open_name.clone().not(), its]), to));
            }
            for &agent in &agents {
                options.extend(
                    self.single(agent)
                        .map(|(its, to)| (Expr::and([open_role.clone(), open_name.clone(), its]), to)),
                );
            }
        }
        options.retain(|(condition, _)| *condition != Expr::False);
        let open = Expr::or([open_name, open_role]);
        let reached = Expr::or(options.iter().map(|(condition, _)| condition.clone()));
        let nobody = Expr::or([open.clone(), reached.not()]);
        (options, nobody, open != Expr::False)
    }

    fn playing(&self, roles: &[RoleId]) -> Vec<AgentId> {
        let mut agents: Vec<AgentId> = roles.iter().flat_map(|&role| players(self.program, role)).collect();
        agents.sort_unstable();
        agents
    }

    /// An agent as the only recipient, with the condition that it is not the sender; `None` if it always is.
    fn single(&self, agent: AgentId) -> Option<(Expr, Vec<Recipient>)> {
        match self.agents.as_slice() {
            [only] if *only == agent => None,
            agents if agents.contains(&agent) => {
                let other = Expr::equal(Expr::name("self"), self.expr(&Term::agent(agent))).not();
                Some((other, vec![Recipient::Agent(agent)]))
            }
            _ => Some((Expr::True, vec![Recipient::Agent(agent)])),
        }
    }

    /// The recipients out of `agents` if the name is not abstract, with the condition that there are any.
    fn named(&mut self, name: Option<&Term>, agents: &[AgentId]) -> Option<(Expr, Vec<Recipient>)> {
        let Some(name) = name else {
            let all: Vec<Recipient> = match self.agents.as_slice() {
                [only] => agents.iter().filter(|it| *it != only).map(|&it| Recipient::Agent(it)).collect(),
                own => agents
                    .iter()
                    .map(|it| if own.contains(it) { Recipient::Other(*it) } else { Recipient::Agent(*it) })
                    .collect(),
            };
            // With two or more agents in the sender's part there is always another one.
            return (!all.is_empty()).then_some((Expr::True, all));
        };
        if let Term::Constant(Value::Agent(agent)) = name {
            return agents.contains(agent).then(|| self.single(*agent)).flatten();
        }
        let mut means = Vec::new();
        for &agent in agents {
            if let Some((other, _)) = self.single(agent) {
                means.push(Expr::and([other, self.identical(name, &Term::agent(agent))]));
            }
        }
        match Expr::or(means) {
            Expr::False => None,
            condition => Some((condition, vec![Recipient::Named(name.clone())])),
        }
    }

    /// The agent of a recipient, and the condition that it is not the sender and has not ended.
    pub(crate) fn there(&self, recipient: &Recipient) -> (Expr, Expr) {
        let (agent, other) = match recipient {
            Recipient::Agent(agent) => (self.expr(&Term::agent(*agent)), Expr::True),
            Recipient::Other(agent) => {
                let agent = self.expr(&Term::agent(*agent));
                (agent.clone(), Expr::equal(Expr::name("self"), agent).not())
            }
            Recipient::Named(term) => (self.expr(term), Expr::True),
        };
        let ended = self.layout.of_agent("ended", agent.clone());
        (agent, Expr::and([other, ended.not()]))
    }

    /// The condition that the copy for a recipient finds its mailbox full.
    fn overflows(&self, recipient: &Recipient, index: usize) -> Expr {
        let (agent, there) = self.there(recipient);
        let full = Expr::binary(
            Operator::Equal,
            Expr::Len(Box::new(self.layout.channel(agent))),
            Expr::Number(i64::from(self.bounds.mailbox)),
        );
        Expr::and([there, self.arrives(index), full])
    }
}
