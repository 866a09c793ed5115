//! Unified diffs that `patch -p0` accepts.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use map_diagnostics::{SourceFile, escaped};
use similar::TextDiff;

/// How long to search for a shortest diff before settling for any. Only large files that change nearly everywhere get
/// this far.
const MAX_TIME: Duration = Duration::from_secs(2);

const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const PLACE: Style = AnsiColor::Cyan.on_default();

/// What changes from the source to the text, with three lines of context.
pub(super) fn unified(source: &SourceFile, text: &str) -> String {
    let diff = TextDiff::configure().timeout(MAX_TIME).diff_lines(source.text(), text);
    diff.unified_diff().header(source.name(), source.name()).to_string()
}

/// The same for people: in colours, and what nobody sees is written out.
pub(super) fn coloured(source: &SourceFile, text: &str) -> String {
    escaped(&unified(source, text)).split_inclusive('\n').map(styled).collect()
}

fn styled(line: &str) -> String {
    let style = match line.as_bytes() {
        [b'+', ..] => ADDED,
        [b'-', ..] => REMOVED,
        [b'@', ..] => PLACE,
        _ => return line.to_owned(),
    };
    let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
    format!("{style}{content}{style:#}{end}")
}
