//! Sends and receives.

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Recipient as Address, RoleId, Test, Value};

use super::{Act, Strand, Tree, Walker};
use crate::control::HolderId;
use crate::kinds::{Kinds, players};
use crate::layout::Column;
use crate::promela::{Expr, Field, Operator};
use crate::term::Term;

/// Whom a send reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recipient {
    /// That agent.
    Agent(AgentId),
    /// That agent, unless it is the sender.
    Other(AgentId),
    /// The agent that the term names.
    Named(Term),
}

/// A receive: which message it takes, and what it keeps of it.
#[derive(Clone, Debug)]
pub(crate) struct Taking {
    pub(crate) point: PointId,
    pub(crate) performative: PerformativeId,
    pub(crate) tests: Vec<Demand>,
    pub(crate) stores: Vec<(Column, HolderId)>,
}

/// What a receive demands of a column.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    pub(crate) column: Column,
    /// The value that is wanted; `None` for a comparison that the sender made.
    pub(crate) value: Option<Expr>,
    /// Whether the wanted value is abstract.
    pub(crate) value_is_abstract: Expr,
    /// Whether the column may hold an abstract value.
    pub(crate) column_may_be_abstract: bool,
}

impl Demand {
    pub(crate) fn is_open(&self) -> bool {
        self.value_is_abstract != Expr::False || self.column_may_be_abstract
    }
}

impl Taking {
    /// Whether comparisons with abstract values may come out either way.
    pub(crate) fn is_open(&self) -> bool {
        self.tests.iter().any(Demand::is_open)
    }
}

/// One way for a message to match: conditions on what is held, and what columns of the message must be.
type Way = (Vec<Expr>, Vec<(Column, Field)>);

