//! The words of weights and probabilities, which are ordinary names elsewhere.

use map_syntax::TokenKind as Kind;

use crate::words::Words;

/// Whether a name in a memory or a declaration is such a word, as in `in 0..3 by 4 - value`, `by geometric(0.5)` and
/// `with probability 0.7`.
pub(crate) fn is_weight_word(text: &str, words: &Words, token: usize) -> bool {
    let word = |token: usize| &text[words.range(token)];
    let before = |back: usize| token.checked_sub(back);
    match word(token) {
        "by" => is_by(text, words, token),
        "probability" => before(1).is_some_and(|it| word(it) == "with"),
        "geometric" | "binomial" => before(1).is_some_and(|it| is_by(text, words, it)),
        "value" => {
            // A weight goes on up to one of these, none of which is part of it.
            let is_end = |&it: &usize| matches!(word(it), "=" | "|" | "{" | "}" | "with" | "in" | ":=");
            let mut within = (0..token).rev().take_while(|it| !is_end(it));
            within.any(|it| is_by(text, words, it))
        }
        _ => false,
    }
}

/// Whether a token is the `by` behind a range.
pub(crate) fn is_by(text: &str, words: &Words, token: usize) -> bool {
    let Some(dots) = token.checked_sub(2) else { return false };
    &text[words.range(token)] == "by"
        && words.kind(token - 1) == Some(Kind::Integer)
        && &text[words.range(dots)] == ".."
        && words.kind(token + 1) != Some(Kind::OpenBracket)
}
