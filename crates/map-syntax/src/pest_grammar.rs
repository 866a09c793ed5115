//! The parser that pest generates from `grammar/map.pest`, with its limits set.

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pairs;

use crate::MAX_SOURCE_BYTES;

#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/map.pest"]
struct MapParser;

/// Limit on pest's rule calls. Far above what the grammar needs for any text (about ten calls for each byte of a
/// scene, seventy for each parenthesis of an expression): it guards against mistakes in the grammar.
const CALLS_PER_BYTE: usize = 128;

/// Why a text does not match a rule.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The text at the offset matches none of the expected rules.
    Unexpected {
        /// The furthest offset reached in the text.
        offset: usize,
        /// The rules that could have matched there, in no particular order.
        expected: Vec<Rule>,
    },
    /// One of pest's own limits was reached.
    Limit,
}

/// Parses `text` as `rule`. Whether the whole text must match is up to the rule: the `*_unit` rules and `file` end
/// with `EOI`.
pub(crate) fn read(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Failure> {
    // The limit is global to pest; every call sets the same value.
    pest::set_call_limit(std::num::NonZeroUsize::new(CALLS_PER_BYTE * MAX_SOURCE_BYTES));
    MapParser::parse(rule, text).map_err(failure)
}

fn failure(error: Error<Rule>) -> Failure {
    let offset = match error.location {
        InputLocation::Pos(offset) | InputLocation::Span((offset, _)) => offset,
    };
    match error.variant {
        ErrorVariant::ParsingError { positives, .. } => Failure::Unexpected { offset, expected: positives },
        ErrorVariant::CustomError { .. } => Failure::Limit,
    }
}
