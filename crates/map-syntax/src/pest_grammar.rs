//! The parser that pest generates from `grammar/map.pest`, with its limits set.

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pairs;

use crate::MAX_SOURCE_BYTES;

#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/map.pest"]
struct MapParser;

/// Far above what the grammar needs for any text (about ten calls for each byte of a scene, seventy for each parenthesis
/// of an expression): it stops a grammar gone wrong.
const CALLS_PER_BYTE: usize = 128;

/// Why a text does not match a rule.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing that was expected stands at the offset.
    Unexpected {
        /// The furthest offset that was reached, in the text given.
        offset: usize,
        /// What could have stood there, in no particular order.
        expected: Vec<Rule>,
    },
    /// One of pest's own limits was met.
    Limit,
}

/// Reads `text` as `rule`, which must be one that begins with the start and ends with the end of input.
pub(crate) fn read(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Failure> {
    // The limit is a global of pest; every call sets the same value.
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
