//! The words of a text with their meanings, for their colours.

use std::ops::Range;

use map_syntax::{ItemKind, TokenKind as Kind};

use crate::answers::{Modifiers, OccurrenceKind, Token, TokenKind};
use crate::hover::may_say_no;
use crate::index::{
    EntityKind, Mention, is_body_word, is_count, is_formula_word, is_measure_word, is_mention_of_measure,
};
use crate::model::Model;
use crate::weights::is_weight_word;

/// The words within a range, comments among them; each on one line.
pub(crate) fn tokens(model: &Model, within: &Range<usize>) -> Vec<Token> {
    let words = &model.words;
    let first = words.ending_by(within.start);
    let mut found: Vec<Token> = (first..words.tokens.len())
        .take_while(|&token| words.range(token).start < within.end)
        .filter_map(|token| word(model, token))
        .collect();
    let comments = words.comments.iter().filter(|it| within.start < it.end && it.start < within.end);
    for comment in comments {
        let mut at = comment.start;
        for line in model.text()[comment.clone()].split_inclusive('\n') {
            let range = at..at + line.trim_end().len();
            at += line.len();
            if !range.is_empty() {
                found.push(Token { range, kind: TokenKind::Comment, modifiers: Modifiers::default() });
            }
        }
    }
    found.sort_by_key(|token| token.range.start);
    found
}

fn word(model: &Model, token: usize) -> Option<Token> {
    let mention = model.index.mentions_of(token).first();
    let (kind, modifiers) = match mention {
        Some(mention) => named(model, mention),
        None => (unnamed(model, token)?, Modifiers::default()),
    };
    Some(Token { range: model.words.range(token), kind, modifiers })
}

fn named(model: &Model, mention: &Mention) -> (TokenKind, Modifiers) {
    let entity = &model.index.entities[mention.entity];
    let mut modifiers = Modifiers {
        declaration: mention.kind == OccurrenceKind::Declaration,
        modification: mention.kind == OccurrenceKind::Write,
        may_refuse: false,
    };
    let kind = match entity.kind {
        EntityKind::Scene => TokenKind::Scene,
        EntityKind::Role => TokenKind::Role,
        EntityKind::Agent => TokenKind::Agent,
        EntityKind::Clause => TokenKind::Clause,
        EntityKind::Performative => TokenKind::Performative,
        EntityKind::Procedure => {
            let declared = model.index.declaration(model.text(), &model.words, &entity.name);
            modifiers.may_refuse = declared.is_none_or(|declared| may_say_no(model, declared));
            TokenKind::Procedure
        }
        EntityKind::Cell => TokenKind::Cell,
        EntityKind::Property | EntityKind::Cost | EntityKind::Measure => TokenKind::Property,
        EntityKind::Constant => TokenKind::Constant,
        EntityKind::Variable => {
            let first = entity.mentions.first().map(|&first| model.index.mentions[first].token);
            match first.is_some_and(|first| is_parameter(model, first)) {
                true => TokenKind::Parameter,
                false => TokenKind::Variable,
            }
        }
    };
    (kind, modifiers)
}

/// Whether a variable stands in the head of a clause or a procedure, or in a truth, which has no others.
fn is_parameter(model: &Model, token: usize) -> bool {
    if model.words.item_of(token).is_some_and(|item| model.words.items[item].kind == ItemKind::Truth) {
        return true;
    }
    if let Some(clause) = model.index.clause_of(token) {
        return model.index.clauses[clause].head.contains(&token);
    }
    model.index.declarations.iter().any(|it| it.parameters.iter().any(|parameter| parameter.contains(&token)))
}

fn unnamed(model: &Model, token: usize) -> Option<TokenKind> {
    Some(match model.words.kind(token)? {
        Kind::Agent
        | Kind::Then
        | Kind::Or
        | Kind::Par
        | Kind::Waitfor
        | Kind::Timeout
        | Kind::Skip
        | Kind::Fail => TokenKind::Keyword,
        Kind::Name => match is_word(model, token) {
            true => TokenKind::Keyword,
            false => TokenKind::Constant,
        },
        Kind::Variable => TokenKind::Variable,
        Kind::AgentName => TokenKind::Agent,
        Kind::Role => TokenKind::Role,
        Kind::Cell => TokenKind::Cell,
        Kind::Integer => TokenKind::Number,
        Kind::Text => TokenKind::String,
        Kind::Wildcard => TokenKind::Wildcard,
        Kind::SendArrow | Kind::ReceiveArrow | Kind::Equals | Kind::Symbol => TokenKind::Operator,
        _ => return None,
    })
}

/// Whether a name is a word of the item that it stands in.
fn is_word(model: &Model, token: usize) -> bool {
    let Some(item) = model.words.item_of(token).map(|item| &model.words.items[item]) else { return false };
    let word = model.word(token);
    match item.kind {
        ItemKind::Scene => is_body_word(word),
        ItemKind::Property | ItemKind::Cost => {
            token == item.tokens.start
                || is_formula_word(word)
                || is_mention_of_measure(&model.words, model.text(), token)
        }
        ItemKind::Measure => token == item.tokens.start || is_measure_word(&model.words, model.text(), token),
        ItemKind::Memory if is_count(word, model.words.kind(token + 1)) => true,
        ItemKind::Cast | ItemKind::Memory | ItemKind::Procedure | ItemKind::Truth => {
            token == item.tokens.start
                || is_body_word(word)
                || is_weight_word(model.text(), &model.words, token)
        }
        ItemKind::Other => false,
    }
}
