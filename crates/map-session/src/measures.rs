//! What is collected of runs.

use std::collections::BTreeMap;

use map_check::{BUILT_IN_COSTS, CheckedScene, check_collected, check_measure};
use map_compile::PropertyCompiler;
use map_diagnostics::{Diagnostic, SourceFile};
use map_ir::{Measure, Measures, Program};
use map_syntax::ast::Item;
use map_syntax::parse_collected;

/// The file name under which diagnostics quote what is collected.
const COLLECTED: &str = "--collect";

/// What is asked to be collected of runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Collect<'a> {
    /// Names of costs and measures, expressions as of measures, and events, which do not stand in the text.
    pub given: &'a [String],
    /// All costs and measures of the text, too.
    pub declared: bool,
}

impl Collect<'_> {
    /// Nothing.
    pub const NOTHING: Self = Self { given: &[], declared: false };
}

/// What is collected of runs of a scene.
#[derive(Default)]
pub struct MeasureSet {
    /// What can be collected.
    pub compiled: Measures,
    /// What cannot: its text, and why.
    pub refused: Vec<(SourceFile, Vec<Diagnostic>)>,
}

impl MeasureSet {
    /// What is asked for, each thing once. It comes in the order in which it is asked for, and behind it what the text
    /// declares.
    pub(crate) fn new(
        source: &SourceFile,
        checked: &CheckedScene<'_>,
        program: &mut Program,
        collect: Collect<'_>,
    ) -> Self {
        let Collect { given, declared } = collect;
        if given.is_empty() && !declared {
            return Self::default();
        }
        let mut compiler = PropertyCompiler::new(checked, program);
        let mut refused = Vec::new();
        let mut measures: BTreeMap<&str, Vec<Measure>> = BTreeMap::new();
        // The others are about other scenes of the file.
        for measure in checked.file.measures().filter(|it| check_measure(checked, it).is_empty()) {
            match compiler.measure(measure) {
                Ok(found) => _ = measures.insert(&measure.name.text, found),
                Err(diagnostics) => refused.push((source.clone(), diagnostics)),
            }
        }
        let (mut list, mut names) = (Vec::new(), Vec::new());
        let all_declared = checked.file.items.iter().filter_map(|item| match item {
            Item::Cost(cost) => Some(cost.name.text.as_str()),
            Item::Measure(measure) => Some(measure.name.text.as_str()),
            _ => None,
        });
        let wanted = given.iter().map(|text| (text.as_str(), true));
        for (text, is_given) in wanted.chain(all_declared.filter(|_| declared).map(|name| (name, false))) {
            let name = text.trim();
            if names.contains(&name) {
                continue;
            }
            names.push(name);
            if let Some(found) = measures.get(name) {
                list.extend(found.iter().cloned());
                continue;
            }
            let is_cost = checked.file.costs().any(|cost| cost.name.text == name);
            if !is_cost && !is_given {
                continue;
            }
            let quantity = match is_cost || BUILT_IN_COSTS.contains(&name) {
                true => format!("cost({name})"),
                false => text.to_owned(),
            };
            let source = SourceFile::new(COLLECTED, quantity);
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
        Self { compiled: compiler.finish_measures(list), refused }
    }
}
