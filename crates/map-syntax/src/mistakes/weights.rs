//! Mistakes in the weights of domains, and in probabilities.

use map_diagnostics::Diagnostic;

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    let before = site.previous_text();
    if before == "by" && site.expects(Rule::distribution) {
        let text = format!("expected a weight behind `by`, found {}", site.found_phrase());
        return Some(site.error(text, label(site, "not a weight", "expected a weight here")).with_help(BY));
    }
    if matches!(before, "geometric" | "binomial") && site.expects(Rule::open_paren) {
        let text = format!("`{before}` has a probability in parentheses");
        let error = site.error(text, label(site, "expected `(` before this", "expected `(` here"));
        return Some(error.with_help(format!("write `{before}(0.5)`")));
    }
    if before == ":" && site.expects(Rule::integer) {
        let text = format!("a weight is an integer, found {}", site.found_phrase());
        let error = site.error(text, label(site, "not an integer", "expected an integer here"));
        return Some(error.with_help(OF_SET));
    }
    let behind_set = matches!(site.previous(), Some(Kind::CloseBrace | Kind::Role));
    if site.found_text() == "by" && behind_set {
        let error = site.error("only a range has weights behind it", "not expected here");
        return Some(error.with_help(OF_SET));
    }
    if site.expects(Rule::weight) { behind_value(site) } else { None }
}

/// Where a decimal number is expected.
pub(super) fn decimal(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects(Rule::decimal) {
        return None;
    }
    let found = site.found_text();
    let text = format!("a probability is a decimal number from 0.0 to 1.0, found {}", site.found_phrase());
    let error = site.error(text, label(site, "not a decimal number", "expected a number here"));
    Some(match site.found() {
        Some(Kind::Integer)
            if site.kind(site.at + 1) == Some(Kind::Comma) && site.touches_previous(site.at + 1) =>
        {
            let written = format!("{found}.{}", site.text(site.at + 2));
            let error = error.with_help(format!("write `{written}`"));
            site.replacing(error, site.at..=site.at + 2, &written)
        }
        Some(Kind::Integer) if matches!(found, "0" | "1") => site.written(error, &format!("{found}.0")),
        Some(Kind::Symbol) if found == "." && site.kind(site.at + 1) == Some(Kind::Integer) => {
            let written = format!("0.{}", site.text(site.at + 1));
            let error = error.with_help(format!("write `{written}`"));
            site.replacing(error, site.at..=site.at + 1, &written)
        }
        _ => error.with_help("write such as `0.5`, with digits on both sides of the point"),
    })
}

/// Behind a value of a set, or its weight.
fn behind_value(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    match site.found()? {
        Kind::Equals | Kind::SendArrow | Kind::Symbol if matches!(found, "=" | "=>" | "->" | ":=") => {
            let error = site.error("the weight of a value stands behind `:`", "expected `:`");
            Some(site.exchanged(error, ":"))
        }
        _ => None,
    }
}

fn label(site: &Site<'_>, found: &'static str, missing: &'static str) -> &'static str {
    if site.found().is_some() { found } else { missing }
}

const OF_SET: &str = "in a set, a weight stands behind its value: `{ a : 3, b }`";

const BY: &str =
    "write `0..3 by 4 - value`, in which `value` is each integer of the range, or `0..3 by binomial(0.5)`";
