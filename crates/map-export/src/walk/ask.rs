//! Asks: what a procedure answers, from its body or as it likes.

use map_ir::{Answer, Body, CellId, PointId, PointKind, Value};

use super::equality::Equality;
use super::expression::{Asked, Way};
use super::{Act, Strand, Tree, Walker, Wrong};
use crate::control::{Holder, HolderId};
use crate::kinds::Kinds;
use crate::promela::Expr;
use crate::term::Term;

/// What one way of asking comes to.
#[derive(Clone)]
enum Given {
    No,
    Wrong(Wrong),
    Value(Term, Vec<(CellId, Term)>),
    /// Any of two or more values.
    AnyOf(Vec<Value>, Vec<(CellId, Term)>),
}

impl Walker<'_> {
    pub(super) fn ask(&mut self, mut strand: Strand, point: PointId) -> Tree {
        let program = self.program;
        let PointKind::Ask { procedure, arguments, err, .. } = &program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        let arguments = self.terms(&strand, arguments);
        let may_refuse = program.procedure(*procedure).may_refuse;
        let always = |given: Given| (Expr::True, given);
        let ways: Vec<(Expr, Given)> = match &program.procedure(*procedure).body {
            Body::In(values) if values.is_empty() => vec![always(self.empty_domain(may_refuse))],
            body @ (Body::Abstract | Body::Fresh | Body::In(_)) => {
                let given = match body {
                    Body::In(values) => any_of(values, Vec::new()),
                    Body::Fresh => Given::Value(strand.new_fresh(), Vec::new()),
                    _ => Given::Value(strand.new_abstract(), Vec::new()),
                };
                let no = may_refuse.then_some(Given::No);
                no.into_iter().chain([given]).map(always).collect()
            }
            Body::Alternatives(_) => self.alternatives(&mut strand, point, &arguments, 0),
        };
        let no_is_open = may_refuse
            && matches!(program.procedure(*procedure).body, Body::Abstract | Body::Fresh | Body::In(_));
        let exclusive = !no_is_open && exclude_each_other(&ways);
        let options = ways.iter().map(|(condition, _)| (condition.clone(), strand.clone())).collect();
        self.split(exclusive, options, |walker, index, mut strand| match ways[index].1.clone() {
            Given::No => {
                strand.refused.push(point);
                let goto = strand.fail(program, *err);
                walker.run(strand, goto)
            }
            _ if strand.exceeded => walker.cut(),
            Given::Wrong(wrong) => walker.leaf_of(super::Ending::Wrong(wrong)),
            Given::Value(term, updates) => walker.answered(strand, point, term, None, &updates),
            Given::AnyOf(values, updates) => {
                let to = walker.store(&mut strand, point, Kinds::of_all(&values));
                walker.answered(strand, point, Term::Content(to), Some((to, values)), &updates)
            }
        })
    }

    /// From the alternative `index` on.
    fn alternatives(
        &mut self,
        strand: &mut Strand,
        point: PointId,
        arguments: &[Term],
        index: usize,
    ) -> Vec<(Expr, Given)> {
        let program = self.program;
        let PointKind::Ask { procedure, .. } = program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        let definition = program.procedure(procedure);
        let Body::Alternatives(alternatives) = &definition.body else { unreachable!("it has alternatives") };
        let Some(alternative) = alternatives.get(index) else { return vec![(Expr::True, Given::No)] };
        let guards = match alternative.guard {
            None => vec![Way { condition: Expr::True, result: Ok(true) }],
            Some(guard) => self.condition_ways(&mut Asked { arguments, strand }, guard),
        };
        let mut ways = Vec::new();
        for Way { condition, result } in guards {
            let found = match result {
                Err(wrong) => vec![(Expr::True, Given::Wrong(wrong))],
                Ok(false) => self.alternatives(strand, point, arguments, index + 1),
                Ok(true) => self.take(&mut Asked { arguments, strand }, alternative, definition.may_refuse),
            };
            ways.extend(found.into_iter().map(|(its, given)| (Expr::and([condition.clone(), its]), given)));
        }
        ways.retain(|(condition, _)| *condition != Expr::False);
        ways
    }

    fn take(
        &mut self,
        asked: &mut Asked<'_>,
        alternative: &map_ir::Alternative,
        may_refuse: bool,
    ) -> Vec<(Expr, Given)> {
        let mut values = match &alternative.answer {
            Answer::Value(value) => Some(*value),
            Answer::In(_) => None,
        }
        .into_iter()
        .chain(alternative.updates.iter().map(|&(_, value)| value));
        // The answer first, then the updates; the first that goes wrong is what goes wrong.
        let mut ways: Vec<(Expr, Result<Vec<Term>, Wrong>)> = vec![(Expr::True, Ok(Vec::new()))];
        for value in &mut values {
            let mut next = Vec::new();
            for (condition, so_far) in ways {
                let Ok(so_far) = so_far else {
                    next.push((condition, so_far));
                    continue;
                };
                for way in self.value_ways(asked, value) {
                    let condition = Expr::and([condition.clone(), way.condition]);
                    let result = way.result.map(|term| so_far.iter().cloned().chain([term]).collect());
                    next.push((condition, result));
                }
            }
            ways = next;
        }
        let cells = || alternative.updates.iter().map(|&(cell, _)| cell);
        let given = |terms: Vec<Term>| match &alternative.answer {
            Answer::Value(_) => {
                let mut terms = terms.into_iter();
                let answer = terms.next().expect("the answer comes first");
                Given::Value(answer, cells().zip(terms).collect())
            }
            Answer::In(values) if values.is_empty() => self.empty_domain(may_refuse),
            Answer::In(values) => any_of(values, cells().zip(terms).collect()),
        };
        ways.into_iter()
            .map(|(condition, result)| (condition, result.map_or_else(Given::Wrong, given)))
            .collect()
    }

    fn empty_domain(&self, may_refuse: bool) -> Given {
        if may_refuse { Given::No } else { Given::Wrong(Wrong::RunError) }
    }

    /// The answer is there: the act is made.
    fn answered(
        &mut self,
        mut strand: Strand,
        point: PointId,
        answer: Term,
        choose: Option<(HolderId, Vec<Value>)>,
        updates: &[(CellId, Term)],
    ) -> Tree {
        let program = self.program;
        let PointKind::Ask { variable, binds, ok, err, .. } = program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        strand.acted(point);
        let mut new = Vec::new();
        // An answer that is compared and not bound is never needed again.
        let equality = if binds {
            Equality::all(Vec::new())
        } else {
            let bound = self.term(&strand, map_ir::Operand::Variable(variable));
            self.equality(&bound, &answer)
        };
        if binds {
            let answer = self.stored_new(&mut strand, &mut new, answer, Some(point));
            strand.variables()[variable.index()] = Some(answer);
        }
        for (cell, term) in updates {
            let term = self.stored_new(&mut strand, &mut new, term.clone(), None);
            let index = program.cell_of(self.role, *cell);
            strand.cells[index.expect("checked: the role of the asking agent has the cell")] = term;
        }
        let options = vec![(equality.may.clone(), strand.clone()), (equality.must.clone().not(), strand)];
        let tree = self.split(!equality.is_open(), options, |walker, index, mut strand| {
            let goto = if index == 0 { ok } else { strand.fail(program, err) };
            walker.run(strand, goto)
        });
        Tree::Act(Box::new(Act::Ask { point, choose, new }), Box::new(tree))
    }

    /// Where abstract and fresh values are told apart, a new one is stored as part of the act.
    fn stored_new(
        &mut self,
        strand: &mut Strand,
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
            Some(point) => self.store(strand, point, kinds),
            None => self.scratch(strand, kinds),
        };
        new.push((to, fresh));
        Term::Content(to)
    }

    /// Where the answer of an ask is stored: its variable, if that is free.
    fn store(&mut self, strand: &mut Strand, point: PointId, kinds: Kinds) -> HolderId {
        match self.program.point(point).kind {
            PointKind::Ask { variable, binds: true, .. } => self.direct(strand, variable),
            _ => self.scratch(strand, kinds),
        }
    }

    /// The holder of a variable of the innermost activation, or another if something still reads it.
    pub(super) fn direct(&mut self, strand: &mut Strand, slot: map_ir::Slot) -> HolderId {
        let top = strand.innermost_activation().expect("every thread rests on an activation");
        let (level, clause) = (top.level, top.clause);
        let holder = self.control.holder(Holder::Slot(level, clause, slot));
        if strand.reads(holder) || self.is_held(strand, holder) {
            return self.scratch(strand, self.flow.variable(clause, slot));
        }
        strand.stored.push(holder);
        holder
    }

    /// Whether the place the act started from has something there.
    fn is_held(&mut self, strand: &Strand, holder: HolderId) -> bool {
        let before = self.strand(strand.origin);
        before.reads(holder)
    }

    pub(super) fn scratch(&mut self, strand: &mut Strand, kinds: Kinds) -> HolderId {
        let used = |control: &crate::control::Control, it: &HolderId| {
            matches!(control.holders[it.0], Holder::Scratch(_))
        };
        let number = strand.stored.iter().filter(|it| used(&self.control, it)).count();
        let holder = self.control.holder(Holder::Scratch(number));
        self.scratch.resize(self.scratch.len().max(number + 1), Kinds::NONE);
        self.scratch[number] = self.scratch[number].with(kinds);
        strand.stored.push(holder);
        holder
    }
}

fn any_of(values: &[Value], updates: Vec<(CellId, Term)>) -> Given {
    match values {
        [only] => Given::Value(Term::Constant(*only), updates),
        _ => Given::AnyOf(values.to_vec(), updates),
    }
}

/// Whether the conditions are such that just one can hold: each says the opposite of a part of every other.
fn exclude_each_other(ways: &[(Expr, Given)]) -> bool {
    ways.iter().enumerate().all(|(index, (first, _))| {
        ways[index + 1..].iter().all(|(second, _)| Expr::and([first.clone(), second.clone()]) == Expr::False)
    })
}

impl Strand {
    /// Whether something still depends on what the holder holds.
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
