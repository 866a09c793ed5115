//! Proposals within properties.

use map_syntax::{ItemKind, ItemSketch, TokenKind as Kind};

use super::Cursor;
use super::proposals::{Proposals, places};
use super::terms::{Around, Wanted, around, named, terms};
use crate::answers::CompletionKind;
use crate::index::{EntityKind, SiteKind};
use crate::model::Model;

/// Words that begin a formula, and words that go on with one.
const WORDS: &[(&str, &str)] = &[
    ("always", "at this and all later moments"),
    ("eventually", "at this or some later moment"),
    ("never", "neither now nor later"),
    ("next", "at the next moment"),
    ("possible", "in some run"),
    ("sequence", "events in this order"),
    ("until", "g comes, and f until then"),
    ("unless", "f as long as g has not come"),
    ("precedes", "f comes before g"),
    ("leadsto", "after each f, g comes"),
    ("before", "at an earlier moment"),
    ("not", ""),
    ("and", ""),
    ("or", ""),
    ("implies", ""),
    ("forall", "for all agents or values"),
    ("exists", "for some agent or value"),
    ("count", "how many, or how often"),
    ("total", "the sum of what was sent"),
    ("cost", "what has been paid so far"),
    ("measure", "what a measure is now"),
    ("sum", "of a measure over all agents that have it"),
    ("done", "has succeeded"),
    ("failed", "has failed"),
    ("waiting", "all its threads wait"),
    ("mailbox", "the number of messages"),
    ("ended", "all agents have ended"),
    ("sends", "a message"),
    ("receives", "a message"),
    ("asks", "a procedure"),
    ("answers", "a procedure, yes or no"),
    ("times out", "time runs out for it"),
    ("in", "the clause it is in"),
];

/// Words of measures alone.
const OF_MEASURES: &[(&str, &str)] = &[
    ("first", "the first value of an event"),
    ("last", "the last value of an event"),
    ("if", ""),
    ("then", ""),
    ("else", ""),
    ("min", "the smaller integer"),
    ("max", "the larger integer"),
    ("mod", "the remainder"),
];

/// Proposes what can be written in a property, cost or measure.
pub(super) fn formula(model: &Model, cursor: Cursor, item: &ItemSketch, proposals: &mut Proposals) {
    if cursor.before <= item.tokens.start + 2 {
        return;
    }
    match cursor.text(model, 1) {
        "(" if matches!(cursor.text(model, 2), "measure" | "sum" | "cost") => {
            let kind = match cursor.text(model, 2) {
                "cost" => EntityKind::Cost,
                _ => EntityKind::Measure,
            };
            for entity in model.index.of_kind(kind) {
                proposals.word(0, CompletionKind::Constant, entity.name.clone(), "");
            }
        }
        "sends" => messages(model, "to", proposals),
        "receives" => messages(model, "from", proposals),
        "asks" | "answers" => {
            named(model, cursor, EntityKind::Procedure, CompletionKind::Procedure, "", proposals);
        }
        "in" => {
            terms(model, cursor, Wanted { roles: true, ..Wanted::default() }, proposals);
            for clause in &model.index.clauses {
                if let Some(name) = clause.name {
                    let title = format!("clause of {}", model.index.parts[clause.part].title());
                    proposals.word(1, CompletionKind::Clause, model.word(name), &title);
                }
            }
        }
        _ => {
            let in_message = matches!(around(model, item.tokens.start, cursor), Around::Message(_));
            let wanted = Wanted {
                variables: Some(item.tokens.start),
                agents: true,
                roles: true,
                cells: true,
                constants: true,
                wildcard: true,
            };
            terms(model, cursor, wanted, proposals);
            let sigil = cursor.word.is_some_and(|word| model.word(word).starts_with(['$', '!', '%', '@']));
            if sigil || (in_message && cursor.kind(model, 1) == Some(Kind::Comma)) {
                return;
            }
            if cursor.text(model, 2) == "answers" {
                proposals.word(0, CompletionKind::Keyword, "yes", "any value");
                proposals.word(0, CompletionKind::Keyword, "no", "");
            }
            for (word, detail) in WORDS {
                proposals.word(3, CompletionKind::Keyword, *word, detail);
            }
            if item.kind == ItemKind::Measure {
                for (word, detail) in OF_MEASURES {
                    proposals.word(3, CompletionKind::Keyword, *word, detail);
                }
            }
        }
    }
}

/// The messages that are sent, as patterns.
fn messages(model: &Model, preposition: &str, proposals: &mut Proposals) {
    for site in model.index.sites.iter().filter(|site| site.kind == SiteKind::Send) {
        let Some(name) = site.name.map(|name| model.word(name)) else { continue };
        let terms = vec!["_".to_owned(); site.arguments.len()];
        let label = format!("{name}({}) {preposition} _", terms.join(", "));
        let insert = format!("{name}{} {preposition} ${{{}:_}}", places(&terms, 1), terms.len() + 1);
        proposals.snippet(0, CompletionKind::Send, label, "", insert);
    }
}
