//! The breadth-first search over all states, and the steps of each state.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use map_diagnostics::Span;

use super::act::{self, Kind, Outcome, Trail, Wrong};
use super::cast::Setting;
use super::choice::Tree;
use super::state::{Control, Path, State, Status};

/// The kinds of violation, in the order that breaks ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Violation {
    Failure,
    Deadlock,
    Overflow,
    Runaway,
    RunError,
    Livelock,
}

/// The facts about a reachable state.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The length of the shortest traces to it.
    pub(super) distance: u32,
    /// Whether one of these is free of open comparisons.
    pub(super) clean: bool,
    pub(super) all_done: bool,
    pub(super) some_failed: bool,
    /// "Not all ended, none failed, and no step"; with whether that holds only under some outcomes of open comparisons.
    pub(super) deadlock: Option<Possible>,
    /// A step from here goes wrong.
    pub(super) wrong: bool,
    /// A step from here is cut.
    pub(super) cut: bool,
    /// "Nothing can happen but polls, and no timeout that is a step": the polls may be refused for ever.
    pub(super) polls: bool,
    /// The targets of steps that are neither crashes nor lose anything: only they count for reachability and for
    /// infinite runs.
    pub(super) successors: BTreeSet<usize>,
}

/// Whether something rests on an open comparison.
pub(super) type Possible = bool;

/// The results of the search.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) nodes: Vec<Node>,
    pub(super) complete: bool,
    pub(super) cut: bool,
    pub(super) transitions: usize,
    /// For each kind, the shortest length, and whether every trace of that length rests on an open comparison.
    pub(super) violations: BTreeMap<Violation, (u32, Possible)>,
    pub(super) operations: BTreeSet<Span>,
    pub(super) clauses: BTreeSet<usize>,
    pub(super) acted: BTreeSet<String>,
    pub(super) unread: BTreeSet<(String, usize, String)>,
}

impl Found {
    /// Nothing yet.
    pub(super) fn beginning() -> Self {
        Self { complete: true, ..Self::default() }
    }

    pub(super) fn violation(&mut self, kind: Violation, length: u32, possible: Possible) {
        match self.violations.get_mut(&kind) {
            Some((shortest, _)) if *shortest < length => {}
            Some((shortest, all_possible)) if *shortest == length => *all_possible &= possible,
            _ => {
                self.violations.insert(kind, (length, possible));
            }
        }
    }

    fn wrong(&mut self, wrong: Wrong, length: u32, possible: Possible) {
        let kind = match wrong {
            Wrong::Overflow => Violation::Overflow,
            Wrong::Runaway => Violation::Runaway,
            Wrong::RunError => Violation::RunError,
        };
        self.violation(kind, length, possible);
    }

    /// Notes what has run, be it in a step that goes wrong.
    fn ran(&mut self, trail: &Trail<'_>) {
        self.operations.extend(&trail.operations);
        self.clauses.extend(&trail.clauses);
    }

    fn leave(&mut self, setting: &Setting<'_>, trail: &Trail<'_>) {
        self.ran(trail);
        for &(performative, arity, recipient) in &trail.unread {
            self.unread.insert((performative.to_owned(), arity, setting.name(recipient).to_owned()));
        }
    }
}

/// Explores breadth-first, so that the first trace to a state is a shortest one.
pub(super) fn search<'a>(setting: &Setting<'a>, first: Vec<State<'a>>, mut found: Found) -> Found {
    let (mut states, mut numbers) = (Vec::new(), HashMap::new());
    for initial in first {
        if let Entry::Vacant(entry) = numbers.entry(initial) {
            states.push(entry.key().clone());
            entry.insert(states.len() - 1);
            found.nodes.push(Node { clean: true, ..Node::default() });
        }
    }
    let mut current = 0;
    while current < states.len() {
        if states.len() > setting.options.max_states {
            found.complete = false;
            break;
        }
        let state = states[current].clone();
        for Successor { next, open, fault } in expand(setting, &state, current, &mut found) {
            let (distance, clean) = (found.nodes[current].distance + 1, found.nodes[current].clean && !open);
            let number = match numbers.entry(next) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    states.push(entry.key().clone());
                    found.nodes.push(Node { distance, ..Node::default() });
                    *entry.insert(states.len() - 1)
                }
            };
            // All states of one distance are expanded before those of the next, so this is final before it is used.
            if found.nodes[number].distance == distance {
                found.nodes[number].clean |= clean;
            }
            if !fault {
                found.nodes[current].successors.insert(number);
            }
        }
        current += 1;
    }
    for (number, state) in states.iter().enumerate() {
        found.nodes[number].all_done = state.all_done();
        found.nodes[number].some_failed = state.some_failed();
        if state.some_failed() {
            let Node { distance, clean, .. } = found.nodes[number];
            found.violation(Violation::Failure, distance, !clean);
        }
    }
    found
}

