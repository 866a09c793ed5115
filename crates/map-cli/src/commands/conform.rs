//! `map conform`: whether the messages of a real system keep to the protocol.

mod ahead;
mod args;
mod drawn;
mod explained;
mod form;
mod output;
mod scenes;
mod session;

use std::path::PathBuf;
use std::sync::Arc;

use map_compile::compile_open;
use map_conform::{
    Account, Arrivals, Beginnings, Deadlines, Form, Mapping, Order, Origin, Plan, Policy, Roles, Settings,
    Watcher,
};
use map_diagnostics::SourceFile;
use map_doors::{Follow, LogCheckpoint, LogFault, OpenLog, WallClock, WholeLogs};
use map_explain::conformance::{LogName, Places};
use map_ir::{PartId, Program};
use map_session::PropertySelection;

use crate::console::{Console, show_diagnostics};
use crate::failure::Failure;
use crate::files::{check_targets, write_besides};
use crate::input::{load, program_of, refuse_double_stdin};
use crate::interrupt::Interrupt;
use crate::json::{self, RejectedOutput};
use crate::trace::FLAG;
use ahead::Ahead;
use args::{ArrivalsArg, Deadline, FormatArg, OrderArg, UnknownArg, WhoArg};
use drawn::Drawn;
use explained::Explained;
use output::{End, Output};
use scenes::Scenes;
use session::{Session, Source};

