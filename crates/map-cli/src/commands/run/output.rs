//! A run as JSON.

use map_semantics::{BoundHit, Status, StepError};
use map_simulate::{EndWord, RunEnd};

use super::{Report, repeat};
use crate::json::{
    AgentOutput, BoundsOutput, Header, RunOutput, StepOutput, UnansweredOutput, UnreadOutput, yes_of,
};
use crate::story::Teller;

impl Report<'_> {
    pub(super) fn output(
        &self,
        teller: &Teller<'_>,
        header: Header,
        trace: Vec<StepOutput>,
        choices: Vec<String>,
    ) -> RunOutput {
        let cut_by = match self.run.end {
            RunEnd::Cut(BoundHit::Depth) => Some("depth".to_owned()),
            RunEnd::Cut(BoundHit::Rounds) => Some("rounds".to_owned()),
            _ => None,
        };
        let unread = self.run.unread.iter().map(|(&(performative, agent), &count)| {
            let performative = self.program.performative(performative);
            UnreadOutput {
                performative: performative.name.clone(),
                arity: performative.arity,
                agent: self.program.agent_name(agent).to_owned(),
                count,
            }
        });
        RunOutput {
            header,
            file: self.loaded.source.name().to_owned(),
            scene: self.program.scene.clone(),
            seed: self.options.seed,
            yes: self.options.yes,
            yes_of: yes_of(self.program, self.options),
            verdict: EndWord::of(&self.run).word().to_owned(),
            cut_by,
            steps: self.run.steps,
            max_steps: self.args.max_steps,
            trace,
            choices,
            values: self.run.values.iter().map(|&value| teller.value(value)).collect(),
            unanswered: self.unanswered(teller),
            agents: self.agents(teller),
            unread: unread.collect(),
            bounds: BoundsOutput::new(self.program, self.bounds),
            repeat: repeat::one(self.args, self.options.seed),
        }
    }

    fn unanswered(&self, teller: &Teller<'_>) -> Option<UnansweredOutput> {
        let (agent, point) = match self.run.end {
            RunEnd::Unanswered(agent, point) => (agent, point),
            RunEnd::Wrong(agent, StepError::RunError(error)) => (agent, error.point),
            _ => return None,
        };
        Some(UnansweredOutput {
            agent: self.program.agent_name(agent).to_owned(),
            procedure: teller.procedure_of(point).to_owned(),
            what: self.memory.unanswered.clone()?,
        })
    }

    fn agents(&self, teller: &Teller<'_>) -> Vec<AgentOutput> {
        let states = self.run.state.as_ref().map_or(&[][..], |state| &state.agents);
        let program = self.program;
        let told = program.cast().zip(states).map(|(agent, state)| AgentOutput {
            name: program.agent_name(agent).to_owned(),
            role: program.role_name(program.agent(agent).role).to_owned(),
            status: match state.status {
                Status::Running => "running".to_owned(),
                Status::Done => "done".to_owned(),
                Status::Failed => "failed".to_owned(),
                Status::Crashed => "crashed".to_owned(),
            },
            last_step: self.run.last_step[agent.index()],
            mailbox: state
                .mailbox
                .iter()
                .map(|message| {
                    format!("{} from !{}", teller.message(message), program.agent_name(message.sender))
                })
                .collect(),
        });
        told.collect()
    }
}
