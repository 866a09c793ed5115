//! Mistakes inside single operations, and missing operations.

use map_diagnostics::Diagnostic;

use super::statements;
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::words;

/// `m(..)` followed by something else than `=>` or `<=` that stands for one of them. With neither, it is an ask.
pub(super) fn message_without_arrow(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects(Rule::send_arrow) {
        return None;
    }
    let found = site.found_text();
    let error = |text: &str| site.error(text, "expected `=>` or `<=`");
    Some(match found {
        "->" | "-->" | "==>" | ">" | ">=" => {
            error("a message is sent with `=>`").with_help("write `=>`").replaced_by("=>")
        }
        "<-" | "<--" | "<==" | "<" | "=<" => {
            error("a message is received with `<=`").with_help("write `<=`").replaced_by("<=")
        }
        "=" => {
            error("`=` cannot stand behind a message").with_help("write `=>` to send it, `<=` to receive it")
        }
        "to" => {
            error("a message is sent with `=>`").with_help("write `=>` in place of `to`").replaced_by("=>")
        }
        "from" => error("a message is received with `<=`")
            .with_help("write `<=` in place of `from`")
            .replaced_by("<="),
        _ if site.found() == Some(Kind::Agent) => site
            .error(
                "an arrow is missing between a message and its address",
                "expected `=>` or `<=` before this",
            )
            .with_help("write `=>` to send the message, `<=` to receive it"),
        _ => return None,
    })
}

/// After an arrow.
pub(super) fn address(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if found == "<==" && !site.expects(Rule::then_word) {
        return Some(
            site.error("a message is received with `<=`", "expected `<=`")
                .with_help("write `<=`")
                .replaced_by("<="),
        );
    }
    if !matches!(site.previous(), Some(Kind::SendArrow | Kind::ReceiveArrow)) {
        return None;
    }
    let text =
        format!("expected an address behind `{}`, found {}", site.previous_text(), site.found_phrase());
    let label = if site.found().is_some() { "not an address" } else { "expected an address here" };
    let diagnostic = site.error(text, label);
    Some(match site.found() {
        Some(Kind::Variable | Kind::AgentName | Kind::Wildcard) => {
            diagnostic.with_help(format!("write `agent({found}, %role)`"))
        }
        Some(Kind::Role) => {
            diagnostic.with_help(format!("write `agent(_, {found})` for all agents of the role"))
        }
        _ if site.previous() == Some(Kind::SendArrow) => diagnostic.with_help(
            "an address is written `agent($a, %role)`; `agent(_, %role)` means all agents of the role",
        ),
        _ => diagnostic.with_help("an address is written `agent($a, %role)`"),
    })
}

/// In `$v = p(..)`.
pub(super) fn ask(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let in_head = site.previous() == Some(Kind::CloseParen);
    if site.expects(Rule::equals) && !in_head && site.previous() == Some(Kind::Variable) {
        let variable = site.previous_text();
        let bare = variable.trim_start_matches('$');
        let diagnostic = site.error(format!("`{variable}` alone is not an operation"), "expected `=`");
        return Some(match found {
            "==" | "!=" | "<" | ">" | ">=" | "<=" if site.kind(site.at + 1).is_some_and(Kind::is_term) => {
                let text = "values are not compared between operations";
                site.error(text, "no operation goes on like this").with_help(format!(
                    "ask a decision, which says \"no\" if the comparison fails: `$v = p({variable})`"
                ))
            }
            "==" | ":=" | "<-" | "->" | "=>" | ":" => {
                diagnostic.with_help(format!("write `{variable} = p(..)` to ask a procedure"))
            }
            "(" => diagnostic.with_help(format!("a message begins with a bare name: `{bare}(..)`")),
            _ => diagnostic.with_help(format!("write `{variable} = p(..)` to ask the procedure `p`")),
        });
    }
    if site.expects(Rule::name) && site.previous() == Some(Kind::Equals) && !site.expects_operation() {
        let variable = site.at.checked_sub(2).map_or("$v", |index| site.text(index));
        let text = format!("expected the name of a procedure, found {}", site.found_phrase());
        let diagnostic = site.error(text, "not a procedure");
        return Some(match site.found() {
            Some(kind) if kind.is_term() => diagnostic
                .with_note(
                    "a variable gets its value from a procedure, from a message, or from the clause's head",
                )
                .with_help(format!("write `{variable} = p({found})` with a procedure `p`")),
            _ => diagnostic.with_help(format!("write `{variable} = p(..)`")),
        });
    }
    None
}

