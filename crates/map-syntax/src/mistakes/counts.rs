//! Mistakes in `count(%role)`, the number of agents of a role, which is nothing but an initial value.

use map_diagnostics::Diagnostic;

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::unit::Unit;

/// `count(%role)` in a place where it cannot stand.
pub(super) fn misplaced(site: &Site<'_>) -> Option<Diagnostic> {
    // The word is read as a constant, so that the parser stops behind it; in a formula, the role is one, too.
    let behind = match site.unit {
        Unit::Memory => 0,
        Unit::Property | Unit::Formula | Unit::Measure | Unit::Measured => 3,
        Unit::Declaration | Unit::Truth | Unit::Clause => 1,
        Unit::Cast | Unit::Cost => return None,
    };
    let word = site.at.checked_sub(behind)?;
    let complete = site.text(word) == "count"
        && site.kind(word + 1) == Some(Kind::OpenParen)
        && site.kind(word + 2) == Some(Kind::Role)
        && site.kind(word + 3) == Some(Kind::CloseParen);
    if !complete {
        return None;
    }
    let written = format!("count({})", site.text(word + 2));
    let error =
        site.error(format!("`{written}` can only be the initial value of a cell"), "not expected here");
    if site.unit == Unit::Memory && site.previous_text() == "in" {
        let help = format!("write `= {written}`");
        return Some(site.replacing(error.with_help(help), site.at - 1..=site.at - 1, "="));
    }
    let cell = match site.unit {
        Unit::Property | Unit::Formula | Unit::Measure | Unit::Measured => "!Agent@number",
        _ => "@number",
    };
    Some(error.with_help(format!(
        "give a cell this value, `memory %role {{ @number = {written} }}`, and write `{cell}` here"
    )))
}

/// What stands in the parentheses of an initial value, and behind them.
pub(super) fn in_parentheses(site: &Site<'_>) -> Option<Diagnostic> {
    let opened = |behind: usize| {
        site.at > behind && site.text(site.at - behind) == "(" && site.text(site.at - behind - 1) == "count"
    };
    if opened(1) && site.expects(Rule::role) {
        let label = if site.found().is_some() { "not a role" } else { "expected a role here" };
        let error = site.error("`count(..)` of a memory counts the agents of a role", label);
        return Some(match site.found() {
            Some(Kind::Name) => site.written(error, &format!("%{}", site.found_text())),
            _ => error.with_help("write `count(%role)`"),
        });
    }
    (opened(2) && site.expects(Rule::close_paren)).then(|| {
        site.error("`count(..)` of a memory counts all agents of one role", "expected `)`")
            .with_help(format!("write `count({})`", site.previous_text()))
    })
}
