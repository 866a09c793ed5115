//! Finds all outcomes of the acts and timeouts at a place, with their conditions.
//!
//! This is symbolic execution (King 1976) of the step relation of `map-semantics`, on terms instead of values:
//! where the outcome depends on a value, on the mailbox or on an answer, the act branches. The branches before the
//! single action of an act become the guard of an alternative in Promela; the rest becomes its statements.

mod ask;
mod calls;
mod computed;
mod equality;
mod expression;
mod messages;
mod places;
mod rest;
mod sequence;
mod sides;
mod watched;

use map_ir::{AgentId, Edge, Goto, Operand, PartId, PointId, PointKind, Program, RoleId, Slot, Value};
use map_semantics::Bounds;

use crate::claims::Claims;
use crate::control::{At, Control, FrameKey, Holder, HolderId, LevelId, Place, PlaceId, SideId};
use crate::kinds::{Flow, Kinds};
use crate::layout::Layout;
use crate::naming::Naming;
use crate::promela::Expr;
use crate::refusal::{Reason, Refusal};
use crate::term::Term;

pub(crate) use messages::{ReceiveSpec, Recipient};

/// The maximum number of branches, and of control steps on one branch, of an act; beyond it the scene is refused.
const MAX_WAYS: usize = 4_000;

/// The most operations that an act may pass over one after the other. Each is a level of recursion here.
const MAX_STEPS: usize = 1_500;
/// The maximum number of places of an agent; beyond it the scene is refused.
const MAX_PLACES: usize = 3_000;

/// The possible outcomes of an act, as a decision tree.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Leaf(Box<Leaf>),
    /// Branches with their conditions.
    Test {
        options: Vec<(Expr, Tree)>,
        branches: Branches,
    },
    /// The single action of the act, and what follows it.
    Act(Box<Act>, Box<Tree>),
}

/// How many of the conditions of a test may hold at once, and what decides then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branches {
    /// One.
    Exclusive,
    /// Several: the outcome of an open comparison.
    Compared,
    /// Several: the answer of a procedure.
    Answered,
}

impl Branches {
    pub(crate) const fn compared(open: bool) -> Self {
        if open { Self::Compared } else { Self::Exclusive }
    }
}

/// The action of an act.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A procedure answers.
    Ask {
        point: PointId,
        /// Any one of these values is stored in the holder.
        choose: Option<(HolderId, Vec<Value>)>,
        /// The holders in which new values are stored: true for fresh ones, false for abstract ones.
        new: Vec<(HolderId, bool)>,
    },
    /// A message is received.
    Receive(ReceiveSpec),
    /// A message is sent.
    Send { point: PointId, performative: map_ir::PerformativeId, arguments: Vec<Term>, to: Vec<Recipient> },
}

/// How an act ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The threads rest.
    Rest,
    /// The agent has ended: true if with success.
    Ended(bool),
    /// Nothing happened, so there is no step.
    Nothing,
    /// A bound cuts the step.
    Cut,
    /// The step goes wrong.
    Wrong(Wrong),
}

/// The ways in which a step can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// An agent fails.
    Failure,
    /// A mailbox overflows.
    Overflow,
    /// Runaway recursion.
    Runaway,
    /// The evaluation of a procedure body goes wrong.
    RunError,
    /// A result is too large for the model, which then says nothing about the dialogue.
    OutOfRange,
}

impl Ending {
    /// What goes wrong, if something does.
    pub(crate) fn wrong(&self) -> Option<Wrong> {
        match self {
            Self::Wrong(wrong) => Some(*wrong),
            Self::Ended(false) => Some(Wrong::Failure),
            _ => None,
        }
    }
}

/// A possible end of an act.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) ending: Ending,
    /// The new places of the threads that have moved.
    pub(crate) placed: Vec<PlaceId>,
    /// The sides of the `par`s that have ended.
    pub(crate) joined: Vec<SideId>,
    /// The holders with new contents, in terms of the contents before the step; `None` if a holder is no longer in
    /// use.
    pub(crate) writes: Vec<(HolderId, Option<Term>)>,
    /// The asks that were answered "no".
    pub(crate) refused: Vec<PointId>,
}

