//! Two outputs of one command, number by number.

/// A line in which a number moved, or which the other output lacks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Moved {
    /// The line as documented; empty if there is none.
    pub(super) was: String,
    /// The line as printed now; empty if there is none.
    pub(super) is: String,
}

/// The lines whose words differ, or a number by more than `tolerance`, a share of the documented one. Blank lines and
/// the space between words do not count.
pub(super) fn moved(documented: &str, printed: &str, tolerance: f64) -> Vec<Moved> {
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    };
    let (was, is) = (lines(documented), lines(printed));
    let line = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_default();
    (0..was.len().max(is.len()))
        .map(|index| Moved { was: line(&was, index), is: line(&is, index) })
        .filter(|pair| !is_near(&pair.was, &pair.is, tolerance))
        .collect()
}

fn is_near(was: &str, is: &str, tolerance: f64) -> bool {
    let (was, is): (Vec<&str>, Vec<&str>) =
        (was.split_whitespace().collect(), is.split_whitespace().collect());
    was.len() == is.len()
        && was.iter().zip(&is).all(|(&was, &is)| match (number(was), number(is)) {
            (Some(was), Some(is)) => (was - is).abs() <= tolerance * was.abs(),
            _ => was == is,
        })
}

/// The number that a word is, with commas between thousands, or with `|` and the like around it.
fn number(word: &str) -> Option<f64> {
    word.trim_end_matches([',', ';', ':']).replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Moved, moved};

    #[test]
    fn a_number_moves_by_more_than_the_tolerance() {
        let documented = "states  seconds\n1,000  0.50\n2000   1.00\n";
        assert_eq!(moved(documented, "states seconds\n1000 0.59\n2000 0.81\n", 0.2), []);
        let line = Moved { was: "2000   1.00".to_owned(), is: "2000 1.30".to_owned() };
        assert_eq!(moved(documented, "states seconds\n\n1000 0.50\n2000 1.30\n", 0.2), [line]);
    }

    #[test]
    fn other_words_and_lines_without_a_counterpart_moved() {
        let verdict = Moved { was: "terminates 10".to_owned(), is: "deadlock 10".to_owned() };
        let last = Moved { was: String::new(), is: "more".to_owned() };
        assert_eq!(moved("terminates 10\n", "deadlock 10\nmore\n", 0.2), [verdict, last]);
    }
}
