//! Whether what was printed is what a page says, and what the page should say instead.
//!
//! On a page `...` stands for any number of lines. Times, rates and amounts of memory are not compared.

use std::fmt::Write as _;
use std::ops::Range;

use similar::{ChangeTag, DiffOp, TextDiff, capture_diff_slices};

const ELISION: &str = "...";

const UNITS: [&str; 9] = ["ms", "s", "min", "h", "bytes", "KiB", "MiB", "GiB", "TiB"];

/// What stands for a blank before a number that is masked.
const FILLING: &str = "\0";

/// The line with every time and every amount of memory as `#`, whatever room it takes in a column, and without rates:
/// what took no time has none. Nor does a time have the memory behind it, which is told of long searches only.
fn masked(line: &str) -> String {
    let line = without_memory(&line.replace("less than 1 ms", "1 ms"));
    let parts = line.split(", ").filter(|part| !part.ends_with(" states/s"));
    let line = parts.collect::<Vec<_>>().join(", ");
    let mut words: Vec<&str> = line.split(' ').collect();
    let mut at = 0;
    while at + 1 < words.len() {
        at += 1;
        let unit = words[at].trim_end_matches([',', ';', '.', ')', ':']);
        let number = words[at - 1].trim_start_matches('(');
        let is_number = number.starts_with(|it: char| it.is_ascii_digit())
            && number.chars().all(|it| it.is_ascii_digit() || it == '.' || it == ',');
        if UNITS.contains(&unit) && is_number {
            words[at - 1] = "#";
            let column = words[..at - 1].iter().rposition(|word| !word.is_empty()).map_or(0, |last| last + 1);
            words[column..at - 1].fill(FILLING);
            // Which unit it is depends on the machine, too.
            words[at] = &words[at][unit.len()..];
            // So does how far a number in a column is to the right.
            while at > 1 && words[at - 2].is_empty() {
                words.remove(at - 2);
                at -= 1;
            }
        }
    }
    words.retain(|&word| word != FILLING);
    words.join(" ")
}

/// The line without an amount of memory that ends it in parentheses: `(7 states, 1.6 s, 3.2 MiB)`.
fn without_memory(line: &str) -> String {
    let shorter = line.strip_suffix(')').and_then(|line| line.rsplit_once(", ")).filter(|(_, last)| {
        let amount = last.split_once(' ');
        amount.is_some_and(|(number, unit)| number.parse::<f64>().is_ok() && unit.ends_with("iB"))
    });
    shorter.map_or_else(|| line.to_owned(), |(before, _)| format!("{before})"))
}

/// The lines, but that figures in parentheses are on one line: how long they are depends on the machine, too.
fn whole(lines: &[&str]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for &line in lines {
        match whole.last_mut().filter(|last| last.contains(" states, ") && last.ends_with(',')) {
            Some(last) if line.starts_with("  ") && line.ends_with(')') => {
                *last = format!("{last} {}", line.trim_start());
            }
            _ => whole.push(line.to_owned()),
        }
    }
    whole
}

/// Whether the lines are those expected.
pub(super) fn fits(expected: &[&str], actual: &[&str]) -> bool {
    let actual: Vec<String> = whole(actual).iter().map(|line| masked(line)).collect();
    let segments: Vec<Vec<String>> = expected
        .split(|line| *line == ELISION)
        .map(|segment| whole(segment).iter().map(|line| masked(line)).collect())
        .collect();
    let [first, middle @ .., last] = &segments[..] else { return segments[0] == actual };
    if actual.len() < first.len() + last.len() || !actual.starts_with(first) || !actual.ends_with(last) {
        return false;
    }
    // As with the stars of a glob, the leftmost place will do for each.
    let mut rest = &actual[first.len()..actual.len() - last.len()];
    middle.iter().all(|segment| {
        let place =
            (0..=rest.len().saturating_sub(segment.len())).find(|at| rest[*at..].starts_with(segment));
        place.inspect(|at| rest = &rest[at + segment.len()..]).is_some()
    })
}

/// What is printed now against what the page says.
pub(super) fn difference(expected: &[&str], actual: &[&str]) -> String {
    let (page, now) = (expected.join("\n"), recorded(expected, actual).join("\n"));
    let mut text = String::new();
    for change in TextDiff::from_lines(&page, &now).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        let _ = writeln!(text, "{sign} {}", change.value().trim_end());
    }
    text
}

