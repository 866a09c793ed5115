//! A text with all that is found out about it once.

use map_check::{CheckOptions, check};
use map_diagnostics::{Diagnostic, Severity, SourceFile, Span};
use map_syntax::ast;

use crate::answers::{Edit, Fix, Problem};
use crate::cast::Cast;
use crate::index::{Index, Site};
use crate::words::Words;

/// A text with its tree, its diagnostics and its names.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) source: SourceFile,
    pub(crate) file: ast::File,
    pub(crate) follows_grammar: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) words: Words,
    pub(crate) index: Index,
    pub(crate) cast: Cast,
}

impl Model {
    pub(crate) fn new(text: String) -> Self {
        let source = SourceFile::new("", text);
        let parsed = map_syntax::parse(&source);
        let follows_grammar = parsed.diagnostics.is_empty();
        let diagnostics = map_compile::examine(&source, &parsed, &CheckOptions::default());
        let words = Words::new(source.text());
        let index = Index::new(source.text(), &words, &parsed.file);
        let cast = Cast::new(&index, &parsed.file);
        Self { source, file: parsed.file, follows_grammar, diagnostics, words, index, cast }
    }

    pub(crate) fn text(&self) -> &str {
        self.source.text()
    }

    pub(crate) fn is_correct(&self) -> bool {
        self.diagnostics.iter().all(|it| it.severity() == Severity::Warning)
    }

    /// The word at a token, with its sigil.
    pub(crate) fn word(&self, token: usize) -> &str {
        &self.text()[self.words.range(token)]
    }

    /// The token at an offset that is a name: one that the offset is in or, failing that, at the end of.
    pub(crate) fn named_at(&self, at: usize) -> Option<usize> {
        let token = self.words.at(at)?;
        let before = token.checked_sub(1).filter(|&before| self.words.range(before).end == at);
        [Some(token), before].into_iter().flatten().find(|&it| !self.index.mentions_of(it).is_empty())
    }

    /// The scene that a token is in.
    pub(crate) fn scene_of(&self, token: usize) -> Option<usize> {
        let next = self.index.scenes.partition_point(|scene| scene.tokens.start <= token);
        let scene = next.checked_sub(1)?;
        (token < self.index.scenes[scene].tokens.end).then_some(scene)
    }

    /// The part in whose clause a message, ask or call stands.
    pub(crate) fn part_of(&self, site: &Site) -> Option<usize> {
        Some(self.index.clauses[site.clause?].part)
    }

    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.diagnostics.iter().map(problem).collect()
    }
}

/// The first error of a text, without its warnings.
pub(crate) fn first_error(text: String) -> Option<Diagnostic> {
    let source = SourceFile::new("", text);
    let parsed = map_syntax::parse(&source);
    let mut errors = parsed.diagnostics;
    if errors.is_empty() {
        errors = check(&parsed.file, &CheckOptions::default()).1;
    }
    errors.into_iter().next()
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
        fixes: diagnostic.fixes.iter().map(fix).collect(),
    }
}

fn fix(fix: &map_diagnostics::Fix) -> Fix {
    let edit = |(span, text): &(Span, String)| Edit {
        range: span.start as usize..span.end as usize,
        text: text.clone(),
    };
    Fix { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() }
}
