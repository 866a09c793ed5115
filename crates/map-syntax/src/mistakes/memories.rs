//! Mistakes in `memory %role { @cell = value, @cell in domain, .. }`.

use map_diagnostics::Diagnostic;

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    if site.found() == Some(Kind::Sigil) {
        return None;
    }
    head(site)
        .or_else(|| super::counts::in_parentheses(site))
        .or_else(|| super::weights::explain(site))
        .or_else(|| cell(site))
        .or_else(|| value(site))
        .or_else(|| behind_value(site))
}

fn head(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.expects(Rule::open_brace) {
        let label = if site.found().is_some() { "expected `{`" } else { "expected `{` here" };
        let text = format!("the cells of a memory stand in braces, found {}", site.found_phrase());
        return Some(site.error(text, label).with_help(EXAMPLE));
    }
    if site.at == 1 && site.expects(Rule::role) {
        let label = if site.found().is_some() { "not a role" } else { "expected a role here" };
        let diagnostic = site.error("a memory belongs to a role", label);
        return Some(match site.found() {
            Some(Kind::Name) => site.written(diagnostic, &format!("%{found}")),
            _ => diagnostic.with_help(EXAMPLE),
        });
    }
    None
}

/// Where `@cell =` is expected.
fn cell(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.expects(Rule::initial) || site.expects(Rule::cell) {
        let label = if site.found().is_some() { "not a cell" } else { "expected a cell here" };
        return Some(match (site.previous(), site.found()) {
            (Some(Kind::OpenBrace), Some(Kind::CloseBrace)) => {
                site.error("a memory has at least one cell", "expected a cell before this").with_help(EXAMPLE)
            }
            (Some(Kind::Comma), Some(Kind::CloseBrace)) => site
                .error("a cell is missing behind the last `,`", "expected a cell")
                .with_help("remove the `,` or write a cell"),
            (_, Some(Kind::Name | Kind::Variable)) => site
                .error("a cell begins with `@`", label)
                .with_help(format!("write `@{}`", found.trim_start_matches('$')))
                .replaced_by(format!("@{}", found.trim_start_matches('$'))),
            _ => site
                .error(format!("expected a cell, found {}", site.found_phrase()), label)
                .with_help(EXAMPLE),
        });
    }
    if site.expects(Rule::equals) {
        let cell = site.previous_text();
        let label = if site.found().is_some() { "expected `=`" } else { "something is missing here" };
        let diagnostic = site.error(format!("the cell `{cell}` needs its initial value"), label);
        return Some(match found {
            ":=" | "==" | ":" | "=>" | "<-" => {
                diagnostic.with_help(format!("write `=` in place of `{found}`")).replaced_by("=")
            }
            _ => diagnostic
                .with_help(format!("write `{cell} = 0`, or `{cell} in 0..9` for any of several values")),
        });
    }
    None
}

/// Where the initial value is expected.
fn value(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects(Rule::own) {
        return None;
    }
    let found = site.found_text();
    let label = if site.found().is_some() { "not a constant" } else { "expected a value here" };
    let text = format!(
        "a cell's initial value is a constant, `self` or `count(%role)`, found {}",
        site.found_phrase()
    );
    let diagnostic = site.error(text, label);
    Some(match site.found() {
        Some(Kind::Name) if found == "in" => diagnostic.with_help(SEVERAL),
        Some(Kind::OpenBrace) => diagnostic.with_help(SEVERAL),
        Some(Kind::Name) => super::expressions::reserved(site),
        Some(kind) if kind.is_reserved() => super::expressions::reserved(site),
        Some(Kind::Wildcard) => diagnostic.with_help("write a value of your own for it, such as `none`"),
        Some(Kind::Symbol) if found == "-" && site.kind(site.at + 1) == Some(Kind::Integer) => {
            let written = format!("-{}", site.text(site.at + 1));
            let diagnostic = diagnostic.with_help(format!("write `{written}`, without a space"));
            site.replacing(diagnostic, site.at..=site.at + 1, &written)
        }
        Some(Kind::Variable | Kind::Cell) => diagnostic
            .with_help("let a procedure change the cell when the value is known: `= .. with @cell := ..`"),
        _ => diagnostic.with_help(EXAMPLE),
    })
}

fn behind_value(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects(Rule::comma) {
        let after_end = site.previous() == Some(Kind::CloseBrace);
        return after_end.then(|| {
            site.error(
                format!("nothing stands behind a memory, found {}", site.found_phrase()),
                "not expected here",
            )
        });
    }
    let found = site.found_text();
    Some(match site.found() {
        None => {
            let open = site.tokens.iter().find(|token| token.kind == Kind::OpenBrace)?.span;
            let text = "this memory is never closed";
            Diagnostic::new(map_diagnostics::Code::Syntax, open, text, "no `}` belongs to it")
                .with_label(site.span(), "expected `}` here")
        }
        Some(Kind::Cell) => {
            site.preceded(site.error("a `,` is missing between two cells", "expected `,` before this"), ",")
        }
        Some(Kind::Name) if site.kind(site.at + 1) == Some(Kind::Equals) => {
            site.error("a `,` is missing between two cells", "expected `,` before this")
        }
        Some(Kind::CloseBracket | Kind::CloseParen) => site
            .error(format!("a memory ends with `}}`, not with `{found}`"), "expected `}`")
            .replaced_by("}"),
        Some(Kind::Symbol) if matches!(found, ";" | "." | "|") => {
            let text = format!("cells are separated by `,`, not by `{found}`");
            let error = site.error(text, "expected `,` or `}`");
            match site.kind(site.at + 1) {
                Some(Kind::Cell) => error.replaced_by(","),
                _ => error,
            }
        }
        Some(Kind::Symbol) if found.starts_with("..") => {
            site.error("a cell's initial value is not a range", "expected `,` or `}`").with_help(SEVERAL)
        }
        Some(Kind::Symbol | Kind::Integer | Kind::OpenParen) => {
            let error = site.error("a cell's initial value is not computed", "expected `,` or `}`");
            match site.previous() {
                Some(Kind::CloseParen) => error.with_help("let the agent compute with the cell"),
                _ => error.with_help("write the result"),
            }
        }
        _ => return None,
    })
}

const SEVERAL: &str =
    "for any of several values write `in` in place of `=`: `@cell in 1..5` or `@cell in { a, b }`";

const EXAMPLE: &str = "a memory is written `memory %role { @price = 10, @leader = nobody }`";
