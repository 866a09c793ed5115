//! Opens a trace together with the scene it belongs to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use map_check::CheckOptions;
use map_diagnostics::{Code, Diagnostic, SourceFile};
use map_doors::{named, shown};
use map_explain::Namer;
use map_ir::Value;
use map_session::{PropertySelection, Scene, compile};
use map_simulate::Impossible;
use map_trace::{MAX_TRACE_BYTES, TraceFile, read};

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{is_stdin, read_source, read_source_up_to};
use crate::json::fingerprint;

/// Where the dialogue of a trace is.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SourceArgs {
    /// The file with the dialogue, if it is no longer where it was; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// A trace with its compiled scene, ready to be replayed.
pub(crate) struct Opened {
    /// The text of the trace.
    pub(crate) text: SourceFile,
    pub(crate) trace: TraceFile,
    pub(crate) scene: Scene,
}

/// What a trace says of its run besides the steps.
pub(crate) struct Beginning {
    /// The initial values, as options of [`map_semantics::open_cells`].
    pub(crate) initial: Vec<u32>,
    /// The values that the steps refer to.
    pub(crate) values: Vec<Value>,
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
    text: SourceFile,
    name: &Path,
    at: &SourceArgs,
    console: &mut Console,
) -> Result<Option<Opened>, Failure> {
    let trace = match read(&text) {
        Ok(trace) => trace,
        Err(diagnostic) => return refuse(console, &text, diagnostic),
    };
    let name_shown = shown(name);
    let dialogue = match at.file.as_deref() {
        Some(file) => file.to_owned(),
        None if trace.dialogue == "<stdin>" => {
            let what = "the dialogue of this trace was read from standard input";
            let diagnostic =
                Diagnostic::unplaced(Code::CannotRead, what).with_help("name its file with --file");
            return refuse(console, &text, diagnostic);
        }
        None => found(&trace, name),
    };
    // The name comes from the trace, which may come from anywhere.
    if at.file.is_none() && fs::metadata(&dialogue).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        let what = format!("the dialogue of this trace, {}, is a device or a pipe", shown(&dialogue));
        let diagnostic = Diagnostic::unplaced(Code::CannotRead, what).with_help("name its file with --file");
        return refuse(console, &text, diagnostic);
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
    let options =
        CheckOptions { scene: Some(trace.scene.clone()), agents: trace.cast.clone(), set: trace.set.clone() };
    let loaded = compile(&Arc::new(source), &options, PropertySelection::Nothing);
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = &loaded.program else {
        console.set_exit(Exit::Source);
        return Ok(None);
    };
    match trace.bounds(program) {
        Ok(bounds) => Ok(loaded.scene(bounds).map(|scene| Opened { text, trace, scene })),
        Err(diagnostic) => refuse(console, &text, diagnostic),
    }
}

/// What a trace says of its run besides the steps. Returns `None` if it does not fit the scene, or if the steps that
/// are said to be repeated for ever do not lead back to where they begin; then that has been reported and the exit code
/// set.
pub(crate) fn beginning(
    opened: &Opened,
    namer: &mut Namer<'_>,
    console: &mut Console,
) -> Result<Option<Beginning>, Failure> {
    let Opened { text, trace, scene } = opened;
    let mut begin = || {
        let values = trace.values(namer)?;
        let initial = trace.initial(namer)?;
        trace.check_return(&scene.program, &scene.bounds, &initial, &values)?;
        Ok(Beginning { initial, values })
    };
    match begin() {
        Ok(beginning) => Ok(Some(beginning)),
        Err(diagnostic) => refuse(console, text, diagnostic),
    }
}

/// Reports why the step at `index` cannot be taken, and sets the exit code.
pub(crate) fn refuse_step(
    opened: &Opened,
    index: u64,
    why: Impossible,
    console: &mut Console,
) -> Result<(), Failure> {
    refuse::<()>(console, &opened.text, opened.trace.impossible(index, &why)).map(|_| ())
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

/// The file of the dialogue: of the path as it was named then, and the file of that name beside the trace, the first
/// that has the text of the trace. Failing that, the first that there is.
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
