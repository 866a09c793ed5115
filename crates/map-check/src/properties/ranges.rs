//! MAP118 and MAP129: what quantified variables range over.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Body, Domain, DomainKind, File, Formula, FormulaPart, Name, Over, RangeOver};

use crate::weights::{self, MAX_DOMAIN};
use crate::{show, suggest};

pub(super) fn check(file: &File, formula: &Formula, errors: &mut Vec<Diagnostic>) {
    formula.visit(&mut |part, _| {
        let FormulaPart::Range(range) = part else { return };
        match &range.over {
            Over::Domain(domain) => {
                errors.extend(empty(domain, domain.span).or_else(|| too_large(domain)));
                errors.extend(weights::in_property(domain));
            }
            Over::Answers(procedure) => match domain_of(file, range) {
                // A domain that is too large is reported where the procedure is declared; a `decision` may have an
                // empty one.
                Some(domain) => errors.extend(empty(domain, procedure.span)),
                None => errors.push(no_domain(file, procedure)),
            },
        }
    });
}

/// The domain that a variable ranges over; `None` if its procedure has none.
pub(super) fn domain_of<'f>(file: &'f File, range: &'f RangeOver) -> Option<&'f Domain> {
    match &range.over {
        Over::Domain(domain) => Some(domain),
        Over::Answers(name) => match &file.procedures().find(|it| it.name.text == name.text)?.body {
            Some(Body::Domain(domain)) => Some(domain),
            Some(Body::Fresh(_) | Body::Alternatives(_)) | None => None,
        },
    }
}

fn empty(domain: &Domain, span: Span) -> Option<Diagnostic> {
    let DomainKind::Range(first, last) = domain.kind else { return None };
    (first > last).then(|| {
        let text = "the variable has nothing to stand for: this range is empty";
        Diagnostic::new(Code::Domain, span, text, "no value")
            .with_help(format!("A range begins with its smallest value: `{last}..{first}`"))
            .with_replacement(domain.span, format!("{last}..{first}"))
    })
}

fn too_large(domain: &Domain) -> Option<Diagnostic> {
    let size = match &domain.kind {
        // How large it is depends on the cast; so does the size of the property.
        DomainKind::Role(_) => return None,
        DomainKind::Values(values) => values.len() as u128,
        DomainKind::Range(first, last) => last.abs_diff(*first) as u128 + 1,
    };
    (size > MAX_DOMAIN as u128).then(|| {
        let text = format!("the variable ranges over {size} values, more than the {MAX_DOMAIN} allowed");
        Diagnostic::new(Code::Domain, domain.span, text, "too many values")
            .with_note("A quantifier is expanded: its formula is judged for each value")
            .with_help("Choose a smaller range, or let an event bind the variable: `!Name sends m($p) to _`")
    })
}

fn no_domain(file: &File, procedure: &Name) -> Diagnostic {
    let name = &procedure.text;
    let Some(declared) = file.procedures().find(|it| it.name.text == *name) else {
        let text = format!("no procedure `{name}` is declared, so it is not known what it answers");
        let error = Diagnostic::new(Code::NoDomain, procedure.span, text, "not declared");
        let with_domain = || {
            let has = file.procedures().filter(|it| matches!(it.body, Some(Body::Domain(_))));
            has.map(|it| &*it.name.text)
        };
        return match suggest::nearest(name, with_domain()) {
            Some(near) => error.with_help(format!("Did you mean `{near}()`?")).replaced_by(near),
            None if with_domain().next().is_none() => {
                error.with_help(format!("Declare it: `procedure {name}() in 1..10`"))
            }
            None => error.with_help(format!("Procedures with a domain are {}", show::list(with_domain()))),
        };
    };
    let text = format!("the procedure `{name}` has no domain, so its answers cannot be enumerated");
    Diagnostic::new(Code::NoDomain, procedure.span, text, "ranges over unknown values")
        .with_label(declared.name.span, "declared here, without `in ..`")
        .with_help("Name the values: `forall $x in {a, b} : ..` or `forall $x in 1..10 : ..`")
        .with_help("Or give the procedure a domain: `in {a, b}`")
}
