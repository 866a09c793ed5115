//! Mistakes in `measure NAME = expression`.

use map_diagnostics::Diagnostic;

use super::{expressions, properties};
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::unit::Unit;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    head(site)
        .or_else(|| moment(site))
        .or_else(|| named(site))
        .or_else(|| operand(site))
        .or_else(|| expressions::behind_operand(site))
        .or_else(|| properties::explain(site))
}

/// `measure NAME =`, `measure NAME of $b in %role =`.
fn head(site: &Site<'_>) -> Option<Diagnostic> {
    if site.unit != Unit::Measure {
        return None;
    }
    if site.at == 1 {
        let label = if site.found().is_some() { "not a name" } else { "expected a name here" };
        return Some(site.error("a measure needs a name", label).with_help(EXAMPLE));
    }
    let is_head = (0..site.at).all(|token| site.kind(token) != Some(Kind::Equals));
    if !is_head {
        return None;
    }
    let found = site.found_text();
    if site.expects(Rule::equals) {
        let label = if site.found().is_some() { "expected `=`" } else { "expected `=` here" };
        let error = site.error("`=` is missing in front of what the measure is", label);
        return Some(match found {
            ":" | ":=" | "==" | "=>" => error.with_help("write `=`").replaced_by("="),
            "for" | "per" | "each" if site.at == 2 => error.with_help(EACH),
            _ => error.with_help(EXAMPLE),
        });
    }
    let text = format!(
        "a measure of each agent of a role is written `of $b in %role`, found {}",
        site.found_phrase()
    );
    let label = if site.found().is_some() { "not expected here" } else { "something is missing here" };
    Some(site.error(text, label).with_help(EACH))
}

/// `first($p : f)` and `last($p : f)`.
fn moment(site: &Site<'_>) -> Option<Diagnostic> {
    let opened = |behind: usize| {
        let word = site.at.checked_sub(behind + 1).map(|word| site.text(word));
        word.filter(|word| matches!(*word, "first" | "last") && site.text(site.at - behind) == "(")
    };
    if let Some(word) = opened(1).filter(|_| site.expects(Rule::variable)) {
        let text = format!("it is not said of what `{word}` is the value");
        return Some(site.error(text, "expected a variable `$p`").with_help(moment_example(word)));
    }
    let word = opened(2).filter(|_| site.expects(Rule::colon))?;
    let text = format!("`:` is missing behind the variable of `{word}`");
    Some(site.error(text, "expected `:` before this").with_help(moment_example(word)))
}

fn moment_example(word: &str) -> String {
    format!("write `{word}($p : !Name sends m($p) to _)`: the value that `$p` had then")
}

/// `measure(m, $b)`, `sum(m)` and `cost(u)`.
fn named(site: &Site<'_>) -> Option<Diagnostic> {
    let word = site.at.checked_sub(2).map(|word| site.text(word))?;
    let opened = site.previous_text() == "(" && matches!(word, "measure" | "sum" | "cost");
    (opened && site.expects(Rule::name)).then(|| {
        let label = if site.found().is_some() { "not a name" } else { "expected a name here" };
        let text =
            format!("`{word}(..)` needs the name of a {}", if word == "cost" { "cost" } else { "measure" });
        let error = site.error(text, label);
        match word {
            "sum" => error
                .with_help("declare what is added up, `measure m of $b in %role = ..`, and write `sum(m)`"),
            _ => error,
        }
    })
}

/// Where a value is expected.
fn operand(site: &Site<'_>) -> Option<Diagnostic> {
    if !wants_operand(site) {
        return None;
    }
    let found = site.found_text();
    let label = if site.found().is_some() { "expected a value before this" } else { "expected a value here" };
    Some(match site.found() {
        Some(Kind::Cell) => site
            .error(format!("it is not said whose cell `{found}` is"), "expected an agent before this")
            .with_help(format!("write `!Name{found}`")),
        Some(Kind::Wildcard) => site
            .error("`_` stands for anybody in events only", "no value")
            .with_help("count what happens: `count(_ sends m(_) to _)`"),
        Some(Kind::Sigil) if found != "!" => return None,
        _ => site
            .error(format!("expected a value, found {}", site.found_phrase()), label)
            .with_note("values are such as `!Name@cell`, `count(!Name sends m(_) to _)`, `last($p : !Name sends m($p) to _)`, `cost(steps)`, `measure(m)`, `3`"),
    })
}

fn wants_operand(site: &Site<'_>) -> bool {
    use Rule::{
        measured, measured_comparison, measured_conjunction, measured_negation, measured_operand,
        measured_product, measured_sum, reading,
    };
    let rules = [
        measured,
        measured_conjunction,
        measured_negation,
        measured_comparison,
        measured_sum,
        measured_product,
        measured_operand,
        reading,
    ];
    rules.iter().any(|&rule| site.expects(rule)) || site.expects(Rule::first_word)
}

const EXAMPLE: &str = "a measure is written `measure price = last($p : !Name sends pay($p) to _)`";
const EACH: &str = "a measure of each agent is written `measure gain of $b in %role = $b@value - ..`";
