//! Automata-based model checking: is there a run of the scene that the automaton of the negated formula accepts?
//!
//! The product of graph and automaton is searched for a strongly connected component in which an accepting run can
//! stay: it has a move of every acceptance condition and, for every mover that must be treated fairly, a turn of the
//! mover or a state in which it is not enabled. A run that traverses the whole component for ever is accepting and
//! weakly fair; conversely, such a run eventually stays in such a component. (E. A. Emerson and C.-L. Lei,
//! "Modalities for model checking", 1987; J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM
//! 1999.)

use std::cell::Cell;

use map_graph::strong_components;
use map_ltl::Automaton;

use crate::budget::{Budget, Limit};
use crate::property::graph::{LabelId, LabelledGraph, LetterId, NOBODY, Packed, Transition};

/// A transition with the state it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) source: u32,
    pub(super) transition: Transition,
}

/// Bytes that the search may need for each pair of a state and an automaton state.
const BYTES_PER_NODE: usize = 32;

/// Number of moves between two checks of the budget.
const TICK: u32 = 1 << 16;

/// A node is a place and the state of the automaton after the moment that led there. A place is a state of the graph
/// or, from `graph.len()` on, a state in which the run has decided to stay: polling in vain for ever takes no step,
/// so a run cannot stay for a while and then go on.
pub(super) struct Product<'a> {
    graph: &'a LabelledGraph,
    automaton: &'a Automaton,
    /// For each state of the automaton whether it accepts every word.
    universal: Vec<bool>,
    /// Movers `0..fair_to` must be treated fairly.
    fair_to: usize,
    /// For each label the index in `starts` of its letter.
    letters: Vec<usize>,
    /// For each letter and automaton state the index in `moves` of the first move.
    starts: Vec<u32>,
    /// Successor states of the automaton, with the acceptance marks of the edge.
    moves: Vec<(u32, u128)>,
    pub(super) nodes: usize,
}

/// A move of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProductStep {
    pub(super) target: u32,
    pub(super) marks: u128,
    pub(super) transition: Transition,
    /// The mover whose turn it is, or [`NOBODY`].
    turn: u32,
}

/// The strongly connected components of the product.
pub(super) struct Components {
    of: Vec<u32>,
    /// Those in which an accepting fair run can stay, ascending.
    accepting: Vec<u32>,
}

impl Components {
    pub(super) fn accepting_of(&self, node: u32) -> Option<u32> {
        let component = self.of[node as usize];
        self.accepting.binary_search(&component).ok().map(|_| component)
    }

    pub(super) fn is_in(&self, node: u32, component: u32) -> bool {
        self.of[node as usize] == component
    }
}

/// What a run that stays in a component still has to do in each round.
pub(super) struct Owed {
    pub(super) marks: u128,
    pub(super) movers: Vec<u32>,
}

impl Owed {
    pub(super) fn is_empty(&self) -> bool {
        self.marks == 0 && self.movers.is_empty()
    }

    /// Removes what a step fulfils.
    pub(super) fn fulfil(&mut self, product: &Product<'_>, step: ProductStep) {
        self.marks &= !step.marks;
        self.movers.retain(|&agent| !product.is_fair_to(agent, step));
    }

    /// Whether a step fulfils something that is owed.
    pub(super) fn is_fulfilled_by(&self, product: &Product<'_>, step: ProductStep) -> bool {
        self.marks & step.marks != 0 || self.movers.iter().any(|&mover| product.is_fair_to(mover, step))
    }
}

