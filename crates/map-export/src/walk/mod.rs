//! All acts and timeouts from a place, with the conditions under which they come out as they do.
//!
//! This is the step relation of `map-semantics` run on terms instead of values: where the outcome depends on a value,
//! on the mailbox or on an answer, the act branches. What comes before the one action of an act becomes the guard of an
//! alternative in Promela, what comes after it becomes the statements.

mod ask;
mod calls;
mod equality;
mod expression;
mod messages;
mod places;
mod rest;
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

pub(crate) use messages::{Recipient, Taking};

/// The most ways in which one act may come out, and the most places of an agent, before a scene is refused.
const MAX_WAYS: usize = 4_000;
const MAX_PLACES: usize = 3_000;

/// What an act can come to.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Leaf(Box<Leaf>),
    /// The options with their conditions. If they are not `exclusive`, several may be possible at once: something is
    /// open, or a decision answers.
    Test {
        options: Vec<(Expr, Tree)>,
        exclusive: bool,
    },
    /// The one action of the act, and what comes after it.
    Act(Box<Act>, Box<Tree>),
}

/// The action of an act.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A procedure answers.
    Ask {
        point: PointId,
        /// Any of these values is stored there.
        choose: Option<(HolderId, Vec<Value>)>,
        /// New values are stored there; true for fresh ones, false for abstract ones.
        new: Vec<(HolderId, bool)>,
    },
    /// A message is taken.
    Receive(Taking),
    /// A message is sent.
    Send { point: PointId, performative: map_ir::PerformativeId, arguments: Vec<Term>, to: Vec<Recipient> },
}

/// How an act ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The threads rest.
    Rest,
    /// The agent has ended; true with success.
    Ended(bool),
    /// Nothing happened.
    Nothing,
    /// A bound cuts the step.
    Cut,
    /// The step goes wrong.
    Wrong(Wrong),
}

/// The ways to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// An agent fails.
    Failure,
    /// A mailbox overflows.
    Overflow,
    /// Runaway recursion.
    Runaway,
    /// The body of a procedure goes wrong.
    RunError,
    /// A result is too large for the model; nothing is said of the dialogue.
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

/// One end of an act.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) ending: Ending,
    /// The threads that moved and where they are now.
    pub(crate) placed: Vec<PlaceId>,
    /// Sides of a `par` that is over.
    pub(crate) joined: Vec<SideId>,
    /// What holds a new value, in terms of the contents before; `None` holds nothing any more.
    pub(crate) writes: Vec<(HolderId, Option<Term>)>,
    /// The asks that were answered "no".
    pub(crate) refused: Vec<PointId>,
}

