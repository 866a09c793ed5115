//! MAP116, MAP118 and MAP316: bodies that may have no answer, domains of the wrong size, and alternatives that are
//! never reached.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Alternative, Answer, Domain, DomainKind, File, Memory, Name, Procedure};

use super::{Asked, Bodies, visit};
use crate::parts::Parts;
use crate::weights::{MAX_DOMAIN, weights};

pub(super) fn check(procedure: &Procedure, errors: &mut Vec<Diagnostic>) {
    if !procedure.may_refuse {
        errors.extend(no_answer(procedure));
    }
    for domain in visit::domains(procedure) {
        match size(domain) {
            Some(0) if !procedure.may_refuse => errors.push(empty(procedure, domain)),
            Some(size) if size > MAX_DOMAIN as u128 => errors.push(too_large(domain, size)),
            _ => errors.extend(wrong_weights(domain)),
        }
    }
}

/// Reports domains of initial values that are empty or too large.
pub(super) fn check_memory(memory: &Memory, errors: &mut Vec<Diagnostic>) {
    for (cell, domain) in visit::initial_domains(memory) {
        match size(domain) {
            Some(0) => errors.push(no_first_value(cell, domain)),
            Some(size) if size > MAX_DOMAIN as u128 => errors.push(too_many_first_values(domain, size)),
            _ => errors.extend(wrong_weights(domain)),
        }
    }
}

/// What is wrong with the weights of a domain that has values; also if none of them has a weight other than 0.
fn wrong_weights(domain: &Domain) -> Option<Diagnostic> {
    match weights(domain) {
        Err(error) => Some(error),
        Ok(Some(all)) if all.iter().all(Option::is_none) => Some(
            Diagnostic::new(Code::Domain, domain.span, "all weights of this domain are 0", "no value")
                .with_note("A value whose weight is 0 is no value of the domain")
                .with_help("Give the values that may occur a weight from 1 on"),
        ),
        Ok(_) => None,
    }
}

fn no_first_value(cell: &Name, domain: &Domain) -> Diagnostic {
    let text = format!("the cell `@{}` has no initial value: this domain is empty", cell.text);
    let error = Diagnostic::new(Code::Domain, domain.span, text, "no value")
        .with_label(cell.span, "a cell always has a value");
    match domain.kind {
        DomainKind::Range(first, last) => {
            error.with_help(format!("A range begins with its smallest value: `{last}..{first}`"))
        }
        _ => error.with_help("Write the values that it may have at the beginning"),
    }
}

fn too_many_first_values(domain: &Domain, size: u128) -> Diagnostic {
    let text = format!("this domain has {size} values, more than the {MAX_DOMAIN} allowed");
    Diagnostic::new(Code::Domain, domain.span, text, "too many values")
        .with_note("Each value is an initial state of its own")
        .with_help("Choose a smaller domain, or a single value")
}

/// A `procedure` whose last alternative has a guard.
fn no_answer(procedure: &Procedure) -> Option<Diagnostic> {
    let guard = visit::alternatives(procedure).last()?.guard.as_ref()?;
    let name = &procedure.name;
    let text = format!("the last alternative of the procedure `{}` has a guard", name.text);
    Some(
        Diagnostic::new(Code::MayHaveNoAnswer, guard.span, text, "this may not hold")
            .with_label(name.span, "a `procedure` always answers")
            .with_help("End with an alternative without guard, such as `= none`")
            .with_help(format!("Or write `decision {}`: it answers \"no\" when no guard holds", name.text)),
    )
}

/// The number of values of a domain; `None` for a role, whose size depends on the cast.
fn size(domain: &Domain) -> Option<u128> {
    match &domain.kind {
        DomainKind::Values(values) => Some(values.len() as u128),
        DomainKind::Range(first, last) if first > last => Some(0),
        DomainKind::Range(first, last) => Some(last.abs_diff(*first) as u128 + 1),
        DomainKind::Role(_) => None,
    }
}

