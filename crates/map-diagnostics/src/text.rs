//! Diagnostics as human-readable text, rendered by codespan-reporting.

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::term;

use crate::excerpt::Excerpt;
use crate::unseen::{escaped, escaped_line};
use crate::{Diagnostic, Severity, SourceFile};

/// Text with ANSI colour sequences, which the caller strips if the terminal does not support them.
pub type RenderedText = String;

/// Renders a diagnostic: the message, the marked source lines, notes and suggestions.
///
/// Lines longer than 400 characters are not drawn (a generated one-line file would flood the terminal); their place is
/// named instead. Characters that nobody sees are written out wherever they come from, so that a terminal does not obey
/// them: the only escape sequences are those for colours.
#[must_use]
pub fn render(source: &SourceFile, diagnostic: &Diagnostic) -> RenderedText {
    let severity = match diagnostic.severity() {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
    };
    let mut drawn = codespan::Diagnostic::new(severity)
        .with_code(diagnostic.code.as_str())
        .with_message(escaped(&diagnostic.text));
    let name = escaped_line(source.name());
    let is_long = |line: usize| source.line(line).len() > MAX_DRAWN_LINE;
    let (long, short): (Vec<_>, Vec<_>) =
        diagnostic.labels.iter().partition(|it| is_long(source.position(it.span.start).line));
    for label in long {
        let position = source.position(label.span.start);
        let text = if label.text.is_empty() { "here" } else { &label.text };
        drawn.notes.push(format!("at {name}:{}:{}: {text}", position.line, position.column));
    }
    let excerpt = Excerpt::new(source, &short.iter().map(|it| it.span).collect::<Vec<_>>());
    for label in short {
        let style =
            if label.primary { codespan::LabelStyle::Primary } else { codespan::LabelStyle::Secondary };
        let drawn_label = codespan::Label::new(style, (), excerpt.range(label.span));
        drawn.labels.push(drawn_label.with_message(escaped_line(&label.text)));
    }
    drawn.notes.extend(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    drawn.notes.extend(diagnostic.help.iter().map(|help| format!("help: {help}")));
    if diagnostic.labels.is_empty() && !name.is_empty() {
        drawn.notes.insert(0, format!("in {name}"));
    }
    drawn.notes.iter_mut().for_each(|note| *note = escaped(note).into_owned());
    let mut buffer = codespan_reporting::term::termcolor::Ansi::new(Vec::new());
    let config = term::Config { tab_width: 4, ..term::Config::default() };
    match term::emit_to_write_style(&mut buffer, &config, &excerpt, &drawn) {
        Ok(()) => String::from_utf8_lossy(&buffer.into_inner()).into_owned(),
        Err(_) => {
            let (word, code) = (diagnostic.severity().word(), diagnostic.code.as_str());
            format!("{word}[{code}]: {}\n", escaped(&diagnostic.text))
        }
    }
}

/// The longest source line that is shown, in bytes.
const MAX_DRAWN_LINE: usize = 400;
