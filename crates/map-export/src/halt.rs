//! The end of runs in models with claims. After a step that goes wrong or is cut, or when agents only poll in vain,
//! the process concerned halts all others and loops for ever, so that the run stays in its state, with moments
//! without events.

use map_ir::{AgentId, PartId, Program, Temporal, Value};

use crate::claims::{Claim, Claims};
use crate::explored::Explored;
use crate::layout::Layout;
use crate::marks::LineMark;
use crate::moments::{BEGUN, CUT, EVENTS, FAILED, HALTED, Moments, NOTE, later, passed};
use crate::names::is_name;
use crate::promela::{Expr, Item, Ltl, Operator, Stmt};
use crate::source::Source;

/// The label of the loop after a step that is not taken: a progress label, so it does not count as a run that never
/// ends.
const STOPPED: &str = "progress__stopped";
/// The label of the loop when agents only poll in vain, which is a run that never ends.
const IN_VAIN: &str = "asked__in__vain";

/// The condition under which a process may take a step: it has not been halted by another.
pub(crate) fn provided() -> Expr {
    let halted = |by| Expr::equal(Expr::name(HALTED), by);
    Expr::or([halted(Expr::Number(0)), halted(Expr::name("_pid"))])
}

impl Claims<'_> {
    /// Clears the events of the last step.
    fn nothing_happens(&self) -> Option<Stmt> {
        (!self.events.is_empty()).then(|| Stmt::Assign(Expr::name(EVENTS), Expr::Number(0)))
    }

    /// Records what holds at the current moment, if any claim needs it.
    pub(crate) fn note_moment(&self) -> Option<Stmt> {
        let noted = !self.sequences.is_empty() || self.propositions.iter().any(|&it| !self.is_short(it));
        noted.then_some(Stmt::Inline(NOTE))
    }

    /// Ends the run by looping at a label.
    fn halt(&self, label: &str) -> Vec<Stmt> {
        let mut statements: Vec<Stmt> = self.nothing_happens().into_iter().collect();
        statements.push(Stmt::Assign(Expr::name(HALTED), Expr::name("_pid")));
        statements.extend(self.note_moment());
        statements.push(Stmt::Goto(label.to_owned()));
        statements
    }

    /// Ends the run after a step that is not taken.
    pub(crate) fn stop(&self, cut: bool) -> Vec<Stmt> {
        let cut = cut.then(|| Stmt::Assign(Expr::name(CUT), Expr::True));
        cut.into_iter().chain(self.halt(STOPPED)).collect()
    }

    pub(crate) fn ask_in_vain(&self) -> Vec<Stmt> {
        self.halt(IN_VAIN)
    }

    /// The loops in which a process can end the run, if they are reachable.
    pub(crate) fn places(&self, stops: bool, polls: bool) -> Vec<Stmt> {
        let round = |label: &str| {
            let mut statements = vec![Stmt::Label(label.to_owned())];
            // SPIN rejects a loop without a condition.
            let here = Stmt::Guard(Expr::equal(Expr::name(HALTED), Expr::name("_pid")));
            match self.sequences.len() {
                0 => statements.push(here),
                _ => statements.push(Stmt::Atomic([here].into_iter().chain(self.note_moment()).collect())),
            }
            statements.push(Stmt::Goto(label.to_owned()));
            statements
        };
        let wanted = [(STOPPED, stops), (IN_VAIN, polls)];
        wanted.into_iter().filter(|(_, is)| *is).flat_map(|(label, _)| round(label)).collect()
    }
}

/// The process that sets the initial states, starts the others, and handles the end of the run.
pub(crate) fn init(moments: &Moments<'_>, marks: &mut Vec<LineMark>) -> Item {
    let (program, layout, claims) = (moments.program, moments.layout, moments.claims);
    let mut first: Vec<Stmt> = moments.explored.iter().flat_map(|(_, part)| part.set_up(marks)).collect();
    first.extend(program.cast().map(|agent| run(layout, moments.explored, program, agent)));
    first.extend(claims.note_moment());
    first.push(Stmt::Assign(Expr::name(BEGUN), Expr::True));
    let mut body = vec![Stmt::Atomic(first)];
    body.extend(moments.tail());
    Item::Init(body)
}

