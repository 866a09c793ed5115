//! Times in the lines of one log: in what unit they are, in what zone, and whether they agree.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value as Json};

use crate::fault::{Fault, FaultKind};
use crate::time;

/// What a number counts, since 1970 or since any other moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Thousandths of a second.
    Milliseconds,
    /// Millionths of a second.
    Microseconds,
    /// Billionths of a second.
    Nanoseconds,
}

impl TimeUnit {
    /// All units.
    pub const ALL: [Self; 4] = [Self::Seconds, Self::Milliseconds, Self::Microseconds, Self::Nanoseconds];

    /// How flags and mappings write it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Nanoseconds => "ns",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Milliseconds => "milliseconds",
            Self::Microseconds => "microseconds",
            Self::Nanoseconds => "nanoseconds",
        }
    }

    /// How many digits of a number stand for less than a nanosecond's billionfold.
    const fn digits(self) -> u32 {
        match self {
            Self::Seconds => 9,
            Self::Milliseconds => 6,
            Self::Microseconds => 3,
            Self::Nanoseconds => 0,
        }
    }

    /// The numbers that can only be in this unit, if they count from 1970. No two of these overlap.
    const fn window(self) -> (u64, u64) {
        match self {
            Self::Seconds => (100_000_000, 10_000_000_000),
            Self::Milliseconds => (100_000_000_000, 10_000_000_000_000),
            Self::Microseconds => (100_000_000_000_000, 10_000_000_000_000_000),
            Self::Nanoseconds => (100_000_000_000_000_000, 18_000_000_000_000_000_000),
        }
    }

    /// The unit that a number is in by its size.
    fn of(whole: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| (unit.window().0..=unit.window().1).contains(&whole))
    }
}

/// What is given about times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeRules {
    /// The unit of numbers, which then may count from any moment.
    pub unit: Option<TimeUnit>,
    /// By how many seconds texts without a zone are ahead of UTC.
    pub zone: Option<i64>,
}

/// The times of a log so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Times {
    rules: TimeRules,
    /// The unit of the first number, if it is not given.
    unit: Option<TimeUnit>,
    /// Whether some number has a fraction.
    has_fractions: bool,
    /// Whether the first text has a zone.
    has_zone: Option<bool>,
    /// The least and the greatest time.
    range: Option<(u64, u64)>,
}

