//! The sketch of a text: its tokens, and the items and clauses they belong to, found without parsing. So there is one
//! of a text full of mistakes, too. In a correct text these are the items and clauses of the grammar.
//!
//! The parser looks at it first, for what the scanner reports and for the depth of nesting; recovery reads what it
//! shows piece by piece; and an editor knows by it where it is.

pub(crate) mod nesting;
pub(crate) mod open;
mod scan;
pub(crate) mod split;
mod stray;
pub(crate) mod token;

use std::ops::Range;

use map_diagnostics::Diagnostic;

use self::scan::Scan;
use self::split::ItemWord;
use self::token::{Kind, Token};

/// A text split into tokens and items.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// The tokens in order, without white space and comments.
    pub tokens: Vec<Token>,
    /// The items in order. Every token belongs to one of them.
    pub items: Vec<ItemSketch>,
    /// Errors about unclosed strings and comments, stray characters, conflict markers, and malformed names and numbers.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether an unclosed comment hides the rest of the text.
    pub(crate) cut_short: bool,
}

/// An item, or something that stands where an item should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemSketch {
    /// Its kind.
    pub kind: ItemKind,
    /// Its tokens, as indices.
    pub tokens: Range<usize>,
    /// The tokens of each clause of a scene, or of what stands where a clause should; else empty.
    pub clauses: Vec<Range<usize>>,
    /// The token behind which the clauses of a scene begin: usually `[`.
    pub(crate) open: usize,
    /// Whether a bracket closes the scene.
    pub(crate) closed: bool,
}

/// The kinds of [`ItemSketch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `NAME [ .. ]`, perhaps without its name or a bracket.
    Scene,
    /// `cast ..`.
    Cast,
    /// `memory ..`.
    Memory,
    /// `procedure ..` or `decision ..`.
    Procedure,
    /// `property ..`.
    Property,
    /// `cost ..`.
    Cost,
    /// `measure ..`.
    Measure,
    /// `truth ..`.
    Truth,
    /// Something else.
    Other,
}

/// The sketch of a text. Never panics; takes time linear in the length of the text.
#[must_use]
pub fn sketch(text: &str) -> Sketch {
    let Scan { tokens, diagnostics, cut_short } = scan::scan(text, mark_length(text));
    let mut sketch = Sketch { tokens, items: Vec::new(), diagnostics, cut_short };
    let mut at = 0;
    while at < sketch.tokens.len() {
        let item = sketch.item(text, at);
        at = item.tokens.end.max(at + 1);
        sketch.items.push(item);
    }
    sketch
}

/// The tokens of a text alone.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    scan::scan(text, mark_length(text)).tokens
}

/// The length of the byte order mark that a text begins with.
pub(crate) fn mark_length(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

impl Sketch {
    /// Whether any clause or item nests too deeply.
    pub(crate) fn is_too_deep(&self, text: &str) -> bool {
        self.items.iter().any(|item| match item.kind {
            ItemKind::Scene => item
                .clauses
                .iter()
                .any(|clause| nesting::in_clause(text, &self.tokens[clause.clone()]).is_some()),
            ItemKind::Other => nesting::in_clause(text, &self.tokens[item.tokens.clone()]).is_some(),
            kind => nesting::in_item(text, kind, &self.tokens[item.tokens.clone()]).is_some(),
        })
    }

    pub(crate) fn has_bad(&self, tokens: &Range<usize>) -> bool {
        self.tokens[tokens.clone()].iter().any(|token| token.kind == Kind::Bad)
    }

    fn item(&self, text: &str, at: usize) -> ItemSketch {
        if split::starts_scene(&self.tokens, at) {
            return self.scene(text, at, at + 1);
        }
        if self.tokens[at].kind == Kind::OpenBracket {
            return self.scene(text, at, at);
        }
        let word = split::item_word(text, &self.tokens, at);
        let kind = match word {
            Some(ItemWord::Cast) => ItemKind::Cast,
            Some(ItemWord::Memory) => ItemKind::Memory,
            Some(ItemWord::Procedure | ItemWord::Decision) => ItemKind::Procedure,
            Some(ItemWord::Property) => ItemKind::Property,
            Some(ItemWord::Cost) => ItemKind::Cost,
            Some(ItemWord::Measure) => ItemKind::Measure,
            Some(ItemWord::Truth) => ItemKind::Truth,
            None => ItemKind::Other,
        };
        let tokens = at..split::item_limit(text, &self.tokens, word, at);
        if kind == ItemKind::Other
            && let Some(open) = split::clauses_without_bracket(&self.tokens[..tokens.end], at)
            && !self.has_bad(&tokens)
        {
            return self.scene(text, at, open);
        }
        ItemSketch { kind, tokens, clauses: Vec::new(), open: at, closed: false }
    }

    fn scene(&self, text: &str, start: usize, open: usize) -> ItemSketch {
        let split::Extent { mut end, closed } = split::scene_extent(text, &self.tokens, open);
        let tokens = start..end + usize::from(closed);
        let is = |index: usize, kind: Kind| self.tokens[index].kind == kind;
        if !closed && !self.cut_short && is(open, Kind::OpenBracket) && is(end - 1, Kind::CloseBrace) {
            end -= 1;
        }
        let mut clauses = Vec::new();
        let mut at = open + 1;
        while at < end {
            let mut next = at + 1;
            while next < end
                && !split::starts_clause(text, &self.tokens, next)
                && !split::surely_starts_item(text, &self.tokens, next)
            {
                next += 1;
            }
            clauses.push(at..next);
            at = next;
        }
        ItemSketch { kind: ItemKind::Scene, tokens, clauses, open, closed }
    }
}
