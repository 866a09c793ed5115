//! What has happened to a conversation that is open, so that a later process can follow it from its beginning again.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::ended::KeptEnd;
use crate::record::Record;
use crate::report::Mark;

/// The events of a conversation, as lines of JSON. They are written as they come: to keep them is to copy them.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// How it ended before, if it goes on after its end.
    pub(super) after: Option<KeptEnd>,
    lines: String,
}

/// What happens to a conversation.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Happening<R> {
    /// A record of it came.
    Record(Mark, R),
    /// A line that cannot be used may concern these agents.
    Gap(Mark, Vec<usize>),
    /// The first line may be missing.
    DoubtBeginning(Mark),
    /// Time passed for lines that wait.
    Pass(u64),
    /// Debts were compared with a clock.
    Expire(Mark),
}

/// What stands for a fraction: its bits. JSON that is written and read again may be off in the last one.
const FRACTION: &str = "\0fraction";

fn has_fraction(value: &Json) -> bool {
    match value {
        Json::Number(number) => number.is_f64(),
        Json::Array(values) => values.iter().any(has_fraction),
        Json::Object(fields) => fields.values().any(has_fraction),
        Json::Null | Json::Bool(_) | Json::String(_) => false,
    }
}

/// With bits in the place of fractions. Values nest as deep as lines may.
fn to_bits(value: &mut Json) {
    match value {
        Json::Number(number) => {
            if let Some(fraction) = number.as_f64().filter(|_| number.is_f64()) {
                *value = serde_json::json!({ FRACTION: fraction.to_bits() });
            }
        }
        Json::Array(values) => values.iter_mut().for_each(to_bits),
        Json::Object(fields) => fields.values_mut().for_each(to_bits),
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

/// With fractions in the place of bits.
pub(super) fn from_bits(value: &mut Json) {
    match value {
        Json::Object(fields) => match fields.get(FRACTION).and_then(Json::as_u64) {
            Some(bits) => *value = f64::from_bits(bits).into(),
            None => fields.values_mut().for_each(from_bits),
        },
        Json::Array(values) => values.iter_mut().for_each(from_bits),
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Number(_) => {}
    }
}

impl History {
    pub(super) fn new(after: Option<KeptEnd>) -> Self {
        Self { after, lines: String::new() }
    }

    /// Notes what happens.
    pub(super) fn note(&mut self, happening: &Happening<&Record>) {
        if let Happening::Record(mark, record) = happening
            && record.args.iter().any(has_fraction)
        {
            let mut exact = (*record).clone();
            exact.args.iter_mut().for_each(to_bits);
            return self.write(&Happening::Record(*mark, &exact));
        }
        self.write(happening);
    }

    fn write(&mut self, happening: &Happening<&Record>) {
        // Records are what JSON has been read into.
        if let Ok(line) = serde_json::to_string(happening) {
            self.lines.push_str(&line);
            self.lines.push('\n');
        }
    }

    /// The events so far, one a line.
    pub(super) fn lines(&self) -> &str {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::{Happening, History};
    use crate::record::{Record, read};
    use crate::report::Mark;

    #[test]
    fn fractions_are_exact_however_they_were_written() {
        let mut state: u64 = 3;
        for _ in 0..2_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let line = format!(
                r#"{{"from":"a","to":"b","performative":"c","args":[{{"x":[0.{state}]}},7,{}e-200]}}"#,
                state % 1_000_003
            );
            let record = read(line.as_bytes()).expect("it is a record");
            let mut history = History::new(None);
            history.note(&Happening::Record(Mark::default(), &record));
            let Ok(Happening::Record(_, mut again)) =
                serde_json::from_str::<Happening<Record>>(history.lines().trim_end())
            else {
                panic!("it is a record");
            };
            again.args.iter_mut().for_each(super::from_bits);
            assert_eq!(again, record, "{line}");
        }
    }
}
