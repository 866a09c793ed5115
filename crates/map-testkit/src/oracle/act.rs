//! One step of one thread: all the ways its act or its timeout may go, and their outcomes.

use std::collections::{BTreeMap, BTreeSet};

use map_diagnostics::Span;
use map_syntax::ast::{Op, OpKind, Who};

use super::cast::Setting;
use super::choice::{Decider, Tree, Undecided};
use super::run::{Run, Stop, Task};
use super::state::{
    Activation, AgentState, Control, Frame, Memory, Message, Path, State, Status, Thread, Value, Variables,
};
use super::unify::Match;

/// The kinds of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Ask,
    Send,
    Receive,
    Timeout,
    Move,
    Crash,
    Arrival,
}

/// How a step may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Overflow,
    Runaway,
    RunError,
}

/// The outcome of one way an act may go.
#[derive(Debug)]
pub(super) enum Outcome<'a> {
    /// "Comes back to the `waitfor` it started from", or "leaves the whole state as it was": no step.
    Nothing,
    /// "A step that needs more depth or rounds is *cut*."
    Cut,
    Wrong(Wrong, Box<Trail<'a>>),
    Step(Box<Step<'a>>),
}

/// A step that is taken.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) kind: Kind,
    pub(super) next: State<'a>,
    pub(super) trail: Trail<'a>,
    /// Whether it is a crash, or some copy of its message is lost: "the good end must be reachable without further
    /// crashes and losses".
    pub(super) fault: bool,
}

/// What happened on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail<'a> {
    pub(super) operations: BTreeSet<Span>,
    pub(super) clauses: BTreeSet<usize>,
    /// Performative, arity, recipient.
    pub(super) unread: Vec<(&'a str, usize, usize)>,
    /// The events that properties may refer to.
    pub(super) happened: Vec<Happening<'a>>,
}

/// Something that happens in a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Happening<'a> {
    Answered(&'a str),
    Refused(&'a str),
    Sent { performative: &'a str, arguments: Vec<Value<'a>>, to: Vec<usize> },
    Received(Message<'a>),
    Called,
}

/// All the ways the act of the thread may go.
pub(super) fn act<'a>(
    setting: &Setting<'a>,
    state: &State<'a>,
    agent: usize,
    path: &Path,
) -> Tree<Outcome<'a>> {
    explore(setting, state, agent, Kind::Move, |run| run.act(path.clone()))
}

/// All the ways the timeout of the thread may go; `None` if it does not rest at a `waitfor` with a timeout.
pub(super) fn timeout<'a>(
    setting: &Setting<'a>,
    state: &State<'a>,
    agent: usize,
    path: &Path,
) -> Option<Tree<Outcome<'a>>> {
    let Status::Running(root) = &state.agents[agent].status else { return None };
    let thread = root.at(path);
    let (Control::Waiting, Some(Frame::Wait { wait, .. })) = (&thread.control, thread.frames.last()) else {
        return None;
    };
    let OpKind::Wait { timeout, .. } = &wait.0.kind else { unreachable!("a `waitfor`") };
    let timeout: &'a Op = timeout.as_deref()?;
    Some(explore(setting, state, agent, Kind::Timeout, |run| {
        run.root.at_mut(path).frames.pop();
        run.proceed(path.clone(), Task::Begin(timeout))
    }))
}

/// "A step of kind *crash*, possible for every agent that has not ended; its mailbox is discarded."
pub(super) fn crashes<'a>(setting: &Setting<'a>, state: &State<'a>) -> Vec<Step<'a>> {
    let crashed = state.agents.iter().filter(|it| it.status == Status::Crashed).count();
    if crashed >= setting.options.crashes as usize {
        return Vec::new();
    }
    let running = state.agents.iter().enumerate().filter(|(_, it)| matches!(it.status, Status::Running(_)));
    let crash = |(agent, _)| {
        let mut next = state.clone();
        let it: &mut AgentState<'a> = &mut next.agents[agent];
        (it.status, it.mailbox, it.under_way) = (Status::Crashed, Vec::new(), BTreeMap::new());
        let next = next.canonical(setting.options.unordered);
        Step { kind: Kind::Crash, next, trail: Trail::default(), fault: true }
    };
    running.map(crash).collect()
}

/// "The next message of any one sender gets into the mailbox": the arrivals at an agent, with their senders.
pub(super) fn arrivals<'a>(
    setting: &Setting<'a>,
    state: &State<'a>,
    agent: usize,
) -> Vec<(usize, Tree<Outcome<'a>>)> {
    let arrives = |&sender: &usize| {
        let mut next = state.clone();
        let own = &mut next.agents[agent];
        let mut messages = own.under_way.remove(&sender).unwrap_or_default();
        own.mailbox.push(messages.remove(0));
        if !messages.is_empty() {
            own.under_way.insert(sender, messages);
        }
        let next = next.canonical(setting.options.unordered);
        let step = Step { kind: Kind::Arrival, next, trail: Trail::default(), fault: false };
        (sender, Tree::Leaf(Outcome::Step(Box::new(step))))
    };
    state.agents[agent].under_way.keys().map(arrives).collect()
}

