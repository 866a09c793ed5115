//! `check`: errors and warnings.

use map_diagnostics::{Severity, SourceFile};
use map_explain::counted;
use map_json::{CheckOutput, CheckedFile, DiagnosticOutput, Header};

use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::dialogue::diagnostics;
use crate::flags::{in_flags, of_check};

/// # Errors
/// What is wrong with the flags.
pub(crate) fn check(source: &SourceFile, given: &Arguments) -> Result<Answer, String> {
    let options = of_check(&given.flags)?.to_options().map_err(in_flags)?;
    let parsed = map_syntax::parse(source);
    let found = map_compile::examine(source, &parsed, &options);
    let errors = found.iter().filter(|it| it.severity() == Severity::Error).count();
    let warnings = found.len() - errors;
    let mut summary = match errors {
        0 => "no errors".to_owned(),
        _ => counted(errors as u64, "error"),
    };
    if warnings > 0 {
        summary.push_str(&format!(", {}", counted(warnings as u64, "warning")));
    }
    // The summary comes first: what is cut is at the end.
    let below = diagnostics(source, &found);
    let gap = if below.is_empty() { "" } else { "\n" };
    let answer = Answer::told(&format!("{summary}\n{gap}{below}"));
    if !given.structured {
        return Ok(answer);
    }
    let file = source.name().to_owned();
    Ok(answer.with(&CheckOutput {
        header: Header::new("check"),
        files: vec![CheckedFile { file, errors, warnings }],
        diagnostics: found.iter().map(|it| DiagnosticOutput::new(source, it)).collect(),
    }))
}