/// An open activation with its symbolic contents, or an open side of a `par`.
#[derive(Clone, Debug)]
pub(crate) enum Frame {
    Activation(Activation),
    Side {
        side: SideId,
        /// Whether it was entered in this act.
        new: bool,
        /// The innermost open call of this act once the `par` is left, as an index into the open calls.
        outside: Option<usize>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Activation {
    level: LevelId,
    clause: map_ir::ClauseId,
    call: Option<PointId>,
    variables: Vec<Option<Term>>,
    /// Whether it was opened in this act.
    new: bool,
    /// The innermost open call of this act once it is left, as an index into the open calls.
    outside: Option<usize>,
}

#[derive(Clone, Debug)]
struct OpenCall {
    arguments: Vec<Term>,
    before: Option<usize>,
}

/// A side that still has to move to its first place.
#[derive(Clone, Debug)]
struct PendingSide {
    frames: Vec<Frame>,
    start: PointId,
    innermost: Option<usize>,
}

/// The `waitfor` from which an act started, with the innermost activation at that time.
#[derive(Clone, Debug)]
struct Started {
    point: PointId,
    clause: map_ir::ClauseId,
    variables: Vec<Option<Term>>,
}

/// The symbolic state of a thread during an act.
#[derive(Clone, Debug)]
pub(crate) struct SymbolicThread {
    /// The place from which it started.
    origin: PlaceId,
    started: Option<Started>,
    frames: Vec<Frame>,
    silent: bool,
    open_calls: Vec<OpenCall>,
    innermost: Option<usize>,
    /// The calls made in this step, by bound on calls.
    calls: Vec<u32>,
    cells: Vec<Term>,
    action: Option<PointId>,
    /// A bound is exceeded, but the act may still come to nothing.
    exceeded: bool,
    /// The first way in which one of its threads has gone wrong.
    fault: Option<Wrong>,
    /// The condition that the message it sent overflows a mailbox.
    overflow: Expr,
    /// The holders in which the action has stored values directly.
    stored: Vec<HolderId>,
    placed: Vec<(Vec<Frame>, At)>,
    pending: Vec<PendingSide>,
    joined: Vec<SideId>,
    /// The asks that were answered "no".
    refused: Vec<PointId>,
    /// The number of abstract and fresh values created so far.
    made: usize,
    steps: usize,
}

/// Explores the behaviour of the agents of a part, and translates it.
pub(crate) struct Walker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) bounds: &'a Bounds,
    pub(crate) flow: &'a Flow,
    pub(crate) layout: &'a Layout,
    pub(crate) naming: Naming<'a>,
    pub(crate) role: RoleId,
    pub(crate) agents: Vec<AgentId>,
    pub(crate) control: Control,
    pub(crate) refusals: Vec<Refusal>,
    /// The kinds of values that each temporary may hold.
    scratch: Vec<Kinds>,
    /// The temporary for breaking cycles of parallel assignments.
    pub(crate) swap: Option<HolderId>,
    /// The claims of the model, if it has any.
    pub(crate) claims: Option<&'a Claims<'a>>,
    /// Set if two abstract, or two fresh, values are compared, so that they must be distinguished.
    pub(crate) needs_symbols: bool,
    /// The largest number of recipients of any message.
    pub(crate) most_recipients: usize,
    /// The branches of the act so far.
    ways: usize,
    /// The possible results of the expressions of the act so far, and of their parts.
    cases: usize,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(
        program: &'a Program,
        bounds: &'a Bounds,
        flow: &'a Flow,
        layout: &'a Layout,
        part: PartId,
        naming: Naming<'a>,
    ) -> Self {
        let part = program.part(part);
        Self {
            program,
            bounds,
            flow,
            layout,
            naming,
            role: part.role,
            agents: part.agents.clone(),
            control: Control::default(),
            refusals: Vec::new(),
            scratch: Vec::new(),
            swap: None,
            claims: None,
            needs_symbols: false,
            most_recipients: 0,
            ways: 0,
            cases: 0,
        }
    }

    /// The outcomes of the act of the thread at a place; `None` unless it rests at an action or a `waitfor`.
    pub(crate) fn act(&mut self, place: PlaceId) -> Option<Tree> {
        let At::Point(point) = self.control.places[place.0].at else { return None };
        let mut thread = self.thread_at(place);
        (self.ways, self.cases) = (0, 0);
        let start = match self.program.point(point).kind {
            PointKind::Wait { body, .. } => {
                thread.started = thread.innermost_activation().map(|it| Started {
                    point,
                    clause: it.clause,
                    variables: it.variables.clone(),
                });
                body
            }
            _ => point,
        };
        Some(self.run(thread, Goto::Point(start)))
    }

