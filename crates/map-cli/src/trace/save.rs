//! `--save-trace`: writes the steps of a run to a file, atomically.

use std::path::{Path, PathBuf};

use map_diagnostics::SourceFile;
use map_explain::{Teller, initial_values};
use map_ir::Program;
use map_semantics::Bounds;

use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
use crate::json::{self, BoundsOutput, Header, Origin, TraceOutput};
use map_flags::SceneArgs;

/// The flag, as it appears in error messages.
pub(crate) const FLAG: &str = "--save-trace";

/// The flag that saves a trace.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SaveArgs {
    /// Save the trace to that file, for `map replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<PathBuf>,
}

impl SaveArgs {
    /// What is wrong with the file to write, found before anything is done.
    pub(crate) fn check(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), String> {
        self.save_trace.as_deref().map_or(Ok(()), |target| check_target(FLAG, target, inputs))
    }
}

/// A trace to be saved.
pub(crate) struct Saved<'a> {
    /// The verb that made it.
    pub(crate) command: &'a str,
    /// The dialogue.
    pub(crate) source: &'a SourceFile,
    pub(crate) program: &'a Program,
    pub(crate) bounds: &'a Bounds,
    /// The `--agents` in force.
    pub(crate) scene: &'a SceneArgs,
    /// How it ends: a verdict of the verb.
    pub(crate) verdict: &'a str,
    /// The initial values chosen.
    pub(crate) initial: &'a [u32],
    pub(crate) choices: Vec<String>,
    /// The choices from this index on are repeated for ever.
    pub(crate) repeated_from: Option<usize>,
    /// The values from outside that the choices refer to.
    pub(crate) values: Vec<String>,
}

impl Saved<'_> {
    /// Writes the trace; what goes wrong is told on standard error and makes the exit code that of an unreadable file.
    pub(crate) fn write(self, target: &Path, console: &mut Console) -> Result<bool, Failure> {
        let output = TraceOutput {
            header: Header::new(self.command),
            origin: Origin::new(self.source, self.program, &self.scene.agents),
            verdict: self.verdict.to_owned(),
            initial: initial_values(&Teller::new(self.source, self.program), self.initial),
            choices: self.choices,
            repeated_from: self.repeated_from,
            values: self.values,
            bounds: BoundsOutput::new(self.program, self.bounds),
        };
        let text = json::to_text(&output)?;
        write_besides("the trace", target, &text, console)
    }
}
