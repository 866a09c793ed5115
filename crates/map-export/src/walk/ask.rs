//! Asks: the possible answers of a procedure, from its body or (without one) arbitrary.

use map_ir::{Alternative, Answer, Body, CellId, PointId, PointKind, Target, Value};

use super::equality::Equality;
use super::expression::{Case, EvalContext};
use super::sequence::Sequence;
use super::{Act, Branches, SymbolicThread, Tree, Walker, Wrong};
use crate::control::{Holder, HolderId};
use crate::kinds::Kinds;
use crate::promela::Expr;
use crate::term::Term;

/// A possible outcome of an ask.
#[derive(Clone)]
enum AnswerOutcome {
    No,
    Wrong(Wrong),
    Value(Term, Vec<(CellId, Term)>),
    /// Any of two or more values.
    AnyOf(Vec<Value>, Vec<(CellId, Term)>),
}

impl Walker<'_> {
    pub(super) fn ask(&mut self, thread: SymbolicThread, point: PointId) -> Tree {
        let PointKind::Ask { arguments, .. } = &self.program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        self.with_operands(thread, point, arguments, |walker, thread, arguments| {
            walker.ask_with(thread, point, &arguments)
        })
    }

    fn ask_with(&mut self, mut thread: SymbolicThread, point: PointId, arguments: &[Term]) -> Tree {
        let program = self.program;
        let PointKind::Ask { procedure, err, .. } = &program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        let may_refuse = program.procedure(*procedure).may_refuse;
        let always = |outcome: AnswerOutcome| (Expr::True, outcome);
        let cases: Vec<(Expr, AnswerOutcome)> = match &program.procedure(*procedure).body {
            Body::In(values) if values.is_empty() => vec![always(self.empty_domain(may_refuse))],
            body @ (Body::Abstract | Body::Fresh | Body::In(_)) => {
                let outcome = match body {
                    Body::In(values) => any_of(values, Vec::new()),
                    Body::Fresh => AnswerOutcome::Value(thread.new_fresh(), Vec::new()),
                    _ => AnswerOutcome::Value(thread.new_abstract(), Vec::new()),
                };
                let no = may_refuse.then_some(AnswerOutcome::No);
                no.into_iter().chain([outcome]).map(always).collect()
            }
            Body::Alternatives(all) => self.alternatives(&mut thread, arguments, all, may_refuse),
        };
        let no_is_open = may_refuse
            && matches!(program.procedure(*procedure).body, Body::Abstract | Body::Fresh | Body::In(_));
        let branches = match no_is_open {
            true => Branches::Answered,
            false => Branches::compared(!exclude_each_other(&cases)),
        };
        let options = cases.iter().map(|(condition, _)| (condition.clone(), thread.clone())).collect();
        self.split(branches, options, |walker, index, mut thread| match cases[index].1.clone() {
            AnswerOutcome::No => {
                thread.refused.push(point);
                let goto = thread.fail(program, *err);
                walker.run(thread, goto)
            }
            _ if thread.exceeded => walker.cut(),
            AnswerOutcome::Wrong(wrong) => walker.leaf_of(super::Ending::Wrong(wrong)),
            AnswerOutcome::Value(term, updates) => walker.answered(thread, point, term, None, &updates),
            AnswerOutcome::AnyOf(values, updates) => {
                let to = walker.store(&mut thread, point, Kinds::of_all(&values));
                walker.answered(thread, point, Term::Content(to), Some((to, values)), &updates)
            }
        })
    }

    /// The outcomes of the alternatives, with their conditions.
    fn alternatives(
        &mut self,
        thread: &mut SymbolicThread,
        arguments: &[Term],
        alternatives: &[Alternative],
        may_refuse: bool,
    ) -> Vec<(Expr, AnswerOutcome)> {
        let mut sequence = Sequence::new();
        for alternative in alternatives {
            let guards = match alternative.guard {
                None => vec![Case { condition: Expr::True, result: Ok(true) }],
                Some(guard) => self.condition_cases(&mut EvalContext { arguments, thread }, guard),
            };
            let mut cases = Vec::new();
            for Case { condition, result } in guards {
                match result {
                    Err(wrong) => cases.push((condition, Some(AnswerOutcome::Wrong(wrong)))),
                    Ok(false) => cases.push((condition, None)),
                    Ok(true) => {
                        let taken =
                            self.take(&mut EvalContext { arguments, thread }, alternative, may_refuse);
                        cases.extend(
                            taken
                                .into_iter()
                                .map(|(its, outcome)| (Expr::and([condition.clone(), its]), Some(outcome))),
                        );
                    }
                }
            }
            if !sequence.decide(cases) {
                break;
            }
        }
        sequence.finish(AnswerOutcome::No)
    }

    fn take(
        &mut self,
        cx: &mut EvalContext<'_>,
        alternative: &Alternative,
        may_refuse: bool,
    ) -> Vec<(Expr, AnswerOutcome)> {
        let values = match &alternative.answer {
            Answer::Value(value) => Some(*value),
            Answer::In(_) => None,
        }
        .into_iter()
        .chain(alternative.updates.iter().map(|&(_, value)| value));
        // The answer, then the updates.
        let cases = self.values_cases(cx, values);
        let cells = || alternative.updates.iter().map(|&(cell, _)| cell);
        let outcome = |terms: Vec<Term>| match &alternative.answer {
            Answer::Value(_) => {
                let mut terms = terms.into_iter();
                let answer = terms.next().expect("the answer comes first");
                AnswerOutcome::Value(answer, cells().zip(terms).collect())
            }
            Answer::In(values) if values.is_empty() => self.empty_domain(may_refuse),
            Answer::In(values) => any_of(values, cells().zip(terms).collect()),
        };
        cases
            .into_iter()
            .map(|Case { condition, result }| (condition, result.map_or_else(AnswerOutcome::Wrong, outcome)))
            .collect()
    }

    fn empty_domain(&self, may_refuse: bool) -> AnswerOutcome {
        if may_refuse { AnswerOutcome::No } else { AnswerOutcome::Wrong(Wrong::RunError) }
    }

    /// Continues with an answer: the action of the act is performed.
    fn answered(
        &mut self,
        mut thread: SymbolicThread,
        point: PointId,
        answer: Term,
        choose: Option<(HolderId, Vec<Value>)>,
        updates: &[(CellId, Term)],
    ) -> Tree {
        let program = self.program;
        let PointKind::Ask { target, ok, err, .. } = program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        thread.acted(point);
        let mut new = Vec::new();
        // An answer that is compared, not bound, is not needed afterwards.
        let equality = match target.compared() {
            None => Equality::all(Vec::new()),
            Some(variable) => {
                let bound = self.term(&thread, map_ir::Operand::Variable(variable));
                self.equality(&bound, &answer)
            }
        };
        if let Some(variable) = target.bound() {
            let answer = self.stored_new(&mut thread, &mut new, answer, Some(point));
            thread.variables()[variable.index()] = Some(answer);
        }
        for (cell, term) in updates {
            let term = self.stored_new(&mut thread, &mut new, term.clone(), None);
            let index = program.cell_of(self.role, *cell);
            thread.cells[index.expect("checked: the role of the asking agent has the cell")] = term;
        }
        let options = vec![(equality.may.clone(), thread.clone()), (equality.must.clone().not(), thread)];
        let tree =
            self.split(Branches::compared(equality.is_open()), options, |walker, index, mut thread| {
                let goto = if index == 0 { ok } else { thread.fail(program, err) };
                walker.run(thread, goto)
            });
        Tree::Act(Box::new(Act::Ask { point, choose, new }), Box::new(tree))
    }

    /// If abstract and fresh values are distinguished, stores a new one as part of the action.
    fn stored_new(
        &mut self,
        thread: &mut SymbolicThread,
        new: &mut Vec<(HolderId, bool)>,
        term: Term,
        bound_at: Option<PointId>,
    ) -> Term {
        let fresh = match term {
            Term::Fresh(_) => true,
            Term::Abstract(_) => false,
            other => return other,
        };
        if !self.layout.symbols {
            return term;
        }
        let kinds = if fresh { Kinds::FRESH } else { Kinds::ABSTRACT };
        let to = match bound_at {
            Some(point) => self.store(thread, point, kinds),
            None => self.scratch(thread, kinds),
        };
        new.push((to, fresh));
        Term::Content(to)
    }

    /// The holder for the answer of an ask: its variable if possible, otherwise a temporary.
    fn store(&mut self, thread: &mut SymbolicThread, point: PointId, kinds: Kinds) -> HolderId {
        match self.program.point(point).kind {
            PointKind::Ask { target: Target::Binds(variable), .. } => self.direct(thread, variable),
            _ => self.scratch(thread, kinds),
        }
    }

    /// The holder of a variable of the innermost activation, or a temporary if its content is still needed.
    pub(super) fn direct(&mut self, thread: &mut SymbolicThread, slot: map_ir::Slot) -> HolderId {
        let top = thread.innermost_activation().expect("every thread rests on an activation");
        let (level, clause) = (top.level, top.clause);
        let holder = self.control.holder(Holder::Slot(level, clause, slot));
        if thread.reads(holder) || self.reads_at_start(thread, holder) {
            return self.scratch(thread, self.flow.variable(clause, slot));
        }
        thread.stored.push(holder);
        holder
    }

    /// Whether the holder is in use at the place from which the act started.
    fn reads_at_start(&mut self, thread: &SymbolicThread, holder: HolderId) -> bool {
        let before = self.thread_at(thread.origin);
        before.reads(holder)
    }

    pub(super) fn scratch(&mut self, thread: &mut SymbolicThread, kinds: Kinds) -> HolderId {
        let used = |control: &crate::control::Control, it: &HolderId| {
            matches!(control.holders[it.0], Holder::Scratch(_))
        };
        let number = thread.stored.iter().filter(|it| used(&self.control, it)).count();
        let holder = self.control.holder(Holder::Scratch(number));
        self.scratch.resize(self.scratch.len().max(number + 1), Kinds::NONE);
        self.scratch[number] = self.scratch[number].with(kinds);
        thread.stored.push(holder);
        holder
    }
}