pub(crate) use args::Args;

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("conform", what);
    let inputs: Vec<PathBuf> = args.logs.iter().chain([&args.file]).chain(&args.mapping).cloned().collect();
    refuse_double_stdin("conform", &inputs)?;
    let written = [
        ("--junit", &args.junit),
        (FLAG, &args.save.save_trace),
        ("--report", &args.report),
        ("--checkpoint", &args.checkpoint),
    ];
    check_targets(&written, &inputs).map_err(usage)?;
    if let Some(path) = &args.report {
        drawn::format_of(path).map_err(usage)?;
    }
    if args.chart && args.format != FormatArg::Text {
        return Err(usage("--chart is for people: not with --format json or ndjson".to_owned()));
    }
    if args.checkpoint.is_some() && args.format == FormatArg::Json {
        let why = "which is one object at the end: take ndjson";
        return Err(usage(format!("--checkpoint does not go with --format json, {why}")));
    }
    if args.follow && args.save.save_trace.is_some() {
        return Err(usage(format!("{FLAG} needs whole logs, and --follow waits for more")));
    }
    if args.cast == WhoArg::Open && args.save.save_trace.is_some() {
        return Err(usage(format!("{FLAG} needs agents who are there from the beginning, not --cast open")));
    }
    if args.follow && args.order == Some(OrderArg::Time) {
        return Err(usage("--order time needs whole logs, and --follow waits for more".to_owned()));
    }
    if args.cast == WhoArg::Open && args.skew.is_some_and(|it| !it.is_zero()) {
        let why = "who is there is told by the order of the lines";
        return Err(usage(format!("--skew does not go with --cast open: {why}")));
    }
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = load(&args.file, &options, PropertySelection::Nothing);
    if loaded.program.is_none() {
        let rejected = || RejectedOutput::new("conform", &loaded.source, &loaded.diagnostics);
        match args.format {
            FormatArg::Text => {}
            FormatArg::Json => console.print(&json::to_text(&rejected())?)?,
            FormatArg::Ndjson => console.print(&json::to_line(&rejected())?)?,
        }
    }
    let program = program_of(&loaded, console)?;
    let (form, mapping_text) = form::read(args, &program)?;
    let roles = Roles::new(&program);
    let roles = match &form.mapping {
        Some(mapping) => roles.with_cast(mapping.cast()),
        None => roles,
    };
    let roles = Arc::new(roles);
    let open = match args.cast {
        WhoArg::Closed => None,
        WhoArg::Open => {
            let scene = compile_open(&map_syntax::parse(&loaded.source).file, &options);
            let refused = |errors| Failure::Refused(vec![((*loaded.source).clone(), errors)]);
            Some(scene.map_err(refused)?)
        }
    };
    let deadlines = deadlines(args, form.mapping.as_deref(), &program).map_err(usage)?;
    let interrupt = Interrupt::install();
    let most = usize::try_from(args.max_line).unwrap_or(usize::MAX / 2);
    // A log that grows is read once only: its cast is that of the file, or of --agents, or of those who join.
    let is_fixed = args.follow || open.is_some() || !args.scene.agents.is_empty();
    let mut plan = Plan::new(Arc::clone(&roles), is_fixed);
    let input = match args.follow {
        true => Ok((
            Ahead::nothing(),
            Source::Growing(Follow::open(&args.logs, &form, most, args.checkpoint.is_some())),
            false,
        )),
        false => whole(args, &form, &interrupt).and_then(|(mut ahead, source, is_cut)| {
            ahead.reach(&mut plan, &program, 0, &interrupt).map(|()| (ahead, source, is_cut))
        }),
    };
    let (ahead, source, is_cut) = match input {
        Ok(input) => input,
        Err(bad) => return refuse(args, &loaded.source, bad, console),
    };
    let settings = Settings {
        arrivals: arrivals(args, &plan),
        beginnings: beginnings(args),
        limit: args.max_hypotheses,
        work: args.max_work,
        // With a checkpoint, what has been read is judged to its end: nothing is judged twice.
        stop: args.checkpoint.is_none().then(|| interrupt.flag()),
        losses: args.lossy,
        complete: args.complete,
        deadlines: deadlines.clone(),
        reorder: u64::try_from(args.reorder.as_nanos()).unwrap_or(u64::MAX),
        order: match args.order {
            None => Order::Unknown,
            Some(OrderArg::Lines) => Order::Lines,
            Some(OrderArg::Time) => Order::Times,
        },
        skew: args.skew.map_or(0, |it| u64::try_from(it.as_nanos()).unwrap_or(u64::MAX)),
        merged: args.logs.len() > 1 && !args.follow && open.is_none(),
        keeps_lines: args.save.save_trace.is_some() || args.draws(),
        ..Settings::default()
    };
    let (logs, cast) = (&args.logs, args.cast);
    let how = format!("{:?} {logs:?} {cast:?} {options:?} {settings:?}", (form.origin, form.time_unit));
    let mut scenes = match open {
        None => Scenes::new(&loaded.source, &options, Arc::clone(&program), settings.clone()),
        Some(scene) => Scenes::open(&loaded.source, &options, scene, settings.clone()),
    };
    let mut output = Output::new(args, &loaded.source, settings.arrivals);
    let first = Arc::clone(scenes.first());
    let policy = Policy {
        only: args.conversation.clone(),
        max_conversations: args.max_conversations,
        denies_unknown: args.unknown == UnknownArg::Deny,
        ignores_duplicates: args.duplicates == UnknownArg::Ignore,
        comes_by_time: !args.follow || args.logs.len() == 1,
        keeps_history: args.checkpoint.is_some(),
        learns_names: args.follow && form.origin == Origin::A2a,
    };
    let identity = [loaded.source.text(), &mapping_text, &how, &format!("{policy:?}")];
    let refused = |diagnostic| Failure::refused(&loaded.source, diagnostic);
    let opened = args.checkpoint.as_ref();
    let opened = opened.map(|path| LogCheckpoint::open(path, args.checkpoint_every, &identity));
    let (checkpoint, found) = opened.transpose().map_err(refused)?.unzip();
    let with = Box::new(|counts| scenes.with(counts));
    let watcher = Watcher::new(policy, roles, plan, Arc::clone(&first), with);
    let wall_clock = (args.follow && !deadlines.is_empty()).then(WallClock::default);
    let (explained, drawn) = (Explained::Nothing, Drawn::default());
    let program = first.program();
    let mut session =
        Session { args, program, source, watcher, ahead, explained, drawn, wall_clock, checkpoint };
    if let Some(found) = found.flatten() {
        session.go_on(found, &mut output).map_err(refused)?;
    }
    session.keep(&output, console)?;
    let mut end = session.judge(&interrupt, &mut output, console)?;
    end.interrupted |= is_cut;
    session.finish(&mut output, console)?;
    let Session { source, watcher, explained, drawn, .. } = session;
    let places = Places { source: &loaded.source, logs: source.names() };
    let junit = output.finish(&end, places, watcher.account(), console)?;
    if args.chart {
        drawn.show(console)?;
    }
    if let Some(target) = &args.save.save_trace {
        explained.save(target, &loaded.source, &args.scene, console)?;
    }
    if let Some(target) = &args.report {
        drawn.save(target, &loaded.source, console)?;
    }
    write_junit(args, junit, console)
}

