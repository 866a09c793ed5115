//! Values of other languages that are no terms: decimal numbers, lists, records, parts, named and typed arguments.

use map_diagnostics::{Code, Diagnostic};

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::unit::Unit;

/// A number with a decimal point, wherever it stands.
pub(super) fn decimal(site: &Site<'_>) -> Option<Diagnostic> {
    if site.found_text() != "." {
        return None;
    }
    let whole = (site.previous() == Some(Kind::Integer) && site.touches_previous(site.at))
        .then(|| site.previous_text());
    let digits = (site.kind(site.at + 1) == Some(Kind::Integer) && site.touches_previous(site.at + 1))
        .then(|| site.text(site.at + 1));
    let (start, end) = match (whole, digits) {
        (Some(_), Some(_)) => (site.at - 1, site.at + 1),
        (None, Some(_)) if !site.touches_previous(site.at) || site.previous() == Some(Kind::OpenParen) => {
            (site.at, site.at + 1)
        }
        (Some(_), None) if site.expects(Rule::comma) => (site.at - 1, site.at),
        _ => return None,
    };
    let span = site.tokens[start].span.to(site.tokens[end].span);
    let diagnostic = Diagnostic::new(Code::Syntax, span, "there are no decimal numbers", "not an integer");
    let digits = digits.unwrap_or("");
    let unit = match digits.len() {
        0 => {
            let whole = whole.unwrap_or("0");
            return Some(diagnostic.with_help(format!("write `{whole}`")).replaced_by(whole));
        }
        1 => "tenths",
        2 => "hundredths",
        3 => "thousandths",
        _ => "smaller units",
    };
    let is_weight =
        start > 0 && site.text(start - 1) == ":" && matches!(site.unit, Unit::Memory | Unit::Declaration);
    Some(match format!("{}{digits}", whole.unwrap_or("")).parse::<i64>() {
        Ok(scaled) if is_weight => diagnostic.with_help(format!(
            "only the ratio of weights matters: count all of the set in {unit}, and write `{scaled}`"
        )),
        Ok(scaled) => diagnostic.with_help(format!("count in {unit}, here and everywhere: write `{scaled}`")),
        Err(_) => diagnostic.with_help("count in smaller units, so that all numbers are integers"),
    })
}

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    if site.expects(Rule::term) {
        list(site).or_else(|| placeholder(site)).or_else(|| agent(site)).or_else(|| sigil(site))
    } else if site.expects(Rule::comma) {
        unit(site).or_else(|| part(site)).or_else(|| named(site)).or_else(|| typed(site))
    } else {
        None
    }
}

/// `[1, 2]`, `{price: 10}`, in place of a term.
fn list(site: &Site<'_>) -> Option<Diagnostic> {
    let (open, close) = match site.found()? {
        Kind::OpenBracket => (Kind::OpenBracket, Kind::CloseBracket),
        Kind::OpenBrace => (Kind::OpenBrace, Kind::CloseBrace),
        _ => return None,
    };
    let content = &site.tokens[site.at + 1..];
    let length = content.iter().take_while(|token| token.kind != close && token.kind != open).count();
    let end = content.get(length).filter(|token| token.kind == close);
    let span = end.map_or(site.span(), |end| site.span().to(end.span));
    let keyed = content.get(1).is_some_and(|token| {
        token.kind == Kind::Equals || site.text(site.at + 2) == ":" && token.kind == Kind::Symbol
    });
    let what = if keyed { "records" } else { "lists" };
    let text = format!("there are no {what} among the terms");
    let diagnostic = Diagnostic::new(Code::Syntax, span, text, "expected a term");
    let values = end.and_then(|_| values(site, site.at + 1, length));
    Some(match values.as_deref() {
        Some("") | None => diagnostic.with_help(
            "a message, a call or a question has a fixed number of terms, each of which is one value",
        ),
        Some(values) if keyed => {
            diagnostic.with_help(format!("a value is known by its place among the terms: write `{values}`"))
        }
        Some(values) => diagnostic.with_help(format!(
            "write the elements as terms of their own, `{values}`, or send a message for each"
        )),
    })
}

/// The values of a short list or record of plain terms, separated by commas.
fn values(site: &Site<'_>, start: usize, length: usize) -> Option<String> {
    let mut values = Vec::new();
    let content: Vec<usize> = (start..start + length).collect();
    for element in content.split(|&index| site.kind(index) == Some(Kind::Comma)) {
        match *element {
            [] if content.is_empty() => {}
            [value] | [_, _, value] if site.kind(value).is_some_and(Kind::is_term) => {
                values.push(site.text(value));
            }
            _ => return None,
        }
    }
    let values = values.join(", ");
    (values.len() <= 60).then_some(values)
}

/// `*`, `...`, `<price>` in place of a term.
fn placeholder(site: &Site<'_>) -> Option<Diagnostic> {
    let name = site.text(site.at + 1);
    Some(match site.found_text() {
        "*" => site
            .error("`*` is not a term", "expected a term")
            .with_help("write `_`: it matches anything")
            .replaced_by("_"),
        ".." => site
            .error("a message has a fixed number of terms", "expected a term")
            .with_help("write `_` for each term that does not matter"),
        "<" if site.kind(site.at + 1) == Some(Kind::Name) && site.text(site.at + 2) == ">" => {
            let error = site
                .error(format!("`<{name}>` is not a term"), "expected a term")
                .with_help(format!("write `${name}` for a value that is yet to be known"));
            site.replacing(error, site.at..=site.at + 2, &format!("${name}"))
        }
        _ => return None,
    })
}

