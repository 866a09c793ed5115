//! Integers that grow along a run: steps that can be taken again and again, and each time leave everything as it was,
//! but for some integers that have moved on. What is found is an observation of so many rounds, not a proof that there
//! are more.

use std::collections::HashSet;

use map_ir::{AgentId, CellId, ClauseId, PerformativeId, Program, Symbol, Value};
use map_semantics::{
    AgentState, Bounds, EnabledStep, Mailbox, Message, NodeKind, SceneState, Step, open_cells, propose,
    scene_steps, time_may_run_out,
};

use super::replay::{ReplayedRun, replay};
use crate::abstraction::slicing::Slicer;
use crate::report::{InternalError, Trace};
use crate::state::space::Space;

/// How many times the steps are taken, the first time included: more than there are values in most ranges.
const ROUNDS: usize = 200;

/// Maximum number of steps of the way to the end of the first round.
const DEEP: usize = 500;

/// Maximum number of agents looked at, summed over all states and steps.
const MOST_AGENTS: usize = 1 << 16;

/// A run whose last steps can be repeated, and some integers grow each time.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The way to the steps that are repeated, and these steps once, replayed.
    pub replayed: ReplayedRun,
    /// The steps from this index on are repeated.
    pub repeated_from: usize,
    /// How many times they were taken.
    pub rounds: usize,
    /// What moved on in the same direction each time; never empty.
    pub grown: Vec<Grown>,
}

/// An integer that moved in the same direction in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown {
    /// Whose it is.
    pub agent: AgentId,
    /// Where it is kept.
    pub holder: Holder,
    /// By how much it moved in the first round, never 0; downwards if negative.
    pub by: i64,
    /// Whether it moved by as much in every round.
    pub steady: bool,
}

/// Where an integer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A variable of a clause, by its index among them.
    Variable(ClauseId, usize),
    /// A cell of the agent's memory.
    Cell(CellId),
    /// An argument, by its place, of a message in the agent's mailbox.
    Argument(PerformativeId, usize),
}

/// A run without faults and open comparisons on which integers grow; `None` if there is none near the start.
///
/// # Errors
/// If the run does not replay, which would be a defect of the engine.
pub fn growing_run(program: &Program, bounds: &Bounds) -> Result<Option<Growth>, InternalError> {
    // The first of the possible values of each cell.
    let initial = vec![0; open_cells(program).count()];
    let (Some(first), _) = SceneState::start(program, bounds, &initial) else { return Ok(None) };
    let mut walk = Walk { program, bounds, slicer: Slicer::new(program, bounds, &[]), agents: 0 };
    let Some(Repeatable { steps, repeated_from, grown }) = walk.search(first) else { return Ok(None) };
    let replayed = replay(program, bounds, &Trace { initial, steps })?;
    match (replayed.states.get(repeated_from), replayed.states.last()) {
        (Some(before), Some(after)) if walk.look(before).shape == walk.look(after).shape => {
            Ok(Some(Growth { replayed, repeated_from, rounds: ROUNDS, grown }))
        }
        _ => Err(InternalError("what is repeated does not lead back, not even but for integers".to_owned())),
    }
}

/// Steps of which the last ones can be repeated.
struct Repeatable {
    steps: Vec<Step>,
    repeated_from: usize,
    grown: Vec<Grown>,
}

/// A walk into the depth.
struct Walk<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    slicer: Slicer<'a>,
    /// Number of agents looked at so far.
    agents: usize,
}

/// A state on the way.
struct Stop {
    state: SceneState,
    look: Look,
    /// The steps not tried yet, the next one last.
    open: Vec<EnabledStep>,
    /// The step that has led here, unless it is the first state.
    by: Option<Step>,
}

/// A state without what is irrelevant, apart from its integers.
struct Look {
    /// Its agents and their mailboxes with 0 for each integer; symbols are numbered by first occurrence.
    shape: Vec<(AgentState, Vec<Message>)>,
    /// The integers, and whose they are and where.
    integers: Vec<(AgentId, Holder, i64)>,
}

