//! The text that a request is about: given, or that of a file below the root.

use std::sync::Arc;

use anstream::adapter::strip_str;
use map_diagnostics::{Diagnostic, SourceFile};

use crate::limits::MAX_TEXT;
use crate::root::Root;

/// The name of a text that is no file.
const NAME: &str = "<text>";

/// The most diagnostics that are shown.
const MAX_SHOWN: usize = 20;

/// # Errors
/// Why there is no text, in words that an agent can use.
pub(crate) fn dialogue(
    text: Option<&str>,
    path: Option<&str>,
    root: Option<&Root>,
) -> Result<Arc<SourceFile>, String> {
    let source = match (text, path, root) {
        (Some(text), None, _) if text.len() > MAX_TEXT => {
            return Err(format!("the text is larger than {} MiB", MAX_TEXT >> 20));
        }
        (Some(text), None, _) => SourceFile::new(NAME, text),
        (None, Some(path), Some(root)) => root.read(path)?,
        (None, Some(_), None) => {
            return Err(
                "path: this server reads no files, since it was started without --root; give the `text`"
                    .to_owned(),
            );
        }
        (None, None, None) => return Err("`text` is missing: the text of the dialogue".to_owned()),
        (None, None, Some(_)) => return Err("`text` is missing, or the `path` of a file".to_owned()),
        (Some(_), Some(_), _) => return Err("give either `text` or `path`, not both".to_owned()),
    };
    Ok(Arc::new(source))
}

/// Errors and warnings, each with the lines that it is about.
pub(crate) fn diagnostics(source: &SourceFile, all: &[Diagnostic]) -> String {
    let shown = all.iter().take(MAX_SHOWN);
    let mut text: String =
        shown.map(|it| strip_str(&map_diagnostics::render(source, it)).to_string()).collect();
    if let Some(more) = all.len().checked_sub(MAX_SHOWN).filter(|&more| more > 0) {
        text.push_str(&format!("and {more} more\n\n"));
    }
    text
}
