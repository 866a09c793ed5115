//! "Did you mean": the known name nearest to an unknown one.

use strsim::osa_distance;

/// Longer names get no suggestion: computing the distance takes quadratic time.
const MAX_LENGTH: usize = 40;

/// The number of known names examined, so that a file full of errors stays cheap.
const MAX_KNOWN: usize = 128;

/// The known name nearest to `name`, the first of equally near ones; `None` if all are too far away.
///
/// A name is near if it differs only in case, or if its optimal string alignment distance (insertions, deletions,
/// substitutions and swaps of neighbours) is at most a third of the length of `name`, rounded down. So names of one
/// or two characters are never "corrected" into each other.
#[must_use]
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = name.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let mut best = None;
    // The largest distance that still beats the best name so far.
    let mut allowed = length / 3;
    for candidate in known.into_iter().take(MAX_KNOWN).filter(|candidate| *candidate != name) {
        let distance = match candidate.eq_ignore_ascii_case(name) {
            true => 0,
            // The difference in length is a lower bound of the distance and rules out most names cheaply.
            false if candidate.chars().count().abs_diff(length) > allowed => continue,
            false => osa_distance(name, candidate),
        };
        if distance > allowed {
            continue;
        }
        best = Some(candidate);
        match distance.checked_sub(1) {
            Some(nearer) => allowed = nearer,
            None => break,
        }
    }
    best
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
