//! Makes one run of the ways of the agents, step by step.

use map_ir::{AgentId, PointId, Value};
use map_semantics::{Action, Choice, Choices, Question, Reply, SceneState, SceneStep, Step, Turn};

use super::answers::{Asked, Told, Way};
use super::{Explanation, NoExplanation};
use crate::hypothesis::Frame;
use crate::monitor::LoggedMessage;

/// Settles the questions of a step as an agent did by itself. Some comparisons are not asked, as values are known now.
struct Telling<'a> {
    told: &'a Told,
    /// How many of its questions are behind.
    at: usize,
    /// Where the answer is in the domain that was asked about last.
    member: Option<u32>,
    /// Whether something is asked that was not asked then.
    is_lost: bool,
    options: Vec<u32>,
    values: &'a mut Vec<Value>,
}

impl Telling<'_> {
    fn recalled(&mut self, asked: Asked) -> u32 {
        let found = self.told.asked.iter().skip(self.at).position(|it| it.0 == asked);
        match found {
            Some(ahead) => {
                self.at += ahead + 1;
                self.told.asked[self.at - 1].1
            }
            None => {
                self.is_lost = true;
                0
            }
        }
    }
}

impl Choices for Telling<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let option = match (choice, self.member.take()) {
            (Choice::Domain { .. }, Some(member)) => member,
            _ => self.recalled(Asked::of(choice)),
        };
        self.options.push(option);
        option
    }

    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let point: PointId = question.point;
        let reply = if question.may_refuse && self.recalled(Asked::Answer(point)) == 0 {
            Reply::No
        } else {
            self.told.answer.map_or(Reply::Unknown, Reply::Value)
        };
        let values = &mut *self.values;
        let option = reply.to_option(question.may_refuse, |value| {
            let known = values.iter().position(|it| *it == value);
            known.unwrap_or_else(|| {
                values.push(value);
                values.len() - 1
            }) as u32
        });
        self.options.extend(option);
        reply
    }

    fn member(&mut self, domain: &[Value], _: map_ir::Symbol) -> Option<Value> {
        let at = self.told.answer.and_then(|answer| domain.iter().position(|it| *it == answer));
        self.member = at.map(|it| it as u32);
        None
    }
}

/// Plays the messages in their order, each agent on its way.
pub(super) fn play(
    frame: &Frame,
    said: &[LoggedMessage],
    ways: &[Way],
) -> Result<Explanation, NoExplanation> {
    let initial = ways.iter().flat_map(|it| it.initial.iter().copied()).collect::<Vec<_>>();
    let (state, _) = SceneState::start(&frame.program, &frame.bounds, &initial);
    let state = state.ok_or(NoExplanation::Answers)?;
    let explanation = Explanation { initial, steps: Vec::new(), values: Vec::new() };
    let mut play = Play { frame, ways, at: vec![0; ways.len()], state, explanation };
    for spoken in said {
        for &to in spoken.to.iter().filter(|&&to| to != spoken.from) {
            play.go_on(to, None)?;
        }
        play.go_on(spoken.from, Some(spoken))?;
    }
    for agent in frame.program.cast() {
        play.go_on(agent, None)?;
    }
    Ok(play.explanation)
}

struct Play<'a> {
    frame: &'a Frame,
    ways: &'a [Way],
    /// By agent: how many groups of steps are behind.
    at: Vec<usize>,
    state: SceneState,
    explanation: Explanation,
}

impl Play<'_> {
    /// Lets an agent take its steps up to what happens to it next, which may be that it sends this.
    fn go_on(&mut self, agent: AgentId, spoken: Option<&LoggedMessage>) -> Result<(), NoExplanation> {
        let group = &self.ways[agent.index()].steps[self.at[agent.index()]];
        self.at[agent.index()] += 1;
        for (index, told) in group.iter().enumerate() {
            let sends = spoken.filter(|_| index + 1 == group.len());
            self.step(agent, told, sends).ok_or(NoExplanation::Answers)?;
        }
        // A send is a step.
        if spoken.is_some() && group.is_empty() { Err(NoExplanation::Answers) } else { Ok(()) }
    }

    /// Takes a step, which sends this, and else nothing; `None` if it is none.
    fn step(&mut self, agent: AgentId, told: &Told, sends: Option<&LoggedMessage>) -> Option<()> {
        let Frame { program, bounds, .. } = self.frame;
        let turn = if told.is_timeout { Turn::Timeout } else { Turn::Act };
        let values = &mut self.explanation.values;
        let mut telling = Telling { told, at: 0, member: None, is_lost: false, options: Vec::new(), values };
        let observed = self.state.step(program, bounds, agent, told.thread, turn, &mut telling);
        let Telling { is_lost, options, .. } = telling;
        if is_lost || observed.result != SceneStep::Made {
            return None;
        }
        let is_right = match (&observed.outcome.action, sends) {
            (Some(Action::Send { message, to, .. }), Some(spoken)) => {
                let shown = &spoken.message.arguments;
                let is_same = |(own, shown): (&Value, &Value)| own == shown || matches!(own, Value::Fresh(_));
                message.performative == spoken.message.performative
                    && message.arguments.len() == shown.len()
                    && message.arguments.iter().zip(shown).all(is_same)
                    && to.len() == spoken.to.len()
                    && to.iter().all(|it| spoken.to.contains(it))
            }
            (Some(Action::Send { .. }), None) | (_, Some(_)) => false,
            (_, None) => true,
        };
        self.explanation.steps.push(Step { agent, thread: told.thread, turn, options });
        is_right.then_some(())
    }
}
