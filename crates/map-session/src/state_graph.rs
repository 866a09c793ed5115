//! The state graph of a scene, without reductions: all reachable states, or those near the first ones, and the steps
//! between them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use map_ir::{AgentId, PointId, Symbol};
use map_semantics::{
    Action, AgentState, Bounds, EnabledStep, InitialChoices, Judgement, ObservedStep, SceneState, SceneStep,
    Step, StepError, StepKind, Turn, scene_steps,
};

use crate::scene::Scene;
use crate::standing::{AgentStanding, standing_of};

/// The states of a scene, and the steps between them.
pub struct StateGraph {
    /// Whether these are all states that can be reached.
    pub is_whole: bool,
    /// The states, in the order in which they were reached.
    pub states: Vec<GraphState>,
    /// The steps from one state to another, or with which something goes wrong.
    pub arrows: BTreeMap<(usize, Target), Arrow>,
    /// The number of different steps.
    pub transitions: usize,
    /// The arrows on the path to a nearest violation.
    pub path: BTreeSet<(usize, Target)>,
    numbers: HashMap<StateKey, usize>,
}

/// A state of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphState {
    /// How it was first reached.
    pub way: Way,
    /// What is known of it.
    pub mark: StateMark,
    /// What each agent is about, in the order of the cast.
    pub agents: Vec<AgentStanding>,
}

/// How a state was first reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Runs begin here, with these initial values.
    Start(Vec<u32>),
    /// By a step from the state with this index.
    Step(usize, Step),
}

/// What tells states apart.
type StateKey = (Vec<Arc<AgentState>>, u32);

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateMark {
    /// A good end can be reached.
    Plain,
    /// All agents are done.
    Good,
    /// An agent has failed.
    Failed,
    /// Nothing can happen, but not all agents are done.
    Deadlock,
    /// No good end can be reached, but something that goes wrong.
    Doomed,
    /// Neither a good end nor anything that goes wrong can be reached.
    Livelock,
    /// A bound cuts a step here.
    Cut,
    /// It has steps that are not in the graph.
    Further,
}

/// Where an arrow leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// To the state with this index.
    State(usize),
    /// Nowhere: the step goes wrong.
    Wrong(Wrong),
}

/// How a step goes wrong, in the order of the language reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A mailbox overflows.
    Overflow,
    /// Recursion runs away.
    Runaway,
    /// The body of a procedure goes wrong.
    RunError,
}

impl Wrong {
    /// The words of the language reference.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Overflow => "mailbox overflow",
            Self::Runaway => "runaway recursion",
            Self::RunError => "run error",
        }
    }
}

/// The steps between two states.
#[derive(Default)]
pub struct Arrow {
    /// The steps, each once.
    pub steps: Vec<ArrowStep>,
    /// Whether one of them is neither a crash nor loses a message.
    is_good: bool,
}

/// A step of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrowStep {
    /// Who takes it.
    pub agent: AgentId,
    /// What kind of step it is.
    pub kind: StepKind,
    /// The ask, send or receive, if it is one.
    pub point: Option<PointId>,
    /// Whether a message is lost.
    pub loses: bool,
}

/// Why there is no graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGraph {
    /// There are more states than allowed.
    TooLarge,
    /// A bound or a run error keeps an agent from its first place.
    NoFirstState,
}

impl StateGraph {
    /// Explores a scene of at most `most` states, breadth first.
    ///
    /// # Errors
    /// If there are more, or none.
    pub fn explore(scene: &Scene, most: usize) -> Result<Self, NoGraph> {
        let mut search = Search::begin(scene, most)?;
        while search.is_whole && search.expand_next(scene) {}
        if search.is_whole { Ok(search.graph(scene)) } else { Err(NoGraph::TooLarge) }
    }

    /// The `most` states that are nearest to where runs begin, at least one.
    ///
    /// # Errors
    /// If there is no state.
    pub fn nearest(scene: &Scene, most: usize) -> Result<Self, NoGraph> {
        let mut search = Search::begin(scene, most.max(1))?;
        while search.expand_next(scene) {}
        Ok(search.graph(scene))
    }

    /// The initial values and the steps of a shortest run to a state. Of a scene that begins later ([`Scene::after`])
    /// these are steps that follow on those that it begins with, and the initial values are of no use.
    #[must_use]
    pub fn way_to(&self, state: usize) -> (Vec<u32>, Vec<Step>) {
        let (mut at, mut steps) = (state, Vec::new());
        loop {
            match &self.states[at].way {
                Way::Step(before, step) => {
                    steps.push(step.clone());
                    at = *before;
                }
                Way::Start(initial) => {
                    steps.reverse();
                    return (initial.clone(), steps);
                }
            }
        }
    }

