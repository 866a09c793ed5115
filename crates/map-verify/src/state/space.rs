//! Global states: short vectors of words, over the local states in the tables of [`crate::agents`].
//!
//! [`super::layout`] describes the layout. The tail of a slot lists what each of its agents holds: symbols, numbered
//! by first occurrence over the vector; names of interchangeable agents, as indices of their slots; and message
//! counts. With symmetry a vector represents every state that differs from it only by a permutation of
//! interchangeable agents.

use std::rc::Rc;
use std::sync::Arc;

use map_ir::{AgentId, Program, Value};
use map_semantics::{
    Bounds, InitialChoices, MonitorState, Network, OpenCell, Outcome, SceneState, open_cells,
};

use super::layout::{Layout, Place};
use super::store::TreeShape;
use crate::abstraction::canonical::{self, Held, Scene, canonical};
use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::agents::{Agents, Locals, Missing, MonitoredId, Monitors, StateId, Whole};
use crate::budget::Stop;

/// The state space of one scene. Threads expand states concurrently, each with its own [`super::Scratch`].
pub(crate) struct Space<'a> {
    pub(crate) program: &'a Program,
    pub(crate) bounds: &'a Bounds,
    pub(crate) agents: Agents<'a>,
    /// Abandons the initial state, or the steps of a state, half-way.
    pub(crate) stop: Stop,
    pub(super) layout: Layout,
    /// By agent: its part, as a bit.
    parts: Vec<u64>,
}

/// What represents a state of the scene.
#[derive(Clone)]
pub(crate) struct Represented {
    /// The vector.
    pub(crate) words: Vec<u32>,
    /// The first of the agents of each slot: of agents in the same state, which nobody names, one will do.
    pub(crate) firsts: Vec<AgentId>,
}

impl<'a> Space<'a> {
    /// Without abstraction.
    pub(crate) fn new(program: &'a Program, bounds: &'a Bounds) -> Self {
        Self::up_to(program, bounds, None, Symmetry::none(program))
    }

    /// States modulo slicing and symmetry.
    pub(crate) fn up_to(
        program: &'a Program,
        bounds: &'a Bounds,
        slicer: Option<Slicer<'a>>,
        symmetry: Symmetry,
    ) -> Self {
        Self::monitored(program, bounds, slicer, symmetry, None)
    }

    /// The same, with what properties remember of earlier steps.
    pub(crate) fn monitored(
        program: &'a Program,
        bounds: &'a Bounds,
        slicer: Option<Slicer<'a>>,
        symmetry: Symmetry,
        monitors: Option<Monitors<'a>>,
    ) -> Self {
        // By name: the search composes steps from those of single agents, so whoever adds a fault decides here where it
        // belongs. Bags and delays are part of an agent's mailbox, crashes of its steps; losses are counted in the
        // state.
        let Network { unordered: _, delayed: _, losses, crashes: _ } = bounds.network;
        let layout = Layout::new(program, &symmetry, losses > 0, monitors.is_some());
        let mut agents = Agents::new(program, bounds, slicer, symmetry);
        agents.monitors = monitors;
        let parts = program.agents.iter().map(|agent| 1 << (agent.part.index() % 64)).collect();
        Self { program, bounds, agents, stop: Stop::default(), layout, parts }
    }

    /// The shape of the trees that store the vectors: the agents of a part share a subtree.
    pub(crate) fn shape(&self) -> TreeShape {
        let Layout { fixed, classes, .. } = &self.layout;
        let leaf = |place| match place {
            Place::Fixed(place) => place,
            Place::Member { class, .. } => self.layout.singles() + class,
        };
        let of_part = |part: &map_ir::Part| {
            let mut leaves: Vec<usize> =
                part.agents.iter().map(|agent| leaf(self.layout.place_of[agent.index()])).collect();
            leaves.dedup();
            leaves.sort_unstable();
            leaves.dedup();
            leaves
        };
        let losses = self.layout.counts_losses.then(|| vec![fixed.len()]);
        let monitored = self.layout.monitored().map(|place| vec![place]);
        let groups = self.program.parts.iter().map(of_part).chain(losses).chain(monitored);
        let groups = groups.filter(|group| !group.is_empty());
        TreeShape::new((self.layout.singles(), fixed.len()), classes.iter().map(Vec::len).collect(), groups)
    }

    /// Length in words of a local state's tail.
    pub(crate) fn tail_of(&self, id: StateId) -> usize {
        self.agents.brief(id).tail()
    }

