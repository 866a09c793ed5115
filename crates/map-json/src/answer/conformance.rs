//! Conversations of a real system, for programs.

use map_conform::{
    Account, Arrivals, ConversationResult, Debt, LoggedMessage, Mark, Offence, Possible, PossibleSends,
    Report, Standing, UnfitAnswer, UnknownMessage, Violation,
};
use map_diagnostics::SourceFile;
use map_explain::conformance::{ConversationTeller, Places, VerdictCounts, code_of, rfc3339};
use map_ir::{AgentId, Value};
use serde_json::{Value as Json, json};

use crate::{
    CONFORM_FORMAT, ConformAgent, ConformAnswers, ConformAsked, ConformBadLines, ConformBlame,
    ConformConversation, ConformDebt, ConformEnd, ConformGap, ConformMessage, ConformPassedOver,
    ConformPlace, ConformRead, ConformReading, ConformSource, ConformStanding, Header, Word,
};

impl ConformPlace {
    /// A line of a log.
    #[must_use]
    pub fn new(places: Places<'_>, mark: Mark) -> Self {
        let log = places.logs.get(mark.log);
        Self {
            log: log.map(|log| log.name.clone()).unwrap_or_default(),
            incarnation: log.map(|log| log.incarnation).filter(|&number| number > 1),
            line: mark.line,
        }
    }
}

impl ConformEnd {
    /// The last line about logs that were held against this file.
    #[must_use]
    pub fn new(
        source: &SourceFile,
        arrivals: Arrivals,
        reading: ConformReading,
        counts: &VerdictCounts,
    ) -> Self {
        let VerdictCounts { all, conforms, so_far, stuck, violated, possibly_violated, inconclusive } =
            *counts;
        Self {
            header: Header::of_version("conform", CONFORM_FORMAT),
            file: source.name().to_owned(),
            arrivals: arrivals.into(),
            reading,
            conversations: all,
            conforms,
            conforms_so_far: so_far,
            stuck,
            violated,
            possibly_violated,
            inconclusive,
        }
    }
}

impl ConformReading {
    /// That of logs which were read to their end.
    #[must_use]
    pub fn whole(places: Places<'_>, account: &Account) -> Self {
        Self {
            nothing_judged: account.messages == 0,
            interrupted: false,
            stopped_at_first: false,
            stopped: None,
            read: ConformRead::new(places, account),
            times: Vec::new(),
        }
    }
}

impl ConformRead {
    /// What became of the lines.
    #[must_use]
    pub fn new(places: Places<'_>, account: &Account) -> Self {
        let passed_over = account.passed_over.iter().map(|of_reason| ConformPassedOver {
            reason: of_reason.reason.clone(),
            count: of_reason.count,
            first: ConformPlace::new(places, of_reason.first),
        });
        let bad = account.bad.iter().map(|of_kind| ConformBadLines {
            code: code_of(of_kind.kind).as_str().to_owned(),
            count: of_kind.count,
            first: ConformPlace::new(places, of_kind.first),
        });
        let (lines, messages) = (account.lines, account.messages);
        Self { lines, messages, passed_over: passed_over.collect(), bad: bad.collect() }
    }
}

impl ConformConversation {
    /// What was found about a conversation.
    #[must_use]
    pub fn new(places: Places<'_>, judged: &ConversationResult) -> Self {
        let telling = &ConversationTeller::new(&judged.scene, &judged.cast, places);
        let ConversationResult { name, aliases, report, given_up, .. } = judged;
        let program = judged.program();
        let Report { verdict, possibly, gaps, violations, standings, messages, hypotheses, .. } = report;
        let gap = |gap: &map_conform::Gap| ConformGap {
            at: ConformPlace::new(places, gap.mark),
            agents: agents(telling, &gap.agents),
        };
        let blame = |violation| {
            let blame = ConformBlame::new(telling, violation);
            ConformBlame { possibly: blame.possibly || report.fits_mid_way, ..blame }
        };
        Self {
            conversation: name.clone(),
            aliases: aliases.clone(),
            verdict: (*verdict).into(),
            possibly: *possibly,
            fits_mid_way: report.fits_mid_way,
            messages: *messages,
            hypotheses: *hypotheses as u64,
            given_up: given_up.is_some(),
            gaps: gaps.iter().map(gap).collect(),
            violations: violations.iter().map(blame).collect(),
            agents: program.cast().zip(standings).map(|(agent, it)| standing(telling, agent, it)).collect(),
        }
    }
}

impl ConformBlame {
    /// A violation.
    #[must_use]
    pub fn new(telling: &ConversationTeller<'_>, violation: &Violation) -> Self {
        let place = |mark| ConformPlace::new(telling.places, mark);
        let culprit = violation.agent.or(violation.unfit.as_ref().map(|unfit| unfit.agent));
        let possible = |it: &Possible| possible(telling, culprit.unwrap_or(it.message.sender), it);
        Self {
            at: place(violation.mark),
            kind: violation.kind.into(),
            possibly: violation.gap.is_some(),
            gap: violation.gap.map(place),
            agent: violation.agent.map(|it| telling.program.agent_name(it).to_owned()),
            name: violation.agent.and_then(|it| telling.cast.real_name(it)).map(str::to_owned),
            answers: violation.unfit.as_ref().map(|unfit| answers(telling, unfit)),
            sent: match &violation.offence {
                Offence::Nothing => None,
                Offence::Message(logged) => Some(sent(telling, violation.mark, logged)),
                Offence::Unknown(said) => Some(unknown(telling, violation, said)),
            },
            debt: violation.debt.map(|debt| of_debt(telling.places, debt)),
            possible: violation.possible.listed.iter().map(possible).collect(),
            more: violation.possible.more,
        }
    }
}

