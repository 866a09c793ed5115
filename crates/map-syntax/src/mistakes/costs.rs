//! Mistakes in `cost NAME { event = price, .. }`.

use map_diagnostics::{Code, Diagnostic};

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    if site.found() == Some(Kind::Sigil) {
        return None;
    }
    head(site)
        .or_else(|| bearer(site))
        .or_else(|| happening(site))
        .or_else(|| price(site))
        .or_else(|| behind_price(site))
}

fn head(site: &Site<'_>) -> Option<Diagnostic> {
    if site.at == 1 && site.expects(Rule::name) {
        let label = if site.found().is_some() { "not a name" } else { "expected a name here" };
        return Some(site.error("a cost needs a name, which is its unit", label).with_help(EXAMPLE));
    }
    site.expects(Rule::open_brace).then(|| {
        let label = if site.found().is_some() { "expected `{`" } else { "expected `{` here" };
        let text = format!("what a cost consists of stands in braces, found {}", site.found_phrase());
        site.error(text, label).with_help(EXAMPLE)
    })
}

/// Where the agent is expected that an event is about.
fn bearer(site: &Site<'_>) -> Option<Diagnostic> {
    let begins = [Rule::charge, Rule::charged_event, Rule::bearer].iter().any(|&rule| site.expects(rule));
    if !begins && !site.expects(Rule::wildcard) {
        return None;
    }
    let found = site.found_text();
    let label = if site.found().is_some() { "not an agent" } else { "expected an agent here" };
    Some(match (site.previous(), site.found()) {
        (Some(Kind::OpenBrace), Some(Kind::CloseBrace)) => {
            site.error("a cost has at least one price", "expected an event before this").with_help(EXAMPLE)
        }
        (Some(Kind::Comma), Some(Kind::CloseBrace)) => site
            .error("an event is missing behind the last `,`", "expected an event")
            .with_help("remove the `,` or write an event with its price"),
        (_, Some(Kind::Variable)) => site
            .error(format!("`{found}` stands for no agent here"), label)
            .with_help("write `_` for anybody, a role `%role` or an agent `!Name`"),
        (_, Some(Kind::Name)) => {
            site.error(format!("an agent is named `!{found}`, a role `%{found}`"), label).with_help(EXAMPLE)
        }
        _ => site
            .error(format!("expected an agent, a role or `_`, found {}", site.found_phrase()), label)
            .with_help(EXAMPLE),
    })
}

/// Where `sends`, `receives` or `asks` is expected.
fn happening(site: &Site<'_>) -> Option<Diagnostic> {
    if !site.expects(Rule::sends_word) || !site.expects(Rule::asks_word) {
        return None;
    }
    let error = site.error(
        format!("what the agent does is missing, found {}", site.found_phrase()),
        "expected `sends`, `receives` or `asks`",
    );
    Some(match site.found_text() {
        "answers" => error
            .with_help("a procedure costs what it costs whatever it answers: write `asks`, and no answer"),
        "times" => error.with_help("a timeout costs nothing; charge what is done after it"),
        _ => error.with_help(EXAMPLE),
    })
}

/// Where `= price` is expected.
fn price(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.expects(Rule::equals) {
        let label = if site.found().is_some() { "expected `=`" } else { "something is missing here" };
        let error = site.error("this event needs a price", label);
        return Some(match found {
            ":" | ":=" | "==" | "=>" => error.with_help("write `=` before the price").replaced_by("="),
            _ => error.with_help(EXAMPLE),
        });
    }
    if !site.expects(Rule::price) && !site.expects(Rule::integer) {
        return None;
    }
    let label = if site.found().is_some() { "not a price" } else { "expected a price here" };
    let text = format!("a price is an integer, or a variable of the message, found {}", site.found_phrase());
    Some(site.error(text, label).with_help(EXAMPLE))
}

fn behind_price(site: &Site<'_>) -> Option<Diagnostic> {
    if site.previous() == Some(Kind::CloseBrace) {
        let text = format!("nothing stands behind a cost, found {}", site.found_phrase());
        return Some(site.error(text, "not expected here"));
    }
    if !site.expects(Rule::comma) || !site.expects(Rule::close_brace) {
        return None;
    }
    let found = site.found_text();
    Some(match site.found() {
        None => {
            let open = site.tokens.iter().find(|token| token.kind == Kind::OpenBrace)?.span;
            Diagnostic::new(Code::Syntax, open, "this cost is never closed", "no `}` belongs to it")
                .with_label(site.span(), "expected `}` here")
        }
        Some(Kind::Wildcard | Kind::AgentName | Kind::Role) => {
            site.preceded(site.error("a `,` is missing between two prices", "expected `,` before this"), ",")
        }
        Some(Kind::Symbol) if matches!(found, ";" | "|") => site
            .error(format!("prices are separated by `,`, not by `{found}`"), "expected `,` or `}`")
            .replaced_by(","),
        Some(Kind::Symbol | Kind::Integer) => site
            .error("a price is not computed", "expected `,` or `}`")
            .with_help("write the result, or let the agent compute the value and send it"),
        _ => return None,
    })
}

const EXAMPLE: &str =
    "a cost is written `cost tokens { _ asks plan = 1200, %bidder sends bid($p) to _ = $p }`";
