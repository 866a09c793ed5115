//! The process type of a part: its beginning, and the steps at every place.

use map_ir::PartId;
use map_semantics::Timeouts;

use crate::body::{ENDED, Step, point_of};
use crate::control::{At, PlaceId};
use crate::declarations::WITHIN_A_STEP;
use crate::explored::Explored;
use crate::marks::{LineMark, StepMark};
use crate::promela::{Expr, Item, Parameter, Stmt, Variable};
use crate::walk::{Ending, Tree};

impl Explored<'_> {
    /// The whole process type. The beginnings of its steps are appended to `marks`.
    pub(crate) fn process(&self, part: PartId, marks: &mut Vec<LineMark>) -> Item {
        let walker = &self.walker;
        let body = self.statements(part, marks);
        let mut variables = if walker.layout.global { Vec::new() } else { self.variables() };
        variables.extend(walker.loss_variables());
        if self.picks() {
            variables.extend(walker.pick_variables());
        }
        let kind = walker.layout.value_type(walker.program);
        let swap = walker.holder_name(walker.swap.expect("made with the walker"));
        if uses(&body, &swap) {
            variables.push(Variable::new(kind, swap, WITHIN_A_STEP));
        }
        let name = walker.naming.part.clone();
        let provided = if walker.claims.is_some() { crate::halt::provided() } else { Expr::True };
        Item::Process { name, parameters: vec![Parameter { kind, name: "self" }], provided, variables, body }
    }

    fn statements(&self, part: PartId, marks: &mut Vec<LineMark>) -> Vec<Stmt> {
        let walker = &self.walker;
        let (mut body, first) = match self.is_set_up() {
            true => (self.entrance(), self.first_place()),
            false => (self.initial_statements(), None),
        };
        let mut stops = false;
        for id in first.into_iter().chain(self.main_places().filter(|it| Some(*it) != first)) {
            stops |= self.place(part, id, &mut body, marks);
        }
        if let Some(claims) = walker.claims {
            body.extend(claims.places(stops, self.behaviours.iter().any(|it| it.polls)));
        }
        body.push(Stmt::Label(ENDED.to_owned()));
        body.push(Stmt::Guard(Expr::False));
        body.retain(|it| !matches!(it, Stmt::If(options) if options.is_empty()));
        body
    }

    /// Writes the steps that are possible while the first thread is at a place. Returns whether some of them may
    /// turn out not to be taken.
    fn place(&self, part: PartId, id: PlaceId, body: &mut Vec<Stmt>, marks: &mut Vec<LineMark>) -> bool {
        let label = self.walker.label(id);
        let back = format!("progress__{label}");
        let mut goes_back = false;
        let mut options = Vec::new();
        for from in self.threads_at(id) {
            let mut step = Step { from, back: &back, goes_back, timeout: false };
            options.extend(self.alternatives(part, &mut step, marks));
            goes_back = step.goes_back;
        }
        body.push(Stmt::Label(label.clone()));
        body.push(if options.is_empty() { Stmt::Guard(Expr::False) } else { Stmt::If(options) });
        if goes_back && self.walker.claims.is_none() {
            body.push(Stmt::Label(back));
            body.push(Stmt::Guard(Expr::name("skip")));
            body.push(Stmt::Goto(label));
        }
        goes_back
    }

    /// The steps that a thread may take at its place, as options.
    fn alternatives(&self, part: PartId, step: &mut Step<'_>, marks: &mut Vec<LineMark>) -> Vec<Vec<Stmt>> {
        let walker = &self.walker;
        let layout = walker.layout;
        let place = &walker.control.places[step.from.0];
        let At::Point(point) = place.at else { return Vec::new() };
        let behaviour = &self.behaviours[step.from.0];
        let here = place.thread().map_or(Expr::True, |side| {
            Expr::equal(walker.holder_of_side(side), Expr::name(walker.place_name(step.from)))
        });
        let time = match walker.bounds.timeouts {
            Timeouts::Any => behaviour.idle.clone(),
            Timeouts::Quiescent if layout.global => Expr::name("quiet"),
            Timeouts::Quiescent => Expr::name("timeout"),
        };
        let acts = behaviour.acts.iter().map(|it| (it, false));
        let timeouts = behaviour.timeouts.iter().map(|it| (it, true));
        let mut options = Vec::new();
        for ((guard, tree), timeout) in acts.chain(timeouts) {
            let action = point_of(tree);
            let time = if timeout { time.clone() } else { Expr::True };
            let guard = Expr::and([here.clone(), time, guard.clone()]);
            if guard == Expr::False {
                continue;
            }
            let span = walker.program.point(action.unwrap_or(point)).span;
            let what = match tree {
                _ if timeout => "timeout of ",
                Tree::Leaf(leaf) if leaf.ending == Ending::Cut => "cut at ",
                Tree::Leaf(leaf) if leaf.ending.wrong().is_some() => "wrong at ",
                Tree::Leaf(_) => "move from ",
                Tree::Act(..) | Tree::Test { .. } => "",
            };
            let source = walker.naming.source;
            let comment = format!("{}: {what}{}", source.line(span), source.snippet(span));
            marks.push(LineMark::Step(StepMark { part, place: point, action, timeout }));
            step.timeout = timeout;
            let mut body = vec![Stmt::Mark(marks.len() - 1), Stmt::Guard(guard)];
            body.extend(walker.body(tree, step));
            // SPIN rejects a step with a constant guard that leads back to its own start.
            let back = walker.label(self.main_of(step.from));
            if matches!(body.as_slice(), [_, Stmt::Guard(Expr::True), .., Stmt::Goto(to)] if *to == back) {
                body[1] = Stmt::Guard(layout.of_agent("ended", Expr::name("self")).not());
            }
            // An assignment is always executable, so it needs no guard.
            if let [_, Stmt::Guard(Expr::True), Stmt::Assign(..), ..] = body.as_slice() {
                body.remove(1);
            }
            options.push(vec![Stmt::Comment(comment), Stmt::Atomic(body)]);
        }
        if behaviour.polls {
            options.push(self.poll(step.from, &here));
        }
        options
    }

    /// The option to poll in vain: if nothing but polls can happen, all of them may be answered "no" for ever.
    fn poll(&self, from: PlaceId, here: &Expr) -> Vec<Stmt> {
        let something = Expr::or(self.behaviours[from.0].acts.iter().map(|(guard, _)| guard.clone()));
        let guard = Expr::and([here.clone(), Expr::name("only_polls"), something]);
        let comment = "asked in vain, again and again".to_owned();
        if let Some(claims) = self.walker.claims {
            let body = [Stmt::Guard(guard)].into_iter().chain(claims.ask_in_vain()).collect();
            return vec![Stmt::Comment(comment), Stmt::Atomic(body)];
        }
        vec![Stmt::Comment(comment), Stmt::Guard(guard), Stmt::Goto(self.walker.label(self.main_of(from)))]
    }
}

/// Whether any of the statements assigns to the variable.
pub(crate) fn uses(statements: &[Stmt], name: &str) -> bool {
    statements.iter().any(|statement| match statement {
        Stmt::Assign(Expr::Name(it), _) => it == name,
        Stmt::If(options) | Stmt::Do(options) => options.iter().any(|option| uses(option, name)),
        Stmt::Atomic(body) => uses(body, name),
        _ => false,
    })
}