    /// The outcomes of the timeout of the thread at a place, if it has one.
    pub(crate) fn time_out(&mut self, place: PlaceId) -> Option<Tree> {
        let At::Point(point) = self.control.places[place.0].at else { return None };
        let PointKind::Wait { timeout: Some(timeout), .. } = self.program.point(point).kind else {
            return None;
        };
        let mut thread = self.thread_at(place);
        thread.silent = true;
        (self.ways, self.cases) = (0, 0);
        Some(self.run(thread, Goto::Point(timeout)))
    }

    /// The symbolic state of the thread at a place at the start of an act.
    fn thread_at(&mut self, place: PlaceId) -> SymbolicThread {
        let keys = self.control.places[place.0].frames.clone();
        let frames = keys.iter().map(|key| self.frame(key)).collect();
        let cells = self.program.memories[self.role.index()].cells.len();
        let cells = (0..cells).map(|index| Term::Content(self.control.holder(Holder::Cell(index)))).collect();
        SymbolicThread {
            origin: place,
            started: None,
            frames,
            silent: false,
            open_calls: Vec::new(),
            innermost: None,
            calls: vec![0; self.bounds.counters()],
            cells,
            action: None,
            exceeded: false,
            fault: None,
            overflow: Expr::False,
            stored: Vec::new(),
            placed: Vec::new(),
            pending: Vec::new(),
            joined: Vec::new(),
            refused: Vec::new(),
            made: 0,
            steps: 0,
        }
    }

    fn frame(&mut self, key: &FrameKey) -> Frame {
        match key {
            FrameKey::Side(side) => Frame::Side { side: *side, new: false, outside: None },
            FrameKey::Activation { level, clause, call, bound } => Frame::Activation(Activation {
                level: *level,
                clause: *clause,
                call: *call,
                variables: bound
                    .iter()
                    .enumerate()
                    .map(|(slot, bound)| bound.then(|| self.content(*level, *clause, Slot::new(slot))))
                    .collect(),
                new: false,
                outside: None,
            }),
        }
    }

    /// The content of a variable of an activation. The agent's own name is never stored.
    fn content(&mut self, level: LevelId, clause: map_ir::ClauseId, slot: Slot) -> Term {
        if self.program.clause(clause).own_name == Some(slot) {
            return Term::Own;
        }
        Term::Content(self.control.holder(Holder::Slot(level, clause, slot)))
    }

    fn run(&mut self, mut thread: SymbolicThread, mut goto: Goto) -> Tree {
        loop {
            thread.steps += 1;
            if thread.steps > MAX_STEPS {
                return self.too_many(&thread);
            }
            goto = match goto {
                Goto::Return(succeeded) => match self.leave(&mut thread, succeeded) {
                    Some(next) => next,
                    None => return self.ended(&thread, succeeded),
                },
                Goto::SideEnd(succeeded) => return self.end_side(thread, succeeded),
                Goto::Point(point) => match &self.program.point(point).kind {
                    PointKind::Skip { ok } => *ok,
                    PointKind::Fail { err } => thread.fail(self.program, *err),
                    PointKind::Wait { .. } => return self.reach_wait(thread, point),
                    PointKind::Ask { .. } | PointKind::Send { .. } | PointKind::Receive { .. }
                        if thread.silent =>
                    {
                        return self.rest(thread, At::Point(point));
                    }
                    PointKind::Ask { .. } => return self.ask(thread, point),
                    PointKind::Send { .. } => return self.send(thread, point),
                    PointKind::Receive { .. } => return self.receive(thread, point),
                    PointKind::Call { .. } => return self.call(thread, point),
                    PointKind::Par { sides, .. } => return self.fork(thread, point, sides),
                },
            };
        }
    }

    /// Continues with every option whose condition is not false.
    fn split(
        &mut self,
        branches: Branches,
        options: Vec<(Expr, SymbolicThread)>,
        mut go_on: impl FnMut(&mut Self, usize, SymbolicThread) -> Tree,
    ) -> Tree {
        if let Some(first) = options.first()
            && self.is_spent()
        {
            return self.too_many(&first.1);
        }
        let mut trees: Vec<(Expr, Tree)> = Vec::new();
        for (index, (condition, thread)) in options.into_iter().enumerate() {
            if condition == Expr::False {
                continue;
            }
            self.ways += 1;
            let tree = go_on(self, index, thread);
            trees.push((condition, tree));
        }
        match trees.len() {
            1 if trees[0].0 == Expr::True => trees.swap_remove(0).1,
            _ => Tree::Test { options: trees, branches },
        }
    }