    /// Number of leading words that are local states of fixed agents, the count of lost copies, or what is monitored,
    /// which the store treats alike.
    pub(crate) fn singles(&self) -> usize {
        self.layout.singles()
    }

    /// The slot of a fixed agent.
    pub(super) fn fixed_slot(&self, agent: AgentId) -> usize {
        match self.layout.place_of[agent.index()] {
            Place::Fixed(slot) => slot,
            Place::Member { .. } => {
                unreachable!("interchangeable agents are addressed as a class or by what they are named")
            }
        }
    }

    /// The fixed agents, in the order of their slots.
    pub(crate) fn fixed_agents(&self) -> &[AgentId] {
        &self.layout.fixed
    }

    /// An agent's part, as a bit. With more than 64 parts some share one.
    pub(super) fn part_bit(&self, agent: AgentId) -> u64 {
        self.parts[agent.index()]
    }

    /// The state in which the scene starts with these initial values, if there is one, and what each agent did to reach
    /// it; `None` if the work was stopped.
    pub(crate) fn start(&self, initial: &[u32]) -> Option<(Option<SceneState>, Vec<Outcome>)> {
        SceneState::start_unless(self.program, self.bounds, initial, &|| self.stop.is_raised())
    }

    /// The vector of the first initial state, if there is one.
    #[cfg(test)]
    pub(crate) fn first(&mut self) -> Option<Vec<u32>> {
        let first = self.start(InitialChoices::all(self.program).options()).expect("nothing stops it").0?;
        Some(self.abstracted(&first))
    }

    /// The initial values that lead to different vectors, and perhaps some that do not.
    pub(crate) fn initial_choices(&self) -> InitialChoices {
        if self.bounds.after.is_some() {
            return InitialChoices::of_runs(self.program, self.bounds);
        }
        let symmetry = self.agents.symmetry();
        let matters = |cell: OpenCell<'_>| self.agents.cell_matters(cell.agent, cell.index);
        // If a cell may hold a name, exchanging agents changes more than the order of their options.
        let names = open_cells(self.program)
            .any(|cell| matters(cell) && cell.values.iter().any(|it| matches!(it, Value::Agent(_))));
        let mut last_of_class = vec![None; symmetry.classes().len()];
        let mut before = vec![None; self.program.agents.len()];
        for agent in self.program.cast().filter(|_| !names) {
            if let Some(class) = symmetry.class_of(agent) {
                before[agent.index()] = last_of_class[class].replace(agent);
            }
        }
        InitialChoices::new(self.program, &matters, &|agent| before[agent.index()])
    }

    /// The vector that represents a state of the scene.
    pub(crate) fn abstracted(&mut self, state: &SceneState) -> Vec<u32> {
        self.abstracted_unless(state, &Stop::default()).expect("nothing stops it")
    }

    /// The same; `None` if the work was stopped.
    pub(crate) fn abstracted_unless(&mut self, state: &SceneState, stop: &Stop) -> Option<Vec<u32>> {
        let agents = self.interned(state, None, stop)?;
        Some(self.represented(&agents, state.lost).words)
    }

    /// The agents of a state of the scene; `None` if the work was stopped. `before` is another state with its agents:
    /// those that both share are not interned again.
    pub(crate) fn interned(
        &mut self,
        state: &SceneState,
        before: Option<(&SceneState, &[Rc<Whole>])>,
        stop: &Stop,
    ) -> Option<Vec<Rc<Whole>>> {
        let mut interned = Vec::with_capacity(state.agents.len());
        for (agent, its) in self.program.cast().zip(&state.agents) {
            if stop.is_raised() {
                return None;
            }
            let known = before.filter(|(before, _)| Arc::ptr_eq(&before.agents[agent.index()], its));
            interned.push(match known {
                Some((_, known)) => Rc::clone(&known[agent.index()]),
                None => Rc::new(self.agents.intern_whole(agent, its)),
            });
        }
        Some(interned)
    }