fn empty(procedure: &Procedure, domain: &Domain) -> Diagnostic {
    let name = &procedure.name;
    let text = format!("the procedure `{}` has nothing to answer: this domain is empty", name.text);
    let error = Diagnostic::new(Code::Domain, domain.span, text, "no value")
        .with_label(name.span, "a `procedure` always answers");
    match domain.kind {
        DomainKind::Range(first, last) => {
            let error = error.with_help(format!("A range begins with its smallest value: `{last}..{first}`"));
            match domain.weights {
                None => error.replaced_by(format!("{last}..{first}")),
                Some(_) => error,
            }
        }
        _ => error.with_help(format!("Write values, or `decision {}`: then it answers \"no\"", name.text)),
    }
}

fn too_large(domain: &Domain, size: u128) -> Diagnostic {
    let text = format!("this domain has {size} values, more than the {MAX_DOMAIN} allowed");
    Diagnostic::new(Code::Domain, domain.span, text, "too many values")
        .with_note("Each value is a step of its own where the procedure is asked")
        .with_help(
            "Choose a smaller domain, or leave the body out: then every answer is taken to be possible",
        )
}

/// Reports domains that are roles with more than [`MAX_DOMAIN`] agents, or, for the initial value of a cell, with none.
pub(super) fn roles_too_large(
    bodies: &Bodies<'_>,
    parts: &Parts<'_>,
    asked: &Asked<'_>,
    errors: &mut Vec<Diagnostic>,
) {
    let agents = |role: &Name| -> Option<usize> {
        let role = parts.roles.get_index_of(&role.text)?;
        Some(parts.of_role[role].iter().map(|&part| parts.list[part].count).sum())
    };
    let size_in_scene = |domain: &Domain| match &domain.kind {
        DomainKind::Role(role) => agents(role),
        DomainKind::Values(_) | DomainKind::Range(..) => None,
    };
    for (_, procedure) in asked.keys() {
        for domain in bodies.of(procedure).flat_map(|declared| visit::domains(declared.procedure)) {
            if let Some(size) = size_in_scene(domain).filter(|&size| size > MAX_DOMAIN) {
                errors.push(too_large(domain, size as u128));
            }
        }
    }
    for memory in bodies.file.memories().filter(|memory| agents(&memory.role) > Some(0)) {
        for (cell, domain) in visit::initial_domains(memory) {
            match size_in_scene(domain) {
                Some(0) => errors.push(no_first_value(cell, domain)),
                Some(size) if size > MAX_DOMAIN => errors.push(too_many_first_values(domain, size as u128)),
                _ => {}
            }
        }
    }
}

/// Warnings about alternatives that follow one without a guard, at most one for each procedure and truth of the file.
#[must_use]
pub fn alternatives_never_taken(file: &File) -> Vec<Diagnostic> {
    let declared = file.procedures().chain(file.truths().map(|truth| &truth.decision));
    let warnings = declared.filter_map(|procedure| {
        let alternatives = visit::alternatives(procedure);
        let always = alternatives.iter().position(|alternative| alternative.guard.is_none())?;
        Some(never_taken(&alternatives[always], alternatives.get(always + 1)?))
    });
    warnings.collect()
}

fn never_taken(always: &Alternative, behind: &Alternative) -> Diagnostic {
    let span = behind.guard.as_ref().map_or_else(|| answer(behind), |guard| guard.span);
    Diagnostic::new(
        Code::AlternativeNeverTaken,
        span,
        "this alternative is never taken: the one before has no guard",
        "never looked at",
    )
    .with_label(answer(always), "always taken")
    .with_note("The first alternative whose guard holds is taken")
    .with_help("Move the alternative without guard to the end, or give it a guard")
}

fn answer(alternative: &Alternative) -> Span {
    match &alternative.answer {
        Answer::Value(value) => value.span,
        Answer::Domain(domain) => domain.span,
    }
}
