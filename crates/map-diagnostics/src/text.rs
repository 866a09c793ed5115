//! Diagnostics as human-readable text, rendered by codespan-reporting.

use std::ops::Range;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;

use crate::{Diagnostic, Severity, SourceFile};

/// Text with ANSI colour sequences, which the caller strips if the terminal does not support them.
pub type Rendered = String;

/// Renders a diagnostic: the message, the marked source lines, notes and suggestions.
///
/// Lines longer than 400 bytes are not shown, as a generated one-line file would flood the terminal; their position
/// is given instead.
#[must_use]
pub fn render(source: &SourceFile, diagnostic: &Diagnostic) -> Rendered {
    let severity = match diagnostic.severity() {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
    };
    let mut drawn = codespan::Diagnostic::new(severity)
        .with_code(diagnostic.code.as_str())
        .with_message(&diagnostic.text);
    for label in &diagnostic.labels {
        let style =
            if label.primary { codespan::LabelStyle::Primary } else { codespan::LabelStyle::Secondary };
        let position = source.position(label.span.start);
        if source.line(position.line).len() > MAX_DRAWN_LINE {
            let place = format!("{}:{}:{}", source.name(), position.line, position.column);
            let text = if label.text.is_empty() { "here" } else { &label.text };
            drawn.notes.push(format!("at {place}: {text}"));
        } else {
            let range = label.span.start as usize..label.span.end as usize;
            drawn.labels.push(codespan::Label::new(style, (), range).with_message(&label.text));
        }
    }
    drawn.notes.extend(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    drawn.notes.extend(diagnostic.help.iter().map(|help| format!("help: {help}")));
    if diagnostic.labels.is_empty() && !source.name().is_empty() {
        drawn.notes.insert(0, format!("in {}", source.name()));
    }
    let mut buffer = codespan_reporting::term::termcolor::Ansi::new(Vec::new());
    let config = term::Config { tab_width: 4, ..term::Config::default() };
    match term::emit_to_write_style(&mut buffer, &config, &Drawn(source), &drawn) {
        Ok(()) => String::from_utf8_lossy(&buffer.into_inner()).into_owned(),
        Err(_) => {
            format!("{}[{}]: {}\n", diagnostic.severity().word(), diagnostic.code.as_str(), diagnostic.text)
        }
    }
}

/// The longest source line that is shown, in bytes.
const MAX_DRAWN_LINE: usize = 400;

/// The file of a diagnostic, adapted for codespan-reporting.
struct Drawn<'a>(&'a SourceFile);

impl<'a> Files<'a> for Drawn<'a> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.0.name())
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.0.text())
    }

    fn line_index(&'a self, (): (), byte_index: usize) -> Result<usize, Error> {
        Ok(self.0.line_starts().partition_point(|&start| start as usize <= byte_index) - 1)
    }

    fn line_range(&'a self, (): (), line_index: usize) -> Result<Range<usize>, Error> {
        let starts = self.0.line_starts();
        let start =
            *starts.get(line_index).ok_or(Error::LineTooLarge { given: line_index, max: starts.len() })?;
        let end = starts.get(line_index + 1).map_or(self.0.text().len(), |&next| next as usize);
        Ok(start as usize..end)
    }
}
