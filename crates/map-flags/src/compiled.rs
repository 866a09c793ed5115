//! From a text to a program, or to diagnostics.

use map_check::{CheckOptions, Checked, check};
use map_diagnostics::{Diagnostic, Severity, SourceFile};
use map_ir::Program;

use crate::properties::PropertySet;

/// What a text compiled to.
pub struct Compiled {
    /// Its errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of its scenes, in order; empty after a syntax error.
    pub scenes: Vec<String>,
    /// The compiled scene, unless there are errors.
    pub program: Option<Program>,
    /// The properties to be judged; empty unless compiled by [`compile_with_properties`].
    pub properties: PropertySet,
}

/// Parses, checks and compiles a text. Its properties are checked, but not compiled.
#[must_use]
pub fn compile(source: &SourceFile, options: &CheckOptions) -> Compiled {
    compile_for(source, options, |_, _| PropertySet::default())
}

/// Like [`compile`], but compiles properties too: those of the text that are named in `only`, or all if that is empty,
/// and the formulas `given` besides.
#[must_use]
pub fn compile_with_properties(
    source: &SourceFile,
    options: &CheckOptions,
    only: &[String],
    given: &[String],
) -> Compiled {
    compile_for(source, options, |checked, program| PropertySet::new(checked, program, only, given))
}

fn compile_for(
    source: &SourceFile,
    options: &CheckOptions,
    read_properties: impl FnOnce(&Checked<'_>, &mut Program) -> PropertySet,
) -> Compiled {
    let parsed = map_syntax::parse(source);
    let mut diagnostics = parsed.diagnostics;
    let (mut scenes, mut program) = (Vec::new(), None);
    let mut properties = PropertySet::default();
    // After a syntax error, what the parser skipped would look like missing clauses and roles.
    if diagnostics.is_empty() {
        scenes = parsed.file.scenes().map(|scene| scene.name.text.clone()).collect();
        let (checked, found) = check(&parsed.file, options);
        diagnostics = found;
        if diagnostics.iter().all(|it| it.severity() != Severity::Error) {
            program = checked.as_ref().map(|checked| {
                let mut program = map_compile::compile(checked);
                properties = read_properties(checked, &mut program);
                program
            });
        }
    }
    Compiled { diagnostics, scenes, program, properties }
}
