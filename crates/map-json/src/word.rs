//! Closed sets: values that JSON knows by the words that the engines have for them.

use map_conform::Arrivals;
use map_diagnostics::Severity;
use map_explain::verification::DeniedFinding;
use map_semantics::{BoundHit, Status, StepKind, Timeouts};
use map_session::{AnyPropertyWord, AnyVerdictWord};
use map_simulate::EndWord;
use map_verify::{Fairness, Limit, PropertyVerdict, Verdict, ViolationKind};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A closed set.
pub trait ClosedSet: Copy + PartialEq + 'static {
    /// All its values, in order.
    const ALL: &'static [Self];

    /// The word for a value.
    fn word(self) -> &'static str;
}

/// A value of a closed set, which is a word in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<V>(pub V);

impl<V> From<V> for Word<V> {
    fn from(value: V) -> Self {
        Self(value)
    }
}

impl<V: ClosedSet> Serialize for Word<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        debug_assert!(V::ALL.contains(&self.0), "the schema has {:?}", self.0.word());
        serializer.serialize_str(self.0.word())
    }
}

impl<'de, V: ClosedSet> Deserialize<'de> for Word<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = V::ALL.iter().find(|value| value.word() == word);
        known
            .copied()
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("expected {}", words::<V>().join(" or "))))
    }
}

/// The words of a set, each once.
fn words<V: ClosedSet>() -> Vec<&'static str> {
    let mut words = Vec::new();
    for value in V::ALL {
        if !words.contains(&value.word()) {
            words.push(value.word());
        }
    }
    words
}

#[cfg(test)]
impl<V: ClosedSet> schemars::JsonSchema for Word<V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Word".into()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": words::<V>() })
    }
}

/// Defines a set that only JSON has.
macro_rules! closed_set {
    ($(#[$doc:meta])* $set:ident { $($(#[$about:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $set { $($(#[$about])* $value,)* }

        impl $crate::ClosedSet for $set {
            const ALL: &'static [Self] = &[$(Self::$value,)*];

            fn word(self) -> &'static str {
                match self { $(Self::$value => $word,)* }
            }
        }
    };
}

pub(crate) use closed_set;

/// Makes sets of the engines known, with the function that gives the word for a value.
macro_rules! known {
    ($($set:ty: $word:ident,)*) => {
        $(impl ClosedSet for $set {
            const ALL: &'static [Self] = &Self::ALL;

            fn word(self) -> &'static str {
                self.$word()
            }
        })*
    };
}

known! {
    AnyPropertyWord: words,
    AnyVerdictWord: words,
    Arrivals: word,
    BoundHit: word,
    DeniedFinding: word,
    EndWord: word,
    Fairness: word,
    Limit: word,
    PropertyVerdict: word,
    Severity: word,
    Status: word,
    StepKind: word,
    Timeouts: word,
    Verdict: words,
    ViolationKind: words,
    map_conform::Kind: word,
    map_conform::Verdict: word,
    map_guard::RefusalKind: word,
}

#[cfg(test)]
mod tests {
    use super::{ClosedSet, Word, words};

    fn comes_back<V: ClosedSet + std::fmt::Debug>() {
        let shared = V::ALL.len() - words::<V>().len();
        let mut others = 0;
        for &value in V::ALL {
            let text = serde_json::to_string(&Word(value)).expect("it is a word");
            assert_eq!(text, format!("{:?}", value.word()));
            let back: Word<V> = serde_json::from_str(&text).expect("it is one of them");
            assert_eq!(back.0.word(), value.word());
            others += usize::from(back.0 != value);
        }
        assert_eq!(others, shared);
        assert!(serde_json::from_str::<Word<V>>("\"no such word\"").is_err());
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        comes_back::<map_verify::Verdict>();
        comes_back::<map_verify::Limit>();
        comes_back::<map_semantics::Timeouts>();
        comes_back::<map_conform::Kind>();
        comes_back::<map_session::AnyVerdictWord>();
        comes_back::<crate::OperationKind>();
    }
}
