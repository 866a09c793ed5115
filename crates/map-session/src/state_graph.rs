//! The state graph of a small scene, without reductions: all reachable states and the steps between them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use map_ir::{AgentId, PointId, Symbol};
use map_semantics::{
    Action, AgentState, Bounds, EnabledStep, InitialChoices, Judgement, ObservedStep, SceneState, SceneStep,
    StepError, StepKind, Turn, scene_steps,
};

use crate::scene::Scene;

/// All reachable states of a scene, and the steps between them.
pub struct StateGraph {
    /// The states, in the order in which they were reached.
    pub states: Vec<GraphState>,
    /// The steps from one state to another, or with which something goes wrong.
    pub arrows: BTreeMap<(usize, Target), Arrow>,
    /// The number of different steps.
    pub transitions: usize,
    /// The arrows on the path to a nearest violation.
    pub path: BTreeSet<(usize, Target)>,
}

/// A state of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphState {
    /// Whether runs begin here.
    pub is_first: bool,
    /// What is known of it.
    pub mark: StateMark,
}

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
        let (program, bounds) = (&*scene.program, &scene.bounds);
        let mut search = Search {
            states: Vec::new(),
            numbers: HashMap::new(),
            arrows: BTreeMap::new(),
            transitions: BTreeSet::new(),
        };
        let mut initial = InitialChoices::all(program);
        loop {
            let first = SceneState::start(program, bounds, initial.options()).0;
            search.number(first.ok_or(NoGraph::NoFirstState)?, None);
            if search.states.len() > most {
                return Err(NoGraph::TooLarge);
            }
            if !initial.advance() {
                break;
            }
        }
        let mut next = 0;
        while next < search.states.len() {
            if search.states.len() > most {
                return Err(NoGraph::TooLarge);
            }
            let reached = &mut search.states[next];
            let steps = scene_steps(program, bounds, &reached.state);
            let all: Vec<EnabledStep> = steps.all().collect();
            reached.judgement = steps.judgement();
            for step in all {
                search.take(bounds, next, &step);
            }
            next += 1;
        }
        Ok(search.graph())
    }
}

/// A state that has been reached.
struct Reached {
    state: SceneState,
    /// The state from which it was first reached; `None` for the first state.
    parent: Option<usize>,
    /// The least number of steps that lead to it.
    depth: usize,
    /// Whether a bound cuts a step here.
    is_cut: bool,
    /// The ways in which steps from here go wrong.
    wrong: BTreeSet<Wrong>,
    judgement: Judgement,
}

struct Search {
    states: Vec<Reached>,
    numbers: HashMap<(Vec<Arc<AgentState>>, u32), usize>,
    arrows: BTreeMap<(usize, Target), Arrow>,
    transitions: BTreeSet<(usize, usize, usize, StepKind, usize)>,
}

impl Search {
    /// The index of a state, which is added if it is new. States that differ only in the names of unknown values are
    /// equal: symbols are renumbered in order of occurrence.
    fn number(&mut self, mut state: SceneState, parent: Option<usize>) -> usize {
        let mut names: BTreeMap<Symbol, Symbol> = BTreeMap::new();
        for agent in &mut state.agents {
            Arc::make_mut(agent).rename_symbols(&mut |symbol| {
                let next = Symbol(names.len() as u32);
                *names.entry(symbol).or_insert(next)
            });
        }
        state.fresh = Symbol(names.len() as u32);
        let next = self.states.len();
        // By name: whatever else a state has makes it another one.
        let SceneState { agents, fresh: _, lost } = &state;
        let number = *self.numbers.entry((agents.clone(), *lost)).or_insert(next);
        if number == next {
            let depth = parent.map_or(0, |parent| self.states[parent].depth + 1);
            let wrong = BTreeSet::new();
            let judgement = Judgement::default();
            self.states.push(Reached { state, parent, depth, is_cut: false, wrong, judgement });
        }
        number
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
                let to = self.number(after, Some(from));
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
                } else if found.judgement.is_deadlock() {
                    StateMark::Deadlock
                } else {
                    StateMark::Plain
                }
            })
            .collect();
        let good = self.reaching(|index| matches!(marks[index], StateMark::Good | StateMark::Cut), true);
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
        while let Some(parent) = self.states[at].parent {
            path.insert((parent, Target::State(at)));
            at = parent;
        }
        path
    }

    fn graph(self) -> StateGraph {
        let marks = self.marks();
        let path = self.path(&marks);
        let state = |(reached, &mark): (&Reached, &StateMark)| GraphState {
            is_first: reached.parent.is_none(),
            mark,
        };
        let states = self.states.iter().zip(&marks).map(state).collect();
        StateGraph { states, arrows: self.arrows, transitions: self.transitions.len(), path }
    }
}
