//! MAP130, MAP134 and MAP135: truths, and whether they fit the procedures that they are about.

use std::collections::HashMap;

use indexmap::IndexMap;
use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{
    Alternative, Answer, Body, Domain, DomainKind, Expression, ExpressionKind, File, Procedure, TermKind,
    Truth,
};

use super::visit;
use crate::weights::weights;
use crate::{ProcedureInfo, show, suggest};

/// Checks that each truth is about a procedure of the file, `known`, that leaves open what the truth answers.
pub(super) fn check(file: &File, known: &IndexMap<String, ProcedureInfo>, errors: &mut Vec<Diagnostic>) {
    let mut first: HashMap<&str, Span> = HashMap::new();
    for truth in file.truths() {
        let name = truth.procedure();
        if let Some(&first) = first.get(&*name.text) {
            errors.push(twice(truth, first));
            continue;
        }
        first.insert(&name.text, name.span);
        let Some(info) = known.get(&name.text) else {
            errors.push(unknown(truth, known));
            continue;
        };
        if info.arity != truth.decision.parameters.len() {
            errors.push(arity(truth, info));
            continue;
        }
        // A procedure that nothing declares may answer anything.
        let Some(declared) = file.procedures().find(|it| it.name.text == name.text) else { continue };
        match open(declared) {
            Open::Nothing(why) => errors.push(nothing_open(truth, declared, why)),
            Open::Sometimes => {}
            Open::Anything => errors.extend(may_lack_answer(truth, declared)),
            Open::These(domains) => {
                errors.extend(may_lack_answer(truth, declared));
                let answers = visit::alternatives(&truth.decision).iter();
                errors.extend(answers.filter_map(|it| outside(truth, declared, &domains, it)));
            }
        }
    }
}

/// What a procedure leaves open.
enum Open<'a> {
    /// Nothing that a truth could say.
    Nothing(&'static str),
    /// Something where some alternatives apply, and nothing where others do: which answers of a truth matter is not
    /// known.
    Sometimes,
    /// Any value.
    Anything,
    /// A value of one of these domains.
    These(Vec<&'a Domain>),
}

fn open(procedure: &Procedure) -> Open<'_> {
    match &procedure.body {
        None => Open::Anything,
        Some(Body::Fresh(_)) => Open::Nothing("its answer is a new value, which nothing can name"),
        Some(Body::Domain(domain)) if procedure.may_refuse || has_choice(domain) => Open::These(vec![domain]),
        Some(Body::Domain(_)) => Open::Nothing("it has one answer"),
        Some(Body::Alternatives(_)) => {
            let domains: Vec<&Domain> = visit::domains(procedure).collect();
            let open = domains.iter().filter(|domain| has_choice(domain)).count();
            match open {
                0 => Open::Nothing("its alternatives say what it answers"),
                _ if open == visit::alternatives(procedure).len() => Open::These(domains),
                _ => Open::Sometimes,
            }
        }
    }
}

/// Whether a domain may have several values.
fn has_choice(domain: &Domain) -> bool {
    match &domain.kind {
        DomainKind::Values(values) => values.iter().filter(|it| certainly_has(domain, &it.kind)).count() > 1,
        DomainKind::Range(first, last) => first < last,
        DomainKind::Role(_) => true,
    }
}

/// Whether a domain has a value, as far as the text says: an agent may be one of any role, and a value without weight
/// is none.
fn certainly_has(domain: &Domain, value: &TermKind) -> bool {
    let index = match (&domain.kind, value) {
        (DomainKind::Values(values), _) => values.iter().position(|it| it.kind == *value),
        (DomainKind::Range(first, last), TermKind::Integer(number)) if (first..=last).contains(&number) => {
            usize::try_from(number.abs_diff(*first)).ok()
        }
        (DomainKind::Range(..), _) => None,
        (DomainKind::Role(_), TermKind::Agent(_)) => return true,
        (DomainKind::Role(_), _) => None,
    };
    // Wrong weights have been reported.
    let all = weights(domain).unwrap_or(None);
    index.is_some_and(|index| all.is_none_or(|all| all.get(index).is_none_or(Option::is_some)))
}

