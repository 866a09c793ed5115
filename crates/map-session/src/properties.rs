//! The properties to judge for a scene: those of its file, then those of the command line.

use map_check::{CheckedScene, check_formula};
use map_compile::PropertyCompiler;
use map_diagnostics::{Diagnostic, SourceFile, Span};
use map_ir::{Program, Properties};
use map_syntax::ast::Formula;
use map_syntax::parse_formula;

use crate::cost_set::CostSet;
use crate::measures::MeasureSet;

/// The file name under which diagnostics quote a formula of the command line.
const GIVEN: &str = "--property";

/// The properties to judge for a scene.
#[derive(Default)]
pub struct PropertySet {
    /// Those that can be judged.
    pub compiled: Properties,
    /// All of them, in order.
    pub entries: Vec<PropertyEntry>,
    /// The names of all properties of the file, including those that are not to be judged.
    pub names: Vec<String>,
    /// The scenes of the file besides the chosen one.
    pub other_scenes: Vec<String>,
    /// What is collected of runs.
    pub measures: MeasureSet,
    /// What events cost.
    pub costs: CostSet,
}

/// A property that was asked for.
pub struct PropertyEntry {
    /// Its name, or its text.
    pub name: String,
    /// Its formula, if that is in the file.
    pub formula: Option<Span>,
    /// Whether it can be judged.
    pub state: PropertyState,
}

/// Whether a property can be judged.
pub enum PropertyState {
    /// It can: its index in [`PropertySet::compiled`].
    Compiled(usize),
    /// It cannot, for these reasons. They refer to the file or, if there is a source, to a formula of the command line.
    Refused(Option<SourceFile>, Vec<Diagnostic>),
    /// It is valid, but refers to something that only another scene of the file has.
    OfOtherScene,
}

impl PropertySet {
    /// How many of the entries stand in the text; those given besides follow them.
    #[must_use]
    pub fn of_text(&self) -> usize {
        self.entries.iter().filter(|entry| entry.formula.is_some()).count()
    }

    /// The properties of a checked file for the chosen scene, restricted to the names in `only` unless that is empty,
    /// and the formulas `given` on the command line.
    pub fn new(checked: &CheckedScene<'_>, program: &mut Program, only: &[String], given: &[String]) -> Self {
        let mut compiler = PropertyCompiler::new(checked, program);
        let (mut entries, mut compiled) = (Vec::new(), 0);
        let mut compile =
            |name: &str, formula: &Formula, source: Option<SourceFile>| match compiler.add(name, formula) {
                Ok(()) => {
                    compiled += 1;
                    PropertyState::Compiled(compiled - 1)
                }
                Err(diagnostics) => PropertyState::Refused(source, diagnostics),
            };
        let mut names = Vec::new();
        for property in checked.file.properties() {
            let name = property.name.text.clone();
            names.push(name.clone());
            if !only.is_empty() && !only.contains(&name) {
                continue;
            }
            let state = match check_formula(checked, &property.formula).is_empty() {
                true => compile(&name, &property.formula, None),
                // The file has no errors, so the property is valid for another scene.
                false => PropertyState::OfOtherScene,
            };
            entries.push(PropertyEntry { name, formula: Some(property.formula.span), state });
        }
        for text in given {
            let source = SourceFile::new(GIVEN, text.as_str());
            let formula = parse_formula(&source).and_then(|formula| {
                let errors = check_formula(checked, &formula);
                if errors.is_empty() { Ok(formula) } else { Err(errors) }
            });
            let state = match formula {
                Ok(formula) => compile(text, &formula, Some(source)),
                Err(errors) => PropertyState::Refused(Some(source), errors),
            };
            entries.push(PropertyEntry { name: text.clone(), formula: None, state });
        }
        let scenes = checked.file.scenes().map(|it| &it.name.text);
        let other_scenes = scenes.filter(|name| **name != checked.scene.name.text).cloned().collect();
        let compiled = compiler.finish();
        let (measures, costs) = (MeasureSet::default(), CostSet::default());
        Self { compiled, entries, names, other_scenes, measures, costs }
    }
}