    fn is_spent(&self) -> bool {
        self.ways > MAX_WAYS || self.control.places.len() > MAX_PLACES
    }

    fn too_many(&mut self, thread: &SymbolicThread) -> Tree {
        let point = match self.control.places[thread.origin.0].at {
            At::Point(point) => Some(self.program.point(point).span),
            At::Fork(_) | At::End(_) => None,
        };
        self.refuse(Reason::TooManyWays, point);
        self.leaf_of(Ending::Nothing)
    }

    pub(crate) fn refuse(&mut self, reason: Reason, span: Option<map_ir::SourceSpan>) {
        let refusal = Refusal { span, reason };
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    fn leaf_of(&self, ending: Ending) -> Tree {
        let (placed, joined, writes, refused) = Default::default();
        Tree::Leaf(Box::new(Leaf { ending, placed, joined, writes, refused }))
    }

    fn term(&self, thread: &SymbolicThread, operand: Operand) -> Term {
        match operand {
            Operand::Constant(value) => Term::Constant(value),
            Operand::Own => Term::Own,
            Operand::Expression(_) => unreachable!("computed before"),
            Operand::Variable(slot) => thread
                .innermost_activation()
                .and_then(|it| it.variables[slot.index()].clone())
                .expect("checked: bound on every path to a use"),
        }
    }

    /// The kinds of values that a term may take.
    pub(crate) fn kinds(&self, term: &Term) -> Kinds {
        match term {
            Term::Constant(value) => Kinds::of(*value),
            Term::Own => Kinds::ATOM,
            Term::Abstract(_) => Kinds::ABSTRACT,
            Term::Fresh(_) => Kinds::FRESH,
            Term::Result(..) => Kinds::INTEGER,
            Term::Content(holder) => match self.control.holders[holder.0] {
                Holder::Slot(_, clause, slot) => self.flow.variable(clause, slot),
                Holder::Cell(index) => self.flow.cell(self.role, index),
                Holder::Calls(_) | Holder::Side(_) => Kinds::INTEGER,
                Holder::Scratch(number) => self.scratch[number],
                Holder::Swap => Kinds::INTEGER.with(Kinds::ATOM).with(Kinds::ABSTRACT).with(Kinds::FRESH),
            },
        }
    }
}

impl SymbolicThread {
    fn innermost_activation(&self) -> Option<&Activation> {
        self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Activation(activation) => Some(activation),
            Frame::Side { .. } => None,
        })
    }

    fn variables(&mut self) -> &mut Vec<Option<Term>> {
        let innermost = self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Activation(activation) => Some(&mut activation.variables),
            Frame::Side { .. } => None,
        });
        innermost.expect("every thread rests on an activation")
    }

    fn fail(&mut self, program: &Program, edge: Edge) -> Goto {
        for &slot in program.slot_set(edge.unbind) {
            self.variables()[slot.index()] = None;
        }
        edge.to
    }

    /// Records the single action of the act: what follows is silent, and earlier calls no longer count as open.
    fn acted(&mut self, point: PointId) {
        self.silent = true;
        self.action = Some(point);
        self.open_calls.clear();
        self.innermost = None;
        for frame in &mut self.frames {
            match frame {
                Frame::Activation(Activation { outside, .. }) | Frame::Side { outside, .. } => {
                    *outside = None;
                }
            }
        }
    }

    fn depth(&self) -> u32 {
        self.frames.iter().filter(|frame| matches!(frame, Frame::Activation(_))).count() as u32
    }
}

/// The place of a thread with this stack, including which variables of each activation are bound.
fn place_of(frames: &[Frame], at: At) -> Place {
    let key = |frame: &Frame| match frame {
        Frame::Side { side, .. } => FrameKey::Side(*side),
        Frame::Activation(it) => FrameKey::Activation {
            level: it.level,
            clause: it.clause,
            call: it.call,
            bound: it.variables.iter().map(Option::is_some).collect(),
        },
    };
    Place { frames: frames.iter().map(key).collect(), at }
}
