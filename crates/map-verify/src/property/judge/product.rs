//! Temporal formulas by automata: is there a run of the scene that the automaton of the negated formula accepts?
//!
//! The product of graph and automaton is searched for a strongly connected component in which an accepting run can stay:
//! it has a move of every acceptance condition and, for every agent that has to be treated fairly, a turn of the agent or a
//! state in which the agent is not enabled. A run that goes round all of the component for ever is accepted and weakly
//! fair; a run that is both stays in such a component in the end. (Emerson and Lei, "Modalities for model checking",
//! 1987; Couvreur, "On-the-fly verification of linear temporal logic", FM 1999.)

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

/// How often the caller is asked whether to go on, in moves.
const TICK: u32 = 1 << 16;

/// A node is a place and the state of the automaton after the moment that led there. A place is a state of the graph, or,
/// from `graph.len()` on, one of those in which the run has decided to stay: asked in vain for ever, it makes no step, so
/// it cannot stay for a while and go on.
pub(super) struct Product<'a> {
    graph: &'a LabelledGraph,
    automaton: &'a Automaton,
    /// For each state of the automaton whether it accepts whatever comes.
    content: Vec<bool>,
    /// Agents `0..fair_to` have to be treated fairly.
    fair_to: usize,
    /// For each label where those of its letter start in `starts`.
    letters: Vec<usize>,
    /// For each letter and automaton state where its moves start in `moves`.
    starts: Vec<u32>,
    /// Automaton states that a letter leads to, and the marks on the way.
    moves: Vec<(u32, u128)>,
    pub(super) nodes: usize,
}

/// A move of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) target: u32,
    pub(super) marks: u128,
    pub(super) transition: Transition,
    /// Whose turn it is.
    turn: u32,
}

/// The components of the product.
pub(super) struct Components {
    of: Vec<u32>,
    /// Those in which accepting fair runs stay, ascending.
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

/// What a run that stays in a component has to meet again and again.
pub(super) struct Owed {
    pub(super) marks: u128,
    pub(super) agents: Vec<u32>,
}

impl Owed {
    pub(super) fn is_nothing(&self) -> bool {
        self.marks == 0 && self.agents.is_empty()
    }

    /// Notes a move.
    pub(super) fn meet(&mut self, product: &Product<'_>, step: Step) {
        self.marks &= !step.marks;
        self.agents.retain(|&agent| !product.is_fair_to(agent, step));
    }

    /// Whether a move meets something that is owed.
    pub(super) fn is_met_by(&self, product: &Product<'_>, step: Step) -> bool {
        self.marks & step.marks != 0 || self.agents.iter().any(|&agent| product.is_fair_to(agent, step))
    }
}

impl<'a> Product<'a> {
    /// # Errors
    /// If it would take more bytes than there are.
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
        let content = (0..automaton.len() as u32).map(|state| automaton.is_universal(state)).collect();
        let letters = graph.labels().map(|(_, letter)| letter as usize * automaton.len()).collect();
        Ok(Self { graph, automaton, content, fair_to, letters, starts, moves, nodes })
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

    fn state(&self, node: u32) -> u32 {
        let (place, _) = self.split(node);
        match place.checked_sub(self.graph.len() as u32) {
            Some(index) => self.graph.restless()[index as usize].0,
            None => place,
        }
    }

    /// The transitions out of a place. Those of a state in which the run has decided to stay are the one by which it does.
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

    /// The place that a transition out of one leads to.
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

    /// Whose turn the transition of this index out of a place is; nobody's if it is a poll.
    fn turn(&self, place: u32, index: usize, transition: Transition) -> u32 {
        let polls = (place as usize) < self.graph.len() && self.graph.nature(place, index).poll;
        if polls { NOBODY } else { transition.agent }
    }

    /// Where the automaton gets by the letter of a label.
    fn read(&self, label: LabelId, reading: u32) -> &[(u32, u128)] {
        let index = self.letters[label as usize] + reading as usize;
        &self.moves[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Whether every run that comes to a node is accepted.
    pub(super) fn is_content(&self, node: u32) -> bool {
        self.content[self.split(node).1 as usize]
    }

    /// The nodes after the first moment.
    pub(super) fn roots(&self) -> impl Iterator<Item = u32> {
        self.read(self.graph.initial_label(), 0).iter().map(|&(reading, _)| self.node(0, reading))
    }

    pub(super) fn steps(&self, node: u32) -> impl Iterator<Item = Step> {
        let (place, reading) = self.split(node);
        self.transitions(place).iter().enumerate().flat_map(move |(index, &packed)| {
            let transition = self.graph.unpack(packed);
            let turn = self.turn(place, index, transition);
            let after = self.after(place, packed);
            self.read(packed.label, reading).iter().map(move |&(target, marks)| Step {
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

    pub(super) fn move_of(&self, node: u32, step: Step) -> Move {
        Move { source: self.state(node), transition: step.transition }
    }

    /// Whether this step is an agent's turn, or it cannot say afterwards that it was kept waiting.
    fn is_fair_to(&self, agent: u32, step: Step) -> bool {
        step.turn == agent || !self.graph.is_enabled(self.state(step.target), agent as usize)
    }

    /// Everything that is owed to a run that has just come to a node.
    pub(super) fn owed_at(&self, node: u32) -> Owed {
        let state = self.state(node);
        let enabled = |agent: &u32| self.graph.is_enabled(state, *agent as usize);
        Owed { marks: self.automaton.all_marks(), agents: (0..self.fair_to as u32).filter(enabled).collect() }
    }

    /// The components, if there is one in which an accepting fair run can stay.
    ///
    /// # Errors
    /// If the caller says so.
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

    /// The target of the step at a cursor, which is moved on: a transition of the graph, a move of the automaton. Nothing
    /// has to be looked at where every run is accepted.
    fn step_at(&self, node: u32, cursor: &mut (u32, u32)) -> Option<u32> {
        let (place, reading) = self.split(node);
        if self.content[reading as usize] {
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
        if self.is_content(first) {
            return true;
        }
        // Most components are single nodes to which no run comes back.
        if members.len() == 1 && !self.has_self_loop(first) {
            return false;
        }
        let mut owed = self.owed_at(first);
        members.iter().any(|&member| {
            for step in self.steps(member).filter(|step| components.is_in(step.target, number)) {
                owed.meet(self, step);
            }
            owed.is_nothing()
        })
    }
}
