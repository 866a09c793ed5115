//! From a text to a program, or to diagnostics.

use std::sync::Arc;

use map_check::{CheckOptions, check, check_around, lint};
use map_diagnostics::{Code, Diagnostic, Severity, SourceFile};
use map_ir::Program;
use map_semantics::Bounds;

use crate::cost_set::CostSet;
use crate::measures::{Collect, MeasureSet};
use crate::properties::PropertySet;
use crate::scene::Scene;

/// A text and what it compiled to.
pub struct Compilation {
    /// The text.
    pub source: Arc<SourceFile>,
    /// Its errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The scenes of the text if there are several and none is chosen: then nothing is compiled.
    pub unchosen: Vec<String>,
    /// The compiled scene, unless there are errors.
    pub program: Option<Arc<Program>>,
    /// The properties to be judged.
    pub properties: Arc<PropertySet>,
}

/// Which properties are compiled besides the scene.
#[derive(Clone, Copy, Debug)]
pub enum PropertySelection<'a> {
    /// None; those of the text are checked all the same.
    Nothing,
    /// Some of the text's, and others.
    Properties {
        /// The names of those of the text; empty for all.
        only: &'a [String],
        /// Formulas that do not stand in the text.
        given: &'a [String],
        /// What is collected of runs.
        collect: Collect<'a>,
    },
}

impl PropertySelection<'_> {
    /// All properties of the text.
    pub const ALL: Self = Self::Properties { only: &[], given: &[], collect: Collect::NOTHING };
}

/// Parses, checks and compiles a text.
#[must_use]
pub fn compile(
    source: &Arc<SourceFile>,
    options: &CheckOptions,
    wanted: PropertySelection<'_>,
) -> Compilation {
    let parsed = map_syntax::parse(source);
    let mut diagnostics = parsed.diagnostics;
    let (mut scenes, mut program) = (Vec::new(), None);
    let mut properties = PropertySet::default();
    // After a syntax error, what the parser could not read would look like missing clauses and roles.
    if diagnostics.is_empty() {
        scenes = parsed.file.scenes().map(|scene| scene.name.text.clone()).collect();
        let (checked, found) = check(&parsed.file, options);
        diagnostics = found;
        if diagnostics.iter().all(|diagnostic| diagnostic.severity() != Severity::Error) {
            program = checked.as_ref().map(|checked| {
                let mut program = map_compile::compile(checked);
                if let PropertySelection::Properties { only, given, collect } = wanted {
                    properties = PropertySet::new(checked, &mut program, only, given);
                    properties.measures = MeasureSet::new(source, checked, &mut program, collect);
                    properties.costs = CostSet::new(checked, &mut program, collect.given);
                }
                program
            });
        }
    } else {
        diagnostics.extend(check_around(&parsed.file, &diagnostics));
        diagnostics.sort_by_key(Diagnostic::span);
    }
    // Errors without a place are about the cast, which may fit another scene.
    let is_error = |it: &Diagnostic| it.severity() == Severity::Error && it.span().is_some();
    let source = Arc::clone(source);
    // Of several scenes one has to be chosen: what is found in the first is not said of the file.
    if options.scene.is_none() && scenes.len() > 1 && !diagnostics.iter().any(is_error) {
        let diagnostics = vec![choose_one(&scenes)];
        return Compilation { source, diagnostics, unchosen: scenes, ..Compilation::default() };
    }
    let (program, properties) = (program.map(Arc::new), Arc::new(properties));
    Compilation { source, diagnostics, unchosen: Vec::new(), program, properties }
}

/// Says that one of several scenes is to be chosen.
#[must_use]
pub fn choose_one(scenes: &[String]) -> Diagnostic {
    let names: Vec<String> = scenes.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::unplaced(Code::UnknownScene, "the file has several scenes, and none is chosen")
        .with_note(format!("The file has {}", names.join(", ")))
        .with_help(format!("Choose one of these, such as `--scene {}`", scenes[0]))
}

impl Compilation {
    /// A text of which only this can be said: it cannot be read, for example.
    #[must_use]
    pub fn refused(source: SourceFile, diagnostic: Diagnostic) -> Self {
        Self { source: Arc::new(source), diagnostics: vec![diagnostic], ..Self::default() }
    }

    /// The compiled scene under these bounds; `None` if there are errors.
    #[must_use]
    pub fn scene(&self, bounds: Bounds) -> Option<Scene> {
        Some(Scene {
            source: Arc::clone(&self.source),
            program: Arc::clone(self.program.as_ref()?),
            properties: Arc::clone(&self.properties),
            bounds,
        })
    }
}

impl Default for Compilation {
    /// An empty text, of which nothing is said.
    fn default() -> Self {
        Self {
            source: Arc::new(SourceFile::new("", "")),
            diagnostics: Vec::new(),
            unchosen: Vec::new(),
            program: None,
            properties: Arc::default(),
        }
    }
}

/// The warnings about a text without errors, in source order.
#[must_use]
pub fn warnings(source: &SourceFile, options: &CheckOptions) -> Vec<Diagnostic> {
    let parsed = map_syntax::parse(source);
    let mut found = lint(source, &parsed.file, options);
    found.sort_by_key(|warning| warning.span().map(|span| (span, warning.code)));
    found
}
