//! Which word an author may have meant.

use strsim::osa_distance;

/// The candidate that `word` is a misspelling of: other case, or one slip (two in a long word).
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
