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

use crate::console::Console;
use crate::failure::Failure;
use crate::input::{is_stdin, program_of, read_source, read_source_up_to};
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

/// Reads a trace and the dialogue it is of.
///
/// # Errors
/// If one of them cannot be used.
pub(crate) fn open(name: &Path, at: &SourceArgs, console: &mut Console) -> Result<Opened, Failure> {
    open_source(read_source_up_to(name, MAX_TRACE_BYTES)?, name, at, console)
}

/// Like [`open`], for a trace whose text has already been read from the file `name`.
pub(crate) fn open_source(
    text: SourceFile,
    name: &Path,
    at: &SourceArgs,
    console: &mut Console,
) -> Result<Opened, Failure> {
    let trace = read(&text).map_err(|diagnostic| Failure::refused(&text, diagnostic))?;
    let dialogue = dialogue(&trace, name, at).map_err(|what| {
        let diagnostic = Diagnostic::unplaced(Code::CannotRead, what).with_help("name its file with --file");
        Failure::refused(&text, diagnostic)
    })?;
    let name_shown = shown(name);
    let source = read_source(&dialogue).map_err(|mut unreadable| {
        if at.file.is_none() {
            let diagnostic = unreadable.diagnostic;
            unreadable.diagnostic = diagnostic
                .with_note(format!("it is the dialogue of the trace {name_shown}"))
                .with_help("name the file with --file if it is elsewhere");
        }
        unreadable
    })?;
    if fingerprint(source.text()) != trace.fingerprint {
        let diagnostic =
            Diagnostic::unplaced(Code::TraceOfAnother, "the trace is of another version of this file")
                .with_note(format!("{name_shown} was saved for a text with the digest {}", trace.fingerprint))
                .with_note(format!("this text has the digest {}", fingerprint(source.text())))
                .with_help("name the version that was meant with --file, or make the trace anew");
        return Err(Failure::refused(&source, diagnostic));
    }
    let options =
        CheckOptions { scene: Some(trace.scene.clone()), agents: trace.cast.clone(), set: trace.set.clone() };
    let loaded = compile(&Arc::new(source), &options, PropertySelection::Nothing);
    let program = program_of(&loaded, console)?;
    let bounds = trace.bounds(&program).map_err(|diagnostic| Failure::refused(&text, diagnostic))?;
    Ok(Opened { text, trace, scene: loaded.scene(bounds).expect("it has a program") })
}

impl Opened {
    /// What the trace says of its run besides the steps.
    ///
    /// # Errors
    /// If it does not fit the scene, or if the steps that are said to be repeated for ever do not lead back to where
    /// they begin.
    pub(crate) fn beginning(&self, namer: &mut Namer<'_>) -> Result<Beginning, Failure> {
        let Self { text, trace, scene } = self;
        let mut begin = || {
            let values = trace.values(namer)?;
            let initial = trace.initial(namer)?;
            trace.check_return(&scene.program, &scene.bounds, &initial, &values)?;
            Ok(Beginning { initial, values })
        };
        begin().map_err(|diagnostic| Failure::refused(text, diagnostic))
    }

    /// The step at `index` cannot be taken.
    pub(crate) fn refuse_step(&self, index: u64, why: &Impossible) -> Failure {
        Failure::refused(&self.text, self.trace.impossible(index, why))
    }
}

/// The file of the dialogue, unless there can be none.
fn dialogue(trace: &TraceFile, name: &Path, at: &SourceArgs) -> Result<PathBuf, String> {
    if let Some(file) = &at.file {
        return Ok(file.clone());
    }
    if trace.dialogue == "<stdin>" {
        return Err("the dialogue of this trace was read from standard input".to_owned());
    }
    let found = found(trace, name);
    // The name comes from the trace, which may come from anywhere.
    match fs::metadata(&found).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        true => Err(format!("the dialogue of this trace, {}, is a device or a pipe", shown(&found))),
        false => Ok(found),
    }
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
