//! The diagnostic value that every phase produces and every renderer reads.

use crate::{Code, Severity, Span};

/// A marked place in the source with one line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// One line; may be empty.
    pub text: String,
    /// Whether this is the place the diagnostic is about; the others give its context.
    pub primary: bool,
}

/// Something to tell the author about their source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, which also fixes the severity.
    pub code: Code,
    /// One sentence that can stand alone, without a full stop, in the author's terms.
    pub text: String,
    /// The marked places; the first is primary. Empty when the whole file is meant.
    pub labels: Vec<Label>,
    /// Facts that explain, one sentence each.
    pub notes: Vec<String>,
    /// What to do about it, one concrete sentence each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic about `span`, labelled with `label`.
    #[must_use]
    pub fn new(code: Code, span: Span, text: impl Into<String>, label: impl Into<String>) -> Self {
        let primary = Label { span, text: label.into(), primary: true };
        Self { code, text: text.into(), labels: vec![primary], notes: Vec::new(), help: Vec::new() }
    }

    /// A diagnostic about a file as a whole or about the command line.
    #[must_use]
    pub fn unplaced(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), labels: Vec::new(), notes: Vec::new(), help: Vec::new() }
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The severity, fixed by the code.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The place the diagnostic is about, if it has one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.iter().find(|label| label.primary).map(|label| label.span)
    }
}
