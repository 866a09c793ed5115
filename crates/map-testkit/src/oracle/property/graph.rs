//! The states with all that can happen in them, as properties see it.

use std::collections::HashMap;

use super::super::act::{Happening, Kind, Outcome, crashes};
use super::super::cast::Setting;
use super::super::search::{Found, initial_state, may_fire, may_stand_still, threads};
use super::super::state::State;

/// A moment: a step, or none, and the state it leads to.
#[derive(Clone, Debug)]
pub(super) struct Edge<'a> {
    pub(super) target: usize,
    /// Who made the step; `None` where a run stays where it is.
    pub(super) agent: Option<usize>,
    pub(super) timeout: bool,
    pub(super) happened: Vec<Happening<'a>>,
    /// A crash, or a send of which some copy is lost.
    pub(super) bad_luck: bool,
    /// The state it leads to.
    pub(super) state: State<'a>,
    /// Which of its agents wait.
    pub(super) waiting: Vec<bool>,
}

/// A state, or the end of a run in a step that went wrong.
#[derive(Debug)]
pub(super) struct Node<'a> {
    state: State<'a>,
    waiting: Vec<bool>,
    pub(super) cut: bool,
    /// The agents that have a step, made or not, that is more than a poll.
    pub(super) enabled: Vec<usize>,
    pub(super) edges: Vec<Edge<'a>>,
}

/// All of them; the first state is node 0.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) nodes: Vec<Node<'a>>,
}

impl<'a> Graph<'a> {
    /// `None` if there are too many states, or no first one.
    pub(super) fn new(setting: &Setting<'a>) -> Option<Self> {
        let first = initial_state(setting, &mut Found::default())?;
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut states = vec![first];
        let mut made: Vec<Steps<'a>> = Vec::new();
        let (mut waiting, mut cuts, mut enabled) = (Vec::new(), Vec::new(), Vec::new());
        while made.len() < states.len() {
            if states.len() > setting.options.max_states {
                return None;
            }
            let state = states[made.len()].clone();
            let threads = threads(setting, &state);
            let waits = |agent: usize| {
                let mut own = threads.iter().filter(|thread| thread.agent == agent).peekable();
                own.peek().is_some() && own.all(|thread| thread.waiting.is_some())
            };
            waiting.push((0..state.agents.len()).map(waits).collect::<Vec<bool>>());
            let (mut edges, mut must) = (Vec::new(), Vec::new());
            let (mut cut, mut steps, mut timeouts) = (false, false, false);
            for thread in &threads {
                let mut outcomes: Vec<(&Outcome<'a>, bool)> =
                    thread.act.leaves().into_iter().map(|(outcome, _)| (outcome, false)).collect();
                if let (Some(timeout), Some(_)) = (&thread.timeout, may_fire(setting, &threads, thread)) {
                    outcomes.extend(timeout.leaves().into_iter().map(|(outcome, _)| (outcome, true)));
                }
                for (outcome, late) in outcomes {
                    let agent = Some(thread.agent);
                    match outcome {
                        Outcome::Nothing => continue,
                        Outcome::Cut => cut = true,
                        Outcome::Wrong(_) => edges.push((agent, false, Vec::new(), Goes::Wrong, false)),
                        Outcome::Step(step) => {
                            let number = *numbers.entry(step.next.clone()).or_insert_with(|| {
                                states.push(step.next.clone());
                                states.len() - 1
                            });
                            let happened = step.trail.happened.clone();
                            edges.push((
                                agent,
                                step.kind == Kind::Timeout || late,
                                happened,
                                Goes::To(number),
                                step.bad_luck,
                            ));
                        }
                    }
                    if late || thread.waiting.is_none() {
                        must.push(thread.agent);
                    }
                    steps = true;
                    timeouts |= late;
                }
            }
            let all_wait = threads.iter().all(|thread| thread.waiting.is_some());
            if !steps || (all_wait && !timeouts) {
                edges.push((None, false, Vec::new(), Goes::To(made.len()), false));
            } else if !state.some_failed() && may_stand_still(setting, &threads) {
                edges.push((None, false, Vec::new(), Goes::Wrong, false));
            }
            for step in crashes(setting, &state) {
                let agent = (0..state.agents.len())
                    .find(|&it| step.next.agents[it].status != state.agents[it].status);
                let number = *numbers.entry(step.next.clone()).or_insert_with(|| {
                    states.push(step.next.clone());
                    states.len() - 1
                });
                edges.push((agent, false, Vec::new(), Goes::To(number), step.bad_luck));
            }
            made.push(edges);
            cuts.push(cut);
            enabled.push(must);
        }
        Some(Self::joined(&states, &waiting, &cuts, enabled, made))
    }

    fn joined(
        states: &[State<'a>],
        waiting: &[Vec<bool>],
        cuts: &[bool],
        enabled: Vec<Vec<usize>>,
        made: Vec<Steps<'a>>,
    ) -> Self {
        let mut nodes: Vec<Node<'a>> = Vec::new();
        let mut ends: Vec<Node<'a>> = Vec::new();
        for (number, (edges, enabled)) in made.into_iter().zip(enabled).enumerate() {
            let edges = edges
                .into_iter()
                .map(|(agent, timeout, happened, goes, bad_luck)| {
                    let (target, at) = match goes {
                        Goes::To(target) => (target, target),
                        Goes::Wrong => {
                            let target = states.len() + ends.len();
                            let stays = Edge {
                                target,
                                agent: None,
                                timeout: false,
                                happened: Vec::new(),
                                bad_luck: false,
                                state: states[number].clone(),
                                waiting: waiting[number].clone(),
                            };
                            ends.push(Node {
                                state: states[number].clone(),
                                waiting: waiting[number].clone(),
                                cut: false,
                                enabled: Vec::new(),
                                edges: vec![stays],
                            });
                            (target, number)
                        }
                    };
                    let (state, waiting) = (states[at].clone(), waiting[at].clone());
                    Edge { target, agent, timeout, happened, bad_luck, state, waiting }
                })
                .collect();
            nodes.push(Node {
                state: states[number].clone(),
                waiting: waiting[number].clone(),
                cut: cuts[number],
                enabled,
                edges,
            });
        }
        nodes.extend(ends);
        Self { nodes }
    }

    /// "At the first moment no event has happened."
    pub(super) fn first_moment(&self) -> Edge<'a> {
        let Node { state, waiting, .. } = &self.nodes[0];
        let (state, waiting) = (state.clone(), waiting.clone());
        Edge { target: 0, agent: None, timeout: false, happened: Vec::new(), bad_luck: false, state, waiting }
    }

    /// All nodes that can be reached from one, itself included.
    pub(super) fn reached_from(&self, node: usize) -> Vec<usize> {
        self.reached_through(vec![node], &|_| true)
    }

    /// All nodes that can be reached through such moments, the starts included.
    pub(super) fn reached_through(
        &self,
        starts: Vec<usize>,
        through: &dyn Fn(&Edge<'_>) -> bool,
    ) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let (mut todo, mut reached) = (starts, Vec::new());
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                reached.push(node);
                todo.extend(self.nodes[node].edges.iter().filter(|it| through(it)).map(|it| it.target));
            }
        }
        reached
    }
}

/// What a state can do: by whom, whether it is a timeout, what happens, where it leads, whether it is bad luck.
type Steps<'a> = Vec<(Option<usize>, bool, Vec<Happening<'a>>, Goes, bool)>;

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
enum Goes {
    To(usize),
    /// The run ends in it: it goes wrong, or open comparisons come out so that nothing more can happen.
    Wrong,
}
