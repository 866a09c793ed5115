//! Times as RFC 3339 writes them.

const NANOS: u64 = 1_000_000_000;

/// Nanoseconds since 1970; `None` if the text is no time after it.
pub(crate) fn parse(text: &str) -> Option<u64> {
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
    let digits = rest.strip_prefix('.').map_or(0, |it| it.bytes().take_while(u8::is_ascii_digit).count());
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(_) if digits == 0 => return None,
        Some(after) => (after.get(..digits.min(9))?, after.get(digits..)?),
        None => ("", rest),
    };
    let nanos: u64 = format!("{fraction:0<9}").parse().ok()?;
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let sign = match zone.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let at = text.len() - zone.len();
            let (hours, minutes) = (number(at + 1, 2)?, number(at + 4, 2)?);
            if zone.len() != 6 || !is(at + 3, b":") || hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 3_600 + minutes * 60) as i64
        }
    };
    // Days since 1970, by the civil calendar in eras of 400 years that begin in March.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let (era, of_era) = (y / 400, y % 400);
    let day_of_year = (153 * m + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    let days = days.checked_sub(719_468)?;
    let seconds = (days * 86_400 + hour * 3_600 + minute * 60 + second) as i64 - offset;
    u64::try_from(seconds).ok()?.checked_mul(NANOS)?.checked_add(nanos)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_are_read() {
        assert_eq!(parse("1970-01-01T00:00:01.5Z"), Some(1_500_000_000));
        assert_eq!(parse("2026-11-20T10:00:00.1Z"), Some(1_795_168_800_100_000_000));
        assert_eq!(parse("2026-11-20T12:00:00+02:00"), Some(1_795_168_800_000_000_000));
        assert_eq!(parse("2024-02-29T00:00:00-00:30"), Some(1_709_166_600_000_000_000));
        for bad in [
            "",
            "2026",
            "2026-13-01T00:00:00Z",
            "2026-11-20T10:00:00",
            "2026-11-20T10:00:00.Z",
            "2026-02-30T10:00:00Z",
            "2026-02-29T10:00:00Z",
            "1900-02-29T10:00:00Z",
            "2026-04-31T10:00:00Z",
            "2026-11-20T10:00:00+25:00",
            "2026-11-20T10:00:00+02:60",
            "2026-11-20T10:00:00++2:00",
            "2026-11-20T10:00:00+02:000",
            "é".repeat(30).as_str(),
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
