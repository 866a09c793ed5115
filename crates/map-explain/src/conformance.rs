//! What was found about conversations of a real system, in words.

mod account;
mod counts;
mod drawn;
mod moment;
mod places;
mod telling;

use std::fmt::Write as _;

use map_conform::{
    ConversationResult, Debt, GivenUp, Kind, Mark, Offence, PossibleSends, Standing, UnfitAnswer,
    UnloggedArrivals, Verdict, Violation,
};
use map_diagnostics::escaped_line;
use map_ir::AgentId;
use map_render::shorten;

use crate::{Role, Text, Tone, counted};

pub use self::account::{account, code_of, help_for, nothing_judged};
pub use self::counts::VerdictCounts;
pub use self::drawn::chart;
pub use self::moment::rfc3339;
pub use self::places::{LogName, Places};
pub use self::telling::ConversationTeller;

/// A line of the log that shows at most so many arrivals that are missing.
const MAX_MISSING: usize = 4;

/// The maximum number of lines that cannot be used that are listed of a conversation.
const MAX_GAPS: usize = 2;

/// The maximum number of messages that could be sent that are listed.
const MAX_POSSIBLE: usize = 8;

/// The name of a conversation as it is shown; it may have any characters.
#[must_use]
pub fn name(name: &str) -> &str {
    if name.is_empty() { "conversation" } else { name }
}

/// A violation that has just been found, in lines. Messages of the log are shortened if they are wider than `width`
/// columns.
#[must_use]
pub fn at_once(
    conversation: &str,
    telling: &ConversationTeller<'_>,
    violation: &Violation,
    width: Option<usize>,
) -> Text {
    let mut text = Text::of(Role::Heading, one_line(name(conversation)));
    text.push_str("  ");
    match violation.gap {
        None => text.push(Role::Verdict(Tone::Bad), "violated"),
        Some(_) => text.push(Role::Verdict(Tone::Doubtful), "possibly violated"),
    }
    let _ = writeln!(text, " {}", one_line(&breach(telling, violation, None)));
    text.push_str(&indented(&of_violation(telling, violation, width)));
    text
}

/// What stands before the lines below a headline.
const INDENT: &str = "  ";

/// Lines below a headline.
fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{INDENT}{}\n", one_line(line))).collect()
}

/// A line with a message of the log, which may be of any length, so that it fits below a headline. Its middle is left
/// out: the recipients are at its end.
fn fitted(line: &str, width: Option<usize>) -> String {
    let line = one_line(line);
    width.map_or_else(|| line.clone(), |width| shorten(&line, width.saturating_sub(INDENT.len())))
}

/// What comes from a log, without the line breaks in it.
fn one_line(text: &str) -> String {
    map_diagnostics::escaped_line(text).into_owned()
}

/// `at line 3 by !Bidder1 (alice): wrong content`, where somebody is to blame.
fn breach(telling: &ConversationTeller<'_>, violation: &Violation, runs_back: Option<Mark>) -> String {
    let by = match (&violation.unfit, violation.agent) {
        (Some(unfit), _) => {
            let possibly = if unfit.possibly { "possibly " } else { "" };
            format!(" {possibly}by what answers {}", telling.asked(unfit))
        }
        (None, Some(agent)) => format!(" by {}", telling.agent(agent)),
        (None, None) => String::new(),
    };
    let place = telling.line(violation.mark);
    let gap = violation.gap.map(|gap| {
        if runs_back == Some(gap) {
            format!(" (the times run back at {})", telling.line(gap))
        } else if gap == violation.mark {
            " (the log may lack what came before)".to_owned()
        } else {
            format!(" (a bad line before: {})", telling.line(gap))
        }
    });
    format!("at {place}{by}: {}{}", violation.kind.words(), gap.unwrap_or_default())
}