    /// What represents a state with these agents, in the order of the cast, in which `lost` copies were lost.
    pub(crate) fn represented(&self, agents: &[Rc<Whole>], lost: u32) -> Represented {
        let symmetry = self.agents.symmetry();
        let mut is_held = vec![false; agents.len()];
        agents.iter().flat_map(|whole| &whole.held.names).for_each(|&name| is_held[name as usize] = true);
        let (mut slots, mut firsts) = (Scene::new(), Vec::new());
        // By slot: the class whose members may share it; by agent: its slot.
        let mut shared_by: Vec<Option<usize>> = Vec::new();
        let mut places = vec![0; agents.len()];
        for agent in self.layout.fixed.iter().chain(self.layout.classes.iter().flatten()) {
            let Whole { id, held } = &*agents[agent.index()];
            let class = symmetry.class_of(*agent);
            let shares = class.filter(|_| !is_held[agent.index()]);
            let is_same = |(slot, by): (&canonical::Slot, &Option<usize>)| {
                shares.is_some() && shares == *by && slot.id == *id && slot.held == *held
            };
            let place = slots.iter().zip(&shared_by).position(is_same).unwrap_or_else(|| {
                let fingerprint = self.agents.brief(*id).fingerprint;
                slots.push(canonical::Slot { class, fingerprint, id: *id, count: 0, held: held.clone() });
                shared_by.push(shares);
                firsts.push(*agent);
                slots.len() - 1
            });
            slots[place].count += 1;
            places[agent.index()] = place as u32;
        }
        for name in slots.iter_mut().flat_map(|slot| &mut slot.held.names) {
            *name = places[*name as usize];
        }
        let mut words = Vec::new();
        self.write(&canonical(slots), lost, &mut words);
        Represented { words, firsts }
    }

    /// The number of what is monitored in a state; 0 if nothing is.
    pub(crate) fn monitored_in(&self, words: &[u32]) -> MonitoredId {
        self.layout.monitored().map_or(0, |place| words[place])
    }

    /// The same vector in which this is monitored.
    pub(crate) fn with_monitored(&mut self, mut words: Vec<u32>, monitored: &MonitorState) -> Vec<u32> {
        if let (Some(place), Some(monitors)) = (self.layout.monitored(), &mut self.agents.monitors) {
            words[place] = monitors.number(monitored);
        }
        words
    }

    /// Writes the vector of a canonical state in which `lost` copies were lost and nothing is monitored.
    pub(super) fn write(&self, scene: &Scene, lost: u32, words: &mut Vec<u32>) {
        words.clear();
        words.extend(scene.iter().filter(|slot| slot.class.is_none()).map(|slot| slot.id));
        if self.layout.counts_losses {
            words.push(lost);
        }
        if self.layout.monitors {
            words.push(0);
        }
        let singles = words.len();
        words.resize(self.layout.header(), 0);
        for slot in scene {
            if let Some(class) = slot.class {
                words[singles + class] += 1;
                words.extend([slot.id, slot.count]);
            }
        }
        for canonical::Slot { held, .. } in scene {
            words.extend(&held.symbols);
            words.extend(&held.names);
            words.extend(&held.counts);
        }
    }

    /// Decodes a vector into slots and what they hold.
    pub(crate) fn read(&self, words: &[u32]) -> Scene {
        let mut rest = &words[self.layout.tails(words)..];
        let slots = self.layout.local_states(words).map(|(class, id, count)| {
            let brief = self.agents.brief(id);
            let (tail, left) = rest.split_at(brief.tail());
            rest = left;
            let (symbols, names, counts) = brief.split(tail);
            let held = Held { symbols: symbols.to_vec(), names: names.to_vec(), counts: counts.to_vec() };
            canonical::Slot { class, fingerprint: brief.fingerprint, id, count, held }
        });
        slots.collect()
    }

    /// The vector with its count of lost copies reset to 0.
    pub(crate) fn without_losses(&self, words: &[u32]) -> Vec<u32> {
        let mut words = words.to_vec();
        if self.layout.counts_losses {
            words[self.layout.fixed.len()] = 0;
        }
        words
    }

    /// How many more copies may be lost.
    pub(crate) fn losses_left(&self, words: &[u32]) -> u32 {
        match self.bounds.network.losses {
            0 => 0,
            most => most - self.layout.lost(words),
        }
    }

    /// Computes the steps of the vector's local states that have none yet.
    pub(crate) fn fill_locals(&mut self, words: &[u32]) {
        for id in self.layout.local_states(words).map(|(_, id, _)| id).collect::<Vec<_>>() {
            if self.agents.locals(id).is_none() {
                self.agents.fill(Missing::Locals(id));
            }
        }
    }

    /// Whether all threads of an agent state are waiting. Its steps must have been computed.
    pub(crate) fn all_waiting(&self, id: u32) -> bool {
        self.local(id).outline().all_waiting
    }

    /// The steps of an agent state, which must have been computed.
    pub(crate) fn local(&self, id: u32) -> Locals<'_> {
        self.agents.locals(id).expect("looked for before")
    }
}