/// What the page should say: the lines printed, without those for which it had `...`.
///
/// What stood between two `...` is looked for among the lines printed. It becomes what stands now where its lines were
/// found, with as many more lines at either end as were not.
pub(super) fn recorded(expected: &[&str], actual: &[&str]) -> Vec<String> {
    let count = expected.split(|line| *line == ELISION).count();
    let lines: Vec<&str> = expected.iter().copied().filter(|line| *line != ELISION).collect();
    let partners = partners(&lines, actual);
    let mut recorded = Vec::new();
    let (mut from, mut free) = (0, 0);
    for (index, segment) in expected.split(|line| *line == ELISION).enumerate() {
        let mut place = match place(&partners[from..from + segment.len()]) {
            Some(place) => place,
            // Nothing of it is there any more.
            None => free..free,
        };
        from += segment.len();
        if index == 0 {
            place.start = 0;
        }
        place.start = place.start.max(free);
        let is_last = index + 1 == count;
        let reaches_the_end = is_last && (count == 1 || !segment.is_empty());
        place.end = if reaches_the_end { actual.len() } else { place.end.clamp(place.start, actual.len()) };
        if index > 0 {
            recorded.push(ELISION.to_owned());
        }
        free = place.end;
        // Where only times differ the page stays as it is.
        recorded.extend(place.map(|at| match partners.iter().position(|it| *it == Some(at)) {
            Some(same) => lines[same].to_owned(),
            None => actual[at].to_owned(),
        }));
    }
    recorded
}

/// For each line of the page the line printed that it has become, if there is one.
fn partners(lines: &[&str], actual: &[&str]) -> Vec<Option<usize>> {
    let masked = |lines: &[&str]| lines.iter().map(|line| masked(line)).collect::<Vec<_>>();
    let mut partners = vec![None; lines.len()];
    for op in capture_diff_slices(similar::Algorithm::Patience, &masked(lines), &masked(actual)) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for at in 0..len {
                partners[old_index + at] = Some(new_index + at);
            }
        }
    }
    partners
}

/// Where a segment stands now.
fn place(partners: &[Option<usize>]) -> Option<Range<usize>> {
    let first = partners.iter().position(Option::is_some)?;
    let last = partners.iter().rposition(Option::is_some)?;
    let start = partners[first]?.saturating_sub(first);
    Some(start..partners[last]? + partners.len() - last)
}

#[cfg(test)]
mod tests {
    use super::{fits, masked, recorded};

    #[test]
    fn times_and_memory_are_masked() {
        assert_eq!(masked("3 states; less than 1 ms, 4.6 MiB"), "3 states; # , # ");
        assert_eq!(masked("3 states; 2.5 s, 1,024 KiB"), "3 states; # , # ");
        assert_eq!(masked("after 3 steps (in 12 ms)"), "after 3 steps (in # )");
        assert_eq!(masked("lossy:1    541     5 ms  deadlock"), masked("lossy:1    541    12 ms  deadlock"));
        assert!(fits(&["1 state; 7 ms"], &["1 state; 1.2 s"]));
        assert!(fits(&["1 state; 12 ms, 83 states/s, 5 MiB"], &["1 state; less than 1 ms, 5 MiB"]));
        assert!(fits(&["instant  284    4 ms  holds"], &["instant  284   16 ms  holds"]));
        assert!(!fits(&["1 state; 7 ms"], &["2 states; 7 ms"]));
        assert!(fits(&["holds (7 states, 990 ms)"], &["holds (7 states, 1.6 s, 34.2 MiB)"]));
        assert!(fits(&["holds (7 states, 9 ms)", "b"], &["holds (7 states, 1.6 s,", "  34.2 MiB)", "b"]));
        assert!(!fits(&["holds (7 states, 990 ms)"], &["holds (7 states, 1.6 s, seed 34)"]));
    }

    #[test]
    fn elisions_stand_for_any_lines() {
        let printed = ["a", "b", "c", "d", "b", "e"];
        assert!(fits(&["a", "...", "e"], &printed));
        assert!(fits(&["...", "c", "...", "b", "..."], &printed));
        assert!(fits(&["..."], &[]));
        assert!(!fits(&["...", "d", "...", "c", "..."], &printed));
        assert!(!fits(&["a", "b", "...", "b", "c", "d", "b", "e"], &printed));
    }

    #[test]
    fn recording_keeps_elisions() {
        let printed = ["a", "x", "c", "d", "f", "g", "h"];
        assert_eq!(recorded(&["a", "b", "...", "e", "f", "...", "h"], &printed).join(""), "ax...df...h");
        assert_eq!(recorded(&["...", "c", "..."], &printed).join(""), "...c...");
        assert_eq!(recorded(&["a"], &printed).join(""), printed.join(""));
    }
}
