//! One search for several properties: the step relation, breadth first, with the letter of every transition.

use std::collections::BTreeSet;

use map_graph::BitSet;
use map_ir::{AgentId, Properties};
use map_semantics::{BoundHit, Ending, StepKind, Timeouts};

use super::graph::{LabelledGraph, LetterId, NOBODY, Nature, Transition};
use super::letters::{EventsId, Letters, RowId};
use super::reach;
use super::states::States;
use crate::agents::StateId;
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::state::Scratch;
use crate::state::space::{Judgement, Next, Space, Successor};

/// How often the caller is asked whether to go on, in states.
const TICK: usize = 1 << 12;

/// How often the memory in use is counted, in states. What the search for one run that shows something takes is counted
/// with it.
const MEMORY_CHECK: usize = 1 << 6;

/// The reachable states with the letters of all transitions, as far as the search got.
pub(super) struct Explored<'a> {
    pub(super) space: Space<'a>,
    pub(super) store: States,
    pub(super) graph: LabelledGraph,
    pub(super) letters: Letters<'a>,
    /// Whether every reachable state was expanded.
    pub(super) searched: bool,
    /// There is no first state, because the way there is a runaway recursion.
    pub(super) runaway: bool,
    pub(super) limit: Option<Limit>,
    pub(super) cut_by: Vec<BoundHit>,
    pub(super) statistics: Snapshot,
}

/// How a step of the state being expanded came out.
#[derive(PartialEq, Eq)]
enum Came {
    To(u32),
    Cut,
    Wrong,
}

struct Found {
    agent: AgentId,
    local: StateId,
    thread: u32,
    kind: StepKind,
    events: EventsId,
    came: Came,
    nature: Nature,
}

/// Of which agents a fair run has to take account in a state, as bits.
struct Turns {
    /// Those that have a step which is no poll, however open comparisons come out.
    enabled: BitSet,
    /// Those that have one if they come out so.
    at_most: BitSet,
}

struct Explorer<'a> {
    explored: Explored<'a>,
    /// What holds in each stored state.
    rows: Vec<RowId>,
    expanded: usize,
    too_long: bool,
    cut_by: BTreeSet<BoundHit>,
    transitions: usize,
    depth: usize,
    level_end: usize,
    scratch: Scratch,
}

/// Explores the scene. `decided` is asked after every level whether the letters seen so far decide everything.
pub(super) fn explore<'a>(
    space: Space<'a>,
    properties: &'a Properties,
    limits: &Limits,
    decided: impl Fn(&LabelledGraph) -> bool,
    progress: &mut dyn Progress,
) -> Explored<'a> {
    let (program, agents) = (space.program, space.program.agents.len());
    let mut explorer = Explorer {
        explored: Explored {
            space,
            store: States::default(),
            graph: LabelledGraph::default(),
            letters: Letters::new(program, properties),
            searched: false,
            runaway: false,
            limit: None,
            cut_by: Vec::new(),
            statistics: Snapshot::default(),
        },
        rows: Vec::new(),
        expanded: 0,
        too_long: false,
        cut_by: BTreeSet::new(),
        transitions: 0,
        depth: 0,
        level_end: 1,
        scratch: Scratch::default(),
    };
    explorer.start();
    explorer.run(limits, decided, progress);
    explorer.finish(agents)
}

impl<'a> Explorer<'a> {
    fn start(&mut self) {
        let it = &mut self.explored;
        let (state, outcomes) = it.space.start();
        for outcome in outcomes {
            match outcome.ending {
                Ending::Cut(bound) => {
                    self.cut_by.insert(bound);
                }
                Ending::TooLong(_) => self.too_long = true,
                Ending::Runaway(_) => it.runaway = true,
                Ending::State(_) | Ending::Nothing | Ending::RunError(_) => {}
            }
        }
        match state {
            Some(state) => {
                it.store.insert(&state);
                let row = it.letters.row(&mut it.space, &state);
                let letter = it.letters.letter(&mut it.graph, Letters::NOTHING, row);
                it.graph.set_initial(letter);
                self.rows.push(row);
            }
            None if it.runaway => {}
            None => it.limit = Some(if self.too_long { Limit::Calls } else { Limit::NoFirstState }),
        }
    }

    fn run(
        &mut self,
        limits: &Limits,
        decided: impl Fn(&LabelledGraph) -> bool,
        progress: &mut dyn Progress,
    ) {
        let mut state = Vec::new();
        // Without a first state there is nothing to be decided.
        if self.explored.store.len() == 0 || self.explored.limit.is_none() && decided(&self.explored.graph) {
            return;
        }
        while self.explored.limit.is_none() && self.expanded < self.explored.store.len() {
            if self.expanded == self.level_end {
                self.depth += 1;
                self.level_end = self.explored.store.len();
                if decided(&self.explored.graph) {
                    return;
                }
            }
            self.explored.limit = self.limit_reached(limits, progress);
            if self.explored.limit.is_some() {
                return;
            }
            state.clear();
            state.extend_from_slice(self.explored.store.get(self.expanded));
            self.expand(&state);
            self.expanded += 1;
        }
    }

    fn limit_reached(&self, limits: &Limits, progress: &mut dyn Progress) -> Option<Limit> {
        if self.explored.store.len() > limits.states {
            return Some(Limit::States);
        }
        let reserve = reach::BYTES_PER_PAIR * 2 * self.explored.store.len();
        if self.expanded.is_multiple_of(MEMORY_CHECK) && self.bytes() + reserve > limits.memory {
            return Some(Limit::Memory);
        }
        if self.expanded.is_multiple_of(TICK) { progress.tick(&self.snapshot()) } else { None }
    }

