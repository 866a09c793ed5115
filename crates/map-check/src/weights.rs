//! MAP132, and what is said of decimal numbers in MAP133: the weights of domains.

mod computed;
mod distribution;

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Decimal, Distribution, Domain, DomainKind, Expression, Term, Weight, Weights};

use crate::show;

/// The largest number of values a domain may have.
pub const MAX_DOMAIN: usize = 65_536;

/// The largest weight.
pub(crate) const MAX_WEIGHT: i64 = 1 << 32;

/// The weights of the values of a domain, as they are written; `None` if it has none. A value that has
/// itself `None` is no value of the domain: its weight is 0. (A weight that a distribution rounds to 0 is `Some(0)`.)
///
/// # Errors
/// What is wrong with them. The values of a domain with too many are not looked at.
pub fn weights(domain: &Domain) -> Result<Option<Vec<Option<u64>>>, Diagnostic> {
    let all = match (&domain.kind, &domain.weights) {
        (DomainKind::Values(values), Some(Weights::Each(weights))) => each(values, weights)?,
        (&DomainKind::Range(first, last), Some(Weights::By(weight))) => match range(first, last) {
            Some(values) => computed(weight, values)?,
            None => return Ok(None),
        },
        (&DomainKind::Range(first, last), Some(Weights::Distribution(kind, number))) => {
            let probability = billionths(number)?;
            match range(first, last) {
                Some(values) => named(*kind, probability, values.count()),
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(all))
}

/// The values of a range that has some, and not too many.
fn range(first: i64, last: i64) -> Option<impl Iterator<Item = i64> + Clone> {
    let is_fit = first <= last && last.abs_diff(first) < MAX_DOMAIN as u64;
    is_fit.then_some(first..=last)
}

fn each(values: &[Term], weights: &[Option<Weight>]) -> Result<Vec<Option<u64>>, Diagnostic> {
    let mut known = HashSet::new();
    if let Some(twice) = values.iter().find(|value| !known.insert(&value.kind)) {
        let text = format!("the value `{}` stands twice in a set with weights", show::term(twice));
        return Err(Diagnostic::new(Code::Weight, twice.span, text, "has a weight already")
            .with_help("Write it once, with the sum of its weights"));
    }
    let weight = |(value, weight): (&Term, &Option<Weight>)| match weight {
        None => Ok(Some(1)),
        Some(Weight { value: number, span }) => {
            allowed(*number).ok_or_else(|| not_allowed(&show::term(value), *number, *span))
        }
    };
    values.iter().zip(weights).map(weight).collect()
}

fn computed(
    weight: &Expression,
    mut values: impl Iterator<Item = i64>,
) -> Result<Vec<Option<u64>>, Diagnostic> {
    computed::check(weight)?;
    values.try_fold(Vec::new(), |mut all, value| {
        let number = computed::weight(weight, value)?;
        let error = || {
            let text = value.to_string();
            let error = not_allowed(&text, number, weight.span);
            if number < 0 {
                error.with_help(
                    "Where it may become negative, write `max(0, ..)`: such values do not occur then",
                )
            } else {
                error.with_help("Only their ratios count: divide all of them by the same number")
            }
        };
        all.push(allowed(number).ok_or_else(error)?);
        Ok(all)
    })
}

fn named(kind: Distribution, probability: u32, number: usize) -> Vec<Option<u64>> {
    match kind {
        Distribution::Geometric => distribution::geometric(probability, number),
        Distribution::Binomial => distribution::binomial(probability, number),
    }
}

/// A weight, `None` for 0; nothing if it is out of range.
fn allowed(number: i64) -> Option<Option<u64>> {
    (0..=MAX_WEIGHT).contains(&number).then(|| u64::try_from(number).ok().filter(|&it| it > 0))
}

fn not_allowed(value: &str, number: i64, span: Span) -> Diagnostic {
    let text = format!("the weight of `{value}` is {number}");
    let label = if number < 0 { "negative" } else { "too large" };
    Diagnostic::new(Code::Weight, span, text, label)
        .with_note(format!("A weight is an integer from 0 to {MAX_WEIGHT}"))
}

/// A probability in billionths.
pub(crate) fn billionths(number: &Decimal) -> Result<u32, Diagnostic> {
    number.billionths().ok_or_else(|| {
        let places = number.text.split_once('.').map_or(0, |(_, places)| places.len());
        let error = |text: String, label: &str| Diagnostic::new(Code::Probability, number.span, text, label);
        if places > Decimal::MAX_PLACES {
            let text = format!("the probability `{}` has {places} places behind the point", number.text);
            error(text, "too many places").with_help(format!("Give at most {} places", Decimal::MAX_PLACES))
        } else {
            let text = format!("the probability `{}` is larger than 1", number.text);
            error(text, "beyond 1").with_help("A probability is a number from 0.0 to 1.0, such as `0.75`")
        }
    })
}

/// Weights in a property, which has none.
pub(crate) fn in_property(domain: &Domain) -> Option<Diagnostic> {
    let span = match domain.weights.as_ref()? {
        Weights::Each(weights) => weights.iter().flatten().next()?.span,
        Weights::By(weight) => weight.span,
        Weights::Distribution(_, number) => number.span,
    };
    let text = "the values that a variable of a property ranges over have no weights";
    Some(
        Diagnostic::new(Code::Weight, span, text, "not expected here")
            .with_note("A property holds in every run or it does not, however likely the run is")
            .with_help("Leave the weights out"),
    )
}
