//! The statements of one alternative: the action of an act, and everything that follows it in the same step.

use map_ir::{PerformativeId, PointId, Value};

use crate::control::{At, Holder, HolderId, PlaceId, SideId};
use crate::layout::Column;
use crate::moments::{EVENTS, FAILED};
use crate::promela::{Expr, Field, Operator, Stmt};
use crate::term::Term;
use crate::walk::{Act, Branches, Ending, Leaf, ReceiveSpec, Recipient, Tree, Walker, Wrong};

/// The label at which the process of an agent that has ended stays.
pub(crate) const ENDED: &str = "end__here";

/// The context for writing out a step.
pub(crate) struct Step<'s> {
    /// Where it starts.
    pub(crate) from: PlaceId,
    /// The label to jump to if it is not taken.
    pub(crate) back: &'s str,
    /// Set if it may turn out not to be taken.
    pub(crate) goes_back: bool,
    /// Whether it is a timeout.
    pub(crate) timeout: bool,
}

/// The action of a step, which is completed or undone at the end of the step.
struct OpenAction<'s> {
    act: &'s Act,
    keep: bool,
}

impl Walker<'_> {
    /// The statements of an alternative, without its guard.
    pub(crate) fn body(&self, tree: &Tree, step: &mut Step<'_>) -> Vec<Stmt> {
        match tree {
            Tree::Act(act, after) => {
                let keep = may_go_wrong(after);
                let mut statements = self.action(act, keep);
                statements.extend(self.after(after, Some(&OpenAction { act, keep }), step));
                statements
            }
            other => self.after(other, None, step),
        }
    }

    fn after(&self, tree: &Tree, pending: Option<&OpenAction<'_>>, step: &mut Step<'_>) -> Vec<Stmt> {
        match tree {
            Tree::Leaf(leaf) => self.leaf_statements(leaf, pending, step),
            Tree::Act(..) => unreachable!("an act makes one action"),
            Tree::Test { options, branches } => {
                let last = options.len() - 1;
                let options = options.iter().enumerate().map(|(index, (condition, tree))| {
                    let condition = if *branches == Branches::Exclusive && index == last {
                        Expr::name("else")
                    } else {
                        condition.clone()
                    };
                    let mut option = vec![Stmt::Guard(condition)];
                    option.extend(self.after(tree, pending, step));
                    option
                });
                vec![Stmt::If(options.collect())]
            }
        }
    }

    fn action(&self, act: &Act, keep: bool) -> Vec<Stmt> {
        match act {
            Act::Ask { choose, new, .. } => {
                let mut statements = Vec::new();
                if let Some((to, values)) = choose {
                    let option = |value: &Value| {
                        vec![Stmt::Assign(self.holder_expr(*to), self.layout.constant(*value))]
                    };
                    statements.push(Stmt::If(values.iter().map(option).collect()));
                }
                for &(to, fresh) in new {
                    statements.extend(self.new_symbol(&self.holder_expr(to), fresh));
                }
                statements
            }
            Act::Receive(spec) if self.picks(spec) => self.pick(spec, keep),
            Act::Receive(spec) => vec![Stmt::Receive {
                channel: self.layout.channel(Expr::name("self")),
                fields: self.taken(spec),
                keep,
            }],
            Act::Send { to, .. } => self.choose_losses(to),
        }
    }

    /// Stores the least number of an abstract or fresh value that is not in use.
    fn new_symbol(&self, to: &Expr, fresh: bool) -> Vec<Stmt> {
        let candidate = Expr::name("candidate");
        let first = Expr::name(if fresh { "fresh" } else { "abstract" });
        let used = Expr::name("candidate_is_used");
        let next = Expr::binary(Operator::Add, candidate.clone(), Expr::Number(1));
        vec![
            Stmt::Assign(candidate.clone(), first),
            Stmt::Do(vec![
                vec![Stmt::Guard(used), Stmt::Assign(candidate.clone(), next)],
                vec![Stmt::Guard(Expr::name("else")), Stmt::Break],
            ]),
            Stmt::Assign(to.clone(), candidate.clone()),
            Stmt::Assign(candidate, Expr::Number(0)),
        ]
    }

    /// The fields of a receive: the values required, and the variables in which the others are stored.
    fn taken(&self, spec: &ReceiveSpec) -> Vec<Field> {
        self.fields(spec.performative, |column| {
            if let Some((_, holder)) = spec.stores.iter().find(|(its, _)| *its == column) {
                return Field::Into(self.holder_expr(*holder));
            }
            let wanted = spec.tests.iter().find(|it| it.column == column);
            wanted.map_or(Field::Any, |it| Field::Is(it.value.clone().unwrap_or(Expr::Number(1))))
        })
    }

    fn leaf_statements(
        &self,
        leaf: &Leaf,
        pending: Option<&OpenAction<'_>>,
        step: &mut Step<'_>,
    ) -> Vec<Stmt> {
        let wrong = match leaf.ending {
            Ending::Rest | Ending::Ended(true) => return self.made(leaf, pending, step),
            Ending::Ended(false) if self.claims.is_some() => {
                let mut statements = vec![Stmt::Assert(Expr::name(Wrong::Failure.constant()))];
                statements.extend(self.made(leaf, pending, step));
                return statements;
            }
            Ending::Ended(false) => Some(Wrong::Failure),
            Ending::Wrong(wrong) => Some(wrong),
            Ending::Nothing | Ending::Cut => None,
        };
        // The step is not taken: reset what the action stored. A received message has not been removed yet.
        let mut statements = vec![match wrong {
            Some(wrong) => Stmt::Assert(Expr::name(wrong.constant())),
            None => Stmt::Comment("cut by a bound".to_owned()),
        }];
        let stored: Vec<HolderId> = match pending.map(|it| it.act) {
            Some(Act::Ask { choose, new, .. }) => {
                choose.iter().map(|(to, _)| *to).chain(new.iter().map(|(to, _)| *to)).collect()
            }
            Some(Act::Receive(spec)) => spec.stores.iter().map(|(_, to)| *to).collect(),
            Some(Act::Send { .. }) | None => Vec::new(),
        };
        statements.extend(stored.into_iter().map(|to| Stmt::Assign(self.holder_expr(to), Expr::Number(0))));
        if let Some(OpenAction { act: Act::Receive(spec), .. }) = pending
            && self.picks(spec)
        {
            statements.extend(self.forget_pick());
        }
        if let Some(OpenAction { act: Act::Send { to, .. }, .. }) = pending {
            statements.extend(self.take_back_losses(to));
        }
        step.goes_back = true;
        match self.claims {
            Some(claims) => statements.extend(claims.stop(wrong.is_none())),
            None => statements.push(Stmt::Goto(step.back.to_owned())),
        }
        statements
    }

    /// The statements at the end of a step that is taken.
    fn made(&self, leaf: &Leaf, pending: Option<&OpenAction<'_>>, step: &Step<'_>) -> Vec<Stmt> {
        let mut statements = Vec::new();
        match pending {
            Some(OpenAction { act: Act::Receive(spec), keep }) if self.picks(spec) => {
                if *keep {
                    statements.extend(self.take_picked(spec));
                }
                statements.extend(self.forget_pick());
            }
            Some(OpenAction { act: Act::Receive(spec), keep: true }) => {
                let fields = self.taken(spec).iter().map(Field::stored_nowhere).collect();
                let channel = self.layout.channel(Expr::name("self"));
                statements.push(Stmt::Receive { channel, fields, keep: false });
            }
            Some(OpenAction { act: Act::Send { performative, arguments, to, .. }, .. }) => {
                for (index, recipient) in to.iter().enumerate() {
                    statements.extend(self.delivery(*performative, arguments, recipient, index));
                }
                statements.extend(self.forget_losses(to));
            }
            _ => {}
        }
        if let Some(claims) = self.claims
            && !claims.events.is_empty()
        {
            let events = self.events(pending.map(|it| it.act), leaf, step.timeout);
            statements.push(Stmt::Assign(Expr::name(EVENTS), events));
        }
        statements.extend(self.assignments(leaf));
        statements.extend(self.new_places(leaf, step));
        if let Some(claims) = self.claims {
            // The last statement is a jump.
            let jump = statements.len() - 1;
            statements.splice(jump..jump, claims.note_moment());
        }
        statements
    }

    /// Updates the places of the threads, and jumps to the new place of the process.
    fn new_places(&self, leaf: &Leaf, step: &Step<'_>) -> Vec<Stmt> {
        let mut statements = Vec::new();
        let mut label = None;
        let mut threads = Vec::new();
        for &place in &leaf.placed {
            match self.control.places[place.0].thread() {
                None => {
                    label = Some(self.label(place));
                    if self.layout.global && place != step.from {
                        statements.push(Stmt::Assign(self.main_place(), Expr::name(self.place_name(place))));
                    }
                }
                Some(side) => {
                    let at = self.holder_of_side(side);
                    threads.push(side);
                    statements.push(Stmt::Assign(at, Expr::name(self.place_name(place))));
                }
            }
        }
        for side in &leaf.joined {
            if !threads.contains(side) {
                statements.push(Stmt::Assign(self.holder_of_side(*side), Expr::Number(0)));
            }
        }
        if let Ending::Ended(succeeded) = leaf.ending {
            if !succeeded {
                statements.push(Stmt::Assign(self.layout.of_agent(FAILED, Expr::name("self")), Expr::True));
            }
            if self.layout.global {
                statements.push(Stmt::Assign(self.main_place(), Expr::Number(0)));
            }
            statements.extend(self.end());
            return statements;
        }
        let label = label.unwrap_or_else(|| {
            let fork = self.control.places[step.from.0].outermost_fork();
            let fork = fork.expect("a side of a par made the step");
            let place = self.control.places.iter().position(|it| it.at == At::Fork(fork));
            self.label(PlaceId(place.expect("the agent rests at the par it is in")))
        });
        statements.push(Stmt::Goto(label));
        statements
    }

    /// The agent ends: its mailbox is discarded.
    pub(crate) fn end(&self) -> Vec<Stmt> {
        let own = self.layout.channel(Expr::name("self"));
        let all = self.layout.columns().len() + 1;
        let nonempty = Expr::binary(Operator::Greater, Expr::Len(Box::new(own.clone())), Expr::Number(0));
        vec![
            Stmt::Assign(self.layout.of_agent("ended", Expr::name("self")), Expr::True),
            Stmt::Do(vec![
                vec![Stmt::Guard(nonempty), Stmt::Take(own, vec![Field::Any; all])],
                vec![Stmt::Guard(Expr::name("else")), Stmt::Break],
            ]),
            Stmt::Goto(ENDED.to_owned()),
        ]
    }

    /// The variable with the place of the agent's first thread; declared only if the layout is global.
    pub(crate) fn main_place(&self) -> Expr {
        self.of_own(&format!("{}__at", self.naming.part))
    }

    pub(crate) fn holder_of_side(&self, side: SideId) -> Expr {
        self.holder_expr(self.side_holder(side))
    }

    /// The holder of the place of a side of a `par`.
    pub(crate) fn side_holder(&self, side: SideId) -> HolderId {
        let holder = self.control.holders.iter().position(|it| *it == Holder::Side(side));
        HolderId(holder.expect("every side that is entered has a holder"))
    }

    fn delivery(
        &self,
        performative: PerformativeId,
        arguments: &[Term],
        recipient: &Recipient,
        index: usize,
    ) -> Vec<Stmt> {
        let (agent, there) = self.there(recipient);
        let mut message = vec![Expr::name(&self.layout.performatives[performative.index()])];
        message.extend(self.layout.columns().into_iter().map(|it| self.field(performative, arguments, it)));
        let reached = Expr::and([there, self.arrives(index)]);
        let channel = self.layout.channel(agent);
        // Sorting the messages turns the channel into a bag.
        let sorted = self.bounds.network.unordered;
        vec![Stmt::If(vec![
            vec![Stmt::Guard(reached), Stmt::Send { channel, fields: message, sorted }],
            vec![Stmt::Guard(Expr::name("else"))],
        ])]
    }

    /// The value of a column of a message.
    fn field(&self, performative: PerformativeId, arguments: &[Term], column: Column) -> Expr {
        let at = |place: u32| -> Term {
            let place = place as usize;
            match arguments.get(place) {
                Some(term) => term.clone(),
                None if place == arguments.len() => Term::Own,
                None => Term::Constant(Value::Role(self.role)),
            }
        };
        match column {
            Column::Sender => Expr::name("self"),
            Column::Role => self.layout.constant(Value::Role(self.role)),
            Column::Argument(index) => arguments.get(index).map_or(Expr::Number(0), |it| self.expr(it)),
            Column::IsAbstract(index) => {
                let is = arguments.get(index).map_or(Expr::False, |it| self.is_abstract(it));
                Expr::choose(is, Expr::Number(1), Expr::Number(0))
            }
            Column::Comparison(index) => match self.layout.compared(performative).get(index) {
                None => Expr::Number(0),
                Some(&(first, second)) => {
                    let (one, other) = (at(first), at(second));
                    let same = if one == other {
                        Expr::True
                    } else {
                        Expr::equal(self.expr(&one), self.expr(&other))
                    };
                    let open = Expr::or([self.is_abstract(&one), self.is_abstract(&other)]);
                    let open = Expr::choose(open, Expr::Number(2), Expr::Number(0));
                    Expr::choose(same, Expr::Number(1), open)
                }
            },
        }
    }

    /// The new contents as a parallel assignment, written as a sequence: a holder is assigned once no other
    /// assignment reads it any more, and cycles are broken with a temporary.
    fn assignments(&self, leaf: &Leaf) -> Vec<Stmt> {
        let value = |term: &Option<Term>| term.clone().unwrap_or(Term::Constant(Value::Integer(0)));
        let mut todo: Vec<(HolderId, Term)> =
            leaf.writes.iter().map(|(holder, term)| (*holder, value(term))).collect();
        let mut statements = Vec::new();
        let mut swapped = false;
        while !todo.is_empty() {
            let is_free = |index: usize| {
                let holder = todo[index].0;
                todo.iter().enumerate().all(|(other, (_, term))| other == index || !term.reads(holder))
            };
            let index = (0..todo.len()).find(|&index| is_free(index));
            if let Some(index) = index {
                let (holder, term) = todo.remove(index);
                statements.push(Stmt::Assign(self.holder_expr(holder), self.expr(&term)));
                continue;
            }
            // Only cycles are left: save the content of one variable in the temporary.
            let holder = todo[0].0;
            let aside = self.swap.expect("there is a scratch variable");
            statements.push(Stmt::Assign(self.holder_expr(aside), self.holder_expr(holder)));
            for (_, term) in &mut todo {
                *term = term.with(holder, aside);
            }
            swapped = true;
        }
        if swapped && let Some(aside) = self.swap {
            statements.push(Stmt::Assign(self.holder_expr(aside), Expr::Number(0)));
        }
        statements
    }
}

/// Whether some branch ends without the step being taken.
pub(crate) fn may_go_wrong(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf(leaf) => !matches!(leaf.ending, Ending::Rest | Ending::Ended(true)),
        Tree::Act(_, after) => may_go_wrong(after),
        Tree::Test { options, .. } => options.iter().any(|(_, tree)| may_go_wrong(tree)),
    }
}

/// The action of an alternative; `None` if it has none.
pub(crate) fn point_of(tree: &Tree) -> Option<PointId> {
    match tree {
        Tree::Act(act, _) => Some(match &**act {
            Act::Ask { point, .. } | Act::Send { point, .. } => *point,
            Act::Receive(spec) => spec.point,
        }),
        Tree::Leaf(_) | Tree::Test { .. } => None,
    }
}

impl Wrong {
    /// The name of the constant that is asserted where this happens; SPIN prints it.
    pub(crate) fn constant(self) -> &'static str {
        match self {
            Self::Failure => "no_failure",
            Self::Overflow => "no_mailbox_overflow",
            Self::Runaway => "no_runaway_recursion",
            Self::RunError => "no_run_error",
            Self::OutOfRange => "no_integer_out_of_range",
        }
    }
}