fn run(layout: &Layout, explored: &[(PartId, Explored<'_>)], program: &Program, agent: AgentId) -> Stmt {
    let part = explored.iter().find(|(id, _)| *id == program.agent(agent).part);
    let (_, part) = part.expect("every agent plays a part");
    Stmt::Run(part.walker.naming.part.clone(), vec![layout.constant(Value::Agent(agent))])
}

impl Moments<'_> {
    /// What happens when no agent can act any more: the events of the last step are cleared, and after a failure no
    /// deadlock is reported.
    fn tail(&self) -> Vec<Stmt> {
        let claims = self.claims;
        let mut open: Vec<Expr> = Vec::new();
        if !claims.events.is_empty() {
            open.push(Expr::binary(Operator::NotEqual, Expr::name(EVENTS), Expr::Number(0)));
        }
        let sequences = 0..claims.sequences.len();
        open.extend(sequences.map(|it| Expr::binary(Operator::NotEqual, passed(it), later(it))));
        let open = Expr::or(open);
        let mut options = Vec::new();
        let timeout = || Expr::name("timeout");
        if open != Expr::False {
            let mut last = vec![Stmt::Guard(Expr::and([timeout(), open.clone()]))];
            last.extend(claims.nothing_happens());
            last.extend(claims.note_moment());
            options.push(vec![Stmt::Atomic(last)]);
        }
        if self.fails {
            let failed = Expr::or(
                self.program
                    .cast()
                    .map(|agent| self.layout.of_agent(FAILED, self.layout.constant(Value::Agent(agent)))),
            );
            let over = Expr::and([timeout(), open.not(), failed]);
            options.push(vec![Stmt::Guard(over), Stmt::Goto("progress__failed".to_owned())]);
        }
        if options.is_empty() {
            return Vec::new();
        }
        let mut body = vec![Stmt::Label("end__of__it".to_owned()), Stmt::Do(options)];
        if self.fails {
            body.push(Stmt::Label("progress__failed".to_owned()));
            body.push(Stmt::Guard(Expr::name(BEGUN)));
            body.push(Stmt::Goto("progress__failed".to_owned()));
        }
        body
    }

    /// The claims, for the end of the model.
    pub(crate) fn claims(&self, source: &Source<'_>, named: &[Claim]) -> Vec<Item> {
        let mut items = Vec::new();
        for (claim, Claim { formula, .. }) in named.iter().zip(&self.claims.list) {
            let property = &self.claims.properties.list[claim.property];
            // A property known by its text was not defined in the file.
            let text = match is_name(&property.name) {
                true => source.snippet(property.span),
                false => property.name.clone(),
            };
            let refuted = if claim.to_refute { "to be refuted: " } else { "" };
            items.push(Item::Comment(vec![format!("{refuted}{text}")]));
            let formula = Ltl::And(vec![Ltl::Now(Expr::name(BEGUN)), self.ltl(formula, true)]);
            let not_yet = Ltl::Now(Expr::name(BEGUN).not());
            items.push(Item::Claim(claim.name.clone(), Ltl::Until(Box::new(not_yet), Box::new(formula))));
        }
        items
    }

    /// The formula, or its negation, in negation normal form. After a bound has cut the run every condition holds,
    /// so that the run violates a claim only if its prefix does.
    fn ltl(&self, formula: &Temporal, positive: bool) -> Ltl {
        let now = |condition: Expr| {
            let condition = if positive { condition } else { condition.not() };
            match self.cuts {
                true => Ltl::Or(vec![Ltl::Now(condition), Ltl::Now(Expr::name(CUT))]),
                false => Ltl::Now(condition),
            }
        };
        let of = |inner: &Temporal, positive| Box::new(self.ltl(inner, positive));
        let of_all =
            |parts: &[Temporal]| -> Vec<Ltl> { parts.iter().map(|it| self.ltl(it, positive)).collect() };
        match formula {
            Temporal::Holds(proposition) => now(self.holds(*proposition)),
            Temporal::Possible(map_ir::Possibility::Sequence(all)) => {
                let index = self.claims.sequences.iter().position(|it| it == all);
                let index = index.expect("all sequences are counted");
                let missing = Expr::binary(Operator::Less, passed(index), Expr::Number(all.len() as i64));
                // Sequences occur in claims only negated.
                Ltl::Always(Box::new(Ltl::Now(missing)))
            }
            Temporal::Possible(_) | Temporal::Next(_) => unreachable!("such parts are not claimed"),
            Temporal::Not(inner) => self.ltl(inner, !positive),
            Temporal::And(parts) | Temporal::Or(parts) => {
                let all = matches!(formula, Temporal::And(_)) == positive;
                let mut parts = of_all(parts);
                match (parts.len(), all) {
                    (0, true) => Ltl::Now(Expr::True),
                    (0, false) => Ltl::Now(Expr::False),
                    (1, _) => parts.remove(0),
                    (_, true) => Ltl::And(parts),
                    (_, false) => Ltl::Or(parts),
                }
            }
            Temporal::Always(inner) if positive => Ltl::Always(of(inner, true)),
            Temporal::Always(inner) => Ltl::Eventually(of(inner, false)),
            Temporal::Eventually(inner) if positive => Ltl::Eventually(of(inner, true)),
            Temporal::Eventually(inner) => Ltl::Always(of(inner, false)),
            Temporal::Until(left, right) if positive => Ltl::Until(of(left, true), of(right, true)),
            Temporal::Until(left, right) => {
                let neither = Ltl::And(vec![self.ltl(left, false), self.ltl(right, false)]);
                Ltl::WeakUntil(of(right, false), Box::new(neither))
            }
            Temporal::LeadsTo(left, right) if positive => {
                let answered = Ltl::Eventually(of(right, true));
                Ltl::Always(Box::new(Ltl::Or(vec![self.ltl(left, false), answered])))
            }
            Temporal::LeadsTo(left, right) => {
                let unanswered = Ltl::Always(of(right, false));
                Ltl::Eventually(Box::new(Ltl::And(vec![self.ltl(left, true), unanswered])))
            }
        }
    }
}
