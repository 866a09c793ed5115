//! What an agent may do in a state: its alternatives, each an edge.

use std::collections::BTreeSet;

use map_ir::{ClauseId, Edge as Failure, Goto, Operand, PointId, PointKind, Recipient, Test, Value};

use super::{Builder, Evidence, contains, lines};
use crate::graph::EdgeKind;

/// The state of a walk over the alternatives of a node.
struct Walk {
    node: usize,
    component: ClauseId,
    /// The outermost `waitfor` at which the agent waits.
    wait: Option<PointId>,
    /// The operations that follow timeouts.
    timeouts: Vec<PointId>,
    seen: BTreeSet<PointId>,
    /// The actions of its alternatives, in order.
    actions: Vec<PointId>,
}

impl Builder<'_> {
    /// Draws what an agent may do in a state: the operation at `point`, and what is tried if that fails.
    pub(super) fn walk(&mut self, node: usize, component: ClauseId, point: PointId) {
        let mut walk = Walk {
            node,
            component,
            wait: None,
            timeouts: Vec::new(),
            seen: BTreeSet::new(),
            actions: Vec::new(),
        };
        let mut next = Some(point);
        while let Some(point) = next.take()
            && walk.seen.insert(point)
            && !self.is_too_large()
        {
            next = self.alternative(&mut walk, point);
        }
        self.graph.nodes[node].label = self.labels.state(point, walk.wait.is_some(), &walk.actions);
        for timeout in walk.timeouts {
            let late = self.resolve(component, Goto::Point(timeout), Some(timeout));
            self.edge(node, late, EdgeKind::Timeout, lines(["timeout"]), Evidence::Ran(timeout));
        }
    }

    /// Draws one operation of a state; returns the next one that is tried there.
    fn alternative(&mut self, walk: &mut Walk, point: PointId) -> Option<PointId> {
        let program = self.program;
        let operation = program.point(point);
        let clause = operation.clause;
        if !matches!(operation.kind, PointKind::Wait { .. }) {
            walk.actions.push(point);
        }
        match &operation.kind {
            PointKind::Wait { body, timeout } => {
                walk.timeouts.extend(timeout);
                walk.wait.get_or_insert(point);
                Some(*body)
            }
            PointKind::Receive { performative, pattern, ok, err } => {
                let label = self.labels.receive(clause, *performative, pattern);
                self.action(walk, EdgeKind::Receive, label, *ok, point);
                let name = &program.performative(*performative).name;
                self.otherwise(walk, point, *err, format!("no {name}"))
            }
            PointKind::Send { performative, arguments, agent, role, ok, err } => {
                let label = self.labels.send(clause, *performative, arguments, *agent, *role);
                self.action(walk, EdgeKind::Send, label, *ok, point);
                let is_variable =
                    matches!(agent, Recipient::Is(Operand::Variable(_) | Operand::Expression(_)));
                let is_open = is_variable && !self.is_a_sender(clause, *agent, *role);
                let is_caught = matches!(err.to, Goto::Point(_)) && !self.leads_back(*err, point);
                if self.may_find_nobody(*agent, *role) || is_open && is_caught {
                    self.otherwise(walk, point, *err, "nobody there".to_owned())
                } else {
                    None
                }
            }
            PointKind::Ask { procedure, arguments, target, ok, err } => {
                let definition = program.procedure(*procedure);
                let asked = self.labels.ask(clause, *procedure, arguments);
                let answered = match (definition.may_refuse, target.compared()) {
                    (true, None) => vec![asked, "yes".to_owned()],
                    (false, None) => vec![asked],
                    (_, Some(variable)) => {
                        vec![asked, format!("answers {}", self.labels.variable(clause, variable))]
                    }
                };
                self.action(walk, EdgeKind::Ask, answered, *ok, point);
                let refusal = match (definition.may_refuse, target.compared()) {
                    (true, None) => "no",
                    (true, Some(_)) => "no, or another answer",
                    (false, Some(_)) => "another answer",
                    (false, None) => return None,
                };
                self.otherwise(walk, point, *err, format!("{}: {refusal}", definition.name))
            }
            // A waitfor or an alternative that begins with something other than an action.
            _ => {
                let first = self.resolve(walk.component, Goto::Point(point), Some(point));
                if first != walk.node {
                    self.edge(walk.node, first, EdgeKind::Move, Vec::new(), Evidence::Reached);
                }
                None
            }
        }
    }

    fn action(&mut self, walk: &Walk, kind: EdgeKind, label: Vec<String>, ok: Goto, point: PointId) {
        let after = self.resolve(walk.component, ok, Some(point));
        self.edge(walk.node, after, kind, label, Evidence::Ran(point));
    }

    /// Handles the failure of an operation: returns the next alternative of the same state, or draws an edge to another
    /// one.
    fn otherwise(&mut self, walk: &Walk, point: PointId, err: Failure, why: String) -> Option<PointId> {
        let kind = &self.program.point(point).kind;
        if let Goto::Point(next) = err.to
            && !self.leads_back(err, point)
        {
            let is_receive = matches!(kind, PointKind::Receive { .. });
            let next_kind = &self.program.point(next).kind;
            let is_tried_too = match next_kind {
                PointKind::Receive { .. } | PointKind::Wait { .. } => is_receive || walk.wait.is_some(),
                PointKind::Ask { .. } | PointKind::Send { .. } => walk.wait.is_some(),
                _ => false,
            };
            if is_tried_too {
                return Some(next);
            }
        }
        let rests = matches!(err.to, Goto::Point(wait) if Some(wait) == walk.wait);
        // Back at its own waitfor the agent just goes on waiting, unless it had asked: then it asks again.
        if rests && !matches!(kind, PointKind::Ask { .. }) {
            return None;
        }
        let elsewhere = self.resolve(walk.component, err.to, Some(point));
        // An agent that is back where it was need not have taken a step.
        let evidence = if elsewhere == walk.node { Evidence::Reached } else { Evidence::Failed(point) };
        self.edge(walk.node, elsewhere, EdgeKind::Failure, vec![why], evidence);
        None
    }

    /// Whether a failure leads back to a `waitfor` that contains the operation.
    fn leads_back(&self, err: Failure, point: PointId) -> bool {
        let Goto::Point(to) = err.to else { return false };
        let wait = self.program.point(to);
        matches!(wait.kind, PointKind::Wait { .. }) && contains(wait.span, self.program.point(point).span)
    }

    /// Whether an address in a clause can only be that of an agent from which a message was received: its variable is
    /// bound nowhere but to senders, whose role is that of the address, if it has one.
    fn is_a_sender(&self, clause: ClauseId, agent: Recipient, role: Recipient) -> bool {
        let program = self.program;
        let Recipient::Is(Operand::Variable(variable)) = agent else { return false };
        let clause = program.clause(clause);
        let mut is_bound = false;
        for point in &program.points[clause.points.clone()] {
            match &point.kind {
                PointKind::Ask { target, .. } if target.bound() == Some(variable) => return false,
                PointKind::Receive { performative, pattern, .. } => {
                    let sender = program.performative(*performative).arity as u32;
                    let has_role = match role {
                        Recipient::Any => true,
                        Recipient::Is(role) => pattern.tests.contains(&Test::Operand(sender + 1, role)),
                    };
                    for (place, _) in pattern.bindings.iter().filter(|(_, slot)| *slot == variable) {
                        if *place != sender || !has_role {
                            return false;
                        }
                        is_bound = true;
                    }
                }
                _ => {}
            }
        }
        is_bound && clause.head.bindings.iter().all(|(_, slot)| *slot != variable)
    }

    /// Whether a send may have no recipients, judging from constants; a variable or expression is assumed to mean an
    /// agent.
    pub(super) fn may_find_nobody(&self, agent: Recipient, role: Recipient) -> bool {
        let program = self.program;
        let wanted_role = match role {
            Recipient::Is(Operand::Constant(Value::Role(role))) => Some(role),
            Recipient::Is(Operand::Constant(_)) => return true,
            _ => None,
        };
        let wanted = match agent {
            Recipient::Any => None,
            Recipient::Is(Operand::Constant(Value::Agent(agent))) => Some(agent),
            Recipient::Is(Operand::Variable(_) | Operand::Expression(_)) => return false,
            Recipient::Is(_) => return true,
        };
        let found = |own| {
            program.cast().any(|it| {
                it != own
                    && wanted.is_none_or(|wanted| wanted == it)
                    && wanted_role.is_none_or(|role| role == program.agent(it).role)
            })
        };
        !self.part.agents.iter().all(|&own| found(own))
    }
}
