//! The state graph as properties see it.

use std::collections::{BTreeSet, HashMap};

use super::super::act::{Happening, Kind, Outcome, crashes};
use super::super::cast::Setting;
use super::super::search::{Found, ThreadSteps, initial_states, may_fire, may_stand_still, threads};
use super::super::state::State;
use super::past::{Memory, Past, PastMoment};

/// A moment: a step, or none, and the state it leads to.
#[derive(Clone, Debug)]
pub(super) struct Edge<'a> {
    pub(super) target: usize,
    /// The agent that took the step; `None` where a run stays where it is.
    pub(super) agent: Option<usize>,
    /// Whose turn it was: the agent, or the way from a sender to the agent; both numbered.
    pub(super) turn: Option<usize>,
    pub(super) timeout: bool,
    pub(super) happened: Vec<Happening<'a>>,
    /// Whether it is a crash, or a send that loses some copy.
    pub(super) fault: bool,
    /// Whether it exists only under some outcomes of open comparisons.
    pub(super) open: bool,
    /// Whether it is a step of a thread that polls, whatever the outcomes of comparisons.
    pub(super) poll: bool,
    /// The state it leads to.
    pub(super) state: State<'a>,
    /// For each agent, whether it waits in that state.
    pub(super) waiting: Vec<bool>,
    /// The moments before, if the formula looks back.
    pub(super) past: Past<'a>,
}

/// A state, or a copy of one in which a run stays for ever.
#[derive(Debug)]
pub(super) struct Node<'a> {
    state: State<'a>,
    past: Past<'a>,
    waiting: Vec<bool>,
    pub(super) cut: bool,
    /// Whether a run that stays here is one whose polls are answered "no" for ever.
    pub(super) refused: bool,
    /// The agents and ways that have a step, successful or not, that is more than a poll.
    pub(super) enabled: BTreeSet<usize>,
    /// The same under the outcomes of open comparisons that give the most of them such a step.
    pub(super) enabled_at_most: BTreeSet<usize>,
    pub(super) edges: Vec<Edge<'a>>,
}

/// The graph; the initial states come first.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) initial: usize,
    /// The number of states; the other nodes are copies of them in which a run stays.
    pub(super) states: usize,
    /// Whether in some state an agent waits or not, depending on open comparisons.
    pub(super) waits_in_doubt: bool,
    pub(super) nodes: Vec<Node<'a>>,
}

/// The states found so far.
struct States<'a, 'm> {
    memory: Option<&'m Memory>,
    states: Vec<(State<'a>, Past<'a>)>,
    numbers: HashMap<(State<'a>, Past<'a>), usize>,
    /// The past of the state being expanded.
    past: Past<'a>,
}

impl<'a> States<'a, '_> {
    /// The number of a state after a step.
    fn number(&mut self, state: &State<'a>, step: PastMoment<'a>) -> usize {
        let past = self.memory.map_or_else(Past::new, |memory| memory.after(&self.past, step));
        *self.numbers.entry((state.clone(), past.clone())).or_insert_with(|| {
            self.states.push((state.clone(), past));
            self.states.len() - 1
        })
    }
}

/// Everything that can happen in a state.
#[derive(Default)]
struct Expansion<'a> {
    waiting: Vec<bool>,
    waits_in_doubt: bool,
    steps: Vec<Step<'a>>,
    cut: bool,
    enabled: BTreeSet<usize>,
    enabled_at_most: BTreeSet<usize>,
}

/// Something that can happen in a state.
struct Step<'a> {
    destination: Destination,
    agent: Option<usize>,
    turn: Option<usize>,
    timeout: bool,
    happened: Vec<Happening<'a>>,
    fault: bool,
    open: bool,
    poll: bool,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
enum Destination {
    To(usize),
    /// The run stays where it is: either its polls are refused for ever, or it is at its end.
    Stays {
        refused: bool,
    },
}

impl<'a> Graph<'a> {
    /// For formulas with this memory; `None` if there are too many states, or no first one.
    pub(super) fn new(setting: &Setting<'a>, memory: Option<&Memory>) -> Option<Self> {
        let mut states = States { memory, states: Vec::new(), numbers: HashMap::new(), past: Past::new() };
        for state in initial_states(setting, &mut Found::default()) {
            let nothing = PastMoment { agent: None, timeout: false, happened: Vec::new() };
            states.number(&state, nothing);
        }
        Self::explored(setting, states)
    }

    /// The graph of all that can happen from a node of this one on.
    pub(super) fn beginning_at(
        &self,
        setting: &Setting<'a>,
        memory: Option<&Memory>,
        node: usize,
    ) -> Option<Self> {
        let Node { state, past, .. } = &self.nodes[node];
        let first = (state.clone(), past.clone());
        let numbers = HashMap::from([(first.clone(), 0)]);
        Self::explored(setting, States { memory, states: vec![first], numbers, past: Past::new() })
    }

