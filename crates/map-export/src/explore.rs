//! Finds all places of the agents of a part, with the steps that are possible there.

use map_ir::{AgentId, Program, Value};
use map_semantics::{AgentState, Ending as Outcome, Next, NodeKind, Side, open_cells, start};

use crate::control::{At, Control, Fork, FrameKey, Holder, HolderId, LevelId, Place, PlaceId, SideId};
use crate::promela::Expr;
use crate::refusal::Reason;
use crate::walk::{Branches, Ending, Tree, Walker};

/// The behaviour of a thread at a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Behaviour {
    /// The alternatives of its act with their guards; everything up to the action is part of the guard.
    pub(crate) acts: Vec<(Expr, Tree)>,
    /// The condition under which the act may come to nothing.
    pub(crate) idle: Expr,
    /// Whether the thread polls: the answers of procedures may decide whether the act comes to nothing.
    pub(crate) polls: bool,
    /// The alternatives of the timeout with their guards.
    pub(crate) timeouts: Vec<(Expr, Tree)>,
    /// The condition under which some outcomes of open comparisons leave no timeout, whatever the procedures answer.
    pub(crate) timeout_may_vanish: Expr,
}

/// The initial state of an agent: its places, and the contents of its variables.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InitialState {
    /// The values with which the cells start that may start with any of several, as options of the agent's
    /// [`open_cells`].
    pub(crate) options: Vec<u32>,
    pub(crate) places: Vec<PlaceId>,
    pub(crate) contents: Vec<(HolderId, Value)>,
    /// Set if it has ended at once: true if with success.
    pub(crate) ended: Option<bool>,
}

/// Agents whose cells may start in more ways are not exported.
pub(crate) const MAX_INITIAL_STATES: usize = 1_000;

/// In how many ways the cells of an agent may start.
pub(crate) fn ways_to_start(program: &Program, agent: AgentId) -> usize {
    let sizes = open_cells(program).filter(|it| it.agent == agent).map(|it| it.values.len());
    sizes.fold(1, usize::saturating_mul)
}

/// Those ways, as options of the agent's [`open_cells`].
pub(crate) fn initial_options(program: &Program, agent: AgentId) -> Vec<Vec<u32>> {
    let cells = open_cells(program).filter(|it| it.agent == agent);
    cells.fold(vec![Vec::new()], |all, cell| {
        let longer = |options: &Vec<u32>| -> Vec<Vec<u32>> {
            (0..cell.values.len()).map(|option| [&options[..], &[option as u32]].concat()).collect()
        };
        all.iter().flat_map(longer).collect()
    })
}

impl Walker<'_> {
    /// The initial states of each agent of the part.
    pub(crate) fn initial_states(&mut self) -> Vec<Vec<InitialState>> {
        let agents = self.agents.clone();
        let mut of = |agent| -> Vec<InitialState> {
            let options = initial_options(self.program, agent);
            options.into_iter().filter_map(|options| self.initial_state(agent, options)).collect()
        };
        agents.into_iter().map(&mut of).collect()
    }

    fn initial_state(&mut self, agent: AgentId, options: Vec<u32>) -> Option<InitialState> {
        let Outcome::State(next) = start(self.program, self.bounds, agent, &mut &*options).ending else {
            let clause = self.program.part(self.program.agent(agent).part).entry;
            self.refuse(Reason::NoFirstState, Some(self.program.clause(clause).head_span));
            return None;
        };
        Some(self.initial_state_from(&next, options))
    }

    fn initial_state_from(&mut self, next: &Next, options: Vec<u32>) -> InitialState {
        let state = AgentState::new(next.clone());
        let mut initial_state =
            InitialState { options, places: Vec::new(), contents: Vec::new(), ended: None };
        let mut stacks: Vec<Vec<FrameKey>> = Vec::new();
        for node in &state.control.nodes {
            let mut frames = node.below.map_or_else(Vec::new, |below| stacks[below as usize].clone());
            match &node.kind {
                NodeKind::Activation { clause, variables, call } => {
                    let level = self.level_of(&frames, *call);
                    let bound = variables.iter().map(Option::is_some).collect();
                    frames.push(FrameKey::Activation { level, clause: *clause, call: *call, bound });
                    let own_name = self.program.clause(*clause).own_name;
                    for (slot, value) in variables.iter().enumerate() {
                        let slot = map_ir::Slot::new(slot);
                        if let Some(value) = value
                            && own_name != Some(slot)
                        {
                            let holder = self.control.holder(Holder::Slot(level, *clause, slot));
                            initial_state.contents.push((holder, *value));
                        }
                    }
                }
                NodeKind::Fork { point, sides } => {
                    let count = fork_sides(self.program, *point);
                    let fork =
                        self.control.fork(Fork { frames: frames.clone(), point: *point, sides: count });
                    initial_state
                        .places
                        .push(self.control.place(Place { frames: frames.clone(), at: At::Fork(fork) }));
                    for index in 0..count {
                        self.control.holder(Holder::Side(SideId { fork, index }));
                        // A state stores an ended suffix of sides as one ended side, so the missing sides count as
                        // successful.
                        let ended = match sides.get(index) {
                            Some(Side::Running) => continue,
                            Some(Side::Ended(succeeded)) => *succeeded,
                            None => true,
                        };
                        let mut frames = frames.clone();
                        frames.push(FrameKey::Side(SideId { fork, index }));
                        initial_state.places.push(self.control.place(Place { frames, at: At::End(ended) }));
                    }
                }
                NodeKind::SideOf(index) => {
                    let fork = initial_state.places.iter().rev().find_map(|place| {
                        let place = &self.control.places[place.0];
                        match place.at {
                            At::Fork(fork) if place.frames == frames => Some(fork),
                            _ => None,
                        }
                    });
                    let fork = fork.expect("a side rests on a fork");
                    frames.push(FrameKey::Side(SideId { fork, index: *index as usize }));
                }
                NodeKind::Thread(point) => {
                    initial_state
                        .places
                        .push(self.control.place(Place { frames: frames.clone(), at: At::Point(*point) }));
                }
            }
            stacks.push(frames);
        }
        for (index, value) in state.memory.iter().enumerate() {
            initial_state.contents.push((self.control.holder(Holder::Cell(index)), *value));
        }
        for (index, &count) in state.calls.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let holder = self.control.holder(Holder::Calls(index));
            initial_state.contents.push((holder, Value::Integer(i64::from(count))));
        }
        initial_state.ended = match state.status {
            map_semantics::Status::Running | map_semantics::Status::Crashed => None,
            map_semantics::Status::Done => Some(true),
            map_semantics::Status::Failed => Some(false),
        };
        initial_state
    }

    fn level_of(&mut self, frames: &[FrameKey], call: Option<map_ir::PointId>) -> LevelId {
        let Some(call) = call else { return Control::BOTTOM };
        let below = frames.iter().rev().find_map(|frame| match frame {
            FrameKey::Activation { level, .. } => Some(*level),
            FrameKey::Side(_) => None,
        });
        let side = match frames.last() {
            Some(FrameKey::Side(side)) => Some(*side),
            _ => None,
        };
        self.control.level(below.expect("a call is made in an activation"), side, call)
    }

    /// The behaviour at every place that is reachable from the initial states. What follows the end of a side
    /// depends on how the others may end, so this is repeated until no new place is found.
    pub(crate) fn explore(&mut self) -> Vec<Behaviour> {
        loop {
            let known = self.control.places.len();
            let mut all = Vec::new();
            while all.len() < self.control.places.len() && self.refusals.is_empty() {
                let place = PlaceId(all.len());
                all.push(self.behaviour(place));
            }
            if self.control.places.len() == known || !self.refusals.is_empty() {
                return all;
            }
        }
    }

    fn behaviour(&mut self, place: PlaceId) -> Behaviour {
        let mut behaviour = Behaviour::default();
        if let Some(tree) = self.act(place) {
            behaviour.polls = may_poll(&tree);
            let mut idle = Vec::new();
            flatten(&tree, &Expr::True, &mut behaviour.acts, &mut idle);
            behaviour.idle = Expr::or(idle);
        }
        if let Some(tree) = self.time_out(place) {
            flatten(&tree, &Expr::True, &mut behaviour.timeouts, &mut Vec::new());
            behaviour.timeout_may_vanish = may_vanish(&tree);
        }
        behaviour
    }
}

