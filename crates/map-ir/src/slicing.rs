//! Slicing: which values matter. A static analysis for engines that drop all others.
//!
//! A value matters if it may be compared, address a message, or decide the answer of a defined procedure. Variables,
//! places of messages and memory cells that only pass values on matter if their targets do: a least fixed point over
//! the flow of values. A variable that matters does so only where it is live, that is, where some path leads to such a
//! use.
//!
//! Two rules of the language compare more than the patterns show: runaway recursion compares the arguments of calls and
//! the variables of a `waitfor` that is re-entered. Clauses for which that can happen are *pinned*: all of their
//! variables matter everywhere.

mod liveness;
mod relevance;
mod silent;

use crate::{
    CellId, ChargedEvent, ClauseId, Cost, EventKind, PerformativeId, PointId, Price, Program, Properties,
    RoleId, Slot, StateQuantity, Whom,
};

/// What properties observe: it matters whatever the program does with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visible {
    /// Places of messages.
    pub arguments: Vec<(PerformativeId, usize)>,
    /// Performatives of messages whose sender is observed.
    pub senders: Vec<PerformativeId>,
    /// Cells of roles.
    pub cells: Vec<(RoleId, CellId)>,
}

impl Visible {
    /// What the atoms of properties observe: the arguments of a message for which they give a value or that they
    /// compare, its sender if they name one, and the cells that they compare.
    #[must_use]
    pub fn to(program: &Program, properties: &Properties) -> Self {
        let mut visible = Self::default();
        for event in &properties.events {
            let (EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _)) = &event.kind else {
                continue;
            };
            let values = pattern.arguments.iter().enumerate().filter(|(_, value)| value.is_some());
            visible.arguments.extend(values.map(|(place, _)| (pattern.performative, place)));
            if matches!(event.kind, EventKind::Receives(_, Some(_))) {
                visible.senders.push(pattern.performative);
            }
        }
        for argument in &properties.arguments {
            if let EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _) =
                &properties.events[argument.event].kind
            {
                visible.arguments.push((pattern.performative, argument.place));
            }
        }
        for quantity in &properties.quantities {
            if let StateQuantity::Cell(agent, cell) = *quantity {
                visible.cells.push((program.agent(agent).role, cell));
            }
        }
        let Self { arguments, senders, .. } = Self::to_costs(&properties.costs);
        visible.arguments.extend(arguments);
        visible.senders.extend(senders);
        visible
    }

    /// What costs observe: the prices in messages and the arguments that they compare, and the sender of a
    /// message whose price depends on it.
    #[must_use]
    pub fn to_costs(costs: &[Cost]) -> Self {
        let mut visible = Self::default();
        for charge in costs.iter().flat_map(|cost| &cost.charges) {
            let Some((pattern, other)) = charge.event.message() else { continue };
            let compared = pattern.arguments.iter().enumerate().filter(|(_, value)| value.is_some());
            let price = if let Price::Argument(place) = charge.price { Some(place) } else { None };
            let places = compared.map(|(place, _)| place).chain(price);
            visible.arguments.extend(places.map(|place| (pattern.performative, place)));
            if matches!((&charge.event, other), (ChargedEvent::Receives(..), Whom::These(_))) {
                visible.senders.push(pattern.performative);
            }
        }
        visible
    }
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Slicing {
    /// By clause: whether all variables matter everywhere.
    pinned: Vec<bool>,
    /// By clause and slot: whether the variable matters anywhere.
    variables: Vec<Vec<bool>>,
    /// By performative and place: whether it matters. The last place is the sender.
    places: Vec<Vec<bool>>,
    /// By role and index into its cells.
    cells: Vec<Vec<bool>>,
    /// By point: the variables that matter and are live before it, in order.
    live: Vec<Vec<Slot>>,
}

impl Slicing {
    /// Analyses a program. `first_arguments` says whether the first arguments of calls are compared with constants, as
    /// some bounds do. `pinned` are clauses to pin in addition to those found to need it; `visible` always matters.
    #[must_use]
    pub fn new(program: &Program, first_arguments: bool, pinned: &[ClauseId], visible: &Visible) -> Self {
        let mut all_pinned = silent::clauses_entered_again(program);
        for clause in pinned {
            all_pinned[clause.index()] = true;
        }
        let relevance::Relevance { variables, places, cells } =
            relevance::analyse(program, first_arguments, &all_pinned, visible);
        let mut slicing = Self { pinned: all_pinned, variables, places, cells, live: Vec::new() };
        slicing.live = liveness::analyse(program, first_arguments, &slicing);
        slicing
    }

    /// Whether all variables of the clause matter everywhere.
    #[must_use]
    pub fn is_pinned(&self, clause: ClauseId) -> bool {
        self.pinned[clause.index()]
    }

    /// Whether the variable matters anywhere.
    #[must_use]
    pub fn variable(&self, clause: ClauseId, slot: Slot) -> bool {
        self.variables[clause.index()][slot.index()]
    }

    /// Whether this argument of messages with this performative matters.
    #[must_use]
    pub fn argument(&self, performative: PerformativeId, place: usize) -> bool {
        self.places[performative.index()][place]
    }

    /// Whether it matters which agent of a role sent a message with this performative.
    #[must_use]
    pub fn sender(&self, performative: PerformativeId) -> bool {
        self.places[performative.index()].last().copied().unwrap_or(true)
    }

    /// Whether the content of a role's cell matters.
    #[must_use]
    pub fn cell(&self, program: &Program, role: RoleId, cell: CellId) -> bool {
        program.cell_of(role, cell).is_none_or(|index| self.cell_at(role, index))
    }

    /// Whether the content of the cell with this index in the role's memory matters.
    #[must_use]
    pub fn cell_at(&self, role: RoleId, index: usize) -> bool {
        self.cells[role.index()][index]
    }

    /// The variables that matter and are live before the point, in order.
    #[must_use]
    pub fn live(&self, point: PointId) -> &[Slot] {
        &self.live[point.index()]
    }
}
