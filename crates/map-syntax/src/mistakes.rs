//! Common mistakes: the expected rules together with the token found often reveal what the author meant.
//!
//! There is one module for each kind of place. Each function returns `None` if it has no better explanation than
//! the expected set.

mod bodies;
mod costs;
mod counts;
mod expressions;
mod foreign_terms;
mod heads;
mod joints;
mod measures;
mod memories;
mod operations;
mod properties;
mod statements;
mod terms;
mod truths;
mod weights;

use map_diagnostics::Diagnostic;

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::unit::Unit;

/// An explanation better than the list of expected rules, if there is one.
pub(crate) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    let first = weights::decimal(site)
        .or_else(|| foreign_terms::decimal(site))
        .or_else(|| counts::misplaced(site))
        .or_else(|| match site.unit {
            Unit::Memory => memories::explain(site),
            Unit::Declaration => bodies::explain(site),
            Unit::Truth => truths::explain(site),
            Unit::Property | Unit::Formula => properties::explain(site),
            Unit::Measure | Unit::Measured => measures::explain(site),
            Unit::Clause => statements::in_parentheses(site).or_else(|| foreign_terms::explain(site)),
            Unit::Cost => costs::explain(site),
            Unit::Cast => None,
        });
    first.or_else(|| sigil(site)).or_else(|| hyphen(site)).or_else(|| closed_comment(site)).or_else(|| {
        match site.unit {
            Unit::Cast => heads::cast(site),
            Unit::Memory | Unit::Property | Unit::Cost | Unit::Measure | Unit::Formula | Unit::Measured => {
                None
            }
            Unit::Declaration | Unit::Truth => heads::declaration(site),
            Unit::Clause => clause(site),
        }
    })
}

/// Whether the token at the site joins operations in other languages, or is a misspelt connective.
pub(crate) fn joins_operations(site: &Site<'_>) -> bool {
    joints::joining_word(site).is_some()
}

/// Whether a word begins a statement of another language that may consist of several operations.
pub(crate) fn is_compound_statement(word: &str) -> bool {
    statements::is_compound(word)
}

fn clause(site: &Site<'_>) -> Option<Diagnostic> {
    reserved(site)
        .or_else(|| heads::clause(site))
        .or_else(|| operations::message_without_arrow(site))
        .or_else(|| operations::address(site))
        .or_else(|| terms::explain(site))
        .or_else(|| operations::ask(site))
        .or_else(|| terms::expression(site))
        .or_else(|| operations::without_arguments(site))
        .or_else(|| operations::missing(site))
        .or_else(|| joints::explain(site))
}

/// A sigil without a name.
fn sigil(site: &Site<'_>) -> Option<Diagnostic> {
    if site.found() != Some(Kind::Sigil) {
        return None;
    }
    let sigil = site.found_text();
    let diagnostic = site.error(format!("`{sigil}` needs a name behind it"), "no name follows");
    let next = site.text(site.at + 1);
    Some(match site.kind(site.at + 1) {
        Some(Kind::Name) if !site.touches_previous(site.at + 1) => {
            let written = format!("{sigil}{next}");
            let diagnostic = diagnostic.with_help(format!("write `{written}`, without a space"));
            site.replacing(diagnostic, site.at..=site.at + 1, &written)
        }
        _ => diagnostic.with_note("a name begins with a letter"),
    })
}

/// `keep-bidding`.
fn hyphen(site: &Site<'_>) -> Option<Diagnostic> {
    let named = |kind| matches!(kind, Some(Kind::Name | Kind::Variable | Kind::Role | Kind::AgentName));
    let mark = match site.found_text() {
        mark @ ("-" | ".") => mark,
        _ => return None,
    };
    let next = site.text(site.at + 1);
    let glued =
        named(site.previous()) && site.touches_previous(site.at) && site.touches_previous(site.at + 1);
    let begins_with_letter = next.starts_with(|c: char| c.is_ascii_alphabetic());
    (glued && begins_with_letter).then(|| {
        let name = format!("{}_{next}", site.previous_text());
        let diagnostic = site
            .error(format!("a name cannot contain `{mark}`"), "not part of a name")
            .with_help(format!("write `{name}`"));
        site.replacing(diagnostic, site.at - 1..=site.at + 1, &name)
    })
}

fn closed_comment(site: &Site<'_>) -> Option<Diagnostic> {
    (site.found_text() == "*/").then(|| {
        site.error("this `*/` closes no comment", "no comment is open here")
            .with_note("comments do not nest: the first `*/` closes a comment, whatever it contains")
    })
}

/// A reserved word where a name is expected.
fn reserved(site: &Site<'_>) -> Option<Diagnostic> {
    let word = site.found_text();
    let wants_name = (site.expects(Rule::name) && !site.expects_operation()) || site.expects(Rule::term);
    if wants_name && site.found().is_some_and(Kind::is_reserved) && word != "ε" {
        return Some(
            site.error(format!("`{word}` is a reserved word, not a name"), "expected a name")
                .with_help(format!("choose another name, such as `{word}_it`"))
                .with_note("reserved are `agent then or par waitfor timeout skip fail`"),
        );
    }
    if site.expects_operation() && site.found().is_some_and(Kind::is_join) && site.message_at(site.at) {
        return Some(
            site.error(format!("`{word}` is a reserved word and cannot name a message"), "expected a name")
                .with_help(format!("choose another name, such as `{word}_it`")),
        );
    }
    let names_message = site.found() == Some(Kind::OpenParen)
        && matches!(site.previous(), Some(Kind::Skip | Kind::Fail | Kind::Hole))
        && site.expects(Rule::then_word)
        && site.touches_previous(site.at);
    names_message.then(|| {
        let word = site.previous_text();
        site.error(format!("`{word}` takes no arguments"), "not expected here")
            .with_note(format!("`{word}` is a reserved word and cannot name a message or procedure"))
    })
}