    /// The index of a state, if it is in the graph.
    #[must_use]
    pub fn find(&self, state: &SceneState) -> Option<usize> {
        self.numbers.get(&key_of(state.clone()).1).copied()
    }
}

/// A state with its symbols renumbered in order of occurrence, and what tells it apart: states that differ only in the
/// names of unknown values are equal.
fn key_of(mut state: SceneState) -> (SceneState, StateKey) {
    let mut names: BTreeMap<Symbol, Symbol> = BTreeMap::new();
    for agent in &mut state.agents {
        Arc::make_mut(agent).rename_symbols(&mut |symbol| {
            let next = Symbol(names.len() as u32);
            *names.entry(symbol).or_insert(next)
        });
    }
    state.fresh = Symbol(names.len() as u32);
    // By name: whatever else a state has makes it another one.
    let SceneState { agents, fresh: _, lost } = &state;
    let key = (agents.clone(), *lost);
    (state, key)
}

/// A state that has been reached.
struct Reached {
    state: SceneState,
    way: Way,
    /// The least number of steps that lead to it.
    depth: usize,
    /// Whether a bound cuts a step here.
    is_cut: bool,
    /// Whether a step from here leads to a state for which there is no room.
    goes_further: bool,
    /// The ways in which steps from here go wrong.
    wrong: BTreeSet<Wrong>,
    judgement: Judgement,
}

struct Search {
    /// The most states.
    most: usize,
    /// Whether there was room for all states so far.
    is_whole: bool,
    states: Vec<Reached>,
    numbers: HashMap<StateKey, usize>,
    /// How many states have been expanded.
    expanded: usize,
    arrows: BTreeMap<(usize, Target), Arrow>,
    transitions: BTreeSet<(usize, usize, usize, StepKind, usize)>,
}

impl Search {
    /// With the states in which runs begin.
    fn begin(scene: &Scene, most: usize) -> Result<Self, NoGraph> {
        let (program, bounds) = (&*scene.program, &scene.bounds);
        let mut search = Self {
            most,
            is_whole: true,
            states: Vec::new(),
            numbers: HashMap::new(),
            expanded: 0,
            arrows: BTreeMap::new(),
            transitions: BTreeSet::new(),
        };
        let mut initial = InitialChoices::of_runs(program, bounds);
        while search.is_whole {
            let first = SceneState::start(program, bounds, initial.options()).0;
            let first = first.ok_or(NoGraph::NoFirstState)?;
            search.number(first, || Way::Start(initial.options().to_vec()));
            if !initial.advance() {
                break;
            }
        }
        Ok(search)
    }

    /// Expands the next state; whether there was one.
    fn expand_next(&mut self, scene: &Scene) -> bool {
        let next = self.expanded;
        let Some(reached) = self.states.get_mut(next) else { return false };
        let steps = scene_steps(&scene.program, &scene.bounds, &reached.state);
        let all: Vec<EnabledStep> = steps.all().collect();
        reached.judgement = steps.judgement();
        for step in all {
            self.take(&scene.bounds, next, &step);
        }
        self.expanded += 1;
        true
    }

    /// The index of a state, which is added if it is new; `None` if there is no room for it.
    fn number(&mut self, state: SceneState, way: impl FnOnce() -> Way) -> Option<usize> {
        let (state, key) = key_of(state);
        if let Some(&known) = self.numbers.get(&key) {
            return Some(known);
        }
        let next = self.states.len();
        if next == self.most {
            self.is_whole = false;
            return None;
        }
        let way = way();
        let depth = if let Way::Step(before, _) = way { self.states[before].depth + 1 } else { 0 };
        let (wrong, judgement) = (BTreeSet::new(), Judgement::default());
        let (is_cut, goes_further) = (false, false);
        self.states.push(Reached { state, way, depth, is_cut, goes_further, wrong, judgement });
        self.numbers.insert(key, next);
        Some(next)
    }

    fn take(&mut self, bounds: &Bounds, from: usize, step: &EnabledStep) {
        let ObservedStep { outcome, result, lost, .. } = &step.observed;
        let is_crash = step.step.turn == Turn::Crash;
        let after = step.next_state(bounds, &self.states[from].state);
        let target = match (result, after) {
            (SceneStep::Wrong(error), _) => {
                let wrong = match error {
                    StepError::Overflow(_) => Wrong::Overflow,
                    StepError::Runaway(_) => Wrong::Runaway,
                    StepError::RunError(_) => Wrong::RunError,
                };
                self.states[from].wrong.insert(wrong);
                Target::Wrong(wrong)
            }
            (_, Some(after)) => {
                let Some(to) = self.number(after, || Way::Step(from, step.step.clone())) else {
                    self.states[from].goes_further = true;
                    return;
                };
                let agent = step.step.agent.index();
                self.transitions.insert((from, agent, step.step.thread, outcome.kind, to));
                Target::State(to)
            }
            (SceneStep::Made | SceneStep::Nothing | SceneStep::Cut(_) | SceneStep::TooLong(_), None) => {
                self.states[from].is_cut = true;
                return;
            }
        };
        let arrow = self.arrows.entry((from, target)).or_default();
        let point = outcome.action.as_ref().map(Action::point);
        let label = ArrowStep { agent: step.step.agent, kind: outcome.kind, point, loses: !lost.is_empty() };
        if !arrow.steps.contains(&label) {
            arrow.steps.push(label);
        }
        arrow.is_good |= !is_crash && lost.is_empty();
    }