    /// The state of a node.
    pub(super) fn state(&self, node: usize) -> &State<'a> {
        &self.nodes[node].state
    }

    fn explored(setting: &Setting<'a>, mut states: States<'a, '_>) -> Option<Self> {
        let initial = states.states.len();
        if initial == 0 {
            return None;
        }
        let mut expansions: Vec<Expansion<'a>> = Vec::new();
        while expansions.len() < states.states.len() {
            if states.states.len() > setting.options.max_states {
                return None;
            }
            let (state, past) = states.states[expansions.len()].clone();
            states.past = past;
            expansions.push(expand(setting, &state, &mut states));
        }
        Some(Self::joined(initial, &states.states, expansions))
    }

    /// Builds the graph. A run that stays where it is does so for ever, in a node of its own.
    fn joined(initial: usize, states: &[(State<'a>, Past<'a>)], expansions: Vec<Expansion<'a>>) -> Self {
        let waiting: Vec<Vec<bool>> = expansions.iter().map(|it| it.waiting.clone()).collect();
        let waits_in_doubt = expansions.iter().any(|it| it.waits_in_doubt);
        let mut nodes: Vec<Node<'a>> = Vec::new();
        let mut ends: Vec<Node<'a>> = Vec::new();
        for (number, here) in expansions.into_iter().enumerate() {
            let past = &states[number].1;
            let mut edges = Vec::new();
            for step in here.steps {
                let Step { destination, agent, turn, timeout, happened, fault, open, poll } = step;
                let (target, at) = match destination {
                    Destination::To(target) => (target, target),
                    Destination::Stays { refused } => {
                        let target = states.len() + ends.len();
                        ends.push(Self::end(target, &states[number], &waiting[number], refused));
                        (target, number)
                    }
                };
                let (state, waiting) = (states[at].0.clone(), waiting[at].clone());
                let past = past.clone();
                edges.push(Edge {
                    target,
                    agent,
                    turn,
                    timeout,
                    happened,
                    fault,
                    open,
                    poll,
                    state,
                    waiting,
                    past,
                });
            }
            nodes.push(Node {
                state: states[number].0.clone(),
                past: past.clone(),
                waiting: waiting[number].clone(),
                cut: here.cut,
                refused: false,
                enabled: here.enabled,
                enabled_at_most: here.enabled_at_most,
                edges,
            });
        }
        nodes.extend(ends);
        Self { initial, states: states.len(), waits_in_doubt, nodes }
    }

    fn end(
        number: usize,
        (state, past): &(State<'a>, Past<'a>),
        waiting: &[bool],
        refused: bool,
    ) -> Node<'a> {
        let stays = moment_of(number, state, waiting, past);
        Node {
            state: state.clone(),
            past: past.clone(),
            waiting: waiting.to_vec(),
            cut: false,
            refused,
            enabled: BTreeSet::new(),
            enabled_at_most: BTreeSet::new(),
            edges: vec![stays],
        }
    }

    /// The first moments of all runs. "At the first moment no event has happened."
    pub(super) fn first_moments(&self) -> impl Iterator<Item = Edge<'a>> + '_ {
        let initial = self.nodes[..self.initial].iter().enumerate();
        initial.map(|(number, node)| moment_of(number, &node.state, &node.waiting, &node.past))
    }

    /// The edges of a node but one by which a run has its polls refused for ever where it could go on.
    pub(super) fn drawn<'n>(&'n self, node: &'n Node<'a>) -> impl Iterator<Item = &'n Edge<'a>> {
        let others = node.cut || node.edges.iter().filter(|other| !other.fault).count() > 1;
        node.edges
            .iter()
            .filter(move |edge| !(edge.agent.is_none() && self.nodes[edge.target].refused && others))
    }

    /// Whether anything rests on open comparisons.
    pub(super) fn has_doubts(&self) -> bool {
        let doubtful =
            |node: &Node<'_>| node.enabled != node.enabled_at_most || node.edges.iter().any(|it| it.open);
        self.nodes.iter().any(doubtful)
    }

    /// For each node, whether the goal can be reached from it "without further crashes and losses". A node with a cut
    /// step counts as reaching it.
    pub(super) fn can_reach(&self, goal: &dyn Fn(&Edge<'_>) -> bool) -> Vec<bool> {
        let mut sources = vec![Vec::new(); self.nodes.len()];
        let mut reaches = vec![false; self.nodes.len()];
        let mut todo = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let mut reached = node.cut;
            for edge in self.drawn(node).filter(|edge| !edge.fault) {
                sources[edge.target].push(number);
                reached |= goal(edge);
            }
            if reached {
                todo.push(number);
            }
        }
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut reaches[node], true) {
                todo.extend(&sources[node]);
            }
        }
        reaches
    }
}

/// A moment without a step.
fn moment_of<'a>(target: usize, state: &State<'a>, waiting: &[bool], past: &Past<'a>) -> Edge<'a> {
    Edge {
        target,
        agent: None,
        turn: None,
        timeout: false,
        happened: Vec::new(),
        fault: false,
        open: false,
        poll: false,
        state: state.clone(),
        waiting: waiting.to_vec(),
        past: past.clone(),
    }
}

