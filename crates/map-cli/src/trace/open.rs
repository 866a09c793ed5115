//! Opens a trace together with the scene it belongs to.

use std::fs;
use std::path::{Path, PathBuf};

use map_diagnostics::{Code, Diagnostic, SourceFile};
use map_explain::{Teller, initial_value};
use map_ir::{Program, Value};
use map_semantics::{Bounds, open_cells};
use map_simulate::Impossible;
use map_verify::{Trace, leads_back, replay_with};

use super::read::{MAX_TRACE_BYTES, TraceFile, read};
use super::values::from_text;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Loaded, compile_source, is_stdin, read_source, read_source_up_to};
use crate::json::fingerprint;
use crate::names::{named, shown};
use map_flags::bounds;

/// Where the dialogue of a trace is.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SourceArgs {
    /// The file with the dialogue, if it is no longer where it was; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// A trace with its compiled scene, ready to be replayed.
pub(crate) struct Opened {
    pub(crate) trace: TraceFile,
    pub(crate) loaded: Loaded,
    pub(crate) program: Program,
    pub(crate) bounds: Bounds,
}

/// Reads a trace and the dialogue it is of. Nothing if one of them cannot be used: then it has been told why, and the
/// exit code is set.
pub(crate) fn open(name: &Path, at: &SourceArgs, console: &mut Console) -> Result<Option<Opened>, Failure> {
    match read_source_up_to(name, MAX_TRACE_BYTES) {
        Ok(source) => open_source(source, name, at, console),
        Err(unreadable) => refuse(console, &unreadable.source, unreadable.diagnostic),
    }
}

/// Like [`open`], for a trace whose text has already been read from the file `name`.
pub(crate) fn open_source(
    source: SourceFile,
    name: &Path,
    at: &SourceArgs,
    console: &mut Console,
) -> Result<Option<Opened>, Failure> {
    let trace = match read(source) {
        Ok(trace) => trace,
        Err(unreadable) => return refuse(console, &unreadable.source, unreadable.diagnostic),
    };
    let name_shown = shown(name);
    let dialogue = match at.file.as_deref() {
        Some(file) => file.to_owned(),
        None if trace.dialogue == "<stdin>" => {
            let what = "the dialogue of this trace was read from standard input";
            let diagnostic =
                Diagnostic::unplaced(Code::CannotRead, what).with_help("name its file with --file");
            return refuse(console, &trace.source, diagnostic);
        }
        None => found(&trace, name),
    };
    // The name comes from the trace, which may come from anywhere.
    if at.file.is_none() && fs::metadata(&dialogue).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        let what = format!("the dialogue of this trace, {}, is a device or a pipe", shown(&dialogue));
        let diagnostic = Diagnostic::unplaced(Code::CannotRead, what).with_help("name its file with --file");
        return refuse(console, &trace.source, diagnostic);
    }
    let source = match read_source(&dialogue) {
        Ok(source) => source,
        Err(unreadable) => {
            let mut diagnostic = unreadable.diagnostic;
            if at.file.is_none() {
                diagnostic = diagnostic
                    .with_note(format!("it is the dialogue of the trace {name_shown}"))
                    .with_help("name the file with --file if it is elsewhere");
            }
            return refuse(console, &unreadable.source, diagnostic);
        }
    };
    if fingerprint(source.text()) != trace.fingerprint {
        let diagnostic =
            Diagnostic::unplaced(Code::TraceOfAnother, "the trace is of another version of this file")
                .with_note(format!("{name_shown} was saved for a text with the digest {}", trace.fingerprint))
                .with_note(format!("this text has the digest {}", fingerprint(source.text())))
                .with_help("name the version that was meant with --file, or make the trace anew");
        return refuse(console, &source, diagnostic);
    }
    let options = trace.scene.to_options().map_err(|what| Failure::Usage("replay", what))?;
    let mut loaded = compile_source(source, &options);
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = loaded.program.take() else {
        console.set_exit(Exit::Source);
        return Ok(None);
    };
    let names = program.cast().map(|agent| program.agent_name(agent));
    let bounds = match bounds::resolve(&trace.bounds, &program) {
        Ok(bounds) if names.eq(trace.agents.iter().map(String::as_str)) => bounds,
        contradiction => {
            let why =
                contradiction.err().unwrap_or_else(|| "its agents are not those of its `cast`".to_owned());
            let what = "the trace contradicts itself, or the file";
            let diagnostic = Diagnostic::unplaced(Code::NotATrace, what).with_note(why);
            return refuse(console, &trace.source, diagnostic);
        }
    };
    Ok(Some(Opened { trace, loaded, program, bounds }))
}

/// The values that the steps of a trace refer to. Returns `None` if one of them is invalid, having reported why and set
/// the exit code.
pub(crate) fn values_of(
    trace: &TraceFile,
    teller: &mut Teller<'_>,
    console: &mut Console,
) -> Result<Option<Vec<Value>>, Failure> {
    let values: Result<Vec<Value>, String> = trace.values.iter().map(|it| from_text(teller, it)).collect();
    match values {
        Ok(values) => Ok(Some(values)),
        Err(why) => {
            let what = "the trace contradicts itself, or the file";
            let diagnostic =
                Diagnostic::unplaced(Code::NotATrace, what).with_note(format!("`values`: {why}"));
            refuse(console, &trace.source, diagnostic)
        }
    }
}

