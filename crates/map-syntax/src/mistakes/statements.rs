//! Statements of other languages in place of operations.

use map_diagnostics::{Code, Diagnostic};

use crate::site::Site;
use crate::sketch::token::Kind;

/// What other languages say with a word.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Choice,
    Loop,
    Send,
    Receive,
    Call,
    Answer,
    Not,
    Group,
    Nothing,
}

/// Whether a word begins a statement that may consist of several operations.
pub(super) fn is_compound(word: &str) -> bool {
    matches!(meaning(word), Some(Meaning::Choice | Meaning::Loop | Meaning::Group))
}

fn meaning(word: &str) -> Option<Meaning> {
    Some(match word {
        "if" | "when" | "unless" | "case" | "else" | "elif" | "switch" | "match" | "select" | "try" => {
            Meaning::Choice
        }
        "while" | "for" | "foreach" | "repeat" | "loop" | "do" | "until" => Meaning::Loop,
        "send" | "emit" | "tell" => Meaning::Send,
        "receive" | "recv" | "get" => Meaning::Receive,
        "call" | "goto" | "run" => Meaning::Call,
        "return" => Meaning::Answer,
        "not" => Meaning::Not,
        "atomic" | "begin" | "parallel" => Meaning::Group,
        "let" | "var" | "const" | "int" | "async" | "new" | "set" => Meaning::Nothing,
        _ => return None,
    })
}

/// A statement whose word was read as a name without arguments, right before the site.
pub(super) fn word(site: &Site<'_>) -> Option<Diagnostic> {
    site.at.checked_sub(1).and_then(|index| explain(site, index))
}

/// A statement that begins at the site, where a connective is missing.
pub(super) fn behind_operation(site: &Site<'_>) -> Option<Diagnostic> {
    let named = site.kind(site.at + 1) == Some(Kind::OpenParen);
    (site.found() == Some(Kind::Name) && !named).then(|| explain(site, site.at))?
}

/// `if (..)`, `while (..)`: looks like a message.
pub(super) fn in_parentheses(site: &Site<'_>) -> Option<Diagnostic> {
    let open = match site.previous()? {
        Kind::CloseParen => opening(site, site.at - 1)?,
        _ => site.open_paren()?,
    };
    let name = open.checked_sub(1)?;
    is_compound(site.text(name)).then(|| explain(site, name))?
}

/// The `(` that the parenthesis at `close` closes.
fn opening(site: &Site<'_>, close: usize) -> Option<usize> {
    let mut closed = 0_usize;
    (0..=close).rev().find(|&index| {
        match site.kind(index) {
            Some(Kind::CloseParen) => closed += 1,
            Some(Kind::OpenParen) => closed -= 1,
            _ => {}
        }
        closed == 0
    })
}

/// The diagnostic about the word at an index.
fn explain(site: &Site<'_>, index: usize) -> Option<Diagnostic> {
    let word = site.text(index);
    let meaning = meaning(word).filter(|_| site.kind(index) == Some(Kind::Name))?;
    let next = site.text(index + 1);
    let text = format!("there is no `{word}` in MAP");
    let diagnostic =
        Diagnostic::new(Code::Syntax, site.tokens[index].span, text, "no operation begins like this");
    Some(match meaning {
        Meaning::Choice => {
            diagnostic.with_help("a choice is written `A or B`: `B` runs if `A` fails").with_help(
                "what an agent decides is asked of a procedure, which may answer \"no\": `$v = p(..)`",
            )
        }
        Meaning::Loop => diagnostic.with_help(
            "a clause repeats by calling itself: `agent($self, %role, again) = .. then agent(again) or ..`",
        ),
        Meaning::Send => diagnostic.with_help("a message is sent with `m(..) => agent($a, %role)`"),
        Meaning::Receive => {
            diagnostic.with_help("a message is received with `waitfor m(..) <= agent($a, %role)`")
        }
        Meaning::Call if site.kind(index + 1) == Some(Kind::Name) => {
            diagnostic.with_help(format!("a clause is called by its terms: `agent({next}, ..)`"))
        }
        Meaning::Call => diagnostic.with_help("a clause is called by its terms: `agent(NAME, ..)`"),
        Meaning::Answer => diagnostic.with_help(
            "operations have no values: leave it out, or pass the value on in a call `agent(NAME, $v)`",
        ),
        Meaning::Not => diagnostic
            .with_help("what an agent does when `A` fails is written behind `or`: `A or B`")
            .with_help("a decision can compute the opposite: `decision not_ready() | @ready != yes = yes`"),
        Meaning::Group => diagnostic.with_help("operations are grouped with `(` and `)`"),
        Meaning::Nothing => diagnostic.with_help(format!("leave out `{word}`")),
    })
}
