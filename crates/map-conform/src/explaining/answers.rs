//! What the procedures answered on the way of an agent, from what it said later.

use std::sync::Arc;

use map_ir::{AgentId, ExpressionId, PointId, Symbol, Value};
use map_semantics::{Action, Choice, Choices, Ending, Outcome, act, time_out};

use super::path::Path;
use super::{Input, NoExplanation};
use crate::constraint::Constraint;
use crate::hypothesis::{Found, Frame, Hypothesis};
use crate::monitor::first;
use crate::steps::Made;
use crate::ways::Ways;

/// A step with all that was open in it.
pub(super) struct Told {
    /// The thread, as an index into the threads of the agent.
    pub(super) thread: usize,
    pub(super) is_timeout: bool,
    /// The questions with the options taken.
    pub(super) asked: Vec<(Asked, u32)>,
    /// The answer of a procedure, if nothing else gives it.
    pub(super) answer: Option<Value>,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Answer(PointId),
    Equal(PointId),
    Condition(PointId, ExpressionId),
    Domain(PointId),
    Other,
}

impl Asked {
    pub(super) fn of(choice: &Choice<'_>) -> Self {
        match *choice {
            Choice::Answer { point, .. } => Self::Answer(point),
            Choice::Equal { point, .. } => Self::Equal(point),
            Choice::Condition { point, condition, .. } => Self::Condition(point, condition),
            Choice::Domain { point, .. } => Self::Domain(point),
            Choice::Recipients { .. } | Choice::Message { .. } | Choice::Loss { .. } => Self::Other,
        }
    }
}

/// The way of an agent.
pub(super) struct Way {
    pub(super) initial: Vec<u32>,
    /// As in [`Path`].
    pub(super) steps: Vec<Vec<Told>>,
}

/// Takes options one after the other, and notes the questions.
struct Noting<'a> {
    options: &'a [u32],
    asked: Vec<(Asked, u32)>,
}

impl Choices for Noting<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let option = self.options.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push((Asked::of(choice), option));
        option
    }
}

/// Walks along a path without forgetting anything, and says what was answered.
pub(super) fn told(
    frame: &Frame,
    agent: AgentId,
    inputs: &[Input],
    path: Path,
) -> Result<Way, NoExplanation> {
    let hypothesis = first(frame, agent, &path.initial).map_err(|_| NoExplanation::Limit)?;
    let mut walk = Walk { frame, agent, hypothesis, answers: Vec::new(), fresh: 0 };
    let mut steps: Vec<Vec<Told>> = Vec::new();
    for (index, group) in path.steps.iter().enumerate() {
        let mut told = Vec::new();
        for (at, made) in group.iter().enumerate() {
            let sends = match inputs.get(index) {
                Some(Input::Sends(spoken)) if at + 1 == group.len() => Some(&spoken.message),
                _ => None,
            };
            told.push(walk.step(made, sends.map(|it| &**it)).ok_or(NoExplanation::Answers)?);
        }
        if let Some(Input::Arrives(message)) = inputs.get(index) {
            map_semantics::deliver(&frame.bounds, &mut walk.hypothesis.state, &Arc::clone(message));
        }
        steps.push(told);
    }
    walk.choose_members().ok_or(NoExplanation::Answers)?;
    for (step, answer) in steps.iter_mut().flatten().zip(walk.answers) {
        step.answer = answer.filter(|it| !matches!(it, Value::Abstract(_)));
    }
    Ok(Way { initial: path.initial, steps })
}

struct Walk<'a> {
    frame: &'a Frame,
    agent: AgentId,
    hypothesis: Hypothesis,
    /// By step: what its procedure answered, as far as it is known by now.
    answers: Vec<Option<Value>>,
    /// The first symbol that has not been used.
    fresh: u32,
}

impl Walk<'_> {
    /// Takes a step, which sends a message that the log has as this one; nothing if that cannot be.
    fn step(&mut self, made: &Made, sends: Option<&map_semantics::Message>) -> Option<Told> {
        if let Some(options) = &made.in_vain {
            let (_, assumed, _) = self.run(made.thread, options, false)?;
            self.assume(assumed)?;
        }
        let is_timeout = made.in_vain.is_some();
        let (outcome, mut assumed, asked) = self.run(made.thread, &made.options, is_timeout)?;
        let Ending::State(next) = outcome.ending else { return None };
        self.hypothesis.state.go_on(
            &self.frame.bounds,
            next,
            outcome.action.as_ref().and_then(Action::taken),
        );
        let answer = match &outcome.action {
            Some(Action::Ask { answer: Value::Abstract(symbol), .. }) => Some(Value::Abstract(*symbol)),
            _ => None,
        };
        self.answers.push(answer);
        if let Some(shown) = sends {
            let Some(Action::Send { message, .. }) = &outcome.action else { return None };
            self.assume(std::mem::take(&mut assumed))?;
            assumed = self.hypothesis.says(&self.frame.program, message, shown)?;
        }
        self.assume(assumed)?;
        let answered = answer.and_then(Value::symbol).map_or(0, |it| it.0 + 1);
        self.fresh = self.fresh.max(self.hypothesis.fresh().0).max(answered);
        Some(Told { thread: made.thread, is_timeout, asked, answer: None })
    }

    #[allow(clippy::type_complexity, reason = "what an act comes to, with what it took for granted")]
    fn run(
        &self,
        thread: usize,
        options: &[u32],
        is_timeout: bool,
    ) -> Option<(Outcome, Vec<Constraint>, Vec<(Asked, u32)>)> {
        let Frame { program, bounds, .. } = self.frame;
        let state = &self.hypothesis.state;
        let thread = state.control.threads().nth(thread)?;
        let mut noting = Noting { options, asked: Vec::new() };
        let (agent, fresh) = (self.agent, Symbol(self.fresh));
        let mut ways = Ways { program, agent, path: &mut noting, assumed: Vec::new(), missed: Vec::new() };
        let run = if is_timeout { time_out } else { act };
        let outcome = run(program, bounds, agent, state, thread, fresh, &mut ways);
        let assumed = ways.assumed;
        Some((outcome, assumed, noting.asked))
    }

    fn assume(&mut self, new: Vec<Constraint>) -> Option<()> {
        let answers = &mut self.answers;
        let mut accepts = |found| {
            let Found::Bound(symbol, value) = found else { return false };
            answers
                .iter_mut()
                .flatten()
                .filter(|answer| **answer == symbol)
                .for_each(|answer| *answer = value);
            true
        };
        self.hypothesis.assume_and_tell(&self.frame.program, new, &mut accepts).then_some(())
    }

    /// Chooses a value for each answer from a large domain that the log does not show.
    fn choose_members(&mut self) -> Option<()> {
        let open = |walk: &Self| {
            walk.hypothesis.open.iter().find_map(|it| match it {
                Constraint::Member(value, domain) => Some((*value, Arc::clone(domain))),
                _ => None,
            })
        };
        while let Some((symbol, domain)) = open(self) {
            let (hypothesis, answers) = (self.hypothesis.clone(), self.answers.clone());
            domain.iter().find(|&&value| {
                self.hypothesis.clone_from(&hypothesis);
                self.answers.clone_from(&answers);
                self.assume(vec![Constraint::Equal(symbol, value)]).is_some()
            })?;
        }
        Some(())
    }
}