/// An open activation or side, with what its variables hold.
#[derive(Clone, Debug)]
pub(crate) enum Frame {
    Activation(Activation),
    Side {
        side: SideId,
        /// Entered in this act.
        new: bool,
        /// The innermost unreturned call of this act when the `par` is left.
        outside: Option<usize>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Activation {
    level: LevelId,
    clause: map_ir::ClauseId,
    call: Option<PointId>,
    variables: Vec<Option<Term>>,
    /// Opened in this act.
    new: bool,
    /// The innermost unreturned call of this act when it is left.
    outside: Option<usize>,
}

#[derive(Clone, Debug)]
struct OpenCall {
    arguments: Vec<Term>,
    before: Option<usize>,
}

/// A side that still has to go to its first place.
#[derive(Clone, Debug)]
struct Pending {
    frames: Vec<Frame>,
    start: PointId,
    innermost: Option<usize>,
}

/// The `waitfor` an act started from, with the activation it is in.
#[derive(Clone, Debug)]
struct Started {
    point: PointId,
    clause: map_ir::ClauseId,
    variables: Vec<Option<Term>>,
}

/// A thread at work.
#[derive(Clone, Debug)]
pub(crate) struct Strand {
    /// Where it started.
    origin: PlaceId,
    started: Option<Started>,
    frames: Vec<Frame>,
    silent: bool,
    open_calls: Vec<OpenCall>,
    innermost: Option<usize>,
    /// Calls made in this step, by bound.
    calls: Vec<u32>,
    cells: Vec<Term>,
    action: Option<PointId>,
    /// A bound is exceeded, but the act may still come to nothing.
    exceeded: bool,
    /// One of its threads has run away.
    runaway: bool,
    /// Under which condition what it sent overflows a mailbox.
    overflow: Expr,
    /// What the action stored directly.
    stored: Vec<HolderId>,
    placed: Vec<(Vec<Frame>, At)>,
    pending: Vec<Pending>,
    joined: Vec<SideId>,
    /// The asks that were answered "no".
    refused: Vec<PointId>,
    /// Abstract and fresh values made so far.
    made: usize,
    steps: usize,
}

/// Explores the agents of one part.
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
    /// What scratch variables may have held so far.
    scratch: Vec<Kinds>,
    /// Where one of several variables that exchange their contents is set aside.
    pub(crate) swap: Option<HolderId>,
    /// What the model claims, if it claims something.
    pub(crate) claims: Option<&'a Claims<'a>>,
    /// Whether two abstract, or two fresh, values were held against each other.
    pub(crate) needs_symbols: bool,
    /// The most agents that one message may reach.
    pub(crate) most_recipients: usize,
    ways: usize,
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
        }
    }

    /// What the thread at a place may do by itself; nothing unless it rests at an action or a `waitfor`.
    pub(crate) fn act(&mut self, place: PlaceId) -> Option<Tree> {
        let At::Point(point) = self.control.places[place.0].at else { return None };
        let mut strand = self.strand(place);
        self.ways = 0;
        let start = match self.program.point(point).kind {
            PointKind::Wait { body, .. } => {
                strand.started = strand.innermost_activation().map(|it| Started {
                    point,
                    clause: it.clause,
                    variables: it.variables.clone(),
                });
                body
            }
            _ => point,
        };
        Some(self.run(strand, Goto::Point(start)))
    }

    /// What the timeout of the thread at a place comes to, if it has one.
    pub(crate) fn time_out(&mut self, place: PlaceId) -> Option<Tree> {
        let At::Point(point) = self.control.places[place.0].at else { return None };
        let PointKind::Wait { timeout: Some(timeout), .. } = self.program.point(point).kind else {
            return None;
        };
        let mut strand = self.strand(place);
        strand.silent = true;
        self.ways = 0;
        Some(self.run(strand, Goto::Point(timeout)))
    }

    /// The thread at a place, ready to run.
    fn strand(&mut self, place: PlaceId) -> Strand {
        let keys = self.control.places[place.0].frames.clone();
        let frames = keys.iter().map(|key| self.frame(key)).collect();
        let cells = self.program.memories[self.role.index()].cells.len();
        let cells = (0..cells).map(|index| Term::Content(self.control.holder(Holder::Cell(index)))).collect();
        Strand {
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
            runaway: false,
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

    /// What a variable of an activation holds. The own name is never stored.
    fn content(&mut self, level: LevelId, clause: map_ir::ClauseId, slot: Slot) -> Term {
        if self.program.clause(clause).own_name == Some(slot) {
            return Term::Own;
        }
        Term::Content(self.control.holder(Holder::Slot(level, clause, slot)))
    }

    fn run(&mut self, mut strand: Strand, mut goto: Goto) -> Tree {
        loop {
            strand.steps += 1;
            if strand.steps > MAX_WAYS {
                return self.too_many(&strand);
            }
            goto = match goto {
                Goto::Return(succeeded) => match self.leave(&mut strand, succeeded) {
                    Some(next) => next,
                    None => return self.ended(&strand, succeeded),
                },
                Goto::SideEnd(succeeded) => return self.end_side(strand, succeeded),
                Goto::Point(point) => match &self.program.point(point).kind {
                    PointKind::Skip { ok } => *ok,
                    PointKind::Fail { err } => strand.fail(self.program, *err),
                    PointKind::Wait { .. } => return self.reach_wait(strand, point),
                    PointKind::Ask { .. } | PointKind::Send { .. } | PointKind::Receive { .. }
                        if strand.silent =>
                    {
                        return self.rest(strand, At::Point(point));
                    }
                    PointKind::Ask { .. } => return self.ask(strand, point),
                    PointKind::Send { .. } => return self.send(strand, point),
                    PointKind::Receive { .. } => return self.receive(strand, point),
                    PointKind::Call { .. } => return self.call(strand, point),
                    PointKind::Par { sides, .. } => return self.fork(strand, point, sides),
                },
            };
        }
    }

    /// Goes on with the options that may hold.
    fn split(
        &mut self,
        exclusive: bool,
        options: Vec<(Expr, Strand)>,
        mut go_on: impl FnMut(&mut Self, usize, Strand) -> Tree,
    ) -> Tree {
        if let Some(first) = options.first()
            && self.is_spent()
        {
            return self.too_many(&first.1);
        }
        let mut trees: Vec<(Expr, Tree)> = Vec::new();
        for (index, (condition, strand)) in options.into_iter().enumerate() {
            if condition == Expr::False {
                continue;
            }
            self.ways += 1;
            let tree = go_on(self, index, strand);
            trees.push((condition, tree));
        }
        match trees.len() {
            1 if trees[0].0 == Expr::True => trees.swap_remove(0).1,
            _ => Tree::Test { options: trees, exclusive },
        }
    }

    fn is_spent(&self) -> bool {
        self.ways > MAX_WAYS || self.control.places.len() > MAX_PLACES
    }

    fn too_many(&mut self, strand: &Strand) -> Tree {
        let point = match self.control.places[strand.origin.0].at {
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

    fn term(&self, strand: &Strand, operand: Operand) -> Term {
        match operand {
            Operand::Constant(value) => Term::Constant(value),
            Operand::Own => Term::Own,
            Operand::Variable(slot) => strand
                .innermost_activation()
                .and_then(|it| it.variables[slot.index()].clone())
                .expect("checked: bound on every path to a use"),
        }
    }

    fn terms(&self, strand: &Strand, operands: &[Operand]) -> Vec<Term> {
        operands.iter().map(|&operand| self.term(strand, operand)).collect()
    }

    /// The kinds of values that a term may have.
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

impl Strand {
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

    /// The one action of the act is made: what follows is silent, and calls made before no longer count as open.
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

/// The place, with the bound variables of each activation, that a stack of activations is at.
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