    fn expand(&mut self, state: &[u32]) {
        let Self { explored, rows, .. } = self;
        let Explored { space, store, graph, letters, .. } = explored;
        for (_, id, _) in space.local_states(state) {
            letters.prepare(space, id);
        }
        let mut found: Vec<Found> = Vec::new();
        let (cut_by, too_long) = (&mut self.cut_by, &mut self.too_long);
        let each = |found: &mut Vec<Found>, successor: &mut Successor<'_>| {
            let came = match successor.result {
                Next::State(next) => Came::To(store.insert(next).0),
                Next::Cut(bound) => {
                    cut_by.insert(bound);
                    Came::Cut
                }
                Next::TooLong => {
                    *too_long = true;
                    Came::Cut
                }
                Next::Overflow | Next::Runaway | Next::RunError => Came::Wrong,
            };
            let (agent, step) = (successor.agent, successor.step);
            let events = letters.events(successor.local, &step);
            let (thread, kind) = (step.label.thread, step.label.kind);
            // Whether it is a poll is looked up when all is known of the state.
            let nature = Nature { unlucky: successor.unlucky, open: successor.compared, ..Nature::default() };
            found.push(Found { agent, local: successor.local, thread, kind, events, came, nature });
        };
        let judgement = space.expand_alone(&mut self.scratch, state, &mut found, Vec::clear, each);
        while rows.len() < store.len() {
            let row = letters.row(space, store.get(rows.len()));
            rows.push(row);
        }

        let nothing = found.iter().all(|it| it.kind == StepKind::Crash);
        let stays = nothing || judgement.only_polls;
        let halts = judgement.may_stand_still && !nothing;
        // Only what is a moment of some run gets a letter: properties are decided by single letters, too.
        let staying = (stays || halts || found.iter().any(|it| it.came == Came::Wrong))
            .then(|| letters.letter(graph, Letters::NOTHING, rows[self.expanded]));
        let turns = turns(space, &mut found, judgement);
        let mut cut = false;
        for Found { agent, events, came, nature, .. } in &found {
            let agent = agent.index() as u32;
            match came {
                Came::To(target) => {
                    let letter = letters.letter(graph, *events, rows[*target as usize]);
                    graph.push(Transition { agent, target: *target, letter }, *nature);
                    self.transitions += 1;
                }
                Came::Cut => cut = true,
                Came::Wrong => staying.iter().for_each(|&it| graph.push_halt(agent, it, *nature)),
            }
        }
        if let Some(letter) = staying {
            // To be refused for ever is one thing; that comparisons leave nothing that could happen is another.
            let open = !nothing && judgement.waiting_compared;
            if stays && !(open && halts) {
                let target = self.expanded as u32;
                graph
                    .push(Transition { agent: NOBODY, target, letter }, Nature { open, ..Nature::default() });
            }
            if halts {
                graph.push_halt(NOBODY, letter, Nature { open: true, ..Nature::default() });
            }
        }
        if turns.at_most != turns.enabled {
            graph.enable_at_most(&turns.at_most);
        }
        graph.close_state(&turns.enabled, cut);
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            states: self.explored.store.len(),
            transitions: self.transitions,
            depth: self.depth,
            frontier: self.explored.store.len() - self.expanded,
            memory: self.bytes(),
            states_memory: self.explored.store.bytes() + self.explored.graph.bytes(),
        }
    }

    fn bytes(&self) -> usize {
        let it = &self.explored;
        it.store.bytes()
            + it.space.agents.bytes()
            + it.graph.bytes()
            + it.letters.bytes()
            + 4 * self.rows.len()
    }

    fn finish(mut self, agents: usize) -> Explored<'a> {
        self.explored.statistics = self.snapshot();
        self.explored.searched = self.explored.limit.is_none()
            && !self.explored.runaway
            && !self.too_long
            && self.expanded == self.explored.store.len();
        if self.too_long && self.explored.limit.is_none() {
            self.explored.limit = Some(Limit::Calls);
        }
        self.explored.cut_by = self.cut_by.into_iter().collect();
        let nobody = BitSet::new(agents);
        for _ in self.expanded..self.explored.store.len() {
            // What could happen there was not looked at.
            self.explored.graph.close_state(&nobody, true);
        }
        self.explored.graph.finish(agents);
        self.explored
    }
}

/// Whom a fair run has to give a turn in a state; and notes which of the steps found there are polls.
fn turns(space: &Space<'_>, found: &mut [Found], judgement: Judgement) -> Turns {
    let nobody = BitSet::new(space.program.agents.len());
    let mut turns = Turns { enabled: nobody.clone(), at_most: nobody };
    for it in found.iter_mut().filter(|it| it.kind != StepKind::Crash) {
        let agent = it.agent.index();
        let thread = &space.local(it.local).outline().threads[it.thread as usize];
        let doubtful = match space.bounds.timeouts {
            Timeouts::Quiescent => judgement.waiting_compared,
            Timeouts::Any => thread.waiting_compared,
        };
        let polls = thread.waiting && !thread.waiting_compared;
        let (surely, perhaps) = match it.kind {
            StepKind::Timeout => (!doubtful && !thread.timeout_may_vanish, true),
            _ => (!thread.waiting && !thread.act_may_vanish, !polls),
        };
        it.nature.poll = it.kind != StepKind::Timeout && polls;
        if surely {
            turns.enabled.insert(agent);
        }
        if perhaps {
            turns.at_most.insert(agent);
        }
    }
    turns
}

/// Every letter of the graph: of its transitions, and of the runs that stay where they are.
pub(super) fn all_letters(graph: &LabelledGraph) -> impl Iterator<Item = LetterId> {
    0..graph.letter_count() as LetterId
}