/// Whose turn the acts of a thread are: "to each way from one agent to another as if it were an agent".
fn turn_of(setting: &Setting<'_>, thread: &ThreadSteps<'_>) -> usize {
    let agents = setting.cast.agents.len();
    thread.sender.map_or(thread.agent, |sender| agents + sender * agents + thread.agent)
}

fn expand<'a>(setting: &Setting<'a>, state: &State<'a>, states: &mut States<'a, '_>) -> Expansion<'a> {
    let threads = threads(setting, state);
    let waits = |agent: usize| {
        let mut own = threads.iter().filter(|thread| thread.agent == agent).peekable();
        own.peek().is_some() && own.all(|thread| thread.waiting.is_some())
    };
    let waiting: Vec<bool> = (0..state.agents.len()).map(waits).collect();
    let waits_in_doubt = threads.iter().any(|thread| waiting[thread.agent] && thread.waiting == Some(true));
    let mut here = Expansion { waiting, waits_in_doubt, ..Expansion::default() };
    let (mut timeouts, mut surely_times_out) = (false, false);
    let mut steps = false;
    let nothing = |outcome: &Outcome<'_>| matches!(outcome, Outcome::Nothing);
    for thread in &threads {
        let acts = here.add((thread, turn_of(setting, thread)), thread.act.leaves(), false, states);
        if acts {
            // "Such a thread polls." Whether it does may be open, and so may be whether it has a step at all.
            if thread.waiting.is_none() && !thread.act.comparisons_may_force(&nothing) {
                here.enabled.insert(turn_of(setting, thread));
            }
            if thread.waiting != Some(false) {
                here.enabled_at_most.insert(turn_of(setting, thread));
            }
        }
        steps |= acts;
        if let (Some(timeout), Some(early)) = (&thread.timeout, may_fire(setting, &threads, thread)) {
            let late = timeout.leaves().into_iter().map(|(outcome, open)| (outcome, open || early));
            if here.add((thread, turn_of(setting, thread)), late.collect(), true, states) {
                surely_times_out |= !timeout.comparisons_may_force(&nothing);
                if !early && !timeout.comparisons_may_force(&nothing) {
                    here.enabled.insert(turn_of(setting, thread));
                }
                here.enabled_at_most.insert(turn_of(setting, thread));
                timeouts = true;
            }
        }
    }
    let acts = steps;
    steps |= timeouts;
    let all_wait = threads.iter().all(|thread| thread.waiting.is_some());
    if !steps {
        // "After its last step a run stays where it is."
        here.stays(false, false);
    } else if all_wait && acts && !surely_times_out {
        // "So does a run in which nothing can happen but polls that are answered no."
        here.stays(true, timeouts || threads.iter().any(|thread| thread.waiting == Some(true)));
    }
    if steps && may_stand_still(setting, &threads) {
        // "So does a run in which open comparisons come out so that nothing more can happen."
        here.stays(false, true);
    }
    for step in crashes(setting, state) {
        let agent =
            (0..state.agents.len()).find(|&it| step.next.agents[it].status != state.agents[it].status);
        here.steps.push(Step {
            destination: Destination::To({
                let nothing = PastMoment { agent: None, timeout: false, happened: Vec::new() };
                states.number(&step.next, nothing)
            }),
            agent,
            turn: agent,
            timeout: false,
            happened: Vec::new(),
            fault: step.fault,
            open: false,
            poll: false,
        });
    }
    here
}

impl<'a> Expansion<'a> {
    /// Adds the steps of a thread; returns whether there are any.
    fn add(
        &mut self,
        (thread, turn): (&ThreadSteps<'a>, usize),
        outcomes: Vec<(&Outcome<'a>, bool)>,
        late: bool,
        states: &mut States<'a, '_>,
    ) -> bool {
        let mut any = false;
        for (outcome, open) in outcomes {
            let poll = !late && thread.waiting == Some(false);
            let step = |destination, timeout, happened, fault| Step {
                destination,
                agent: Some(thread.agent),
                turn: Some(turn),
                timeout,
                happened,
                fault,
                open,
                poll,
            };
            match outcome {
                Outcome::Nothing => continue,
                Outcome::Cut => self.cut = true,
                // "A step that goes wrong ends its run."
                Outcome::Wrong(..) => {
                    self.steps.push(step(Destination::Stays { refused: false }, false, Vec::new(), false));
                }
                Outcome::Step(made) => {
                    let timeout = made.kind == Kind::Timeout || late;
                    let happened = made.trail.happened.clone();
                    let past = PastMoment { agent: Some(thread.agent), timeout, happened };
                    let destination = Destination::To(states.number(&made.next, past));
                    self.steps.push(step(destination, timeout, made.trail.happened.clone(), made.fault));
                }
            }
            any = true;
        }
        any
    }

    fn stays(&mut self, refused: bool, open: bool) {
        self.steps.push(Step {
            destination: Destination::Stays { refused },
            agent: None,
            turn: None,
            timeout: false,
            happened: Vec::new(),
            fault: false,
            open,
            poll: false,
        });
    }
}
