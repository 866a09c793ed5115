//! What is said of judged conversations: as text and for programs.

use map_conform::{
    GivenUp, Judged, Kind, Possible, Report, Says, Standing, UnfitAnswer, Unlogged, Verdict, Violation,
};
use map_diagnostics::SourceFile;
use map_ir::AgentId;

use super::telling::Telling;
use crate::json::{
    ConformAnswers, ConformAsked, ConformBlame, ConformConversation, ConformMessage, ConformStanding, Word,
};
use crate::style;

/// A line of the log that shows at most so many arrivals that are missing.
const MAX_MISSING: usize = 4;

/// The name of a conversation as it is shown.
pub(super) fn name(judged: &Judged) -> String {
    shown_name(&judged.name)
}

fn shown_name(name: &str) -> String {
    map_diagnostics::escaped(if name.is_empty() { "conversation" } else { name }).into_owned()
}

/// A violation that has just been found, in lines.
pub(super) fn at_once(conversation: &str, telling: &Telling<'_>, violation: &Violation) -> String {
    let what = breach(telling, violation);
    let head = style::head(shown_name(conversation));
    let below = of_violation(telling, violation);
    let below: String = below.iter().map(|line| format!("  {}\n", map_diagnostics::escaped(line))).collect();
    format!("{head}  {} {}\n{below}", style::bad("violated"), map_diagnostics::escaped(&what))
}

/// `at line 3 by !Bidder1 (alice): wrong content`, where somebody is to blame.
fn breach(telling: &Telling<'_>, violation: &Violation) -> String {
    let by = match (&violation.unfit, violation.agent) {
        (Some(unfit), _) => {
            let possibly = if unfit.possibly { "possibly " } else { "" };
            format!(" {possibly}by what answers {}", telling.asked(unfit))
        }
        (None, Some(agent)) => format!(" by {}", telling.agent(agent)),
        (None, None) => String::new(),
    };
    format!("at line {}{by}: {}", violation.mark.line, violation.kind.words())
}

/// The lines about a conversation below its verdict, each with its end, without the first violations that have been
/// `told`.
pub(super) fn below(source: &SourceFile, judged: &Judged, told: usize) -> String {
    let telling = Telling::new(&judged.scene, &judged.cast, source);
    let lines = details(judged, &telling, told);
    lines.iter().map(|line| format!("  {}\n", map_diagnostics::escaped(line))).collect()
}

/// The verdict in a line; without the first violation if some have been `told`.
pub(super) fn headline(source: &SourceFile, judged: &Judged, told: usize) -> String {
    let telling = Telling::new(&judged.scene, &judged.cast, source);
    let report = &judged.report;
    let possibly = if report.possibly { "possibly " } else { "" };
    let words = format!("{possibly}{}", report.verdict.words());
    let count =
        if report.messages == 1 { "1 message".to_owned() } else { format!("{} messages", report.messages) };
    match (report.verdict, report.violations.first()) {
        (Verdict::Violated, Some(_)) if told > 0 => format!("{}  {count}", style::bad(words)),
        (Verdict::Violated, Some(first)) => {
            let what = breach(&telling, first);
            format!("{} {}", style::bad(words), map_diagnostics::escaped(&what))
        }
        (Verdict::Conforms, _) => format!("{}  {count}", style::good(words)),
        (Verdict::SoFar, _) => format!("{}  {count}", style::good(words)),
        _ => format!("{}  {count}", style::doubtful(words)),
    }
}

fn details(judged: &Judged, telling: &Telling<'_>, told: usize) -> Vec<String> {
    let report = &judged.report;
    let mut lines = Vec::new();
    for (index, violation) in report.violations.iter().enumerate().skip(told) {
        if index > 0 {
            lines.push(format!("also {}", breach(telling, violation)));
        }
        lines.extend(of_violation(telling, violation));
    }
    match judged.given_up {
        Some(GivenUp::TooMany) => {
            lines.push("given up, because there were more than --max-conversations".to_owned());
        }
        Some(GivenUp::TooLarge) => {
            lines.push("given up, because the texts in the log take too much memory".to_owned());
        }
        None => {}
    }
    if judged.may_be_a_rest {
        lines.push("it may be the rest of one that was given up: see --max-conversations".to_owned());
    }
    if let (Verdict::Inconclusive, Some((agent, mark))) = (report.verdict, report.cut_at) {
        let agent = telling.agent(agent);
        lines
            .push(format!("{agent} could be in too many states at line {}: see --max-hypotheses", mark.line));
        lines.extend(unlogged(telling, &report.unlogged));
    }
    if report.verdict != Verdict::Conforms {
        for (agent, standing) in telling.program.cast().zip(&report.standings) {
            lines.extend(of_standing(telling, agent, standing));
        }
    }
    for (mark, to) in report.never_arrived.iter().take(MAX_MISSING) {
        lines.push(format!("the message of line {} has not arrived at {}", mark.line, telling.agent(*to)));
    }
    if report.never_arrived.len() > MAX_MISSING {
        lines.push(format!("nor have {} others", report.never_arrived.len() - MAX_MISSING));
    }
    lines
}

