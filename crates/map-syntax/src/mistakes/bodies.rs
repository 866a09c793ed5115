//! Mistakes in the bodies of procedures: their beginning, domains and updates. Expressions have a module of their
//! own.

use map_diagnostics::Diagnostic;

use super::{expressions, weights};
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

/// Explains a mistake in a body; `None` if the site is in the head of the declaration.
pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    let close = site.tokens.iter().position(|token| token.kind == Kind::CloseParen)?;
    if site.at <= close {
        return None;
    }
    if site.at == close + 1 {
        return start(site);
    }
    weights::explain(site)
        .or_else(|| domain(site))
        .or_else(|| updates(site))
        .or_else(|| expressions::explain(site))
        .or_else(|| behind(site))
}

/// Directly after the head.
fn start(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let guarded = site.tokens[site.at..].iter().any(|token| token.kind == Kind::Equals);
    let diagnostic =
        || site.error("the body of a procedure begins with `=`, `|`, `in` or `fresh`", "not expected here");
    Some(match site.found()? {
        Kind::Symbol | Kind::SendArrow | Kind::ReceiveArrow if found == "||" => {
            diagnostic().with_help("write `|` before a guard").replaced_by("|")
        }
        Kind::Symbol if found == ".." => return None,
        Kind::Symbol | Kind::SendArrow | Kind::ReceiveArrow => site.exchanged(diagnostic(), "="),
        Kind::OpenBrace => diagnostic()
            .with_help("a set of possible answers is written `in { a, b }`")
            .with_help("a computed answer is written `= ..`, without braces"),
        Kind::OpenBracket => return None,
        Kind::Name if found == "probability" => {
            let error = site.error("a probability stands behind `with`", "expected `with` before this");
            site.preceded(error, "with")
        }
        Kind::Name
            if found == "with" && matches!(site.kind(site.at + 1), Some(Kind::Name | Kind::Integer)) =>
        {
            site.error("expected `probability` or an answer behind `with`", "not complete")
                .with_help("write `with probability 0.5`")
                .with_help("cells change behind an answer: `= .. with @cell := ..`")
        }
        Kind::Name if found == "with" => site
            .error("an answer is missing before `with`", "expected `=` before this")
            .with_help("write `= .. with @cell := ..`; every alternative answers something"),
        Kind::Name if matches!(found, "return" | "is" | "answer" | "answers") => {
            site.exchanged(diagnostic(), "=")
        }
        Kind::Name if matches!(found, "when" | "case" | "where") => site.exchanged(diagnostic(), "|"),
        Kind::Integer if site.text(site.at + 1) == ".." => {
            site.preceded(site.error("`in` is missing before this range", "expected `in` before this"), "in")
        }
        Kind::Role => {
            site.error("`in` or `=` is missing before this role", "expected one of them before this")
        }
        _ if guarded => {
            let error = site
                .error("a `|` is missing before this guard", "expected `|` before this")
                .with_help("an alternative is written `| guard = answer`");
            site.preceded(error, "|")
        }
        _ => {
            site.preceded(site.error("a `=` is missing before this answer", "expected `=` before this"), "=")
        }
    })
}

/// In and around `{ .. }`, `1..5` and `%role`.
fn domain(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.expects(Rule::dots) {
        let first = site.previous_text();
        let diagnostic = site.error(
            format!("expected `..` behind the first number of a range, found {}", site.found_phrase()),
            if site.found().is_some() { "expected `..`" } else { "something is missing here" },
        );
        return Some(match site.found() {
            Some(Kind::Integer) => {
                let written = format!("{first}..{}", found.trim_start_matches('-'));
                let diagnostic = diagnostic.with_help(format!("write `{written}`"));
                site.replacing(diagnostic, site.at - 1..=site.at, &written)
            }
            Some(Kind::Symbol) | Some(Kind::Comma) => diagnostic.with_help("a range is written `1..5`"),
            Some(Kind::Name) if matches!(found, "to" | "upto") => {
                diagnostic.with_help("a range is written `1..5`")
            }
            _ => diagnostic.with_help(format!("the domain of this number alone is `{{ {first} }}`")),
        });
    }
    if site.previous_text() == ".." && site.expects(Rule::integer) {
        let diagnostic = site.error(
            format!("the bounds of a range are integers, found {}", site.found_phrase()),
            if site.found().is_some() { "not an integer" } else { "expected an integer here" },
        );
        return Some(match found {
            "." | ".." => diagnostic.with_help("a range is written `1..5`, with two dots"),
            _ => diagnostic.with_help("both bounds are possible answers: `1..5` has five values"),
        });
    }
    if let Some(open) = open_brace(site) {
        return in_braces(site, open);
    }
    if !site.expects(Rule::domain) {
        return None;
    }
    let label = if site.found().is_some() { "not a domain" } else { "expected a domain here" };
    let diagnostic =
        site.error(format!("expected a domain behind `in`, found {}", site.found_phrase()), label);
    Some(match site.found() {
        Some(Kind::OpenParen | Kind::OpenBracket) => {
            diagnostic.with_help("a set is written in braces: `{ a, b }`")
        }
        Some(Kind::Name | Kind::Text | Kind::AgentName) => {
            diagnostic.with_help(format!("the domain of this value alone is `{{ {found} }}`"))
        }
        Some(Kind::Variable | Kind::Cell) => diagnostic
            .with_note("a domain is fixed: it has constants, not parameters or cells")
            .with_help(DOMAINS),
        _ => diagnostic.with_help(DOMAINS),
    })
}

