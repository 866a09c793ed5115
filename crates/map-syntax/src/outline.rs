//! The tokens of a text and the items and clauses they belong to, found without parsing, so that an editor knows where
//! it is in a text full of mistakes. In a correct text these are the items and clauses of the grammar.

use std::ops::Range;

use crate::scan;
use crate::split::{self, ItemWord};
use crate::token::{Kind, Token};

/// A text split into tokens and items.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The tokens in order, without white space and comments.
    pub tokens: Vec<Token>,
    /// The items in order. They do not overlap.
    pub items: Vec<Outlined>,
}

/// An item, or something that stands where an item should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined {
    /// Its kind.
    pub kind: OutlinedKind,
    /// Its tokens, as indices.
    pub tokens: Range<usize>,
    /// The tokens of each clause of a scene, or of what stands where a clause should; else empty.
    pub clauses: Vec<Range<usize>>,
}

/// The kinds of [`Outlined`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlinedKind {
    /// `NAME [ .. ]`, perhaps without its name or its closing bracket.
    Scene,
    /// `cast ..`.
    Cast,
    /// `memory ..`.
    Memory,
    /// `procedure ..` or `decision ..`.
    Procedure,
    /// `property ..`.
    Property,
    /// Something else.
    Other,
}

/// Splits a text. Never panics; takes time linear in the length of the text.
#[must_use]
pub fn outline(text: &str) -> Outline {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let tokens = scan::scan(text, start).tokens;
    let mut items = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let item = item(text, &tokens, at);
        at = item.tokens.end.max(at + 1);
        items.push(item);
    }
    Outline { tokens, items }
}

fn item(text: &str, tokens: &[Token], at: usize) -> Outlined {
    if split::starts_scene(tokens, at) {
        return scene(text, tokens, at, at + 1);
    }
    if tokens[at].kind == Kind::OpenBracket {
        return scene(text, tokens, at, at);
    }
    let word = split::item_word(text, tokens, at);
    let kind = match word {
        Some(ItemWord::Cast) => OutlinedKind::Cast,
        Some(ItemWord::Memory) => OutlinedKind::Memory,
        Some(ItemWord::Procedure | ItemWord::Decision) => OutlinedKind::Procedure,
        Some(ItemWord::Property) => OutlinedKind::Property,
        None => OutlinedKind::Other,
    };
    Outlined { kind, tokens: at..split::item_limit(text, tokens, word, at), clauses: Vec::new() }
}

fn scene(text: &str, tokens: &[Token], start: usize, open: usize) -> Outlined {
    let extent = split::scene_extent(text, tokens, open);
    let mut clauses = Vec::new();
    let mut at = open + 1;
    while at < extent.end {
        let mut next = at + 1;
        while next < extent.end
            && !split::starts_clause(text, tokens, next)
            && !split::surely_starts_item(text, tokens, next)
        {
            next += 1;
        }
        clauses.push(at..next);
        at = next;
    }
    let end = extent.end + usize::from(extent.closed);
    Outlined { kind: OutlinedKind::Scene, tokens: start..end, clauses }
}