impl<'a> Product<'a> {
    /// # Errors
    /// [`Limit::Memory`] if it does not fit.
    pub(super) fn new(
        graph: &'a LabelledGraph,
        automaton: &'a Automaton,
        fair_to: usize,
        budget: &Budget<'_>,
    ) -> Result<Self, Limit> {
        let nodes = (graph.len() + graph.restless().len()).saturating_mul(automaton.len());
        budget.afford(nodes.saturating_mul(BYTES_PER_NODE))?;
        if nodes >= u32::MAX as usize - 1 {
            return Err(Limit::Memory);
        }
        let (mut starts, mut moves) = (vec![0], Vec::new());
        for letter in 0..graph.letter_count() as LetterId {
            let moment = automaton.moment(|proposition| graph.holds(letter, proposition as usize));
            for state in 0..automaton.len() as u32 {
                let open = automaton.edges(state).iter().filter(|edge| edge.guard.holds_at(moment));
                moves.extend(open.map(|edge| (edge.target, edge.marks)));
                starts.push(u32::try_from(moves.len()).map_err(|_| Limit::Memory)?);
            }
            budget.afford(moves.len() * size_of::<(u32, u128)>())?;
        }
        let universal = (0..automaton.len() as u32).map(|state| automaton.is_universal(state)).collect();
        let letters = graph.labels().map(|(_, letter)| letter as usize * automaton.len()).collect();
        Ok(Self { graph, automaton, universal, fair_to, letters, starts, moves, nodes })
    }

    fn node(&self, place: u32, reading: u32) -> u32 {
        place * self.automaton.len() as u32 + reading
    }

    /// The place and the state of the automaton.
    fn split(&self, node: u32) -> (u32, u32) {
        let readings = self.automaton.len() as u32;
        let place = node / readings;
        (place, node - place * readings)
    }

    /// The state of the automaton.
    pub(super) fn reading(&self, node: u32) -> u32 {
        self.split(node).1
    }

    /// Number of acceptance conditions.
    pub(super) fn conditions(&self) -> u32 {
        self.automaton.conditions()
    }

    /// Whether the run has decided to stay where it could go on.
    pub(super) fn has_stayed(&self, node: u32) -> bool {
        self.split(node).0 as usize >= self.graph.len()
    }

    pub(super) fn state(&self, node: u32) -> u32 {
        let (place, _) = self.split(node);
        match place.checked_sub(self.graph.len() as u32) {
            Some(index) => self.graph.restless()[index as usize].0,
            None => place,
        }
    }

    /// The transitions of a place; only the self-loop if the run has decided to stay.
    #[inline]
    fn transitions(&self, place: u32) -> &[Packed] {
        match place.checked_sub(self.graph.len() as u32) {
            Some(index) => {
                let (state, stay) = self.graph.restless()[index as usize];
                std::slice::from_ref(&self.graph.packed(state)[stay as usize])
            }
            None => self.graph.packed(place),
        }
    }

    /// The target place of a transition.
    #[inline]
    fn after(&self, place: u32, transition: Packed) -> u32 {
        let states = self.graph.len() as u32;
        if place >= states {
            return place;
        }
        if transition.target == place
            && self.graph.unpack(transition).stays(place)
            && let Ok(index) = self.graph.restless().binary_search_by_key(&place, |&(state, _)| state)
        {
            return states + index as u32;
        }
        transition.target
    }

    /// The mover whose turn the `index`th transition of a place is; nobody's if it is a poll.
    fn turn(&self, place: u32, index: usize, transition: Transition) -> u32 {
        let polls = (place as usize) < self.graph.len() && self.graph.flags(place, index).poll;
        if polls { NOBODY } else { transition.mover }
    }

