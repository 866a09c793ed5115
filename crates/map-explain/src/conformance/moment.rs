//! Moments of a log in words.

const NANOS: u64 = 1_000_000_000;
const DAY: u64 = 86_400 * NANOS;

/// `10:00:02.5`, the time of day in UTC of a moment in nanoseconds since 1970.
pub(super) fn time_of_day(moment: u64) -> String {
    let (seconds, nanos) = (moment % DAY / NANOS, moment % NANOS);
    let fraction = if nanos == 0 { String::new() } else { format!(".{nanos:09}") };
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}{}", seconds % 60, fraction.trim_end_matches('0'))
}

/// `2026-11-20T10:00:02.5Z`, a moment in nanoseconds since 1970.
#[must_use]
pub fn rfc3339(moment: u64) -> String {
    format!("{}T{}Z", date(moment / DAY), time_of_day(moment))
}

/// Some moments: with their dates if they are not all of one day.
pub(super) fn moments<const N: usize>(all: [u64; N]) -> [String; N] {
    let is_one_day = all.iter().all(|moment| moment / DAY == all[0] / DAY);
    all.map(|moment| match is_one_day {
        true => time_of_day(moment),
        false => format!("{} {}", date(moment / DAY), time_of_day(moment)),
    })
}

/// The date of a day since 1970, by the civil calendar in eras of 400 years that begin in March.
fn date(day: u64) -> String {
    let days = day + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, later) =
        if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year_of_era + later)
}

#[cfg(test)]
mod tests {
    use super::{moments, rfc3339};

    #[test]
    fn moments_are_written_as_they_are_read() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(1_795_168_800_100_000_000), "2026-11-20T10:00:00.1Z");
        assert_eq!(rfc3339(1_709_166_600_000_000_000), "2024-02-29T00:30:00Z");
        assert_eq!(rfc3339(u64::MAX), "2554-07-21T23:34:33.709551615Z");
        assert_eq!(moments([1_000_000_000, 3_600_000_000_000]), ["00:00:01", "01:00:00"]);
        assert_eq!(moments([0, 86_400_000_000_000]), ["1970-01-01 00:00:00", "1970-01-02 00:00:00"]);
    }
}
