//! Slicing: irrelevant values are removed from agent states and messages before they are interned.
//!
//! An irrelevant value ([`map_ir::Slicing`]) is replaced by a placeholder that no program can write. Whether a
//! variable is bound is preserved. Messages between which no receive of the part could choose are put into a normal
//! order.
//!
//! The sliced state is bisimilar to the whole one, with the same open comparisons. One rule needs care: a move that
//! leaves the scene unchanged is no step. So before an agent's steps are computed, every removed value gets a
//! distinct name ([`Slicer::mark`]); a value with the same name afterwards is the same value. If a move changes only
//! such values, slicing cannot decide whether it is a step, and the clause must not be sliced
//! ([`Slicer::doubtful_clauses`]).

use std::sync::Arc;

use map_ir::{AgentId, ClauseId, PartId, PerformativeId, Program, RoleId, Slicing, TextId, Value, Visible};
use map_semantics::{AgentState, Bounds, Control, Message, NodeKind};

use super::receives::Receives;

/// Removes irrelevant values from the states of one program.
pub(crate) struct Slicer<'a> {
    program: &'a Program,
    slicing: Slicing,
    receives: Receives<'a>,
    /// The first agent of each role.
    first_of_role: Vec<Option<AgentId>>,
}

impl<'a> Slicer<'a> {
    /// `pinned` are clauses that must not be sliced.
    pub(crate) fn new(program: &'a Program, bounds: &Bounds, pinned: &[ClauseId]) -> Self {
        Self::keeping(program, bounds, pinned, &Visible::default())
    }

    /// The same; what is `visible` is relevant in addition to what the program itself uses.
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

    /// Whether the content of a cell, given by its index in the agent's memory, matters.
    pub(crate) fn cell_matters(&self, agent: AgentId, index: usize) -> bool {
        self.slicing.cell_at(self.program.agent(agent).role, index)
    }

    /// The placeholder with this name for a removed value: a text that no program can write.
    fn nothing(&self, name: usize) -> Value {
        Value::Text(TextId::new(self.program.texts.len() + name))
    }

    /// Removes irrelevant values from an agent's state, except its mailbox.
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

    /// Removes irrelevant values from a control.
    pub(crate) fn take_out(&self, control: &mut Control) {
        let nothing = self.nothing(0);
        control.replace_dead(self.program, &self.slicing, || nothing);
    }

    /// Gives every removed value of a control a distinct name.
    pub(crate) fn mark(&self, control: &mut Control) {
        let mut names = 0;
        control.replace_dead(self.program, &self.slicing, || {
            names += 1;
            self.nothing(names)
        });
    }

    /// The clauses whose activations differ in removed values.
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

    /// Removes irrelevant values from a message.
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

    /// Whether the sender of messages of a performative is relevant.
    pub(crate) fn sender_matters(&self, performative: PerformativeId) -> bool {
        self.slicing.sender(performative)
    }

    /// Whether messages of a performative can differ in anything relevant other than the sender's role.
    pub(crate) fn message_matters(&self, performative: PerformativeId) -> bool {
        let mut places = 0..self.program.performative(performative).arity;
        self.sender_matters(performative) || places.any(|place| self.slicing.argument(performative, place))
    }

    /// Whether no receive of the part can ever choose between two messages of a performative that differ after
    /// slicing, so that the order in which they are sent is irrelevant.
    pub(crate) fn is_unordered(&self, part: PartId, performative: PerformativeId) -> bool {
        let arity = self.program.performative(performative).arity;
        let mut places = (0..arity).filter(|&place| self.slicing.argument(performative, place));
        self.receives.one_role_sends(performative)
            && !self.sender_matters(performative)
            && places.all(|place| self.receives.is_discriminating(part, performative, place))
    }

    /// The normal form of a mailbox, as an order of its messages; `None` if they are in this order.
    pub(crate) fn order(&self, agent: AgentId, messages: &[Arc<Message>]) -> Option<Vec<usize>> {
        self.receives.order(agent, messages)
    }
}
