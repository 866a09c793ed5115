//! `map conform`: whether the messages of a real system keep to the protocol.

mod ahead;
mod args;
mod explained;
mod follow;
mod form;
mod junit;
mod logs;
mod output;
mod scenes;
mod session;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use map_compile::compile_open;
use map_conform::{Arrivals, Plan, Policy, Roles, Settings, Watcher};
use map_diagnostics::{Code, Diagnostic, SourceFile};
use map_session::PropertySelection;

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_apart, check_target, write_besides};
use crate::input::{is_stdin, load, refuse_double_stdin};
use crate::interrupt::Interrupt;
use crate::trace::FLAG;
use ahead::Ahead;
use args::{ArrivalsArg, UnknownArg, WhoArg};
use explained::Explained;
use follow::Follow;
use logs::Logs;
use output::Output;
use scenes::Scenes;
use session::{Session, Source};

pub(crate) use args::Args;

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("conform", what);
    let inputs: Vec<PathBuf> = args.logs.iter().chain([&args.file]).chain(&args.mapping).cloned().collect();
    refuse_double_stdin("conform", &inputs)?;
    if let Some(path) = &args.junit {
        check_target("--junit", path, &inputs).map_err(usage)?;
    }
    args.save.check(&inputs).map_err(usage)?;
    let written = args.junit.iter().map(|it| ("--junit", it.as_path()));
    let written = written.chain(args.save.save_trace.iter().map(|it| (FLAG, it.as_path())));
    check_apart(&written.collect::<Vec<_>>()).map_err(usage)?;
    if args.follow && args.save.save_trace.is_some() {
        return Err(usage(format!("{FLAG} needs whole logs, and --follow waits for more")));
    }
    if args.cast == WhoArg::Open && args.save.save_trace.is_some() {
        return Err(usage(format!("{FLAG} needs agents who are there from the beginning, not --cast open")));
    }
    if args.cast == WhoArg::Open && args.skew.is_some_and(|it| !it.is_zero()) {
        let why = "who is there is told by the order of the lines";
        return Err(usage(format!("--skew does not go with --cast open: {why}")));
    }
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = load(&args.file, &options, PropertySelection::Nothing);
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = loaded.program else {
        console.set_exit(Exit::Source);
        return Ok(());
    };
    let is_stream = args.follow || args.logs.iter().any(|it| is_stdin(it));
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
    // A stream is read once only: its cast is that of the file, or of --agents, or of those who join.
    let is_fixed = is_stream || open.is_some() || !args.scene.agents.is_empty();
    let mut plan = Plan::new(&roles, is_fixed);
    let ahead = match is_stream {
        true => Ok(Ahead::nothing()),
        false => Ahead::open(&args.logs, &form),
    };
    let ahead = ahead.and_then(|mut ahead| ahead.reach(&mut plan, &program, 0).map(|()| ahead));
    let lines = match args.follow {
        true => Follow::open(&args.logs, &form).map(Source::Growing),
        false => Logs::open(&args.logs, &form).map(Source::Whole),
    };
    let (ahead, lines) = match (ahead, lines) {
        (Ok(ahead), Ok(lines)) => (ahead, lines),
        (Err(bad), _) | (_, Err(bad)) => return refuse(console, &bad),
    };
    let settings = Settings {
        arrivals: arrivals(args, &plan),
        limit: args.max_hypotheses,
        losses: args.lossy,
        complete: args.complete,
        deadline: args.deadline.map(|it| u64::try_from(it.as_nanos()).unwrap_or(u64::MAX)),
        skew: args.skew.map_or(0, |it| u64::try_from(it.as_nanos()).unwrap_or(u64::MAX)),
        merged: args.logs.len() > 1 && !args.follow && open.is_none(),
        keeps_lines: args.save.save_trace.is_some(),
    };
    let mut scenes = match open {
        None => Scenes::new(&loaded.source, &options, Arc::clone(&program), settings.clone()),
        Some(scene) => Scenes::open(&loaded.source, &options, scene, settings.clone()),
    };
    let mut output = Output::new(args, &loaded.source, settings.arrivals, is_stream);
    let first = Rc::clone(scenes.first());
    let policy = Policy {
        max_conversations: args.max_conversations,
        denies_unknown: args.unknown == UnknownArg::Deny,
        ignores_duplicates: args.duplicates == UnknownArg::Ignore,
    };
    let with = Box::new(|counts| scenes.with(counts));
    let watcher = Watcher::new(policy, &roles, plan, Rc::clone(&first), with);
    let explained = Explained::Nothing;
    let mut session = Session { args, program: first.program(), watcher, ahead, explained };
    let interrupt = Interrupt::install();
    let bad = session.judge(lines, &interrupt, &mut output, console)?;
    if let Some(bad) = &bad {
        refuse(console, bad)?;
    }
    let explained = session.finish(&mut output, console)?;
    if let Some(target) = &args.save.save_trace {
        explained.save(target, &loaded.source, &args.scene, console)?;
    }
    let junit = output.finish(console)?;
    if let (Some(path), Some(text)) = (&args.junit, junit) {
        write_besides("the JUnit file", path, &text, console)?;
    }
    if interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    Ok(())
}

fn arrivals(args: &Args, plan: &Plan<'_>) -> Arrivals {
    match args.arrivals {
        Some(ArrivalsArg::Logged) => Arrivals::Logged,
        Some(ArrivalsArg::Late) => Arrivals::Late,
        Some(ArrivalsArg::Sent) => Arrivals::Sent,
        Some(ArrivalsArg::Unordered) => Arrivals::Unordered,
        None if plan.some_arrive => Arrivals::Logged,
        None => Arrivals::Late,
    }
}

/// A line that cannot be used, or a log that cannot be read.
pub(crate) struct Bad {
    /// The name of the log.
    pub(crate) log: String,
    /// The line, from 1; 0 if it is about the whole log.
    pub(crate) line: u64,
    pub(crate) code: Code,
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

fn refuse(console: &mut Console, bad: &Bad) -> Result<(), Failure> {
    let place = if bad.line == 0 { bad.log.clone() } else { format!("{}:{}", bad.log, bad.line) };
    let mut diagnostic = Diagnostic::unplaced(bad.code, format!("{place}: {}", bad.text));
    if let Some(help) = &bad.help {
        diagnostic = diagnostic.with_help(help.clone());
    }
    show_diagnostics(console, &SourceFile::new(bad.log.clone(), ""), &[diagnostic])?;
    console.set_exit(Exit::Source);
    Ok(())
}

/// The name of a log as it is shown.
fn shown_log(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { crate::names::shown(path) }
}
