//! How a thread proceeds: through operations and their ends, from place to place.

use std::collections::{BTreeMap, BTreeSet};

use map_syntax::ast::{Op, OpKind};

use super::act::{Kind, Trail, Wrong};
use super::cast::Setting;
use super::choice::{Decider, Undecided};
use super::flow::pattern_variables;
use super::state::{
    Activation, AgentState, Control, Frame, Memory, Message, Path, Place, State, Status, Thread, Value,
    Variables,
};
use super::unify::{Match, compare_all};

/// Why a run is abandoned.
pub(super) enum Stop {
    Cut,
    /// Nothing comes after a run error, so nothing can be cut after it.
    RunError,
    Undecided(Undecided),
}

/// What a thread is to do next.
pub(super) enum Task<'a> {
    Begin(&'a Op),
    /// A `par` of these sides.
    Enter(&'a [Op]),
    /// The operation inside has ended; whether it succeeded.
    Ended(bool),
}

/// The `waitfor` an act started from, and the variables there.
pub(super) struct Origin<'a> {
    wait: Place<'a>,
    variables: Variables<'a>,
}

/// One way of one act of one agent, in progress.
pub(super) struct Run<'a, 's> {
    pub(super) setting: &'s Setting<'a>,
    pub(super) before: &'s State<'a>,
    pub(super) agent: usize,
    pub(super) root: Thread<'a>,
    pub(super) memory: Memory<'a>,
    pub(super) mailbox: Vec<Message<'a>>,
    pub(super) under_way: BTreeMap<usize, Vec<Message<'a>>>,
    pub(super) counters: Vec<u32>,
    pub(super) script: &'s [usize],
    /// Whether actions are tried; otherwise the thread proceeds silently and rests at them.
    pub(super) acting: bool,
    pub(super) action: Option<Kind>,
    pub(super) origin: Option<Origin<'a>>,
    pub(super) came_back: bool,
    /// The `par`s that this act has entered and that have not ended.
    pub(super) entered: Vec<Path>,
    pub(super) deliveries: Vec<(usize, Message<'a>)>,
    /// The number of copies of the message that are lost.
    pub(super) lost: u32,
    /// A call was one too many. As long as nothing is asked, sent or received all may yet be as it was: "what is no
    /// step is not cut".
    pub(super) cut: bool,
    /// The first thing that went wrong, with what had happened by then. The run goes on as far as it can, because a cut
    /// counts before it.
    pub(super) wrong: Option<(Wrong, Box<Trail<'a>>)>,
    /// How many values are new in this step, abstract and fresh ones.
    pub(super) new_values: u32,
    /// Abstract values that are not 0, by what was compared and divided in this step so far.
    pub(super) nonzero: Vec<Value<'a>>,
    pub(super) trail: Trail<'a>,
}

impl<'a, 's> Run<'a, 's> {
    pub(super) fn new(
        setting: &'s Setting<'a>,
        before: &'s State<'a>,
        agent: usize,
        script: &'s [usize],
        own: AgentState<'a>,
    ) -> Self {
        let AgentState { status, memory, mailbox, under_way, counters } = own;
        let Status::Running(root) = status else { unreachable!("the agent has not ended") };
        Self {
            setting,
            before,
            agent,
            root,
            memory,
            mailbox,
            under_way,
            counters,
            script,
            acting: false,
            action: None,
            origin: None,
            came_back: false,
            entered: Vec::new(),
            deliveries: Vec::new(),
            lost: 0,
            cut: false,
            wrong: None,
            new_values: 0,
            nonzero: Vec::new(),
            trail: Trail::default(),
        }
    }

    /// "An *act* starts from the thread's place."
    pub(super) fn act(&mut self, path: Path) -> Result<(), Stop> {
        self.acting = true;
        let variables = self.activation(&path).variables.clone();
        let thread = self.root.at_mut(&path);
        let task = match std::mem::replace(&mut thread.control, Control::Running) {
            Control::Action(place) => Task::Begin(place.0),
            Control::Waiting => {
                let Some(Frame::Wait { wait, origin, .. }) = thread.frames.last_mut() else {
                    unreachable!("the innermost frame of a waiting thread is its `waitfor`")
                };
                *origin = true;
                let wait = *wait;
                self.origin = Some(Origin { wait, variables });
                let OpKind::Wait { body, .. } = &wait.0.kind else { unreachable!("a `waitfor`") };
                Task::Begin(body)
            }
            _ => unreachable!("a thread that has not ended rests at a place"),
        };
        self.proceed(path, task)
    }

    /// Runs a thread to the next place where it rests, or until something goes wrong.
    pub(super) fn proceed(&mut self, mut path: Path, mut task: Task<'a>) -> Result<(), Stop> {
        loop {
            let next = match task {
                Task::Begin(op) => self.begin(&path, op)?,
                Task::Enter(sides) => {
                    self.enter_par(&path, sides)?;
                    None
                }
                Task::Ended(succeeded) => self.end(&mut path, succeeded),
            };
            match next {
                Some(next) => task = next,
                None => return Ok(()),
            }
        }
    }

    /// Begins an operation; `None` if the thread rests there or something is wrong.
    fn begin(&mut self, path: &Path, op: &'a Op) -> Result<Option<Task<'a>>, Stop> {
        Ok(match &op.kind {
            OpKind::Then(ops) => {
                self.push(path, Frame::Then { chain: Place(op), next: 1 });
                Some(Task::Begin(&ops[0]))
            }
            OpKind::Or(ops) => {
                let undo = self.unbound_variables(path, &ops[0]);
                self.push(path, Frame::Or { chain: Place(op), next: 1, undo });
                Some(Task::Begin(&ops[0]))
            }
            OpKind::Par(sides) => Some(Task::Enter(sides)),
            OpKind::Wait { body, .. } => {
                let undo = self.unbound_variables(path, body);
                self.push(path, Frame::Wait { wait: Place(op), undo, origin: false });
                self.check_new_waitfor(path, op)?;
                self.rest(path, Control::Waiting)
            }
            OpKind::Call { arguments } => self.call(path, op, arguments)?,
            OpKind::Skip => {
                self.trail.operations.insert(op.span);
                Some(Task::Ended(true))
            }
            OpKind::Fail | OpKind::Hole => {
                self.trail.operations.insert(op.span);
                Some(Task::Ended(false))
            }
            _ if !self.acting => self.rest(path, Control::Action(Place(op))),
            OpKind::Ask { variable, procedure, arguments } => {
                let variable = variable.as_ref().map(|it| it.text.as_str());
                Some(Task::Ended(self.ask(path, op, variable, (&procedure.text, arguments))?))
            }
            OpKind::Send { message, to } => Some(Task::Ended(self.send(path, op, message, to)?)),
            OpKind::Receive { message, from } => {
                Some(Task::Ended(self.receive(path, op, (message, from))?))
            }
        })
    }

    pub(super) fn rest(&mut self, path: &Path, control: Control<'a>) -> Option<Task<'a>> {
        self.root.at_mut(path).control = control;
        None
    }

    pub(super) fn push(&mut self, path: &Path, frame: Frame<'a>) {
        self.root.at_mut(path).frames.push(frame);
    }

    /// What follows when the operation inside the innermost frame has ended.
    fn end(&mut self, path: &mut Path, succeeded: bool) -> Option<Task<'a>> {
        let Some(frame) = self.root.at_mut(path).frames.pop() else {
            return self.end_thread(path, succeeded);
        };
        match frame {
            Frame::Activation(_) => Some(Task::Ended(succeeded)),
            Frame::Then { chain, next } => {
                let OpKind::Then(ops) = &chain.0.kind else { unreachable!("a chain of `then`") };
                if !succeeded || next == ops.len() {
                    return Some(Task::Ended(succeeded));
                }
                self.push(path, Frame::Then { chain, next: next + 1 });
                Some(Task::Begin(&ops[next]))
            }
            Frame::Or { chain, next, undo } => {
                let OpKind::Or(ops) = &chain.0.kind else { unreachable!("a chain of `or`") };
                if succeeded || next == ops.len() {
                    return Some(Task::Ended(succeeded));
                }
                self.unbind(path, &undo);
                let undo = self.unbound_variables(path, &ops[next]);
                self.push(path, Frame::Or { chain, next: next + 1, undo });
                Some(Task::Begin(&ops[next]))
            }
            Frame::Wait { .. } if succeeded => Some(Task::Ended(true)),
            Frame::Wait { wait, undo, origin } => {
                self.unbind(path, &undo);
                self.came_back = origin;
                self.push(path, Frame::Wait { wait, undo, origin });
                self.rest(path, Control::Waiting)
            }
        }
    }

    /// "It ends when both have ended and succeeds if both succeeded."
    fn end_thread(&mut self, path: &mut Path, succeeded: bool) -> Option<Task<'a>> {
        self.root.at_mut(path).control = Control::Ended(succeeded);
        path.pop()?;
        let around = self.root.at_mut(path);
        let Control::Par(sides) = &around.control else { unreachable!("a side of a `par`") };
        let (Control::Ended(left), Control::Ended(right)) = (&sides[0].control, &sides[1].control) else {
            return None;
        };
        let both = *left && *right;
        around.control = Control::Running;
        self.entered.retain(|it| it != path);
        // "If that ends a `par`, it goes on silently to the next place."
        self.acting = false;
        Some(Task::Ended(both))
    }

    /// "Has entered a `par` (each side at its first place)."
    fn enter_par(&mut self, path: &Path, sides: &'a [Op]) -> Result<(), Stop> {
        self.acting = false;
        self.entered.push(path.clone());
        let pair = [Thread::new(Vec::new()), Thread::new(Vec::new())];
        self.root.at_mut(path).control = Control::Par(Box::new(pair));
        let side = |number: usize| path.iter().copied().chain([number]).collect::<Path>();
        self.proceed(side(0), Task::Begin(&sides[0]))?;
        let rest = if sides.len() == 2 { Task::Begin(&sides[1]) } else { Task::Enter(&sides[1..]) };
        self.proceed(side(1), rest)
    }

    /// "Or an act enters anew, by a call, the `waitfor` it started from, with the same variables (not in a side of a
    /// `par`)": a `waitfor` can be entered a second time only by a call.
    fn check_new_waitfor(&mut self, path: &Path, op: &'a Op) -> Result<(), Stop> {
        let Some(origin) = &self.origin else { return Ok(()) };
        let inside = self.entered.iter().any(|it| path.len() > it.len() && path.starts_with(it));
        if self.action.is_none() && !inside && origin.wait == Place(op) {
            let same = same_variables(&origin.variables, &self.activation(path).variables);
            if self.decide(same)? {
                self.goes_wrong(Wrong::Runaway);
            }
        }
        Ok(())
    }

    pub(super) fn goes_wrong(&mut self, wrong: Wrong) {
        let trail = &self.trail;
        self.wrong.get_or_insert_with(|| (wrong, Box::new(trail.clone())));
    }

    // Choices.

    pub(super) fn choose(&mut self, decider: Decider, branches: usize) -> Result<usize, Stop> {
        let Some((&first, rest)) = self.script.split_first() else {
            return Err(Stop::Undecided(Undecided { decider, branches }));
        };
        self.script = rest;
        Ok(first)
    }

    pub(super) fn decide(&mut self, found: Match) -> Result<bool, Stop> {
        Ok(match found {
            Match::Yes => true,
            Match::No => false,
            Match::Open => self.choose(Decider::Comparison, 2)? == 0,
        })
    }

    // Activations and variables.

    /// "The open activations of the thread and of those around the `par`s it is in."
    pub(super) fn open_activations(&self, path: &[usize]) -> Vec<&Activation<'a>> {
        let threads = (0..=path.len()).map(|length| self.root.at(&path[..length]));
        let frames = threads.flat_map(|thread| &thread.frames);
        frames
            .filter_map(
                |frame| if let Frame::Activation(activation) = frame { Some(activation) } else { None },
            )
            .collect()
    }

    pub(super) fn activation(&self, path: &[usize]) -> &Activation<'a> {
        self.open_activations(path).pop().expect("the entry clause is open")
    }

