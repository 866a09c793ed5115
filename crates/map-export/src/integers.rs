//! Integers that are too large for a model.

use map_ir::{Program, Value};

use crate::layout::INTEGERS;
use crate::refusal::{Reason, Refusal};

/// A refusal for every construct with an integer that is too large.
pub(crate) fn too_large(program: &Program) -> Vec<Refusal> {
    let large =
        |value: &Value| matches!(value, Value::Integer(number) if number.unsigned_abs() >= INTEGERS as u64);
    let constants = program.constants().into_iter().filter(|(value, _)| large(value)).map(|(_, span)| span);
    let domains = program.domains().into_iter().filter(|(domain, _)| domain.iter().any(large));
    let mut spans: Vec<_> = constants.chain(domains.map(|(_, span)| span)).collect();
    // A construct may have several.
    spans.dedup();
    spans.into_iter().map(|span| Refusal { span, reason: Reason::LargeInteger }).collect()
}
