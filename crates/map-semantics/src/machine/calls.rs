//! Calls: finding the clause, bounds, tail calls, runaway recursion, returning.

use map_ir::{Candidate, ClauseId, Goto, PointId, PointKind, Value};

use super::{MAX_CALLS, Machine, OpenCall, Stop};
use crate::agent::{Node, NodeKind};
use crate::outcome::{BoundHit, Event};

impl Machine<'_> {
    pub(super) fn call(&mut self, point: PointId) -> Result<Goto, Stop> {
        let program = self.program;
        let PointKind::Call { arguments, candidates, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a call")
        };
        let arguments = self.operands(point, arguments)?;
        let Some(clause) = self.find_head(point, candidates, &arguments) else {
            self.events.push(Event::NoHead(point));
            return Ok(self.fail(*err));
        };
        if !self.bounds.count_call(&mut self.counters, &arguments) {
            self.exceed(BoundHit::Rounds)?;
        }
        // A tail call: nothing follows, and a failure of the callee would be this clause's own failure, so the caller's
        // activation no longer matters.
        let is_tail_call =
            *ok == Goto::Return(true) && (!program.clause(clause).can_fail || err.to == Goto::Return(false));
        let depth = self.extras[self.top].depth + u32::from(!is_tail_call);
        if depth > self.bounds.depth {
            self.exceed(BoundHit::Depth)?;
        }
        self.ran.push(point);
        if self.find_open_call(point, &arguments) {
            return Err(Stop::Runaway(point));
        }
        if self.open_calls.len() >= MAX_CALLS {
            return Err(Stop::TooLong(point));
        }
        self.events.push(Event::Called(point, clause, arguments.clone()));
        let outside = if is_tail_call { self.extras[self.top].calls_outside } else { self.innermost_call };
        let before = self.innermost_call.replace(self.open_calls.len() as u32);
        let (below, call) = if is_tail_call {
            let replaced = self.top;
            self.extras[replaced].removed = true;
            match self.nodes[replaced].kind {
                NodeKind::Activation { call, .. } => (self.nodes[replaced].below, call),
                _ => unreachable!("what returns from a clause runs in its activation"),
            }
        } else {
            (Some(self.top as u32), Some(point))
        };
        self.open(clause, &arguments, below, call, depth);
        self.extras[self.top].calls_outside = outside;
        self.open_calls.push(OpenCall { arguments, before });
        Ok(Goto::Point(program.clause(clause).body))
    }

    /// A call needs more than a bound allows. That cuts the step, unless it turns out to be none.
    fn exceed(&mut self, bound: BoundHit) -> Result<(), Stop> {
        let may_be_none = self.action.is_none() && !self.origin.control.nodes.is_empty();
        if !may_be_none {
            return Err(Stop::Cut(bound));
        }
        self.exceeded.get_or_insert(bound);
        Ok(())
    }

    /// The first clause whose head unifies with the arguments.
    pub(super) fn find_head(
        &mut self,
        point: PointId,
        candidates: &[Candidate],
        arguments: &[Value],
    ) -> Option<ClauseId> {
        let program = self.program;
        candidates.iter().map(|candidate| candidate.clause).find(|&clause| {
            let head = &program.clause(clause).head;
            self.matches(point, head, |place| arguments[place])
        })
    }

    /// Opens an activation with the variables that its head binds, and makes it the top.
    pub(super) fn open(
        &mut self,
        clause: ClauseId,
        arguments: &[Value],
        below: Option<u32>,
        call: Option<PointId>,
        depth: u32,
    ) {
        let definition = self.program.clause(clause);
        let mut variables = vec![None; definition.variables.len()];
        if let Some(slot) = definition.own_name {
            variables[slot.index()] = Some(Value::Agent(self.me));
        }
        for &(place, slot) in &definition.head.bindings {
            variables[slot.index()] = Some(arguments[place as usize]);
        }
        self.push(Node { below, kind: NodeKind::Activation { clause, variables, call } }, depth);
    }

    /// Ends the top activation and returns where control continues; `None` if it was the entry clause's.
    pub(super) fn leave(&mut self, succeeded: bool) -> Option<Goto> {
        let left = self.top;
        let NodeKind::Activation { call, .. } = self.nodes[left].kind else {
            unreachable!("what returns from a clause runs in its activation")
        };
        self.extras[left].removed = true;
        self.innermost_call = self.extras[left].calls_outside;
        let (Some(below), Some(call)) = (self.nodes[left].below, call) else {
            self.ended = Some(succeeded);
            return None;
        };
        self.top = below as usize;
        let PointKind::Call { ok, err, .. } = self.program.point(call).kind else {
            unreachable!("activations are opened by calls")
        };
        if succeeded {
            return Some(ok);
        }
        self.events.push(Event::CallFailed(call));
        Some(self.fail(err))
    }

    /// Whether a call with these arguments was made in this act and has not returned; settles what is open if that
    /// depends on abstract values.
    pub(super) fn find_open_call(&mut self, point: PointId, arguments: &[Value]) -> bool {
        let mut open = Vec::new();
        let mut at = self.innermost_call;
        while let Some(index) = at {
            let call = &self.open_calls[index as usize];
            at = call.before;
            if call.arguments.len() != arguments.len() {
                continue;
            }
            let pairs = call.arguments.iter().copied().zip(arguments.iter().copied());
            match self.open_pairs(pairs) {
                Some(pairs) if pairs.is_empty() => return true,
                pairs => open.extend(pairs),
            }
        }
        open.iter().any(|pairs| self.equal(point, pairs))
    }

    /// The second form of runaway recursion: the act re-enters by a call the `waitfor` it started from, with the same
    /// variables. It does not count inside a side of a `par` that the act entered, which is one level deeper.
    pub(super) fn check_entered_anew(&mut self, point: PointId) -> Result<(), Stop> {
        let Some((start, started_on)) = self.started_waiting_at else { return Ok(()) };
        let old = self.origin.control.nodes.len();
        if point != start || self.action.is_some() || self.top < old {
            return Ok(());
        }
        let mut at = Some(self.top);
        while let Some(node) = at.filter(|&node| node >= old) {
            if matches!(self.nodes[node].kind, NodeKind::SideOf(_)) {
                return Ok(());
            }
            at = self.nodes[node].below.map(|below| below as usize);
        }
        let before = self.origin.control.activations(started_on).next();
        let now = match &self.nodes[self.top].kind {
            NodeKind::Activation { clause, variables, .. } => Some((*clause, variables.as_slice())),
            _ => None,
        };
        let open = match (before, now) {
            (Some((before_clause, before)), Some((clause, now)))
                if before_clause == clause
                    && before.iter().map(Option::is_some).eq(now.iter().map(Option::is_some)) =>
            {
                let values =
                    |variables: &[Option<Value>]| variables.iter().flatten().copied().collect::<Vec<_>>();
                self.open_pairs(values(before).into_iter().zip(values(now)))
            }
            _ => None,
        };
        let entered_anew = open.is_some_and(|open| open.is_empty() || self.equal(point, &open));
        if entered_anew { Err(Stop::Runaway(point)) } else { Ok(()) }
    }
}
