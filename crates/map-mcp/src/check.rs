//! `check`: errors and warnings.

use map_diagnostics::{ExaminedFile, SourceFile};
use map_explain::check_summary;
use map_json::CheckOutput;

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
    let file = ExaminedFile { source: source.clone(), diagnostics: found };
    let summary = check_summary(std::slice::from_ref(&file), false);
    // The summary comes first: what is cut is at the end.
    let below = diagnostics(source, &file.diagnostics);
    let gap = if below.is_empty() { "" } else { "\n" };
    let answer = Answer::told(&format!("{summary}\n{gap}{below}"));
    if !given.structured {
        return Ok(answer);
    }
    Ok(answer.with(&CheckOutput::new(&[file])))
}
