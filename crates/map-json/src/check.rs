//! The output of `map check`, and diagnostics wherever they occur.

use map_diagnostics::{Diagnostic, ExaminedFile, Severity, SourceFile};
use serde::Serialize;

use crate::{Header, SpanOutput, Word};

/// `map check --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The files, in the order of the command line.
    pub files: Vec<CheckedFile>,
    /// The diagnostics of all files.
    pub diagnostics: Vec<DiagnosticOutput>,
}

/// What was found in one file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckedFile {
    /// The file, as it was named.
    pub file: String,
    /// How many errors there are.
    pub errors: usize,
    /// How many warnings there are.
    pub warnings: usize,
}

/// A diagnostic.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticOutput {
    /// The stable code, such as `MAP204`.
    pub code: String,
    /// How bad it is.
    pub severity: Word<Severity>,
    /// One sentence.
    pub text: String,
    /// The file, as it was named.
    pub file: String,
    /// The marked places; none if the whole file is meant.
    pub labels: Vec<LabelOutput>,
    /// Facts that explain.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
    /// Changes of the file that do what `help` says; each by itself.
    pub fixes: Vec<FixOutput>,
}

/// A change of a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FixOutput {
    /// What it does, in a few words.
    pub title: String,
    /// Its parts, in the order of the file; they do not overlap.
    pub edits: Vec<EditOutput>,
}

/// A part of a change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EditOutput {
    /// What is replaced; empty where something is put in.
    pub span: SpanOutput,
    /// What stands there afterwards.
    pub replacement: String,
}

/// A marked place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LabelOutput {
    /// Whether this is the place the diagnostic is about.
    pub primary: bool,
    /// What is said there.
    pub text: String,
    /// Where it is.
    pub span: SpanOutput,
}

impl CheckOutput {
    /// What was found in these files.
    #[must_use]
    pub fn new(files: &[ExaminedFile]) -> Self {
        let diagnostics = files.iter().flat_map(|file| {
            file.diagnostics.iter().map(|diagnostic| DiagnosticOutput::new(&file.source, diagnostic))
        });
        let checked = files.iter().map(|file| CheckedFile {
            file: file.source.name().to_owned(),
            errors: file.errors(),
            warnings: file.warnings(),
        });
        Self { header: Header::new("check"), files: checked.collect(), diagnostics: diagnostics.collect() }
    }
}

impl DiagnosticOutput {
    /// A diagnostic of a file.
    #[must_use]
    pub fn new(source: &SourceFile, diagnostic: &Diagnostic) -> Self {
        let labels = diagnostic.labels.iter().map(|label| LabelOutput {
            primary: label.primary,
            text: label.text.clone(),
            span: SpanOutput::new(source, label.span),
        });
        let fixes = diagnostic.fixes.iter().map(|fix| FixOutput {
            title: fix.title.clone(),
            edits: fix
                .edits
                .iter()
                .map(|(span, text)| EditOutput {
                    span: SpanOutput::new(source, *span),
                    replacement: text.clone(),
                })
                .collect(),
        });
        Self {
            code: diagnostic.code.as_str().to_owned(),
            severity: diagnostic.severity().into(),
            text: diagnostic.text.clone(),
            file: source.name().to_owned(),
            labels: labels.collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            fixes: fixes.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use map_diagnostics::{Code, Diagnostic, SourceFile, Span};
    use serde_json::json;

    use super::DiagnosticOutput;

    #[test]
    fn a_diagnostic_has_all_its_parts() {
        let source = SourceFile::new("a.map", "one\ntwo\n");
        let diagnostic = Diagnostic::new(Code::Syntax, Span::new(4, 7), "text", "label")
            .with_label(Span::new(0, 3), "other")
            .with_note("note")
            .with_help("help")
            .replaced_by("three");
        let two = json!({ "start": 4, "end": 7, "line": 2, "column": 1, "end_line": 2, "end_column": 4 });
        let one = json!({ "start": 0, "end": 3, "line": 1, "column": 1, "end_line": 1, "end_column": 4 });
        let ours = serde_json::to_value(DiagnosticOutput::new(&source, &diagnostic)).unwrap();
        let expected = json!({
            "code": Code::Syntax.as_str(),
            "severity": "error",
            "text": "text",
            "file": "a.map",
            "labels": [
                { "primary": true, "text": "label", "span": two },
                { "primary": false, "text": "other", "span": one },
            ],
            "notes": ["note"],
            "help": ["help"],
            "fixes": [{ "title": "Write `three`", "edits": [{ "span": two, "replacement": "three" }] }],
        });
        assert_eq!(ours, expected);
    }
}