impl Walk<'_> {
    fn search(&mut self, first: SceneState) -> Option<Repeatable> {
        let mut space = Space::new(self.program, self.bounds);
        let mut seen = HashSet::from([space.abstracted(&first)]);
        let mut path = vec![self.stop(first, None)];
        while let Some(last) = path.last_mut() {
            if self.agents > MOST_AGENTS {
                return None;
            }
            let Some(step) = last.open.pop() else {
                path.pop();
                continue;
            };
            let next = step.next_state(self.bounds, &last.state);
            let Some(state) = next.filter(|state| seen.insert(space.abstracted(state))) else { continue };
            let stop = self.stop(state, Some(step.step));
            path.push(stop);
            if let Some(found) = self.repeatable(&path) {
                return Some(found);
            }
            if path.len() > DEEP {
                path.pop();
            }
        }
        None
    }

    fn stop(&mut self, state: SceneState, by: Option<Step>) -> Stop {
        let look = self.look(&state);
        let steps = scene_steps(self.program, self.bounds, &state);
        let mut open: Vec<_> = steps.fault_free(|_| true).filter(|step| !step.compared).collect();
        // The agents act in turn, so that no mailbox fills up for want of a reader.
        let next = by.as_ref().map_or(0, |step| step.agent.index() + 1);
        let agents = state.agents.len();
        open.sort_by_key(|step| (step.step.agent.index() + agents - next) % agents);
        open.reverse();
        Stop { state, look, open, by }
    }

    /// Whether the steps since the state is shaped as it is can be repeated, with integers that grow.
    fn repeatable(&mut self, path: &[Stop]) -> Option<Repeatable> {
        let (last, before) = path.split_last()?;
        let repeated_from = before.iter().rposition(|it| it.look.shape == last.look.shape)?;
        let steps: Vec<Step> = path.iter().filter_map(|it| it.by.clone()).collect();
        let round = &steps[repeated_from..];
        let mut rounds = vec![moved(&before[repeated_from].look, &last.look)];
        let mut state = last.state.clone();
        let mut look = self.look(&state);
        while rounds.len() < ROUNDS {
            for step in round {
                self.agents += 1;
                let (program, bounds) = (self.program, self.bounds);
                let in_time = || time_may_run_out(program, bounds, &state, step.agent, step.thread);
                let proposed = propose(program, bounds, &state, step, &[], in_time).ok()?;
                state.follow(bounds, step.agent, &proposed.observed).then_some(())?;
            }
            let next = self.look(&state);
            if next.shape != last.look.shape {
                return None;
            }
            rounds.push(moved(&look, &next));
            look = next;
        }
        let grown: Vec<Grown> =
            (0..look.integers.len()).filter_map(|place| grown(&look, place, &rounds)).collect();
        (!grown.is_empty()).then_some(Repeatable { steps, repeated_from, grown })
    }

    fn look(&mut self, state: &SceneState) -> Look {
        self.agents += state.agents.len();
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut numbered = |symbol: Symbol| {
            let known = symbols.iter().position(|&it| it == symbol);
            Symbol(known.unwrap_or_else(|| {
                symbols.push(symbol);
                symbols.len() - 1
            }) as u32)
        };
        let mut integers = Vec::new();
        let shape = self.program.cast().zip(&state.agents).map(|(agent, state)| {
            let mut state = AgentState::clone(state);
            self.slicer.state(agent, &mut state);
            state.rename_symbols(&mut numbered);
            let mut messages: Vec<Message> = state.mailbox.iter().map(|it| (**it).clone()).collect();
            state.mailbox = Mailbox::default();
            let mut take_out = |holder: Holder, value: &mut Value| {
                if let Value::Integer(integer) = value {
                    integers.push((agent, holder, *integer));
                    *integer = 0;
                }
            };
            for node in &mut state.control.nodes {
                if let NodeKind::Activation { clause, variables, .. } = &mut node.kind {
                    for (index, value) in variables.iter_mut().enumerate() {
                        if let Some(value) = value {
                            take_out(Holder::Variable(*clause, index), value);
                        }
                    }
                }
            }
            let cells = &self.program.memories[self.program.agent(agent).role.index()].cells;
            for ((cell, _), value) in cells.iter().zip(&mut state.memory) {
                take_out(Holder::Cell(*cell), value);
            }
            for message in &mut messages {
                self.slicer.message(message);
                for (place, value) in message.arguments.iter_mut().enumerate() {
                    take_out(Holder::Argument(message.performative, place), value);
                }
            }
            (state, messages)
        });
        let shape = shape.collect();
        Look { shape, integers }
    }
}

/// By how much each integer has moved between two states of one shape.
fn moved(before: &Look, after: &Look) -> Vec<i64> {
    let pairs = before.integers.iter().zip(&after.integers);
    pairs.map(|((.., before), (.., after))| after.saturating_sub(*before)).collect()
}

/// What is said of the integer at a place, if it moves in the same direction in every round.
fn grown(look: &Look, place: usize, rounds: &[Vec<i64>]) -> Option<Grown> {
    let (agent, holder, _) = look.integers[place];
    let by = rounds.first()?[place];
    let same = by != 0 && rounds.iter().all(|round| round[place].signum() == by.signum());
    let steady = rounds.iter().all(|round| round[place] == by);
    same.then_some(Grown { agent, holder, by, steady })
}

#[cfg(test)]
mod tests;
