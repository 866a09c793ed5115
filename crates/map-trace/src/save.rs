//! Writes a trace.

use std::io;

use map_diagnostics::SourceFile;
use map_explain::{Namer, initial_values};
use map_ir::Program;
use map_json::{BoundsOutput, Header, Origin, TraceOutput, to_text};
use map_semantics::Bounds;

/// A trace to be saved. `C` is how the numbers of agents were asked for.
pub struct NewTrace<'a, C> {
    /// The verb that made it.
    pub command: &'a str,
    /// The dialogue.
    pub source: &'a SourceFile,
    /// Its scene.
    pub program: &'a Program,
    /// The bounds in force.
    pub bounds: &'a Bounds,
    /// The numbers of agents that were asked for.
    pub cast: &'a [C],
    /// How it ends: a verdict of the verb.
    pub verdict: &'a str,
    /// The initial values chosen, as options of [`map_semantics::open_cells`].
    pub initial: &'a [u32],
    /// The steps, as text.
    pub choices: Vec<String>,
    /// The choices from this index on are repeated for ever.
    pub repeated_from: Option<usize>,
    /// The values from outside that the choices refer to, as text.
    pub values: Vec<String>,
}

impl<C: ToString> NewTrace<'_, C> {
    /// The text of the trace.
    ///
    /// # Errors
    /// Like [`map_json::to_text`].
    pub fn to_text(self) -> io::Result<String> {
        to_text(&TraceOutput {
            header: Header::new(self.command),
            origin: Origin::new(self.source, self.program, self.cast),
            verdict: self.verdict.to_owned(),
            initial: initial_values(&Namer::new(self.source, self.program), self.initial),
            choices: self.choices,
            repeated_from: self.repeated_from,
            values: self.values,
            bounds: BoundsOutput::new(self.program, self.bounds),
        })
    }
}