/// The `{` that is open at the site.
fn open_brace(site: &Site<'_>) -> Option<usize> {
    let before = site.tokens.get(..site.at)?;
    let last = before.iter().rposition(|token| matches!(token.kind, Kind::OpenBrace | Kind::CloseBrace))?;
    (before[last].kind == Kind::OpenBrace && site.text(last.wrapping_sub(1)) == "in").then_some(last)
}

fn in_braces(site: &Site<'_>, open: usize) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.expects(Rule::close_brace) {
        return Some(match site.found() {
            None => {
                let span = site.tokens.get(open)?.span;
                Diagnostic::new(
                    map_diagnostics::Code::Syntax,
                    span,
                    "this domain is never closed",
                    "no `}` belongs to it",
                )
                .with_label(site.span(), "expected `}` before this place")
            }
            Some(Kind::Symbol) if found == ".." => site
                .error("a range stands without braces", "expected `,` or `}`")
                .with_help("write `in 1..5`"),
            Some(Kind::Symbol) if matches!(found, ";" | "|" | "||") => site
                .error(format!("values are separated by `,`, not by `{found}`"), "expected `,` or `}`")
                .replaced_by(","),
            Some(kind) if kind.is_term() => {
                let error = site.error("a `,` is missing between two values", "expected `,` before this");
                site.preceded(error, ",")
            }
            Some(_) => site.error(
                format!("expected `,` or `}}` behind a value of a domain, found {}", site.found_phrase()),
                "not expected here",
            ),
        });
    }
    Some(match (site.previous(), site.found()) {
        (Some(Kind::OpenBrace), Some(Kind::CloseBrace)) => {
            site.error("a domain has at least one value", "expected a value before this").with_help(DOMAINS)
        }
        (Some(Kind::Comma), Some(Kind::CloseBrace)) => site
            .error("a value is missing behind the last `,`", "expected a value")
            .with_help("remove the `,` or write a value"),
        (_, Some(Kind::Name)) if found == "self" => site
            .error("a domain is the same for all agents, so `self` cannot be in it", "not a constant")
            .with_help("answer it in an alternative of its own: `= self`"),
        (_, Some(kind)) if kind.is_reserved() || kind == Kind::Name => expressions::reserved(site),
        _ => site
            .error(
                format!("a domain has constants only, found {}", site.found_phrase()),
                if site.found().is_some() { "not a constant" } else { "expected a value here" },
            )
            .with_help(DOMAINS),
    })
}

/// After `with`.
fn updates(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.found() == Some(Kind::Sigil) {
        return None;
    }
    if site.expects(Rule::update) || site.expects(Rule::cell) && !expressions::wants_operand(site) {
        let label = if site.found().is_some() { "not a cell" } else { "expected a cell here" };
        return Some(match site.found() {
            Some(Kind::Name | Kind::Variable) => {
                let text = match site.found() {
                    Some(Kind::Variable) => "only cells can change, not parameters",
                    _ => "a cell begins with `@`",
                };
                site.written(site.error(text, label), &format!("@{}", found.trim_start_matches('$')))
            }
            _ => site
                .error(
                    format!(
                        "expected a cell behind `{}`, found {}",
                        site.previous_text(),
                        site.found_phrase()
                    ),
                    label,
                )
                .with_help("a cell changes with `with @cell := ..`"),
        });
    }
    if site.expects(Rule::becomes) {
        let cell = site.previous_text();
        let label = if site.found().is_some() { "expected `:=`" } else { "something is missing here" };
        let diagnostic = site.error("a cell changes with `:=`", label);
        return Some(match found {
            "=" | "==" | "=>" | "<-" | ":" | "->" | "<=" => site.exchanged(diagnostic, ":="),
            _ => diagnostic.with_help(format!("write `{cell} := ..`")),
        });
    }
    None
}

/// After a complete body.
fn behind(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if !site.expects(Rule::EOI) {
        return None;
    }
    let rest = format!("not `{}`", if found.len() > 60 { "a long word" } else { found });
    Some(if site.previous_text() == "fresh" {
        site.error(format!("nothing stands behind `fresh`, {rest}"), "not expected here")
    } else if found == "with" && site.text(site.at + 1) == "probability" {
        site.error("a probability stands before the body", "not expected here")
            .with_help("write such as `decision p() with probability 0.5 in 1..3`")
    } else if matches!(found, "with" | "=" | "|") {
        site.error(
            format!("nothing stands behind a domain that is a whole body, {rest}"),
            "not expected here",
        )
        .with_help("in an alternative it is written `= in ..`: `| guard = in 1..5 with @cell := ..`")
    } else {
        return None;
    })
}

const DOMAINS: &str =
    "a domain is a set `{ a, b, 3 }`, a range `1..5`, or a role `%bidder`, which means its agents";