/// The states before the first step, one for each choice of initial values; none if the way there is cut or goes wrong.
pub(super) fn initial_states<'a>(setting: &Setting<'a>, found: &mut Found) -> Vec<State<'a>> {
    let mut states = vec![State { agents: Vec::new(), lost: 0 }];
    for agent in 0..setting.cast.agents.len() {
        let mut longer = Vec::new();
        for memory in setting.memories(agent) {
            let own = match act::first_places(setting, agent, memory) {
                Ok((own, trail)) => {
                    found.leave(setting, &trail);
                    if own.status == Status::Failed {
                        found.violation(Violation::Failure, 0, false);
                    }
                    own
                }
                Err(Outcome::Cut) => {
                    found.cut = true;
                    continue;
                }
                Err(Outcome::Wrong(wrong, trail)) => {
                    found.ran(&trail);
                    found.wrong(wrong, 0, false);
                    continue;
                }
                Err(_) => unreachable!("the silent way has no other end"),
            };
            longer.extend(states.iter().cloned().map(|mut state| {
                state.agents.push(own.clone());
                state
            }));
        }
        states = longer;
    }
    let unordered = setting.options.unordered;
    states.into_iter().map(|state| state.canonical(unordered)).collect()
}

/// A thread that has not ended, with everything it may do.
pub(super) struct ThreadSteps<'a> {
    pub(super) agent: usize,
    path: Path,
    /// Whose message arrives with its act, if it stands for a way from that agent.
    pub(super) sender: Option<usize>,
    pub(super) act: Tree<Outcome<'a>>,
    pub(super) timeout: Option<Tree<Outcome<'a>>>,
    /// "Waiting if its act may come to nothing", and whether that rests on an open comparison.
    pub(super) waiting: Option<Possible>,
}

/// A successor of a state.
struct Successor<'a> {
    next: State<'a>,
    /// Whether it exists only under some outcomes of open comparisons.
    open: Possible,
    fault: bool,
}

/// The distinct successors of a state. Steps that go wrong or are cut, and deadlocks, are recorded in `found`.
fn expand<'a>(
    setting: &Setting<'a>,
    state: &State<'a>,
    number: usize,
    found: &mut Found,
) -> Vec<Successor<'a>> {
    let threads = threads(setting, state);
    let mut transitions: HashMap<(usize, &Path, Kind, &State<'a>), usize> = HashMap::new();
    let mut made: Vec<Successor<'a>> = Vec::new();
    let mut still = true;
    let (mut acts, mut surely_times_out) = (false, false);
    let nothing = |outcome: &Outcome<'_>| matches!(outcome, Outcome::Nothing);
    for thread in &threads {
        let mut outcomes = thread.act.leaves();
        acts |= outcomes.iter().any(|(outcome, _)| !nothing(outcome));
        if let (Some(timeout), Some(early)) = (&thread.timeout, may_fire(setting, &threads, thread)) {
            let late: Vec<_> =
                timeout.leaves().into_iter().map(|(outcome, open)| (outcome, open || early)).collect();
            surely_times_out |=
                late.iter().any(|(outcome, _)| !nothing(outcome)) && !timeout.comparisons_may_force(&nothing);
            outcomes.extend(late);
        }
        let length = found.nodes[number].distance + 1;
        let clean = found.nodes[number].clean;
        for (outcome, open) in outcomes {
            let acts = match outcome {
                Outcome::Step(step) => step.kind != Kind::Arrival,
                Outcome::Wrong(..) => true,
                Outcome::Nothing | Outcome::Cut => false,
            };
            if acts {
                found.acted.insert(setting.name(thread.agent).to_owned());
            }
            match outcome {
                Outcome::Nothing => continue,
                Outcome::Cut => {
                    found.cut = true;
                    found.nodes[number].cut = true;
                }
                Outcome::Wrong(wrong, trail) => {
                    found.ran(trail);
                    found.wrong(*wrong, length, open || !clean);
                    found.nodes[number].wrong = true;
                }
                Outcome::Step(step) => {
                    found.leave(setting, &step.trail);
                    match transitions.entry((thread.agent, &thread.path, step.kind, &step.next)) {
                        // "A transition that exists both with and without open comparisons counts as without."
                        Entry::Occupied(entry) => made[*entry.get()].open &= open,
                        Entry::Vacant(entry) => {
                            entry.insert(made.len());
                            made.push(Successor { next: step.next.clone(), open, fault: step.fault });
                        }
                    }
                }
            }
            still = false;
        }
    }
    // "A state is a deadlock if crashes are all that can happen": they are no reason not to stand still.
    for step in act::crashes(setting, state) {
        made.push(Successor { next: step.next, open: false, fault: step.fault });
    }
    found.transitions += made.len();
    if threads.is_empty() {
        return made;
    }
    // "If that is open, for a timeout may change nothing, it counts as one, too."
    found.nodes[number].polls =
        acts && !surely_times_out && threads.iter().all(|thread| thread.waiting.is_some());
    if !state.some_failed() && (still || may_stand_still(setting, &threads)) {
        note_deadlock(setting, state, number, !still, found);
    }
    made
}

