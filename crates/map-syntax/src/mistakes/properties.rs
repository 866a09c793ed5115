//! Mistakes in properties and formulas.

use map_diagnostics::{Code, Diagnostic};

use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;
use crate::unit::Unit;
use crate::words;

pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    head(site)
        .or_else(|| total(site))
        .or_else(|| range(site))
        .or_else(|| event(site))
        .or_else(|| agent(site))
        .or_else(|| cell(site))
        .or_else(|| arithmetic(site))
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

/// `$x in %role :`, `$p in 1..10 :`.
fn range(site: &Site<'_>) -> Option<Diagnostic> {
    const HELP: &str = "write `$x in %role : ..` or `$x in 1..10 : ..`; the formula behind the colon is about each agent or value";
    const VALUES: &str = "a variable ranges over a role `%role`, values `{a, b}`, integers `1..10`, or what a procedure answers, `p()`";
    let before = site.previous_text();
    let quantified =
        |behind: usize| site.at >= behind && matches!(site.text(site.at - behind), "forall" | "exists");
    let counted = |behind: usize| {
        site.at > behind && site.text(site.at - behind) == "(" && site.text(site.at - behind - 1) == "count"
    };
    if site.expects(Rule::range_over) && !starts_formula(site)
        || quantified(1) && site.expects(Rule::variable)
    {
        return Some(
            site.error("a variable is missing that stands for the agents", "expected `$x in %role :`")
                .with_help(HELP),
        );
    }
    let colon = site.found_text() == ":";
    if site.previous() == Some(Kind::Name)
        && site.expects(Rule::open_paren)
        && site.at >= 3
        && site.text(site.at - 2) == "in"
        && (quantified(4) || counted(4) && colon)
    {
        return Some(
            site.error(
                format!("it is not said whether `{before}` is a role or a procedure"),
                "not expected here",
            )
            .with_help(format!(
                "write `%{before}` for the agents of a role, or `{before}()` for what a procedure answers"
            )),
        );
    }
    if before == "in" && (site.expects(Rule::role) || site.expects(Rule::domain)) {
        return Some(
            site.error(
                format!("a variable ranges over agents or values, not over {}", site.found_phrase()),
                "expected what it ranges over",
            )
            .with_help(VALUES),
        );
    }
    if before == "(" && site.at >= 3 && site.text(site.at - 3) == "in" && site.expects(Rule::close_paren) {
        let procedure = site.text(site.at - 2);
        return Some(
            site.error("a procedure that a variable ranges over has no arguments", "expected `)`")
                .with_help(format!("write `{procedure}()`: all values of its domain")),
        );
    }
    if site.previous() == Some(Kind::Variable) && (quantified(2) || counted(2) && colon) {
        return Some(
            site.error("it is missing what the variable ranges over", "expected `in %role :`")
                .with_help(HELP),
        );
    }
    if site.expects(Rule::colon) && site.at > 2 {
        if site.found_text() == "," {
            return Some(
                site.error("only one variable can stand here", "expected `:` here")
                    .with_help("write one behind the other: `forall $a in %role : forall $b in %role : ..`"),
            );
        }
        let behind =
            if site.previous() == Some(Kind::Role) { "the role" } else { "what the variable ranges over" };
        return Some(
            site.error(format!("`:` is missing behind {behind}"), "expected `:` before this").with_help(HELP),
        );
    }
    None
}

