//! Markdown for a terminal: the subset that the pages of `map explain` use.

use anstyle::{AnsiColor, Style};

use crate::style;

const CODE: Style = AnsiColor::Cyan.on_default();

/// Headings bold, fenced code indented, inline code coloured; lines stay as they are.
pub(crate) fn for_terminal(page: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            out.push_str(&format!("    {line}"));
        } else if line.starts_with('#') {
            out.push_str(&style::head(line.trim_start_matches('#').trim_start()));
        } else {
            out.push_str(&inline(line));
        }
        // Indented empty lines would otherwise end in spaces.
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
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
            "MAP001: it `is` so\n\nText with code in it.\n\n    a = b\n\n      c\n\nA ` alone.\n"
        );
        assert!(for_terminal(PAGE).contains("\u{1b}[1mMAP001"));
    }
}
