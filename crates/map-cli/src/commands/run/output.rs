//! A run as JSON.

use map_explain::{Teller, initial_values};
use map_semantics::StepError;
use map_simulate::{EndWord, RunEnd};

use super::{Report, repeat};
use crate::json::{
    BoundsOutput, Header, Origin, RunRest, UnansweredOutput, agents_at_the_end, unread_messages, yes_of,
};
use crate::trace::to_text;

impl Report<'_> {
    pub(super) fn output(&self, teller: &Teller<'_>, header: Header, choices: Vec<String>) -> RunRest {
        let cut_by = match self.run.end {
            RunEnd::Cut(bound) => Some(bound.into()),
            _ => None,
        };
        RunRest {
            header,
            origin: Origin::new(&self.loaded.source, self.program, &self.args.scene.agents),
            seed: self.options.seed.into(),
            yes: self.options.yes,
            yes_of: yes_of(self.program, self.options),
            verdict: EndWord::of(&self.run).into(),
            cut_by,
            violated: self.violated().map(str::to_owned).collect(),
            steps: self.run.steps,
            max_steps: self.args.max_steps,
            initial: initial_values(teller, &self.run.initial),
            choices,
            values: self.run.values.iter().map(|&value| to_text(teller, value)).collect(),
            unanswered: self.unanswered(teller),
            agents: agents_at_the_end(teller, &self.run),
            unread: unread_messages(self.program, &self.run),
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
}
