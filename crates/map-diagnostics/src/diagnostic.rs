//! The diagnostic type that every phase produces and every renderer consumes.

use crate::{Code, Severity, Span};

/// A marked span of the source with one line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// One line; may be empty.
    pub text: String,
    /// Whether this is what the diagnostic is about; other labels give context.
    pub primary: bool,
}

/// A change of the source that does what a suggestion says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// What is replaced, and by what, in source order; the spans do not overlap.
    pub edits: Vec<(Span, String)>,
}

/// An error or warning about a source, or about the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, which also fixes the severity.
    pub code: Code,
    /// The message: one sentence without a full stop, in the author's terms, that is understandable by itself.
    pub text: String,
    /// The marked spans; the first is primary. Empty if the diagnostic is about the whole file or the command line.
    pub labels: Vec<Label>,
    /// Explanations, one sentence each.
    pub notes: Vec<String>,
    /// Suggestions, one concrete sentence each.
    pub help: Vec<String>,
    /// The suggestions that can be carried out without thinking, for editors. (There are hardly ever any, and
    /// diagnostics are passed by value: hence not a `Vec`.)
    pub fixes: Box<[Fix]>,
}

impl Diagnostic {
    /// A diagnostic about `span`, labelled with `label`.
    #[must_use]
    pub fn new(code: Code, span: Span, text: impl Into<String>, label: impl Into<String>) -> Self {
        let primary = Label { span, text: label.into(), primary: true };
        Self { labels: vec![primary], ..Self::unplaced(code, text) }
    }

    /// A diagnostic about a file as a whole or about the command line.
    #[must_use]
    pub fn unplaced(code: Code, text: impl Into<String>) -> Self {
        let (labels, notes, help, fixes) = Default::default();
        Self { code, text: text.into(), labels, notes, help, fixes }
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds an explanation.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a change that does what a suggestion says.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        let mut fixes = std::mem::take(&mut self.fixes).into_vec();
        fixes.push(Fix { title: title.into(), edits });
        self.fixes = fixes.into_boxed_slice();
        self
    }

    /// Adds a change that replaces a span.
    #[must_use]
    pub fn with_replacement(self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        let title = if text.is_empty() { "Remove it".to_owned() } else { format!("Write `{text}`") };
        self.with_fix(title, vec![(span, text)])
    }

    /// Adds a change that replaces what the diagnostic is about; nothing if it has no place.
    #[must_use]
    pub fn replaced_by(self, text: impl Into<String>) -> Self {
        match self.span() {
            Some(span) => self.with_replacement(span, text),
            None => self,
        }
    }

    /// The severity, fixed by the code.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The primary span, if there is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.iter().find(|label| label.primary).map(|label| label.span)
    }
}
