//! Mistakes in properties and formulas.

use map_diagnostics::{Code, Diagnostic};

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::token::Kind;
use crate::unit::Unit;
use crate::words;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    head(site)
        .or_else(|| range(site))
        .or_else(|| event(site))
        .or_else(|| agent(site))
        .or_else(|| operator(site))
        .or_else(|| start(site))
        .or_else(|| behind(site))
}

fn starts_formula(site: &Site<'_>) -> bool {
    [Rule::formula, Rule::implication, Rule::disjunction, Rule::junction, Rule::literal, Rule::atom]
        .iter()
        .any(|&rule| site.expects(rule))
        || site.expects(Rule::always_word)
        || site.expects(Rule::not_word) && site.expects(Rule::ended)
}

/// Whether a formula is complete here, so that a connective could follow.
fn behind_formula(site: &Site<'_>) -> bool {
    site.expects(Rule::and_word) || site.expects(Rule::until_word)
}

/// `property NAME :`.
fn head(site: &Site<'_>) -> Option<Diagnostic> {
    if site.unit != Unit::Property {
        return None;
    }
    let help = "write `property NAME : formula`";
    match site.at {
        1 => Some(site.error("a property needs a name", "expected a name").with_help(help)),
        2 => Some(
            site.error("`:` is missing behind the name of the property", "expected `:` here").with_help(help),
        ),
        _ => None,
    }
}

/// `$x in %role :`.
fn range(site: &Site<'_>) -> Option<Diagnostic> {
    const HELP: &str =
        "write `$x in %role : ..`; the formula behind the colon is about each agent of the role";
    let before = site.previous_text();
    if site.expects(Rule::range_over) || matches!(before, "forall" | "exists") && site.expects(Rule::variable)
    {
        return Some(
            site.error("a variable is missing that stands for the agents", "expected `$x in %role :`")
                .with_help(HELP),
        );
    }
    if site.expects(Rule::colon) && site.at > 2 {
        return Some(
            site.error("`:` is missing behind the role", "expected `:` before this").with_help(HELP),
        );
    }
    let is_range = site.at >= 2
        && site.previous() == Some(Kind::Variable)
        && (matches!(site.text(site.at - 2), "forall" | "exists")
            || site.text(site.at - 2) == "(" && site.at >= 3 && site.text(site.at - 3) == "count");
    if is_range {
        return Some(
            site.error("it is missing what the variable ranges over", "expected `in %role :`")
                .with_help(HELP),
        );
    }
    if before == "in" && site.expects(Rule::role) {
        return Some(
            site.error(
                format!("a variable ranges over the agents of a role, not over {}", site.found_phrase()),
                "expected a role `%role`",
            )
            .with_help(HELP),
        );
    }
    None
}

/// In an event: what an agent does.
fn event(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if (site.expects(Rule::to_word) || site.expects(Rule::from_word))
        && site.previous() == Some(Kind::CloseParen)
    {
        let (word, verb) = if site.expects(Rule::to_word) { ("to", "sends") } else { ("from", "receives") };
        return Some(
            site.error(format!("`{word}` is missing behind the message"), format!("expected `{word}`"))
                .with_help(format!("write `{verb} m(..) {word} !Name`; `_` stands for anybody")),
        );
    }
    if site.expects(Rule::terms) || site.expects(Rule::open_paren) && message_without_arguments(site) {
        let name = site.previous_text();
        return Some(
            site.error("a message is written with its arguments", "expected `(` before this")
                .with_help(format!("write `{name}()`, or `{name}(_)` for any one argument")),
        );
    }
    if site.expects(Rule::yes_word) {
        return Some(
            site.error("it is missing what was answered", "expected `yes` or `no`")
                .with_help("`yes` is any answer but \"no\""),
        );
    }
    if site.previous_text() == "times" && site.expects(Rule::out_word) {
        return Some(
            site.error("`times` alone is no event", "expected `out`").with_help("write `times out`"),
        );
    }
    if !site.expects(Rule::sends_word) && !site.expects(Rule::asks) && !site.expects(Rule::sends) {
        return None;
    }
    let verbs = &["sends", "receives", "asks", "answers", "times"];
    let meant = match found {
        "send" | "sent" => Some("sends"),
        "receive" | "received" | "gets" => Some("receives"),
        "ask" => Some("asks"),
        "answer" | "says" => Some("answers"),
        "timeout" | "timesout" | "times_out" => Some("times out"),
        _ => words::misspelling(found, verbs),
    };
    if let Some(meant) = meant {
        return Some(
            site.error(format!("`{found}` is no event"), "not expected here")
                .with_help(format!("write `{meant}`")),
        );
    }
    matches!(site.found(), None | Some(Kind::CloseParen)).then(|| {
        let subject = site.previous_text();
        site.error(format!("it is not said what is the matter with `{subject}`"), "something is missing here")
            .with_help(format!(
                "write what it does (`{subject} sends m(..) to _`), where it is (`{subject} in NAME`), or compare it (`{subject} == ..`)"
            ))
    })
}

fn message_without_arguments(site: &Site<'_>) -> bool {
    site.at >= 2 && matches!(site.text(site.at - 2), "sends" | "receives")
}