/// `agent(!A, %r)` in place of a term.
fn agent(site: &Site<'_>) -> Option<Diagnostic> {
    let name = site.text(site.at + 2);
    let written = site.found() == Some(Kind::Agent)
        && site.kind(site.at + 1) == Some(Kind::OpenParen)
        && site.kind(site.at + 2).is_some_and(Kind::is_term);
    written.then(|| {
        site.error("`agent(..)` is not a term", "expected a term")
            .with_help(format!("write the agent's name alone: `{name}`"))
    })
}

/// `!$x`, where `!` may be meant as part of a name or as "not".
fn sigil(site: &Site<'_>) -> Option<Diagnostic> {
    let next = site.text(site.at + 1);
    let doubled = site.found() == Some(Kind::Sigil)
        && matches!(site.kind(site.at + 1), Some(Kind::Variable | Kind::Role | Kind::AgentName))
        && site.touches_previous(site.at + 1);
    doubled.then(|| {
        let text = format!("`{}` needs a name behind it", site.found_text());
        let error = site.error(text, "no name follows").with_help(format!("write `{next}` alone"));
        site.replacing(error, site.at..=site.at + 1, next)
    })
}

/// `10%`, `10$` and ranges.
fn unit(site: &Site<'_>) -> Option<Diagnostic> {
    if site.previous() != Some(Kind::Integer) {
        return None;
    }
    let number = site.previous_text();
    if site.found_text() == ".." {
        return Some(site.error("a term is one value, not a range", "not expected here").with_help(format!(
            "ask for one of the values: `$v = p()` with `decision p() in {number}..{}`",
            site.text(site.at + 1)
        )));
    }
    (site.found() == Some(Kind::Sigil) && site.touches_previous(site.at)).then(|| {
        let error = site.error("a number has no unit", "not expected here");
        error.with_help(format!("write `{number}` alone")).replaced_by("")
    })
}

/// `$x.price`, `$x[0]`, `$x.append(1)`.
fn part(site: &Site<'_>) -> Option<Diagnostic> {
    let whole = site.previous_text();
    if !site.touches_previous(site.at) || !site.previous().is_some_and(Kind::is_term) {
        return None;
    }
    let error = |text: String| site.error(text, "terms have no parts");
    match site.found_text() {
        "[" => Some(
            error(format!("`{whole}` has no elements"))
                .with_help("let the message carry each value as a term of its own: `m($x, $y)`"),
        ),
        "." if site.previous() == Some(Kind::Variable) && site.kind(site.at + 1) == Some(Kind::Name) => {
            let name = site.text(site.at + 1);
            Some(match site.kind(site.at + 2) {
                Some(Kind::OpenParen) => error(format!("`{whole}` has no methods")).with_help(format!(
                    "ask a procedure and go on with its answer: `$v = {name}({whole}, ..) then ..`"
                )),
                _ => error(format!("`{whole}` has no fields"))
                    .with_help(format!("let the message carry `${name}` as a term of its own"))
                    .with_help(format!("if `{whole}.{name}` is meant as a name, write `{whole}_{name}`")),
            })
        }
        _ => None,
    }
}

/// `price = 10`, `price: 10`, `$price: int`.
fn named(site: &Site<'_>) -> Option<Diagnostic> {
    let before = site.at.checked_sub(2).and_then(|index| site.kind(index));
    let separated = matches!(site.found_text(), "=" | ":") && site.open_paren() != Some(1);
    if !separated || !matches!(before, Some(Kind::OpenParen | Kind::Comma)) {
        return None;
    }
    let (name, value) = (site.previous_text(), site.text(site.at + 1));
    if !site.kind(site.at + 1).is_some_and(Kind::is_term) {
        return None;
    }
    match (site.previous()?, site.found_text()) {
        (Kind::Name | Kind::Text, _) => {
            let error = site
                .error("terms have no names", format!("`{name}` names what follows"))
                .with_help(format!("a value is known by its place among the terms: write `{value}` alone"));
            Some(site.replacing(error, site.at - 1..=site.at + 1, value))
        }
        (Kind::Variable, ":") => {
            let error = site
                .error("terms have no types", "expected `,` or `)`")
                .with_help(format!("write `{name}` alone"));
            Some(site.replacing(error, site.at - 1..=site.at + 1, name))
        }
        (Kind::Variable, _) => Some(
            site.error("a term cannot be given a value", "expected `,` or `)`")
                .with_help(format!("write `{value}` alone; a receive with `{value}` takes no other value")),
        ),
        _ => None,
    }
}

/// `int $price`, `f"bid {$x}"`.
fn typed(site: &Site<'_>) -> Option<Diagnostic> {
    const TYPES: &[&str] = &[
        "int", "integer", "number", "string", "str", "text", "bool", "boolean", "byte", "short", "float",
        "double", "mtype", "let", "var", "const", "any",
    ];
    let (word, found) = (site.previous_text(), site.found_text());
    match (site.previous()?, site.found()?) {
        (Kind::Name, Kind::Variable) if TYPES.contains(&word) => {
            let span = site.tokens[site.at - 1].span;
            let diagnostic =
                Diagnostic::new(Code::Syntax, span, "terms have no types", "not expected before a term");
            let diagnostic = diagnostic.with_help(format!("write `{found}` alone"));
            Some(site.replacing(diagnostic, site.at - 1..=site.at, found))
        }
        (Kind::Name, Kind::Text) if site.touches_previous(site.at) => Some(
            site.error("a string has no prefix: nothing is inserted into it", "expected `,` before this")
                .with_help("send what varies as a term of its own: `m(\"bid\", $x)`"),
        ),
        _ => None,
    }
}