/// Reports, in every format, that a log cannot be read from its beginning.
fn refuse(args: &Args, source: &SourceFile, bad: LogFault, console: &mut Console) -> Result<(), Failure> {
    if args.format == FormatArg::Text && args.junit.is_none() {
        let (source, diagnostic) = bad.diagnostic();
        return Err(Failure::refused(&source, diagnostic));
    }
    let end = End { stopped: Some(bad), ..End::default() };
    let output = Output::new(args, source, Arrivals::Late);
    let junit = output.finish(&end, Places { source, logs: &[] }, &Account::default(), console)?;
    write_junit(args, junit, console)
}

fn write_junit(args: &Args, junit: Option<String>, console: &mut Console) -> Result<(), Failure> {
    if let (Some(path), Some(text)) = (&args.junit, junit) {
        write_besides("the JUnit file", path, &text, console)?;
    }
    Ok(())
}

/// Opens logs that are whole, each once. Returns true as the last if Ctrl-C has cut one of them.
fn whole(args: &Args, form: &Form, interrupt: &Interrupt) -> Result<(Ahead, Source, bool), LogFault> {
    let most = usize::try_from(args.max_line).unwrap_or(usize::MAX / 2);
    let (mut opened, mut is_cut) = (Vec::new(), false);
    for path in &args.logs {
        let (log, is_log_cut) = OpenLog::open(path, args.spool, interrupt.flag())?;
        opened.push(log);
        is_cut |= is_log_cut;
    }
    let names = opened.iter().map(|log| LogName::new(&log.name)).collect();
    let source = Source::Whole(WholeLogs::new(&opened, form, most)?, names);
    Ok((Ahead::new(&opened, form, most)?, source, is_cut))
}

/// How long agents may take. A flag goes before the mapping.
fn deadlines(args: &Args, mapping: Option<&Mapping>, program: &Program) -> Result<Deadlines, String> {
    let answers = mapping.map(|it| it.answers(program)).transpose().map_err(|error| error.text)?;
    let mut deadlines = Deadlines { parts: answers.unwrap_or_default(), ..Deadlines::default() };
    for Deadline { role, time } in &args.deadline {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let Some(role) = role else {
            deadlines.all = Some(time);
            continue;
        };
        let before = deadlines.parts.len();
        let parts = program.parts.iter().enumerate();
        let its = parts.filter(|(_, part)| program.role_name(part.role) == role);
        deadlines.parts.extend(its.map(|(index, _)| (PartId::new(index), time)));
        if deadlines.parts.len() == before {
            return Err(format!("--deadline: the scene has no role %{role}"));
        }
    }
    Ok(deadlines)
}

fn arrivals(args: &Args, plan: &Plan) -> Arrivals {
    match args.arrivals {
        Some(ArrivalsArg::Logged) => Arrivals::Logged,
        Some(ArrivalsArg::Late) => Arrivals::Late,
        Some(ArrivalsArg::Sent) => Arrivals::Sent,
        Some(ArrivalsArg::Unordered) => Arrivals::Unordered,
        None if plan.some_arrive && !plan.some_arrive_unlogged => Arrivals::Logged,
        None => Arrivals::Late,
    }
}

/// Shows what is wrong with a log on standard error.
fn show_fault(fault: &LogFault, console: &mut Console) -> Result<(), Failure> {
    let (source, diagnostic) = fault.diagnostic();
    Ok(show_diagnostics(console, &source, &[diagnostic])?)
}

/// What the logs show of the beginnings of conversations. A log that is followed is read from its birth.
const fn beginnings(args: &Args) -> Beginnings {
    if args.joined {
        Beginnings::Before
    } else if args.complete || args.follow {
        Beginnings::Logged
    } else {
        Beginnings::Unsure
    }
}
