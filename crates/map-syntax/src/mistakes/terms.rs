//! Mistakes in lists of terms: arguments, addresses, and the further terms of heads.

use map_diagnostics::{Code, Diagnostic};

use super::{expressions, operations};
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    if site.expects(Rule::term) {
        return missing(site);
    }
    if !(site.expects(Rule::comma) || site.expects(Rule::close_paren) && in_address(site)) {
        return None;
    }
    address(site).or_else(|| behind_term(site)).or_else(|| unclosed(site))
}

/// In an expression among the arguments of an act.
pub(super) fn expression(site: &Site<'_>) -> Option<Diagnostic> {
    let inside = site.open_paren().is_some_and(|open| open > 0);
    (inside && !site.expects_operation()).then(|| expressions::explain(site)).flatten()
}

/// Where a term is expected.
fn missing(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    Some(match (site.previous(), site.found()) {
        (Some(Kind::Comma), Some(Kind::CloseParen)) => site
            .error("a term is missing behind the last `,`", "expected a term")
            .with_help("remove the `,` or write a term; `_` matches anything"),
        (_, Some(Kind::Comma)) => site.error("a term is missing before this `,`", "expected a term"),
        (_, Some(Kind::OpenParen)) => {
            site.error("a term has no parentheses", "expected a term").with_note(TERMS)
        }
        (_, Some(Kind::Cell)) => site
            .error(
                format!("`{found}` is a memory cell, which cannot stand in the head of a clause"),
                "not a term",
            )
            .with_help("put a variable here, and let a decision compare it with the cell"),
        (Some(Kind::OpenParen), Some(Kind::CloseParen)) if in_address(site) => {
            site.error("an address names an agent and a role", "both are missing").with_help(ADDRESS)
        }
        _ => return None,
    })
}

/// In `agent(agent, role)` after an arrow, which has exactly two terms.
fn address(site: &Site<'_>) -> Option<Diagnostic> {
    if !in_address(site) {
        return None;
    }
    match (site.expects(Rule::comma), site.found()) {
        (true, Some(Kind::CloseParen)) => Some(
            site.error("an address names an agent and a role", "one of the two is missing")
                .with_help(ADDRESS),
        ),
        (false, Some(Kind::Comma)) => {
            Some(site.error("an address has two terms, an agent and a role", "expected `)`").with_help(
                "what the message carries stands in its own parentheses: `m(..) => agent($a, %role)`",
            ))
        }
        _ => None,
    }
}

/// After a term, where `,` or `)` is expected.
fn behind_term(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    Some(match site.found()? {
        kind if kind.is_term() && site.expects(Rule::comma) => {
            site.error("a `,` is missing between two terms", "expected `,` before this")
        }
        Kind::OpenParen if site.previous() == Some(Kind::Name) => not_waiting(site).unwrap_or_else(|| {
            site.error("a term cannot have arguments", "not expected here")
                .with_help(format!("ask the procedure first: `$v = {}(..) then ..`", site.previous_text()))
                .with_note(TERMS)
        }),
        Kind::Symbol if site.previous() == Some(Kind::Wildcard) && matches!(found, "+" | "-" | "*" | "/") => {
            site.error("`_` has no value, so nothing can be computed from it", "not expected here")
        }
        Kind::Symbol if matches!(found, "+" | "-" | "*" | "/") => site
            .error(
                "the head of a clause computes nothing",
                format!("`{found}` cannot stand between its terms"),
            )
            .with_help("put a variable here, and let a decision compare it"),
        Kind::Symbol if matches!(found, ";" | ":" | ".") => {
            site.error(format!("terms are separated by `,`, not by `{found}`"), "expected `,` or `)`")
        }
        // In a head this is the `=` before the body, so the parenthesis is missing.
        Kind::Equals if site.open_paren() != Some(1) => {
            site.error("a term cannot be given a value", "expected `,` or `)`")
        }
        _ => return None,
    })
}

/// `wait (m(..) <= ..)`: looks like a message, but is meant as a `waitfor`.
fn not_waiting(site: &Site<'_>) -> Option<Diagnostic> {
    let index = site.open_paren()?.checked_sub(1)?;
    let name = site.text(index);
    let word = operations::meant(name, "(").filter(|&word| word == "waitfor" && name != word)?;
    let text = format!("`{name}` is not an operation");
    let diagnostic = Diagnostic::new(Code::Syntax, site.tokens[index].span, text, "no word of MAP");
    Some(diagnostic.with_help(format!("did you mean `{word}`?")).replaced_by(word))
}

/// A parenthesis that is still open after the last term.
fn unclosed(site: &Site<'_>) -> Option<Diagnostic> {
    use Kind::{CloseBrace, CloseBracket, Equals, ReceiveArrow, SendArrow, Timeout};
    let over = match site.found() {
        None => true,
        Some(Equals | SendArrow | ReceiveArrow | Timeout | CloseBracket | CloseBrace) => true,
        Some(kind) => kind.is_join(),
    };
    if !over {
        return None;
    }
    let open_index = site.open_paren()?;
    let open = site.tokens.get(open_index)?;
    let complete =
        in_address(site) && site.tokens[open_index..site.at].iter().any(|it| it.kind == Kind::Comma);
    let expected = if complete || !site.expects(Rule::comma) { "`)`" } else { "`,` or `)`" };
    let text = format!("expected {expected}, found {}", site.found_phrase());
    let label = if site.found().is_some() { "expected `)` before this" } else { "expected `)` here" };
    Some(site.error(text, label).with_label(open.span, "this parenthesis is still open"))
}

/// Whether the innermost open parenthesis belongs to an address.
fn in_address(site: &Site<'_>) -> bool {
    let Some(agent) = site.open_paren().and_then(|open| open.checked_sub(1)) else { return false };
    site.kind(agent) == Some(Kind::Agent)
        && agent
            .checked_sub(1)
            .is_some_and(|arrow| matches!(site.kind(arrow), Some(Kind::SendArrow | Kind::ReceiveArrow)))
}

const TERMS: &str =
    "a term is a variable `$x`, an agent `!Name`, a role `%role`, a constant, an integer, a string or `_`";
const ADDRESS: &str =
    "write `agent($a, %role)`; `_` as the agent sends to all of the role, or receives from any";
