//! Name resolution, the cast, and the static rules of MAP (language reference, "Static meaning").
//!
//! [`check`] reports every error of a file in one pass and returns a [`CheckedScene`] scene if there are none.
//! [`match_head`], which decides whether a clause head matches a call, is public so that the compiler uses the same
//! rule as the analyses here.

mod analysis;
mod bare_asks;
mod bindings;
mod bodies;
mod cast;
mod checked;
mod entries;
mod first_values;
mod given;
mod heads;
mod parts;
mod procedures;
mod properties;
mod resolve;
mod show;
mod suggest;
mod walk;
mod warnings;
mod weights;

use indexmap::IndexMap;
use map_diagnostics::Diagnostic;
use map_syntax::ast;

pub use analysis::{Analysis, Candidate};
pub use bodies::alternatives_never_taken;
pub use cast::MAX_AGENTS;
pub use checked::{
    AgentInfo, CastOverride, CheckOptions, CheckedScene, ClauseInfo, Occurrence, PartInfo, ProcedureInfo,
};
pub use given::{FirstValue, GivenValue};
pub use heads::{HeadMatch, OwnName, match_head};
pub use properties::{
    BUILT_IN_COSTS, check_collected, check_formula, check_measure, formulas_of, variables_collected,
};
pub use suggest::nearest;
pub use warnings::{AllowedWarnings, lint, warnings};
pub use weights::{MAX_DOMAIN, weights};

use parts::Parts;

/// Checks all scenes of a file: the chosen scene with the overrides of `options` applied to its cast and its first
/// values, the others as the file has them.
///
/// The diagnostics are errors, sorted by position, those about the command line first. The chosen scene is returned
/// as [`CheckedScene`] unless it has errors or something that belongs to the whole file does (a cast, a memory, a
/// procedure, a property, the names of the scenes). A file without scenes yields neither a scene nor errors: the
/// parser has reported it.
#[must_use]
pub fn check<'a>(file: &'a ast::File, options: &CheckOptions) -> (Option<CheckedScene<'a>>, Vec<Diagnostic>) {
    let Examined { scenes, chosen, sound, procedures, first_values, errors } = examine(file, options);
    let checked = chosen
        .filter(|_| sound)
        .and_then(|index| scenes.into_iter().nth(index))
        .and_then(|(parts, occurrences)| parts.into_checked(file, procedures, occurrences))
        .map(|checked| CheckedScene { first_values, ..checked });
    (checked, errors)
}

/// The errors in a text with syntax errors that are there whatever the text should have been: those about the variables
/// of clauses that could be read as they are. All else depends on what could not be read.
#[must_use]
pub fn check_around(file: &ast::File, syntax: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_whole = |clause: &&ast::Clause| {
        let mut places = syntax.iter().flat_map(|it| &it.labels).map(|label| label.span);
        !places.any(|place| place.start <= clause.span.end && clause.span.start <= place.end)
    };
    let mut errors = Vec::new();
    bindings::check(file.scenes().flat_map(|scene| &scene.clauses).filter(is_whole), &mut errors);
    errors
}

/// Calls `read` with each scene of the file in turn, under the same casts as [`check`]. Does nothing if the file
/// has errors.
fn each_checked(file: &ast::File, options: &CheckOptions, mut read: impl FnMut(&CheckedScene<'_>)) {
    let Examined { scenes, mut procedures, errors, .. } = examine(file, options);
    if !errors.is_empty() {
        return;
    }
    for (parts, occurrences) in scenes {
        let Some(checked) = parts.into_checked(file, procedures, occurrences) else { return };
        read(&checked);
        procedures = checked.procedures;
    }
}

/// The result of examining all scenes of a file.
struct Examined<'a> {
    /// The scenes, each with the meaning of its variable occurrences.
    scenes: Vec<(Parts<'a>, IndexMap<u32, Occurrence>)>,
    chosen: Option<usize>,
    /// Whether the chosen scene and everything that belongs to the whole file are free of errors.
    sound: bool,
    procedures: IndexMap<String, ProcedureInfo>,
    /// First values for the chosen scene.
    first_values: Vec<GivenValue>,
    errors: Vec<Diagnostic>,
}

fn examine<'a>(file: &'a ast::File, options: &CheckOptions) -> Examined<'a> {
    let mut errors = resolve::scenes_twice(file);
    let chosen = resolve::chosen_scene(file, options, &mut errors);
    let procedures = procedures::collect(file, &mut errors);
    let mut scenes: Vec<Parts<'a>> = file.scenes().map(Parts::new).collect();
    let cast_doubtful = cast::apply(file, &mut scenes, chosen, &options.agents, &mut errors);
    let first_values = chosen
        .and_then(|index| scenes.get(index))
        .map_or_else(Vec::new, |scene| first_values::check(file, scene, &options.set, &mut errors));
    let roles_elsewhere = resolve::RolesOfFile::new(&scenes);
    let bodies =
        bodies::Bodies::check(file, &scenes, &roles_elsewhere, cast_doubtful, &procedures, &mut errors);

    properties::check(file, &scenes, chosen, &roles_elsewhere, cast_doubtful, &mut errors);

    let declared = bare_asks::declared(file);
    let mut sound = errors.is_empty();
    let mut occurrences = Vec::new();
    for (index, parts) in scenes.iter().enumerate() {
        let before = errors.len();
        cast::names_twice(parts, cast_doubtful, &mut errors);
        entries::check(parts, &mut errors);
        resolve::names(file, parts, &roles_elsewhere, cast_doubtful, &mut errors);
        heads::check_calls(parts, &mut errors);
        bare_asks::check(file, &declared, parts.scene, &mut errors);
        bodies.check_scene(parts, &roles_elsewhere, cast_doubtful, &mut errors);
        occurrences.push(bindings::check(&parts.scene.clauses, &mut errors));
        if chosen == Some(index) {
            sound &= errors.len() == before;
        }
    }
    // Errors about the command line have no span and keep the order of its options: the sort is stable.
    errors.sort_by_key(|error| error.span().map(|span| (span, error.code)));
    errors.dedup_by(|a, b| a.span().is_some() && (a.code, a.span()) == (b.code, b.span()));
    let scenes = scenes.into_iter().zip(occurrences).collect();
    Examined { scenes, chosen, sound, procedures, first_values, errors }
}

#[cfg(test)]
mod tests;
