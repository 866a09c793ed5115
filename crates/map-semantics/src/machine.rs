//! One step of one thread: the rules of the language reference, "Steps", as one small interpreter.

use std::sync::Arc;

use map_ir::{AgentId, Candidate, ClauseId, Edge, Goto, Operand, Pattern, PointId, PointKind, Program, Symbol, Test, Value};

use crate::agent::{AgentState, Control, Node, NodeKind, Side, Status};
use crate::outcome::{Action, Assumption, BoundHit, Ending, Event, Outcome, StepKind};
use crate::send::recipients;
use crate::{Bounds, Choice, Choices, Message};

/// The most calls one act, or one silent way, may make; beyond, no verdict is given. Reached only by clauses that
/// count with their arguments.
pub const MAX_CALLS: usize = 10_000;

/// The act of the thread `thread` (a node of the agent's control) as `choices` settle what is open. `fresh` is the
/// first symbol not in use in the scene.
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

/// The timeout of the thread `thread`, which must rest at a `waitfor` with a timeout operation; else nothing.
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

/// The silent way of an agent to its first places.
pub(crate) fn enter(program: &Program, bounds: &Bounds, agent: AgentId, choices: &mut dyn Choices) -> Outcome {
    let entry = program.part(program.agent(agent).part).entry;
    let nowhere = AgentState {
        status: Status::Running,
        control: Control::default(),
        mailbox: Vec::new(),
        calls: vec![0; bounds.counters()],
    };
    let mut machine = Machine::new(program, bounds, agent, &nowhere, Symbol(0), choices);
    machine.open(entry, &[], None, None, 1);
    machine.step(Goto::Point(program.clause(entry).body), Mode::Silent, StepKind::Move)
}

/// Whether an action may still be made, or only what needs neither mailbox nor answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Act,
    Silent,
}

/// Why a step is not made.
enum Stop {
    Cut(BoundHit),
    Runaway(PointId),
    TooLong(PointId),
}

/// A call made in this act and not yet returned; the calls form a tree, one branch for each strand.
struct OpenCall {
    arguments: Vec<Value>,
    before: Option<u32>,
}