/// "Before the first step every thread goes on silently to its first place." The agent and what it did, or what
/// went wrong.
pub(super) fn first_places<'a>(
    setting: &Setting<'a>,
    agent: usize,
    memory: Memory<'a>,
) -> Result<(AgentState<'a>, Trail<'a>), Outcome<'a>> {
    let options = setting.options;
    let counters = vec![0; usize::from(options.rounds.is_some()) + options.rounds_of.len()];
    let entry = setting.part(agent).entry;
    let mut variables = Variables::new();
    if let Who::Variable(name) = &setting.clause(entry).who {
        variables.insert(&name.text, Value::Agent(setting.name(agent)));
    }
    let activation = Activation { clause: entry, variables, calls: Vec::new() };
    let root = Thread::new(vec![Frame::Activation(activation)]);
    let own = AgentState {
        status: Status::Running(root),
        memory,
        mailbox: Vec::new(),
        under_way: BTreeMap::new(),
        counters,
    };
    let nobody = State { agents: Vec::new(), lost: 0 };
    let mut run = Run::new(setting, &nobody, agent, &[], own);
    run.trail.clauses.insert(entry);
    match run.proceed(Path::new(), Task::Begin(&setting.clause(entry).body)) {
        Err(Stop::Cut) => return Err(Outcome::Cut),
        Err(Stop::Undecided(_) | Stop::RunError) => {
            unreachable!("nothing is asked or sent on the way, so no abstract values")
        }
        Ok(()) if run.cut => return Err(Outcome::Cut),
        Ok(()) => {}
    }
    match run.wrong {
        Some((wrong, trail)) => Err(Outcome::Wrong(wrong, trail)),
        None => Ok(run.agent_state()),
    }
}

fn explore<'a>(
    setting: &Setting<'a>,
    state: &State<'a>,
    agent: usize,
    silent: Kind,
    begin: impl Fn(&mut Run<'a, '_>) -> Result<(), Stop>,
) -> Tree<Outcome<'a>> {
    Tree::explore(&|script| {
        let mut run = Run::new(setting, state, agent, script, state.agents[agent].clone());
        match begin(&mut run) {
            Ok(()) => run.outcome(silent),
            Err(Stop::Cut) => Ok(Outcome::Cut),
            Err(Stop::RunError) => {
                run.goes_wrong(Wrong::RunError);
                run.outcome(silent)
            }
            Err(Stop::Undecided(choice)) => Err(choice),
        }
    })
}

impl<'a> Run<'a, '_> {
    fn outcome(self, silent: Kind) -> Result<Outcome<'a>, Undecided> {
        let cut = self.cut;
        Ok(match self.wrong {
            Some(_) if cut => Outcome::Cut,
            Some((wrong, trail)) => Outcome::Wrong(wrong, trail),
            // "What is no step is not cut."
            None => match self.made(silent)? {
                Outcome::Step(_) if cut => Outcome::Cut,
                made => made,
            },
        })
    }

    /// What has been made, whatever bounds there are.
    fn made(self, silent: Kind) -> Result<Outcome<'a>, Undecided> {
        let kind = self.action.unwrap_or(silent);
        if self.action.is_none() && self.came_back {
            return Ok(Outcome::Nothing);
        }
        let script = self.script;
        let (before, agent) = (self.before, self.agent);
        let (unordered, delayed) = (self.setting.options.unordered, self.setting.options.delayed);
        let deliveries = self.deliveries.clone();
        let lost = self.lost;
        let (own, trail) = self.agent_state();
        let mut next = before.clone();
        next.agents[agent] = own;
        for (recipient, message) in deliveries {
            let to = &mut next.agents[recipient];
            if delayed {
                to.under_way.entry(message.sender).or_default().push(message);
            } else {
                to.mailbox.push(message);
            }
        }
        next.lost += lost;
        // "Nor is any move or timeout that leaves the whole state as it was": by the values themselves, not by where
        // they occur first. To exchange two of them is a step, unless they are equal.
        if matches!(kind, Kind::Move | Kind::Timeout) {
            let same = match next.same_but_for_counters(before) {
                Match::Open => match script.first() {
                    Some(&branch) => branch == 0,
                    None => return Err(Undecided { decider: Decider::Comparison, branches: 2 }),
                },
                sure => sure == Match::Yes,
            };
            if same {
                return Ok(Outcome::Nothing);
            }
        }
        let next = next.canonical(unordered);
        Ok(Outcome::Step(Box::new(Step { kind, next, trail, fault: lost > 0 })))
    }

    /// The resulting state of the agent itself.
    fn agent_state(mut self) -> (AgentState<'a>, Trail<'a>) {
        self.root.each_activation(&mut |it| it.calls.clear());
        self.root.forget_origin();
        let status = match self.root.control {
            Control::Ended(true) => Status::Done,
            Control::Ended(false) => Status::Failed,
            _ => Status::Running(self.root),
        };
        let (mut mailbox, mut under_way) = (self.mailbox, self.under_way);
        // "Its mailbox is discarded (what was in it is reported as unread)", and so is what is under way to it.
        if !matches!(status, Status::Running(_)) {
            let under_way = std::mem::take(&mut under_way);
            for message in mailbox.drain(..).chain(under_way.into_values().flatten()) {
                self.trail.unread.push((message.performative, message.arguments.len(), self.agent));
            }
        }
        (AgentState { status, memory: self.memory, mailbox, under_way, counters: self.counters }, self.trail)
    }
}
