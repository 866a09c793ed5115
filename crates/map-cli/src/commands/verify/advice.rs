//! Advice that was tried: what comes out with other flags where a limit came before the verdict, or a mailbox
//! overflowed.

use std::time::Duration;

use map_explain::verdict;
use map_flags::{Any, CastArg};
use map_semantics::Bounds;
use map_session::{SearchLimits, TimeLimit};
use map_verify::{Limit, Options, Verdict, ViolationKind, verify_reduced};

use super::any;
use super::args::{Args, Detail};
use super::searched::{Searched, search, search_within};
use super::task::Task;
use crate::failure::Failure;
use crate::numbers::{counted, grouped, seconds};

/// The most states of an attempt, or a tenth of what the flags allow, and the longest time. A search that may be
/// followed by attempts leaves a tenth of the time limit to them.
const STATES: u64 = 200_000;
const TIME: Duration = Duration::from_secs(2);

/// The size of mailboxes that is tried, if the search does not say which would do.
const ROOMY: u32 = 1_000;

/// Searches alone; what is advised about the verdict has been tried. With `--quiet` nothing is advised.
pub(super) fn search_and_advise<'a>(task: &Task<'a>) -> Result<Searched<'a>, Failure> {
    if !task.args.tells() || task.args.detail() == Detail::Line {
        return search(task, None);
    }
    let mut searched = search_within(leaving_a_tenth(task.next_limits()), task, None)?;
    searched.advice = tried(task, &searched)?;
    Ok(searched)
}

/// The same limits with nine tenths of the time: the rest is left for something else.
fn leaving_a_tenth(limits: SearchLimits) -> SearchLimits {
    let time = limits.time.map(|time| TimeLimit { search: time.search * 9 / 10, ..time });
    SearchLimits { time, ..limits }
}

/// What was tried and came out, as a sentence that begins with the flag. Nothing of what came to nothing.
fn tried(task: &Task<'_>, searched: &Searched<'_>) -> Result<Option<String>, Failure> {
    let report = &searched.found.report;
    let overflows = report.verdict == Verdict::Violated(ViolationKind::MailboxOverflow);
    let is_open = report.verdict == Verdict::Inconclusive
        && matches!(report.limit, Some(Limit::States | Limit::Memory | Limit::Time));
    // Where integers grow nothing of this helps.
    if searched.found.growth.is_some() || !overflows && !is_open || task.interrupt.is_set() {
        return Ok(None);
    }
    let mut args = task.args.clone();
    let states = args.search.max_states.map_or(STATES, |most| STATES.min(most / 10));
    args.search.max_states = Some(states);
    args.judge.no_properties = true;
    if let Some(found) = larger_mailbox(task, &args, searched.found.crowded)? {
        return Ok(Some(found));
    }
    if is_open { any_number(task, args) } else { Ok(None) }
}

/// The verdict with mailboxes that hold more messages.
fn larger_mailbox(task: &Task<'_>, args: &Args, enough: Option<u32>) -> Result<Option<String>, Failure> {
    let mailbox = enough.unwrap_or(ROOMY);
    if mailbox <= task.scene.bounds.mailbox {
        return Ok(None);
    }
    let limits = task.time.within(Some(TIME)).next(args.limits());
    let options = Options {
        limits: limits.limits,
        keep_going: false,
        reductions: args.reductions.chosen(),
        self_check: false,
    };
    let bounds = Bounds { mailbox, ..task.scene.bounds.clone() };
    let mut watch = task.watch(&limits);
    let report = verify_reduced(task.program(), &bounds, &options, &mut watch)?.report;
    let took = seconds(watch.finish());
    Ok(match report.verdict {
        Verdict::Inconclusive => None,
        Verdict::Violated(ViolationKind::MailboxOverflow) => {
            Some(format!("--mailbox {mailbox} does not help: it overflows, too (tried, {took})"))
        }
        _ => {
            let words = verdict::words(&report);
            let states = counted(report.statistics.states as u64, "state");
            Some(format!(
                "--mailbox {mailbox}, if {} messages are meant: {words} (tried, {states}, {took})",
                grouped(mailbox.into())
            ))
        }
    })
}

/// The verdict for any number of agents of the role that has the most.
fn any_number(task: &Task<'_>, mut args: Args) -> Result<Option<String>, Failure> {
    let Some(part) = task.program().parts.iter().max_by_key(|part| part.agents.len()) else {
        return Ok(None);
    };
    let role = task.program().role_name(part.role).to_owned();
    args.scene.agents.retain(|cast| cast.name() != role);
    args.scene.agents.push(CastArg::Any { name: role.clone(), from: 1 });
    if part.agents.len() < 2 || any::check(&args).is_err() {
        return Ok(None);
    }
    let roles = [Any { role: role.clone(), from: 1 }];
    let time = task.time.within(Some(TIME));
    let found = any::find(&args, &roles, (task.file, task.loaded), task.interrupt, &time)?;
    let proved = found.ok().filter(|found| {
        !found.is_open && !found.may_overflow && found.verdict.starts_with(Verdict::Terminates.words())
    });
    Ok(proved.map(|found| {
        format!("--agents {role}=any: {} for any number (tried, {})", found.verdict, seconds(found.took))
    }))
}
