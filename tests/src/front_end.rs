//! Invariants of the front end for every text, correct or not.

use map_check::{CheckOptions, check};
use map_compile::compile;
use map_diagnostics::{Code, Diagnostic, SourceFile, render};
use map_syntax::{LineEnd, ParsedFile, format, parse, without_spans};
use map_testkit::texts;

/// Formats a correct text, and checks the result.
///
/// # Errors
/// If the text is not correct, or if the result has another tree or other comments, or would change when formatted
/// again.
pub fn formatted(text: &str) -> Result<String, String> {
    let source = SourceFile::new("test.map", text);
    let formatted = format(&source).map_err(|errors| format!("not correct: {errors:?}"))?;
    let again = SourceFile::new("formatted.map", formatted.as_str());
    let parsed = parse(&again);
    let read = parse(&source);
    if let Some(error) = parsed.diagnostics.first() {
        return Err(format!("the result is not correct: {error:?}\n{formatted}"));
    }
    if without_spans(&parsed.file) != without_spans(&read.file) {
        return Err(format!("another tree:\n{formatted}"));
    }
    if texts::comments(&formatted) != texts::comments(text) {
        return Err(format!("other comments:\n{formatted}"));
    }
    let twice = format(&again).map_err(|errors| format!("not correct: {errors:?}"))?;
    if twice != formatted {
        return Err(format!("it changes again:\n{formatted}\n--- to\n{twice}"));
    }
    if !formatted.ends_with('\n') || formatted.replace('\r', "").ends_with("\n\n") {
        return Err(format!("its end:\n{formatted}"));
    }
    if LineEnd::of(&formatted).applied_to(formatted.clone()) != formatted
        || LineEnd::of(&formatted) != LineEnd::of(text)
        || formatted.starts_with('\u{feff}') != text.starts_with('\u{feff}')
    {
        return Err(format!("other line ends, or another mark at the beginning:\n{formatted:?}"));
    }
    let (before, after) = (findings(&source, &read), findings(&again, &parsed));
    if before != after {
        return Err(format!("other diagnostics, {before:?} before, then {after:?}:\n{formatted}"));
    }
    Ok(formatted)
}

/// All that is said of a correct text, without what comments silence.
fn findings(source: &SourceFile, parsed: &ParsedFile) -> Vec<(Code, String)> {
    let found = map_compile::examine(source, parsed, &CheckOptions::default());
    let mut found: Vec<_> = found.into_iter().map(|it| (it.code, it.text)).collect();
    found.sort();
    found
}

/// How far a text gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It has syntax errors.
    Refused,
    /// It can be formatted, but breaks the static rules.
    Formatted,
    /// It was compiled.
    Compiled,
}

/// Runs the whole front end on a text.
///
/// # Errors
/// If two phases contradict each other, or a diagnostic has a span outside the text.
pub fn run(text: &str) -> Result<Stage, String> {
    let source = SourceFile::new("test.map", text);
    let ParsedFile { file, diagnostics } = parse(&source);
    drawable(&source, &diagnostics)?;
    let (checked, errors) = check(&file, &CheckOptions::default());
    drawable(&source, &errors)?;
    if !diagnostics.is_empty() {
        return match format(&source) {
            Err(again) if again == diagnostics => Ok(Stage::Refused),
            Err(other) => Err(format!("the formatter reports something else: {other:?}")),
            Ok(formatted) => Err(format!("formatted in spite of errors:\n{formatted}")),
        };
    }
    let formatted = SourceFile::new("formatted.map", formatted(text)?);
    let (_, errors_later) = check(&parse(&formatted).file, &CheckOptions::default());
    let codes = |errors: &[Diagnostic]| errors.iter().map(|error| error.code.as_str()).collect::<Vec<_>>();
    if codes(&errors) != codes(&errors_later) {
        return Err(format!("formatted, it has other mistakes: {errors:?}, then {errors_later:?}"));
    }
    let Some(checked) = checked else {
        return if errors.is_empty() {
            Err("no scene and no diagnostic".to_owned())
        } else {
            Ok(Stage::Formatted)
        };
    };
    let program = compile(&checked);
    if program.points.is_empty() {
        return Err("a program without points".to_owned());
    }
    Ok(Stage::Compiled)
}

/// Checks that the spans of all diagnostics are inside the text.
fn drawable(source: &SourceFile, diagnostics: &[Diagnostic]) -> Result<(), String> {
    for diagnostic in diagnostics {
        for label in &diagnostic.labels {
            if source.text().get(label.span.start as usize..label.span.end as usize).is_none() {
                return Err(format!("outside the text: {diagnostic:?}"));
            }
        }
    }
    // Rendering is slow, and can fail only because of a span, so one diagnostic is enough.
    if let Some(first) = diagnostics.first() {
        let _ = render(source, first);
    }
    Ok(())
}