fn fork_sides(program: &Program, point: map_ir::PointId) -> usize {
    match &program.point(point).kind {
        map_ir::PointKind::Par { sides, .. } => sides.len(),
        _ => unreachable!("forks are made by pars"),
    }
}

/// Collects the alternatives of a tree; the conditions before the action become their guards.
fn flatten(tree: &Tree, guard: &Expr, found: &mut Vec<(Expr, Tree)>, idle: &mut Vec<Expr>) {
    match tree {
        Tree::Leaf(leaf) if leaf.ending == Ending::Nothing => idle.push(guard.clone()),
        Tree::Leaf(_) | Tree::Act(..) => found.push((guard.clone(), tree.clone())),
        Tree::Test { options, .. } => {
            for (condition, tree) in options {
                let guard = Expr::and([guard.clone(), condition.clone()]);
                if guard != Expr::False {
                    flatten(tree, &guard, found, idle);
                }
            }
        }
    }
}

/// The condition under which some outcomes of open comparisons leave nothing, whatever the procedures answer.
fn may_vanish(tree: &Tree) -> Expr {
    match tree {
        Tree::Leaf(leaf) if leaf.ending == Ending::Nothing => Expr::True,
        Tree::Leaf(_) | Tree::Act(..) => Expr::False,
        Tree::Test { options, branches: Branches::Answered } => Expr::and(
            options.iter().map(|(condition, tree)| Expr::or([condition.clone().not(), may_vanish(tree)])),
        ),
        Tree::Test { options, .. } => {
            Expr::or(options.iter().map(|(condition, tree)| Expr::and([condition.clone(), may_vanish(tree)])))
        }
    }
}

/// Whether there is a situation in which the act may come to nothing, but may also come to something.
fn may_poll(tree: &Tree) -> bool {
    let Tree::Test { options, branches } = tree else { return false };
    let nothing = options.iter().any(|(_, tree)| may_be_nothing(tree));
    let something = options.iter().any(|(_, tree)| may_be_something(tree));
    (*branches != Branches::Exclusive && nothing && something)
        || options.iter().any(|(_, tree)| may_poll(tree))
}

fn may_be_nothing(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf(leaf) => leaf.ending == Ending::Nothing,
        Tree::Act(..) => false,
        Tree::Test { options, .. } => options.iter().any(|(_, tree)| may_be_nothing(tree)),
    }
}

fn may_be_something(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf(leaf) => leaf.ending != Ending::Nothing,
        Tree::Act(..) => true,
        Tree::Test { options, .. } => options.iter().any(|(_, tree)| may_be_something(tree)),
    }
}
