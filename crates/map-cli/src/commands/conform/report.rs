//! What is said of judged conversations: as text and as JSON.

use std::fmt::Write as _;

use map_conform::{Arrivals, Kind, Possible, Report, Spoken, Standing, Verdict, Violation};
use map_diagnostics::SourceFile;
use map_ir::{AgentId, PointId, PointKind, Value, quoted, show_message};
use map_semantics::Message;

use super::session::Judged;
use crate::json::{
    ConformBlame, ConformConversation, ConformMessage, ConformOutput, ConformStanding, Header,
};
use crate::style;

/// A line of the log that shows at most so many arrivals that are missing.
const MAX_MISSING: usize = 4;

/// Tells of a conversation in the terms of the file and of the log.
struct Telling<'a> {
    judged: &'a Judged<'a>,
    source: &'a SourceFile,
}

impl Telling<'_> {
    /// `!Bidder1 (alice)`.
    fn agent(&self, agent: AgentId) -> String {
        let name = format!("!{}", self.judged.program.agent_name(agent));
        match self.judged.cast.real_name(agent) {
            Some(real) if real != name && format!("!{real}") != name => format!("{name} ({real})"),
            _ => name,
        }
    }

    fn agents(&self, agents: &[AgentId]) -> String {
        let names: Vec<String> = agents.iter().map(|&it| self.agent(it)).collect();
        names.join(", ")
    }

    fn message(&self, message: &Message) -> String {
        let (program, foreign) = (self.judged.program, &self.judged.cast.foreign);
        let other = |value: Value| match value {
            Value::Abstract(_) | Value::Fresh(_) => "_".to_owned(),
            Value::Text(_) => quoted(foreign.content(program, value).unwrap_or_default()),
            _ => foreign.content(program, value).unwrap_or_default().to_owned(),
        };
        show_message(program, message.performative, &message.arguments, &other)
    }

    fn spoken(&self, spoken: &Spoken) -> String {
        format!("{} to {}", self.message(&spoken.message), self.agents(&spoken.to))
    }

    /// `auction.map:12`.
    fn place(&self, point: PointId) -> String {
        let span = self.judged.program.point(point).span;
        format!("{}:{}", self.source.name(), self.line(point_start(span)))
    }

    fn line(&self, offset: u32) -> usize {
        self.source.position(offset).line
    }

    fn possible(&self, it: &Possible) -> String {
        format!("{} to {}, {}", self.message(&it.message), self.agents(&it.to), self.place(it.point))
    }

    /// The messages that an agent waits for at some points.
    fn awaited(&self, points: &[PointId]) -> Vec<String> {
        let program = self.judged.program;
        let mut found: Vec<String> = Vec::new();
        for &point in points {
            let PointKind::Wait { body, .. } = program.point(point).kind else { continue };
            for message in receives_from(program, body) {
                if !found.contains(&message) {
                    found.push(message);
                }
            }
        }
        found
    }

    fn may_time_out(&self, points: &[PointId]) -> bool {
        let has_timeout = |it: &PointId| {
            matches!(self.judged.program.point(*it).kind, PointKind::Wait { timeout: Some(_), .. })
        };
        points.iter().any(has_timeout)
    }
}

/// Where a span of the program begins.
fn point_start(span: map_ir::SourceSpan) -> u32 {
    span.start
}

/// The receives that may be tried from a point on, before anything else is done.
fn receives_from(program: &map_ir::Program, from: PointId) -> Vec<String> {
    let (mut todo, mut seen, mut found) = (vec![from], vec![from], Vec::new());
    while let Some(point) = todo.pop() {
        let next = match &program.point(point).kind {
            PointKind::Receive { performative, err, .. } => {
                let it = program.performative(*performative);
                let blanks = vec!["_"; it.arity].join(", ");
                found.push(format!("{}({blanks})", it.name));
                vec![err.to]
            }
            PointKind::Skip { ok } => vec![*ok],
            other => other.err().map(|it| it.to).into_iter().collect(),
        };
        for goto in next {
            if let map_ir::Goto::Point(point) = goto
                && !seen.contains(&point)
            {
                seen.push(point);
                todo.push(point);
            }
        }
    }
    found.reverse();
    found
}

