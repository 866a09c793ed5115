//! Comments that silence warnings, as far as layout is concerned.

/// What follows the words `map: allow` in a comment that begins with them: the list of codes, and perhaps a reason.
/// `None` for any other comment.
#[must_use]
pub fn allowance(comment: &str) -> Option<&str> {
    let body = comment.strip_prefix("//").or_else(|| comment.strip_prefix("/*"))?;
    let list = body.trim_start().strip_prefix("map:")?.trim_start().strip_prefix("allow")?;
    // `allowance` and the like are ordinary words.
    (!list.starts_with(char::is_alphanumeric)).then_some(list)
}