/// What the machine knows of a node beside the node itself.
#[derive(Clone, Copy)]
struct Extra {
    /// Open activations up to and including this node.
    depth: u32,
    /// The innermost unreturned call of this act when the node is left.
    calls_outside: Option<u32>,
    removed: bool,
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
    /// The `waitfor` the act started from, and the node its thread rested on.
    started_waiting_at: Option<(PointId, usize)>,
    open_calls: Vec<OpenCall>,
    innermost_call: Option<u32>,
    counters: Vec<u32>,
    fresh: Symbol,
    ended: Option<bool>,
    action: Option<Action>,
    events: Vec<Event>,
    ran: Vec<PointId>,
    assumptions: Vec<Assumption>,
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
            started_waiting_at: None,
            open_calls: Vec::new(),
            innermost_call: None,
            counters: origin.calls.clone(),
            fresh,
            ended: None,
            action: None,
            events: Vec::new(),
            ran: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    /// Takes the thread off its place, ready to run.
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
        machine.top = machine.nodes[thread].below.expect("a thread rests on an activation") as usize;
        machine
    }

    /// Runs from `goto` until every strand rests, and sums up.
    fn step(mut self, goto: Goto, mode: Mode, kind: StepKind) -> Outcome {
        let stopped = self.run(goto, mode);
        let kind = match self.action {
            Some(Action::Ask { .. }) => StepKind::Ask,
            Some(Action::Send { .. }) => StepKind::Send,
            Some(Action::Receive { .. }) => StepKind::Receive,
            None => kind,
        };
        let ending = match stopped {
            Err(Stop::Cut(bound)) => Ending::Cut(bound),
            Err(Stop::Runaway(point)) => Ending::Runaway(point),
            Err(Stop::TooLong(point)) => Ending::TooLong(point),
            Ok(()) => {
                let next = self.next_state();
                let unchanged = self.action.is_none()
                    && next.status == self.origin.status
                    && next.control == self.origin.control;
                if unchanged { Ending::Nothing } else { Ending::State(next) }
            }
        };
        self.outcome(kind, ending)
    }

    fn outcome(self, kind: StepKind, ending: Ending) -> Outcome {
        Outcome {
            kind,
            action: self.action,
            ending,
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
                Goto::Point(point) => self.operation(point, &mut mode, &mut pending)?,
            };
            goto = match next {
                Some(next) => next,
                None => match pending.pop() {
                    Some(side) => {
                        self.top = side.top;
                        self.innermost_call = side.calls;
                        Goto::Point(side.start)
                    }
                    None => return Ok(()),
                },
            };
        }
    }

    /// Runs one operation; `None` if the strand rests.
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
            PointKind::Ask { .. } | PointKind::Send { .. } | PointKind::Receive { .. } if *mode == Mode::Silent => {
                Ok(self.rest(point))
            }
            PointKind::Ask { .. } => Ok(Some(self.ask(point, mode))),
            PointKind::Send { .. } => Ok(Some(self.send(point, mode))),
            PointKind::Receive { .. } => Ok(Some(self.receive(point, mode))),
            PointKind::Call { .. } => self.call(point).map(Some),
            PointKind::Par { sides, .. } => {
                *mode = Mode::Silent;
                self.fork(point, sides, pending);
                Ok(None)
            }
        }
    }

    // --- actions ---

    /// The one action of the act is made: what follows is silent, and calls made before no longer count as open, for
    /// the action lies between them and any later one.
    fn acted(&mut self, point: PointId, action: Action, mode: &mut Mode) {
        *mode = Mode::Silent;
        self.ran.push(point);
        self.action = Some(action);
        self.open_calls.clear();
        self.innermost_call = None;
        for extra in &mut self.extras {
            extra.calls_outside = None;
        }
    }

    fn ask(&mut self, point: PointId, mode: &mut Mode) -> Goto {
        let program = self.program;
        let PointKind::Ask { procedure, arguments, variable, binds, ok, err } = &program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        let arguments = self.values(arguments);
        let choice = Choice::Answer { point, procedure: *procedure, arguments: &arguments };
        if program.procedure(*procedure).may_refuse && self.choices.choose(&choice) == 0 {
            self.events.push(Event::Refused(point));
            return self.fail(*err);
        }
        let answer = Value::Abstract(self.fresh);
        self.fresh.0 += 1;
        let unified = if *binds {
            *self.variable(*variable) = Some(answer);
            true
        } else {
            let bound = self.value(Operand::Variable(*variable));
            self.equal(point, &[(bound, answer)])
        };
        self.acted(point, Action::Ask { point, arguments, answer, unified }, mode);
        if unified {
            *ok
        } else {
            self.events.push(Event::NotUnified(point));
            self.fail(*err)
        }
    }

    fn send(&mut self, point: PointId, mode: &mut Mode) -> Goto {
        let program = self.program;
        let PointKind::Send { performative, arguments, agent, role, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a send")
        };
        let value = |it: &map_ir::Recipient| match *it {
            map_ir::Recipient::Any => None,
            map_ir::Recipient::Is(operand) => Some(self.value(operand)),
        };
        let mut options = recipients(program, self.me, value(agent), value(role));
        let to = if options.len() == 1 {
            options.swap_remove(0)
        } else {
            let choice = Choice::Recipients { point, options: options.len() as u32 };
            let chosen = self.choices.choose(&choice) as usize;
            let to = options.swap_remove(chosen);
            self.assumptions.push(Assumption::Recipients { point, to: to.clone() });
            to
        };
        if to.is_empty() {
            self.events.push(Event::NobodyThere(point));
            return self.fail(*err);
        }
        let arguments = self.values(arguments);
        let message = Arc::new(Message { performative: *performative, sender: self.me, arguments });
        self.acted(point, Action::Send { point, message, to }, mode);
        *ok
    }

    fn receive(&mut self, point: PointId, mode: &mut Mode) -> Goto {
        let program = self.program;
        let PointKind::Receive { performative, pattern, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a receive")
        };
        let origin = self.origin;
        for (index, message) in origin.mailbox.iter().enumerate() {
            if message.performative != *performative || !self.matches(point, pattern, |place| message.at(program, place)) {
                continue;
            }
            for &(place, slot) in &pattern.bindings {
                *self.variable(slot) = Some(message.at(program, place as usize));
            }
            self.acted(point, Action::Receive { point, index, message: Arc::clone(message) }, mode);
            return *ok;
        }
        self.events.push(Event::NothingThere(point));
        self.fail(*err)
    }

    // --- calls ---

    fn call(&mut self, point: PointId) -> Result<Goto, Stop> {
        let program = self.program;
        let PointKind::Call { arguments, candidates, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a call")
        };
        let arguments = self.values(arguments);
        let Some(clause) = self.find_head(point, candidates, &arguments) else {
            self.events.push(Event::NoHead(point));
            return Ok(self.fail(*err));
        };
        if !self.bounds.count_call(&mut self.counters, &arguments) {
            return Err(Stop::Cut(BoundHit::Rounds));
        }
        // Nothing follows, and a failure of the callee would just be this clause's failure: nothing in the caller's
        // activation can matter any more.
        let given_up = *ok == Goto::Return(true)
            && (!program.clause(clause).can_fail || err.to == Goto::Return(false));
        let depth = self.extras[self.top].depth + u32::from(!given_up);
        if depth > self.bounds.depth {
            return Err(Stop::Cut(BoundHit::Depth));
        }
        if self.is_open_call(&arguments) {
            return Err(Stop::Runaway(point));
        }
        if self.open_calls.len() >= MAX_CALLS {
            return Err(Stop::TooLong(point));
        }
        self.ran.push(point);
        self.events.push(Event::Called(point, clause, arguments.clone()));
        let outside = if given_up { self.extras[self.top].calls_outside } else { self.innermost_call };
        self.open_calls.push(OpenCall { arguments: arguments.clone(), before: self.innermost_call });
        self.innermost_call = Some(self.open_calls.len() as u32 - 1);
        let (below, call) = if given_up {
            let replaced = self.top;
            self.extras[replaced].removed = true;
            match self.nodes[replaced].kind {
                NodeKind::Activation { call, .. } => (self.nodes[replaced].below, call),
                _ => unreachable!("what returns from a clause runs in its activation"),
            }
        } else {
            (Some(self.top as u32), Some(point))
        };
        self.open(clause, &arguments, below, call, depth);
        self.extras[self.top].calls_outside = outside;
        Ok(Goto::Point(program.clause(clause).body))
    }

    /// The first clause whose head unifies with the arguments.
    fn find_head(&mut self, point: PointId, candidates: &[Candidate], arguments: &[Value]) -> Option<ClauseId> {
        let program = self.program;
        candidates.iter().map(|candidate| candidate.clause).find(|&clause| {
            let head = &program.clause(clause).head;
            self.matches(point, head, |place| arguments[place])
        })
    }

    /// Opens an activation with the variables that its head binds, and makes it the top.
    fn open(&mut self, clause: ClauseId, arguments: &[Value], below: Option<u32>, call: Option<PointId>, depth: u32) {
        let definition = self.program.clause(clause);
        let mut variables = vec![None; definition.variables.len()];
        if let Some(slot) = definition.own_name {
            variables[slot.index()] = Some(Value::Agent(self.me));
        }
        for &(place, slot) in &definition.head.bindings {
            variables[slot.index()] = Some(arguments[place as usize]);
        }
        self.push(Node { below, kind: NodeKind::Activation { clause, variables, call } }, depth);
    }

    /// Ends the top activation; `None` if it was the entry clause's.
    fn leave(&mut self, succeeded: bool) -> Option<Goto> {
        let left = self.top;
        let NodeKind::Activation { call, .. } = self.nodes[left].kind else {
            unreachable!("what returns from a clause runs in its activation")
        };
        self.extras[left].removed = true;
        self.innermost_call = self.extras[left].calls_outside;
        let (Some(below), Some(call)) = (self.nodes[left].below, call) else {
            self.ended = Some(succeeded);
            return None;
        };
        self.top = below as usize;
        let PointKind::Call { ok, err, .. } = self.program.point(call).kind else {
            unreachable!("activations are opened by calls")
        };
        if succeeded {
            return Some(ok);
        }
        self.events.push(Event::CallFailed(call));
        Some(self.fail(err))
    }

    /// Whether a call with these arguments was made in this act and has not returned.
    fn is_open_call(&self, arguments: &[Value]) -> bool {
        let mut at = self.innermost_call;
        while let Some(index) = at {
            let call = &self.open_calls[index as usize];
            if call.arguments == arguments {
                return true;
            }
            at = call.before;
        }
        false
    }

    /// Runaway recursion, second form: the act enters anew, by a call, the `waitfor` it started from, with the same
    /// variables; not in a side of a `par` that it entered, which is one level deeper.
    fn check_entered_anew(&self, point: PointId) -> Result<(), Stop> {
        let Some((start, started_on)) = self.started_waiting_at else { return Ok(()) };
        let old = self.origin.control.nodes.len();
        if point != start || self.action.is_some() || self.top < old {
            return Ok(());
        }
        let mut at = Some(self.top);
        while let Some(node) = at.filter(|&node| node >= old) {
            if matches!(self.nodes[node].kind, NodeKind::SideOf(_)) {
                return Ok(());
            }
            at = self.nodes[node].below.map(|below| below as usize);
        }
        let before = self.origin.control.activations(started_on).next();
        let now = match &self.nodes[self.top].kind {
            NodeKind::Activation { clause, variables, .. } => Some((*clause, variables.as_slice())),
            _ => None,
        };
        if before == now { Err(Stop::Runaway(point)) } else { Ok(()) }
    }

    // --- par ---

    fn fork(&mut self, point: PointId, sides: &[PointId], pending: &mut Vec<Pending>) {
        let depth = self.extras[self.top].depth;
        let below = Some(self.top as u32);
        self.push(Node { below, kind: NodeKind::Fork { point, sides: vec![Side::Running; sides.len()] } }, depth);
        let fork = self.top as u32;
        let first = pending.len();
        for (index, &start) in sides.iter().enumerate() {
            self.push(Node { below: Some(fork), kind: NodeKind::SideOf(index as u32) }, depth);
            pending.push(Pending { top: self.top, start, calls: self.innermost_call });
        }
        // The sides go to their first places in order.
        pending[first..].reverse();
    }

    /// Ends the top side; goes on if that ends the `par`.
    fn end_side(&mut self, succeeded: bool) -> Option<Goto> {
        let side = self.top;
        let (NodeKind::SideOf(index), Some(fork)) = (&self.nodes[side].kind, self.nodes[side].below) else {
            unreachable!("a side's operations run on its node")
        };
        let (index, fork) = (*index as usize, fork as usize);
        self.extras[side].removed = true;
        let NodeKind::Fork { point, sides } = &mut self.nodes[fork].kind else {
            unreachable!("a side rests on a fork")
        };
        sides[index] = Side::Ended(succeeded);
        while let [.., Side::Ended(before), Side::Ended(last)] = sides[..] {
            sides.pop();
            let end = sides.len() - 1;
            sides[end] = Side::Ended(before && last);
        }
        let [Side::Ended(succeeded)] = sides[..] else { return None };
        let point = *point;
        self.extras[fork].removed = true;
        self.innermost_call = self.extras[fork].calls_outside;
        self.top = self.nodes[fork].below.expect("a fork rests on an activation") as usize;
        let PointKind::Par { ok, err, .. } = self.program.point(point).kind else {
            unreachable!("forks are made by pars")
        };
        if succeeded {
            return Some(ok);
        }
        self.events.push(Event::ParFailed(point));
        Some(self.fail(err))
    }

    // --- nodes and variables ---

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

    fn fail(&mut self, edge: Edge) -> Goto {
        for &slot in self.program.slot_set(edge.unbind) {
            *self.variable(slot) = None;
        }
        edge.to
    }

    fn variable(&mut self, slot: map_ir::Slot) -> &mut Option<Value> {
        let mut at = self.top;
        while !matches!(self.nodes[at].kind, NodeKind::Activation { .. }) {
            at = self.nodes[at].below.expect("every node rests on an activation") as usize;
        }
        match &mut self.nodes[at].kind {
            NodeKind::Activation { variables, .. } => &mut variables[slot.index()],
            _ => unreachable!("the loop ends at an activation"),
        }
    }

    fn value(&self, operand: Operand) -> Value {
        match operand {
            Operand::Constant(value) => value,
            Operand::Own => Value::Agent(self.me),
            Operand::Variable(slot) => {
                let mut at = self.top;
                loop {
                    if let NodeKind::Activation { variables, .. } = &self.nodes[at].kind {
                        return variables[slot.index()].expect("checked: bound on every path to a use");
                    }
                    at = self.nodes[at].below.expect("every node rests on an activation") as usize;
                }
            }
        }
    }

    fn values(&self, operands: &[Operand]) -> Vec<Value> {
        operands.iter().map(|&operand| self.value(operand)).collect()
    }

    // --- comparing ---

    /// Whether every test of the pattern is passed; tests that are open are settled together.
    fn matches(&mut self, point: PointId, pattern: &Pattern, at: impl Fn(usize) -> Value) -> bool {
        let mut open = Vec::new();
        for test in &pattern.tests {
            let (left, right) = match *test {
                Test::Operand(place, operand) => (at(place as usize), self.value(operand)),
                Test::Same(first, second) => (at(first as usize), at(second as usize)),
            };
            match left.equals(right) {
                Some(true) => {}
                Some(false) => return false,
                None => open.push((left, right)),
            }
        }
        open.is_empty() || self.equal(point, &open)
    }

    /// Settles whether pairs that are open come out equal.
    fn equal(&mut self, point: PointId, pairs: &[(Value, Value)]) -> bool {
        let equal = self.choices.choose(&Choice::Equal { point, pairs }) == 1;
        self.assumptions.push(Assumption::Equal { point, pairs: pairs.to_vec(), equal });
        equal
    }

    // --- the result ---

    fn next_state(&mut self) -> AgentState {
        if let Some(succeeded) = self.ended {
            let status = if succeeded { Status::Done } else { Status::Failed };
            return AgentState {
                status,
                control: Control::default(),
                mailbox: Vec::new(),
                calls: std::mem::take(&mut self.counters),
            };
        }
        let mut mailbox = self.origin.mailbox.clone();
        if let Some(Action::Receive { index, .. }) = self.action {
            mailbox.remove(index);
        }
        AgentState {
            status: Status::Running,
            control: self.compact(),
            mailbox,
            calls: std::mem::take(&mut self.counters),
        }
    }

    /// The nodes that are left, in preorder with sides in order.
    fn compact(&mut self) -> Control {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut root = None;
        for (index, node) in self.nodes.iter().enumerate().filter(|&(index, _)| !self.extras[index].removed) {
            match node.below {
                Some(below) => children[below as usize].push(index),
                None => root = Some(index),
            }
        }
        let mut nodes = Vec::new();
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
}
