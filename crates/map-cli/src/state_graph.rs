//! The state graph of a small scene, without reductions: all reachable states and the steps between them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use map_explain::Teller;
use map_ir::{Program, Symbol};
use map_render::graph::{Edge, EdgeKind, Graph, Mark, Node, Shape};
use map_semantics::{
    Action, AgentState, Bounds, EnabledStep, InitialChoices, Judgement, Observed, SceneState, SceneStep,
    StepError, StepKind, Turn, scene_steps,
};

use crate::numbers::counted;

/// Why there is no graph.
pub(crate) enum NoGraph {
    /// There are more states than allowed.
    TooLarge,
    /// A bound or a run error keeps an agent from its first place.
    NoFirstState,
}

/// The most lines in the label of an edge.
const MAX_LINES: usize = 3;

/// Explores a scene of at most `most` states, breadth first. The path to a nearest violation is highlighted.
pub(crate) fn state_graph(
    program: &Program,
    bounds: &Bounds,
    teller: &Teller<'_>,
    most: usize,
) -> Result<Graph, NoGraph> {
    let mut search = Search {
        states: Vec::new(),
        numbers: HashMap::new(),
        arrows: BTreeMap::new(),
        transitions: BTreeSet::new(),
    };
    let mut initial = InitialChoices::all(program);
    loop {
        let first = SceneState::start(program, bounds, initial.options()).0.ok_or(NoGraph::NoFirstState)?;
        search.number(first, None);
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
        let found = &mut search.states[next];
        let steps = scene_steps(program, bounds, &found.state);
        let all: Vec<EnabledStep> = steps.all().collect();
        found.judgement = steps.judgement();
        for step in all {
            search.take(bounds, teller, next, &step);
        }
        next += 1;
    }
    Ok(search.graph(&program.scene))
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

/// How a step goes wrong, in the order of the language reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Overflow,
    Runaway,
    RunError,
}

impl Wrong {
    const fn words(self) -> &'static str {
        match self {
            Self::Overflow => "mailbox overflow",
            Self::Runaway => "runaway recursion",
            Self::RunError => "run error",
        }
    }
}

/// Where an arrow leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    State(usize),
    Wrong(Wrong),
}

#[derive(Default)]
struct Arrow {
    labels: Vec<String>,
    kind: Option<EdgeKind>,
    /// Whether one of its steps is neither a crash nor loses a message.
    is_good: bool,
}

struct Search {
    states: Vec<Reached>,
    numbers: HashMap<(Vec<AgentState>, u32), usize>,
    arrows: BTreeMap<(usize, Target), Arrow>,
    transitions: BTreeSet<(usize, usize, usize, StepKind, usize)>,
}

impl Search {
    /// The index of a state, which is added if it is new. States that differ only in the names of unknown values are
    /// equal: symbols are renumbered in order of occurrence.
    fn number(&mut self, mut state: SceneState, parent: Option<usize>) -> usize {
        let mut names: BTreeMap<Symbol, Symbol> = BTreeMap::new();
        for agent in &mut state.agents {
            agent.rename_symbols(&mut |symbol| {
                let next = Symbol(names.len() as u32);
                *names.entry(symbol).or_insert(next)
            });
        }
        state.fresh = Symbol(names.len() as u32);
        let next = self.states.len();
        let number = *self.numbers.entry((state.agents.clone(), state.lost)).or_insert(next);
        if number == next {
            let depth = parent.map_or(0, |parent| self.states[parent].depth + 1);
            let wrong = BTreeSet::new();
            let judgement = Judgement::default();
            self.states.push(Reached { state, parent, depth, is_cut: false, wrong, judgement });
        }
        number
    }

    fn take(&mut self, bounds: &Bounds, teller: &Teller<'_>, from: usize, step: &EnabledStep) {
        let Observed { outcome, result, lost, .. } = &step.observed;
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
        let label = format!("{} {}", teller.agent(step.step.agent), summary(teller, step));
        if !arrow.labels.contains(&label) {
            arrow.labels.push(label);
        }
        arrow.kind.get_or_insert(kind(outcome.kind));
        arrow.is_good |= !is_crash && lost.is_empty();
    }

