//! Which word an author may have meant.

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
        .map(|&candidate| (distance(lower.as_bytes(), candidate.as_bytes()), candidate))
        .filter(|&(distance, candidate)| distance <= slips(candidate) && word != candidate)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Slips between two words: bytes added, left out, changed, or two neighbours swapped. Takes quadratic time.
#[must_use]
pub fn distance(left: &[u8], right: &[u8]) -> usize {
    let mut rows = vec![(0..=right.len()).collect::<Vec<_>>()];
    for (i, &a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let changed = rows[i][j] + usize::from(a != b);
            let mut best = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}