/// The lines about a conversation below its verdict, each with its end, without the first violations that have been
/// `told`. Messages of the log are shortened if they are wider than `width` columns.
#[must_use]
pub fn below(places: Places<'_>, judged: &ConversationResult, told: usize, width: Option<usize>) -> String {
    let telling = ConversationTeller::new(&judged.scene, &judged.cast, places);
    indented(&details(judged, &telling, told, width))
}

/// The maximum number of agents that are listed with their real names.
const MAX_WHO: usize = 64;

/// A line that says who is who, with its end: the real name of each agent that has one.
#[must_use]
pub fn who_is_who(judged: &ConversationResult) -> String {
    let (program, cast) = (judged.program(), &judged.cast);
    let mut named = program.cast().filter_map(|it| Some((cast.real_name(it)?, program.agent_name(it))));
    let mut who: Vec<String> = named
        .by_ref()
        .take(MAX_WHO)
        .map(|(name, agent)| format!("{} is !{agent}", escaped_line(name)))
        .collect();
    let more = named.count();
    if more > 0 {
        who.push(format!("and {more} more"));
    }
    let how = if cast.loses_numbers() { "numbered as they come: " } else { "" };
    indented(&[format!("{how}{}", who.join(", "))])
}

/// The verdict in a line; without the first violation if some have been `told`.
#[must_use]
pub fn headline(places: Places<'_>, judged: &ConversationResult, told: usize) -> Text {
    let telling = ConversationTeller::new(&judged.scene, &judged.cast, places);
    let report = &judged.report;
    let possibly = if report.possibly { "possibly " } else { "" };
    let tone = match report.verdict {
        Verdict::Violated if !report.possibly => Tone::Bad,
        Verdict::Conforms | Verdict::SoFar => Tone::Good,
        Verdict::Violated | Verdict::Stuck | Verdict::Inconclusive => Tone::Doubtful,
    };
    let words = format!("{possibly}{}", report.verdict.words());
    let mut text = Text::of(Role::Verdict(tone), words);
    // The first that is certain, if any is.
    let certain = report.violations.iter().find(|violation| violation.gap.is_none());
    match (report.verdict, certain.or(report.violations.first())) {
        (Verdict::Violated, Some(first)) if told == 0 => {
            let _ = write!(text, " {}", one_line(&breach(&telling, first, report.runs_back)));
        }
        _ => {
            let _ = write!(text, "  {}", counted(report.messages, "message"));
        }
    }
    text
}