fn of_debt(places: Places<'_>, Debt { since, due, clock }: Debt) -> ConformDebt {
    ConformDebt {
        since: ConformPlace::new(places, since),
        since_time: rfc3339(since.time.unwrap_or(due)),
        due: rfc3339(due),
        clock: rfc3339(clock.time.unwrap_or(due)),
        clock_at: ConformPlace::new(places, clock),
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

fn agent(telling: &ConversationTeller<'_>, agent: AgentId) -> ConformAgent {
    ConformAgent {
        agent: Some(telling.program.agent_name(agent).to_owned()),
        name: telling.cast.real_name(agent).map(str::to_owned),
    }
}

fn agents(telling: &ConversationTeller<'_>, all: &[AgentId]) -> Vec<ConformAgent> {
    all.iter().map(|&it| agent(telling, it)).collect()
}

/// A value as in a record; `None` if it is not known.
fn value(telling: &ConversationTeller<'_>, value: Value) -> Option<Json> {
    let content = || telling.cast.foreign.content(telling.program, value).unwrap_or_default();
    Some(match value {
        Value::Integer(number) => json!(number),
        Value::Text(_) => json!({ "text": content() }),
        Value::Name(_) => json!({ "constant": content() }),
        Value::Agent(agent) => json!({ "agent": telling.program.agent_name(agent) }),
        Value::Role(_) => json!({ "role": telling.value(value).trim_start_matches('%') }),
        Value::Fresh(_) | Value::Abstract(_) => return None,
    })
}

/// A message in a line of the log.
fn sent(telling: &ConversationTeller<'_>, mark: Mark, logged: &LoggedMessage) -> ConformMessage {
    let arguments = logged.message.arguments.iter();
    ConformMessage {
        performative: telling.program.performative(logged.message.performative).name.clone(),
        args: arguments.map(|&it| value(telling, it).unwrap_or_default()).collect(),
        from: agent(telling, logged.message.sender),
        to: agents(telling, &logged.to),
        id: logged.id.as_deref().map(str::to_owned),
        time: mark.time.map(rfc3339),
        at: Some(ConformPlace::new(telling.places, mark)),
        place: None,
    }
}

/// A message in a line of the log that nobody in the file sends.
fn unknown(telling: &ConversationTeller<'_>, violation: &Violation, said: &UnknownMessage) -> ConformMessage {
    let named = |name: &String| ConformAgent {
        agent: telling.cast.agent_of(name).map(|it| telling.program.agent_name(it).to_owned()),
        name: Some(name.clone()),
    };
    let nobody = ConformAgent { agent: None, name: None };
    ConformMessage {
        performative: said.performative.clone(),
        args: said.args.clone(),
        from: violation.agent.map_or(nobody, |it| agent(telling, it)),
        to: said.to.iter().map(named).collect(),
        id: said.id.clone(),
        time: violation.mark.time.map(rfc3339),
        at: Some(ConformPlace::new(telling.places, violation.mark)),
        place: None,
    }
}

/// A message that could be sent.
fn possible(telling: &ConversationTeller<'_>, from: AgentId, it: &Possible) -> ConformMessage {
    let described = |&argument: &Value| match value(telling, argument) {
        Some(value) => json!({ "is": value }),
        None => json!({ "any": true }),
    };
    let file = telling.places.source.name();
    ConformMessage {
        performative: telling.program.performative(it.message.performative).name.clone(),
        args: it.message.arguments.iter().map(described).collect(),
        from: agent(telling, from),
        to: agents(telling, &it.to),
        id: None,
        time: None,
        at: None,
        place: it
            .point
            .map(|point| ConformSource { file: file.to_owned(), line: telling.source_line(point) as u64 }),
    }
}

fn standing(telling: &ConversationTeller<'_>, agent: AgentId, standing: &Standing) -> ConformStanding {
    let all = |of: &PossibleSends| of.listed.iter().map(|it| possible(telling, agent, it)).collect();
    let (owes, awaits, timeout, may, more) = match standing {
        Standing::Waits { at, may } => {
            (Vec::new(), telling.awaited(at), telling.may_time_out(at), all(may), may.more)
        }
        Standing::Owes(owed) => (all(owed), Vec::new(), false, Vec::new(), owed.more),
        Standing::Ended | Standing::Broke | Standing::Unknown => Default::default(),
    };
    ConformStanding {
        agent: telling.program.agent_name(agent).to_owned(),
        name: telling.cast.real_name(agent).map(str::to_owned),
        state: Word(standing.into()),
        owes,
        awaits,
        timeout,
        may,
        more,
    }
}
