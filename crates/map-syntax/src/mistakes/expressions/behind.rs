//! Mistakes after an operand, where an operator, `with`, a further alternative or the end may follow.

use map_diagnostics::{Code, Diagnostic};

use super::{is_comparison, no_operator};
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::words;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    comparison(site)
        .or_else(|| operator(site))
        .or_else(|| update(site))
        .or_else(|| conditional(site))
        .or_else(|| parentheses(site))
        .or_else(|| neighbour(site))
}

/// A comparison after a comparison, and comparison operators of other languages.
fn comparison(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let could_compare = site.expects(Rule::equal);
    match found {
        "=>" if could_compare && equals_follows(site) => Some(no_operator(site, ">=")),
        "is" | "equals" if could_compare => Some(no_operator(site, "==")),
        "=" if could_compare && !site.expects(Rule::equals) => {
            Some(site.written(site.error("a comparison is written `==`", "not expected here"), "=="))
        }
        _ => (!could_compare && is_comparison(found)).then(|| chained(site)),
    }
}

fn chained(site: &Site<'_>) -> Diagnostic {
    let diagnostic = site.error("comparisons do not chain", "a second comparison");
    let mut depth = 0_usize;
    let mut first = None;
    for index in (0..site.at).rev() {
        match site.kind(index) {
            Some(Kind::CloseParen) => depth += 1,
            Some(Kind::OpenParen) if depth == 0 => break,
            Some(Kind::OpenParen) => depth -= 1,
            _ if depth == 0 && is_comparison(site.text(index)) => {
                first = Some(index);
                break;
            }
            _ => {}
        }
    }
    let Some(first) = first else { return diagnostic };
    let diagnostic = diagnostic.with_label(site.tokens[first].span, "the first comparison");
    let middle = if first + 2 == site.at { site.previous_text() } else { "(..)" };
    diagnostic.with_help(format!(
        "join two comparisons with `and`: `.. {} {middle} and {middle} {} ..`",
        site.text(first),
        site.found_text()
    ))
}

/// Operators of other languages.
fn operator(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let in_parentheses = site.expects(Rule::close_paren) || site.expects(Rule::then_word);
    let word = match (site.found()?, found) {
        (Kind::Symbol, "&&" | "&") => "and",
        (Kind::Symbol, "||") => "or",
        (Kind::Symbol, "|") if in_parentheses => "or",
        (Kind::Sigil, "%") | (Kind::Role, _) | (Kind::Name, "modulo" | "rem") => "mod",
        (Kind::Name, "div") => "/",
        _ => return None,
    };
    let shown = if found.starts_with('%') { "%" } else { found };
    let text = format!("there is no operator `{shown}`");
    let error = site.error(text, "not expected here");
    Some(match (site.kind(site.at), word) {
        (Some(Kind::Role), _) => {
            let (number, by) = (site.previous_text(), &found[1..]);
            error.with_help(format!("write `mod` for the remainder: `{number} mod {by}`"))
        }
        (_, "mod") => {
            site.replacing(error.with_help("write `mod` for the remainder"), site.at..=site.at, word)
        }
        _ => site.written(error, word),
    })
}

/// `@cell :=` without `with`, and updates separated by something other than commas.
fn update(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let begins =
        |index: usize| site.kind(index) == Some(Kind::Cell) && matches!(site.text(index + 1), ":=" | "=");
    let in_updates = site.expects(Rule::comma) && !site.expects(Rule::with_word);
    if begins(site.at) {
        let (text, label) = match in_updates {
            true => ("a `,` is missing between two updates", "expected `,` before this"),
            false => ("`with` is missing before the cells that change", "expected `with` before this"),
        };
        let error = site.error(text, label).with_help("write `= answer with @cell := .., @other := ..`");
        return Some(site.preceded(error, if in_updates { "," } else { "with" }));
    }
    if begins(site.at + 1) && !in_updates && matches!(found, "," | ";" | "then") {
        let error = site.error("`with` is missing before the cells that change", "expected `with`");
        return Some(site.exchanged(error, "with"));
    }
    if begins(site.at + 1) && in_updates && matches!(found, "with" | ";" | "then") {
        return Some(site.exchanged(site.error("updates are separated by `,`", "expected `,`"), ","));
    }
    if found == ":=" && site.previous() == Some(Kind::Cell) {
        let joint = site.at.checked_sub(2).map_or("", |index| site.text(index));
        let diagnostic = site.error("a cell cannot change inside an expression", "not expected here");
        return Some(match joint {
            "and" => diagnostic.with_help("updates are separated by `,`, not by `and`"),
            _ => diagnostic.with_help("cells change behind the answer: `= answer with @cell := ..`"),
        });
    }
    None
}

