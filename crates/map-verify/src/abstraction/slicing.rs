//! Slicing: what cannot matter is taken out of agent states and messages before they are interned.
//!
//! A value that does not matter ([`map_ir::Slicing`]) becomes one and the same value that no program can write. Whether
//! a variable is bound stays, so a state still differs from one in which it is not. Messages lie in the mailbox in an
//! order of their own as far as no receive of the part could take one for the other.
//!
//! What is left can do exactly what the whole state could do: the two are bisimilar, with the same open comparisons.
//! One rule needs care: a move that leaves the scene as it was is no step. So before an agent's steps are computed every
//! value that was taken out gets a name of its own ([`Slicer::mark`]); what comes back under its own name is the same
//! value. If a move changes nothing but such values, slicing cannot tell whether it is a step, and the clause has to be
//! kept whole ([`Slicer::doubtful_clauses`]).

use std::sync::Arc;

use map_ir::{
    AgentId, ClauseId, PartId, PerformativeId, Program, RoleId, Slicing, Slot, TextId, Value, Visible,
};
use map_semantics::{AgentState, Bounds, Control, Message, NodeKind};

use super::receives::Receives;

/// Takes out of the states of one program what cannot matter.
pub(crate) struct Slicer<'a> {
    program: &'a Program,
    slicing: Slicing,
    receives: Receives<'a>,
    /// The first agent of each role.
    first_of_role: Vec<Option<AgentId>>,
}

impl<'a> Slicer<'a> {
    /// `pinned` are clauses that must be kept whole.
    pub(crate) fn new(program: &'a Program, bounds: &Bounds, pinned: &[ClauseId]) -> Self {
        Self::keeping(program, bounds, pinned, &Visible::default())
    }

    /// The same; what is `visible` matters beside what the program looks at.
    pub(crate) fn keeping(
        program: &'a Program,
        bounds: &Bounds,
        pinned: &[ClauseId],
        visible: &Visible,
    ) -> Self {
        let first = |role| program.cast().find(|&agent| program.agent(agent).role == RoleId::new(role));
        Self {
            program,
            slicing: Slicing::new(program, !bounds.rounds_of.is_empty(), pinned, visible),
            receives: Receives::new(program),
            first_of_role: (0..program.roles.len()).map(first).collect(),
        }
    }

    /// What stands for every value that was taken out: text that no program can write.
    fn nothing(&self, name: usize) -> Value {
        Value::Text(TextId::new(self.program.texts.len() + name))
    }

    /// Takes out of an agent's state, but for its mailbox, what cannot matter.
    pub(crate) fn state(&self, agent: AgentId, state: &mut AgentState) {
        self.take_out(&mut state.control);
        let nothing = self.nothing(0);
        let role = self.program.agent(agent).role;
        for (index, cell) in state.memory.iter_mut().enumerate() {
            if !self.slicing.cell_at(role, index) {
                *cell = nothing;
            }
        }
    }

    /// Takes out of a control what cannot matter.
    pub(crate) fn take_out(&self, control: &mut Control) {
        let nothing = self.nothing(0);
        self.replace(control, || nothing);
    }

    /// Gives every value that was taken out of a control a name of its own.
    pub(crate) fn mark(&self, control: &mut Control) {
        let mut names = 0;
        self.replace(control, || {
            names += 1;
            self.nothing(names)
        });
    }

    /// The clauses whose activations differ in values that were taken out.
    pub(crate) fn doubtful_clauses(&self, before: &Control, after: &Control) -> Vec<ClauseId> {
        let pairs = before.nodes.iter().zip(&after.nodes);
        let differing = pairs.filter(|(before, after)| before.kind != after.kind);
        differing
            .filter_map(|(node, _)| match node.kind {
                NodeKind::Activation { clause, .. } => Some(clause),
                _ => None,
            })
            .filter(|&clause| !self.slicing.is_pinned(clause))
            .collect()
    }

    /// Replaces every value of a variable that does not matter where the control is.
    fn replace(&self, control: &mut Control, mut by: impl FnMut() -> Value) {
        let live = self.live_variables(control);
        for (node, live) in control.nodes.iter_mut().zip(&live) {
            let NodeKind::Activation { clause, variables, .. } = &mut node.kind else { continue };
            if self.slicing.is_pinned(*clause) {
                continue;
            }
            for (index, variable) in variables.iter_mut().enumerate() {
                if variable.is_some() && !live.contains(&Slot::new(index)) {
                    *variable = Some(by());
                }
            }
        }
    }

    /// For every node that is an activation the variables that matter and are live.
    fn live_variables(&self, control: &Control) -> Vec<Vec<Slot>> {
        let mut live = vec![Vec::new(); control.nodes.len()];
        for node in &control.nodes {
            let mut owner = node.below;
            while let Some(below) = owner.map(|below| &control.nodes[below as usize])
                && !matches!(below.kind, NodeKind::Activation { .. })
            {
                owner = below.below;
            }
            let Some(owner) = owner else { continue };
            let live = &mut live[owner as usize];
            match node.kind {
                NodeKind::Thread(point) => live.extend(self.slicing.live(point)),
                NodeKind::Activation { call: Some(point), .. } | NodeKind::Fork { point, .. } => {
                    live.extend(self.slicing.live_after(self.program, point));
                }
                NodeKind::Activation { call: None, .. } | NodeKind::SideOf(_) => {}
            }
        }
        live
    }

    /// Takes out of a message what cannot matter.
    pub(crate) fn message(&self, message: &mut Message) {
        let performative = message.performative;
        for (place, argument) in message.arguments.iter_mut().enumerate() {
            if !self.slicing.argument(performative, place) {
                *argument = self.nothing(0);
            }
        }
        if !self.slicing.sender(performative) {
            let role = self.program.agent(message.sender).role;
            message.sender = self.first_of_role[role.index()].unwrap_or(message.sender);
        }
    }

    /// Whether it matters who sent messages of a performative.
    pub(crate) fn sender_matters(&self, performative: PerformativeId) -> bool {
        self.slicing.sender(performative)
    }

    /// Whether messages of a performative can differ in anything that matters but the sender's role.
    pub(crate) fn message_matters(&self, performative: PerformativeId) -> bool {
        let mut places = 0..self.program.performative(performative).arity;
        self.sender_matters(performative) || places.any(|place| self.slicing.argument(performative, place))
    }

    /// Whether no receive of the part can ever choose between two messages of a performative that differ, once sliced: so it
    /// makes no difference in which order they were sent.
    pub(crate) fn is_unordered(&self, part: PartId, performative: PerformativeId) -> bool {
        let arity = self.program.performative(performative).arity;
        let mut places = (0..arity).filter(|&place| self.slicing.argument(performative, place));
        self.receives.one_role_sends(performative)
            && !self.sender_matters(performative)
            && places.all(|place| self.receives.are_told_apart(part, performative, place))
    }

    /// The normal form of a mailbox, as an order of its messages; `None` if they have it.
    pub(crate) fn order(&self, agent: AgentId, messages: &[Arc<Message>]) -> Option<Vec<usize>> {
        self.receives.order(agent, messages)
    }
}
