//! Times as RFC 3339 and ISO 8601 write them.

const NANOS: u64 = 1_000_000_000;

/// A time that a text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// Nanoseconds since 1970, in its own zone.
    pub(crate) nanos: u64,
    /// By how many seconds its zone is ahead of UTC, if the text says it.
    pub(crate) zone: Option<i64>,
}

impl Told {
    /// Nanoseconds since 1970 in UTC, if it is a time after it; a text without a zone is in this one.
    pub(crate) fn in_utc(self, zone: i64) -> Option<u64> {
        let ahead = self.zone.unwrap_or(zone);
        let nanos = i128::from(self.nanos) - i128::from(ahead) * i128::from(NANOS);
        u64::try_from(nanos).ok()
    }
}

/// A time as RFC 3339 and ISO 8601 write it, with or without a zone; `None` if the text is none after 1970.
pub(crate) fn parse(text: &str) -> Option<Told> {
    let number = |from: usize, length: usize| -> Option<u64> {
        let digits = text.get(from..from + length)?;
        digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let is = |at: usize, wanted: &[u8]| text.as_bytes().get(at).is_some_and(|it| wanted.contains(it));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":")) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_of_month = match month {
        2 => 28 + u64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days_of_month).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let rest = text.get(19..)?;
    let digits = |after: &str| after.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, zone) = match rest.strip_prefix(['.', ',']) {
        Some(after) if digits(after) == 0 => return None,
        Some(after) => (after.get(..digits(after).min(9))?, after.get(digits(after)..)?),
        None => ("", rest),
    };
    let nanos: u64 = format!("{fraction:0<9}").parse().ok()?;
    let zone = if zone.is_empty() { None } else { Some(parse_zone(zone)?) };
    // Days since 1970, by the civil calendar in eras of 400 years that begin in March.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let (era, of_era) = (y / 400, y % 400);
    let day_of_year = (153 * m + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    let days = days.checked_sub(719_468)?;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(Told { nanos: seconds.checked_mul(NANOS)?.checked_add(nanos)?, zone })
}

/// A zone, such as `Z`, `+02:00`, `-0530` or `+02`, as seconds ahead of UTC.
pub(crate) fn parse_zone(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (sign, digits) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, minutes) = match digits.len() {
        2 => (digits, "00"),
        4 => (digits.get(..2)?, digits.get(2..)?),
        5 if digits.as_bytes()[2] == b':' => (digits.get(..2)?, digits.get(3..)?),
        _ => return None,
    };
    let number = |text: &str| -> Option<i64> {
        text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok())?
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
}

/// The day and the time of the day of a time in nanoseconds since 1970: `2026-11-20` and `10:00:00.25`.
pub(crate) fn date_and_time(nanos: u64) -> (String, String) {
    let seconds = nanos / NANOS;
    // The same calendar the other way round.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let of_day = seconds % 86_400;
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let fraction = format!(".{:09}", nanos % NANOS);
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}:{second:02}{fraction}"))
}

/// A time in nanoseconds since 1970 as RFC 3339 writes it, in UTC.
#[must_use]
pub fn rfc_3339(nanos: u64) -> String {
    let (date, time) = date_and_time(nanos);
    format!("{date}T{time}Z")
}

/// A duration such as `30s` in nanoseconds: a number with a unit, which is ms, s, m, h or d.
#[must_use]
pub fn duration(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit {
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::{parse, rfc_3339};

    fn utc(text: &str) -> Option<u64> {
        parse(text)?.in_utc(0)
    }

    #[test]
    fn times_are_read() {
        assert_eq!(utc("1970-01-01T00:00:01.5Z"), Some(1_500_000_000));
        assert_eq!(utc("2026-11-20T10:00:00.1Z"), Some(1_795_168_800_100_000_000));
        assert_eq!(utc("2026-11-20T12:00:00+02:00"), Some(1_795_168_800_000_000_000));
        assert_eq!(utc("2024-02-29T00:00:00-00:30"), Some(1_709_166_600_000_000_000));
        // As programs write them without being asked for RFC 3339.
        for text in [
            "2026-11-20T12:00:00+0200",
            "2026-11-20 12:00:00+02",
            "2026-11-20 10:00:00",
            "2026-11-20T10:00:00",
            "2026-11-20 10:00:00,000",
            "2026-11-20T10:00:00.000000",
        ] {
            assert_eq!(utc(text), Some(1_795_168_800_000_000_000), "{text}");
        }
        let there = parse("2026-11-20T12:00:00").expect("a time");
        assert_eq!((there.zone, there.in_utc(7_200)), (None, Some(1_795_168_800_000_000_000)));
        for bad in [
            "",
            "2026",
            "2026-13-01T00:00:00Z",
            "2026-11-20T10:00:00.Z",
            "2026-02-30T10:00:00Z",
            "2026-02-29T10:00:00Z",
            "1900-02-29T10:00:00Z",
            "2026-04-31T10:00:00Z",
            "2026-11-20T10:00:00+25:00",
            "2026-11-20T10:00:00+02:60",
            "2026-11-20T10:00:00++2:00",
            "2026-11-20T10:00:00+02:000",
            "2026-11-20T10:00:00+2",
            "2026-11-20T10:00:00+é2",
            "1970-01-01T00:00:00+02:00",
            "é".repeat(30).as_str(),
        ] {
            assert_eq!(utc(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut nanos: u64 = 1;
        while nanos < u64::MAX / 3 {
            assert_eq!(utc(&rfc_3339(nanos)), Some(nanos), "{}", rfc_3339(nanos));
            nanos = nanos * 2 + 86_399_123_456_789;
        }
        assert_eq!(rfc_3339(1_709_166_600_250_000_000), "2024-02-29T00:30:00.25Z");
    }
}
