//! States: "for every agent: running, done or failed; memory cells; mailbox; the places of its threads with their open
//! activations (clause, variables bound so far)", and the counters of the bounds.

use super::unify::{Match, compare_all};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use map_syntax::ast::Op;

use super::bag;

/// "Integers, strings, constants, agents and roles are different kinds, never equal across kinds." And two more
/// kinds: `fresh` answers, which "differ from each other and from every value written in the file", and the abstract
/// values: "a new symbol, equal to itself".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Value<'a> {
    Integer(i64),
    Text(&'a str),
    Name(&'a str),
    Agent(&'a str),
    Role(&'a str),
    Fresh(u32),
    Symbol(u32),
}

/// The number of the initial value that is new in the step being computed; further ones count down.
pub(super) const NEW: u32 = u32::MAX;

/// The memory cells of an agent.
pub(super) type Memory<'a> = BTreeMap<&'a str, Value<'a>>;

/// The variables of an activation that are bound.
pub(super) type Variables<'a> = BTreeMap<&'a str, Value<'a>>;

/// An operation as a place in the text: two are equal only if they are the same occurrence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a>(pub(super) &'a Op);

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Place<'_> {}

impl Hash for Place<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

/// An open activation of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Activation<'a> {
    pub(super) clause: usize,
    pub(super) variables: Variables<'a>,
    /// While a step is computed: the arguments of the calls made in it that return when this activation does. Empty in
    /// a state.
    pub(super) calls: Vec<Vec<Value<'a>>>,
}

/// A construct around a place that continues when the operation inside it has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame<'a> {
    Activation(Activation<'a>),
    /// A chain of `then`; `next` is the operation that follows.
    Then {
        chain: Place<'a>,
        next: usize,
    },
    /// A chain of `or`; `next` is the operation that runs if the present one fails.
    Or {
        chain: Place<'a>,
        next: usize,
        /// The variables that the present alternative may bind.
        undo: Vec<&'a str>,
    },
    /// The operation of a `waitfor` is being tried, or the thread rests at it.
    Wait {
        wait: Place<'a>,
        /// The variables that the operation may bind.
        undo: Vec<&'a str>,
        /// While an act is computed: whether it started from this `waitfor`. False in a state.
        origin: bool,
    },
}

/// Where a thread is, or how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Control<'a> {
    /// Between places. Does not occur in a state.
    Running,
    /// At an ask, a send or a receive.
    Action(Place<'a>),
    /// At the `waitfor` of the innermost frame.
    Waiting,
    /// In a `par`; three sides are a side and a `par` of two ("all group to the right").
    Par(Box<[Thread<'a>; 2]>),
    /// At its end: whether it succeeded.
    Ended(bool),
}

/// A thread with the threads of its `par`: the frames opened outside any side, or in this side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread<'a> {
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) control: Control<'a>,
}

/// The side to take at each `par` on the way from an agent's outermost thread to an inner one.
pub(super) type Path = Vec<usize>;

impl<'a> Thread<'a> {
    pub(super) fn new(frames: Vec<Frame<'a>>) -> Self {
        Self { frames, control: Control::Running }
    }

    pub(super) fn at(&self, path: &[usize]) -> &Self {
        match (path, &self.control) {
            ([], _) => self,
            ([side, rest @ ..], Control::Par(sides)) => sides[*side].at(rest),
            _ => unreachable!("the path leads through pars"),
        }
    }

    pub(super) fn at_mut(&mut self, path: &[usize]) -> &mut Self {
        match path {
            [] => self,
            [side, rest @ ..] => match &mut self.control {
                Control::Par(sides) => sides[*side].at_mut(rest),
                _ => unreachable!("the path leads through pars"),
            },
        }
    }

    /// The paths of the threads that have not ended.
    pub(super) fn leaves(&self) -> Vec<Path> {
        match &self.control {
            Control::Ended(_) => Vec::new(),
            Control::Par(sides) => {
                let mut all = Vec::new();
                for (side, thread) in sides.iter().enumerate() {
                    for mut path in thread.leaves() {
                        path.insert(0, side);
                        all.push(path);
                    }
                }
                all
            }
            _ => vec![Vec::new()],
        }
    }

    /// Applies `change` to every activation, outer ones first.
    pub(super) fn each_activation(&mut self, change: &mut impl FnMut(&mut Activation<'a>)) {
        for frame in &mut self.frames {
            if let Frame::Activation(activation) = frame {
                change(activation);
            }
        }
        if let Control::Par(sides) = &mut self.control {
            for side in sides.iter_mut() {
                side.each_activation(change);
            }
        }
    }

    /// Forgets which `waitfor` the act started from.
    pub(super) fn forget_origin(&mut self) {
        for frame in &mut self.frames {
            if let Frame::Wait { origin, .. } = frame {
                *origin = false;
            }
        }
        if let Control::Par(sides) = &mut self.control {
            for side in sides.iter_mut() {
                side.forget_origin();
            }
        }
    }
}

/// A message with its sender.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Message<'a> {
    pub(super) performative: &'a str,
    pub(super) arguments: Vec<Value<'a>>,
    pub(super) sender: usize,
}

/// "An agent whose entry clause succeeds is *done*, if it fails it has *failed*; in both cases it has ended."
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Status<'a> {
    Running(Thread<'a>),
    Done,
    Failed,
    /// It has stopped for ever.
    Crashed,
}

/// One agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AgentState<'a> {
    pub(super) status: Status<'a>,
    pub(super) memory: Memory<'a>,
    /// Oldest first, or a bag; empty once the agent has ended.
    pub(super) mailbox: Vec<Message<'a>>,
    /// What each sender has under way to it, in the order sent; senders with nothing are left out.
    pub(super) under_way: BTreeMap<usize, Vec<Message<'a>>>,
    /// The calls made: in all if `--rounds N` is given, and for each `--rounds c=N`.
    pub(super) counters: Vec<u32>,
}

/// The whole scene.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State<'a> {
    pub(super) agents: Vec<AgentState<'a>>,
    /// The number of message copies lost.
    pub(super) lost: u32,
}

