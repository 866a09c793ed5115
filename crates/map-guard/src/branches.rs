//! The clauses and branches of the agent under test, and which of them its dialogues took.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use map_conform::{Arrivals, Conversation, Mark, Scene, Settings};
use map_ir::{AgentId, ClauseId, PointId, Program};
use map_semantics::{Action, Bounds, Event, Outcome, Timeouts};
use map_simulate::{Run, RunEnd, SimulationOptions, first, go_on, repeat};

use crate::offer::{AgentOffer, Suggestion};
use crate::players::Dialogue;

/// How often an end is looked for that a complete dialogue may have had.
const MAX_ENDINGS: u64 = 64;
/// The most steps of such an end.
const MAX_LAST_STEPS: u64 = 1_000;

/// A clause, or a part of one that runs may skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Branch {
    /// A clause.
    Clause(ClauseId),
    /// An alternative of an `or`, or what is done when time runs out: an index into [`Program::regions`].
    Region(usize),
}

/// Whether a branch was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BranchState {
    /// Not that anybody knows.
    Missed,
    /// By the run that was found for a dialogue; there may be others.
    Possible,
    /// Nothing else explains a message of the agent.
    Certain,
}

/// The branches of the agent under test.
#[derive(Clone)]
pub struct BranchCoverage {
    agent: AgentId,
    branches: BTreeMap<Branch, BranchState>,
    /// By operation: whether it ran.
    ran: Vec<BranchState>,
    /// By operation: whether it failed, in a run that was found.
    failed: Vec<bool>,
    scene: Arc<Scene>,
}

impl BranchCoverage {
    /// The branches of an agent, none of which was taken.
    #[must_use]
    pub fn new(program: &Arc<Program>, agent: AgentId) -> Self {
        let part = program.agent(agent).part;
        let is_its = |clause: ClauseId| program.clause(clause).part == part;
        let clauses = (0..program.clauses.len()).map(ClauseId::new).filter(|&clause| is_its(clause));
        let regions = (0..program.regions.len()).filter(|&region| is_its(program.regions[region].clause));
        let branches = clauses.map(Branch::Clause).chain(regions.map(Branch::Region));
        let branches = branches.map(|branch| (branch, BranchState::Missed)).collect();
        let settings = Settings { arrivals: Arrivals::Sent, keeps_lines: true, ..Settings::default() };
        let points = program.points.len();
        Self {
            agent,
            branches,
            ran: vec![BranchState::Missed; points],
            failed: vec![false; points],
            scene: Arc::new(Scene::new(Arc::clone(program), settings)),
        }
    }

    /// The branches in the order of the file, clauses first.
    pub fn iter(&self) -> impl Iterator<Item = (Branch, BranchState)> {
        self.branches.iter().map(|(&branch, &taken)| (branch, taken))
    }

    /// Whether an operation ran.
    #[must_use]
    pub fn ran(&self, point: PointId) -> BranchState {
        self.ran[point.index()]
    }

    /// Whether an operation failed, by the runs that were found.
    #[must_use]
    pub fn has_failed(&self, point: PointId) -> bool {
        self.failed[point.index()]
    }

    /// A message of the agent was accepted that surely fits, and that was offered like this.
    pub fn add_send(&mut self, before: &AgentOffer, performative: &str) {
        let is_it = |suggestion: &&Suggestion| suggestion.performative == performative;
        let mut points = before.may.iter().filter(is_it).map(|suggestion| suggestion.point);
        let Some(point) = points.next() else { return };
        if points.all(|other| other == point) {
            self.add(&[point], &[], BranchState::Certain);
        }
    }

    /// A dialogue is over: the run is looked for that explains it. Of one that is complete it goes on behind the last
    /// message, until all have ended.
    pub fn add_dialogue(&mut self, dialogue: &Dialogue, is_complete: bool) {
        let mut conversation = Conversation::new(&self.scene);
        for (number, message) in dialogue.messages.iter().enumerate() {
            let mark = Mark { line: number as u64 + 1, ..Mark::default() };
            conversation.send(mark, message.clone());
        }
        let Ok(explanation) = conversation.explanation() else { return };
        let scene = Arc::clone(&self.scene);
        let (program, bounds) = (scene.program(), scene.bounds());
        let mut run = first(program, bounds, explanation.initial);
        let start = run.start[self.agent.index()].clone();
        self.add(&[], &[program.part(program.agent(self.agent).part).entry], BranchState::Certain);
        self.add_outcome(&start);
        let agent = self.agent;
        let _ = repeat(program, bounds, &mut run, &explanation.steps, &explanation.values, &mut |step| {
            if step.step.agent == agent {
                self.add_outcome(&step.observed.outcome);
            }
            ControlFlow::Continue(())
        });
        if is_complete {
            self.add_rest(&run);
        }
    }

    /// Looks for a way in which all end after a run without sending anything more.
    fn add_rest(&mut self, run: &Run) {
        let scene = Arc::clone(&self.scene);
        // Nobody does anything more, so time runs out as soon as all are at rest.
        let bounds = Bounds { timeouts: Timeouts::Quiescent, ..scene.bounds().clone() };
        for seed in 0..MAX_ENDINGS {
            let options = SimulationOptions {
                seed,
                yes: 0.5,
                yes_of: Vec::new(),
                truthful: false,
                max_steps: run.steps + MAX_LAST_STEPS,
                loss: 0.0,
                crash: 0.0,
            };
            let (mut run, mut outcomes) = (run.clone(), Vec::new());
            go_on(scene.program(), &bounds, &options, &mut run, &mut |step| {
                let outcome = &step.observed.outcome;
                if matches!(outcome.action, Some(Action::Send { .. })) {
                    return ControlFlow::Break(());
                }
                if step.step.agent == self.agent {
                    outcomes.push(outcome.clone());
                }
                ControlFlow::Continue(())
            });
            if run.end == RunEnd::Ended && !run.some_failed() {
                outcomes.iter().for_each(|outcome| self.add_outcome(outcome));
                return;
            }
        }
    }

    fn add_outcome(&mut self, outcome: &Outcome) {
        let entered = outcome.events.iter().filter_map(|event| match event {
            Event::Called(_, clause, _) => Some(*clause),
            _ => None,
        });
        let entered: Vec<ClauseId> = entered.collect();
        for event in outcome.events.iter().filter(|event| !matches!(event, Event::Called(..))) {
            self.failed[event.point().index()] = true;
        }
        self.add(&outcome.ran, &entered, BranchState::Possible);
    }

    fn add(&mut self, ran: &[PointId], entered: &[ClauseId], taken: BranchState) {
        let program = Arc::clone(self.scene.program());
        for point in ran {
            let known = &mut self.ran[point.index()];
            *known = taken.max(*known);
        }
        let clauses = ran.iter().map(|&point| program.point(point).clause).chain(entered.iter().copied());
        let regions = (0..program.regions.len()).filter(|&region| {
            ran.iter().any(|point| program.regions[region].points.contains(&point.index()))
        });
        for branch in clauses.map(Branch::Clause).chain(regions.map(Branch::Region)) {
            if let Some(known) = self.branches.get_mut(&branch) {
                *known = taken.max(*known);
            }
        }
    }
}