/// A name that is not followed by `(`.
pub(super) fn without_arguments(site: &Site<'_>) -> Option<Diagnostic> {
    let wants = site.expects(Rule::arguments) || site.expects(Rule::open_paren) && !site.expects_operation();
    if !wants {
        return None;
    }
    match site.previous()? {
        Kind::Name => {}
        Kind::Agent if site.at == 1 => return None,
        Kind::Agent => {
            return Some(
                site.error(
                    format!("`agent` is followed by `(`, found {}", site.found_phrase()),
                    "expected `(`",
                )
                .with_help("`agent(..)` calls a clause; behind an arrow, `agent($a, %role)` is an address"),
            );
        }
        _ => return None,
    }
    let name = site.previous_text();
    let index = site.at - 1;
    let span = site.tokens.get(index)?.span;
    let asks = index.checked_sub(1).and_then(|before| site.kind(before)) == Some(Kind::Equals)
        && index.checked_sub(2).and_then(|before| site.kind(before)) == Some(Kind::Variable);
    let error = |text: String, label: &str| Diagnostic::new(map_diagnostics::Code::Syntax, span, text, label);
    if asks {
        return Some(match site.kind(site.at + 1) {
            Some(Kind::OpenParen) if site.found() == Some(Kind::Name) => {
                error(format!("`{name}` cannot stand before a procedure"), "not expected here")
                    .with_help(format!("leave out `{name}`"))
            }
            _ => error(
                format!("the procedure `{name}` is asked without arguments"),
                "expected `(` behind this",
            )
            .with_help(format!("write `{name}()` if it takes none")),
        });
    }
    if let Some(statement) = statements::word(site) {
        return Some(statement);
    }
    if let Some(word) = meant(name, site.found_text()) {
        return Some(
            error(format!("`{name}` is not an operation"), "no word of MAP")
                .with_help(format!("did you mean `{word}`?"))
                .replaced_by(word),
        );
    }
    let diagnostic = error(format!("`{name}` alone is not an operation"), "expected `(` behind this");
    Some(match site.found() {
        Some(Kind::AgentName | Kind::Sigil) if site.touches_previous(site.at) => {
            diagnostic.with_help("a message is sent with `m(..) => agent($a, %role)`")
        }
        Some(Kind::Equals) => diagnostic.with_help(format!("a variable is written with a sigil: `${name} = ..`")),
        Some(Kind::SendArrow | Kind::ReceiveArrow) => {
            diagnostic.with_help(format!("a message without content is written `{name}()`"))
        }
        _ => diagnostic.with_help(format!(
            "`{name}() => agent(..)` sends a message, `$v = {name}()` asks a procedure, `agent({name})` calls a clause"
        )),
    })
}

/// The keyword of an operation that `name` may be a misspelling of.
pub(super) fn meant(name: &str, next: &str) -> Option<&'static str> {
    match (name.to_ascii_lowercase().as_str(), next) {
        ("wait" | "await", _) => Some("waitfor"),
        ("null" | "nothing" | "pass" | "nop" | "epsilon", _) => Some("skip"),
        ("abort" | "error" | "stop", _) => Some("fail"),
        _ => words::misspelling(name, &["waitfor", "skip", "fail", "agent"]),
    }
}

/// Where an operation is expected.
pub(super) fn missing(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects_operation() {
        return None;
    }
    let found = site.found_text();
    let before = site.previous_text();
    Some(match (site.previous(), site.found()) {
        (Some(Kind::OpenParen), Some(Kind::CloseParen)) => site
            .error("there is no operation between these parentheses", "expected an operation before this")
            .with_help("write `skip` for an operation that does nothing"),
        (Some(previous), None | Some(Kind::CloseParen | Kind::CloseBracket))
            if !previous.ends_operation() =>
        {
            site.error(
                format!("an operation is missing behind `{before}`"),
                format!("expected an operation {}", place(site)),
            )
            .with_help("write `skip` for an operation that does nothing")
        }
        (Some(_), Some(kind)) if kind.is_join() || kind == Kind::Timeout => site
            .error(
                format!("an operation is missing between `{before}` and `{found}`"),
                "expected an operation before this",
            )
            .with_help("write `skip` for an operation that does nothing"),
        (Some(Kind::Timeout), Some(Kind::Integer)) => site
            .error("a `timeout` has no length", "expected an operation")
            .with_help("write the operation to do when time runs out, such as `timeout skip`"),
        (_, Some(Kind::AgentName)) => site
            .error(format!("expected an operation, found `{found}`"), "no operation begins like this")
            .with_help(format!("a message to that agent is written `m(..) => agent({found}, %role)`")),
        (_, Some(Kind::Cell)) => cell(site),
        (_, Some(Kind::Text | Kind::Integer | Kind::Role | Kind::Wildcard)) => site
            .error(
                format!("expected an operation, found {}", site.found_phrase()),
                "no operation begins like this",
            )
            .with_note(OPERATIONS),
        (_, Some(Kind::OpenBrace | Kind::OpenBracket)) => site
            .error(format!("expected an operation, found `{found}`"), "no operation begins like this")
            .with_help("group operations with `(` and `)`"),
        (Some(Kind::Equals), Some(Kind::Equals)) => {
            site.error("expected an operation, found a second `=`", "not expected here")
        }
        _ => site
            .error(
                format!("expected an operation, found {}", site.found_phrase()),
                "no operation begins like this",
            )
            .with_note(OPERATIONS),
    })
}

/// A clause cannot assign to a cell.
fn cell(site: &Site<'_>) -> Diagnostic {
    let found = site.found_text();
    site.error(
        format!("a clause does not assign to cells: expected an operation, found `{found}`"),
        "no operation begins like this",
    )
    .with_note("what an agent remembers is changed by the procedures that it asks")
    .with_help(format!("declare `procedure keep($x) = $x with {found} := $x`, and ask `keep(..)` here"))
}

fn place(site: &Site<'_>) -> &'static str {
    if site.found().is_some() { "before this" } else { "here" }
}

const OPERATIONS: &str = "an operation is a message, a question `$v = p(..)`, a call `agent(..)`, `waitfor`, `skip`, `fail` or one in `(..)`";
