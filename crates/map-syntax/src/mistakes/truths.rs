//! Mistakes in truths.

use map_diagnostics::Diagnostic;

use super::bodies;
use crate::site::Site;
use crate::sketch::token::Kind;

/// Explains a mistake behind the head of a truth: its alternatives are those of a decision, but for two things.
pub(super) fn explain(site: &Site<'_>) -> Option<Diagnostic> {
    let close = site.tokens.iter().position(|token| token.kind == Kind::CloseParen)?;
    match (site.found(), site.found_text()) {
        _ if site.at < close => None,
        (Some(Kind::Name), "with") if site.at > close + 1 => Some(
            site.error("a truth changes no cells", "not expected here")
                .with_note("it says what an honest agent answers, not what follows from the answer"),
        ),
        (Some(Kind::Name), word @ ("in" | "fresh" | "with")) if site.at == close + 1 => Some(
            site.error(format!("a truth is one answer, found `{word}`"), "expected `=` or `|`").with_help(
                "write `= ..`, or `| guard = ..` for each case; where no guard holds the answer is \"no\"",
            ),
        ),
        (None, _) if site.at == close + 1 => Some(
            site.error("this truth has no answer", "expected `=` or `|`")
                .with_help("write such as `truth bid($value) | $value > 0 = $value`"),
        ),
        _ => bodies::explain(site),
    }
}
