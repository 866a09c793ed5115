//! Properties: their structure and kinds, which do not depend on a scene, and their names, which do.

mod collected;
mod costs;
mod kinds;
mod measures;
mod names;
mod ranges;
mod remembered;
mod structure;
mod variables;

use std::collections::HashMap;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{File, Formula, Measure, Property};

use crate::CheckedScene;
use crate::parts::Parts;
use crate::properties::names::{Needed, OfScene};
use crate::resolve::RolesOfFile;

/// Checks the properties of a file. A property is correct if it is correct in some scene; otherwise its mistakes in
/// the chosen scene are reported.
pub(crate) fn check(
    file: &File,
    scenes: &[Parts<'_>],
    chosen: Option<usize>,
    of_file: &RolesOfFile<'_>,
    cast_doubtful: bool,
    errors: &mut Vec<Diagnostic>,
) {
    twice(file, errors);
    costs::check_prices(file, errors);
    let before = errors.len();
    measures::check(file, errors);
    let measures_are_right = errors.len() == before;
    if [file.properties().count(), file.costs().count(), file.measures().count()] == [0, 0, 0] {
        return;
    }
    let of_scenes: Vec<OfScene<'_>> = scenes.iter().map(OfScene::new).collect();
    for property in file.properties() {
        let before = errors.len();
        well_formed(file, &property.formula, errors);
        if errors.len() > before || scenes.is_empty() {
            continue;
        }
        let mistakes = |scene: usize| {
            let (parts, names) = (&scenes[scene], &of_scenes[scene]);
            names::mistakes(file, parts, names, of_file, cast_doubtful, &property.formula)
        };
        let needed = Needed::new(&property.formula);
        let is_right = |scene: usize| {
            !needed.lacks_some(&scenes[scene], &of_scenes[scene], cast_doubtful) && mistakes(scene).is_empty()
        };
        if !(0..scenes.len()).any(is_right) {
            errors.extend(mistakes(chosen.unwrap_or(0)));
        }
    }
    if scenes.is_empty() {
        return;
    }
    for event in file.costs().flat_map(|cost| &cost.charges).map(|charge| &charge.event) {
        let mistakes = |scene: usize| {
            names::mistakes(file, &scenes[scene], &of_scenes[scene], of_file, cast_doubtful, event)
        };
        if (0..scenes.len()).all(|scene| !mistakes(scene).is_empty()) {
            errors.extend(mistakes(chosen.unwrap_or(0)));
        }
    }
    for measure in file.measures().filter(|_| measures_are_right) {
        let formulas = formulas_of(measure.of.as_ref(), &measure.value);
        let role = measure.of.as_ref().map(measures::role_alone);
        let mistakes = |scene: usize| -> Vec<Diagnostic> {
            let of_scene = |formula| {
                names::mistakes(file, &scenes[scene], &of_scenes[scene], of_file, cast_doubtful, formula)
            };
            // An unknown role is said once.
            match role.iter().flat_map(of_scene).collect::<Vec<_>>() {
                unknown if unknown.is_empty() => formulas.iter().flat_map(of_scene).collect(),
                unknown => unknown,
            }
        };
        if (0..scenes.len()).all(|scene| !mistakes(scene).is_empty()) {
            errors.extend(mistakes(chosen.unwrap_or(0)));
        }
    }
}

/// The errors of a measure of the file in a scene; empty if the scene has everything that it reads.
#[must_use]
pub fn check_measure(checked: &CheckedScene<'_>, measure: &Measure) -> Vec<Diagnostic> {
    let formulas = formulas_of(measure.of.as_ref(), &measure.value);
    let role = measure.of.as_ref().map(measures::role_alone);
    role.iter().chain(&formulas).flat_map(|formula| check_formula(checked, formula)).collect()
}

/// The errors of a formula in a scene; empty if it is well-formed and the scene has everything it mentions.
#[must_use]
pub fn check_formula(checked: &CheckedScene<'_>, formula: &Formula) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    well_formed(checked.file, formula, &mut errors);
    if errors.is_empty() {
        let parts = Parts::of_checked(checked);
        let of_file = RolesOfFile::new(std::slice::from_ref(&parts));
        errors = names::mistakes(checked.file, &parts, &OfScene::new(&parts), &of_file, false, formula);
    }
    errors
}

pub use collected::{check_collected, variables as variables_collected};
pub use costs::BUILT_IN_COSTS;
pub use measures::formulas_of;

/// Checks what does not depend on a scene.
fn well_formed(file: &File, formula: &Formula, errors: &mut Vec<Diagnostic>) {
    let before = errors.len();
    structure::check(formula, errors);
    if errors.len() == before {
        variables::check(formula, errors);
    }
    ranges::check(file, formula, errors);
    kinds::check(file, formula, errors);
}

fn twice(file: &File, errors: &mut Vec<Diagnostic>) {
    let mut first: HashMap<&str, Span> = HashMap::new();
    for Property { name, .. } in file.properties() {
        if let Some(&first) = first.get(&*name.text) {
            let text = format!("the property `{}` is defined twice", name.text);
            errors.push(
                Diagnostic::new(Code::PropertyTwice, name.span, text, "defined again")
                    .with_label(first, "first defined here")
                    .with_help("Rename one of the two properties"),
            );
        } else {
            first.insert(&name.text, name.span);
        }
    }
}
