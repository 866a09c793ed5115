//! The diagnostics of a file, together with its text.

use crate::{Diagnostic, Severity, SourceFile};

/// A file that was examined, and what was found in it.
#[derive(Debug)]
pub struct ExaminedFile {
    /// The file.
    pub source: SourceFile,
    /// Its diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl ExaminedFile {
    /// The number of errors.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error).count()
    }

    /// The number of warnings.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.diagnostics.len() - self.errors()
    }
}
