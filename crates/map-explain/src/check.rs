//! What `map check` says at its end.

use map_diagnostics::ExaminedFile;

use crate::counted;

/// `no errors, 2 warnings`: what was found in all of these files. `denied` says that warnings are not accepted.
#[must_use]
pub fn check_summary(files: &[ExaminedFile], denied: bool) -> String {
    let errors: usize = files.iter().map(ExaminedFile::errors).sum();
    let warnings: usize = files.iter().map(ExaminedFile::warnings).sum();
    let mut text = match errors {
        0 => "no errors".to_owned(),
        _ => counted(errors as u64, "error"),
    };
    if warnings > 0 {
        let denied = if denied { " (denied)" } else { "" };
        text.push_str(&format!(", {}{denied}", counted(warnings as u64, "warning")));
    }
    text
}
