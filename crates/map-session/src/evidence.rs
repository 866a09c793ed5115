//! Runs that show something.

use map_ir::PointId;
use map_semantics::{AgentState, ObservedStep, Step};
use map_simulate::SimulatedStep;
use map_verify::ReplayedRun;

/// A step as it was taken.
#[derive(Clone, Copy)]
pub struct TakenStep<'a> {
    /// The step.
    pub step: &'a Step,
    /// Where the thread rested.
    pub place: PointId,
    /// The agent before it.
    pub before: &'a AgentState,
    /// Everything observed of it.
    pub observed: &'a ObservedStep,
}

impl<'a> From<&'a SimulatedStep<'_>> for TakenStep<'a> {
    fn from(step: &'a SimulatedStep<'_>) -> Self {
        Self { step: &step.step, place: step.place, before: step.before, observed: step.observed }
    }
}

/// The steps of a run that was replayed, in order.
pub fn taken_steps(replayed: &ReplayedRun) -> impl Iterator<Item = TakenStep<'_>> {
    replayed.steps.iter().zip(&replayed.states).map(|(taken, state)| TakenStep {
        step: &taken.step,
        place: taken.place,
        before: &state.agents[taken.step.agent.index()],
        observed: &taken.observed,
    })
}

/// A run that shows what an answer says: the steps taken, each with what was observed, and the states between them.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The steps, replayed through the semantics.
    pub replayed: &'a ReplayedRun,
    /// The steps from this index on are repeated for ever.
    pub repeated_from: Option<usize>,
}

/// How the steps of one run show in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// They are all its steps.
    Whole,
    /// They are its first steps: so many, at least one.
    Beginning(usize),
}

impl Evidence<'_> {
    /// Whether the steps of this run can be seen in another one: `None` if that does not begin with them, if there are
    /// none, or if only one of the runs goes on for ever.
    #[must_use]
    pub fn shown_by(&self, whole: Evidence<'_>) -> Option<Shows> {
        let (steps, all) = (&self.replayed.steps, &whole.replayed.steps);
        let starts = self.replayed.initial == whole.replayed.initial
            && steps.len() <= all.len()
            && steps.iter().zip(all).all(|(one, other)| one.step == other.step);
        let fits = match self.repeated_from {
            None => starts,
            Some(_) => self.is_same(whole),
        };
        match steps.len() {
            0 => None,
            _ if !fits => None,
            count if count == all.len() => Some(Shows::Whole),
            count => Some(Shows::Beginning(count)),
        }
    }

    /// Whether the other run takes the same steps.
    #[must_use]
    pub fn is_same(&self, other: Evidence<'_>) -> bool {
        let (ours, theirs) = (&self.replayed.steps, &other.replayed.steps);
        self.replayed.initial == other.replayed.initial
            && self.repeated_from == other.repeated_from
            && ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(one, other)| one.step == other.step)
    }
}
