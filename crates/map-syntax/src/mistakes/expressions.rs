//! Mistakes in expressions: where an operand is expected, and (in [`behind`]) after an operand.

mod behind;

use map_diagnostics::Diagnostic;

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    if wants_operand(site) {
        let half_a_name = site.found() == Some(Kind::Sigil) && site.found_text() != "!";
        return (!half_a_name).then(|| half_read(site).unwrap_or_else(|| operand(site)));
    }
    if matches!(site.previous_text(), "min" | "max") && site.expects(Rule::open_paren) {
        let word = site.previous_text();
        let label = if site.found().is_some() { "expected `(`" } else { "expected `(` here" };
        return Some(
            site.error(format!("`{word}` takes two values"), label)
                .with_help(format!("write `{word}(a, b)`")),
        );
    }
    behind_operand(site)
}

/// Mistakes behind a complete operand.
pub(super) fn behind_operand(site: &Site<'_>) -> Option<Diagnostic> {
    if is_behind_operand(site) { behind::explain(site) } else { None }
}

/// Whether an operand could begin here.
pub(super) fn wants_operand(site: &Site<'_>) -> bool {
    use Rule::{answer, comparison, conjunction, expression, negation, product, sum};
    [expression, conjunction, negation, comparison, sum, product, answer]
        .iter()
        .any(|&rule| site.expects(rule))
        || site.expects(Rule::own) && site.expects(Rule::variable)
}

/// Whether an operand has just ended, so that an operator could follow.
fn is_behind_operand(site: &Site<'_>) -> bool {
    [Rule::times, Rule::plus, Rule::mod_word].iter().any(|&rule| site.expects(rule))
}

/// Tokens whose first character the parser took for an operator.
fn half_read(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    match found {
        "**" => Some(powers(site)),
        "=<" => Some(no_operator(site, "<=")),
        "->" | "-->" | "==>" => {
            let error = site.error("the answer of an alternative stands behind `=`", "expected `=`");
            Some(site.exchanged(error, "="))
        }
        _ => None,
    }
}

fn powers(site: &Site<'_>) -> Diagnostic {
    site.error("there are no powers", "not expected here").with_help("multiply with `*`")
}

fn no_operator(site: &Site<'_>, meant: &str) -> Diagnostic {
    let text = format!("there is no operator `{}`", site.found_text());
    site.written(site.error(text, "not expected here"), meant)
}

/// Where an operand is expected.
fn operand(site: &Site<'_>) -> Diagnostic {
    let found = site.found_text();
    let before = site.previous_text();
    let label = if site.found().is_some() { "expected a value before this" } else { "expected a value here" };
    let next = site.text(site.at + 1);
    match (found, site.found()) {
        ("=" | "else", _) | (_, Some(Kind::Wildcard)) if before == "|" => site
            .error("a guard is missing behind `|`", "expected a condition")
            .with_help("an alternative that is always taken begins with `=`: remove what stands before"),
        ("-", _) if site.kind(site.at + 1) == Some(Kind::Integer) && !next.starts_with('-') => {
            let error = site
                .error("a minus belongs to a number only if it touches it", "no value begins like this")
                .with_help(format!("write `-{next}`, without a space"));
            site.replacing(error, site.at..=site.at + 1, &format!("-{next}"))
        }
        ("-", _) => site
            .error("only numbers have a sign", "no value begins like this")
            .with_help(format!("write `0 - {}`", if next.is_empty() { ".." } else { next })),
        ("!", _) => {
            site.error("`!` alone denies nothing", "no value begins like this").with_help("write `not`")
        }
        ("not", _) => site
            .error(
                "`not` reaches over a whole comparison, so it cannot stand inside one",
                "not expected here",
            )
            .with_help("put the condition in parentheses: `(not ..)`"),
        ("fresh", _) => {
            let error = site
                .error("`fresh` is a whole body, not a value", "not expected here")
                .with_help("write `procedure p() fresh`, without `=`");
            if before == "=" { site.replacing(error, site.at - 1..=site.at, "fresh") } else { error }
        }
        (">" | "=" | "==" | "<", _) if is_comparison(before) => {
            let text = format!("there is no operator `{before}{found}`");
            let known = match (before, found) {
                ("<", ">") => "!=",
                (">", "=") => ">=",
                ("<", "=") => "<=",
                _ => "==",
            };
            let error = site.error(text, "not expected here").with_help(format!("write `{known}`"));
            site.replacing(error, site.at - 1..=site.at, known)
        }
        (_, Some(Kind::Wildcard)) => {
            site.error("`_` has no value", "not expected here").with_help("write a value")
        }
        (_, Some(Kind::OpenBrace | Kind::OpenBracket)) => {
            let diagnostic = site.error("there are no sets or lists among the values", "expected a value");
            match before {
                "=" => diagnostic.with_help("for one answer out of several write `= in { a, b }`"),
                _ => diagnostic.with_help("expressions are grouped with `(` and `)`"),
            }
        }
        ("with" | "and" | "mod" | "else" | "in", _) | (_, Some(Kind::Then | Kind::Or)) | (_, None) => {
            site.error(format!("a value is missing behind `{before}`"), label)
        }
        (_, Some(Kind::Name)) => reserved(site),
        (_, Some(kind)) if kind.is_reserved() => reserved(site),
        _ => site.error(format!("a value is missing between `{before}` and {}", site.found_phrase()), label),
    }
}

fn is_comparison(word: &str) -> bool {
    matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

/// A reserved word in place of a constant.
pub(super) fn reserved(site: &Site<'_>) -> Diagnostic {
    let word = site.found_text();
    site.error(format!("`{word}` is a reserved word here, not a constant"), "expected a value")
        .with_help(format!("choose another name, such as `{word}_it`, or write it as a string: `\"{word}\"`"))
}
