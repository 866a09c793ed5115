//! What may reach a terminal: text, line ends, tabs and our colours. Everything else is written out.

use std::borrow::Cow;

use anstream::adapter::strip_str;
use map_diagnostics::{escaped, is_unseen};

/// The columns of a line of text for people, if lines are to be wrapped: as many as `COLUMNS` says or the terminal has.
/// What goes to files and other programs is not wrapped.
pub(crate) fn width() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let of_terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into());
    given.or_else(of_terminal).filter(|&columns: &usize| columns > 0).map(|columns| columns.max(MIN_WIDTH))
}

/// The text with lines broken at blanks. What continues a line begins below its last column of words or, if it has no
/// columns, is indented by `hang` more, or as far as the words of an item of a list. Colours take no room.
pub(crate) fn wrapped(text: &str, width: usize, hang: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        if textwrap::core::display_width(body) <= width {
            out.push_str(line);
            continue;
        }
        let indent = " ".repeat(continued_at(&strip_str(body).to_string(), width, hang));
        let options = textwrap::Options::new(width)
            .subsequent_indent(&indent)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        out.push_str(&with_units(body, |body| textwrap::fill(body, options)));
        out.push_str(end);
    }
    out
}

/// The line as `fill` breaks it, but never between a number and its unit: there a blank of its own stands while it
/// works.
fn with_units(line: &str, fill: impl FnOnce(&str) -> String) -> String {
    if line.contains(NO_BREAK) {
        return fill(line);
    }
    let mut bound = String::with_capacity(line.len());
    let mut previous = "";
    for word in line.split_inclusive(' ') {
        let unit = word.trim_end().trim_end_matches(|it: char| !it.is_alphabetic());
        let number = previous.trim_start_matches('(').trim_end_matches(' ');
        let is_number = number.starts_with(|it: char| it.is_ascii_digit())
            && number.chars().all(|it| it.is_ascii_digit() || matches!(it, ',' | '.'));
        if is_number && UNITS.contains(&unit) && bound.ends_with(' ') {
            bound.pop();
            bound.push(NO_BREAK);
        }
        bound.push_str(word);
        previous = word;
    }
    fill(&bound).replace(NO_BREAK, " ")
}

/// A blank at which no line is broken.
const NO_BREAK: char = '\u{a0}';

/// What stays on the line of the number before it.
const UNITS: [&str; 16] = [
    "ns", "ms", "s", "min", "h", "bytes", "B", "KiB", "MiB", "GiB", "TiB", "state", "states", "step",
    "steps", "messages",
];

/// The column in which the continuation of a line begins.
fn continued_at(line: &str, width: usize, hang: usize) -> usize {
    let start = line.len() - line.trim_start_matches(' ').len();
    let gaps = line.match_indices("  ").map(|(at, _)| at).filter(|&at| at > start);
    let behind = |at: usize| {
        let blanks = line[at..].len() - line[at..].trim_start_matches(' ').len();
        textwrap::core::display_width(&line[..at]) + blanks
    };
    let columns = gaps.map(behind).filter(|&column| column <= width / 2);
    let hang = if line[start..].starts_with("- ") { 2 } else { hang };
    columns.max().unwrap_or((start + hang).min(width / 2))
}

/// Lines are never narrower than this.
const MIN_WIDTH: usize = 40;

/// The longest sequence for a colour.
const MAX_STYLE: usize = 16;

/// Text for eyes, with its colours or without. What comes from outside is written out where it comes in; this holds it
/// back once more.
pub(crate) fn for_eyes(text: &str, coloured: bool) -> Cow<'_, str> {
    if !text.chars().any(|it| is_unseen(it) && it != '\n' && it != '\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        out.push_str(&escaped(&rest[..at]));
        rest = &rest[at..];
        let length = style(rest);
        match length {
            Some(length) if coloured => out.push_str(&rest[..length]),
            Some(_) => {}
            None => out.extend('\x1b'.escape_unicode()),
        }
        rest = &rest[length.unwrap_or(1)..];
    }
    out.push_str(&escaped(rest));
    Cow::Owned(out)
}

/// The length of the sequence at the beginning, if it is one that colours text and hides nothing.
fn style(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\x1b[")?;
    let end = inside.bytes().take(MAX_STYLE).position(|byte| byte == b'm')?;
    let numbers: Option<Vec<u8>> = inside[..end].split(';').map(|it| it.parse().ok()).collect();
    let is_ours = match numbers?[..] {
        [38, 5, _] => true,
        ref several => several.iter().all(|it| matches!(it, 0..=4 | 22..=24 | 30..=37 | 39 | 90..=97)),
    };
    is_ours.then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::{for_eyes, wrapped};

    #[test]
    fn two_crates_that_do_not_know_each_other_mean_the_same_characters() {
        for character in '\0'..=char::MAX {
            assert_eq!(map_ir::is_unseen(character), map_diagnostics::is_unseen(character), "{character:?}");
        }
    }

    #[test]
    fn long_lines_are_broken_at_blanks() {
        let text = "short\n  one two three four five six seven eight nine ten\n";
        assert_eq!(wrapped(text, 40, 2), "short\n  one two three four five six seven\n    eight nine ten\n");
        let coloured = "\x1b[1mone two three four\x1b[0m five six seven eight";
        assert_eq!(wrapped(coloured, 40, 2), coloured, "colours take no room");
        let word = "x".repeat(60);
        assert_eq!(wrapped(&word, 40, 2), word, "words are not cut");
        assert_eq!(wrapped("no  line   break", 40, 2), "no  line   break");
        let item = "- one two three four five six seven eight nine";
        assert_eq!(wrapped(item, 40, 0), "- one two three four five six seven\n  eight nine");
        let step = " 3  !A  x.map:7  sends a message to !B, and is done";
        assert_eq!(
            wrapped(step, 40, 2),
            " 3  !A  x.map:7  sends a message to !B,\n                 and is done"
        );
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        let summary = "auction: terminates if fair (507 states, 32 ms)";
        assert_eq!(wrapped(summary, 46, 2), "auction: terminates if fair (507 states,\n  32 ms)");
        assert_eq!(wrapped(summary, 36, 2), "auction: terminates if fair\n  (507 states, 32 ms)");
        assert_eq!(wrapped("took 1,204 MiB or so", 11, 0), "took\n1,204 MiB\nor so");
    }

    #[test]
    fn colours_pass_and_nothing_else() {
        let coloured = "\x1b[1m\x1b[38;5;9merror\x1b[0m: \x1b[2;36mx\x1b[0m\n\ttext";
        assert_eq!(for_eyes(coloured, true), coloured);
        assert_eq!(for_eyes(coloured, false), "error: x\n\ttext");
        for text in [
            "\x1b]0;t\x07",
            "\x1b[2J",
            "\x1b[8mx",
            "\x1b[40mx",
            "\x1b[;m",
            "\x1b",
            "\x1b[1",
            "\u{9b}1m",
            "\r",
        ] {
            for coloured in [true, false] {
                let shown = for_eyes(text, coloured);
                assert!(!shown.chars().any(char::is_control) && shown.starts_with("\\u{"), "{shown}");
            }
        }
    }
}