pub(super) fn threads<'a>(setting: &Setting<'a>, state: &State<'a>) -> Vec<ThreadSteps<'a>> {
    let mut threads = Vec::new();
    for (agent, own) in state.agents.iter().enumerate() {
        let Status::Running(root) = &own.status else { continue };
        for path in root.leaves() {
            let act = act::act(setting, state, agent, &path);
            let timeout = act::timeout(setting, state, agent, &path);
            let nothing = act.leaves().into_iter().filter(|(it, _)| matches!(it, Outcome::Nothing));
            let waiting = nothing.map(|(_, open)| open).min();
            let waiting = if root.at(&path).control == Control::Waiting { waiting } else { None };
            threads.push(ThreadSteps { agent, path, sender: None, act, timeout, waiting });
        }
        // "Time does not run out while a message is under way": arrivals are like a thread that never waits.
        for (sender, act) in act::arrivals(setting, state, agent) {
            let (path, sender) = (Path::new(), Some(sender));
            threads.push(ThreadSteps { agent, path, sender, act, timeout: None, waiting: None });
        }
    }
    threads
}

/// Whether the timeout of a waiting thread can fire: `Some` of whether that rests on an open comparison.
/// "A timeout can fire when every thread that has not ended is waiting" or, with `any`, "whenever its own thread is".
pub(super) fn may_fire(
    setting: &Setting<'_>,
    threads: &[ThreadSteps<'_>],
    own: &ThreadSteps<'_>,
) -> Option<Possible> {
    if setting.options.any_time {
        return own.waiting;
    }
    threads.iter().try_fold(false, |open, thread| thread.waiting.map(|waiting| open || waiting))
}

/// Whether some outcomes of the open comparisons leave no thread a step, whatever the answers. A timeout that cannot
/// fire under any outcome does not count. One that can fires then, because its own thread and those it depends on come
/// to nothing.
pub(super) fn may_stand_still(setting: &Setting<'_>, threads: &[ThreadSteps<'_>]) -> bool {
    let nothing = |outcome: &Outcome<'_>| matches!(outcome, Outcome::Nothing);
    threads.iter().all(|thread| {
        let timeout = thread.timeout.as_ref().filter(|_| may_fire(setting, threads, thread).is_some());
        thread.act.comparisons_may_force(&nothing)
            && timeout.is_none_or(|it| it.comparisons_may_force(&nothing))
    })
}

fn note_deadlock(
    setting: &Setting<'_>,
    state: &State<'_>,
    number: usize,
    possible: Possible,
    found: &mut Found,
) {
    found.nodes[number].deadlock = Some(possible);
    let Node { distance, clean, .. } = found.nodes[number];
    found.violation(Violation::Deadlock, distance, possible || !clean);
    for (agent, own) in state.agents.iter().enumerate() {
        for message in &own.mailbox {
            let recipient = setting.name(agent).to_owned();
            found.unread.insert((message.performative.to_owned(), message.arguments.len(), recipient));
        }
    }
}