/// A name without a sigil in place of an agent.
fn agent(site: &Site<'_>) -> Option<Diagnostic> {
    let name = site.found_text();
    let wants = [Rule::agent_name, Rule::subject].iter().any(|&rule| site.expects(rule))
        && !starts_formula(site)
        && !site.expects(Rule::integer);
    (wants && site.found() == Some(Kind::Name)).then(|| {
        let text = format!("expected {}, found {}", site.expected_phrase(), site.found_phrase());
        site.error(text, "not expected here").with_help(format!("write `!{name}` for the agent"))
    })
}

/// Operators of other languages.
fn operator(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    let next = site.text(site.at + 1);
    let between = behind_formula(site);
    let compares = site.expects(Rule::equal) || site.expects(Rule::less);
    let meant = match found {
        "=" if compares => "==",
        "=<" if compares => "<=",
        "&&" | "&" if between => "and",
        "||" | "|" if between => "or",
        "->" | "=>" | "-->" | "==>" if between => "implies",
        "~>" | "U" if between => "until",
        "!" | "~" if starts_formula(site) => "not",
        "[" if starts_formula(site) && next == "]" => "always",
        "<" if starts_formula(site) && next == ">" => "eventually",
        _ => return chain(site),
    };
    let written = if matches!(found, "[" | "<") { format!("{found}{next}") } else { found.to_owned() };
    Some(
        site.error(format!("there is no operator `{written}`"), "not expected here")
            .with_help(format!("write `{meant}`")),
    )
}

/// The keyword that the author may have meant by a word that cannot begin a formula.
fn meant_by(word: &str) -> Option<&'static str> {
    const WORDS: &[&str] = &[
        "always",
        "eventually",
        "never",
        "next",
        "possible",
        "forall",
        "exists",
        "not",
        "done",
        "failed",
        "waiting",
        "ended",
        "mailbox",
        "count",
    ];
    match word {
        "G" | "globally" => Some("always"),
        "F" | "finally" => Some("eventually"),
        "X" => Some("next"),
        "all" | "each" | "every" => Some("forall"),
        "some" | "any" => Some("exists"),
        _ => words::misspelling(word, WORDS),
    }
}

/// `a < b < c`, `f until g until h`.
fn chain(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if matches!(found, "until" | "leadsto") {
        return Some(
            site.error("`until` and `leadsto` do not chain", "not expected here")
                .with_help("put parentheses around one of the two: `(f until g) until h`"),
        );
    }
    let compares = matches!(found, "==" | "!=" | "<" | "<=" | ">" | ">=");
    (compares && behind_formula(site)).then(|| {
        site.error("comparisons do not chain", "a second comparison begins here")
            .with_help("write `a <= $x and $x <= b`")
    })
}

/// Where a formula is expected.
fn start(site: &Site<'_>) -> Option<Diagnostic> {
    if !starts_formula(site) {
        return None;
    }
    let label =
        if site.found().is_some() { "expected a formula before this" } else { "expected a formula here" };
    Some(
        site.error(format!("expected a formula, found {}", site.found_phrase()), label).with_note(
            "formulas are such as `ended`, `!Name in start`, `!Name sends m(_) to _`, `!Name@cell == 3`, `always f`, `f leadsto g`",
        ),
    )
}

/// After a complete formula or value.
fn behind(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if behind_formula(site) && site.found() == Some(Kind::Name) {
        let joints = &["and", "implies", "until", "leadsto"];
        let meant = match found {
            "then" => Some("leadsto"),
            _ => words::misspelling(found, joints),
        };
        if let Some(meant) = meant {
            return Some(
                site.error(format!("`{found}` joins no formulas"), "not expected here")
                    .with_help(format!("did you mean `{meant}`?")),
            );
        }
    }
    let kind = |behind: usize| site.kind(site.at + behind);
    let opens = matches!(kind(2), Some(Kind::OpenBracket | Kind::OpenBrace | Kind::OpenParen));
    if behind_formula(site) && kind(0) == Some(Kind::Name) && kind(1) == Some(Kind::Name) && opens {
        return Some(
            site.error(format!("unexpected `{found}` before a scene"), "not expected here")
                .with_help("a scene is written `NAME [ .. ]`, with no word before its name"),
        );
    }
    if behind_formula(site) && matches!(site.found(), Some(Kind::Then)) {
        return Some(
            site.error("`then` joins operations, not formulas", "not expected here")
                .with_help("write `leadsto`, or `;` between the events of `possible sequence`"),
        );
    }
    if site.expects(Rule::equal) && site.expects(Rule::less) && !behind_formula(site) {
        let value = site.previous_text();
        let meant = meant_by(value).filter(|_| site.previous() == Some(Kind::Name));
        if let (Some(meant), Some(word)) = (meant, site.at.checked_sub(1)) {
            let text = format!("no formula begins with `{value}`");
            let span = site.tokens[word].span;
            return Some(
                Diagnostic::new(Code::Syntax, span, text, "not expected here")
                    .with_help(format!("did you mean `{meant}`?")),
            );
        }
        let value = if site.previous() == Some(Kind::CloseParen) { "count(..)" } else { value };
        let value = if site.previous() == Some(Kind::Cell) { "!Name@cell" } else { value };
        return Some(
            site.error("a value is no formula", "expected a comparison")
                .with_help(format!("compare it, such as `{value} == ..`")),
        );
    }
    None
}
