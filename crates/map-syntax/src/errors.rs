//! Turns pest's sets of expected rules into diagnostics in the author's terms.

use map_diagnostics::{Code, Diagnostic, Span};

use crate::mistakes;
use crate::pest_grammar::{Failure, Rule};
use crate::phrases::list;
use crate::site::Site;
use crate::unit::Unit;

/// The diagnostic about a site where the parser failed.
pub(crate) fn diagnose(site: &Site<'_>) -> Diagnostic {
    mistakes::explain(site).unwrap_or_else(|| general(site))
}

fn general(site: &Site<'_>) -> Diagnostic {
    let text = format!("expected {}, found {}", site.expected_phrase(), site.found_phrase());
    let label = if site.found().is_some() { "not expected here" } else { "something is missing here" };
    let diagnostic = site.error(text, label);
    match site.open_paren() {
        Some(open) if site.expects(Rule::close_paren) => {
            diagnostic.with_label(site.tokens[open].span, "opened here")
        }
        _ => diagnostic,
    }
}

/// The diagnostic about a text that the grammar rejects although all its units could be parsed.
pub(crate) fn whole_file(failure: Option<Failure>, base: usize, end: usize) -> Diagnostic {
    let (offset, text) = match failure {
        Some(Failure::Unexpected { offset, expected }) => {
            (base + offset, format!("expected {}", list(&expected, Unit::Clause)))
        }
        Some(Failure::Limit) | None => (base, "this file is too complicated to read".to_owned()),
    };
    let offset = offset.min(end) as u32;
    Diagnostic::new(Code::Syntax, Span::new(offset, offset), text, "here")
}
