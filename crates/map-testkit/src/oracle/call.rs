//! Calls: which clause is called, whether the caller's activation is given up, and the bounds.

use map_syntax::ast::{Op, OpKind, Term, Who};

use super::act::{Happening, Wrong};
use super::run::{Run, Stop, Task};
use super::state::{Activation, Frame, Path, Value, Variables};
use super::unify::{Match, compare_all, unify_all};

impl<'a> Run<'a, '_> {
    /// "A fresh activation of the first clause of the agent's part whose head unifies with the arguments."
    pub(super) fn call(
        &mut self,
        path: &Path,
        op: &'a Op,
        arguments: &'a [Term],
    ) -> Result<Option<Task<'a>>, Stop> {
        let arguments = match self.values_of_terms(path, arguments) {
            // "Others go on": in the sides of a `par` a cut counts before it.
            Err(Stop::RunError) => {
                self.trail.operations.insert(op.span);
                self.goes_wrong(Wrong::RunError);
                return Ok(None);
            }
            arguments => arguments?,
        };
        let Some((clause, variables)) = self.find_head(&arguments)? else {
            return Ok(Some(Task::Ended(false)));
        };
        self.trail.operations.insert(op.span);
        self.trail.happened.push(Happening::Called);

        let given_up = self.given_up(path, clause);
        let open = self.open_activations(path).len();
        let too_deep = open + 1 - usize::from(given_up.is_some()) > self.setting.options.depth as usize;
        if self.count_call(&arguments) || too_deep {
            if self.action.is_some() {
                return Err(Stop::Cut);
            }
            self.cut = true;
        }
        if self.find_open_call(path, &arguments)? {
            self.goes_wrong(Wrong::Runaway);
            return Ok(None);
        }
        self.trail.clauses.insert(clause);
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

    /// "A call is made a second time with the same arguments before the first has returned": for sure, or if values
    /// that may be equal are.
    fn find_open_call(&mut self, path: &Path, arguments: &[Value<'a>]) -> Result<bool, Stop> {
        let calls = self.open_activations(path).into_iter().flat_map(|activation| &activation.calls);
        let same = |call: &Vec<Value<'a>>| match call.len() == arguments.len() {
            true => compare_all(call.iter().copied().zip(arguments.iter().copied())),
            false => Match::No,
        };
        let outcomes: Vec<Match> = calls.map(same).collect();
        if outcomes.contains(&Match::Yes) {
            return Ok(true);
        }
        for outcome in outcomes {
            if self.decide(outcome)? {
                return Ok(true);
            }
        }
        Ok(false)
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

    /// Counts a call; true if it exceeds `--rounds`.
    fn count_call(&mut self, arguments: &[Value<'a>]) -> bool {
        let options = self.setting.options;
        let all = options.rounds.map(|limit| (true, limit));
        let some = options.rounds_of.iter().map(|(constant, limit)| {
            // An abstract first argument is not a constant.
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
}

fn length(chain: &Op) -> usize {
    match &chain.kind {
        OpKind::Then(ops) | OpKind::Or(ops) => ops.len(),
        _ => unreachable!("a chain"),
    }
}