impl Walker<'_> {
    pub(super) fn receive(&mut self, mut strand: Strand, point: PointId) -> Tree {
        let program = self.program;
        let PointKind::Receive { performative, pattern, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a receive")
        };
        let Some(tests) = self.demands(&strand, *performative, &pattern.tests) else {
            let goto = strand.fail(program, *err);
            return self.run(strand, goto);
        };
        let mut taking = Taking { point, performative: *performative, tests, stores: Vec::new() };
        let (must, may) = (self.must_poll(&taking), self.may_poll(&taking));
        let options = vec![(may, strand.clone()), (must.not(), strand)];
        let open = taking.is_open();
        self.split(!open, options, |walker, index, mut strand| {
            if index == 1 {
                let goto = strand.fail(program, *err);
                return walker.run(strand, goto);
            }
            if strand.exceeded {
                return walker.cut();
            }
            strand.acted(point);
            for &(place, slot) in &pattern.bindings {
                let column = walker.layout.column(program, *performative, place as usize);
                let holder = walker.direct(&mut strand, slot);
                strand.variables()[slot.index()] = Some(Term::Content(holder));
                taking.stores.push((column, holder));
            }
            walker.keep_watched(&mut strand, &mut taking);
            let tree = walker.run(strand, *ok);
            Tree::Act(Box::new(Act::Receive(taking.clone())), Box::new(tree))
        })
    }

    /// What the tests of a pattern demand; `None` if no message can ever pass them.
    fn demands(
        &mut self,
        strand: &Strand,
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
                    let term = self.term(strand, operand);
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

    /// Whether some message is certain to match.
    fn must_poll(&self, taking: &Taking) -> Expr {
        let fields = self.fields(taking.performative, |column| {
            let wanted = taking.tests.iter().filter(|it| it.column == column);
            let mut wanted = wanted.map(|it| it.value.clone().unwrap_or(Expr::Number(1)));
            wanted.next().map_or(Field::Any, Field::Is)
        });
        let own = self.layout.channel(Expr::name("self"));
        // A value that is abstract for sure equals nothing for sure, unless symbols are told apart.
        let hopeless =
            !self.layout.symbols && taking.tests.iter().any(|it| it.value_is_abstract == Expr::True);
        if hopeless { Expr::False } else { Expr::Poll(Box::new(own), fields) }
    }

    /// Whether some message may match: for every open test there are several ways to pass it.
    fn may_poll(&self, taking: &Taking) -> Expr {
        let mut ways: Vec<Way> = vec![Way::default()];
        for test in &taking.tests {
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
            let fields = self.fields(taking.performative, |column| {
                let field = demanded.iter().find(|(its, _)| *its == column);
                field.map_or(Field::Any, |(_, field)| field.clone())
            });
            Expr::and(conditions.into_iter().chain([Expr::Poll(Box::new(own.clone()), fields)]))
        }))
    }

    /// All columns of a message of a performative.
    pub(crate) fn fields(&self, performative: PerformativeId, of: impl FnMut(Column) -> Field) -> Vec<Field> {
        let name = self.layout.performatives[performative.index()].clone();
        [Field::Constant(name)].into_iter().chain(self.layout.columns().into_iter().map(of)).collect()
    }

    pub(super) fn send(&mut self, strand: Strand, point: PointId) -> Tree {
        let program = self.program;
        let PointKind::Send { performative, arguments, agent, role, ok, err } = &program.point(point).kind
        else {
            unreachable!("the point is a send")
        };
        let arguments = self.terms(&strand, arguments);
        let address = |walker: &Self, it: &Address| match it {
            Address::Any => None,
            Address::Is(operand) => Some(walker.term(&strand, *operand)),
        };
        let (agent, role) = (address(self, agent), address(self, role));
        let (reached, nobody, open) = self.recipients(agent.as_ref(), role.as_ref());
        let mut options: Vec<(Expr, Strand)> =
            reached.iter().map(|(condition, _)| (condition.clone(), strand.clone())).collect();
        options.push((nobody, strand));
        self.split(!open, options, |walker, index, mut strand| {
            let Some((_, to)) = reached.get(index) else {
                let goto = strand.fail(program, *err);
                return walker.run(strand, goto);
            };
            if strand.exceeded {
                return walker.cut();
            }
            strand.acted(point);
            strand.overflow = Expr::or(to.iter().enumerate().map(|(index, it)| walker.overflows(it, index)));
            walker.most_recipients = walker.most_recipients.max(to.len());
            let tree = walker.run(strand, *ok);
            let act = Act::Send {
                point,
                performative: *performative,
                arguments: arguments.clone(),
                to: to.clone(),
            };
            Tree::Act(Box::new(act), Box::new(tree))
        })
    }

    /// The sets of agents that an address may mean with the condition under which it does, the condition under which it
    /// means none, and whether more than one of these may hold.
    fn recipients(
        &mut self,
        name: Option<&Term>,
        role: Option<&Term>,
    ) -> (Vec<(Expr, Vec<Recipient>)>, Expr, bool) {
        let open_name = name.map_or(Expr::False, |it| self.is_abstract(it));
        let open_role = role.map_or(Expr::False, |it| self.is_abstract(it));
        let roles: Vec<RoleId> = (0..self.program.roles.len()).map(RoleId::new).collect();
        let mut options: Vec<(Expr, Vec<Recipient>)> = Vec::new();
        // The role as it is known: every role that it may be.
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

    /// One agent that is not the sender.
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

    /// Those of the agents that a name which is not abstract means.
    fn named(&mut self, name: Option<&Term>, agents: &[AgentId]) -> Option<(Expr, Vec<Recipient>)> {
        let Some(name) = name else {
            let all: Vec<Recipient> = match self.agents.as_slice() {
                [only] => agents.iter().filter(|it| *it != only).map(|&it| Recipient::Agent(it)).collect(),
                own => agents
                    .iter()
                    .map(|it| if own.contains(it) { Recipient::Other(*it) } else { Recipient::Agent(*it) })
                    .collect(),
            };
            // Two or more agents of one part always have another one among them.
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

    /// A recipient, and whether it is another agent than the sender and has not ended.
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

    /// Whether a message to that agent finds its mailbox full.
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
