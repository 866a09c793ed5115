//! Comments that silence warnings: `// map: allow(MAP301)` or `// map: allow(MAP301, MAP307) and why`.
//!
//! Before the first item such a comment applies to the whole file, before another item to that item, before a
//! clause to that clause. Anywhere else it applies to one line: at the end of a line to that line, otherwise to the
//! next line with code. The position of a warning is the start of its primary label.

use std::ops::Range;

use map_diagnostics::{Code, Diagnostic, Severity, SourceFile, Span};
use map_syntax::allowance;
use map_syntax::ast::{File, Item};

use super::comments::{Comment, comments};

/// The warnings that the comments of a file allow.
#[derive(Clone, Debug)]
pub struct AllowedWarnings {
    entries: Vec<Entry>,
    /// Comments that begin like ours but list no code.
    malformed: Vec<Span>,
}

/// One code in one comment.
#[derive(Clone, Debug)]
struct Entry {
    /// The code in the comment.
    span: Span,
    /// What to take away with it: its comma, or the whole comment if no other code is in it.
    removed: Option<Span>,
    text: String,
    code: Option<Code>,
    /// The bytes of the text to which it applies.
    bytes: Range<u32>,
    /// A description of that range, for messages.
    place: &'static str,
}

impl AllowedWarnings {
    /// Reads the comments of a file.
    #[must_use]
    pub fn read(source: &SourceFile, file: &File) -> Self {
        let mut allowed = Self { entries: Vec::new(), malformed: Vec::new() };
        let places = Places::new(source.text(), file);
        for comment in comments(source.text()) {
            let Some(codes) = codes(source.text(), &comment.range) else { continue };
            if codes.is_empty() {
                allowed.malformed.push(Span::new(comment.range.start as u32, comment.range.end as u32));
            }
            let (bytes, place) = places.of(&comment);
            for (index, &span) in codes.iter().enumerate() {
                let removed = match (index.checked_sub(1).map(|before| codes[before]), codes.get(index + 1)) {
                    (Some(before), _) => Some(Span::new(before.end, span.end)),
                    (None, Some(next)) => Some(Span::new(span.start, next.start)),
                    (None, None) => whole(source.text(), &comment.range),
                };
                let text = source.slice(span).to_owned();
                let code = Code::from_text(&text);
                allowed.entries.push(Entry { span, removed, text, code, bytes: bytes.clone(), place });
            }
        }
        allowed
    }

    /// Removes the allowed warnings, and adds one (MAP314) for every code in a comment that silences nothing or
    /// does not exist. The result is sorted by position. `found` must contain warnings only.
    #[must_use]
    pub fn filter(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut used = vec![false; self.entries.len()];
        let mut left = self.silence(found, &mut used);
        // Entries that allow MAP314 itself can be judged only after the others have produced such warnings.
        let is_useless = |entry: &Entry| entry.code == Some(Code::UselessAllow);
        let unused = |used: &[bool], last: bool| -> Vec<Diagnostic> {
            let entries = self.entries.iter().zip(used);
            let unused = entries.filter(|&(entry, &used)| !used && is_useless(entry) == last);
            unused.map(|(entry, _)| useless(entry)).collect()
        };
        let mut useless = unused(&used, false);
        useless.extend(self.malformed.iter().map(|&span| malformed(span)));
        left.extend(self.silence(useless, &mut used));
        left.extend(unused(&used, true));
        left.sort_by_key(|warning| (warning.span(), warning.code));
        left
    }

    /// Removes the allowed warnings and marks the entries that allow some.
    fn silence(&self, mut found: Vec<Diagnostic>, used: &mut [bool]) -> Vec<Diagnostic> {
        let place = |warning: &Diagnostic| Some((warning.code, warning.span()?.start));
        found.sort_by_key(place);
        // Difference array: its prefix sums are the numbers of entries that allow each warning.
        let mut more = vec![0_i64; found.len() + 1];
        for (entry, used) in self.entries.iter().zip(used) {
            let Some(code) = entry.code else { continue };
            let first = found.partition_point(|warning| place(warning) < Some((code, entry.bytes.start)));
            let end = found.partition_point(|warning| place(warning) < Some((code, entry.bytes.end)));
            if first < end {
                *used = true;
                more[first] += 1;
                more[end] -= 1;
            }
        }
        let mut allowing = 0;
        let mut changes = more.into_iter();
        found.retain(|_| {
            allowing += changes.next().unwrap_or(0);
            allowing == 0
        });
        found
    }
}

