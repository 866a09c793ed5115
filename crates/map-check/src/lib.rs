//! Name resolution, the cast, and the static rules of MAP (language reference, "Static meaning").
//!
//! [`check`] reports every error of a file in one pass and hands out a [`Checked`] scene when there is none. The
//! judgement whether a clause head can take a call, [`match_head`], is public: the compiler and the analysis of what
//! can fail need the same one.

mod analysis;
mod bindings;
mod bodies;
mod cast;
mod checked;
mod entries;
mod heads;
mod parts;
mod procedures;
mod properties;
mod resolve;
mod show;
mod suggest;
mod walk;
mod warnings;

use indexmap::IndexMap;
use map_diagnostics::Diagnostic;
use map_syntax::ast;

pub use analysis::{Analysis, Candidate};
pub use bodies::{MAX_DOMAIN, alternatives_never_taken};
pub use cast::MAX_AGENTS;
pub use checked::{
    AgentInfo, CastOverride, CheckOptions, Checked, ClauseInfo, Occurrence, PartInfo, ProcedureInfo,
};
pub use heads::{HeadMatch, OwnName, match_head};
pub use properties::check_formula;
pub use suggest::nearest;
pub use warnings::{Allowed, lint, warnings};

use parts::Parts;

/// Checks all scenes of a file: the chosen one under its cast with the overrides of the options, the others under
/// the casts of the file.
///
/// The diagnostics are errors, sorted by position (those about the command line first). There is a [`Checked`] scene
/// unless the chosen scene or something that belongs to the whole file (a cast, a memory, a procedure, the names
/// of the scenes) is wrong. A file without any scene gives neither: the parser reports it.
#[must_use]
pub fn check<'a>(file: &'a ast::File, options: &CheckOptions) -> (Option<Checked<'a>>, Vec<Diagnostic>) {
    let Examined { scenes, chosen, sound, procedures, errors } = examine(file, options);
    let checked = chosen
        .filter(|_| sound)
        .and_then(|index| scenes.into_iter().nth(index))
        .and_then(|(parts, occurrences)| parts.into_checked(file, procedures, occurrences));
    (checked, errors)
}

/// Hands every scene to `read`, one after the other: the chosen one under its cast with the overrides of the options,
/// the others under the casts of the file. If there are errors it hands out none.
fn each_checked(file: &ast::File, options: &CheckOptions, mut read: impl FnMut(&Checked<'_>)) {
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

/// What is known of a file when all its scenes have been looked at.
struct Examined<'a> {
    /// The scenes, and what the variables in them do.
    scenes: Vec<(Parts<'a>, IndexMap<u32, Occurrence>)>,
    chosen: Option<usize>,
    /// Whether the chosen scene and what belongs to the whole file are right.
    sound: bool,
    procedures: IndexMap<String, ProcedureInfo>,
    errors: Vec<Diagnostic>,
}

fn examine<'a>(file: &'a ast::File, options: &CheckOptions) -> Examined<'a> {
    let mut errors = resolve::scenes_twice(file);
    let chosen = resolve::chosen_scene(file, options, &mut errors);
    let procedures = procedures::collect(file, &mut errors);
    let mut scenes: Vec<Parts<'a>> = file.scenes().map(Parts::new).collect();
    let cast_doubtful = cast::apply(file, &mut scenes, chosen, &options.agents, &mut errors);
    let roles_elsewhere = resolve::RolesOfFile::new(&scenes);
    let bodies = bodies::Bodies::check(file, &scenes, &roles_elsewhere, cast_doubtful, &mut errors);

    properties::check(file, &scenes, chosen, &roles_elsewhere, cast_doubtful, &mut errors);

    let mut sound = errors.is_empty();
    let mut occurrences = Vec::new();
    for (index, parts) in scenes.iter().enumerate() {
        let before = errors.len();
        cast::names_twice(parts, cast_doubtful, &mut errors);
        entries::check(parts, &mut errors);
        resolve::names(parts, &roles_elsewhere, cast_doubtful, &mut errors);
        heads::check_calls(parts, &mut errors);
        bodies.check_scene(parts, &roles_elsewhere, cast_doubtful, &mut errors);
        occurrences.push(bindings::check(parts.scene, &mut errors));
        if chosen == Some(index) {
            sound &= errors.len() == before;
        }
    }
    // Those about the command line stay in its order.
    errors.sort_by_key(|error| error.span().map(|span| (span, error.code)));
    errors.dedup_by(|a, b| a.span().is_some() && (a.code, a.span()) == (b.code, b.span()));
    let scenes = scenes.into_iter().zip(occurrences).collect();
    Examined { scenes, chosen, sound, procedures, errors }
}

#[cfg(test)]
mod tests;