/// Mistakes in `if .. then .. else ..`, and guards in the wrong place or without an answer.
fn conditional(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let opener = (0..site.at).rev().find(|&index| site.text(index) == "if");
    for (rule, word) in [(Rule::then_word, "then"), (Rule::else_word, "else")] {
        if !site.expects(rule) {
            continue;
        }
        let label = if site.found().is_some() {
            format!("expected `{word}` before this")
        } else {
            format!("expected `{word}` here")
        };
        let mut diagnostic = site.error(format!("this `if` has no `{word}`"), label);
        if let Some(opener) = opener {
            diagnostic = diagnostic.with_label(site.tokens[opener].span, "the `if`");
        }
        return Some(match found {
            "elif" | "elsif" | "elseif" => site.written(diagnostic, "else if"),
            "{" | ":" => diagnostic.with_help("an `if` is written `if condition then value else value`"),
            _ if word == "else" => {
                diagnostic.with_help("an `if` always has a value: write what it is otherwise")
            }
            _ => diagnostic.with_help("an `if` is written `if condition then value else value`"),
        });
    }
    if matches!(found, "if" | "when" | "where") {
        return Some(
            site.error("a guard stands before its answer", "not expected here")
                .with_help("write `| guard = answer`"),
        );
    }
    if site.found().is_none() && site.expects(Rule::equals) && !site.expects(Rule::with_word) {
        return Some(
            site.error("an alternative needs an answer", "expected `=` here")
                .with_help("write `| guard = answer`"),
        );
    }
    if found == "in" {
        return Some(match site.expects(Rule::equals) && !site.expects(Rule::with_word) {
            true => {
                let error = site
                    .error("the answer of an alternative stands behind `=`", "expected `=` before this")
                    .with_help("write `| guard = in ..`");
                site.preceded(error, "=")
            }
            false => site
                .error("an answer is a value or a domain, not both", "not expected here")
                .with_help("write `= in ..` for any of the values of a domain"),
        });
    }
    let answers = match found {
        "->" | "=>" | ":" | ":=" | "::=" => true,
        "then" => site.tokens[..site.at].iter().all(|token| token.kind != Kind::Then),
        _ => false,
    };
    (answers && site.expects(Rule::equals) && !site.expects(Rule::with_word)).then(|| {
        let error = site.error("the answer of an alternative stands behind `=`", "expected `=`");
        site.exchanged(error, "=")
    })
}

/// A missing or superfluous parenthesis, and the two arguments of `min` and `max`.
fn parentheses(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let open = site.open_paren();
    let word = open.and_then(|open| open.checked_sub(1)).map_or("", |index| site.text(index));
    let lists = matches!(word, "min" | "max");
    match site.found() {
        Some(Kind::CloseParen) if lists && site.expects(Rule::comma) => Some(
            site.error(format!("`{word}` takes two values"), "expected `,` and a second value")
                .with_help(format!("write `{word}(a, b)`")),
        ),
        Some(Kind::Comma) if lists && site.expects(Rule::close_paren) => Some(
            site.error(format!("`{word}` takes two values"), "expected `)`")
                .with_help(format!("for more, write `{word}(a, {word}(b, c))`")),
        ),
        Some(Kind::CloseParen) => Some(
            site.error("this `)` closes nothing", "no `(` belongs to it")
                .with_help("remove it")
                .replaced_by(""),
        ),
        _ if site.expects(Rule::close_paren)
            && (site.found().is_none() || matches!(found, "=" | "|" | "with")) =>
        {
            let span = site.tokens.get(open?)?.span;
            Some(
                Diagnostic::new(
                    Code::Syntax,
                    span,
                    "this parenthesis is never closed",
                    "no `)` belongs to it",
                )
                .with_label(site.span(), "expected `)` before this place"),
            )
        }
        _ => None,
    }
}

/// Two adjacent operands.
fn neighbour(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let kind = site.found()?;
    if kind == Kind::OpenParen && site.previous() == Some(Kind::Name) {
        let name = site.previous_text();
        return Some(
            site.error("an expression cannot ask a procedure", "not expected here")
                .with_help(format!("let the agent ask `{name}` first, and pass the answer as a parameter")),
        );
    }
    if matches!(found, ";" | ".") {
        return Some(
            site.error(
                format!("no `{found}` stands between alternatives or behind them"),
                "not expected here",
            )
            .with_help("remove it")
            .replaced_by(""),
        );
    }
    let begins = kind.is_term()
        || matches!(kind, Kind::Cell | Kind::OpenParen)
        || matches!(found, "if" | "not" | "self");
    let complete = site.expects(Rule::EOI) || site.expects(Rule::equals) && site.expects(Rule::bar);
    if begins && complete && equals_follows(site) && kind != Kind::Text {
        let error = site
            .error("a `|` is missing before this guard", "expected `|` before this")
            .with_help("an alternative is written `| guard = answer`");
        return Some(site.preceded(error, "|"));
    }
    let operators = ["with", "and", "mod", "then", "else"];
    if let Some(meant) = words::misspelling(found, &operators).filter(|_| kind == Kind::Name) {
        return Some(
            site.error(format!("`{found}` is no operator"), "not expected here")
                .with_help(format!("did you mean `{meant}`?"))
                .replaced_by(meant),
        );
    }
    if kind == Kind::Name && complete && site.tokens[site.at].first_on_line {
        let text = format!("expected a scene or another item, found {}", site.found_phrase());
        return Some(site.error(text, "no item begins like this"));
    }
    (begins && !(complete && site.tokens[site.at].first_on_line))
        .then(|| site.error("an operator is missing between two values", "expected an operator before this"))
}

/// Whether a `=` follows before the next `|`.
fn equals_follows(site: &Site<'_>) -> bool {
    let mut rest = (site.at + 1..site.tokens.len()).take_while(|&index| site.text(index) != "|");
    rest.any(|index| site.kind(index) == Some(Kind::Equals))
}
