//! One step of one thread: an interpreter for the rules of the language reference, "Steps".

use map_ir::{AgentId, Goto, PointId, PointKind, Program, Symbol, Value};

mod actions;
mod answers;
mod calls;
mod fork;
mod values;

use crate::agent::Next;
use crate::agent::{AgentState, Control, Node, NodeKind, Status};
use crate::outcome::{Action, Assumption, BoundHit, Ending, Event, Outcome, RunError, StepKind};
use crate::{Bounds, Choices, Mailbox, UnderWay};

/// The maximum number of calls in one act, or on the way to the first places; beyond it, no verdict is given. Reached
/// only by clauses that count in their arguments.
pub const MAX_CALLS: usize = 10_000;

/// Runs the act of the thread `thread` (a node of the agent's control), resolving open questions by `choices`. `fresh`
/// is the first symbol not in use in the scene.
pub fn act(
    program: &Program,
    bounds: &Bounds,
    agent: AgentId,
    state: &AgentState,
    thread: usize,
    fresh: Symbol,
    choices: &mut dyn Choices,
) -> Outcome {
    let mut machine = Machine::resume(program, bounds, agent, state, thread, fresh, choices);
    let place = state.control.place(thread);
    let goto = match program.point(place).kind {
        PointKind::Wait { body, .. } => {
            machine.started_waiting_at = Some((place, machine.top));
            Goto::Point(body)
        }
        _ => Goto::Point(place),
    };
    machine.step(goto, Mode::Act, StepKind::Move)
}

/// Runs the timeout of the thread `thread`. [`Ending::Nothing`] unless it rests at a `waitfor` with a timeout
/// operation.
pub fn time_out(
    program: &Program,
    bounds: &Bounds,
    agent: AgentId,
    state: &AgentState,
    thread: usize,
    fresh: Symbol,
    choices: &mut dyn Choices,
) -> Outcome {
    let machine = Machine::resume(program, bounds, agent, state, thread, fresh, choices);
    match program.point(state.control.place(thread)).kind {
        PointKind::Wait { timeout: Some(timeout), .. } => {
            machine.step(Goto::Point(timeout), Mode::Silent, StepKind::Timeout)
        }
        _ => machine.outcome(StepKind::Timeout, Ending::Nothing),
    }
}

/// Runs an agent silently from its entry clause to its first places. It starts with this memory.
pub(crate) fn enter(
    program: &Program,
    bounds: &Bounds,
    agent: AgentId,
    memory: Vec<Value>,
    choices: &mut dyn Choices,
) -> Outcome {
    let entry = program.part(program.agent(agent).part).entry;
    let nowhere = AgentState {
        status: Status::Running,
        control: Control::default(),
        memory,
        mailbox: Mailbox::default(),
        under_way: UnderWay::default(),
        calls: vec![0; bounds.counters()],
    };
    let mut machine = Machine::new(program, bounds, agent, &nowhere, Symbol(0), choices);
    machine.open(entry, &[], None, None, 1);
    machine.step(Goto::Point(program.clause(entry).body), Mode::Silent, StepKind::Move)
}

/// Whether the act may still perform its action, or only operations that need neither mailbox nor answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Act,
    Silent,
}

/// Why a step is abandoned, or a strand of it.
#[derive(Clone, Copy)]
enum Stop {
    Cut(BoundHit),
    Runaway(PointId),
    TooLong(PointId),
    RunError(RunError),
}

/// A call made in this act that has not returned. The calls form a tree with one branch per strand.
struct OpenCall {
    arguments: Vec<Value>,
    before: Option<u32>,
}

/// What the machine knows of a node besides the node itself.
#[derive(Clone, Copy)]
struct Extra {
    /// The number of open activations up to and including this node.
    depth: u32,
    /// The innermost open call of this act once the node is left.
    calls_outside: Option<u32>,
    removed: bool,
}

/// Why a strand goes wrong, and how many operations had run and events happened by then.
#[derive(Clone, Copy)]
struct Fault {
    /// Runaway recursion or a run error.
    stop: Stop,
    ran: usize,
    events: usize,
}

/// A side of a `par` that was entered and still has to go to its first place.
struct Pending {
    top: usize,
    start: PointId,
    calls: Option<u32>,
}

struct Machine<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    me: AgentId,
    origin: &'a AgentState,
    choices: &'a mut dyn Choices,
    nodes: Vec<Node>,
    extras: Vec<Extra>,
    /// The node that the running strand rests on.
    top: usize,
    /// Where the thread rested; `None` on the way to the first places.
    started_at: Option<PointId>,
    /// The `waitfor` that the act started from, and the node that its thread rested on.
    started_waiting_at: Option<(PointId, usize)>,
    open_calls: Vec<OpenCall>,
    innermost_call: Option<u32>,
    counters: Vec<u32>,
    memory: Vec<Value>,
    fresh: Symbol,
    ended: Option<bool>,
    /// The first bound that is exceeded, while the act may still come to nothing.
    exceeded: Option<BoundHit>,
    /// The first strand that has gone wrong. Others are followed all the same, for a cut counts before that.
    fault: Option<Fault>,
    action: Option<Action>,
    events: Vec<Event>,
    ran: Vec<PointId>,
    assumptions: Vec<Assumption>,
    /// Abstract values that cannot be 0, by the comparisons of this act so far.
    nonzero: Vec<Value>,
}