/// The codes in a `map: allow` comment, empty if it is malformed; `None` for any other comment.
fn codes(text: &str, comment: &Range<usize>) -> Option<Vec<Span>> {
    let list = allowance(text.get(comment.clone())?)?.trim_start().strip_prefix('(').unwrap_or("");
    let mut start = comment.end - list.len();
    let Some((list, _)) = list.split_once(')') else { return Some(Vec::new()) };
    let mut codes = Vec::new();
    for item in list.split(',') {
        let word = item.trim();
        if !word.is_empty() {
            let at = start + (item.len() - item.trim_start().len());
            codes.push(Span::new(at as u32, (at + word.len()) as u32));
        }
        start += item.len() + 1;
    }
    Some(codes)
}

/// A comment with the white space that is left over without it: its line if it stands alone there, else what is before
/// it on the line if nothing is behind. `None` if words would meet.
fn whole(text: &str, comment: &Range<usize>) -> Option<Span> {
    let (before, behind) = (&text[..comment.start], &text[comment.end..]);
    let ends = behind.len() - behind.trim_start_matches([' ', '\t', '\r']).len();
    let at_end = behind[ends..].is_empty() || behind[ends..].starts_with('\n');
    let bare = before.trim_end_matches([' ', '\t']);
    let alone = bare.is_empty() || bare.ends_with('\n');
    let start = if at_end { bare.len() } else { comment.start };
    let end = match (at_end, alone) {
        (true, true) => comment.end + (ends + 1).min(behind.len()),
        _ => comment.end,
    };
    let apart = at_end || bare.len() < before.len() || alone || ends > 0;
    apart.then(|| Span::new(start as u32, end as u32))
}

/// The items, clauses and lines of a file, to which comments can apply.
struct Places<'a> {
    text: &'a str,
    /// The positions of the line breaks.
    line_ends: Vec<usize>,
    /// Items and clauses, sorted by span, with their descriptions.
    starts: Vec<(Span, &'static str)>,
}

impl<'a> Places<'a> {
    fn new(text: &'a str, file: &File) -> Self {
        let mut starts = Vec::new();
        for (index, item) in file.items.iter().enumerate() {
            if let Item::Scene(scene) = item {
                starts.extend(scene.clauses.iter().map(|clause| (clause.span, "in this clause")));
            }
            starts.push(match index {
                0 => (Span::new(item.span().start, u32::MAX), "in this file"),
                _ => (item.span(), "in this item"),
            });
        }
        starts.sort();
        let line_ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at);
        Self { text, line_ends: line_ends.collect(), starts }
    }

    /// The range to which a comment applies, with its description.
    fn of(&self, comment: &Comment) -> (Range<u32>, &'static str) {
        let begin = comment.range.start;
        if !comment.follows_code {
            let found = self.starts.binary_search_by_key(&(comment.next_code as u32), |(span, _)| span.start);
            if let Ok(index) = found {
                let (span, place) = self.starts[index];
                return (begin as u32..span.end, place);
            }
        }
        let line = self.line(if comment.follows_code { begin } else { comment.next_code });
        (line.start.min(begin) as u32..line.end as u32, "on this line")
    }

    fn line(&self, at: usize) -> Range<usize> {
        let line = self.line_ends.partition_point(|&end| end < at);
        let start = line.checked_sub(1).map_or(0, |before| self.line_ends[before] + 1);
        start..self.line_ends.get(line).copied().unwrap_or(self.text.len())
    }
}

fn useless(entry: &Entry) -> Diagnostic {
    let new = |text: String, label: &str| Diagnostic::new(Code::UselessAllow, entry.span, text, label);
    let warning = match entry.code {
        None => {
            let warning = new(format!("there is no warning `{}` to allow", entry.text), "unknown code");
            return match Code::from_text(&entry.text.to_ascii_uppercase()) {
                Some(meant) => warning
                    .with_help(format!("Did you mean `{}`?", meant.as_str()))
                    .replaced_by(meant.as_str()),
                None => warning
                    .with_help("Write the code that stands in the brackets of the warning, such as `MAP301`"),
            };
        }
        Some(code) if code.severity() == Severity::Error => {
            new(format!("`{code}` is an error and cannot be allowed", code = code.as_str()), "not a warning")
                .with_help("Remove it; while there are errors no comment is looked at")
        }
        Some(code) => {
            let label = format!("there is no such warning {}", entry.place);
            new(format!("allowing `{}` silences nothing", code.as_str()), &label)
                .with_help("Remove it, or write it directly before the clause or the line of the warning")
        }
    };
    match entry.removed {
        Some(span) => warning.with_replacement(span, ""),
        None => warning,
    }
}

fn malformed(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UselessAllow,
        span,
        "this comment allows nothing, as no code follows in parentheses",
        "no code",
    )
    .with_help("Write `// map: allow(MAP301)`, or several codes with commas between them")
}