    /// The mark of each state.
    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = self
            .states
            .iter()
            .map(|found| {
                if found.judgement.some_failed {
                    Mark::Failed
                } else if found.judgement.good_end {
                    Mark::Good
                } else if found.is_cut {
                    Mark::Cut
                } else if found.judgement.is_deadlock() {
                    Mark::Deadlock
                } else {
                    Mark::Plain
                }
            })
            .collect();
        let good = self.reaching(|index| matches!(marks[index], Mark::Good | Mark::Cut), true);
        let bad = |index: usize| {
            matches!(marks[index], Mark::Failed | Mark::Deadlock) || !self.states[index].wrong.is_empty()
        };
        let bad = self.reaching(bad, false);
        for (index, mark) in marks.iter_mut().enumerate() {
            if *mark == Mark::Plain && !good[index] {
                *mark = if bad[index] { Mark::Doomed } else { Mark::Livelock };
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
    fn violation(&self, marks: &[Mark]) -> Option<(usize, usize, Target)> {
        let of_state = self.states.iter().enumerate().filter_map(|(index, found)| {
            let rank = match marks[index] {
                Mark::Failed => 0,
                Mark::Deadlock => 1,
                Mark::Livelock => 5,
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
    fn path(&self, marks: &[Mark]) -> BTreeSet<(usize, Target)> {
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

    fn graph(&self, scene: &str) -> Graph {
        let marks = self.marks();
        let path = self.path(&marks);
        let (states, transitions) = (self.states.len() as u64, self.transitions.len() as u64);
        let title = format!("{scene}: {}, {}", counted(states, "state"), counted(transitions, "transition"));
        let mut graph = Graph { title, ..Graph::default() };
        graph.nodes.push(Node::new(Shape::Initial, Vec::new()));
        for (index, _) in self.states.iter().enumerate().filter(|(_, found)| found.parent.is_none()) {
            graph.edges.push(Edge::new(0, index + 1, EdgeKind::Move, Vec::new()));
        }
        for (index, &mark) in marks.iter().enumerate() {
            let shape = if mark == Mark::Good { Shape::End } else { Shape::State };
            graph.nodes.push(Node { mark, ..Node::new(shape, vec![(index + 1).to_string()]) });
        }
        let mut wrongs: BTreeMap<Wrong, usize> = BTreeMap::new();
        for (&(from, target), arrow) in &self.arrows {
            let to = match target {
                Target::State(to) => to + 1,
                Target::Wrong(wrong) => *wrongs.entry(wrong).or_insert_with(|| {
                    let label = vec![wrong.words().to_owned()];
                    graph.nodes.push(Node { mark: Mark::Failed, ..Node::new(Shape::State, label) });
                    graph.nodes.len() - 1
                }),
            };
            let mut label: Vec<String> = arrow.labels.iter().take(MAX_LINES).cloned().collect();
            if arrow.labels.len() > MAX_LINES {
                label.push(format!("and {} more", arrow.labels.len() - MAX_LINES));
            }
            let kind = arrow.kind.unwrap_or(EdgeKind::Move);
            let highlighted = path.contains(&(from, target));
            graph.edges.push(Edge { highlighted, ..Edge::new(from + 1, to, kind, label) });
        }
        graph
    }
}

const fn kind(kind: StepKind) -> EdgeKind {
    match kind {
        StepKind::Ask => EdgeKind::Ask,
        StepKind::Send => EdgeKind::Send,
        StepKind::Receive => EdgeKind::Receive,
        StepKind::Timeout => EdgeKind::Timeout,
        StepKind::Move | StepKind::Arrival => EdgeKind::Move,
        StepKind::Crash => EdgeKind::Crash,
    }
}

/// What an agent does in a step, in two or three words.
fn summary(teller: &Teller<'_>, step: &EnabledStep) -> String {
    let Observed { outcome, lost, .. } = &step.observed;
    match (&outcome.action, outcome.kind) {
        (Some(Action::Ask { point, .. }), _) => format!("asks {}", teller.procedure_of(*point)),
        (Some(Action::Send { point, .. }), _) => {
            let lost = if lost.is_empty() { "" } else { " (lost)" };
            format!("sends {}{lost}", teller.performative_of(*point))
        }
        (Some(Action::Receive { point, .. }), _) => format!("receives {}", teller.performative_of(*point)),
        (None, StepKind::Timeout) => "times out".to_owned(),
        (None, StepKind::Crash) => "crashes".to_owned(),
        (None, StepKind::Arrival) => "a message arrives".to_owned(),
        (None, _) => "moves on".to_owned(),
    }
}
