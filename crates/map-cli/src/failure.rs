//! Why a command is aborted.

use std::io;
use std::ops::Range;

use map_diagnostics::{Code, Diagnostic, SourceFile, Span};
use map_verify::InternalError;

use crate::exit::Exit;

/// Why a command is aborted.
pub(crate) enum Failure {
    /// The output cannot be written.
    Output(io::Error),
    /// Standard input cannot be read.
    Input(io::Error),
    /// The command line is wrong; the verb and what is wrong.
    Usage(&'static str, String),
    /// Texts, or what belongs to them, cannot be used: each with what is wrong with it.
    Refused(Vec<(SourceFile, Vec<Diagnostic>)>),
    /// Nothing can be done, for this reason.
    Ended(Exit, String),
    /// Why has been told already.
    Told(Exit),
    /// The engine contradicted itself.
    Internal(String),
}

impl Failure {
    /// A text cannot be used.
    pub(crate) fn refused(source: &SourceFile, diagnostic: Diagnostic) -> Self {
        Self::Refused(vec![(source.clone(), vec![diagnostic])])
    }

    /// A file of which no text is shown cannot be used.
    pub(crate) fn unplaced(code: Code, place: String, text: &str, help: Option<&str>) -> Self {
        let diagnostic = Diagnostic::unplaced(code, format!("{place}: {text}"));
        let diagnostic = help.into_iter().fold(diagnostic, Diagnostic::with_help);
        Self::refused(&SourceFile::new(place, ""), diagnostic)
    }

    /// Whether whoever reads the output has closed it.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if is_closed_pipe(error))
    }
}

/// What is wrong with some bytes of a text, which is far smaller than 4 GiB.
pub(crate) fn diagnostic_at(
    source: &SourceFile,
    code: Code,
    (span, text, help): (Range<usize>, String, Option<String>),
) -> Diagnostic {
    let offset = |it: usize| u32::try_from(it.min(source.text().len())).unwrap_or(u32::MAX);
    let span = Span::new(offset(span.start), offset(span.end));
    help.into_iter().fold(Diagnostic::new(code, span, text, ""), Diagnostic::with_help)
}

/// Whether whoever reads the output has closed it.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<InternalError> for Failure {
    fn from(error: InternalError) -> Self {
        Self::Internal(error.to_string())
    }
}
