//! "Did you mean": the known name nearest to one that is not known.

/// Names with more characters get no suggestion; the distance takes quadratic time.
const MAX_LENGTH: usize = 40;

/// Only so many known names are looked at, so that a file full of errors stays cheap.
const MAX_KNOWN: usize = 128;

/// The known name nearest to `name`, the first of several; `None` if all are too far away.
///
/// A name is near if it differs in the case of letters only, or if at most a third of the characters of `name`
/// (rounded down) must be inserted, removed, replaced or swapped with their neighbour. So names of one or two
/// characters are never "corrected" into each other.
#[must_use]
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted: Vec<char> = name.chars().collect();
    if wanted.len() > MAX_LENGTH {
        return None;
    }
    let mut best = None;
    // Only what is nearer than the best so far is of interest.
    let mut allowed = wanted.len() / 3;
    for candidate in known.into_iter().take(MAX_KNOWN).filter(|candidate| *candidate != name) {
        let distance = match candidate.eq_ignore_ascii_case(name) {
            true => Some(0),
            false => distance(&wanted, candidate, allowed),
        };
        let Some(distance) = distance else { continue };
        best = Some(candidate);
        match distance.checked_sub(1) {
            Some(nearer) => allowed = nearer,
            None => break,
        }
    }
    best
}

/// The edit distance with swaps of neighbours ("optimal string alignment"), if it is at most `limit`.
fn distance(a: &[char], b: &str, limit: usize) -> Option<usize> {
    let mut letters = ['\0'; MAX_LENGTH + MAX_LENGTH / 3];
    let mut length = 0;
    for letter in b.chars() {
        *letters.get_mut(length)? = letter;
        length += 1;
    }
    let b = &letters[..length];
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before_last = [0; MAX_LENGTH + MAX_LENGTH / 3 + 1];
    let mut last: [usize; MAX_LENGTH + MAX_LENGTH / 3 + 1] = std::array::from_fn(|j| j);
    for (i, &x) in a.iter().enumerate() {
        let mut row = [0; MAX_LENGTH + MAX_LENGTH / 3 + 1];
        row[0] = i + 1;
        let mut least = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before_last[j - 1] + 1);
            }
            row[j + 1] = cost;
            least = least.min(cost);
        }
        // A swap reaches back two rows, for one more.
        if least > limit + 1 {
            return None;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn small_slips_are_near() {
        for (wrong, right) in [
            ("biddr", "bidder"),
            ("bider", "bidder"),
            ("biddder", "bidder"),
            ("bidedr", "bidder"),
            ("Bidder", "bidder"),
            ("A", "a"),
        ] {
            assert_eq!(nearest(wrong, ["auctioneer", right]), Some(right), "{wrong}");
        }
    }

    #[test]
    fn other_words_are_not_near() {
        for wrong in ["buyer", "x", "by", "bidderbidder", ""] {
            assert_eq!(nearest(wrong, ["bidder", "y", "bx"]), None, "{wrong}");
        }
        assert_eq!(nearest(&"a".repeat(100), [&*"a".repeat(99)]), None);
    }

    #[test]
    fn the_nearest_wins_and_the_first_of_equals() {
        assert_eq!(nearest("bidders", ["biders", "bidder", "bidding"]), Some("biders"));
        assert_eq!(nearest("bidderr", ["bidde", "bidder", "biddera"]), Some("bidder"));
    }
}