impl<'a> Machine<'a> {
    fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        me: AgentId,
        origin: &'a AgentState,
        fresh: Symbol,
        choices: &'a mut dyn Choices,
    ) -> Self {
        let nodes = origin.control.nodes.clone();
        let mut extras: Vec<Extra> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let below = node.below.map_or(0, |below| extras[below as usize].depth);
            let depth = below + u32::from(matches!(node.kind, NodeKind::Activation { .. }));
            extras.push(Extra { depth, calls_outside: None, removed: false });
        }
        Self {
            program,
            bounds,
            me,
            origin,
            choices,
            nodes,
            extras,
            top: 0,
            started_at: None,
            started_waiting_at: None,
            open_calls: Vec::new(),
            innermost_call: None,
            counters: origin.calls.clone(),
            memory: origin.memory.clone(),
            fresh,
            ended: None,
            exceeded: None,
            fault: None,
            action: None,
            events: Vec::new(),
            ran: Vec::new(),
            assumptions: Vec::new(),
            nonzero: Vec::new(),
        }
    }

    /// Starts from the thread's place: removes its node, and makes the node below the top.
    fn resume(
        program: &'a Program,
        bounds: &'a Bounds,
        me: AgentId,
        origin: &'a AgentState,
        thread: usize,
        fresh: Symbol,
        choices: &'a mut dyn Choices,
    ) -> Self {
        let mut machine = Self::new(program, bounds, me, origin, fresh, choices);
        machine.extras[thread].removed = true;
        machine.started_at = Some(origin.control.place(thread));
        machine.top = machine.nodes[thread].below.expect("a thread rests on an activation") as usize;
        machine
    }

    /// Runs from `goto` until every strand rests, and builds the outcome.
    fn step(mut self, goto: Goto, mode: Mode, kind: StepKind) -> Outcome {
        let stopped = self.run(goto, mode);
        let kind = match self.action {
            Some(Action::Ask { .. }) => StepKind::Ask,
            Some(Action::Send { .. }) => StepKind::Send,
            Some(Action::Receive { .. }) => StepKind::Receive,
            None => kind,
        };
        // What other strands came to after that is not told.
        if let Some(Fault { ran, events, .. }) = self.fault {
            self.ran.truncate(ran);
            self.events.truncate(events);
        }
        let ending = match stopped {
            Err(Stop::Cut(bound)) => Ending::Cut(bound),
            Err(Stop::Runaway(point)) => Ending::Runaway(point),
            Err(Stop::TooLong(point)) => Ending::TooLong(point),
            Err(Stop::RunError(error)) => Ending::RunError(error),
            Ok(()) => {
                let next = self.next_state();
                if self.action.is_none() && self.compare_with_origin(&next) {
                    Ending::Nothing
                } else {
                    Ending::State(next)
                }
            }
        };
        let (ending, cut_off) = match (ending, self.exceeded) {
            // What is no step needs no bound.
            (ending @ (Ending::Nothing | Ending::TooLong(_)), _) | (ending, None) => (ending, None),
            (Ending::State(next), Some(bound)) => (Ending::Cut(bound), Some(next.control)),
            (_, Some(bound)) => (Ending::Cut(bound), None),
        };
        Outcome { cut_off, ..self.outcome(kind, ending) }
    }

    /// Whether the agent is where it was, with the same values; settles what is open if that depends on abstract ones.
    fn compare_with_origin(&mut self, next: &Next) -> bool {
        let (Some(place), true) = (self.started_at, next.status == self.origin.status) else { return false };
        if next.control == self.origin.control {
            return true;
        }
        let pairs = next
            .control
            .open_differences(&self.origin.control, |now, before| self.choices.equals(now, before));
        pairs.is_some_and(|pairs| pairs.is_empty() || self.equal(place, &pairs))
    }

    fn outcome(self, kind: StepKind, ending: Ending) -> Outcome {
        Outcome {
            kind,
            action: self.action,
            ending,
            cut_off: None,
            events: self.events,
            ran: self.ran,
            assumptions: self.assumptions,
        }
    }

    fn run(&mut self, start: Goto, mut mode: Mode) -> Result<(), Stop> {
        let mut goto = start;
        let mut pending: Vec<Pending> = Vec::new();
        loop {
            let next = match goto {
                Goto::Return(succeeded) => self.leave(succeeded),
                Goto::SideEnd(succeeded) => {
                    mode = Mode::Silent;
                    self.end_side(succeeded)
                }
                Goto::Point(point) => match self.operation(point, &mut mode, &mut pending) {
                    Ok(next) => next,
                    Err(stop @ (Stop::Runaway(_) | Stop::RunError(_))) => {
                        let (ran, events) = (self.ran.len(), self.events.len());
                        self.fault.get_or_insert(Fault { stop, ran, events });
                        None
                    }
                    Err(stop) => return Err(stop),
                },
            };
            if let (Some(bound), Some(_)) = (self.exceeded, &self.action) {
                return Err(Stop::Cut(bound));
            }
            goto = match next {
                Some(next) => next,
                None => match pending.pop() {
                    Some(side) => {
                        self.top = side.top;
                        self.innermost_call = side.calls;
                        Goto::Point(side.start)
                    }
                    None => return self.fault.map_or(Ok(()), |it| Err(it.stop)),
                },
            };
        }
    }

    /// Runs one operation and returns where the strand continues; `None` if it rests.
    fn operation(
        &mut self,
        point: PointId,
        mode: &mut Mode,
        pending: &mut Vec<Pending>,
    ) -> Result<Option<Goto>, Stop> {
        let program = self.program;
        match &program.point(point).kind {
            PointKind::Skip { ok } => {
                self.ran.push(point);
                Ok(Some(*ok))
            }
            PointKind::Fail { err } => {
                self.ran.push(point);
                self.events.push(Event::Failed(point));
                Ok(Some(self.fail(*err)))
            }
            PointKind::Wait { .. } => {
                self.check_entered_anew(point)?;
                Ok(self.rest(point))
            }
            PointKind::Ask { .. } | PointKind::Send { .. } | PointKind::Receive { .. }
                if *mode == Mode::Silent =>
            {
                Ok(self.rest(point))
            }
            PointKind::Ask { .. } => self.ask(point, mode).map(Some),
            PointKind::Send { .. } => self.send(point, mode).map(Some),
            PointKind::Receive { .. } => Ok(Some(self.receive(point, mode))),
            PointKind::Call { .. } => self.call(point).map(Some),
            PointKind::Par { sides, .. } => {
                *mode = Mode::Silent;
                self.fork(point, sides, pending);
                Ok(None)
            }
        }
    }

    fn push(&mut self, node: Node, depth: u32) {
        self.top = self.nodes.len();
        self.nodes.push(node);
        self.extras.push(Extra { depth, calls_outside: self.innermost_call, removed: false });
    }

    fn rest(&mut self, point: PointId) -> Option<Goto> {
        let below = Some(self.top as u32);
        self.push(Node { below, kind: NodeKind::Thread(point) }, 0);
        None
    }

    fn next_state(&mut self) -> Next {
        let (status, control) = match self.ended {
            None => (Status::Running, self.compact()),
            Some(true) => (Status::Done, Control::default()),
            Some(false) => (Status::Failed, Control::default()),
        };
        let (memory, calls) = (std::mem::take(&mut self.memory), std::mem::take(&mut self.counters));
        Next { status, control, memory, calls, arrives: None, fresh: self.fresh }
    }

    /// The remaining nodes, in preorder with sides in order.
    fn compact(&mut self) -> Control {
        let remain = self.extras.iter().filter(|extra| !extra.removed).count();
        let forks = self.nodes.iter().zip(&self.extras);
        if !forks
            .into_iter()
            .any(|(node, extra)| !extra.removed && matches!(node.kind, NodeKind::Fork { .. }))
        {
            return self.chain(remain);
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut root = None;
        for (index, node) in self.nodes.iter().enumerate().filter(|&(index, _)| !self.extras[index].removed) {
            match node.below {
                Some(below) => children[below as usize].push(index),
                None => root = Some(index),
            }
        }
        let mut nodes = Vec::with_capacity(remain);
        let mut stack: Vec<(usize, Option<u32>)> = root.map(|root| (root, None)).into_iter().collect();
        while let Some((index, below)) = stack.pop() {
            let at = nodes.len() as u32;
            let kind = std::mem::replace(&mut self.nodes[index].kind, NodeKind::SideOf(0));
            let is_fork = matches!(kind, NodeKind::Fork { .. });
            nodes.push(Node { below, kind });
            let above = &mut children[index];
            if is_fork {
                above.sort_by_key(|&child| match self.nodes[child].kind {
                    NodeKind::SideOf(side) => side,
                    _ => unreachable!("only sides rest on a fork"),
                });
            }
            stack.extend(above.iter().rev().map(|&child| (child, Some(at))));
        }
        Control { nodes }
    }

    /// The remaining nodes where there is no fork: each rests on the one before.
    fn chain(&mut self, remain: usize) -> Control {
        let mut nodes = Vec::with_capacity(remain);
        for (node, _) in self.nodes.iter_mut().zip(&self.extras).filter(|(_, extra)| !extra.removed) {
            let below = nodes.len().checked_sub(1).map(|below| below as u32);
            let kind = std::mem::replace(&mut node.kind, NodeKind::SideOf(0));
            nodes.push(Node { below, kind });
        }
        Control { nodes }
    }
}
