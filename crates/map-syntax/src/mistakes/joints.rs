//! Mistakes after a complete operation, where `then`, `or`, `par`, `timeout`, `)` or the end may follow.

use map_diagnostics::Diagnostic;

use super::statements;
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::words;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects(Rule::then_word) {
        return None;
    }
    let Some(kind) = site.found() else { return unclosed(site) };
    let found = site.found_text();
    if matches!(found, "." | ";") && site.at + 1 == site.tokens.len() {
        return Some(
            site.error(
                format!("nothing stands behind the last operation of a clause, not even `{found}`"),
                "not expected here",
            )
            .with_help("remove it")
            .replaced_by(""),
        );
    }
    if let Some(word) = joining_word(site) {
        let error =
            site.error(format!("`{found}` does not join operations"), format!("expected {}", joins(site)));
        return Some(site.written(error, word));
    }
    if let Some(statement) = statements::behind_operation(site) {
        return Some(statement);
    }
    match kind {
        Kind::CloseParen => Some(
            site.error("this `)` closes nothing", "no `(` belongs to it")
                .with_help("remove it")
                .replaced_by(""),
        ),
        Kind::Timeout => Some(timeout(site)),
        Kind::Comma => {
            let error = site
                .error("operations are not separated by `,`", format!("expected {}", joins(site)))
                .with_help("write `then` to do one after the other");
            Some(site.replacing(error, site.at..=site.at, "then"))
        }
        Kind::OpenBracket | Kind::OpenBrace | Kind::CloseBrace | Kind::CloseBracket => Some(
            site.error(
                format!("`{found}` cannot stand inside a clause"),
                format!("expected {}", joins(site)),
            )
            .with_help("group operations with `(` and `)`"),
        ),
        Kind::Agent if site.tokens[site.at].first_on_line && site.open_paren().is_none() && heads(site) => {
            Some(
                site.error(
                    "expected a new clause or a joining word before this `agent`",
                    "two operations meet here",
                )
                .with_help("a clause needs `=` behind its head")
                .with_help(format!("to go on with the clause above, put {} between", joins(site))),
            )
        }
        Kind::Name
            if site.tokens[site.at].first_on_line
                && site
                    .arguments_end(site.at + 1)
                    .is_some_and(|end| site.kind(end) == Some(Kind::Equals)) =>
        {
            Some(
                site.error(format!("`{found}(..) =` begins no clause"), "expected `agent`")
                    .with_help(format!("a clause is written `agent(!Name, %role, {found}, ..) = ..`")),
            )
        }
        _ if kind.starts_operation() => {
            let text = "a joining word is missing between two operations";
            let label = format!("expected {} before this", joins(site));
            let diagnostic = site.error(text, label);
            Some(match site.open_paren() {
                None => diagnostic.with_help("write `then` to do one after the other"),
                Some(_) => {
                    diagnostic.with_help("write `then` to do one after the other, or close the parenthesis")
                }
            })
        }
        Kind::SendArrow | Kind::ReceiveArrow if site.previous() == Some(Kind::CloseParen) => Some(
            site.error(format!("there is no message before this `{found}`"), "not expected here")
                .with_note("`agent(..)` before an arrow is a call; a message is written `m(..)`"),
        ),
        _ => None,
    }
}

/// The connectives allowed at the site.
fn joins(site: &Site<'_>) -> &'static str {
    if site.expects(Rule::timeout_word) {
        "`then`, `or`, `par` or `timeout`"
    } else {
        "`then`, `or` or `par`"
    }
}

/// The MAP keyword that the word at the site is a misspelling of, or corresponds to in other languages.
pub(super) fn joining_word(site: &Site<'_>) -> Option<&'static str> {
    let found = site.found_text();
    // `thence(..)` is the next message; `thne (..)` is not.
    let is_message = site.kind(site.at + 1) == Some(Kind::OpenParen) && site.touches_previous(site.at + 1);
    match (site.found()?, found.to_ascii_lowercase().as_str()) {
        (Kind::Symbol, ";" | "&&" | "&" | "." | ":" | "->" | "-->" | ">") => Some("then"),
        (Kind::Symbol, "|" | "+" | "/") => Some("or"),
        (Kind::Symbol, "||") => Some("par"),
        (Kind::Name, _) if is_message => None,
        (Kind::Name, "and" | "next" | "seq") => Some("then"),
        (Kind::Name, "else" | "otherwise" | "alt" | "choice") => Some("or"),
        (Kind::Name, "parallel" | "with") => Some("par"),
        (Kind::Name, "after" | "until") if site.expects(Rule::timeout_word) => Some("timeout"),
        (Kind::Name, _) if site.expects(Rule::timeout_word) => {
            words::misspelling(found, &["then", "or", "par", "timeout"])
        }
        (Kind::Name, _) => words::misspelling(found, &["then", "or", "par"]),
        _ => None,
    }
}

/// The clause ends inside parentheses.
fn unclosed(site: &Site<'_>) -> Option<Diagnostic> {
    let open = site.tokens.get(site.open_paren()?)?.span;
    Some(
        Diagnostic::new(
            map_diagnostics::Code::Syntax,
            open,
            "this parenthesis is never closed",
            "no `)` belongs to it",
        )
        .with_label(site.span(), "the clause ends here"),
    )
}

/// A `timeout` without a `waitfor`.
fn timeout(site: &Site<'_>) -> Diagnostic {
    let waits = |from: usize| site.tokens[from..site.at].iter().any(|token| token.kind == Kind::Waitfor);
    let diagnostic = site.error("this `timeout` belongs to no `waitfor`", "no `waitfor` is open here");
    match site.open_paren() {
        Some(open) if !waits(open + 1) && waits(0) => diagnostic
            .with_label(site.tokens[open].span, "this parenthesis is still open")
            .with_help("close the parenthesis before `timeout`"),
        open if waits(open.map_or(0, |open| open + 1)) => {
            diagnostic.with_note("each `waitfor` takes one `timeout`, and what follows that is one operation")
        }
        _ => diagnostic.with_help("write `waitfor` before the operation to be tried until time runs out"),
    }
}

/// Whether the parentheses after the word contain an agent and a role.
fn heads(site: &Site<'_>) -> bool {
    matches!(site.kind(site.at + 2), Some(Kind::AgentName | Kind::Variable))
        && site.kind(site.at + 4) == Some(Kind::Role)
}
