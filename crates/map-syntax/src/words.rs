//! Detection of misspelt keywords.

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
