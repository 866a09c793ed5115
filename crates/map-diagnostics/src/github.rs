//! Diagnostics as workflow commands of GitHub Actions, which turns them into annotations.

use std::fmt::Write as _;

use crate::{Diagnostic, SourceFile, escaped};

/// One diagnostic as one line: `::error file=a.map,line=2,..::text`.
#[must_use]
pub fn github_command(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    let mut text = format!("::{} file={}", diagnostic.severity().word(), property(source.name()));
    if let Some(span) = diagnostic.span() {
        let (start, end) = (source.position(span.start), source.position(span.end));
        // GitHub refuses columns if start and end are on different lines.
        let _ = if start.line == end.line {
            let (line, from, to) = (start.line, start.column, end.column);
            write!(text, ",line={line},col={from},endLine={line},endColumn={to}")
        } else {
            write!(text, ",line={},endLine={}", start.line, end.line)
        };
    }
    let _ = writeln!(text, ",title={}::{}", diagnostic.code.as_str(), data(&message(source, diagnostic)));
    text
}

/// The sentence, then labels, notes and help on lines of their own, since an annotation shows no source excerpt.
fn message(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.text.clone();
    for label in diagnostic.labels.iter().filter(|label| !label.text.is_empty()) {
        let _ = if label.primary {
            write!(text, "\n{}", label.text)
        } else {
            write!(text, "\nline {}: {}", source.position(label.span.start).line, label.text)
        };
    }
    for note in &diagnostic.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    for help in &diagnostic.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    text
}

fn data(text: &str) -> String {
    escaped(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::github_command;
    use crate::{Code, Diagnostic, SourceFile, Span};

    #[test]
    fn what_would_end_the_command_is_escaped() {
        let source = SourceFile::new("C:\\a,b\r\n100%.map", "one\ntwo\n");
        let diagnostic = Diagnostic::new(Code::Syntax, Span::new(4, 7), "100%: a,b", "")
            .with_label(Span::new(0, 3), "here\r\nand there")
            .with_help("50%");
        assert_eq!(
            github_command(&source, &diagnostic),
            "::error file=C%3A\\a%2Cb%0D%0A100%25.map,line=2,col=1,endLine=2,endColumn=4,title=MAP001::\
             100%25: a,b%0Aline 1: here%0D%0Aand there%0Ahelp: 50%25\n"
        );
    }

    #[test]
    fn no_columns_across_lines_and_no_lines_without_a_place() {
        let source = SourceFile::new("a.map", "one\ntwo\n");
        let wide = Diagnostic::new(Code::Syntax, Span::new(0, 7), "text", "label");
        assert_eq!(
            github_command(&source, &wide),
            "::error file=a.map,line=1,endLine=2,title=MAP001::text%0Alabel\n"
        );
        let unplaced = Diagnostic::unplaced(Code::NeverRuns, "text");
        assert_eq!(github_command(&source, &unplaced), "::warning file=a.map,title=MAP303::text\n");
    }
}
