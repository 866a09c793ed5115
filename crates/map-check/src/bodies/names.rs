//! Roles and agents mentioned in memories and bodies must exist in the scenes that use them.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Expression, ExpressionKind, InitialValue, Name, TermKind};

use super::{Asked, Bodies, asked, visit};
use crate::parts::Parts;
use crate::resolve::{self, RolesOfFile};
use crate::{show, suggest};

/// Reports a memory whose role exists in no scene.
pub(super) fn memory_role(
    role: &Name,
    scenes: &[Parts<'_>],
    of_file: &RolesOfFile<'_>,
    errors: &mut Vec<Diagnostic>,
) {
    let known = || scenes.iter().flat_map(|parts| parts.roles.iter().map(String::as_str));
    if of_file.knows(&role.text) {
        return;
    }
    let text = format!("no scene of the file defines the role `%{}`", role.text);
    let error = Diagnostic::new(Code::UnknownRole, role.span, text, "unknown role");
    errors.push(match suggest::nearest(&role.text, known()) {
        Some(near) => error.with_help(format!("Did you mean `%{near}`?")).replaced_by(format!("%{near}")),
        None => {
            let mut seen = HashSet::new();
            let known = show::list(known().filter(|role| seen.insert(*role)).map(|role| format!("%{role}")));
            error.with_help(format!("The roles of the file are {known}"))
        }
    });
}

/// Reports unknown roles and agents in the memories of the scene's roles and in the procedures it asks.
pub(super) fn in_scene(
    bodies: &Bodies<'_>,
    parts: &Parts<'_>,
    asked: &Asked<'_>,
    of_file: &RolesOfFile<'_>,
    cast_doubtful: bool,
    errors: &mut Vec<Diagnostic>,
) {
    let mut check = |constant: &TermKind, span| {
        errors.extend(resolve::unknown(parts, of_file, cast_doubtful, constant, span));
    };
    for memory in bodies.file.memories().filter(|memory| parts.roles.contains(&memory.role.text)) {
        for cell in &memory.cells {
            match &cell.value {
                InitialValue::Value(Expression { kind: ExpressionKind::Constant(constant), span }) => {
                    check(constant, *span);
                }
                InitialValue::Value(_) => {}
                InitialValue::Domain(domain) => visit::in_domain(domain, &mut check),
                InitialValue::Count(role) => check(&TermKind::Role(role.text.clone()), role.span),
            }
        }
    }
    let mut seen = HashSet::new();
    for (_, procedure) in asked.keys() {
        if seen.insert(*procedure) {
            bodies.of(procedure).for_each(|declared| visit::constants(declared.procedure, &mut check));
        }
    }
}

/// Reports roles and agents that exist in no scene, in procedures that no scene asks.
pub(super) fn of_unused(
    bodies: &Bodies<'_>,
    scenes: &[Parts<'_>],
    of_file: &RolesOfFile<'_>,
    cast_doubtful: bool,
    errors: &mut Vec<Diagnostic>,
) {
    let Some(first) = scenes.first() else { return };
    let asked: HashSet<&str> = scenes
        .iter()
        .flat_map(|parts| asked::procedures(parts.scene).into_keys().map(|(_, procedure)| procedure))
        .collect();
    let wrong = |parts: &Parts<'_>, constant: &TermKind, span| {
        resolve::unknown(parts, of_file, cast_doubtful, constant, span)
    };
    let file = bodies.file;
    let declared = file.procedures().chain(file.truths().map(|truth| &truth.decision));
    for procedure in declared.filter(|it| !asked.contains(&*it.name.text)) {
        visit::constants(procedure, &mut |constant, span| {
            let Some(error) = wrong(first, constant, span) else { return };
            if scenes[1..].iter().all(|parts| wrong(parts, constant, span).is_some()) {
                errors.push(error);
            }
        });
    }
}