/// The messages whose arrivals nobody knows, as the cause of too many states.
fn unlogged(telling: &Telling<'_>, unlogged: &Unlogged) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (mark, message) in &unlogged.first {
        let (shown, from) = (telling.message(message), telling.agent(message.sender));
        lines.push(format!("the log does not say when {shown} from {from} arrived, line {}", mark.line));
    }
    let others = unlogged.count - unlogged.first.len() as u64;
    if others > 0 {
        let words = if others == 1 { "another one" } else { "others" };
        let count = if others == 1 { String::new() } else { format!("{others} ") };
        lines
            .push(format!("nor when {count}{words} arrived; lines with \"event\": \"receive\" would say it"));
    }
    lines
}

/// What is said of a violation.
pub(super) fn of_violation(telling: &Telling<'_>, violation: &Violation) -> Vec<String> {
    let mut lines = Vec::new();
    let from = match &violation.says {
        Says::Message(spoken) => Some(spoken.message.sender),
        Says::Nothing | Says::Unknown(_) => violation.agent,
    };
    let agent = violation.unfit.as_ref().map(|unfit| unfit.agent).or(violation.agent);
    if let (Some(said), Some(from)) = (telling.says(&violation.says), from) {
        lines.push(format!("line {}: {} sent {said}", violation.mark.line, telling.agent(from)));
    }
    lines.extend(violation.unfit.iter().flat_map(|unfit| of_answer(telling, unfit)));
    if let Some((mark, before)) = &violation.before {
        lines.push(format!("its last message was {}, line {}", telling.spoken(before), mark.line));
    }
    let owed = if violation.kind == Kind::Silent { "it had to send" } else { "it could have sent" };
    if agent.is_some() && violation.possible.is_empty() && violation.kind != Kind::AfterItsEnd {
        lines.push("it could send nothing".to_owned());
    }
    lines.extend(violation.possible.iter().map(|it| format!("{owed} {}", telling.possible(it))));
    lines
}

/// What is said of an answer that is to blame, in the words of `map run`.
fn of_answer(telling: &Telling<'_>, unfit: &UnfitAnswer) -> [String; 2] {
    let agent = telling.agent(unfit.agent);
    let wrong = match unfit.value {
        Some(value) => {
            format!("{agent} computes with {} or orders it, and it is no number", telling.value(value))
        }
        None => format!("{agent} computes with numbers that are too large"),
    };
    let needed = "the dialogue computes with such answers, so they have to be numbers, and small enough";
    [wrong, needed.to_owned()]
}

fn of_standing(telling: &Telling<'_>, agent: AgentId, standing: &Standing) -> Vec<String> {
    let who = telling.agent(agent);
    match standing {
        Standing::Ended | Standing::Broke | Standing::Unknown => Vec::new(),
        Standing::Waits(points) => {
            let awaited = telling.awaited(points);
            let what =
                if awaited.is_empty() { String::new() } else { format!(" for {}", awaited.join(" or ")) };
            let time = if telling.may_time_out(points) { "; its time may have run out" } else { "" };
            vec![format!("{who} waits{what}{time}")]
        }
        Standing::Owes(possible) => {
            possible.iter().map(|it| format!("{who} owes {}", telling.possible(it))).collect()
        }
    }
}

/// A conversation for programs.
pub(super) fn conversation(source: &SourceFile, judged: &Judged) -> ConformConversation {
    let telling = &Telling::new(&judged.scene, &judged.cast, source);
    let Judged { name, report, given_up, .. } = judged;
    let program = judged.program();
    let Report { verdict, possibly, violations, standings, messages, hypotheses, .. } = report;
    ConformConversation {
        conversation: name.clone(),
        verdict: (*verdict).into(),
        possibly: *possibly,
        messages: *messages,
        hypotheses: *hypotheses as u64,
        given_up: given_up.is_some(),
        violations: violations.iter().map(|it| blame(telling, it)).collect(),
        agents: program.cast().zip(standings).map(|(agent, it)| standing(telling, agent, it)).collect(),
    }
}

/// A violation for programs.
pub(super) fn blame(telling: &Telling<'_>, violation: &Violation) -> ConformBlame {
    ConformBlame {
        line: violation.mark.line,
        kind: violation.kind.into(),
        agent: violation.agent.map(|it| telling.program.agent_name(it).to_owned()),
        name: violation.agent.and_then(|it| telling.cast.real_name(it)).map(str::to_owned),
        answers: violation.unfit.as_ref().map(|unfit| answers(telling, unfit)),
        sent: telling.says(&violation.says),
        possible: violation.possible.iter().map(|it| possible(telling, it)).collect(),
    }
}

fn answers(telling: &Telling<'_>, unfit: &UnfitAnswer) -> ConformAnswers {
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

fn possible(telling: &Telling<'_>, it: &Possible) -> ConformMessage {
    ConformMessage {
        message: telling.message(&it.message),
        to: it.to.iter().map(|&to| telling.program.agent_name(to).to_owned()).collect(),
        line: it.point.map(|it| telling.source_line(it) as u64),
    }
}

fn standing(telling: &Telling<'_>, agent: AgentId, standing: &Standing) -> ConformStanding {
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
