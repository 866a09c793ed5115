//! The names of memories, procedures and casts.

use std::ops::Range;

use map_syntax::TokenKind as Kind;

use super::builder::Builder;
use super::{Declaration, EntityKind};
use crate::answers::OccurrenceKind;
use crate::weights::is_weight_word;

/// Names that are words in memories and bodies.
pub(crate) fn is_body_word(word: &str) -> bool {
    matches!(word, "in" | "fresh" | "with" | "and" | "not" | "mod" | "min" | "max" | "if" | "else" | "self")
}

/// Whether a token is the word of `count(%role)` in a memory: alone it is a constant.
pub(crate) fn is_count(word: &str, next: Option<Kind>) -> bool {
    word == "count" && next == Some(Kind::OpenParen)
}

/// `memory %role { @cell = value, .. }`.
pub(super) fn memory(builder: &mut Builder<'_>, tokens: Range<usize>) {
    for token in tokens.start + 1..tokens.end {
        match builder.kind(token) {
            Some(Kind::Cell) if matches!(builder.kind(token - 1), Some(Kind::OpenBrace | Kind::Comma)) => {
                builder.mention(token, EntityKind::Cell, 0, OccurrenceKind::Declaration);
            }
            Some(Kind::Name) if is_count(builder.word(token), builder.kind(token + 1)) => {}
            Some(Kind::Name) if is_word(builder, token) => {}
            Some(Kind::Name) => builder.constant(token),
            _ => builder.term(token, tokens.start),
        }
    }
}

fn is_word(builder: &Builder<'_>, token: usize) -> bool {
    is_body_word(builder.word(token)) || is_weight_word(builder.text, builder.words, token)
}

/// `procedure p($a) ..` or `decision p($a) ..`.
pub(super) fn procedure(builder: &mut Builder<'_>, tokens: Range<usize>) {
    let name = tokens.start + 1;
    let open = name + 1;
    if name >= tokens.end || builder.kind(name) != Some(Kind::Name) {
        return other(builder, tokens);
    }
    builder.mention(name, EntityKind::Procedure, 0, OccurrenceKind::Declaration);
    let parameters = parameters_and_body(builder, open, &tokens);
    let may_refuse = builder.word(tokens.start) == "decision";
    builder.index.declarations.push(Declaration { name, may_refuse, parameters, tokens });
}

/// `truth p($a) ..`: it declares its parameters, and speaks of the procedure.
pub(super) fn truth(builder: &mut Builder<'_>, tokens: Range<usize>) {
    let name = tokens.start + 1;
    if name >= tokens.end || builder.kind(name) != Some(Kind::Name) {
        return other(builder, tokens);
    }
    builder.mention(name, EntityKind::Procedure, 0, OccurrenceKind::Read);
    parameters_and_body(builder, name + 1, &tokens);
}

/// The parameters behind the parenthesis at `open`, and what follows them. Returns the parameters.
fn parameters_and_body(builder: &mut Builder<'_>, open: usize, tokens: &Range<usize>) -> Vec<Range<usize>> {
    let (parameters, close) = match builder.kind(open) {
        Some(Kind::OpenParen) if open < tokens.end => builder.arguments(open, tokens.end),
        _ => (Vec::new(), None),
    };
    let head = open..close.map_or(open, |close| close + 1);
    for token in open..tokens.end {
        match builder.kind(token) {
            Some(Kind::Variable) if head.contains(&token) => {
                builder.mention(token, EntityKind::Variable, tokens.start, OccurrenceKind::Declaration);
            }
            Some(Kind::Cell) if token + 1 < tokens.end && builder.word(token + 1) == ":=" => {
                builder.mention(token, EntityKind::Cell, 0, OccurrenceKind::Write);
            }
            Some(Kind::Name) if is_word(builder, token) => {}
            Some(Kind::Name) => builder.constant(token),
            _ => builder.term(token, tokens.start),
        }
    }
    parameters
}

/// A cast, or something of which nothing is known.
pub(super) fn other(builder: &mut Builder<'_>, tokens: Range<usize>) {
    for token in tokens.clone() {
        builder.term(token, tokens.start);
    }
}
