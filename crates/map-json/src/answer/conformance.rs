//! Conversations of a real system, for programs.

use map_conform::{ConversationResult, Possible, Report, Standing, UnfitAnswer, Violation};
use map_diagnostics::SourceFile;
use map_explain::conformance::ConversationTeller;
use map_ir::AgentId;

use crate::{
    ConformAnswers, ConformAsked, ConformBlame, ConformConversation, ConformMessage, ConformStanding, Word,
};

impl ConformConversation {
    /// What was found about a conversation.
    #[must_use]
    pub fn new(source: &SourceFile, judged: &ConversationResult) -> Self {
        let telling = &ConversationTeller::new(&judged.scene, &judged.cast, source);
        let ConversationResult { name, report, given_up, .. } = judged;
        let program = judged.program();
        let Report { verdict, possibly, violations, standings, messages, hypotheses, .. } = report;
        Self {
            conversation: name.clone(),
            verdict: (*verdict).into(),
            possibly: *possibly,
            messages: *messages,
            hypotheses: *hypotheses as u64,
            given_up: given_up.is_some(),
            violations: violations.iter().map(|it| ConformBlame::new(telling, it)).collect(),
            agents: program.cast().zip(standings).map(|(agent, it)| standing(telling, agent, it)).collect(),
        }
    }
}

impl ConformBlame {
    /// A violation.
    #[must_use]
    pub fn new(telling: &ConversationTeller<'_>, violation: &Violation) -> Self {
        Self {
            line: violation.mark.line,
            kind: violation.kind.into(),
            agent: violation.agent.map(|it| telling.program.agent_name(it).to_owned()),
            name: violation.agent.and_then(|it| telling.cast.real_name(it)).map(str::to_owned),
            answers: violation.unfit.as_ref().map(|unfit| answers(telling, unfit)),
            sent: telling.offence(&violation.offence),
            possible: violation.possible.iter().map(|it| possible(telling, it)).collect(),
        }
    }
}

fn answers(telling: &ConversationTeller<'_>, unfit: &UnfitAnswer) -> ConformAnswers {
    let asked = unfit.asked.iter().map(|&(procedure, agent)| ConformAsked {
        procedure: telling.program.procedure(procedure).name.to_string(),
        agent: telling.program.agent_name(agent).to_owned(),
        name: telling.cast.real_name(agent).map(str::to_owned),
    });
    ConformAnswers {
        asked: asked.collect(),
        possibly: unfit.possibly,
        value: unfit.value.map(|value| telling.value(value)),
        agent: telling.program.agent_name(unfit.agent).to_owned(),
    }
}

fn possible(telling: &ConversationTeller<'_>, it: &Possible) -> ConformMessage {
    ConformMessage {
        message: telling.message(&it.message),
        performative: telling.program.performative(it.message.performative).name.clone(),
        arguments: it.message.arguments.iter().map(|&value| telling.value(value)).collect(),
        to: it.to.iter().map(|&to| telling.program.agent_name(to).to_owned()).collect(),
        line: it.point.map(|it| telling.source_line(it) as u64),
    }
}

fn standing(telling: &ConversationTeller<'_>, agent: AgentId, standing: &Standing) -> ConformStanding {
    let (owes, awaits) = match standing {
        Standing::Waits(points) => (Vec::new(), telling.awaited(points)),
        Standing::Owes(all) => (all.iter().map(|it| possible(telling, it)).collect(), Vec::new()),
        Standing::Ended | Standing::Broke | Standing::Unknown => Default::default(),
    };
    ConformStanding {
        agent: telling.program.agent_name(agent).to_owned(),
        name: telling.cast.real_name(agent).map(str::to_owned),
        state: Word(standing.into()),
        owes,
        awaits,
    }
}
