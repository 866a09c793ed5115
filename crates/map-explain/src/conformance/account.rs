//! What became of the lines of the logs, in words.

use map_conform::{Account, FaultKind};
use map_diagnostics::{Code, escaped_line};

use super::Places;
use crate::counted;

/// The code for what is wrong with a line.
#[must_use]
pub const fn code_of(kind: FaultKind) -> Code {
    match kind {
        FaultKind::NoRecord => Code::ConformRecord,
        FaultKind::NoValue => Code::ConformValue,
        FaultKind::NoRole => Code::ConformRole,
        FaultKind::BeyondCast => Code::ConformCast,
        FaultKind::OutOfOrder => Code::ConformOrder,
        FaultKind::Unadapted => Code::ConformAdapter,
        FaultKind::UnclearTime => Code::ConformTime,
    }
}

/// What became of the lines, line by line, each with its end.
#[must_use]
pub fn account(places: Places<'_>, account: &Account) -> String {
    let (lines, messages) = (counted(account.lines, "line"), counted(account.messages, "message"));
    let mut text = format!("read: {lines}, {messages} judged\n");
    for told in passed_over(places, account) {
        text.push_str(&format!("  {told}\n"));
    }
    for of_kind in &account.bad {
        let (lines, code) = (counted(of_kind.count, "line"), code_of(of_kind.kind).as_str());
        let title = code_of(of_kind.kind).title();
        text.push_str(&format!("  {lines} with {code}: {title} ({})\n", places.full(of_kind.first)));
    }
    text
}

/// `136 lines passed over: /type is not "mesage" (calls.jsonl:1)`.
fn passed_over<'a>(places: Places<'a>, account: &'a Account) -> impl Iterator<Item = String> + 'a {
    account.passed_over.iter().map(move |of_reason| {
        let (lines, first) = (counted(of_reason.count, "line"), places.full(of_reason.first));
        format!("{lines} passed over: {} ({first})", escaped_line(&of_reason.reason))
    })
}

/// Why no message was judged, in sentences, and what may help. `wanted` is the conversation that was asked for, and
/// `near` one in the log that is called nearly so.
#[must_use]
pub fn nothing_judged(
    places: Places<'_>,
    account: &Account,
    wanted: Option<&str>,
    near: Option<&str>,
) -> (Vec<String>, String) {
    if account.lines == 0 {
        let why = vec!["the log has no lines".to_owned()];
        return (why, "--allow-empty says that it may be empty".to_owned());
    }
    let mut why: Vec<String> = passed_over(places, account).collect();
    if account.bad_lines() > 0 {
        why.push(format!("{} cannot be used", counted(account.bad_lines(), "line")));
    }
    let names = &account.other_conversations;
    let help = match wanted.filter(|_| !names.is_empty()) {
        Some(wanted) => {
            let some: Vec<&str> =
                near.map_or_else(|| names.iter().take(3).map(String::as_str).collect(), |it| vec![it]);
            let some: Vec<String> = some.iter().map(|name| format!("{name:?}")).collect();
            format!("no line belongs to the conversation {wanted:?}: the log has {}", some.join(", "))
        }
        None => "see whether --from, --mapping and the log belong together".to_owned(),
    };
    (why, help)
}

/// What to do about a line that cannot be used.
#[must_use]
pub fn help_for(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NoRecord | FaultKind::NoValue | FaultKind::Unadapted => {
            "--skip-bad N allows N such lines; nothing is certain of the agents that they may concern"
        }
        FaultKind::NoRole => {
            "Name the agent as in the file, give it a role in the table [cast] of a mapping, or let it say something \
             only one role says"
        }
        FaultKind::BeyondCast => "Give the number of agents with --agents, such as bidder=3",
        FaultKind::OutOfOrder => "Sort the log by time",
        FaultKind::UnclearTime => "Say it with --time-unit, or with time_unit or time_zone in a mapping",
    }
}
