//! How a simulated run ended, in words.

use std::fmt::Write as _;

use map_ir::{AgentId, PointId, PointKind, ProcedureId, Value};
use map_semantics::{BoundHit, Bounds, Ending, Event, RunError, RunErrorKind, SceneState, Status, StepError};
use map_session::{KeptStep, PlayedRun, RunMemory, StuckAgent, stuck_agents};
use map_simulate::{EndWord, MAX_VAIN_DRAWS, NoHonestAnswer, Run, RunEnd};
use map_verify::ReplayedRun;

use crate::{Namer, Role, Text, Tone, counted, failure, grouped, stuck, wrong};

/// Whether an end is good, bad or inconclusive.
#[must_use]
pub const fn tone_of(end: EndWord) -> Tone {
    match end {
        EndWord::Done => Tone::Good,
        EndWord::Failure
        | EndWord::Deadlock
        | EndWord::MailboxOverflow
        | EndWord::RunawayRecursion
        | EndWord::RunError
        | EndWord::NoHonestAnswer => Tone::Bad,
        EndWord::Cut
        | EndWord::AskedInVain
        | EndWord::TooManySteps
        | EndWord::TooManyCalls
        | EndWord::Unanswered
        | EndWord::Stopped => Tone::Doubtful,
    }
}

/// A run that has ended, with everything needed to explain how.
#[derive(Clone, Copy)]
pub struct EndedRun<'a> {
    /// The bounds of the run.
    pub bounds: &'a Bounds,
    /// The run.
    pub run: &'a Run,
    /// What was recorded of its steps.
    pub memory: &'a RunMemory,
}

impl<'a> From<&'a PlayedRun> for EndedRun<'a> {
    fn from(played: &'a PlayedRun) -> Self {
        Self { bounds: &played.scene.bounds, run: &played.run, memory: &played.memory }
    }
}

/// Behind the last step of a run that was drawn: how it ended, and the properties that it violates.
#[must_use]
pub fn end_of_played(played: &PlayedRun, namer: &Namer<'_>) -> Text {
    let mut text = Text::plain(if played.run.steps > 0 { "\n" } else { "" });
    text.append(EndedRun::from(played).text(namer));
    for name in played.violated_names() {
        text.push_str(&format!("property {name}  "));
        text.push(Role::Verdict(Tone::Bad), "violated by this run");
        text.push_str("\n");
    }
    text
}

/// What an agent would have answered truthfully in the step that follows these, and why it cannot.
#[must_use]
pub fn no_honest_answer(
    namer: &Namer<'_>,
    steps: u64,
    agent: AgentId,
    point: PointId,
    why: NoHonestAnswer,
) -> String {
    let procedure = namer.procedure_of(point);
    let what = match why {
        NoHonestAnswer::No => "its truth is \"no\", which a procedure never says".to_owned(),
        NoHonestAnswer::Outside(value) => {
            format!("its truth is {}, which is outside of its domain", namer.value(value))
        }
        NoHonestAnswer::Unknown => "its truth depends on a value that nobody knows".to_owned(),
        NoHonestAnswer::Error(error) => match error.kind {
            RunErrorKind::DivisionByZero => "its truth divides by zero".to_owned(),
            RunErrorKind::Overflow => "its truth does not fit in 64 bits".to_owned(),
            RunErrorKind::NoInteger(value) => format!("its truth computes with {}", namer.value(value)),
            _ => "its truth cannot be computed".to_owned(),
        },
    };
    format!("in step {} {} asks {procedure}, and {what} (MAP135)", grouped(steps + 1), namer.agent(agent))
}

