//! A text with all that is found out about it once.

use map_check::{CheckOptions, check, lint};
use map_diagnostics::{Diagnostic, Severity, SourceFile, Span};
use map_syntax::ast;

use crate::answers::Problem;

/// A text with its tree and its diagnostics.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) source: SourceFile,
    pub(crate) file: ast::File,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Model {
    pub(crate) fn new(text: String) -> Self {
        let source = SourceFile::new("", text);
        let parsed = map_syntax::parse(&source);
        let mut diagnostics = parsed.diagnostics;
        if diagnostics.is_empty() {
            diagnostics = examined(&source, &parsed.file);
        }
        Self { source, file: parsed.file, diagnostics }
    }

    pub(crate) fn text(&self) -> &str {
        self.source.text()
    }

    pub(crate) fn is_correct(&self) -> bool {
        self.diagnostics.iter().all(|it| it.severity() == Severity::Warning)
    }

    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.diagnostics.iter().map(problem).collect()
    }
}

/// The diagnostics of a text that follows the grammar, as `map check` finds them.
fn examined(source: &SourceFile, file: &ast::File) -> Vec<Diagnostic> {
    let options = CheckOptions::default();
    let (checked, mut diagnostics) = check(file, &options);
    diagnostics.extend(checked.iter().flat_map(map_compile::refused_properties));
    diagnostics.extend(lint(source, file, &options));
    diagnostics.sort_by_key(|it| it.span().map(|span| (span, it.code)));
    diagnostics
}

fn problem(diagnostic: &Diagnostic) -> Problem {
    let range = |span: Span| span.start as usize..span.end as usize;
    let primary = diagnostic.labels.iter().find(|label| label.primary);
    let others = diagnostic.labels.iter().filter(|label| !label.primary);
    Problem {
        code: diagnostic.code,
        severity: diagnostic.severity(),
        range: primary.map_or(0..0, |label| range(label.span)),
        message: diagnostic.text.clone(),
        label: primary.map(|label| label.text.clone()).unwrap_or_default(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
        related: others.map(|label| (range(label.span), label.text.clone())).collect(),
        fixes: Vec::new(),
    }
}
