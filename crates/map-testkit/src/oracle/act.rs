//! One step of one thread: the act from its place, or its timeout, and the silent way to the next place.

use std::collections::BTreeSet;

use map_diagnostics::Span;
use map_syntax::ast::{Address, Message as Pattern, Op, OpKind, Term, Who};

use super::cast::Setting;
use super::choice::{Decider, Tree, Undecided};
use super::flow::pattern_variables;
use super::state::{
    Activation, AgentState, Control, FRESH, Frame, Message, Path, Place, State, Status, Thread, Value,
    Variables,
};
use super::unify::{Match, compare, recipients, unify_all, unify_message};

/// The kinds of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Ask,
    Send,
    Receive,
    Timeout,
    Move,
}

/// What may be wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Overflow,
    Runaway,
}

/// What became of one way an act may go.
#[derive(Debug)]
pub(super) enum Outcome<'a> {
    /// "Comes back to the `waitfor` it started from", or "leaves the whole state as it was": no step.
    Nothing,
    /// "A step that needs more depth or rounds is *cut*."
    Cut,
    Wrong(Wrong),
    Step(Box<Step<'a>>),
}

/// A step that is made.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) kind: Kind,
    pub(super) next: State<'a>,
    pub(super) trail: Trail<'a>,
}

/// What happened on the way.
#[derive(Debug, Default)]
pub(super) struct Trail<'a> {
    pub(super) operations: BTreeSet<Span>,
    pub(super) clauses: BTreeSet<usize>,
    /// Performative, arity, recipient.
    pub(super) unread: Vec<(&'a str, usize, usize)>,
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

/// "Before the first step every thread goes on silently to its first place." The agent and what it did, or what
/// went wrong.
pub(super) fn first_places<'a>(
    setting: &Setting<'a>,
    agent: usize,
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
    let nobody = State { agents: Vec::new() };
    let mut run = Run::new(setting, &nobody, agent, &[], (root, Vec::new(), counters));
    run.trail.clauses.insert(entry);
    match run.proceed(Path::new(), Task::Begin(&setting.clause(entry).body)) {
        Err(Stop::Cut) => return Err(Outcome::Cut),
        Err(Stop::Undecided(_)) => unreachable!("no answers yet, so no abstract values"),
        Ok(()) => {}
    }
    match run.wrong {
        Some(wrong) => Err(Outcome::Wrong(wrong)),
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
    let before = &state.agents[agent];
    let Status::Running(root) = &before.status else { unreachable!("the agent has not ended") };
    Tree::explore(&|script| {
        let own = (root.clone(), before.mailbox.clone(), before.counters.clone());
        let mut run = Run::new(setting, state, agent, script, own);
        match begin(&mut run) {
            Ok(()) => Ok(run.outcome(silent)),
            Err(Stop::Cut) => Ok(Outcome::Cut),
            Err(Stop::Undecided(choice)) => Err(choice),
        }
    })
}

/// Why a run does not go on.
enum Stop {
    Cut,
    Undecided(Undecided),
}

/// What a thread is to do next.
enum Task<'a> {
    Begin(&'a Op),
    /// A `par` of these sides.
    Enter(&'a [Op]),
    /// The operation inside has ended; whether it succeeded.
    Ended(bool),
}

/// The `waitfor` an act started from, and the variables there.
struct Origin<'a> {
    wait: Place<'a>,
    variables: Variables<'a>,
}

/// One way of one act of one agent, while it is made.
struct Run<'a, 's> {
    setting: &'s Setting<'a>,
    before: &'s State<'a>,
    agent: usize,
    root: Thread<'a>,
    mailbox: Vec<Message<'a>>,
    counters: Vec<u32>,
    script: &'s [usize],
    /// Whether actions are tried; otherwise the thread goes on silently and rests at them.
    acting: bool,
    action: Option<Kind>,
    origin: Option<Origin<'a>>,
    came_back: bool,
    /// The `par`s this act has entered and that have not ended.
    entered: Vec<Path>,
    deliveries: Vec<(usize, Message<'a>)>,
    /// The first thing that went wrong. The run goes on as far as it can, because a cut counts before it.
    wrong: Option<Wrong>,
    trail: Trail<'a>,
}

impl<'a, 's> Run<'a, 's> {
    fn new(
        setting: &'s Setting<'a>,
        before: &'s State<'a>,
        agent: usize,
        script: &'s [usize],
        (root, mailbox, counters): (Thread<'a>, Vec<Message<'a>>, Vec<u32>),
    ) -> Self {
        Self {
            setting,
            before,
            agent,
            root,
            mailbox,
            counters,
            script,
            acting: false,
            action: None,
            origin: None,
            came_back: false,
            entered: Vec::new(),
            deliveries: Vec::new(),
            wrong: None,
            trail: Trail::default(),
        }
    }

    /// "An *act* starts from the thread's place."
    fn act(&mut self, path: Path) -> Result<(), Stop> {
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

    /// Takes a thread to the next place where it rests, or until something goes wrong.
    fn proceed(&mut self, mut path: Path, mut task: Task<'a>) -> Result<(), Stop> {
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
                self.check_new_waitfor(path, op);
                self.rest(path, Control::Waiting)
            }
            OpKind::Call { arguments } => self.call(path, op, arguments)?,
            OpKind::Skip => {
                self.trail.operations.insert(op.span);
                Some(Task::Ended(true))
            }
            OpKind::Fail => {
                self.trail.operations.insert(op.span);
                Some(Task::Ended(false))
            }
            _ if !self.acting => self.rest(path, Control::Action(Place(op))),
            OpKind::Ask { variable, procedure, .. } => {
                let may_refuse = self.setting.may_refuse(&procedure.text);
                Some(Task::Ended(self.ask(path, op, &variable.text, may_refuse)?))
            }
            OpKind::Send { message, to } => Some(Task::Ended(self.send(path, op, message, to)?)),
            OpKind::Receive { message, from } => {
                Some(Task::Ended(self.receive(path, op, (message, from))?))
            }
        })
    }

    fn rest(&mut self, path: &Path, control: Control<'a>) -> Option<Task<'a>> {
        self.root.at_mut(path).control = control;
        None
    }

    fn push(&mut self, path: &Path, frame: Frame<'a>) {
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
    fn check_new_waitfor(&mut self, path: &Path, op: &'a Op) {
        let Some(origin) = &self.origin else { return };
        let inside = self.entered.iter().any(|it| path.len() > it.len() && path.starts_with(it));
        if self.action.is_none()
            && !inside
            && origin.wait == Place(op)
            && origin.variables == self.activation(path).variables
        {
            self.wrong.get_or_insert(Wrong::Runaway);
        }
    }

    // Calls.

    /// "A fresh activation of the first clause of the agent's part whose head unifies with the arguments."
    fn call(&mut self, path: &Path, op: &'a Op, arguments: &'a [Term]) -> Result<Option<Task<'a>>, Stop> {
        let variables = &self.activation(path).variables;
        let arguments: Vec<Value<'a>> =
            arguments.iter().map(|it| self.setting.value(&it.kind, variables, self.agent)).collect();
        let Some((clause, variables)) = self.find_head(&arguments)? else {
            return Ok(Some(Task::Ended(false)));
        };
        self.trail.operations.insert(op.span);
        self.trail.clauses.insert(clause);

        let given_up = self.given_up(path, clause);
        let open = self.open_activations(path).len();
        let too_deep = open + 1 - usize::from(given_up.is_some()) > self.setting.options.depth as usize;
        if self.count_call(&arguments) || too_deep {
            return Err(Stop::Cut);
        }
        if self.open_activations(path).iter().any(|it| it.calls.contains(&arguments)) {
            self.wrong.get_or_insert(Wrong::Runaway);
            return Ok(None);
        }
        // "A call in last place returns when the clause it calls does."
        let mut calls = Vec::new();
        if let Some(index) = given_up {
            let frames = &mut self.root.at_mut(path).frames;
            let Frame::Activation(caller) = &mut frames[index] else { unreachable!("an activation") };
            calls.append(&mut caller.calls);
            frames.truncate(index);
        }
        calls.push(arguments);
        self.push(path, Frame::Activation(Activation { clause, variables, calls }));
        Ok(Some(Task::Begin(&self.setting.clause(clause).body)))
    }

    fn find_head(&mut self, arguments: &[Value<'a>]) -> Result<Option<(usize, Variables<'a>)>, Stop> {
        let setting = self.setting;
        for &index in &setting.part(self.agent).clauses {
            let clause = setting.clause(index);
            let mut variables = Variables::new();
            if let Who::Variable(name) = &clause.who {
                variables.insert(&name.text, Value::Agent(setting.name(self.agent)));
            }
            let found = unify_all(setting, self.agent, &mut variables, &clause.parameters, arguments);
            if self.decide(found)? {
                return Ok(Some((index, variables)));
            }
        }
        Ok(None)
    }

    /// Whether the call is one too many for `--rounds`.
    fn count_call(&mut self, arguments: &[Value<'a>]) -> bool {
        let options = self.setting.options;
        let all = options.rounds.map(|limit| (true, limit));
        let some = options.rounds_of.iter().map(|(constant, limit)| {
            // An abstract first argument is no constant.
            (arguments.first() == Some(&Value::Name(constant)), *limit)
        });
        let mut exceeded = false;
        for (counter, (counts, limit)) in self.counters.iter_mut().zip(all.into_iter().chain(some)) {
            *counter += u32::from(counts);
            exceeded |= *counter > limit;
        }
        exceeded
    }

    /// "An activation is given up at a call after which nothing in it can matter: nothing follows the call (in a
    /// side of a `par` the join follows), and either the called clause cannot fail or its failure would just be this
    /// clause's failure." The frame of the innermost activation, if it is.
    fn given_up(&self, path: &Path, callee: usize) -> Option<usize> {
        let frames = &self.root.at(path).frames;
        let innermost = frames.iter().rposition(|frame| matches!(frame, Frame::Activation(_)))?;
        let cannot_fail = !self.setting.can_fail[callee];
        let harmless = frames[innermost + 1..].iter().all(|frame| match frame {
            Frame::Activation(_) => unreachable!("the innermost activation comes before"),
            Frame::Then { chain, next } => *next == length(chain.0),
            Frame::Or { chain, next, .. } => cannot_fail || *next == length(chain.0),
            Frame::Wait { .. } => cannot_fail,
        });
        harmless.then_some(innermost)
    }

    // Actions.

    /// "'No' is failure; an answer is unified with `$v` (if it does not unify: failure)."
    fn ask(&mut self, path: &Path, op: &'a Op, variable: &'a str, may_refuse: bool) -> Result<bool, Stop> {
        if may_refuse && self.choose(Decider::Answer, 2)? == 1 {
            return Ok(false);
        }
        self.acted(Kind::Ask, op);
        let answer = Value::Symbol(FRESH);
        match self.activation(path).variables.get(variable) {
            Some(&bound) => self.decide(compare(bound, answer)),
            None => {
                self.activation_mut(path).variables.insert(variable, answer);
                Ok(true)
            }
        }
    }

    /// "Puts the message into the mailbox of every *other* agent whose name and role match, in one indivisible step,
    /// and never blocks. It fails if no agent matches."
    fn send(&mut self, path: &Path, op: &'a Op, message: &'a Pattern, to: &'a Address) -> Result<bool, Stop> {
        let variables = self.activation(path).variables.clone();
        let mut groups = recipients(self.setting, self.agent, &variables, to);
        let chosen = if groups.len() > 1 { self.choose(Decider::Comparison, groups.len())? } else { 0 };
        let recipients = groups.swap_remove(chosen);
        if recipients.is_empty() {
            return Ok(false);
        }
        self.acted(Kind::Send, op);
        let values = message.arguments.iter();
        let arguments: Vec<Value<'a>> =
            values.map(|it| self.setting.value(&it.kind, &variables, self.agent)).collect();
        let performative = message.performative.text.as_str();
        for recipient in recipients {
            // "An agent that has ended counts as a match; what is sent to it is dropped and reported as unread."
            let agent = &self.before.agents[recipient];
            if !matches!(agent.status, Status::Running(_)) {
                self.trail.unread.push((performative, arguments.len(), recipient));
                continue;
            }
            if agent.mailbox.len() >= self.setting.options.mailbox as usize {
                self.wrong.get_or_insert(Wrong::Overflow);
            }
            let message = Message { performative, arguments: arguments.clone(), sender: self.agent };
            self.deliveries.push((recipient, message));
        }
        Ok(true)
    }

    /// "Takes the *oldest* message that unifies with pattern and sender; variables are bound only when all of it
    /// matches. It fails at once if there is none."
    fn receive(
        &mut self,
        path: &Path,
        op: &'a Op,
        pattern: (&'a Pattern, &'a Address),
    ) -> Result<bool, Stop> {
        for index in 0..self.mailbox.len() {
            let mut variables = self.activation(path).variables.clone();
            let message = &self.mailbox[index];
            let found = unify_message(self.setting, self.agent, &mut variables, pattern, message);
            if self.decide(found)? {
                self.mailbox.remove(index);
                self.activation_mut(path).variables = variables;
                self.acted(Kind::Receive, op);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// "After an ask, send, receive or timeout the thread goes on, in the same step, through what needs neither
    /// mailbox nor answer." Calls before and after the action are different silent ways.
    fn acted(&mut self, kind: Kind, op: &Op) {
        self.action = Some(kind);
        self.acting = false;
        self.trail.operations.insert(op.span);
        self.root.each_activation(&mut |it| it.calls.clear());
    }

    // Choices.

    fn choose(&mut self, decider: Decider, branches: usize) -> Result<usize, Stop> {
        let Some((&first, rest)) = self.script.split_first() else {
            return Err(Stop::Undecided(Undecided { decider, branches }));
        };
        self.script = rest;
        Ok(first)
    }

    fn decide(&mut self, found: Match) -> Result<bool, Stop> {
        Ok(match found {
            Match::Yes => true,
            Match::No => false,
            Match::Open => self.choose(Decider::Comparison, 2)? == 0,
        })
    }

    // Activations and variables.

    /// "The open activations of the thread and of those around the `par`s it is in."
    fn open_activations(&self, path: &[usize]) -> Vec<&Activation<'a>> {
        let threads = (0..=path.len()).map(|length| self.root.at(&path[..length]));
        let frames = threads.flat_map(|thread| &thread.frames);
        frames
            .filter_map(
                |frame| if let Frame::Activation(activation) = frame { Some(activation) } else { None },
            )
            .collect()
    }

    fn activation(&self, path: &[usize]) -> &Activation<'a> {
        self.open_activations(path).pop().expect("the entry clause is open")
    }

    fn activation_mut(&mut self, path: &[usize]) -> &mut Activation<'a> {
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

    // Results.

    fn outcome(self, silent: Kind) -> Outcome<'a> {
        if let Some(wrong) = self.wrong {
            return Outcome::Wrong(wrong);
        }
        let kind = self.action.unwrap_or(silent);
        if self.action.is_none() && self.came_back {
            return Outcome::Nothing;
        }
        let (before, agent) = (self.before, self.agent);
        let deliveries = self.deliveries.clone();
        let (own, trail) = self.agent_state();
        let mut next = before.clone();
        next.agents[agent] = own;
        for (recipient, message) in deliveries {
            next.agents[recipient].mailbox.push(message);
        }
        let next = next.canonical();
        // "Nor is any move or timeout that leaves the whole state as it was."
        if matches!(kind, Kind::Move | Kind::Timeout) && next.same_but_for_counters(before) {
            return Outcome::Nothing;
        }
        Outcome::Step(Box::new(Step { kind, next, trail }))
    }

    /// What has become of the agent itself.
    fn agent_state(mut self) -> (AgentState<'a>, Trail<'a>) {
        self.root.each_activation(&mut |it| it.calls.clear());
        self.root.forget_origin();
        let status = match self.root.control {
            Control::Ended(true) => Status::Done,
            Control::Ended(false) => Status::Failed,
            _ => Status::Running(self.root),
        };
        let mut mailbox = self.mailbox;
        // "Its mailbox is discarded (what was in it is reported as unread)."
        if !matches!(status, Status::Running(_)) {
            for message in mailbox.drain(..) {
                self.trail.unread.push((message.performative, message.arguments.len(), self.agent));
            }
        }
        (AgentState { status, mailbox, counters: self.counters }, self.trail)
    }
}

fn length(chain: &Op) -> usize {
    match &chain.kind {
        OpKind::Then(ops) | OpKind::Or(ops) => ops.len(),
        _ => unreachable!("a chain"),
    }
}