/// `total($c : f)`.
fn total(site: &Site<'_>) -> Option<Diagnostic> {
    const HELP: &str =
        "write `total($c : !Name sends m($c) to _)`: the values that `$c` has had are added up";
    let opened = |behind: usize| {
        site.at > behind && site.text(site.at - behind) == "(" && site.text(site.at - behind - 1) == "total"
    };
    let adds_values = site.at > 1 && site.previous_text() == "(" && site.text(site.at - 2) == "sum";
    if adds_values && site.expects(Rule::name) && site.found() == Some(Kind::Variable) {
        let error = site
            .error("`sum(m)` adds up a measure of each agent", "not the name of a measure")
            .with_help("did you mean `total`?");
        return Some(site.replacing(error, site.at - 2..=site.at - 2, "total"));
    }
    if opened(1) && site.expects(Rule::variable) {
        return Some(
            site.error("it is missing what is added up", "expected a variable `$c`").with_help(HELP),
        );
    }
    (opened(2) && site.previous() == Some(Kind::Variable) && site.expects(Rule::colon)).then(|| {
        site.error("`:` is missing behind the variable of `total`", "expected `:` before this")
            .with_help(HELP)
    })
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
    let status = matches!(site.previous_text(), "done" | "failed" | "waiting");
    if status
        && site.expects(Rule::open_paren)
        && matches!(site.found(), Some(Kind::AgentName | Kind::Variable))
    {
        let (word, agent) = (site.previous_text(), site.found_text());
        let written = format!("{word}({agent})");
        let error = site
            .error(format!("`{word}` is followed by `(`, found `{agent}`"), "expected `(` before this")
            .with_help(format!("write `{written}`"));
        return Some(site.replacing(error, site.at - 1..=site.at, &written));
    }
    if site.expects(Rule::yes_word) {
        return Some(
            site.error("it is missing what was answered", "expected `yes` or `no`")
                .with_help("`yes` is any answer but \"no\""),
        );
    }
    if site.previous_text() == "times" && site.expects(Rule::out_word) {
        let error = site.error("`times` alone is no event", "expected `out`").with_help("write `times out`");
        return Some(site.replacing(error, site.at - 1..=site.at - 1, "times out"));
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
        return Some(site.written(site.error(format!("`{found}` is no event"), "not expected here"), meant));
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
        site.error(text, "not expected here")
            .with_help(format!("write `!{name}` for the agent"))
            .replaced_by(format!("!{name}"))
    })
}

/// A cell without its agent.
fn cell(site: &Site<'_>) -> Option<Diagnostic> {
    let name = site.found_text();
    let wants = site.expects(Rule::cell_of) || starts_formula(site);
    (wants && site.found() == Some(Kind::Cell)).then(|| {
        site.error(format!("it is not said whose cell `{name}` is"), "expected an agent before this")
            .with_help(format!("write `!Name{name}`"))
    })
}

/// `a + b`: quantities are compared as they are.
fn arithmetic(site: &Site<'_>) -> Option<Diagnostic> {
    let sign = site.found_text();
    let behind_quantity = site.expects(Rule::less) || behind_formula(site);
    (behind_quantity && matches!(sign, "+" | "-" | "*" | "/" | "mod")).then(|| {
        site.error("there is no arithmetic in properties", "not expected here")
            .with_help("let a procedure keep what you want to compare in a cell: `with @sum := @a + @b`")
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
        "W" if between => "unless",
        "!" | "~" if starts_formula(site) => "not",
        "[" if starts_formula(site) && next == "]" => "always",
        "<" if starts_formula(site) && next == ">" => "eventually",
        _ => return chain(site),
    };
    let written = if matches!(found, "[" | "<") { format!("{found}{next}") } else { found.to_owned() };
    let diagnostic = site
        .error(format!("there is no operator `{written}`"), "not expected here")
        .with_help(format!("write `{meant}`"));
    // `[]` and `<>` are two words.
    let last = if written == found { site.at } else { site.at + 1 };
    Some(site.replacing(diagnostic, site.at..=last, meant))
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
        "before",
        "total",
    ];
    match word {
        "G" | "globally" => Some("always"),
        "F" | "finally" => Some("eventually"),
        "X" => Some("next"),
        "O" | "once" | "previously" | "earlier" => Some("before"),
        "sum" => Some("total"),
        "all" | "each" | "every" => Some("forall"),
        "some" | "any" => Some("exists"),
        _ => words::misspelling(word, WORDS),
    }
}

