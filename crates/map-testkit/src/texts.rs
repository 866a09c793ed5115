//! A text as words and comments, by a scanner that is independent of the parser.

use std::ops::Range;

/// The kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, a string, a number or punctuation.
    Word,
    /// A comment, without the line break after it.
    Comment,
}

/// A word or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its kind.
    pub kind: Kind,
    /// Its byte range.
    pub range: Range<usize>,
}

/// The words and comments of a text, in order. Characters that the language does not know are words of one character.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            (Kind::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(inside) = rest.strip_prefix("/*") {
            (Kind::Comment, inside.find("*/").map_or(rest.len(), |end| end + 4))
        } else {
            (Kind::Word, word(rest, first))
        };
        found.push(Piece { kind, range: at..at + length });
        at += length;
    }
    found
}

fn word(rest: &str, first: char) -> usize {
    let name = |from: usize| {
        let name = rest[from..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        from + name.count()
    };
    let two = ["=>", "<=", "==", "!=", ">=", ":=", ".."];
    match first {
        '"' => string(rest),
        _ if two.iter().any(|symbol| rest.starts_with(symbol)) => 2,
        '$' | '%' | '!' | '@' | '-' => name(1),
        _ if first.is_ascii_digit() => {
            let behind = name(0);
            let has_places = rest[behind..]
                .strip_prefix('.')
                .is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
            if has_places { name(behind + 1) } else { behind }
        }
        _ if first.is_ascii_alphabetic() || first == '_' => name(0),
        _ => first.len_utf8(),
    }
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '"' if !escaped => return at + 1,
            '\n' => return at,
            _ => escaped = character == '\\' && !escaped,
        }
    }
    rest.len()
}

/// The words of a text.
#[must_use]
pub fn words(text: &str) -> Vec<Range<usize>> {
    pieces(text).into_iter().filter(|piece| piece.kind == Kind::Word).map(|piece| piece.range).collect()
}

/// The comments of a text, with every line trimmed.
#[must_use]
pub fn comments(text: &str) -> Vec<String> {
    let comments = pieces(text).into_iter().filter(|piece| piece.kind == Kind::Comment);
    comments.map(|piece| text[piece.range].lines().map(str::trim).collect::<Vec<_>>().join("\n")).collect()
}
