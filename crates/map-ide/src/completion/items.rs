//! Proposals outside of scenes.

use map_syntax::{ItemSketch, TokenKind as Kind};

use super::Cursor;
use super::proposals::Proposals;
use super::terms::{Wanted, terms};
use crate::answers::CompletionKind;
use crate::model::Model;
use crate::weights::is_by;

/// What a file can go on with: items, and whole protocols while there is no scene.
pub(super) fn starts(model: &Model, proposals: &mut Proposals) {
    for (word, detail, insert) in [
        ("cast", "how many agents", "cast %${1:role} = ${2:2}"),
        ("memory", "cells of the agents of a role", "memory %${1:role} { @${2:cell} = ${3:0} }"),
        ("procedure", "always answers", "procedure ${1:name}($2)"),
        ("decision", "may say no", "decision ${1:name}($2)"),
        ("property", "what must hold", "property ${1:name} :\n\t${2:eventually ended}"),
        ("measure", "what each run has when it ends", "measure ${1:name} = ${2:count(_ sends m(_) to _)}"),
        ("cost", "what events cost", "cost ${1:tokens} { _ asks ${2:procedure} = ${3:1} }"),
        ("truth", "what honest agents answer", "truth ${1:decision}($2) = ${3:0}"),
        ("scene", "a dialogue", "${1:name}[\n\tagent(!${2:Name}, %${3:role}) =\n\t\t$0\n]"),
    ] {
        proposals.snippet(5, CompletionKind::Keyword, word, detail, insert.to_owned());
    }
    if !model.index.scenes.is_empty() {
        return;
    }
    for protocol in map_library::PROTOCOLS {
        let text = protocol.right.start();
        let documentation = format!("{}.\n\n```map\n{text}```\n", protocol.about);
        proposals.text(8, protocol.name, "protocol", documentation, text);
    }
}

/// `procedure p($a) ..`.
pub(super) fn procedure(model: &Model, cursor: Cursor, item: &ItemSketch, proposals: &mut Proposals) {
    let head =
        (item.tokens.start..cursor.before).all(|token| model.words.kind(token) != Some(Kind::CloseParen));
    if head {
        return;
    }
    if weights(model, cursor, proposals) {
        return;
    }
    if cursor.kind(model, 1) == Some(Kind::CloseParen) && model.word(item.tokens.start) == "decision" {
        let snippet = "with probability ${1:0.5}".to_owned();
        let detail = "how likely it is not to say no";
        proposals.snippet(3, CompletionKind::Keyword, "with probability", detail, snippet);
    }
    let wanted = Wanted {
        variables: Some(item.tokens.start),
        agents: true,
        roles: true,
        cells: true,
        constants: true,
        wildcard: false,
    };
    terms(model, cursor, wanted, proposals);
    for word in ["in", "fresh", "with", "and", "or", "not", "mod", "min", "max", "if", "then", "else", "self"]
    {
        proposals.word(3, CompletionKind::Keyword, word, "");
    }
}

/// `truth p($a) ..`.
pub(super) fn truth(model: &Model, cursor: Cursor, item: &ItemSketch, proposals: &mut Proposals) {
    if cursor.before == item.tokens.start + 1 {
        for declared in &model.index.declarations {
            let parameters: Vec<&str> =
                declared.parameters.iter().map(|it| &model.text()[model.words.extent(it)]).collect();
            let head = format!("{}({})", model.word(declared.name), parameters.join(", "));
            let insert = format!("{} = ${{1:0}}", head.replace('$', "\\$"));
            proposals.snippet(0, CompletionKind::Procedure, head, "", insert);
        }
        return;
    }
    let head =
        (item.tokens.start..cursor.before).all(|token| model.words.kind(token) != Some(Kind::CloseParen));
    if head {
        return;
    }
    let wanted = Wanted {
        variables: Some(item.tokens.start),
        agents: true,
        roles: true,
        cells: true,
        constants: true,
        wildcard: false,
    };
    terms(model, cursor, wanted, proposals);
    for word in ["in", "and", "or", "not", "mod", "min", "max", "if", "then", "else", "self"] {
        proposals.word(3, CompletionKind::Keyword, word, "");
    }
}

/// What goes on behind a range and behind its `by`. Returns whether nothing else can stand there.
fn weights(model: &Model, cursor: Cursor, proposals: &mut Proposals) -> bool {
    if cursor.kind(model, 1) == Some(Kind::Integer) && cursor.text(model, 2) == ".." {
        proposals.word(2, CompletionKind::Keyword, "by", "how likely the values are");
        return false;
    }
    let is_by = cursor.before.checked_sub(1).is_some_and(|it| is_by(model.text(), &model.words, it));
    if is_by {
        proposals.word(1, CompletionKind::Keyword, "value", "the integer whose weight it is");
        for (word, detail) in [("geometric", "falling by a factor"), ("binomial", "successes in trials")] {
            proposals.snippet(2, CompletionKind::Keyword, word, detail, format!("{word}(${{1:0.5}})"));
        }
    }
    is_by
}

/// `memory %role { @cell = value, @cell = count(%role), .. }`.
pub(super) fn memory(model: &Model, cursor: Cursor, proposals: &mut Proposals) {
    if weights(model, cursor, proposals) {
        return;
    }
    let wanted = match cursor.kind(model, 1) {
        Some(Kind::Name) => Wanted { roles: true, ..Wanted::default() },
        Some(Kind::OpenBrace | Kind::Comma) => Wanted { cells: true, ..Wanted::default() },
        Some(Kind::Equals) => {
            proposals.word(1, CompletionKind::Keyword, "self", "the agent's own name");
            let count = "count(%${1:role})".to_owned();
            proposals.snippet(3, CompletionKind::Keyword, "count", "the number of agents of a role", count);
            Wanted { agents: true, roles: true, constants: true, ..Wanted::default() }
        }
        Some(Kind::OpenParen) => Wanted { roles: true, ..Wanted::default() },
        _ => return,
    };
    terms(model, cursor, wanted, proposals);
}

/// `cast %role = n`.
pub(super) fn cast(model: &Model, cursor: Cursor, proposals: &mut Proposals) {
    if cursor.kind(model, 1) == Some(Kind::Equals) {
        proposals.word(1, CompletionKind::Keyword, "any", "any number of agents, one or more");
        proposals.snippet(
            2,
            CompletionKind::Keyword,
            "2..any",
            "two agents or more",
            "${1:2}..any".to_owned(),
        );
    }
    if cursor.kind(model, 1) == Some(Kind::Name) {
        terms(model, cursor, Wanted { roles: true, ..Wanted::default() }, proposals);
        for part in &model.index.parts {
            if let Some(name) = &part.literal {
                proposals.word(3, CompletionKind::Agent, format!("!{name}"), &format!("of %{}", part.role));
            }
        }
    }
}
