//! `--save-trace`: writes the steps of a run to a file, as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use map_ir::Program;
use map_semantics::Bounds;
use tempfile::Builder;

use crate::args::SceneArgs;
use crate::commands::Failure;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Loaded;
use crate::interrupt::undisturbed;
use crate::json::{self, BoundsOutput, Header, Origin, TraceOutput};

/// The flag that saves a trace.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SaveArgs {
    /// Save the trace to that file, for `map replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<String>,
}

impl SaveArgs {
    /// What is wrong with the file to write, found before anything is done.
    pub(crate) fn check(&self, dialogue: &str) -> Result<(), String> {
        self.save_trace.as_deref().map_or(Ok(()), |target| check_target(target, dialogue))
    }
}

/// What is wrong with the name of a file to save a trace of that dialogue to.
pub(crate) fn check_target(target: &str, dialogue: &str) -> Result<(), String> {
    let path = Path::new(target);
    if target.is_empty() || target == "-" {
        return Err(
            "--save-trace takes the name of a file; --format json prints to standard output".to_owned()
        );
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("map")) {
        return Err(format!(
            "--save-trace {target}: a trace is no dialogue; give it a name that ends in .json"
        ));
    }
    if fs::canonicalize(path).is_ok_and(|it| fs::canonicalize(dialogue).is_ok_and(|other| it == other)) {
        return Err(format!("--save-trace {target}: this is the dialogue itself"));
    }
    if path.is_dir() {
        return Err(format!("--save-trace {target}: this is a directory"));
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("--save-trace {target}: there is no directory {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// A trace to be saved.
pub(crate) struct Saved<'a> {
    /// The verb that made it.
    pub(crate) command: &'a str,
    pub(crate) loaded: &'a Loaded,
    pub(crate) program: &'a Program,
    pub(crate) bounds: &'a Bounds,
    /// The `--agents` in force.
    pub(crate) scene: &'a SceneArgs,
    /// How it ends, in the word of the verb.
    pub(crate) verdict: &'a str,
    pub(crate) choices: Vec<String>,
    /// The step from which on they are repeated for ever.
    pub(crate) repeated_from: Option<usize>,
    /// What the choices refer to.
    pub(crate) values: Vec<String>,
}

impl Saved<'_> {
    /// Writes the trace; what goes wrong is told on standard error and makes the exit code that of an unreadable file.
    pub(crate) fn write(self, target: &str, console: &mut Console) -> Result<bool, Failure> {
        let output = TraceOutput {
            header: Header::new(self.command),
            origin: Origin::new(&self.loaded.source, self.program, self.scene),
            verdict: self.verdict.to_owned(),
            choices: self.choices,
            repeated_from: self.repeated_from,
            values: self.values,
            bounds: BoundsOutput::new(self.program, self.bounds),
        };
        let text = json::to_text(&output)?;
        if let Err(error) = undisturbed(|| write_whole(Path::new(target), &text)) {
            console.complain(&format!("error: the trace cannot be saved to {target}: {error}\n"))?;
            console.set_exit(Exit::Source);
            return Ok(false);
        }
        Ok(true)
    }
}

/// Writes a file beside the target and puts it in its place.
fn write_whole(target: &Path, text: &str) -> io::Result<()> {
    // Through a link its target is replaced, not the link.
    let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
    if fs::metadata(&target).is_ok_and(|it| it.permissions().readonly() || !it.is_file()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only, or no regular file"));
    }
    let folder = target.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".map-trace-").suffix(".tmp");
    let builder = with_usual_permissions(&mut builder);
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    // Only that the name leads to it may be lost with the power.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// What the user's mask leaves of reading and writing for all: a trace is nothing secret.
#[cfg(unix)]
fn with_usual_permissions<'b, 'p, 's>(builder: &'b mut Builder<'p, 's>) -> &'b mut Builder<'p, 's> {
    use std::os::unix::fs::PermissionsExt as _;

    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn with_usual_permissions<'b, 'p, 's>(builder: &'b mut Builder<'p, 's>) -> &'b mut Builder<'p, 's> {
    builder
}
