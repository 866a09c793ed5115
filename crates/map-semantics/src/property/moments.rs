//! The moments of a long run as propositions see them: what is seen again is not evaluated again.

use std::collections::HashMap;

use map_graph::BitSet;
use map_ir::{AgentId, Program, Properties, Value};
use rustc_hash::FxBuildHasher;

use super::{Happening, Letter, PlainView, Watch, state_of};
use crate::outcome::Outcome;
use crate::{Bounds, SceneState};

/// The moments of a run so far, as a [`Watch`] sees them.
#[derive(Clone, Debug)]
pub struct Moments<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    properties: &'a Properties,
    watch: Watch<'a>,
    /// For each agent the events that its steps can be.
    may_happen: Vec<Vec<usize>>,
    /// What held at some moment; without monitors each letter is there for all moments that look alike.
    letters: Vec<Letter>,
    known: HashMap<Seen, usize, FxBuildHasher>,
    /// By moment the index of its letter.
    moments: Vec<usize>,
    /// What happened in the step to the next state.
    happening: Option<Happening>,
}

/// All that a letter depends on if nothing is monitored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    happening: Happening,
    states: BitSet,
    quantities: Box<[Option<Value>]>,
}

impl<'a> Moments<'a> {
    /// Before the first moment.
    #[must_use]
    pub fn new(program: &'a Program, bounds: &'a Bounds, properties: &'a Properties) -> Self {
        let mut may_happen = vec![Vec::new(); program.agents.len()];
        for (index, event) in properties.events.iter().enumerate() {
            match event.agent {
                Some(agent) => may_happen[agent.index()].push(index),
                None => may_happen.iter_mut().for_each(|all| all.push(index)),
            }
        }
        Self {
            program,
            bounds,
            properties,
            watch: Watch::new(program, bounds, properties),
            may_happen,
            letters: Vec::new(),
            known: HashMap::default(),
            moments: Vec::new(),
            happening: None,
        }
    }

    /// A step is made, which leads to the next state.
    pub fn step(&mut self, agent: AgentId, outcome: &Outcome) {
        let Self { program, properties, may_happen, happening, .. } = self;
        *happening = Some(Happening::of_step_among(may_happen, program, properties, agent, outcome));
    }

    /// The next moment is in this state.
    pub fn see(&mut self, state: &SceneState) {
        let happening = self.happening.take().unwrap_or_else(|| Happening::nothing(self.properties));
        let letter = self.letter(happening, state);
        self.moments.push(letter);
    }

    /// The letter of staying in this state for ever, which is the last one.
    pub fn staying(&mut self, state: &SceneState) -> &Letter {
        let letter = self.letter(Happening::nothing(self.properties), state);
        &self.letters[letter]
    }

    /// The letters of the moments so far.
    pub fn letters(&self) -> impl Iterator<Item = &Letter> {
        self.moments.iter().map(|&letter| &self.letters[letter])
    }

    fn letter(&mut self, happening: Happening, state: &SceneState) -> usize {
        let Self { program, bounds, properties, watch, letters, known, .. } = self;
        let new = letters.len();
        if !properties.monitors.is_empty() {
            letters.push(watch.see_happening(&happening, state));
            return new;
        }
        let (states, quantities) = state_of(program, properties, &PlainView { program, bounds, state });
        let seen = Seen { happening, states, quantities };
        if let Some(&letter) = known.get(&seen) {
            return letter;
        }
        letters.push(watch.see_happening(&seen.happening, state));
        known.insert(seen, new);
        new
    }
}