impl EndedRun<'_> {
    /// The verdict and its explanation; does not start with a line break.
    #[must_use]
    pub fn text(&self, namer: &Namer<'_>) -> Text {
        let end = EndWord::of(self.run);
        self.text_with(namer, tone_of(end), end.word(), &self.sentence(namer))
    }

    /// Like [`EndedRun::text`], with a different verdict and sentence.
    #[must_use]
    pub fn text_with(&self, namer: &Namer<'_>, tone: Tone, verdict: &str, sentence: &str) -> Text {
        let mut text = Text::of(Role::Verdict(tone), verdict);
        let _ = writeln!(text, " after {}: {sentence}", counted(self.run.steps, "step"));
        text.append(self.explanation(namer));
        let unread = self.unread(namer);
        if !unread.is_empty() {
            let _ = writeln!(text, "  left unread: {}", unread.join("; "));
        }
        text
    }

    fn sentence(&self, namer: &Namer<'_>) -> String {
        match self.run.end {
            RunEnd::Ended if self.run.some_failed() => "all agents have ended, but not all well".to_owned(),
            RunEnd::Ended => match self.crashed() {
                0 => "all agents have ended well".to_owned(),
                crashed => format!("all agents have ended, {} by a crash", grouped(crashed as u64)),
            },
            RunEnd::NothingMoves => "nothing can happen any more".to_owned(),
            RunEnd::Wrong(_, StepError::Overflow(agent)) => {
                format!("the mailbox of {} is full", namer.agent(agent))
            }
            RunEnd::Wrong(agent, StepError::Runaway(_)) => {
                format!("{} calls without ever doing anything", namer.agent(agent))
            }
            RunEnd::Wrong(agent, StepError::RunError(error)) if error.kind == RunErrorKind::NoAnswer => {
                format!("{} asks {} and gets no answer", namer.agent(agent), namer.procedure_of(error.point))
            }
            RunEnd::Wrong(agent, StepError::RunError(error)) if wrong::is_in_act(namer, &error) => {
                format!("{} computes a value, which goes wrong", namer.agent(agent))
            }
            RunEnd::Wrong(agent, StepError::RunError(error)) => {
                format!("{} asks {}, which goes wrong", namer.agent(agent), namer.procedure_of(error.point))
            }
            RunEnd::Cut(BoundHit::Depth) => {
                format!(
                    "nothing else fits in the depth of {}; raise --depth",
                    grouped(self.bounds.depth.into())
                )
            }
            RunEnd::Cut(BoundHit::Rounds) => "nothing else is within --rounds".to_owned(),
            RunEnd::AskedInVain => {
                format!(
                    "all that could happen was asked {} times, and the answer was no",
                    grouped(MAX_VAIN_DRAWS.into())
                )
            }
            RunEnd::MaxSteps => "there are more, but --max-steps ends the run here".to_owned(),
            RunEnd::TooLong(agent, point) => {
                let (agent, place) = (namer.agent(agent), namer.place_of(point));
                format!(
                    "{agent} makes more than 10,000 calls at {place}, or its act there can come out in more than \
                     65,536 ways"
                )
            }
            RunEnd::Unanswered(agent, point) => {
                format!(
                    "{} asks {}, and nobody answers any more",
                    namer.agent(agent),
                    namer.procedure_of(point)
                )
            }
            RunEnd::NoHonestAnswer(agent, point, why) => {
                no_honest_answer(namer, self.run.steps, agent, point, why)
            }
            RunEnd::Stopped => "stopped by Ctrl-C".to_owned(),
        }
    }

    fn crashed(&self) -> usize {
        let agents = self.run.state.iter().flat_map(|state| &state.agents);
        agents.filter(|agent| agent.status == Status::Crashed).count()
    }

    fn explanation(&self, namer: &Namer<'_>) -> Text {
        let mut text = Text::default();
        for (agent, events) in self.failures() {
            text.append(failure::explain(namer, agent, &events, &[]));
        }
        if let RunEnd::Unanswered(agent, point) = self.run.end {
            let what = self.memory.unanswered.as_deref();
            text.append(wrong::explain_no_answer(namer, agent, point, "nobody answers", what));
        }
        if let RunEnd::Wrong(agent, error) = self.run.end {
            text.append(self.explain_wrong(namer, agent, error));
        }
        if let Some(state) = &self.run.state {
            let stuck = self.stuck(namer, state);
            text.append(match self.run.end {
                RunEnd::NothingMoves => stuck::explain(namer, &stuck, &self.run.last_step),
                _ => stuck::list(namer, &stuck),
            });
            text.append(stuck::ended(namer, &state.agents, &self.run.last_step));
        }
        text
    }

    /// The agents that failed, with the events of the step, or of the way to the first places, in which they did.
    fn failures(&self) -> Vec<(AgentId, Vec<Event>)> {
        let start = self.run.start.iter().enumerate().filter(
            |(_, outcome)| matches!(&outcome.ending, Ending::State(state) if state.status == Status::Failed),
        );
        let start = start.map(|(agent, outcome)| (AgentId::new(agent), outcome.events.clone()));
        start.chain(self.memory.failures.iter().cloned()).collect()
    }

    fn explain_wrong(&self, namer: &Namer<'_>, agent: AgentId, error: StepError) -> Text {
        match error {
            StepError::Overflow(recipient) => {
                let Some(state) = self.run.state.as_ref().map(|state| &state.agents[recipient.index()])
                else {
                    return Text::default();
                };
                wrong::explain_overflow(namer, recipient, state)
            }
            StepError::RunError(error) if error.kind == RunErrorKind::NoAnswer => {
                let what = self.memory.unanswered.as_deref();
                wrong::explain_no_answer(namer, agent, error.point, "the program does not answer", what)
            }
            StepError::RunError(error) => {
                let mut text = wrong::explain_run_error(namer, agent, &error);
                if let Some((procedure, answer)) = self.unfit_answer(namer, &error) {
                    let name = &namer.program.procedure(procedure).name;
                    let answer = namer.value(answer);
                    let _ = writeln!(
                        text,
                        "    {name} answered {answer}: the fault is that of who answers for {name}."
                    );
                    let _ = writeln!(
                        text,
                        "    The dialogue computes with its answers, so they have to be numbers, and small enough"
                    );
                }
                text
            }
            StepError::Runaway(point) => {
                let last = self.memory.wrong.as_deref();
                let events = match last {
                    Some(last) => &last.taken().observed.outcome.events,
                    None => &self.run.start[agent.index()].events,
                };
                wrong::explain_runaway(namer, agent, events, point, last.map(KeptStep::taken).as_ref())
            }
        }
    }

    /// The answer that a run error is put down to, if there is one: of a procedure without a body that is taken to
    /// answer numbers.
    fn unfit_answer(&self, namer: &Namer<'_>, error: &RunError) -> Option<(ProcedureId, Value)> {
        let numbers = namer.program.assumed_numbers();
        let mut unfit =
            self.memory.unfit.iter().filter_map(|&(point, answer)| match namer.program.point(point).kind {
                PointKind::Ask { procedure, .. } if numbers.contains(&procedure) => Some((procedure, answer)),
                _ => None,
            });
        unfit.find(|&(_, answer)| match error.kind {
            RunErrorKind::NoInteger(value) => value == answer,
            RunErrorKind::Overflow => matches!(answer, Value::Integer(_)),
            _ => false,
        })
    }

    /// The agents that have not ended.
    fn stuck(&self, namer: &Namer<'_>, state: &SceneState) -> Vec<StuckAgent> {
        let replayed = ReplayedRun {
            initial: Vec::new(),
            start: Vec::new(),
            steps: Vec::new(),
            states: vec![state.clone()],
        };
        let mut stuck = stuck_agents(namer.program, &replayed);
        for agent in &mut stuck {
            for thread in &mut agent.threads {
                thread.since = self.run.last_step[agent.agent.index()] as usize;
            }
        }
        stuck
    }

    fn unread(&self, namer: &Namer<'_>) -> Vec<String> {
        let told = self.run.unread.iter().map(|(&(performative, agent), &count)| {
            let times = if count == 1 { String::new() } else { format!(" ({} times)", grouped(count)) };
            format!("{} by {}{times}", namer.performative(performative), namer.agent(agent))
        });
        told.collect()
    }
}