impl Times {
    pub(crate) fn new(rules: TimeRules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// A time as nanoseconds since 1970.
    ///
    /// # Errors
    /// If it is none, or it is not clear which one it is.
    pub(crate) fn read(&mut self, time: Option<Json>) -> Result<Option<u64>, Fault> {
        let wrong = |text: String| Fault::new(FaultKind::NoRecord, text);
        let nanos = match time {
            None | Some(Json::Null) => return Ok(None),
            Some(Json::Number(number)) => self.number(&number)?,
            Some(Json::String(text)) => self.text(&text)?,
            Some(other) => return Err(wrong(format!("{other} is no time"))),
        };
        self.range = Some(self.range.map_or((nanos, nanos), |(from, to)| (from.min(nanos), to.max(nanos))));
        Ok(Some(nanos))
    }

    fn text(&mut self, text: &str) -> Result<u64, Fault> {
        let told = time::parse(text).ok_or_else(|| {
            let text = format!("{text:?} is no time: it is written as 2026-11-20T10:00:00Z, or is a number");
            Fault::new(FaultKind::NoRecord, text)
        })?;
        let first = *self.has_zone.get_or_insert(told.zone.is_some());
        if first != told.zone.is_some() {
            let (this, others) = if first { ("no zone", "one") } else { ("a zone", "none") };
            return Err(unclear(format!(
                "the time {text:?} has {this}, and the first of the log has {others}"
            )));
        }
        let nanos = told.in_utc(self.rules.zone.unwrap_or(0));
        nanos.ok_or_else(|| Fault::new(FaultKind::NoRecord, format!("the time {text:?} is before 1970")))
    }

    fn number(&mut self, number: &Number) -> Result<u64, Fault> {
        let none = || Fault::new(FaultKind::NoRecord, format!("{number} is no time"));
        let text = decimal(number).ok_or_else(none)?;
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let whole: u64 = whole.parse().map_err(|_| none())?;
        let unit = match self.rules.unit {
            Some(unit) => unit,
            None => self.inferred(number, whole)?,
        };
        let digits = unit.digits();
        let below: u64 = match digits as usize {
            0 => 0,
            length => format!("{:0<length$}", &fraction[..fraction.len().min(length)])
                .parse()
                .map_err(|_| none())?,
        };
        whole.checked_mul(10u64.pow(digits)).and_then(|it| it.checked_add(below)).ok_or_else(none)
    }

    /// The unit of a number by its size, which is that of all numbers of the log. Fractions are those of seconds.
    fn inferred(&mut self, number: &Number, whole: u64) -> Result<TimeUnit, Fault> {
        let unit = TimeUnit::of(whole).filter(|&unit| !number.is_f64() || unit == TimeUnit::Seconds);
        let unit =
            unit.ok_or_else(|| unclear(format!("it is not clear in what unit the time {number} is")))?;
        self.has_fractions |= number.is_f64();
        let first = *self.unit.get_or_insert(unit);
        if first != unit {
            let (unit, first) = (unit.words(), first.words());
            let text =
                format!("the time {number} seems to be in {unit}, and the first of the log in {first}");
            return Err(unclear(text));
        }
        Ok(unit)
    }

    /// What was taken for granted about times that do not say it themselves.
    pub(crate) fn taken_for(&self) -> Option<String> {
        let (from, to) = self.range?;
        let kind = if self.has_fractions { "numbers" } else { "integers" };
        let numbers = self.unit.map(|it| format!("{kind}, taken for {} since 1970", it.words()));
        let texts = self.has_zone.filter(|has_zone| !has_zone && self.rules.zone.is_none());
        let texts = texts.map(|_| "without a zone, taken for UTC".to_owned());
        let what: Vec<String> = numbers.into_iter().chain(texts).collect();
        if what.is_empty() {
            return None;
        }
        let ((day, from), (last_day, to)) = (seconds(from), seconds(to));
        let to = if day == last_day { to } else { format!("{last_day} {to}") };
        Some(format!("{}; {day} {from} to {to} UTC", what.join("; ")))
    }
}

fn unclear(text: String) -> Fault {
    Fault::new(FaultKind::UnclearTime, text)
}

/// Date and time to the second.
fn seconds(nanos: u64) -> (String, String) {
    let (date, time) = time::date_and_time(nanos);
    let second = time.split('.').next().unwrap_or_default().to_owned();
    (date, second)
}

/// A number that is not negative without an exponent; `None` if it is negative, or no number that counts a time.
fn decimal(number: &Number) -> Option<String> {
    if let Some(whole) = number.as_u64() {
        return Some(whole.to_string());
    }
    // The shortest text that means it; floats of this size have no exponent in Rust.
    number.as_f64().filter(|it| *it >= 0.0 && *it < 1e20).map(|it| format!("{it}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{TimeRules, TimeUnit, Times};
    use crate::fault::FaultKind;

    const ROOF: u64 = 1_795_168_800_000_000_000;

    fn kind(times: &mut Times, time: Json) -> Result<u64, FaultKind> {
        times.read(Some(time)).map(|it| it.expect("it is there")).map_err(|it| it.kind)
    }

    #[test]
    fn the_unit_of_a_number_is_told_by_its_size() {
        for number in [
            json!(1_795_168_800),
            json!(1_795_168_800.0),
            json!(1_795_168_800_000_i64),
            json!(1_795_168_800_000_000_i64),
            json!(ROOF),
        ] {
            assert_eq!(kind(&mut Times::default(), number.clone()), Ok(ROOF), "{number}");
        }
        let exact = kind(&mut Times::default(), json!(1_795_168_800.074_136));
        assert_eq!(exact, Ok(ROOF + 74_136_000));
    }

    #[test]
    fn what_is_not_clear_is_no_time() {
        for number in
            [json!(0), json!(20), json!(99_999_999), json!(10_000_000_001_u64), json!(1e12), json!(u64::MAX)]
        {
            assert_eq!(kind(&mut Times::default(), number.clone()), Err(FaultKind::UnclearTime), "{number}");
        }
        assert_eq!(kind(&mut Times::default(), json!(-1)), Err(FaultKind::NoRecord));
        let mut times = Times::default();
        assert_eq!(kind(&mut times, json!(1_795_168_800_000_u64)), Ok(ROOF));
        assert_eq!(kind(&mut times, json!(1_795_168_800)), Err(FaultKind::UnclearTime));
        let mut times = Times::default();
        assert_eq!(kind(&mut times, json!("2026-11-20 10:00:00")), Ok(ROOF));
        assert_eq!(kind(&mut times, json!("2026-11-20 10:00:00Z")), Err(FaultKind::UnclearTime));
    }

    #[test]
    fn with_a_unit_any_number_is_a_time() {
        let rules = TimeRules { unit: Some(TimeUnit::Milliseconds), zone: Some(-3_600) };
        let mut times = Times::new(rules);
        assert_eq!(kind(&mut times, json!(0)), Ok(0));
        assert_eq!(kind(&mut times, json!(2.5)), Ok(2_500_000));
        assert_eq!(kind(&mut times, json!("2026-11-20T09:00:00")), Ok(ROOF));
        assert_eq!(times.taken_for(), None);
    }

    #[test]
    fn what_was_taken_for_granted_is_told() {
        let mut times = Times::default();
        kind(&mut times, json!(1_795_168_800_000_u64)).expect("a time");
        kind(&mut times, json!(1_795_168_867_500_u64)).expect("a time");
        let told = "integers, taken for milliseconds since 1970; 2026-11-20 10:00:00 to 10:01:07 UTC";
        assert_eq!(times.taken_for().as_deref(), Some(told));
        let mut times = Times::default();
        kind(&mut times, json!("2026-11-20T10:00:00Z")).expect("a time");
        assert_eq!(times.taken_for(), None);
    }
}
