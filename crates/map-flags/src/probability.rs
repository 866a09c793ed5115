//! Parsers for probabilities. Each error says what is expected.

use std::fmt;

/// An item of `--yes`.
#[derive(Clone, Debug, PartialEq)]
pub struct Yes {
    /// The decision it applies to; `None` for all that are not named.
    pub decision: Option<String>,
    /// The probability, from 0 to 1.
    pub probability: f64,
}

impl fmt::Display for Yes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.decision {
            Some(decision) => write!(f, "{decision}={}", self.probability),
            None => write!(f, "{}", self.probability),
        }
    }
}

/// `0.7` or `keepBidding=0.7`.
pub(crate) fn parse_yes(text: &str) -> Result<Yes, String> {
    let expected =
        || "expected a probability from 0 to 1 such as 0.8, or DECISION=P such as keepBidding=0.8".to_owned();
    let (decision, probability) = match text.rsplit_once('=') {
        Some((decision, probability)) => (Some(decision.trim()), probability),
        None => (None, text),
    };
    let probability = parse_probability(probability).map_err(|_| expected())?;
    if decision == Some("") {
        return Err(expected());
    }
    Ok(Yes { decision: decision.map(str::to_owned), probability })
}

/// A number from 0 to 1.
pub(crate) fn parse_probability(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.trim().parse().ok();
    let value = value.filter(|it| (0.0..=1.0).contains(it));
    // Minus zero is zero.
    value.map(f64::abs).ok_or_else(|| "expected a probability from 0 to 1, such as 0.1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_yes;

    #[test]
    fn probabilities() {
        let yes = |text: &str| parse_yes(text).unwrap().to_string();
        assert_eq!(yes("0.25"), "0.25");
        assert_eq!(yes("-0.0"), "0");
        assert_eq!(yes("keepBidding=1"), "keepBidding=1");
        for junk in ["", "2", "-0.1", "NaN", "inf", "half", "p=", "=0.5", "p=1.5", "p=NaN", "0.5=p"] {
            assert!(parse_yes(junk).is_err(), "{junk}");
        }
    }
}
