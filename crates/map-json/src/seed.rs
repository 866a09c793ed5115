//! Seeds in JSON.

use serde::Serialize;

/// A seed: a number or, from 2^53 on, which many readers of JSON round, its digits as a string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Seed {
    /// A number that every reader knows exactly.
    Number(u64),
    /// Its digits.
    Digits(String),
}

impl From<u64> for Seed {
    fn from(seed: u64) -> Self {
        if seed < 1 << 53 { Self::Number(seed) } else { Self::Digits(seed.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::Seed;

    #[test]
    fn no_seed_is_rounded() {
        let shown = |seed: u64| to_value(Seed::from(seed)).expect("it is simple");
        assert_eq!(shown(7), json!(7));
        assert_eq!(shown((1 << 53) - 1), json!(9_007_199_254_740_991_u64));
        assert_eq!(shown(1 << 53), json!("9007199254740992"));
        assert_eq!(shown(u64::MAX), json!("18446744073709551615"));
    }
}
