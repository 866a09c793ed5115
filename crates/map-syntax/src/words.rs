//! Misspelt keywords, and words that are put between others.

use map_diagnostics::Span;
use strsim::osa_distance;

/// The candidate that `word` is a misspelling of: the nearest within an optimal string alignment distance, ignoring
/// case, of 0 to 2 depending on the length of the candidate.
pub(crate) fn misspelling(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    if word.len() > 20 {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let slips = |candidate: &str| match candidate.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .iter()
        .map(|&candidate| (osa_distance(&lower, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= slips(candidate) && word != candidate)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A text that takes the place of a span, with spaces where it would run into a word beside it.
pub(crate) fn spaced(source: &str, span: Span, text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '@' | '%' | '!' | '"');
    let (before, behind) = (source.get(..span.start as usize), source.get(span.end as usize..));
    let before = before.is_some_and(|it| it.ends_with(is_word)) && text.starts_with(is_word);
    let behind = behind.is_some_and(|it| it.starts_with(is_word)) && text.ends_with(is_word);
    let space = |wanted| if wanted { " " } else { "" };
    format!("{}{text}{}", space(before), space(behind))
}