/// The report for people.
pub(super) fn text(source: &SourceFile, arrivals: Arrivals, judged: &[Judged<'_>]) -> String {
    let name = |it: &Judged<'_>| if it.name.is_empty() { "conversation".to_owned() } else { it.name.clone() };
    let width = judged.iter().map(|it| name(it).chars().count()).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for it in judged {
        let telling = Telling { judged: it, source };
        let shown = map_diagnostics::escaped(&name(it)).into_owned();
        let pad = " ".repeat(width.saturating_sub(shown.chars().count()));
        let _ = writeln!(text, "{}{pad}  {}", style::head(&shown), headline(&telling));
        for line in details(&telling) {
            let _ = writeln!(text, "  {}", map_diagnostics::escaped(&line));
        }
    }
    let most = judged.iter().map(|it| it.report.hypotheses).max().unwrap_or(0);
    let plural = if most == 1 { "hypothesis" } else { "hypotheses" };
    let last = format!("arrivals: {}; at most {most} {plural} of an agent", arrivals.word());
    let _ = writeln!(text, "{}", style::aside(last));
    text
}

fn headline(telling: &Telling<'_>) -> String {
    let report = &telling.judged.report;
    let possibly = if report.possibly { "possibly " } else { "" };
    let words = format!("{possibly}{}", report.verdict.words());
    let count =
        if report.messages == 1 { "1 message".to_owned() } else { format!("{} messages", report.messages) };
    match (report.verdict, report.violations.first()) {
        (Verdict::Violated, Some(first)) => {
            let by = first.agent.map(|it| format!(" by {}", telling.agent(it))).unwrap_or_default();
            let what = format!("at line {}{by}: {}", first.mark.line, first.kind.words());
            format!("{} {}", style::bad(words), map_diagnostics::escaped(&what))
        }
        (Verdict::Conforms, _) => format!("{}  {count}", style::good(words)),
        (Verdict::SoFar, _) => format!("{}  {count}", style::good(words)),
        _ => format!("{}  {count}", style::doubtful(words)),
    }
}

fn details(telling: &Telling<'_>) -> Vec<String> {
    let report = &telling.judged.report;
    let mut lines = Vec::new();
    for (index, violation) in report.violations.iter().enumerate() {
        if index > 0 {
            let by = violation.agent.map(|it| format!(" by {}", telling.agent(it))).unwrap_or_default();
            lines.push(format!("also at line {}{by}: {}", violation.mark.line, violation.kind.words()));
        }
        lines.extend(of_violation(telling, violation));
    }
    if telling.judged.given_up {
        lines.push("given up, because there were more than --max-conversations".to_owned());
    }
    if let (Verdict::Inconclusive, Some((agent, mark))) = (report.verdict, report.cut_at) {
        let agent = telling.agent(agent);
        lines
            .push(format!("{agent} could be in too many states at line {}: see --max-hypotheses", mark.line));
    }
    if report.verdict != Verdict::Conforms {
        for (agent, standing) in telling.judged.program.cast().zip(&report.standings) {
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

fn of_violation(telling: &Telling<'_>, violation: &Violation) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(spoken) = &violation.spoken {
        let from = telling.agent(spoken.message.sender);
        lines.push(format!("line {}: {from} sent {}", violation.mark.line, telling.spoken(spoken)));
    }
    if let Some((mark, before)) = &violation.before {
        lines.push(format!("its last message was {}, line {}", telling.spoken(before), mark.line));
    }
    let owed = if violation.kind == Kind::Silent { "it had to send" } else { "it could have sent" };
    if violation.agent.is_some() && violation.possible.is_empty() && violation.kind != Kind::AfterItsEnd {
        lines.push("it could send nothing".to_owned());
    }
    lines.extend(violation.possible.iter().map(|it| format!("{owed} {}", telling.possible(it))));
    lines
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
        Standing::OwesCopies(message, to) => {
            vec![format!("{who} owes {} to {}", telling.message(message), telling.agents(to))]
        }
    }
}

/// The report for programs.
pub(super) fn output(source: &SourceFile, arrivals: Arrivals, judged: &[Judged<'_>]) -> ConformOutput {
    ConformOutput {
        header: Header::new("conform"),
        file: source.name().to_owned(),
        arrivals: arrivals.word().to_owned(),
        conversations: judged.iter().map(|it| conversation(&Telling { judged: it, source })).collect(),
    }
}

fn conversation(telling: &Telling<'_>) -> ConformConversation {
    let Judged { name, report, given_up, program, .. } = telling.judged;
    let Report { verdict, possibly, violations, standings, messages, hypotheses, .. } = report;
    ConformConversation {
        conversation: name.clone(),
        verdict: verdict.words().to_owned(),
        possibly: *possibly,
        messages: *messages,
        hypotheses: *hypotheses as u64,
        given_up: *given_up,
        violations: violations.iter().map(|it| blame(telling, it)).collect(),
        agents: program.cast().zip(standings).map(|(agent, it)| standing(telling, agent, it)).collect(),
    }
}

fn blame(telling: &Telling<'_>, violation: &Violation) -> ConformBlame {
    ConformBlame {
        line: violation.mark.line,
        kind: violation.kind.words().to_owned(),
        agent: violation.agent.map(|it| telling.judged.program.agent_name(it).to_owned()),
        name: violation.agent.and_then(|it| telling.judged.cast.real_name(it)).map(str::to_owned),
        sent: violation.spoken.as_ref().map(|it| telling.spoken(it)),
        possible: violation.possible.iter().map(|it| possible(telling, it)).collect(),
    }
}

fn possible(telling: &Telling<'_>, it: &Possible) -> ConformMessage {
    let span = telling.judged.program.point(it.point).span;
    ConformMessage {
        message: telling.message(&it.message),
        to: it.to.iter().map(|&to| telling.judged.program.agent_name(to).to_owned()).collect(),
        line: Some(telling.line(point_start(span)) as u64),
    }
}

fn standing(telling: &Telling<'_>, agent: AgentId, standing: &Standing) -> ConformStanding {
    let (state, owes, awaits) = match standing {
        Standing::Ended => ("ended", Vec::new(), Vec::new()),
        Standing::Waits(points) => ("waits", Vec::new(), telling.awaited(points)),
        Standing::Owes(all) => ("owes", all.iter().map(|it| possible(telling, it)).collect(), Vec::new()),
        Standing::OwesCopies(message, to) => {
            let to = to.iter().map(|&to| telling.judged.program.agent_name(to).to_owned()).collect();
            ("owes", vec![ConformMessage { message: telling.message(message), to, line: None }], Vec::new())
        }
        Standing::Broke => ("violated", Vec::new(), Vec::new()),
        Standing::Unknown => ("unknown", Vec::new(), Vec::new()),
    };
    ConformStanding {
        agent: telling.judged.program.agent_name(agent).to_owned(),
        name: telling.judged.cast.real_name(agent).map(str::to_owned),
        state: state.to_owned(),
        owes,
        awaits,
    }
}
