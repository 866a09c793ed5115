//! `map conform`: whether the messages of a real system keep to the protocol.

mod ahead;
mod args;
mod bad;
mod drawn;
mod explained;
mod filtering;
mod follow;
mod form;
mod junit;
mod logs;
mod opened;
mod output;
mod scenes;
mod session;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use map_compile::compile_open;
use map_conform::{
    Account, Arrivals, Beginnings, Deadlines, Form, Order, Plan, Policy, Roles, Settings, Watcher,
};
use map_diagnostics::SourceFile;
use map_explain::conformance::{LogName, Places};
use map_ir::{PartId, Program};
use map_session::PropertySelection;

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_apart, check_target, write_besides};
use crate::input::{is_stdin, load, refuse_double_stdin};
use crate::interrupt::Interrupt;
use crate::json::{self, RejectedOutput};
use crate::trace::FLAG;
use ahead::Ahead;
use args::{ArrivalsArg, Deadline, FormatArg, OrderArg, UnknownArg, WhoArg};
use bad::Bad;
use drawn::Drawn;
use explained::Explained;
use follow::Follow;
use logs::Logs;
use opened::OpenLog;
use output::{End, Output};
use scenes::Scenes;
use session::{Session, Source, WallClock};

pub(crate) use args::Args;
pub(crate) use filtering::{VERB as FILTER_VERB, serve as serve_filter};

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("conform", what);
    let inputs: Vec<PathBuf> = args.logs.iter().chain([&args.file]).chain(&args.mapping).cloned().collect();
    refuse_double_stdin("conform", &inputs)?;
    if let Some(path) = &args.junit {
        check_target("--junit", path, &inputs).map_err(usage)?;
    }
    args.save.check(&inputs).map_err(usage)?;
    if let Some(path) = &args.report {
        check_target("--report", path, &inputs).map_err(usage)?;
        drawn::format_of(path).map_err(usage)?;
    }
    let written = args.junit.iter().map(|it| ("--junit", it.as_path()));
    let written = written.chain(args.save.save_trace.iter().map(|it| (FLAG, it.as_path())));
    let written = written.chain(args.report.iter().map(|it| ("--report", it.as_path())));
    check_apart(&written.collect::<Vec<_>>()).map_err(usage)?;
    if args.chart && args.format != FormatArg::Text {
        return Err(usage("--chart is for people: not with --format json or ndjson".to_owned()));
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
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = loaded.program else {
        let rejected = || RejectedOutput::new("conform", &loaded.source, &loaded.diagnostics);
        match args.format {
            FormatArg::Text => {}
            FormatArg::Json => console.print(&json::to_text(&rejected())?)?,
            FormatArg::Ndjson => console.print(&json::to_line(&rejected())?)?,
        }
        console.set_exit(Exit::Source);
        return Ok(());
    };
    let Some(form) = form::read(args, &program, console)? else {
        console.set_exit(Exit::Source);
        return Ok(());
    };
    let roles = Roles::new(&program);
    let roles = match &form.mapping {
        Some(mapping) => roles.with_cast(mapping.cast()),
        None => roles,
    };
    let open = match args.cast {
        WhoArg::Closed => None,
        WhoArg::Open => match compile_open(&map_syntax::parse(&loaded.source).file, &options) {
            Ok(scene) => Some(scene),
            Err(errors) => {
                show_diagnostics(console, &loaded.source, &errors)?;
                console.set_exit(Exit::Source);
                return Ok(());
            }
        },
    };
    let deadlines = deadlines(args, &program).map_err(usage)?;
    let interrupt = Interrupt::install();
    let most = usize::try_from(args.max_line).unwrap_or(usize::MAX / 2);
    // A log that grows is read once only: its cast is that of the file, or of --agents, or of those who join.
    let is_fixed = args.follow || open.is_some() || !args.scene.agents.is_empty();
    let mut plan = Plan::new(&roles, is_fixed);
    let input = match args.follow {
        true => Ok((Ahead::nothing(), Source::Growing(Follow::open(&args.logs, &form, most)), false)),
        false => whole(args, &form, &interrupt).and_then(|(mut ahead, source, is_cut)| {
            ahead.reach(&mut plan, &program, 0).map(|()| (ahead, source, is_cut))
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
    let mut scenes = match open {
        None => Scenes::new(&loaded.source, &options, Arc::clone(&program), settings.clone()),
        Some(scene) => Scenes::open(&loaded.source, &options, scene, settings.clone()),
    };
    let mut output = Output::new(args, &loaded.source, settings.arrivals);
    let first = Rc::clone(scenes.first());
    let policy = Policy {
        only: args.conversation.clone(),
        max_conversations: args.max_conversations,
        denies_unknown: args.unknown == UnknownArg::Deny,
        ignores_duplicates: args.duplicates == UnknownArg::Ignore,
        comes_by_time: !args.follow || args.logs.len() == 1,
    };
    let with = Box::new(|counts| scenes.with(counts));
    let watcher = Watcher::new(policy, &roles, plan, Rc::clone(&first), with);
    let wall_clock = (args.follow && !deadlines.is_empty()).then(WallClock::default);
    let (explained, drawn) = (Explained::Nothing, Drawn::default());
    let mut session =
        Session { args, program: first.program(), source, watcher, ahead, explained, drawn, wall_clock };
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
fn refuse(args: &Args, source: &SourceFile, bad: Bad, console: &mut Console) -> Result<(), Failure> {
    if args.format == FormatArg::Text && args.junit.is_none() {
        bad.show(console)?;
        console.set_exit(Exit::Source);
        return Ok(());
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
fn whole(args: &Args, form: &Form, interrupt: &Interrupt) -> Result<(Ahead, Source, bool), Bad> {
    let most = usize::try_from(args.max_line).unwrap_or(usize::MAX / 2);
    let (mut opened, mut is_cut) = (Vec::new(), false);
    for path in &args.logs {
        let (log, is_log_cut) = OpenLog::open(path, args.spool, interrupt)?;
        opened.push(log);
        is_cut |= is_log_cut;
    }
    let names = opened.iter().map(|log| LogName::new(&log.name)).collect();
    let source = Source::Whole(Logs::new(&opened, form, most)?, names);
    Ok((Ahead::new(&opened, form, most)?, source, is_cut))
}

/// How long agents may take.
fn deadlines(args: &Args, program: &Program) -> Result<Deadlines, String> {
    let mut deadlines = Deadlines::default();
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

fn arrivals(args: &Args, plan: &Plan<'_>) -> Arrivals {
    match args.arrivals {
        Some(ArrivalsArg::Logged) => Arrivals::Logged,
        Some(ArrivalsArg::Late) => Arrivals::Late,
        Some(ArrivalsArg::Sent) => Arrivals::Sent,
        Some(ArrivalsArg::Unordered) => Arrivals::Unordered,
        None if plan.some_arrive && !plan.some_arrive_unlogged => Arrivals::Logged,
        None => Arrivals::Late,
    }
}

/// The name of a log as it is shown.
fn shown_log(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { crate::names::shown(path) }
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
