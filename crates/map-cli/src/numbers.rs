//! Formats and parses quantities as people write them.

use std::time::Duration;

pub(crate) use map_explain::{counted, grouped};

/// Bytes in the largest unit that gives a number of at least 1.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    for (shift, unit) in UNITS {
        if number >= 1 << shift {
            let value = number as f64 / (1_u64 << shift) as f64;
            return if number.is_multiple_of(1 << shift) {
                format!("{value} {unit}")
            } else {
                format!("{value:.1} {unit}")
            };
        }
    }
    format!("{number} bytes")
}

/// A time with as many digits as are meaningful.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.001 {
        "less than 1 ms".to_owned()
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 100.0 && time.subsec_millis() > 0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} s", grouped(time.as_secs()))
    }
}

/// A size such as `2GiB`, `512M` or `1000000`; all units are powers of 1024.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes, perhaps with K, M, G or T, such as 2GiB".to_owned();
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: u64 = digits.parse().map_err(|_| expected())?;
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(expected()),
    };
    if number == 0 {
        return Err(expected());
    }
    number.checked_mul(1 << shift).ok_or_else(|| "that is more than any machine has".to_owned())
}

/// A time such as `30s`, `5m`, `2h` or `500ms`; without a unit, seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time in s, m or h, such as 30s".to_owned();
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: u64 = digits.parse().map_err(|_| expected())?;
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => 1000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err(expected()),
    };
    number
        .checked_mul(milliseconds)
        .map(Duration::from_millis)
        .ok_or_else(|| "that is longer than anyone waits".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{bytes, parse_bytes, parse_duration};

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("2GiB"), Ok(2 << 30));
        assert_eq!(parse_bytes("512M"), Ok(512 << 20));
        assert_eq!(parse_bytes("7"), Ok(7));
        for junk in ["", "0", "-1", "2X", "GiB", "99999999999999999999", "18446744073709551615K", "1.5G"] {
            assert!(parse_bytes(junk).is_err(), "{junk}");
        }
        assert_eq!(bytes(2 << 30), "2 GiB");
        assert_eq!(bytes(1 << 10), "1 KiB");
        assert_eq!(bytes(1_600_000), "1.5 MiB");
        assert_eq!(bytes(12), "12 bytes");
    }

    #[test]
    fn times() {
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        for junk in ["", "s", "-1s", "3d", "99999999999999999999s"] {
            assert!(parse_duration(junk).is_err(), "{junk}");
        }
    }
}
