//! Visiting the expressions, domains and updates of a procedure.

use map_diagnostics::Span;
use map_syntax::ast::{
    Alternative, Answer, Body, Domain, DomainKind, Expression, ExpressionKind, InitialValue, Memory, Name,
    Procedure, TermKind,
};

use crate::walk;

/// The alternatives of a body; empty if it has another form or is absent.
pub(super) fn alternatives(procedure: &Procedure) -> &[Alternative] {
    match &procedure.body {
        Some(Body::Alternatives(all)) => all,
        Some(Body::Domain(_) | Body::Fresh(_)) | None => &[],
    }
}

/// The domains of a body, in order.
pub(super) fn domains(procedure: &Procedure) -> impl Iterator<Item = &Domain> {
    let whole = match &procedure.body {
        Some(Body::Domain(domain)) => Some(domain),
        Some(Body::Fresh(_) | Body::Alternatives(_)) | None => None,
    };
    let answers = alternatives(procedure).iter().filter_map(|alternative| match &alternative.answer {
        Answer::Domain(domain) => Some(domain),
        Answer::Value(_) => None,
    });
    whole.into_iter().chain(answers)
}

/// Visits every expression of a body in pre-order, left to right.
pub(super) fn expressions<'a>(procedure: &'a Procedure, visit: &mut dyn FnMut(&'a Expression)) {
    for alternative in alternatives(procedure) {
        if let Some(guard) = &alternative.guard {
            walk::expressions(guard, visit);
        }
        if let Answer::Value(value) = &alternative.answer {
            walk::expressions(value, visit);
        }
        for update in &alternative.updates {
            walk::expressions(&update.value, visit);
        }
    }
}

/// Visits every constant of a body, in its expressions and its domains.
pub(super) fn constants(procedure: &Procedure, visit: &mut dyn FnMut(&TermKind, Span)) {
    expressions(procedure, &mut |expression| {
        if let ExpressionKind::Constant(constant) = &expression.kind {
            visit(constant, expression.span);
        }
    });
    domains(procedure).for_each(|domain| in_domain(domain, visit));
}

/// Visits every constant of a domain.
pub(super) fn in_domain(domain: &Domain, visit: &mut dyn FnMut(&TermKind, Span)) {
    match &domain.kind {
        DomainKind::Values(values) => values.iter().for_each(|term| visit(&term.kind, term.span)),
        DomainKind::Role(role) => visit(&TermKind::Role(role.text.clone()), role.span),
        DomainKind::Range(..) => {}
    }
}

/// The domains of the cells of a memory, each with its cell.
pub(super) fn initial_domains(memory: &Memory) -> impl Iterator<Item = (&Name, &Domain)> {
    memory.cells.iter().filter_map(|cell| match &cell.value {
        InitialValue::Domain(domain) => Some((&cell.cell, domain)),
        InitialValue::Value(_) | InitialValue::Count(_) => None,
    })
}