    /// The mark of each state.
    fn marks(&self) -> Vec<StateMark> {
        let mut marks: Vec<StateMark> = self
            .states
            .iter()
            .map(|found| {
                if found.judgement.some_failed {
                    StateMark::Failed
                } else if found.judgement.good_end {
                    StateMark::Good
                } else if found.is_cut {
                    StateMark::Cut
                } else if found.goes_further {
                    StateMark::Further
                } else if found.judgement.is_deadlock() {
                    StateMark::Deadlock
                } else {
                    StateMark::Plain
                }
            })
            .collect();
        let may_be_good = [StateMark::Good, StateMark::Cut, StateMark::Further];
        let good = self.reaching(|index| may_be_good.contains(&marks[index]), true);
        let bad = |index: usize| {
            matches!(marks[index], StateMark::Failed | StateMark::Deadlock)
                || !self.states[index].wrong.is_empty()
        };
        let bad = self.reaching(bad, false);
        for (index, mark) in marks.iter_mut().enumerate() {
            if *mark == StateMark::Plain && !good[index] {
                *mark = if bad[index] { StateMark::Doomed } else { StateMark::Livelock };
            }
        }
        marks
    }

    /// For each state, whether a `wanted` one can be reached from it; if `only_good`, without crashes and losses.
    /// Backward breadth-first search.
    fn reaching(&self, wanted: impl Fn(usize) -> bool, only_good: bool) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (&(from, target), arrow) in &self.arrows {
            if let Target::State(to) = target
                && (arrow.is_good || !only_good)
            {
                before[to].push(from);
            }
        }
        let mut reached: Vec<bool> = (0..self.states.len()).map(wanted).collect();
        let mut todo: VecDeque<usize> = (0..reached.len()).filter(|&index| reached[index]).collect();
        while let Some(state) = todo.pop_front() {
            for &from in &before[state] {
                if !std::mem::replace(&mut reached[from], true) {
                    todo.push_back(from);
                }
            }
        }
        reached
    }

    /// Where a shortest counterexample ends: the length of its trace, the rank of its kind, which breaks ties, and the
    /// target.
    fn violation(&self, marks: &[StateMark]) -> Option<(usize, usize, Target)> {
        let of_state = self.states.iter().enumerate().filter_map(|(index, found)| {
            let rank = match marks[index] {
                StateMark::Failed => 0,
                StateMark::Deadlock => 1,
                StateMark::Livelock => 5,
                _ => return None,
            };
            Some((found.depth, rank, Target::State(index)))
        });
        let of_steps = self.states.iter().filter_map(|found| {
            let wrong = *found.wrong.first()?;
            Some((found.depth + 1, 2 + wrong as usize, Target::Wrong(wrong)))
        });
        of_state.chain(of_steps).min()
    }

    /// The arrows on the path to a nearest violation.
    fn path(&self, marks: &[StateMark]) -> BTreeSet<(usize, Target)> {
        let mut path = BTreeSet::new();
        let Some((length, _, target)) = self.violation(marks) else { return path };
        let mut at = match target {
            Target::State(state) => state,
            Target::Wrong(wrong) => {
                let goes_wrong = |it: &&Reached| it.depth + 1 == length && it.wrong.contains(&wrong);
                let Some(state) = self.states.iter().position(|it| goes_wrong(&it)) else { return path };
                path.insert((state, target));
                state
            }
        };
        while let Way::Step(before, _) = self.states[at].way {
            path.insert((before, Target::State(at)));
            at = before;
        }
        path
    }

    fn graph(self, scene: &Scene) -> StateGraph {
        let (program, bounds) = (&*scene.program, &scene.bounds);
        let marks = self.marks();
        let path = self.path(&marks);
        let Self { is_whole, states, numbers, arrows, transitions, .. } = self;
        let state = |(reached, mark): (Reached, StateMark)| {
            let agents = program.cast().zip(&reached.state.agents);
            let agents = agents.map(|(agent, state)| standing_of(program, bounds, agent, state)).collect();
            GraphState { way: reached.way, mark, agents }
        };
        let states = states.into_iter().zip(marks).map(state).collect();
        StateGraph { is_whole, states, arrows, transitions: transitions.len(), path, numbers }
    }
}