fn details(
    judged: &ConversationResult,
    telling: &ConversationTeller<'_>,
    told: usize,
    width: Option<usize>,
) -> Vec<String> {
    let report = &judged.report;
    let mut lines = Vec::new();
    for (index, violation) in report.violations.iter().enumerate().skip(told) {
        if index > 0 {
            lines.push(format!("also {}", breach(telling, violation, report.runs_back)));
        }
        lines.extend(of_violation(telling, violation, width));
    }
    if let Some(mark) = report.runs_back {
        let line = telling.line(mark);
        lines.push(format!("{line} is earlier than one before it: what only one order shows is possible"));
    }
    for gap in report.gaps.iter().take(MAX_GAPS) {
        let (line, agents) = (telling.line(gap.mark), telling.agents(&gap.agents));
        lines.push(format!("{line} cannot be used: nothing is certain from there on of {agents}"));
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
    if report.fits_mid_way {
        lines.push("if the log begins in the middle, this conforms so far: --joined".to_owned());
    }
    if let (Verdict::Inconclusive, Some((agent, mark))) = (report.verdict, report.cut_at) {
        let agent = telling.agent(agent);
        lines.push(format!(
            "{agent} could be in too many states at {}, {} were explored: see --max-hypotheses, --max-work",
            telling.line(mark),
            report.explored
        ));
        lines.extend(unlogged(telling, &report.unlogged));
    }
    if report.verdict != Verdict::Conforms {
        for (agent, standing) in telling.program.cast().zip(&report.standings) {
            lines.extend(of_standing(telling, agent, standing));
        }
    }
    for (mark, to) in report.never_arrived.iter().take(MAX_MISSING) {
        let (line, agent) = (telling.line(*mark), telling.agent(*to));
        lines.push(format!("the message of {line} has not arrived at {agent}"));
    }
    if report.never_arrived.len() > MAX_MISSING {
        lines.push(format!("nor have {} others", report.never_arrived.len() - MAX_MISSING));
    }
    lines
}

/// The messages whose arrivals nobody knows, as the cause of too many states.
fn unlogged(telling: &ConversationTeller<'_>, unlogged: &UnloggedArrivals) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (mark, message) in &unlogged.first {
        let (shown, from) = (telling.message(message), telling.agent(message.sender));
        let line = telling.line(*mark);
        lines.push(format!("the log does not say when {shown} from {from} arrived, {line}"));
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
fn of_violation(
    telling: &ConversationTeller<'_>,
    violation: &Violation,
    width: Option<usize>,
) -> Vec<String> {
    let mut lines = Vec::new();
    let from = match &violation.offence {
        Offence::Message(spoken) => Some(spoken.message.sender),
        Offence::Nothing | Offence::Unknown(_) => violation.agent,
    };
    let agent = violation.unfit.as_ref().map(|unfit| unfit.agent).or(violation.agent);
    if let (Some(said), Some(from)) = (telling.offence(&violation.offence), from) {
        let line = format!("{}: {} sent {said}", telling.line(violation.mark), telling.agent(from));
        lines.push(fitted(&line, width));
    }
    lines.extend(violation.unfit.iter().flat_map(|unfit| of_answer(telling, unfit)));
    if let Some((mark, before)) = &violation.before {
        let line = format!("its last message was {}, {}", telling.logged(before), telling.line(*mark));
        lines.push(fitted(&line, width));
    }
    lines.extend(violation.debt.map(|debt| of_debt(telling, debt)));
    let owed = if violation.kind == Kind::Silent { "it had to send" } else { "it could have sent" };
    if agent.is_some() && violation.possible.count() == 0 && violation.kind != Kind::AfterItsEnd {
        lines.push("it could send nothing".to_owned());
    }
    lines.extend(listed(telling, owed, &violation.possible));
    lines
}

/// Since when something has been owed, and when it was due.
fn of_debt(telling: &ConversationTeller<'_>, Debt { since, due, clock }: Debt) -> String {
    let times = [since.time.unwrap_or(due), due, clock.time.unwrap_or(due)];
    let [owed, due, now] = moment::moments(times);
    let (begun, seen) = (telling.line(since), telling.line(clock));
    format!("it owes something since {owed} ({begun}), due {due}; the log has come to {now} ({seen})")
}

/// What is said of an answer that is to blame, in the words of `map run`.
fn of_answer(telling: &ConversationTeller<'_>, unfit: &UnfitAnswer) -> [String; 2] {
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

fn of_standing(telling: &ConversationTeller<'_>, agent: AgentId, standing: &Standing) -> Vec<String> {
    let who = telling.agent(agent);
    match standing {
        Standing::Ended | Standing::Broke | Standing::Unknown => Vec::new(),
        Standing::Waits { at, may: _ } => {
            let awaited = telling.awaited(at);
            let what =
                if awaited.is_empty() { String::new() } else { format!(" for {}", awaited.join(" or ")) };
            let time = if telling.may_time_out(at) { "; its time may have run out" } else { "" };
            vec![format!("{who} waits{what}{time}")]
        }
        Standing::Owes(possible) => listed(telling, &format!("{who} owes"), possible),
    }
}

/// What could be sent, a line each; of many, the first.
fn listed(telling: &ConversationTeller<'_>, what: &str, all: &PossibleSends) -> Vec<String> {
    let first = all.listed.iter().take(MAX_POSSIBLE);
    let mut lines: Vec<String> =
        first.map(|possible| format!("{what} {}", telling.possible(possible))).collect();
    if all.count() > MAX_POSSIBLE {
        lines.push(format!("{what} one of {} others", all.count() - MAX_POSSIBLE));
    }
    lines
}