fn twice(truth: &Truth, first: Span) -> Diagnostic {
    let name = truth.procedure();
    let text = format!("the procedure `{}` has two truths", name.text);
    Diagnostic::new(Code::UnknownCost, name.span, text, "another truth")
        .with_label(first, "the first truth")
        .with_help("Write all cases into one: `truth p($a) | guard = answer | guard = answer`")
}

fn unknown(truth: &Truth, known: &IndexMap<String, ProcedureInfo>) -> Diagnostic {
    let name = truth.procedure();
    let text = format!("there is no procedure `{}` that this could be a truth about", name.text);
    let error = Diagnostic::new(Code::UnknownCost, name.span, text, "not declared, and asked by nobody");
    match suggest::nearest(&name.text, known.keys().map(String::as_str)) {
        Some(near) => error.with_help(format!("Did you mean `{near}`?")).replaced_by(near),
        None => error.with_help(format!("Declare it: `decision {}(..)`", name.text)),
    }
}

fn arity(truth: &Truth, info: &ProcedureInfo) -> Diagnostic {
    let name = truth.procedure();
    let (own, expected) = (show::arguments(truth.decision.parameters.len()), show::arguments(info.arity));
    let text = format!("this truth is about `{}` with {own}, but it is asked with {expected}", name.text);
    Diagnostic::new(Code::ProcedureArity, name.span, text, format!("{own} here"))
        .with_label(info.span, format!("{expected} here"))
        .with_help("A truth has the parameters of its procedure, perhaps with other names")
}

fn nothing_open(truth: &Truth, declared: &Procedure, why: &str) -> Diagnostic {
    let name = truth.procedure();
    let text = format!("the procedure `{}` leaves nothing open that a truth could say", name.text);
    Diagnostic::new(Code::NothingOpen, name.span, text, "nobody could answer otherwise")
        .with_label(declared.name.span, why)
        .with_help(
            "Let it answer from a domain, such as `in 1..3`, or leave its body out; or remove the truth",
        )
}

/// A truth without a last alternative that always holds, for a procedure that does not say "no".
fn may_lack_answer(truth: &Truth, declared: &Procedure) -> Option<Diagnostic> {
    let guard = visit::alternatives(&truth.decision).last()?.guard.as_ref()?;
    let name = truth.procedure();
    let text = format!("the last alternative of the truth of the procedure `{}` has a guard", name.text);
    (!declared.may_refuse).then(|| {
        Diagnostic::new(Code::MayHaveNoAnswer, guard.span, text, "this may not hold")
            .with_label(declared.name.span, "a `procedure` always answers")
            .with_help("End with an alternative without guard, such as `= 0`")
    })
}

/// An answer that is in none of the domains, whatever happens.
fn outside(
    truth: &Truth,
    declared: &Procedure,
    domains: &[&Domain],
    alternative: &Alternative,
) -> Option<Diagnostic> {
    let is_outside = |value: &TermKind| !domains.iter().any(|domain| certainly_has(domain, value));
    let (value, span) = match &alternative.answer {
        Answer::Value(Expression { kind: ExpressionKind::Constant(value), span }) => (value.clone(), *span),
        Answer::Value(_) => return None,
        Answer::Domain(domain) => match &domain.kind {
            DomainKind::Values(values) => {
                let wrong = values.iter().find(|it| is_outside(&it.kind))?;
                (wrong.kind.clone(), wrong.span)
            }
            DomainKind::Range(first, last) => {
                let ends = [first, last].map(|number| TermKind::Integer(*number));
                (ends.into_iter().find(is_outside)?, domain.span)
            }
            DomainKind::Role(_) => return None,
        },
    };
    if !is_outside(&value) {
        return None;
    }
    let name = truth.procedure();
    let text = format!("`{}` is nothing that `{}` can answer", show::constant(&value), name.text);
    let error = Diagnostic::new(Code::UntrueAnswer, span, text, "outside of the domain")
        .with_label(domains[0].span, "the answers are these");
    Some(match (&value, declared.may_refuse) {
        (TermKind::Name(word), true) if word == "no" => error
            .with_help("To say \"no\", let no guard hold: `truth p($a) | $a > 0 = $a` says \"no\" otherwise"),
        _ => error.with_help("An honest agent can only give an answer that the procedure allows"),
    })
}
