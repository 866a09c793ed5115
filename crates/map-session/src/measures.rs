//! What is collected of runs.

use map_check::{BUILT_IN_COSTS, CheckedScene, check_collected};
use map_compile::PropertyCompiler;
use map_diagnostics::{Diagnostic, SourceFile};
use map_ir::{Measures, Program};
use map_syntax::parse_collected;

/// The file name under which diagnostics quote what is collected.
const COLLECTED: &str = "--collect";

/// What is collected of runs of a scene.
#[derive(Default)]
pub struct MeasureSet {
    /// What can be collected.
    pub compiled: Measures,
    /// What cannot: its text, and why.
    pub refused: Vec<(SourceFile, Vec<Diagnostic>)>,
}

/// What a text asks for: the name of a cost stands for what has been paid.
fn quantity_of(checked: &CheckedScene<'_>, text: &str) -> String {
    let name = text.trim();
    let is_declared = checked.file.costs().any(|cost| cost.name.text == name);
    match is_declared || BUILT_IN_COSTS.contains(&name) {
        true => format!("cost({name})"),
        false => text.to_owned(),
    }
}

impl MeasureSet {
    /// What the texts ask for.
    pub(crate) fn new(checked: &CheckedScene<'_>, program: &mut Program, texts: &[String]) -> Self {
        let mut compiler = PropertyCompiler::new(checked, program);
        let (mut list, mut refused) = (Vec::new(), Vec::new());
        for text in texts {
            let source = SourceFile::new(COLLECTED, quantity_of(checked, text));
            let compiled =
                parse_collected(&source).and_then(|collected| match check_collected(checked, &collected) {
                    errors if errors.is_empty() => compiler.collect(text, &collected),
                    errors => Err(errors),
                });
            match compiled {
                Ok(measures) => list.extend(measures),
                Err(diagnostics) => refused.push((source, diagnostics)),
            }
        }
        Self { compiled: Measures { list, tables: compiler.finish() }, refused }
    }
}
