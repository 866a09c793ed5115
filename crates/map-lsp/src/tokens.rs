//! Semantic tokens: the legend, and the encoding as differences.

use ls_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult,
};
use map_ide::{Modifiers, Token, TokenKind};

use crate::positions::to_u32;
use crate::snapshot::Snapshot;

/// The types of tokens. Where the protocol has a word, editors have a colour for it.
const TYPES: [(TokenKind, SemanticTokenType); 17] = [
    (TokenKind::Keyword, SemanticTokenType::KEYWORD),
    (TokenKind::Scene, SemanticTokenType::NAMESPACE),
    (TokenKind::Clause, SemanticTokenType::METHOD),
    (TokenKind::Performative, SemanticTokenType::EVENT),
    (TokenKind::Procedure, SemanticTokenType::FUNCTION),
    (TokenKind::Role, SemanticTokenType::CLASS),
    (TokenKind::Agent, SemanticTokenType::new("agent")),
    (TokenKind::Variable, SemanticTokenType::VARIABLE),
    (TokenKind::Parameter, SemanticTokenType::PARAMETER),
    (TokenKind::Cell, SemanticTokenType::PROPERTY),
    (TokenKind::Property, SemanticTokenType::new("formula")),
    (TokenKind::Constant, SemanticTokenType::ENUM_MEMBER),
    (TokenKind::Number, SemanticTokenType::NUMBER),
    (TokenKind::String, SemanticTokenType::STRING),
    (TokenKind::Comment, SemanticTokenType::COMMENT),
    (TokenKind::Operator, SemanticTokenType::OPERATOR),
    (TokenKind::Wildcard, SemanticTokenType::new("wildcard")),
];

const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::MODIFICATION,
    SemanticTokenModifier::new("mayRefuse"),
];

pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.map(|(_, it)| it).to_vec(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

pub(crate) fn full(
    snapshot: &Snapshot,
    _: &SemanticTokensParams,
) -> Result<Option<SemanticTokensResult>, String> {
    let tokens = snapshot.analysis().tokens(None);
    Ok(Some(SemanticTokensResult::Tokens(encoded(snapshot, &tokens))))
}

pub(crate) fn range(
    snapshot: &Snapshot,
    params: &SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>, String> {
    let within = snapshot.text().offsets(params.range);
    let tokens = snapshot.analysis().tokens(Some(within));
    Ok(Some(SemanticTokensRangeResult::Tokens(encoded(snapshot, &tokens))))
}

/// Each token by its distance from the one before. Few clients know tokens of several lines: they are cut.
fn encoded(snapshot: &Snapshot, tokens: &[Token]) -> SemanticTokens {
    let text = snapshot.text();
    let mut data = Vec::with_capacity(tokens.len());
    let (mut line, mut column) = (0, 0);
    for token in tokens {
        for part in text.by_line(&token.range) {
            let start = text.position(part.start);
            // Differences are never negative.
            if (start.line, start.character) < (line, column) {
                continue;
            }
            let length = text.encoding().length(&text.as_str()[part]);
            data.push(SemanticToken {
                delta_line: start.line - line,
                delta_start: if start.line == line { start.character - column } else { start.character },
                length: to_u32(length),
                token_type: token_type(token.kind),
                token_modifiers_bitset: modifiers(token.modifiers),
            });
            (line, column) = (start.line, start.character);
        }
    }
    SemanticTokens { result_id: None, data }
}

fn token_type(kind: TokenKind) -> u32 {
    to_u32(TYPES.iter().position(|(it, _)| *it == kind).unwrap_or_default())
}

fn modifiers(modifiers: Modifiers) -> u32 {
    let Modifiers { declaration, modification, may_refuse } = modifiers;
    u32::from(declaration) | u32::from(modification) << 1 | u32::from(may_refuse) << 2
}
