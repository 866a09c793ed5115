//! What was verified with some numbers of agents, in words.

use map_ir::Program;
use map_verify::{Limit, Report, Verdict};
use map_views::{Answer, VisibleFacts, no_new_views_since};

use crate::{counted, grouped};

/// Line by line: the verdicts, whether views are still new, and how full mailboxes get.
pub(super) fn lines(answer: &Answer, role: &str, program: &Program) -> Vec<String> {
    let verified: Vec<&(u32, Report)> = answer.concrete.iter().collect();
    let groups: Vec<_> = verified.chunk_by(|(_, one), (_, next)| what_came(one) == what_came(next)).collect();
    let mut lines: Vec<String> = groups.into_iter().map(|group| verdict_line(group, role)).collect();
    if let (Some(last), Some(views)) = (lines.last_mut(), views_in_words(answer)) {
        last.push_str("; ");
        last.push_str(&views);
    }
    lines.extend(mailboxes(&answer.seen, role, program));
    lines
}

/// `1`, `1 to 3`.
pub(super) fn range(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

fn what_came(report: &Report) -> String {
    let limit = match report.limit {
        Some(Limit::States) => "too many states",
        Some(Limit::Memory | Limit::NoRoom) => "too little memory",
        Some(Limit::Time) => "too little time",
        Some(Limit::Interrupted) => "interrupted",
        Some(Limit::Calls | Limit::NoFirstState) => "its search cannot go on",
        None => "",
    };
    let words = report.verdict.words();
    match report.verdict {
        Verdict::Inconclusive => format!("not finished, {limit}"),
        Verdict::Violated(_) => words.to_owned(),
        _ if report.complete => words.to_owned(),
        _ => format!("{words} within its bounds"),
    }
}

fn verdict_line(group: &[&(u32, Report)], role: &str) -> String {
    let states = group.iter().map(|(_, report)| report.statistics.states as u64);
    let [(first, report), ..] = group else { return String::new() };
    let (fewest, most) = (states.clone().min().unwrap_or(0), states.max().unwrap_or(0));
    let states = if fewest == most {
        counted(most, "state")
    } else {
        format!("{} to {}", grouped(fewest), counted(most, "state"))
    };
    let last = group.last().map_or(*first, |(count, _)| *count);
    format!("with {role}={}: {}, {states}", range(*first, last), what_came(report))
}

/// Whether states with more agents still show new views; `None` if too few numbers were looked at, or it is proved.
fn views_in_words(answer: &Answer) -> Option<String> {
    let last = answer.seen.last().filter(|_| answer.seen.len() > 2 && answer.needs_evidence())?;
    let Some(since) = no_new_views_since(&answer.seen) else {
        return Some(format!("{} still shows {}", last.agents, counted(last.new_views as u64, "new view")));
    };
    let is_last = answer.concrete.last().is_some_and(|&(count, _)| count == last.agents);
    let up_to = if is_last { String::new() } else { format!(", of up to {}", last.agents) };
    Some(format!("no new views since {since}{up_to}"))
}

/// How many messages mailboxes hold at most, by number of agents and role.
fn mailboxes(seen: &[VisibleFacts], role: &str, program: &Program) -> Option<String> {
    let ([first, ..], [.., last]) = (seen, seen) else { return None };
    let of_role = |place: usize| {
        let most: Vec<usize> = seen.iter().map(|it| it.fullest[place].1).collect();
        let numbers: Vec<String> = most.iter().map(|&it| grouped(it as u64)).collect();
        let name = program.role_name(first.fullest[place].0);
        let numbers = match most.iter().all(|it| *it == most[0]) {
            true => numbers[0].clone(),
            false => numbers.join(", "),
        };
        most.iter().any(|&it| it > 0).then(|| format!("%{name} {numbers}"))
    };
    let roles: Vec<String> = (0..first.fullest.len()).filter_map(of_role).collect();
    let range = range(first.agents, last.agents);
    (!roles.is_empty())
        .then(|| format!("most messages in a mailbox, with {role}={range}: {}", roles.join("; ")))
}