impl<'a> AgentState<'a> {
    fn same_but_for_counters(&self, other: &Self) -> Match {
        let ((shape, values), (other_shape, other_values)) = (self.taken_apart(), other.taken_apart());
        if shape != other_shape {
            return Match::No;
        }
        compare_all(values.into_iter().zip(other_values))
    }

    /// Everything but values and counters, and the values in a fixed order.
    fn taken_apart(&self) -> (Self, Vec<Value<'a>>) {
        let mut shape = self.clone();
        let mut values = Vec::new();
        let mut take = |value: &mut Value<'a>| values.push(std::mem::replace(value, Value::Integer(0)));
        shape.memory.values_mut().for_each(&mut take);
        if let Status::Running(thread) = &mut shape.status {
            thread.each_activation(&mut |it| it.variables.values_mut().for_each(&mut take));
        }
        for message in shape.under_way.values_mut().flatten().chain(&mut shape.mailbox) {
            message.arguments.iter_mut().for_each(&mut take);
        }
        shape.counters.clear();
        (shape, values)
    }
}

impl<'a> State<'a> {
    /// "Abstract values are numbered by first occurrence", and so are fresh ones: makes equal states equal values.
    /// Bags are put into an order first.
    pub(super) fn canonical(mut self, unordered: bool) -> Self {
        if unordered {
            self = bag::in_order(self);
        }
        let (mut symbols, mut ids): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut number = |value: &mut Value<'a>| {
            let (seen, number) = match value {
                Value::Symbol(number) => (&mut symbols, number),
                Value::Fresh(number) => (&mut ids, number),
                _ => return,
            };
            let at = seen.iter().position(|it| it == number).unwrap_or_else(|| {
                seen.push(*number);
                seen.len() - 1
            });
            *number = u32::try_from(at).expect("few symbols");
        };
        for agent in &mut self.agents {
            agent.memory.values_mut().for_each(&mut number);
            if let Status::Running(thread) = &mut agent.status {
                thread.each_activation(&mut |it| it.variables.values_mut().for_each(&mut number));
            }
            for message in agent.under_way.values_mut().flatten().chain(&mut agent.mailbox) {
                message.arguments.iter_mut().for_each(&mut number);
            }
        }
        self
    }

    /// Whether the states differ at most in the counters; open if that depends on abstract values.
    pub(super) fn same_but_for_counters(&self, other: &Self) -> Match {
        let agents = self.agents.iter().zip(&other.agents);
        agents.map(|(one, other)| one.same_but_for_counters(other)).fold(Match::Yes, Ord::min)
    }

    /// A crashed agent "counts as ended in the verdicts".
    pub(super) fn all_done(&self) -> bool {
        self.agents.iter().all(|agent| matches!(agent.status, Status::Done | Status::Crashed))
    }

    pub(super) fn some_failed(&self) -> bool {
        self.agents.iter().any(|agent| agent.status == Status::Failed)
    }
}