fn any_of(values: &[Value], updates: Vec<(CellId, Term)>) -> AnswerOutcome {
    match values {
        [only] => AnswerOutcome::Value(Term::Constant(*only), updates),
        _ => AnswerOutcome::AnyOf(values.to_vec(), updates),
    }
}

/// Whether the conditions are certainly mutually exclusive: the conjunction of every two simplifies to false.
pub(super) fn exclude_each_other<T>(cases: &[(Expr, T)]) -> bool {
    let excludes =
        |first: &[Expr], second: &[Expr]| Expr::and(first.iter().chain(second).cloned()) == Expr::False;
    // Those that agree up to some part. Most are told apart by the next one, so there is little to compare.
    let mut alike: Vec<(usize, Vec<&[Expr]>)> =
        vec![(0, cases.iter().map(|(case, _)| case.parts()).collect())];
    while let Some((depth, group)) = alike.pop() {
        let mut by_part: Vec<(Option<&Expr>, Vec<&[Expr]>)> = Vec::new();
        for case in group {
            let part = case.get(depth);
            match by_part.iter_mut().find(|(known, _)| *known == part) {
                Some((_, group)) => group.push(case),
                None => by_part.push((part, vec![case])),
            }
        }
        let is_told_apart = matches!(
            by_part.as_slice(),
            [(Some(one), _), (Some(other), _)] if **one == Expr::not((*other).clone())
        );
        for (index, (part, group)) in by_part.iter().enumerate() {
            let mut others = by_part[index + 1..].iter().flat_map(|(_, others)| others);
            let is_apart =
                is_told_apart || others.all(|other| group.iter().all(|case| excludes(case, other)));
            if !is_apart || part.is_none() && group.len() > 1 {
                return false;
            }
        }
        let longer = by_part.into_iter().filter(|(_, group)| group.len() > 1);
        alike.extend(longer.map(|(_, group)| (depth + 1, group)));
    }
    true
}

impl SymbolicThread {
    /// Whether any variable or cell still depends on the content of the holder.
    pub(super) fn reads(&self, holder: HolderId) -> bool {
        let in_frames = |frames: &[super::Frame]| {
            frames.iter().any(|frame| match frame {
                super::Frame::Activation(it) => it.variables.iter().flatten().any(|term| term.reads(holder)),
                super::Frame::Side { .. } => false,
            })
        };
        in_frames(&self.frames)
            || self.cells.iter().any(|term| term.reads(holder))
            || self.placed.iter().any(|(frames, _)| in_frames(frames))
    }
}
