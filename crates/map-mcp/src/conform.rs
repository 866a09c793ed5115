//! `conform`: whether the messages of a real system keep to the protocol. The log is whole, and the cast is that of the
//! text or of `--agents`. A line that cannot be used is a gap.

use std::sync::Arc;

use map_conform::{
    Arrivals, Beginnings, ConversationResult, Event, Fault, FaultKind, Mark, Plan, Policy, Roles, Scene,
    Settings, Watcher, records_of,
};
use map_diagnostics::SourceFile;
use map_explain::conformance::{LogName, Places, account, below, headline, name};
use map_explain::counted;
use map_json::{CONFORM_FORMAT, ConformConversation, ConformOutput, ConformReading, Header};
use map_session::{PropertySelection, compile};

use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::dialogue::diagnostics;
use crate::flags::{in_flags, of_check};
use crate::limits::MAX_TEXT;
use crate::watch::Task;

/// The most conversations that are followed at once.
const MAX_CONVERSATIONS: usize = 10_000;
/// The most bad lines that are told one by one.
const MAX_BAD: usize = 20;

/// # Errors
/// Why nothing is judged.
pub(crate) fn conform(source: &Arc<SourceFile>, given: &Arguments, task: &Task) -> Result<Answer, String> {
    let log = given.log.as_deref().ok_or("`log` is missing: a message a line, as JSON")?;
    if log.len() > MAX_TEXT {
        return Err(format!("the log is larger than {} MiB", MAX_TEXT >> 20));
    }
    let options = of_check(&given.flags)?.to_options().map_err(in_flags)?;
    let compilation = compile(source, &options, PropertySelection::Nothing);
    let Some(program) = compilation.program else {
        return Err(diagnostics(source, &compilation.diagnostics));
    };
    let records = records_of(log);
    let roles = Arc::new(Roles::new(&program));
    let mut plan = Plan::new(Arc::clone(&roles), true);
    records.iter().for_each(|(_, line)| plan.note(&program, 0, line.record()));
    let settings = Settings {
        arrivals: if plan.some_arrive { Arrivals::Logged } else { Arrivals::Late },
        beginnings: Beginnings::Unsure,
        ..Settings::default()
    };
    let arrivals = settings.arrivals;
    let scene = Arc::new(Scene::new(program, settings));
    let policy = Policy {
        only: None,
        max_conversations: MAX_CONVERSATIONS,
        denies_unknown: true,
        ignores_duplicates: true,
        comes_by_time: true,
        keeps_history: false,
        learns_names: false,
    };
    let first = Arc::clone(&scene);
    let mut watcher = Watcher::new(policy, roles, plan, scene, Box::new(move |_| Ok(Arc::clone(&first))));
    let mut bad: Vec<String> = Vec::new();
    for (number, line) in &records {
        if task.ends.reason().is_some() {
            return Err(format!("stopped before line {number}: give a shorter log"));
        }
        watcher.next_line();
        let time = line.record().and_then(|record| record.time);
        if let Err(fault) = watcher.line(Mark { line: *number, time, log: 0 }, line)
            && bad.len() < MAX_BAD
        {
            bad.push(unusable(*number, &fault));
        }
    }
    watcher.finish();
    if watcher.account().messages == 0 {
        let why = if bad.is_empty() { "the log is empty".to_owned() } else { bad.join("\n") };
        return Err(format!("no message was judged: {why}"));
    }
    let logs = [LogName::new("log")];
    let places = Places { source, logs: &logs };
    let mut all: Vec<ConversationResult> = Vec::new();
    while let Some(event) = watcher.next_event() {
        match event {
            Event::Judged(judged) => all.push(*judged),
            Event::Violation(_) => {}
        }
    }
    all.sort_by_key(|judged| judged.number);
    let mut text = String::new();
    for judged in &all {
        let head = headline(places, judged, 0).to_string();
        text.push_str(&format!(
            "{}  {}\n{}",
            name(&judged.name),
            head.trim_end(),
            below(places, judged, 0, None)
        ));
    }
    text.push_str(&format!("{} judged\n", counted(all.len() as u64, "conversation")));
    if !bad.is_empty() {
        text.push_str(&account(places, watcher.account()));
        bad.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    }
    let answer = Answer::told(&text);
    if !given.structured {
        return Ok(answer);
    }
    Ok(answer.with(&ConformOutput {
        header: Header::of_version("conform", CONFORM_FORMAT),
        file: source.name().to_owned(),
        arrivals: arrivals.into(),
        reading: ConformReading::whole(places, watcher.account()),
        conversations: all.iter().map(|judged| ConformConversation::new(places, judged)).collect(),
    }))
}

/// What is wrong with a line, and what to do about it.
fn unusable(line: u64, Fault { kind, text }: &Fault) -> String {
    let help = match kind {
        FaultKind::NoRecord | FaultKind::NoValue | FaultKind::Unadapted => {
            "a line is such as {\"from\": \"!A\", \"to\": [\"!B\"], \"performative\": \"bid\", \"args\": [40]}"
        }
        FaultKind::NoRole => "name the agent as in the text, or let it say something that only one role says",
        FaultKind::BeyondCast => "give the number of agents in `flags`, such as --agents bidder=3",
        FaultKind::OutOfOrder => "sort the log by time",
        FaultKind::UnclearTime => "write times as texts, such as 2026-11-20T10:00:00Z",
    };
    format!("log line {line}: {text}; {help}")
}