/// The initial values of a trace, as options of [`map_semantics::open_cells`]. Returns `None` if they are not those of
/// the scene, having reported why and set the exit code.
pub(crate) fn initial_of(opened: &Opened, console: &mut Console) -> Result<Option<Vec<u32>>, Failure> {
    let Opened { trace, loaded, program, .. } = opened;
    let teller = Teller::new(&loaded.source, program);
    let why = match options_of(&teller, &trace.initial) {
        Ok(options) => return Ok(Some(options)),
        Err(why) => why,
    };
    let what = "the trace contradicts itself, or the file";
    let diagnostic = Diagnostic::unplaced(Code::NotATrace, what).with_note(format!("`initial`: {why}"));
    refuse(console, &trace.source, diagnostic)
}

fn options_of(teller: &Teller<'_>, initial: &[String]) -> Result<Vec<u32>, String> {
    let mut given = initial.iter();
    let mut options = Vec::new();
    for cell in open_cells(teller.program) {
        let (agent, name) = (teller.agent(cell.agent), teller.program.cell_name(cell.cell));
        let Some(text) = given.next() else {
            return Err(format!("the initial value of {agent}@{name} is missing"));
        };
        let mut texts = cell.values.iter().map(|&value| initial_value(teller, &cell, value));
        let Some(option) = texts.position(|it| it == *text) else {
            return Err(format!("{text:?} is no initial value of {agent}@{name}"));
        };
        options.push(option as u32);
    }
    match given.next() {
        Some(text) => Err(format!("{text:?} is one too many")),
        None => Ok(options),
    }
}

/// Whether the steps that a trace claims are repeated for ever do lead back to where they begin. If not, that has been
/// reported and the exit code set.
pub(crate) fn returns(
    opened: &Opened,
    initial: &[u32],
    values: &[Value],
    console: &mut Console,
) -> Result<bool, Failure> {
    let Opened { trace, program, bounds, .. } = opened;
    let Some(from) = trace.repeated_from else { return Ok(true) };
    let steps = Trace { initial: initial.to_vec(), steps: trace.steps.clone() };
    match replay_with(program, bounds, &steps, values) {
        Ok(replayed) if !leads_back(program, bounds, &replayed, from) => {
            let what = format!("the steps from {} on are said to be repeated for ever", from + 1);
            let span = trace.spans.last().copied().unwrap_or_default();
            let diagnostic = Diagnostic::new(
                Code::TraceStep,
                span,
                what,
                "this one does not lead back to where they begin",
            );
            refuse::<()>(console, &trace.source, diagnostic).map(|_| false)
        }
        // A step that cannot be taken is reported when the replay gets to it.
        _ => Ok(true),
    }
}

fn refuse<T>(
    console: &mut Console,
    source: &SourceFile,
    diagnostic: Diagnostic,
) -> Result<Option<T>, Failure> {
    console.set_exit(Exit::Source);
    show_diagnostics(console, source, &[diagnostic])?;
    Ok(None)
}

/// The file of the dialogue: of the path as it was named then, and the file of that name beside the trace, the first that
/// has the text of the trace. Failing that, the first that there is.
fn found(trace: &TraceFile, name: &Path) -> PathBuf {
    let named = named(Path::new(""), &trace.dialogue);
    let folder = name.parent().filter(|_| !is_stdin(name));
    let beside = folder.zip(named.file_name()).map(|(folder, file)| folder.join(file));
    let candidates: Vec<PathBuf> = [Some(named.clone()), beside].into_iter().flatten().collect();
    let is_meant = |path: &&PathBuf| {
        path.is_file() && read_source(path).is_ok_and(|it| fingerprint(it.text()) == trace.fingerprint)
    };
    let meant = candidates.iter().find(is_meant).or_else(|| candidates.iter().find(|path| path.exists()));
    meant.cloned().unwrap_or(named)
}

/// Reports why the step at `index` cannot be taken, and sets the exit code.
pub(crate) fn refuse_step(
    trace: &TraceFile,
    index: u64,
    why: Impossible,
    console: &mut Console,
) -> Result<(), Failure> {
    let span = trace.spans.get(index as usize).copied().unwrap_or_default();
    let what = format!("step {} of the trace cannot be made", index + 1);
    let mut diagnostic = Diagnostic::new(Code::TraceStep, span, what, why.to_string());
    if trace.version != env!("CARGO_PKG_VERSION") {
        diagnostic = diagnostic.with_note(format!(
            "the trace was saved by map {}, and this is map {}",
            trace.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
    let diagnostic =
        diagnostic.with_help("make the trace anew, or step through the dialogue with `map step`");
    console.set_exit(Exit::Source);
    Ok(show_diagnostics(console, &trace.source, &[diagnostic])?)
}
