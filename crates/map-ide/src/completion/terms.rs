//! Proposals for terms.

use map_syntax::TokenKind as Kind;

use super::Cursor;
use super::proposals::Proposals;
use crate::answers::CompletionKind;
use crate::index::EntityKind;
use crate::model::Model;

/// What may stand where a term is expected.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    /// The first token of the clause or item whose variables can be used.
    pub(super) variables: Option<usize>,
    pub(super) agents: bool,
    pub(super) roles: bool,
    pub(super) cells: bool,
    pub(super) constants: bool,
    pub(super) wildcard: bool,
}

/// Proposes terms. A sigil that is already there decides what kind.
pub(super) fn terms(model: &Model, cursor: Cursor, wanted: Wanted, proposals: &mut Proposals) {
    let sigil = cursor.word.and_then(|word| model.word(word).chars().next()).filter(|c| "$%!@".contains(*c));
    let takes = |own: char| sigil.is_none_or(|sigil| sigil == own);
    if let Some(scope) = wanted.variables.filter(|_| takes('$')) {
        variables(model, cursor, scope, proposals);
    }
    if wanted.agents && takes('!') {
        agents(model, cursor, proposals);
    }
    if wanted.roles && takes('%') {
        roles(model, cursor, proposals);
    }
    if wanted.cells && takes('@') {
        named(model, cursor, EntityKind::Cell, CompletionKind::Cell, "@", proposals);
    }
    if sigil.is_some() {
        return;
    }
    if wanted.wildcard {
        proposals.word(2, CompletionKind::Constant, "_", "anything");
    }
    if wanted.constants {
        named(model, cursor, EntityKind::Constant, CompletionKind::Constant, "", proposals);
    }
}

fn variables(model: &Model, cursor: Cursor, scope: usize, proposals: &mut Proposals) {
    let of_scope = model.index.of_kind(EntityKind::Variable).filter(|it| it.scope == scope);
    for entity in of_scope {
        // One that occurs only where the cursor is, is the word that is being written.
        let mut mentions = entity.mentions.iter().map(|&it| model.index.mentions[it].token);
        if mentions.any(|token| Some(token) != cursor.word) {
            proposals.word(1, CompletionKind::Variable, format!("${}", entity.name), "");
        }
    }
}

fn agents(model: &Model, cursor: Cursor, proposals: &mut Proposals) {
    for part in parts_around(model, cursor) {
        let title = format!("of %{}", model.index.parts[part].role);
        for name in model.cast.names(&model.index, part) {
            proposals.word(2, CompletionKind::Agent, name, &title);
        }
    }
}

fn roles(model: &Model, cursor: Cursor, proposals: &mut Proposals) {
    for part in parts_around(model, cursor) {
        let role = &model.index.parts[part].role;
        if !role.is_empty() {
            proposals.word(2, CompletionKind::Role, format!("%{role}"), "");
        }
    }
}

/// The parts of the scene that the cursor is in, or of all scenes.
fn parts_around(model: &Model, cursor: Cursor) -> std::ops::Range<usize> {
    let scene = cursor.before.checked_sub(1).and_then(|last| model.scene_of(last));
    scene.map_or(0..model.index.parts.len(), |scene| model.index.scenes[scene].parts.clone())
}

/// The names of a kind, without the one that is being written.
pub(super) fn named(
    model: &Model,
    cursor: Cursor,
    kind: EntityKind,
    proposed: CompletionKind,
    sigil: &str,
    proposals: &mut Proposals,
) {
    for entity in model.index.of_kind(kind) {
        let mut mentions = entity.mentions.iter().map(|&it| model.index.mentions[it].token);
        if mentions.any(|token| Some(token) != cursor.word) {
            proposals.word(4, proposed, format!("{sigil}{}", entity.name), "");
        }
    }
}

/// What the innermost open parenthesis before the cursor belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// None, or one that groups operations.
    Group,
    /// A message or an ask: the token of its name.
    Message(usize),
    /// A call, or the head of a clause: the token `agent`, and the number of the term.
    Agent(usize, usize),
}

/// The innermost open parenthesis among the tokens from `start` to the cursor.
pub(super) fn around(model: &Model, start: usize, cursor: Cursor) -> Around {
    let mut depth = 0_usize;
    let mut commas = 0;
    for token in (start..cursor.before).rev() {
        match model.words.kind(token) {
            Some(Kind::CloseParen) => depth += 1,
            Some(Kind::OpenParen) if depth > 0 => depth -= 1,
            Some(Kind::OpenParen) => {
                let Some(name) = token.checked_sub(1).filter(|name| *name >= start) else {
                    return Around::Group;
                };
                return match model.words.kind(name) {
                    Some(Kind::Agent) => Around::Agent(name, commas),
                    Some(Kind::Name) => Around::Message(name),
                    _ => Around::Group,
                };
            }
            Some(Kind::Comma) if depth == 0 => commas += 1,
            Some(Kind::Then | Kind::Or | Kind::Par | Kind::Waitfor | Kind::Timeout | Kind::SendArrow)
                if depth == 0 =>
            {
                return Around::Group;
            }
            _ => {}
        }
    }
    Around::Group
}