    /// The moves of the automaton on the letter of a label.
    pub(super) fn read(&self, label: LabelId, reading: u32) -> &[(u32, u128)] {
        let index = self.letters[label as usize] + reading as usize;
        &self.moves[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Whether every run from a node is accepted.
    pub(super) fn accepts_all(&self, node: u32) -> bool {
        self.universal[self.split(node).1 as usize]
    }

    /// The nodes after the first moment.
    pub(super) fn roots(&self) -> impl Iterator<Item = u32> {
        self.graph.initial_labels().flat_map(move |(state, label)| {
            self.read(label, 0).iter().map(move |&(reading, _)| self.node(state, reading))
        })
    }

    pub(super) fn steps(&self, node: u32) -> impl Iterator<Item = ProductStep> {
        let (place, reading) = self.split(node);
        self.transitions(place).iter().enumerate().flat_map(move |(index, &packed)| {
            let transition = self.graph.unpack(packed);
            let turn = self.turn(place, index, transition);
            let after = self.after(place, packed);
            self.read(packed.label, reading).iter().map(move |&(target, marks)| ProductStep {
                target: self.node(after, target),
                marks,
                transition,
                turn,
            })
        })
    }

    /// Whether some step of a node leads back to it.
    fn has_self_loop(&self, node: u32) -> bool {
        let (state, (place, reading)) = (self.state(node), self.split(node));
        self.transitions(place).iter().filter(|it| it.target == state).any(|&transition| {
            let mut targets = self.read(transition.label, reading).iter().map(|&(target, _)| target);
            self.after(place, transition) == place && targets.any(|target| target == reading)
        })
    }

    pub(super) fn move_of(&self, node: u32, step: ProductStep) -> Move {
        Move { source: self.state(node), transition: step.transition }
    }

    /// Whether a step is a turn of a mover, or leads to a state in which it is not enabled.
    fn is_fair_to(&self, mover: u32, step: ProductStep) -> bool {
        step.turn == mover || !self.graph.is_enabled(self.state(step.target), mover as usize)
    }

    /// Everything that a run has to do after arriving at a node.
    pub(super) fn owed_at(&self, node: u32) -> Owed {
        let state = self.state(node);
        let enabled = |mover: &u32| self.graph.is_enabled(state, *mover as usize);
        Owed { marks: self.automaton.all_marks(), movers: (0..self.fair_to as u32).filter(enabled).collect() }
    }

    /// The components, if there is one in which an accepting fair run can stay.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn components(&self, budget: &mut Budget<'_>) -> Result<Option<Components>, Limit> {
        let stopped: Cell<Option<Limit>> = Cell::new(None);
        let mut until_tick = TICK;
        let mut next = |node: u32, cursor: &mut (u32, u32)| {
            until_tick -= 1;
            if until_tick == 0 {
                until_tick = TICK;
                stopped.set(stopped.get().or_else(&mut *budget.tick));
            }
            if stopped.get().is_some() {
                return None;
            }
            self.step_at(node, cursor)
        };
        let mut components_found = Components { of: vec![u32::MAX; self.nodes], accepting: Vec::new() };
        let mut number = 0;
        strong_components(self.nodes, self.roots(), &mut next, |members| {
            members.iter().for_each(|&member| components_found.of[member as usize] = number);
            if stopped.get().is_none() && self.accepts_within(members, &components_found, number) {
                components_found.accepting.push(number);
            }
            number += 1;
        });
        match stopped.get() {
            Some(limit) => Err(limit),
            None if components_found.accepting.is_empty() => Ok(None),
            None => Ok(Some(components_found)),
        }
    }

    /// The target of the step at a cursor (transition of the graph, move of the automaton), which is advanced. Nodes
    /// from which every run is accepted need no exploration.
    fn step_at(&self, node: u32, cursor: &mut (u32, u32)) -> Option<u32> {
        let (place, reading) = self.split(node);
        if self.universal[reading as usize] {
            return None;
        }
        let transitions = self.transitions(place);
        while let Some(&transition) = transitions.get(cursor.0 as usize) {
            if let Some(&(target, _)) = self.read(transition.label, reading).get(cursor.1 as usize) {
                cursor.1 += 1;
                return Some(self.node(self.after(place, transition), target));
            }
            *cursor = (cursor.0 + 1, 0);
        }
        None
    }

    fn accepts_within(&self, members: &[u32], components: &Components, number: u32) -> bool {
        let Some(&first) = members.first() else { return false };
        if self.accepts_all(first) {
            return true;
        }
        // Most components are single nodes without a self-loop.
        if members.len() == 1 && !self.has_self_loop(first) {
            return false;
        }
        let mut owed = self.owed_at(first);
        members.iter().any(|&member| {
            for step in self.steps(member).filter(|step| components.is_in(step.target, number)) {
                owed.fulfil(self, step);
            }
            owed.is_empty()
        })
    }
}
