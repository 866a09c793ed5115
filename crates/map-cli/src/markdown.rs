//! Markdown for a terminal: the subset that the pages of `map explain` use.

use anstyle::{AnsiColor, Style};

use crate::style;

const CODE: Style = AnsiColor::Cyan.on_default();

/// Headings bold, fenced code indented, inline code coloured; each paragraph is one line, to be wrapped.
pub(crate) fn for_terminal(page: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in joined(page) {
        let line = line.as_str();
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            out.push_str(&format!("    {line}"));
        } else if line.starts_with('#') {
            out.push_str(&style::head(line.trim_start_matches('#').trim_start().replace('`', "")));
        } else {
            out.push_str(&inline(line));
        }
        // Indented empty lines would otherwise end in spaces.
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

/// The lines of the page, with those of a paragraph or of an item of a list joined.
fn joined(page: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut fenced, mut goes_on) = (false, false);
    for line in page.lines() {
        let start = line.trim_start();
        let is_fence = start.starts_with("```");
        let is_item = start.starts_with("- ") || start.starts_with("* ") || start.starts_with('|');
        match lines.last_mut() {
            Some(last) if goes_on && !is_fence && !is_item && !start.is_empty() => {
                last.push(' ');
                last.push_str(start);
            }
            _ => lines.push(line.to_owned()),
        }
        fenced ^= is_fence;
        goes_on = !fenced && !is_fence && !start.is_empty() && !start.starts_with('#');
    }
    lines
}

fn inline(line: &str) -> String {
    let pieces: Vec<&str> = line.split('`').collect();
    // With an odd number of backquotes, one of them is literal.
    if pieces.len().is_multiple_of(2) {
        return line.to_owned();
    }
    let styled = pieces.iter().enumerate().map(|(index, piece)| match index % 2 {
        0 => (*piece).to_owned(),
        _ => format!("{CODE}{piece}{CODE:#}"),
    });
    styled.collect()
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::for_terminal;

    const PAGE: &str =
        "# MAP001: it `is` so\n\nText with `code` in it.\n\n```map\na = b\n\n  c\n```\n\nA ` alone.\n";

    #[test]
    fn pages() {
        let shown = strip_str(&for_terminal(PAGE)).to_string();
        assert_eq!(
            shown,
            "MAP001: it is so\n\nText with code in it.\n\n    a = b\n\n      c\n\nA ` alone.\n"
        );
        assert!(for_terminal(PAGE).contains("\u{1b}[1mMAP001"));
    }
}