    pub(super) fn activation_mut(&mut self, path: &[usize]) -> &mut Activation<'a> {
        let is_activation = |frame: &Frame<'a>| matches!(frame, Frame::Activation(_));
        let length = (0..=path.len())
            .rfind(|&length| self.root.at(&path[..length]).frames.iter().any(is_activation))
            .expect("the entry clause is open");
        let frames = self.root.at_mut(&path[..length]).frames.iter_mut().rev();
        let mut activations =
            frames.filter_map(|frame| if let Frame::Activation(it) = frame { Some(it) } else { None });
        activations.next().expect("just found")
    }

    /// The variables an operation would bind now.
    fn unbound_variables(&self, path: &Path, op: &'a Op) -> Vec<&'a str> {
        let mut variables = BTreeSet::new();
        pattern_variables(op, &mut variables);
        let bound = &self.activation(path).variables;
        variables.into_iter().filter(|it| !bound.contains_key(it)).collect()
    }

    /// "If A fails, the bindings A made are undone."
    fn unbind(&mut self, path: &Path, undo: &[&'a str]) {
        self.activation_mut(path).variables.retain(|name, _| !undo.contains(name));
    }
}

/// Whether the same variables are bound, to equal values.
fn same_variables(one: &Variables<'_>, other: &Variables<'_>) -> Match {
    if !one.keys().eq(other.keys()) {
        return Match::No;
    }
    compare_all(one.values().zip(other.values()).map(|(&one, &other)| (one, other)))
}
