//! Coverage: what never happened in the explored runs.

use std::collections::BTreeSet;
use std::io;

use map_ir::{AgentId, ClauseId, PerformativeId, PointId, PointKind, Program, RegionKind};
use map_semantics::{Event, Outcome, StepKind};

use crate::saved::{In, Out, misfit};

/// What never happened. Omits whatever is inside something else that never happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnusedParts {
    /// Clauses never entered.
    pub clauses: Vec<ClauseId>,
    /// Alternatives none of whose operations ran, as indices into [`Program::regions`].
    pub alternatives: Vec<usize>,
    /// Timeouts that never fired, as indices into [`Program::regions`].
    pub timeouts: Vec<usize>,
    /// Asks, sends, receives, calls, `skip`s and `fail`s that never ran.
    pub operations: Vec<PointId>,
    /// Agents that never take a step.
    pub agents: Vec<AgentId>,
    /// Messages left unread in some run, with the agent that left them.
    pub unread: Vec<(PerformativeId, AgentId)>,
    /// All operations that ran.
    pub ran: Vec<PointId>,
    /// All operations that failed, calls and `par`s among them, in steps that something else then took.
    pub failed: Vec<PointId>,
    /// All clauses entered.
    pub entered: Vec<ClauseId>,
}

/// What has happened so far.
#[derive(Debug)]
pub(crate) struct Coverage {
    ran: Vec<bool>,
    failed: Vec<bool>,
    entered: Vec<bool>,
    acted: Vec<bool>,
    /// Whether some step rests on how an open comparison comes out, as the only flag of a list.
    compared: [bool; 1],
    unread: BTreeSet<(PerformativeId, AgentId)>,
}

impl Coverage {
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            ran: vec![false; program.points.len()],
            failed: vec![false; program.points.len()],
            entered: vec![false; program.clauses.len()],
            acted: vec![false; program.agents.len()],
            compared: [false],
            unread: BTreeSet::new(),
        }
    }

    /// Writes what has happened.
    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        for flags in [&*self.ran, &self.failed, &self.entered, &self.acted, &self.compared] {
            out.flags(flags)?;
        }
        let unread: Vec<usize> =
            self.unread.iter().flat_map(|(what, whose)| [what.index(), whose.index()]).collect();
        out.numbers(&unread)
    }

    /// Reads what [`Coverage::save`] wrote for the same program.
    pub(crate) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        let Self { ran, failed, entered, acted, compared, unread: _ } = &mut *self;
        for flags in [&mut **ran, failed, entered, acted, compared] {
            let read = from.flags()?;
            if read.len() != flags.len() {
                return Err(misfit("the coverage of another program"));
            }
            flags.copy_from_slice(&read);
        }
        let unread = from.numbers()?;
        let pairs = unread.chunks_exact(2);
        self.unread = pairs.map(|it| (PerformativeId::new(it[0]), AgentId::new(it[1]))).collect();
        Ok(())
    }

    /// Records what an agent ran before its first place.
    pub(crate) fn record_start(&mut self, entry: ClauseId, outcome: &Outcome) {
        let entered = outcome.events.iter().filter_map(|event| match event {
            Event::Called(_, clause, _) => Some(*clause),
            _ => None,
        });
        self.record(&outcome.ran, failures(&outcome.events), entered.chain([entry]));
    }

    pub(crate) fn record(
        &mut self,
        ran: &[PointId],
        failed: impl IntoIterator<Item = PointId>,
        entered: impl IntoIterator<Item = ClauseId>,
    ) {
        for point in ran {
            self.ran[point.index()] = true;
        }
        for point in failed {
            self.failed[point.index()] = true;
        }
        for clause in entered {
            self.entered[clause.index()] = true;
        }
    }

    /// Records that an agent takes a step, even one that goes wrong. Crashes and arrivals do not count.
    pub(crate) fn record_act(&mut self, agent: AgentId, kind: StepKind) {
        self.acted[agent.index()] |= !matches!(kind, StepKind::Crash | StepKind::Arrival);
    }

    /// Records whether a step rests on how an open comparison comes out.
    pub(crate) fn record_compared(&mut self, compared: bool) {
        self.compared[0] |= compared;
    }

    /// Whether some step rests on how an open comparison comes out.
    pub(crate) fn has_compared(&self) -> bool {
        self.compared[0]
    }

    pub(crate) fn record_unread(&mut self, performative: PerformativeId, agent: AgentId) {
        self.unread.insert((performative, agent));
    }

    /// Extends what was recorded for an agent to all agents in its orbit.
    pub(crate) fn spread(&mut self, orbit: impl Fn(AgentId) -> Vec<AgentId>) {
        let acted = (0..self.acted.len()).filter(|&agent| self.acted[agent]);
        for agent in acted.flat_map(|agent| orbit(AgentId::new(agent))).collect::<Vec<_>>() {
            self.acted[agent.index()] = true;
        }
        let unread = std::mem::take(&mut self.unread).into_iter();
        self.unread = unread
            .flat_map(|(performative, agent)| orbit(agent).into_iter().map(move |it| (performative, it)))
            .collect();
    }

    /// Merges another record into this one, and empties the other.
    pub(crate) fn take(&mut self, other: &mut Self) {
        for (all, theirs) in [
            (&mut *self.ran, &mut *other.ran),
            (&mut self.failed, &mut other.failed),
            (&mut self.entered, &mut other.entered),
            (&mut self.acted, &mut other.acted),
            (&mut self.compared, &mut other.compared),
        ] {
            for (all, theirs) in all.iter_mut().zip(theirs) {
                *all |= std::mem::take(theirs);
            }
        }
        self.unread.append(&mut other.unread);
    }

    pub(crate) fn unused(&self, program: &Program) -> UnusedParts {
        let mut hidden = vec![false; program.points.len()];
        let mut unused = UnusedParts {
            agents: program.cast().filter(|agent| !self.acted[agent.index()]).collect(),
            unread: self.unread.iter().copied().collect(),
            ..UnusedParts::default()
        };
        for (index, clause) in program.clauses.iter().enumerate() {
            if self.entered[index] {
                unused.entered.push(ClauseId::new(index));
            } else {
                unused.clauses.push(ClauseId::new(index));
                hidden[clause.points.clone()].fill(true);
            }
        }
        for (index, region) in program.regions.iter().enumerate() {
            let points = region.points.clone();
            if hidden[points.start] || self.ran[points.clone()].contains(&true) {
                continue;
            }
            hidden[points].fill(true);
            match region.kind {
                RegionKind::Alternative => unused.alternatives.push(index),
                RegionKind::Timeout => unused.timeouts.push(index),
            }
        }
        unused.failed = (0..program.points.len()).filter(|&it| self.failed[it]).map(PointId::new).collect();
        for (index, point) in program.points.iter().enumerate() {
            if self.ran[index] {
                unused.ran.push(PointId::new(index));
            } else if !hidden[index] && !matches!(point.kind, PointKind::Wait { .. } | PointKind::Par { .. })
            {
                unused.operations.push(PointId::new(index));
            }
        }
        unused
    }
}

/// The operations that failed in an act.
pub(crate) fn failures(events: &[Event]) -> impl Iterator<Item = PointId> {
    events.iter().filter(|event| !matches!(event, Event::Called(..))).map(Event::point)
}