/// `a < b < c`, `f until g until h`.
fn chain(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if matches!(found, "until" | "unless" | "precedes" | "leadsto") && !starts_formula(site) {
        return Some(
            site.error("`until`, `unless`, `precedes` and `leadsto` do not chain", "not expected here")
                .with_help(format!("put parentheses around one of the two: `(f {found} g) {found} h`")),
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
        if found == "before" {
            return Some(
                site.error("`before` joins no formulas: it stands in front of one", "not expected here")
                    .with_help("write `f precedes g`: `g` does not happen before `f` has")
                    .with_help("or, at one moment, `g implies before f`: `f` has happened earlier"),
            );
        }
        let joints = &["and", "implies", "until", "unless", "precedes", "leadsto"];
        let meant = match found {
            "then" => Some("leadsto"),
            _ => words::misspelling(found, joints),
        };
        if let Some(meant) = meant {
            return Some(
                site.error(format!("`{found}` joins no formulas"), "not expected here")
                    .with_help(format!("did you mean `{meant}`?"))
                    .replaced_by(meant),
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
                    .with_help(format!("did you mean `{meant}`?"))
                    .replaced_by(meant),
            );
        }
        if let Some(diagnostic) = named(site) {
            return Some(diagnostic);
        }
        if matches!(value, "unless" | "precedes") && site.found().is_some() {
            return Some(
                site.error(format!("`{value}` joins two formulas"), "the second one begins here")
                    .with_help(format!("write a formula before it: `f {value} g`")),
            );
        }
        let value = match site.previous() {
            Some(Kind::CloseParen) if is_total(site) => "total(..)",
            Some(Kind::CloseParen) => "count(..)",
            _ => value,
        };
        let value = if site.previous() == Some(Kind::Cell) { "!Name@cell" } else { value };
        return Some(
            site.error("a value is no formula", "expected a comparison")
                .with_help(format!("compare it, such as `{value} == ..`")),
        );
    }
    None
}

/// A bare name in place of a formula, right before the site.
fn named(site: &Site<'_>) -> Option<Diagnostic> {
    let word = site.previous_text();
    let index = site.at.checked_sub(1).filter(|&index| site.kind(index) == Some(Kind::Name))?;
    let error = |text: String| Diagnostic::new(Code::Syntax, site.tokens[index].span, text, "not a formula");
    let next = site.text(site.at + 1);
    Some(match (word, site.found_text()) {
        ("if", _) => error("there is no `if` among formulas".to_owned())
            .with_help("write `f implies g`, or `f leadsto g` if `g` is to come later"),
        ("A" | "AG", "[" | "(") if word == "AG" || next == "]" => {
            error(format!("there is no operator `{word}{}`", if word == "A" { "[]" } else { "" }))
                .with_help("write `always`")
        }
        ("E" | "EF", "<" | "(") if word == "EF" || next == ">" => {
            error(format!("there is no operator `{word}{}`", if word == "E" { "<>" } else { "" }))
                .with_help("write `possible`")
        }
        ("assert" | "assume" | "check" | "ltl", _) => {
            error(format!("there is no `{word}` among formulas")).with_help(format!("leave out `{word}`"))
        }
        ("deadlock" | "livelock" | "terminates" | "terminated" | "termination", _) => {
            error(format!("`{word}` is no formula"))
                .with_help("`map verify` judges deadlocks and termination without a property")
                .with_help("write `ended` for the moment at which every agent has ended")
        }
        ("first" | "last", "(") => error(format!("`{word}(..)` is a value of a run that has ended"))
            .with_help(format!(
                "declare it, `measure m = {word}($p : !Name sends m($p) to _)`, for `map run --runs 1000`"
            ))
            .with_help("in a property speak of the event: `!Name sends m($p) to _ implies $p <= 3`"),
        (_, "(") if !matches!(word, "G" | "F" | "X") && site.touches_previous(site.at) => {
            error(format!("no formula begins with `{word}(`")).with_help(format!(
                "if `{word}` is a message, say who sends or receives it: `!Name sends {word}(_) to _`"
            ))
        }
        _ => return None,
    })
}

/// Whether the parenthesis that is closed before the site is that of a `total`.
fn is_total(site: &Site<'_>) -> bool {
    let mut depth = 0;
    for at in (1..site.at).rev() {
        match site.kind(at) {
            Some(Kind::CloseParen) => depth += 1,
            Some(Kind::OpenParen) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return site.text(at - 1) == "total";
        }
    }
    false
}
